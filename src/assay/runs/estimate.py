"""The estimated cost of a plan: calls, tokens and money, before anything is sent.

Each kind of question is rehearsed once, without a model, which gives its minimum number of calls and their texts
besides the documents. Documents are counted one by one. The length of replies is assumed, and the assumption is
shown: a field of reasons takes `PER_FIELD` tokens, a criterion `PER_CRITERION`, a reply in prose `PER_TEXT`, and no
reply exceeds its limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from assay.judges.model_judge import ModelJudge
from assay.models.tokens import estimate_tokens
from assay.runs.plan import PlannedJudge, model_judges
from assay.runs.tasks import JudgmentTask, RepetitionSeries, tasks_of
from assay.strategies.dry_run import PLACEHOLDER, dry_run

if TYPE_CHECKING:
    from collections.abc import Collection

    from assay.models.base import Request
    from assay.models.prices import Price
    from assay.strategies.base import Question
    from assay.subjects.case import Case

PER_FIELD: Final = 90
PER_CRITERION: Final = 12
PER_TEXT: Final = 350
ASSUMED: Final = (
    f"replies are assumed to take {PER_FIELD} tokens for a field of reasons, {PER_CRITERION} for a criterion,"
    f" {PER_TEXT} for prose; hidden reasoning is not counted"
)
# Providers do not cache shorter prefixes.
_SHORTEST: Final = 1024
# Role and delimiters of two messages.
_BORDERS: Final = 8
# Prefixes remembered as sent; in a plan, equal ones are neighbours.
_NEAR: Final = 256


class CostEstimate(msgspec.Struct):
    """Estimated cost of the judgments of one judge.

    Attributes:
        title: The judge.
        planned: Judgments of the plan.
        there: Judgments in the ledger.
        calls: Minimum calls.
        most_calls: Maximum calls, without corrections of unreadable replies.
        input_tokens: Input tokens of the minimum calls, cached ones included.
        cached_tokens: Input tokens that a prefix cache should have; 0 if no cache is known.
        output_tokens: Assumed output tokens.
        cost: Cost of these tokens in US dollars; None if no price is known.
        most_cost: Cost in US dollars of the maximum calls, each with a reply of full length and without a cache.
    """

    title: str
    planned: int = 0
    there: int = 0
    calls: int = 0
    most_calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    most_cost: float | None = 0.0

    def add(self, other: CostEstimate) -> None:
        """Add another estimate."""
        for name in (
            "planned",
            "there",
            "calls",
            "most_calls",
            "input_tokens",
            "cached_tokens",
            "output_tokens",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("cost", "most_cost"):
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, None if mine is None or theirs is None else mine + theirs)


class _RehearsedCall(msgspec.Struct, frozen=True):
    """A call of a rehearsed question: whether it shows documents, its other tokens, its assumed and its maximum reply."""

    leads: bool
    tokens: int
    output: int
    most: int


class EstimatedPlan(Protocol):
    """What is estimated: judges, and the cases that each of them can judge."""

    @property
    def judges(self) -> Sequence[PlannedJudge]:
        """The judges."""
        ...

    def fitting(self) -> Iterator[tuple[int, PlannedJudge, Case]]:
        """Yield each case with each judge that can judge it, and the judge's index."""
        ...

    def judgments(self, planned: PlannedJudge, case: Case) -> Sequence[JudgmentTask] | RepetitionSeries:
        """Return the repetitions of one judge on one case."""
        ...


class CasePlan:
    """The judgments of cases by judges that fit all of them.

    Args:
        judges: The judges, with open models.
        cases: The cases.
    """

    def __init__(self, judges: Sequence[ModelJudge], cases: Sequence[Case]) -> None:
        self.judges = tuple(PlannedJudge(judge, judge.name, judge.modes) for judge in judges)
        self._cases = cases

    def fitting(self) -> Iterator[tuple[int, PlannedJudge, Case]]:
        """Yield each case with each judge, and the judge's index."""
        for case in self._cases:
            for index, planned in enumerate(self.judges):
                yield index, planned, case

    def judgments(self, planned: PlannedJudge, case: Case) -> Sequence[JudgmentTask] | RepetitionSeries:
        """Return the repetitions of one judge on one case."""
        return tasks_of(planned.judge, case)


async def estimate_plan(
    plan: EstimatedPlan, known: Collection[str], prices: dict[str, Price | None]
) -> list[CostEstimate]:
    """Return the estimate of each judge of a plan, in order.

    Args:
        plan: The plan.
        known: Keys of judgments that need not be made.
        prices: Prices by model id.
    """
    return await _Counter(plan, prices).count(known)


class _Counter:
    def __init__(self, plan: EstimatedPlan, prices: dict[str, Price | None]) -> None:
        self._plan = plan
        self._prices = prices
        alone = [item.judge for item in plan.judges if isinstance(item.judge, ModelJudge)]
        # Members of ensembles that are judges of the plan too are asked once.
        self._asked = [
            [item.judge]
            if isinstance(item.judge, ModelJudge)
            else [one for one in model_judges([item.judge]) if not any(one is other for other in alone)]
            for item in plan.judges
        ]
        self._kinds: dict[Any, list[_RehearsedCall]] = {}
        self._sent: dict[tuple[str, str], None] = {}

    async def count(self, known: Collection[str]) -> list[CostEstimate]:
        estimates = [CostEstimate(planned.title) for planned in self._plan.judges]
        for index, planned, case in self._plan.fitting():
            estimate = estimates[index]
            repetitions = self._plan.judgments(planned, case)
            tasks = repetitions.tasks if isinstance(repetitions, RepetitionSeries) else repetitions
            missing = sum(task.key not in known for task in tasks)
            estimate.planned += len(tasks)
            estimate.there += len(tasks) - missing
            if missing:
                least = missing
                if isinstance(repetitions, RepetitionSeries):
                    least = min(missing, repetitions.needed(()))
                for judge in self._asked[index]:
                    await self._add(estimate, judge, planned.caches, case, (least, missing))
        return estimates

    async def _add(
        self, estimate: CostEstimate, judge: ModelJudge, caches: bool, case: Case, wanted: tuple[int, int]
    ) -> None:
        least, most = wanted
        price = self._prices.get(judge.model.id)
        calls_least, calls_most = judge.strategy.calls_with(judge.settings.options)
        questions = judge.questions(case)
        setup_cost = judge.setup_cost(case)
        if setup_cost.calls:
            # The setup is done once for all repetitions.
            estimate.calls += setup_cost.calls
            estimate.most_calls += setup_cost.calls
            estimate.input_tokens += setup_cost.read
            estimate.output_tokens += setup_cost.written
            estimate.cost = _plus(estimate.cost, price, setup_cost.read, 0, setup_cost.written)
            estimate.most_cost = _plus(estimate.most_cost, price, setup_cost.read, 0, setup_cost.written)
        for _, _, _, question in questions:
            calls = await self._rehearsed(judge, question)
            system = estimate_tokens(judge.prompts.system(question.language)) + _BORDERS
            text = judge.prompts.lead(question)
            lead = system + estimate_tokens(text)
            for _ in range(least):
                for call in calls:
                    read = (lead if call.leads else system) + call.tokens
                    cached = self._cached(judge, caches, text, lead) if call.leads else 0
                    estimate.input_tokens += read
                    estimate.cached_tokens += cached
                    estimate.output_tokens += call.output
                    estimate.cost = _plus(estimate.cost, price, read, cached, call.output)
            estimate.calls += least * max(calls_least, len(calls))
            estimate.most_calls += most * max(calls_most, len(calls))
            # Every call counts as the longest.
            longest = lead + max(call.tokens for call in calls)
            out = max(call.most for call in calls)
            each = most * max(calls_most, len(calls))
            if estimate.most_cost is not None:
                estimate.most_cost = (
                    None if price is None else estimate.most_cost + each * price.cost(longest, 0, out)
                )

    def _cached(self, judge: ModelJudge, caches: bool, text: str, lead: int) -> int:
        """Return the tokens of the prefix that an earlier call has sent."""
        key = (judge.model.id, text)
        known = key in self._sent
        self._sent[key] = None
        if len(self._sent) > _NEAR:
            del self._sent[next(iter(self._sent))]
        return lead if known and caches and lead >= _SHORTEST else 0

    async def _rehearsed(self, judge: ModelJudge, question: Question) -> list[_RehearsedCall]:
        """Return the calls of a question. Questions that differ only in their documents are rehearsed once."""
        key = (
            judge.version, question.mode, question.language, question.documents[0].kind, len(question.documents),
            tuple(item.key for item in question.criteria), question.query is None, question.reference is None,
        )  # fmt: skip
        calls = self._kinds.get(key)
        if calls is None:
            brief = _brief(question)
            requests, _ = await dry_run(
                judge.strategy, brief, judge.prompts, sampling=judge.sampling, options=judge.settings.options
            )
            prose = any(request.schema is None for request in requests)
            carried = PER_TEXT if prose else PER_FIELD
            calls = self._kinds[key] = [_call(judge, question, request, carried) for request in requests]
        return calls


def _brief(question: Question) -> Question:
    """Return the question without the text of its documents."""
    documents = tuple(msgspec.structs.replace(item, text="…") for item in question.documents)
    return msgspec.structs.replace(question, documents=documents, context=())


def _call(judge: ModelJudge, question: Question, request: Request, carried: int) -> _RehearsedCall:
    """Return one call; each placeholder for an earlier reply counts ``carried`` tokens."""
    text = request.messages[-1]
    most = request.sampling.max_tokens or judge.settings.max_tokens
    if request.schema is not None:
        output = _output(request.schema, len(question.criteria))
    elif judge.strategy.plain is not None:
        # A format of its own: a reason and a verdict for each criterion and for the whole.
        output = (len(question.criteria) + 1) * (PER_FIELD + PER_CRITERION)
    else:
        output = PER_TEXT
    tokens = sum(
        estimate_tokens(message.text) + message.text.count(PLACEHOLDER) * carried
        for message in request.messages[1:]
    )
    return _RehearsedCall(bool(text.lead), tokens, min(output, most), most)


def _output(schema: dict[str, Any], criteria: int) -> int:
    """Return the assumed tokens of a reply by a schema: its texts and its verdicts."""
    fields = _texts(schema.get("properties", {}).values())
    return fields * PER_FIELD + max(1, criteria) * PER_CRITERION + PER_CRITERION


def _texts(parts: Iterable[dict[str, Any]]) -> int:
    """Return the number of free text fields, nested ones included; a list counts as two."""
    count = 0
    for part in parts:
        kind = part.get("type")
        if kind == "string" and "enum" not in part:
            count += 1
        elif kind == "array":
            count += 2 * _texts([part.get("items", {})])
        elif kind == "object":
            count += _texts(part.get("properties", {}).values())
    return count


def _plus(cost: float | None, price: Price | None, read: int, cached: int, written: int) -> float | None:
    return None if cost is None or price is None else cost + price.cost(read, cached, written)
