"""Judges as evaluations need them: a function from a case to one judgment, with all its repetitions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import UsageError
from assay.judges.judgment import Judgment, Preference, settle_orders
from assay.judges.ranking import Ranking, ranking_of_scores, ranking_of_tournament
from assay.judges.tournament import tournament
from assay.runs.model_free_judges import RulesJudge, model_free_judge
from assay.runs.recording_judge import names_of

if TYPE_CHECKING:
    from assay.judges.repetitions import Repetitions
    from assay.meta.evaluation import Ask
    from assay.runs.recording_judge import RecordedJudgment, RecordingJudge
    from assay.subjects.case import Case
    from assay.subjects.subject import Subject


def ask_model_free(name: str) -> Ask:
    """Return a judge without a model; it ranks by scores, since a tournament would only repeat the comparisons of pairs."""
    judge = RulesJudge(measures=True) if name == "rules" else model_free_judge(name)
    assert judge is not None

    async def ask(case: Case) -> Judgment:
        if case.mode == "rank":
            return _ranked(await judge.rank(case.subjects, method="scores"))
        return msgspec.structs.replace(await judge.judge(case), key=None)

    return ask


def ask_recorded(
    choose: Callable[[Subject], RecordingJudge], seen: Callable[[RecordedJudgment], None] | None = None
) -> Ask:
    """Return a judge with a model; ``choose`` returns it for the kind of a subject."""

    async def ask(case: Case) -> Judgment:
        judge = choose(case.subjects[0])
        if case.mode == "rank":
            return _ranked(await judge.rank(case.subjects, on_judgment=seen))
        repeated = await judge.repeat(case.mode, case.subjects, on_judgment=seen)
        return _combined(repeated.trials, tuple(item.key for item in repeated.judgments))

    return ask


def ask_function(function: Any) -> tuple[Ask, bool]:
    """Return a function as a judge, and whether it compares rather than scores; exceptions are failed judgments.

    Raises:
        UsageError: It takes neither one subject nor two.
    """
    if not callable(function):
        raise UsageError(f"a judge is a name, a Judge or a function, not {type(function).__name__}")
    needed = [item for item in inspect.signature(function).parameters.values() if item.default is item.empty]
    name = str(getattr(function, "name", None) or getattr(function, "__name__", type(function).__name__))
    if len(needed) not in (1, 2):
        raise UsageError(
            f"judge {name} takes {len(needed)} arguments; it must take one subject, or two to compare"
        )
    compares = len(needed) == 2

    async def call(*subjects: Subject) -> Any:
        value = function(*subjects)
        return await value if inspect.isawaitable(value) else value

    async def score(subject: Subject) -> Judgment:
        blank = Judgment(subject.id or "subject", name)
        try:
            value = await call(subject)
            if value is None:
                return msgspec.structs.replace(blank, status="unparsed", problem="abstained")
            scores = (
                {key: float(one) for key, one in value.items()}
                if isinstance(value, dict)
                else {"overall": float(value)}
            )
            scores.setdefault("overall", sum(scores.values()) / max(1, len(scores)))
            return msgspec.structs.replace(blank, scores=scores)
        except Exception as error:  # noqa: BLE001 - a judge of one's own may raise anything
            return msgspec.structs.replace(blank, status="failed", problem=f"{type(error).__name__}: {error}")

    async def compare(a: Subject, b: Subject) -> Judgment:
        blank = Judgment(f"{a.id or 'A'} | {b.id or 'B'}", name, mode="compare")
        if not compares:
            one, two = await score(a), await score(b)
            if one.overall is None or two.overall is None:
                bad = one if one.overall is None else two
                return msgspec.structs.replace(blank, status=bad.status, problem=bad.problem)
            return msgspec.structs.replace(blank, preference=_preference(one.overall - two.overall))
        try:
            first, second = await call(a, b), await call(b, a)
            if first is None or second is None:
                return msgspec.structs.replace(blank, status="unparsed", problem="abstained")
            orders = {"AB": _preference(first), "BA": _turned(_preference(second))}
            return msgspec.structs.replace(
                blank, by_order=orders, preference=settle_orders([*orders.values()])
            )
        except Exception as error:  # noqa: BLE001
            return msgspec.structs.replace(blank, status="failed", problem=f"{type(error).__name__}: {error}")

    async def ask(case: Case) -> Judgment:
        if case.mode == "score":
            if compares:
                raise UsageError(f"judge {name} compares two subjects; use interface='pairwise'")
            return await score(case.subjects[0])
        if case.mode == "compare":
            return await compare(*case.subjects)
        names = names_of(case.subjects)
        if compares:
            return _ranked(ranking_of_tournament(names, await tournament(compare, case.subjects)))
        return _ranked(ranking_of_scores(names, [[await score(item)] for item in case.subjects]))

    return ask, compares


def _preference(value: str | float) -> Preference:
    if isinstance(value, str):
        preference: Preference = msgspec.convert(value, Preference)
        return preference
    return "A>B" if value > 0 else "A<B" if value < 0 else "tie"


def _turned(preference: Preference) -> Preference:
    turned: dict[str, Preference] = {"A>B": "A<B", "A<B": "A>B"}
    return turned.get(preference, preference)


def _combined(repetitions: Repetitions, keys: tuple[str, ...]) -> Judgment:
    if len(repetitions.judgments) == 1:
        return msgspec.structs.replace(repetitions.judgment, key=keys[0] if keys else None)
    single = tuple(
        msgspec.structs.replace(item, key=key) for item, key in zip(repetitions.judgments, keys, strict=False)
    )
    return msgspec.structs.replace(repetitions.judgment, repetitions=single or repetitions.judgments)


def _ranked(ranking: Ranking) -> Judgment:
    """Return a ranking as a judgment with the points of each candidate."""
    statuses = [item for item in ranking.judgments if item.status != "ok"]
    return msgspec.structs.replace(
        ranking.judgment,
        mode="rank",
        status=statuses[0].status if statuses else "ok",
        scores={str(at): value for at, value in enumerate(ranking.points) if value is not None},
        choice=ranking.choice,
        usage=ranking.usage,
    )
