"""Evaluation of a judge: applies it to the instances of a benchmark and records a trial for each.

Pointwise, reference and perturbed copy are scored separately; a reference that several instances share is scored once.
Pairwise, the two are compared; a hash of the instance's id decides which is A. In a ranking, a reference stands among
up to ``candidates`` - 1 of its perturbed copies (REFLECT, section 2.1, judge interfaces).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.interventions.instances import size_of_side, subject_of_side
from assay.judges.judgment import worst_status
from assay.meta.localisation import localise_spans
from assay.meta.site_judge import focus
from assay.meta.trials import ONE_ORDER, FailureLocalisation, PreferredSide, Trial, least_margin
from assay.models.base import PendingCall, Usage
from assay.runs.in_order import in_order, one_by_one
from assay.subjects.case import Case

if TYPE_CHECKING:
    from assay.interventions.instances import Instance
    from assay.judges.judgment import Judgment
    from assay.meta.trials import Interface
    from assay.subjects.subject import Subject

# Scores are rounded to six digits; closer ones are equal.
_SAME: Final = 1e-9
_EXCERPT: Final = 600

# Judges a case; all its repetitions are one judgment.
Ask = Callable[[Case], Awaitable["Judgment"]]
# Asks a model where the failure of a perturbed subject is.
Localiser = Callable[["Instance", Any], Awaitable[tuple[FailureLocalisation | None, Usage]]]


async def evaluate(
    instances: Sequence[Instance],
    ask: Ask,
    *,
    interface: Interface = "pointwise",
    condition: int = 0,
    both_orders: bool = False,
    fine: bool = False,
    candidates: int = 4,
    width: int = 1,
    localiser: Localiser | None = None,
    share: bool = True,
) -> AsyncGenerator[Trial | None]:
    """Yield a trial for each instance, in order (for a ranking, in the order of their references).

    None stands for an instance, or a set of a ranking, of which replies are still to come in batch files.

    Args:
        instances: Instances of the benchmark.
        ask: The judge under test.
        interface: How instances are shown to the judge.
        condition: Index of the condition, for the record.
        both_orders: Whether the judge is shown pairs in both orders, so that a preference needs both.
        fine: Whether only the perturbed part is scored (pointwise).
        candidates: Largest number of subjects in a ranking, including the reference.
        width: Number of instances in progress at once.
        localiser: Asks where the failure is; None reads the place from quotes and findings, if there are any.
        share: Whether the instances of a reference share its score; a coin is tossed for each anew.
    """
    if interface == "ranking":
        work = [
            partial(_or_pending, partial(_rank, group, ask, condition))
            for group in candidate_sets(instances, candidates)
        ]
    else:
        method = (
            partial(_pairwise, both_orders=both_orders)
            if interface == "pairwise"
            else partial(_pointwise, scores=_ReferenceScores(ask, share=share), fine=fine)
        )
        work = [
            partial(_or_pending, partial(_evaluate_one, instance, ask, condition, method, localiser))
            for instance in instances
        ]
    async for trials in in_order(work, width=width):
        if trials is None:
            yield None
            continue
        for trial in trials:
            yield trial


async def _or_pending(make: Callable[[], Awaitable[list[Trial]]]) -> list[Trial] | None:
    """Return trials, or None if replies are still to come in batch files."""
    try:
        return await make()
    except PendingCall:
        return None


def candidate_sets(instances: Sequence[Instance], candidates: int) -> list[list[Instance]]:
    """Group the failures of each reference into sets of up to ``candidates`` - 1."""
    groups: dict[str, list[Instance]] = {}
    for instance in instances:
        # A surface attack is not worse than its reference, so that neither is the best.
        if instance.kind in ("failure", "targeted"):
            groups.setdefault(instance.group, []).append(instance)
    most = max(1, candidates - 1)
    return [group[i : i + most] for group in groups.values() for i in range(0, len(group), most)]


def is_correct(
    preferred: PreferredSide | None, *, kind: str, dimension: float | None = None, least: float = ONE_ORDER
) -> bool | None:
    """Return whether a verdict is correct: a failure must lose, and a surface attack must not win.

    If the judge scores dimensions, a targeted attack counts by the dimension it attacks: a tie there means success.

    Args:
        preferred: Side that the judge preferred.
        kind: Kind of the instance.
        dimension: Margin on the attacked dimension, positive for the reference.
        least: Smallest margin that counts as a verdict.
    """
    if kind == "targeted" and dimension is not None:
        return dimension >= least
    if preferred is None:
        return None
    return preferred == "reference" if kind in ("failure", "targeted") else preferred != "perturbed"


class _ReferenceScores:
    """Scores of references, each requested once, or once for each instance."""

    def __init__(self, ask: Ask, *, share: bool) -> None:
        self._ask = ask
        self._share = share
        self._tasks: dict[str, asyncio.Future[Judgment]] = {}

    async def score(self, instance: Instance) -> tuple[Judgment, bool]:
        """Return the score of the instance's reference, and whether this call requested it."""
        if not self._share:
            own = subject_of_side(instance.reference, query=instance.query, name=f"ref-{instance.id}")
            return await self._ask(Case(own, reference=instance.answer)), True
        first = instance.group not in self._tasks
        if first:
            case = Case(_reference(instance), reference=instance.answer)
            self._tasks[instance.group] = asyncio.ensure_future(self._ask(case))
        return await asyncio.shield(self._tasks[instance.group]), first


def _reference(instance: Instance) -> Subject:
    return subject_of_side(instance.reference, query=instance.query, name=f"ref-{instance.group}")


async def _evaluate_one(
    instance: Instance,
    ask: Ask,
    condition: int,
    method: Callable[..., Awaitable[Trial]],
    localiser: Localiser | None,
) -> list[Trial]:
    perturbed = instance.subject("perturbed")
    judge = partial(method, instance, perturbed, ask, condition)
    if localiser is None or instance.kind not in ("failure", "targeted"):
        return [await judge()]
    trial, (localisation, usage) = await one_by_one(judge, partial(localiser, instance, perturbed))
    return [msgspec.structs.replace(trial, pointed=localisation, usage=trial.usage + usage)]


async def _pointwise(
    instance: Instance,
    perturbed: Subject,
    ask: Ask,
    condition: int,
    *,
    scores: _ReferenceScores,
    fine: bool,
) -> Trial:
    reference = _reference(instance)
    if fine:
        focus(reference, instance.reference_site or instance.site)
        focus(perturbed, instance.site)

    async def score_reference() -> tuple[Judgment, bool]:
        if fine:
            return await ask(Case(reference, reference=instance.answer)), True
        return await scores.score(instance)

    (one, first), two = await one_by_one(
        score_reference, lambda: ask(Case(perturbed, reference=instance.answer))
    )
    gap = _gap(one, two)
    dimensions = {
        key: round(one.scores[key] - two.scores[key], 6)
        for key in one.scores or ()
        if one.scores and two.scores and key in two.scores and key != "overall"
    }
    return _trial(
        instance,
        condition,
        (one, two),
        preferred=_side(gap),
        gap=gap,
        dimensions=dimensions,
        least=_SAME,
        reference=_overall(one),
        perturbed=_overall(two),
        repeats=_score_repeats(one, two),
        pointed=_localisation(instance, perturbed, two),
        usage=(one.usage if first else Usage()) + two.usage,
        keys=(*_keys(one), *_keys(two)),
        excerpt=two.rationale[:_EXCERPT],
    )


async def _pairwise(
    instance: Instance, perturbed: Subject, ask: Ask, condition: int, *, both_orders: bool
) -> Trial:
    reference = _reference(instance)
    # A judge that always prefers A must be right half of the time, not always or never.
    swapped = hashlib.blake2b(instance.id.encode(), digest_size=1).digest()[0] % 2 == 1
    pair = (perturbed, reference) if swapped else (reference, perturbed)
    judgment = await ask(Case(*pair, reference=instance.answer))
    sign = -1.0 if swapped else 1.0
    margins = {key: round(sign * value, 6) for key, value in (judgment.scores or {}).items()}
    orders = judgment.by_order
    by_order = None
    if orders is not None and both_orders:
        first, second = ("BA", "AB") if swapped else ("AB", "BA")
        by_order = {
            "reference_first": _preferred(orders.get(first), swapped),
            "reference_second": _preferred(orders.get(second), swapped),
        }
    gap = margins.pop("overall", None)
    return _trial(
        instance,
        condition,
        (judgment,),
        preferred=_preferred(judgment.preference, swapped),
        gap=gap,
        dimensions=margins,
        least=least_margin(both_orders=both_orders),
        by_order=by_order,
        repeats=tuple(_preferred(item.preference, swapped) for item in judgment.repetitions),
        pointed=_localisation(instance, perturbed, judgment, document=0 if swapped else 1),
        usage=judgment.usage,
        keys=_keys(judgment),
        excerpt=judgment.rationale[:_EXCERPT],
    )


async def _rank(group: Sequence[Instance], ask: Ask, condition: int) -> list[Trial]:
    """Rank a reference among its perturbed copies, at a position that follows from their ids."""
    name = hashlib.blake2b("".join(item.id for item in group).encode(), digest_size=4)
    place = int.from_bytes(name.digest(), "big") % (len(group) + 1)
    subjects = [item.subject("perturbed") for item in group]
    subjects.insert(place, _reference(group[0]))
    ranking = await ask(Case(*subjects, mode="rank", reference=group[0].answer))
    points = [(ranking.scores or {}).get(str(at)) for at in range(len(subjects))]
    own = points[place]
    trials = []
    for number, instance in enumerate(group):
        other = points[number if number < place else number + 1]
        gap = None if own is None or other is None else round(own - other, 6)
        trials.append(
            _trial(
                instance,
                condition,
                (ranking,),
                preferred=_side(gap),
                gap=gap,
                reference=own,
                perturbed=other,
                set=name.hexdigest(),
                best=None if own is None or ranking.status != "ok" else ranking.choice == place,
                usage=ranking.usage if number == 0 else Usage(),
                excerpt=ranking.rationale[:_EXCERPT],
            )
        )
    return trials


def _trial(
    instance: Instance,
    condition: int,
    judgments: Sequence[Judgment],
    *,
    preferred: PreferredSide | None,
    gap: float | None,
    least: float = ONE_ORDER,
    dimensions: dict[str, float] | None = None,
    **more: Any,
) -> Trial:
    status = worst_status(item.status for item in judgments)
    margins = dimensions or {}
    correct = None
    if status == "ok":
        attacked = margins.get(instance.dimension or "")
        correct = is_correct(preferred, kind=instance.kind, dimension=attacked, least=least)
    return Trial(
        instance=instance.id,
        group=instance.group,
        kind=instance.kind,
        level=instance.level,
        module=instance.module,
        category=instance.category,
        type=instance.type,
        language=instance.language,
        pattern=instance.pattern,
        dimension=instance.dimension,
        condition=condition,
        said=preferred if status == "ok" else None,
        correct=correct,
        gap=gap if status == "ok" else None,
        dimensions=margins,
        status=status,
        problem=_problem(judgments) if correct is None else "",
        chars=size_of_side(instance.perturbed) - size_of_side(instance.reference),
        **more,
    )


def _preferred(preference: str | None, swapped: bool) -> PreferredSide | None:
    if preference is None:
        return None
    if preference in ("A>B", "A<B"):
        return "reference" if (preference == "A>B") != swapped else "perturbed"
    return "tie"


def _side(gap: float | None) -> PreferredSide | None:
    if gap is None:
        return None
    return "tie" if abs(gap) <= _SAME else "reference" if gap > 0 else "perturbed"


def _gap(one: Judgment, two: Judgment) -> float | None:
    a, b = _overall(one), _overall(two)
    return None if a is None or b is None else round(a - b, 6)


def _overall(judgment: Judgment) -> float | None:
    return (judgment.scores or {}).get("overall") if judgment.status == "ok" else None


def _score_repeats(one: Judgment, two: Judgment) -> tuple[float | None, ...]:
    """Return the gap of each repetition; empty for a single one."""
    return tuple(_gap(good, bad) for good, bad in zip(one.repetitions, two.repetitions, strict=False))


def _keys(judgment: Judgment) -> tuple[str, ...]:
    return tuple(item.key for item in judgment.repetitions or (judgment,) if item.key)


def _localisation(
    instance: Instance, perturbed: Subject, judgment: Judgment, document: int | None = None
) -> FailureLocalisation | None:
    if instance.kind not in ("failure", "targeted"):
        return None
    quotes = [
        (quote.start, quote.end)
        for quote in judgment.quotes
        if quote.start is not None
        and quote.end is not None
        and (document is None or quote.document == document)
    ]
    source: Literal["findings", "quotes"] = "findings" if judgment.judge == "rules" else "quotes"
    return localise_spans(perturbed, instance.site, quotes, by=source)


def _problem(judgments: Sequence[Judgment]) -> str:
    bad = next((item for item in judgments if item.status != "ok"), judgments[-1])
    return (
        f"{bad.status}: {(bad.problem or bad.rationale)[-200:]}" if bad.status != "ok" else "no overall score"
    )
