"""Instances of a benchmark put to a judge, and what it said of each as a trial.

Pointwise, the reference and the revised subject are scored, each by itself; a reference that several instances share is
scored once. Pairwise, the two are compared, which of them comes as A being drawn from the instance's id. In a ranking,
a reference stands among up to ``candidates`` - 1 revised subjects of its own (REFLECT, section 2.1, judge interfaces).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.interventions.instances import size_of_side, subject_of_side
from assay.judges.repetitions import worst
from assay.meta.localisation import localised_by_findings, localised_by_quotes
from assay.meta.site_judge import focus
from assay.meta.trials import ONE_ORDER, FailureLocalisation, PreferredSide, Trial, least_margin
from assay.models.base import Usage
from assay.runs.recording_judge import in_order

if TYPE_CHECKING:
    from assay.interventions.instances import Instance
    from assay.judges.judgment import Judgment
    from assay.meta.judge_under_test import JudgeUnderTest, RepeatedJudgment, Subject
    from assay.meta.trials import Interface

# Scores nearer than this are the same: they are rounded to six digits.
_SAME: Final = 1e-9
_EXCERPT: Final = 600

# Asks where the fault of a revised subject is.
Localiser = Callable[["Instance", Any], Awaitable[tuple[FailureLocalisation | None, Usage]]]


async def evaluate(
    instances: Sequence[Instance],
    judge: JudgeUnderTest,
    *,
    interface: Interface = "pointwise",
    condition: int = 0,
    fine: bool = False,
    candidates: int = 4,
    width: int = 1,
    localiser: Localiser | None = None,
) -> AsyncIterator[Trial]:
    """What a judge says of each instance, in their order (in that of their references, for a ranking).

    Args:
        instances: What is put to it.
        judge: The judge.
        interface: How.
        condition: Index of the condition, for the record.
        fine: Whether only the part that was revised is scored; pointwise.
        candidates: Most subjects of a ranking, the reference with them.
        width: Instances under way at once.
        localiser: Asks where the fault is; None reads it off quotes and findings where there are any.
    """
    if interface == "ranking":
        makes = [partial(_ranked, group, judge, condition) for group in candidate_sets(instances, candidates)]
        async for trials in in_order(makes, width=width):
            for trial in trials:
                yield trial
        return
    scored = _ReferenceScores(judge)
    one = _pairwise if interface == "pairwise" else partial(_pointwise, scored=scored, fine=fine)
    each = [partial(_one, instance, judge, condition, one, localiser) for instance in instances]
    async for trial in in_order(each, width=width):
        yield trial


def candidate_sets(instances: Sequence[Instance], candidates: int) -> list[list[Instance]]:
    """Instances of one reference in sets of up to ``candidates`` - 1 failures, whose texts differ from each other."""
    groups: dict[str, list[Instance]] = {}
    for instance in instances:
        # A surface attack is no worse than its reference: which of them is best has no answer.
        if instance.kind in ("failure", "targeted"):
            groups.setdefault(instance.group, []).append(instance)
    most = max(1, candidates - 1)
    return [found[i : i + most] for found in groups.values() for i in range(0, len(found), most)]


def is_correct(
    said: PreferredSide | None, *, kind: str, dimension: float | None = None, least: float = ONE_ORDER
) -> bool | None:
    """Whether a verdict is right: a failure must lose, and a surface attack must not win.

    A targeted attack is judged by its dimension where the judge gives one: a tie is a success of the attack.

    Args:
        said: Whom the judge preferred.
        kind: Of the instance.
        dimension: Margin or gap on the dimension a targeted attack hurts, positive for the reference.
        least: What such a margin must reach.
    """
    if kind == "targeted" and dimension is not None:
        return dimension >= least
    if said is None:
        return None
    return said == "reference" if kind in ("failure", "targeted") else said != "perturbed"


class _ReferenceScores:
    """Scores of references, each asked for once."""

    def __init__(self, judge: JudgeUnderTest) -> None:
        self._judge = judge
        self._tasks: dict[str, asyncio.Task[RepeatedJudgment]] = {}

    async def score(self, instance: Instance) -> tuple[RepeatedJudgment, bool]:
        """What the judge said of the instance's reference, and whether this is the first to ask."""
        first = instance.group not in self._tasks
        if first:
            subject = subject_of_side(instance.reference, query=instance.query, name=f"ref-{instance.group}")
            self._tasks[instance.group] = asyncio.ensure_future(self._judge.score(subject))
        return await asyncio.shield(self._tasks[instance.group]), first


_Put = Callable[..., Awaitable[Trial]]


async def _one(
    instance: Instance, judge: JudgeUnderTest, condition: int, put_one: _Put, localiser: Localiser | None
) -> Trial:
    revised = instance.subject("perturbed")
    trial = await put_one(instance, revised, judge, condition)
    if localiser is not None and instance.kind in ("failure", "targeted"):
        found, usage = await localiser(instance, revised)
        trial = msgspec.structs.replace(trial, pointed=found, usage=trial.usage + usage)
    return trial


async def _pointwise(
    instance: Instance,
    revised: Subject,
    judge: JudgeUnderTest,
    condition: int,
    *,
    scored: _ReferenceScores,
    fine: bool,
) -> Trial:
    if fine:
        reference = subject_of_side(instance.reference, query=instance.query, name=f"ref-{instance.group}")
        focus(reference, instance.reference_site or instance.site)
        focus(revised, instance.site)
        good, first = await judge.score(reference), True
    else:
        good, first = await scored.score(instance)
    bad = await judge.score(revised)
    one, two = good.trials.judgment, bad.trials.judgment
    gap = _gap(one, two)
    said: PreferredSide | None = None
    if gap is not None:
        said = "tie" if abs(gap) <= _SAME else "reference" if gap > 0 else "perturbed"
    dimensions = {
        key: round(one.scores[key] - two.scores[key], 6)
        for key in one.scores or ()
        if one.scores and two.scores and key in two.scores and key != "overall"
    }
    return _trial(
        instance,
        condition,
        (one, two),
        said=said,
        gap=gap,
        dimensions=dimensions,
        least=_SAME,
        reference=_overall(one),
        perturbed=_overall(two),
        repeats=_score_repeats(good, bad),
        pointed=_pointed(instance, revised, two),
        usage=(good.trials.usage if first else Usage()) + bad.trials.usage,
        keys=(*good.keys, *bad.keys),
        excerpt=two.rationale[:_EXCERPT],
    )


async def _pairwise(instance: Instance, revised: Subject, judge: JudgeUnderTest, condition: int) -> Trial:
    reference = subject_of_side(instance.reference, query=instance.query, name=f"ref-{instance.group}")
    # Which comes as A is drawn, so that a judge that always says A is right half the time, and not always or never.
    turned = hashlib.blake2b(instance.id.encode(), digest_size=1).digest()[0] % 2 == 1
    heard = await (judge.compare(revised, reference) if turned else judge.compare(reference, revised))
    judgment = heard.trials.judgment
    sign = -1.0 if turned else 1.0
    margins = {key: round(sign * value, 6) for key, value in (judgment.scores or {}).items()}
    orders = judgment.by_order
    by_order = None
    if orders is not None and judge.both_orders:
        shown = ("BA", "AB") if turned else ("AB", "BA")
        by_order = {
            "reference_first": _said(orders.get(shown[0]), turned),
            "reference_second": _said(orders.get(shown[1]), turned),
        }
    gap = margins.pop("overall", None)
    return _trial(
        instance,
        condition,
        (judgment,),
        said=_said(judgment.preference, turned),
        gap=gap,
        dimensions=margins,
        least=least_margin(both_orders=judge.both_orders),
        by_order=by_order,
        repeats=tuple(_said(item.preference, turned) for item in heard.trials.judgments)
        if len(heard.trials.judgments) > 1
        else (),
        pointed=_pointed(instance, revised, judgment, document=0 if turned else 1),
        usage=heard.trials.usage,
        keys=heard.keys,
        excerpt=judgment.rationale[:_EXCERPT],
    )


async def _ranked(group: Sequence[Instance], judge: JudgeUnderTest, condition: int) -> list[Trial]:
    """A reference among revised subjects of its own, shown at a place drawn from their ids."""
    first = group[0]
    name = hashlib.blake2b("".join(item.id for item in group).encode(), digest_size=4)
    place = int.from_bytes(name.digest(), "big") % (len(group) + 1)
    subjects = [item.subject("perturbed") for item in group]
    subjects.insert(place, subject_of_side(first.reference, query=first.query, name=f"ref-{first.group}"))
    ranking = await judge.rank(subjects)
    points = ranking.points
    own = points[place]
    status = worst(item.status for item in ranking.judgments)
    found = []
    for number, instance in enumerate(group):
        other = points[number if number < place else number + 1]
        gap = None if own is None or other is None else round(own - other, 6)
        said: PreferredSide | None = None
        if gap is not None:
            said = "tie" if abs(gap) <= _SAME else "reference" if gap > 0 else "perturbed"
        found.append(
            _trial(
                instance,
                condition,
                (ranking.judgment,),
                said=said,
                gap=gap,
                reference=own,
                perturbed=other,
                set=name.hexdigest(),
                best=None if own is None or status != "ok" else ranking.choice == place,
                usage=ranking.usage if number == 0 else Usage(),
                excerpt=ranking.judgment.rationale[:_EXCERPT],
            )
        )
    return found


def _trial(
    instance: Instance,
    condition: int,
    judgments: Sequence[Judgment],
    *,
    said: PreferredSide | None,
    gap: float | None,
    least: float = ONE_ORDER,
    dimensions: dict[str, float] | None = None,
    **more: Any,
) -> Trial:
    status = worst(item.status for item in judgments)
    margins = dimensions or {}
    if status != "ok":
        said = None
    hurt = margins.get(instance.dimension or "")
    correct = is_correct(said, kind=instance.kind, dimension=hurt, least=least) if status == "ok" else None
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
        said=said,
        correct=correct,
        gap=gap if status == "ok" else None,
        dimensions=margins,
        status=status,
        problem=_problem(judgments) if correct is None else "",
        chars=size_of_side(instance.perturbed) - size_of_side(instance.reference),
        **more,
    )


def _said(preference: str | None, turned: bool) -> PreferredSide | None:
    if preference is None:
        return None
    if preference in ("A>B", "A<B"):
        return "reference" if (preference == "A>B") != turned else "perturbed"
    return "tie"


def _gap(one: Judgment, two: Judgment) -> float | None:
    a, b = _overall(one), _overall(two)
    return None if a is None or b is None else round(a - b, 6)


def _overall(judgment: Judgment) -> float | None:
    return (judgment.scores or {}).get("overall") if judgment.status == "ok" else None


def _score_repeats(good: RepeatedJudgment, bad: RepeatedJudgment) -> tuple[float | None, ...]:
    """Gaps trial by trial, where there are several."""
    pairs = list(zip(good.trials.judgments, bad.trials.judgments, strict=False))
    return tuple(_gap(one, two) for one, two in pairs) if len(pairs) > 1 else ()


def _pointed(
    instance: Instance, revised: Subject, judgment: Judgment, document: int | None = None
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
    read = localised_by_findings if judgment.judge == "rules" else localised_by_quotes
    return read(revised, instance.site, quotes)


def _problem(judgments: Sequence[Judgment]) -> str:
    bad = next((item for item in judgments if item.status != "ok"), judgments[-1])
    return f"{bad.status}: {bad.rationale[-200:]}" if bad.status != "ok" else "no overall score"
