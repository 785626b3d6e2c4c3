"""How steady judges are: what the same question, asked again, changes – and what difference that leaves to be believed.

After cot-judges, sections 3.4 and 4: the variance of a judge's scores over trials of the same subject, averaged over
subjects; beside agreement with people, where there are labels, and tokens. A judge is on the front if no other agrees
better without varying more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
import numpy as np

from assay.errors import UsageError
from assay.measures.components import Components, NoiseFloor, noise_floor, reliability, variance_components
from assay.measures.intervals import Estimate
from assay.measures.pareto import pareto_front
from assay.measures.repeatability import ever_flipped, flip_rate, within_variance
from assay.meta.agreement_record import Agreement
from assay.meta.labelled_units import OVERALL
from assay.meta.responses import JudgeResponse, responses_by_judge
from assay.meta.scales import match_scales

SCHEMA: Final = "assay.stability/1"
_SIDES: Final = {"A": 0, "tie": 1, "B": 2}
_HEADLINES: Final = ("pearson", "agreement_accuracy", "accuracy")
Mode = Literal["score", "pair"]


class JudgeStability(msgspec.Struct, frozen=True, kw_only=True):
    """One judge over its trials.

    Attributes:
        judge: Who.
        mode: Whether it gave scores or compared pairs.
        subjects: What it judged.
        repeated: Those with two verdicts or more: what stability rests on.
        trials: Fewest and most trials of a subject.
        verdicts: Trials with a verdict.
        silent: Trials without.
        within_variance: Of scores: mean over subjects of the variance over trials, in squared points.
        flip_rate: How likely two trials of the same subject are to say different things; scores that differ at all.
        ever_flipped: Share of subjects whose trials were not all the same.
        components: Variance of subjects and of trials.
        reliability: Share of the variance of a single score that is the subjects', not the judge's noise.
        floor: Smallest difference between two systems' means that judging noise leaves to be believed.
        tokens: A judgment, in and out.
        cost: A judgment, in US dollars; None where unknown.
        agreement: With people, where there are labels.
        agreement_name: Of that metric.
        front: Whether no other judge agrees better without being less stable; None without labels.
        front_with_tokens: The same, with tokens as a third matter.
    """

    judge: str
    mode: Mode
    subjects: int
    repeated: int
    trials: tuple[int, int]
    verdicts: int
    silent: int
    within_variance: Estimate | None = None
    flip_rate: Estimate | None = None
    ever_flipped: Estimate | None = None
    components: Components | None = None
    reliability: float | None = None
    floor: NoiseFloor | None = None
    tokens: float = 0
    cost: float | None = None
    agreement: Estimate | None = None
    agreement_name: str = ""
    front: bool | None = None
    front_with_tokens: bool | None = None


class Stability(msgspec.Struct, frozen=True, kw_only=True):
    """Several judges.

    Attributes:
        judges: In the order of the judgments.
        dimension: Which scores; several are pooled, each subject and dimension a thing of its own, where there is no whole.
        components: Of all judges' scores together: subjects, judges, their interaction, trials; None where they are on
            different scales, or one.
        comparable: Whether variances of judges are in the same points; if not, reliability is what compares them.
        notes: What a reader should know.
    """

    judges: list[JudgeStability]
    dimension: str
    components: Components | None = None
    comparable: bool = True
    notes: list[str] = []

    def to_dict(self) -> dict[str, Any]:
        """As plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": SCHEMA, **data}


class _Repetitions(msgspec.Struct):
    """Trials of one judge, by what was judged."""

    values: dict[tuple[str, str], list[float | None]]
    said: list[JudgeResponse]
    mode: Mode


def measure_stability(
    said: Sequence[JudgeResponse],
    *,
    dimension: str = OVERALL,
    tasks: int | None = None,
    tasks_of: Mapping[str, str] | None = None,
    agreement: Agreement | None = None,
) -> Stability:
    """How steady each judge is.

    Args:
        said: Judgments; those of one judge and subject are its trials.
        dimension: Of scores; where a judge has no such dimension, all of its dimensions are taken.
        tasks: Tasks that two systems are to be compared on, for the noise floor; as many as were judged where None.
        tasks_of: What each subject belongs to, so that intervals rest on tasks.
        agreement: Of the same judges with people.

    Raises:
        UsageError: Nothing was judged twice.
    """
    told = {judge: _told(items, dimension) for judge, items in responses_by_judge(said).items()}
    judges = [_steady(judge, item, tasks, tasks_of or {}) for judge, item in told.items()]
    if not any(judge.repeated for judge in judges):
        raise UsageError(
            "nothing was judged twice by the same judge: there is no stability to see (`--trials 3` repeats judgments)"
        )
    comparable = _comparable(told)
    if agreement is not None:
        judges = _beside(judges, agreement, comparable=comparable)
    notes: list[str] = []
    single = [judge.judge for judge in judges if not judge.repeated]
    if single:
        notes.append(f"judged everything once, so nothing is known of their stability: {', '.join(single)}")
    if not comparable:
        notes.append("judges score on different scales: compare their reliability, not their variances")
    parts = {part for item in told.values() for _, part in item.values if item.mode == "score"}
    return Stability(
        judges=judges,
        dimension=dimension if parts <= {dimension} else "all dimensions",
        components=_crossed(told) if comparable else None,
        comparable=comparable,
        notes=notes,
    )


def _told(said: Sequence[JudgeResponse], dimension: str) -> _Repetitions:
    pairs = sum(item.pair for item in said)
    mode: Mode = "pair" if pairs * 2 > len(said) else "score"
    mine = [item for item in said if item.pair == (mode == "pair")]
    values: dict[tuple[str, str], list[float | None]] = {}
    whole = any(dimension in item.scores for item in mine)
    known = [dimension] if whole else list(dict.fromkeys(part for item in mine for part in item.scores))
    for item in mine:
        if mode == "pair":
            side = None if item.better is None else float(_SIDES[item.better])
            values.setdefault((item.subject, OVERALL), []).append(side)
        else:
            for part in known:
                values.setdefault((item.subject, part), []).append(item.scores.get(part))
    return _Repetitions(values, mine, mode)


def _steady(judge: str, told: _Repetitions, tasks: int | None, tasks_of: Mapping[str, str]) -> JudgeStability:
    trials = [len(these) for these in told.values.values()] or [0]
    table = np.full((len(told.values), max(trials)), np.nan)
    for row, these in enumerate(told.values.values()):
        for column, value in enumerate(these):
            table[row, column] = np.nan if value is None else value
    given = ~np.isnan(table)
    groups = [tasks_of.get(subject, subject) for subject, _ in told.values]
    costs = [item.cost for item in told.said]
    known = [cost for cost in costs if cost is not None]
    bare: dict[str, Any] = {
        "judge": judge,
        "mode": told.mode,
        "subjects": len({subject for subject, _ in told.values}),
        "repeated": int((given.sum(axis=1) >= 2).sum()),
        "trials": (min(trials), max(trials)),
        "verdicts": int(given.sum()),
        "silent": sum(trials) - int(given.sum()),
        "tokens": sum(item.tokens for item in told.said) / max(1, len(told.said)),
        "cost": None if len(known) < len(costs) or not costs else sum(known) / len(costs),
    }
    if not bare["repeated"]:
        return JudgeStability(**bare)
    codes = np.full(table.shape, np.nan)
    codes[given] = np.unique(table[given], return_inverse=True)[1]
    bare |= {"flip_rate": flip_rate(codes, groups), "ever_flipped": ever_flipped(codes, groups)}
    if told.mode == "pair":
        return JudgeStability(**bare)
    rows = np.nonzero(given)[0]
    components = variance_components(table[given], rows.tolist())
    count = tasks or len({subject for subject, _ in told.values})
    return JudgeStability(
        **bare,
        within_variance=within_variance(table, groups),
        components=components,
        reliability=reliability(components),
        floor=noise_floor(components, tasks=count),
    )


def _comparable(told: Mapping[str, _Repetitions]) -> bool:
    """Whether all judges' scores look to be on one scale."""
    scored = [
        [value for these in item.values.values() for value in these if value is not None]
        for item in told.values()
        if item.mode == "score"
    ]
    scored = [values for values in scored if values]
    return all(match_scales(scored[0], values).same for values in scored[1:])


def _crossed(told: Mapping[str, _Repetitions]) -> Components | None:
    """Components over judges, of what all of them scored."""
    scored = {judge: item for judge, item in told.items() if item.mode == "score"}
    if len(scored) < 2:
        return None
    shared = set.intersection(*(set(item.values) for item in scored.values()))
    rows = [
        (value, f"{subject}\0{part}", judge)
        for judge, item in scored.items()
        for (subject, part), values in item.values.items()
        if (subject, part) in shared
        for value in values
        if value is not None
    ]
    if not rows:
        return None
    scores, subjects, judges = (list(column) for column in zip(*rows, strict=True))
    return variance_components(scores, subjects, judges)


def _beside(judges: Sequence[JudgeStability], found: Agreement, *, comparable: bool) -> list[JudgeStability]:
    """Agreement beside stability, and who is on the front."""
    metrics = {judge.judge: judge.metrics for judge in found.judges}
    out: list[JudgeStability] = []
    for judge in judges:
        mine = metrics.get(judge.judge, {})
        name = next((name for name in _HEADLINES if name in mine), "")
        out.append(msgspec.structs.replace(judge, agreement=mine.get(name), agreement_name=name))

    def steady(judge: JudgeStability) -> float | None:
        if judge.mode == "pair":
            return (
                None if judge.flip_rate is None or judge.flip_rate.value is None else -judge.flip_rate.value
            )
        if not comparable:
            return judge.reliability
        within = judge.within_variance
        return None if within is None or within.value is None else -within.value

    points = [
        (judge.agreement.value if judge.agreement else None, steady(judge), judge.tokens) for judge in out
    ]
    two = pareto_front([point[:2] for point in points], ["max", "max"])
    three = pareto_front(points, ["max", "max", "min"])
    return [
        msgspec.structs.replace(judge, front=on, front_with_tokens=cheap) if None not in point else judge
        for judge, point, on, cheap in zip(out, points, two, three, strict=True)
    ]
