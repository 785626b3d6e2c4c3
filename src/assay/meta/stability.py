"""Stability of judges over repetitions, and the smallest difference between systems that their noise allows to detect.

After cot-judges (sections 3.4 and 4): the variance of a judge's scores over repetitions of the same subject, averaged
over subjects, next to agreement with people (given labels) and tokens. Agreement is Pearson's r of each repetition,
averaged over repetitions; r of the mean scores is shown beside it. A judge is on the Pareto front if no other
agrees better without varying more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
import numpy as np

from assay.errors import UsageError
from assay.garbage import paused_collector
from assay.judges.judgment import Judgment
from assay.judges.judgment_groups import by_judge
from assay.judges.stability import RepetitionTable, repetition_table
from assay.measures.components import Components, NoiseFloor, noise_floor, reliability, variance_components
from assay.measures.intervals import Estimate, estimate_columns
from assay.measures.pareto import pareto_front
from assay.measures.repeatability import ever_flipped, flip_rate, within_variance
from assay.meta.agreement_record import Agreement
from assay.meta.judge_agreement import MEAN_OF_RUNS
from assay.meta.judgment_files import judgments_of
from assay.meta.labelled_units import OVERALL
from assay.meta.scales import match_scales
from assay.record import Record

if TYPE_CHECKING:
    import pandas as pd

SCHEMA: Final = "assay.stability/2"
_HEADLINES: Final = (MEAN_OF_RUNS, "pearson", "agreement_accuracy", "accuracy")
Mode = Literal["score", "compare"]


class JudgeStability(Record, msgspec.Struct, frozen=True, kw_only=True):
    """Stability of one judge.

    Attributes:
        judge: Name of the judge.
        mode: ``score`` or ``compare``.
        subjects: Number of subjects.
        repeated: Number of subjects with at least two verdicts, on which stability rests.
        repetitions: Smallest and largest number of repetitions of a subject.
        verdicts: Number of repetitions with a verdict.
        silent: Number of repetitions without a verdict.
        within_variance: Mean over subjects of the variance of scores over repetitions, in squared points.
        flip_rate: Probability that two repetitions of a subject differ.
        ever_flipped: Share of subjects whose repetitions are not all the same.
        components: Variance components of subjects and repetitions.
        reliability: Share of the variance of a single score that is due to subjects rather than noise.
        floor: Smallest difference between the means of two systems that exceeds judging noise.
        tokens: Mean input and output tokens of a judgment.
        cost: Mean cost of a judgment in US dollars; None if unknown.
        agreement: Agreement with people, given labels: for scores, the mean over repetitions of Pearson's r.
        agreement_of_means: For scores, Pearson's r of the mean scores, which rises with the number of repetitions.
        agreement_name: Name of the agreement metric.
        front: Whether no other judge agrees better without being less stable; None without labels.
        front_with_tokens: The same, with tokens as a third criterion.
    """

    judge: str
    mode: Mode
    subjects: int
    repeated: int
    repetitions: tuple[int, int]
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
    agreement_of_means: Estimate | None = None
    agreement_name: str = ""
    front: bool | None = None
    front_with_tokens: bool | None = None


class Stability(Record, msgspec.Struct, frozen=True, kw_only=True):
    """Stability of several judges.

    Attributes:
        judges: Results by judge, in the order of the judgments.
        dimension: Scored dimension; without an overall score, all dimensions are pooled, and each counts as a subject.
        components: Variance components of all scores: subjects, judges, their interaction, repetitions; None for one
            judge or different scales.
        comparable: Whether all judges score on one scale; if not, compare their reliability.
        notes: What a reader should know.
    """

    judges: tuple[JudgeStability, ...]
    dimension: str
    components: Components | None = None
    comparable: bool = True
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ``schema`` first."""
        return {"schema": SCHEMA, **super().to_dict()}

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each judge, with the interval of its flip rate or variance."""

        def column(name: str) -> list[Any]:
            return [getattr(judge, name) for judge in self.judges]

        columns = {name: column(name) for name in ("judge", "mode", "subjects", "repeated")}
        for name in ("within_variance", "flip_rate", "agreement", "agreement_of_means"):
            columns |= estimate_columns(name, column(name))
        return columns | {name: column(name) for name in ("reliability", "tokens", "cost", "front")}

    def summary_line(self) -> str:
        """Return the flip rate of the first judges."""
        return "; ".join(f"{judge.judge}: flip rate {judge.flip_rate}" for judge in self.judges[:3])


class _Repetitions(msgspec.Struct, frozen=True, eq=False):
    """Repetitions of one judge by subject and dimension."""

    table: RepetitionTable
    judgments: list[Judgment]
    mode: Mode


def stability(
    judgments: Iterable[Judgment] | pd.DataFrame,
    *,
    dimension: str = OVERALL,
    tasks: int | None = None,
    tasks_of: Mapping[str, str] | None = None,
    agreement: Agreement | None = None,
) -> Stability:
    """Measure how stable each judge is over repetitions.

    Args:
        judgments: Judgments, or a frame with the columns of ``Judgments.to_frame()``; several of one judge and subject
            are repetitions.
        dimension: Dimension of scores; if a judge does not have it, all of its dimensions are used.
        tasks: Number of tasks on which systems will be compared, for the noise floor; None for the number judged.
        tasks_of: Task of each subject, so that intervals rest on tasks.
        agreement: Agreement of the same judges with people, to show both.

    Raises:
        UsageError: No judge judged a subject twice, or a frame lacks a column.
    """
    with paused_collector():
        groups = by_judge(judgments_of(judgments))
    repeated = {judge: _repetitions(items, dimension) for judge, items in groups.items()}
    judges = [_judge_stability(judge, item, tasks, tasks_of or {}) for judge, item in repeated.items()]
    if not any(judge.repeated for judge in judges):
        raise UsageError(
            "no judge judged a subject twice",
            hint="judge with repetitions=3",
            cli_hint="judge with --repetitions 3",
        )
    comparable = _comparable(repeated)
    if agreement is not None:
        judges = _with_agreement(judges, agreement, comparable=comparable)
    notes: list[str] = []
    single = [judge.judge for judge in judges if not judge.repeated]
    if single:
        notes.append(f"no stability is known of judges that judged everything once: {', '.join(single)}")
    if not comparable:
        notes.append("judges score on different scales: compare their reliability, not their variances")
    parts = {part for item in repeated.values() for _, part in item.table.rows if item.mode == "score"}
    return Stability(
        judges=tuple(judges),
        dimension=dimension if parts <= {dimension} else "all dimensions",
        components=_crossed_components(repeated) if comparable else None,
        comparable=comparable,
        notes=tuple(notes),
    )


def _repetitions(judgments: list[Judgment], dimension: str) -> _Repetitions:
    pairs = sum(item.mode == "compare" for item in judgments)
    mode: Mode = "compare" if pairs * 2 > len(judgments) else "score"
    own = [item for item in judgments if item.mode == mode]
    return _Repetitions(repetition_table(own, mode, dimension), own, mode)


def _judge_stability(
    judge: str, repetitions: _Repetitions, tasks: int | None, tasks_of: Mapping[str, str]
) -> JudgeStability:
    table, given = repetitions.table, repetitions.table.given
    groups = [tasks_of.get(subject, subject) for subject, _ in table.rows]
    subjects = len({subject for subject, _ in table.rows})
    costs = [item.usage.cost_usd for item in repetitions.judgments]
    known = [cost for cost in costs if cost is not None]
    fields: dict[str, Any] = {
        "judge": judge,
        "mode": repetitions.mode,
        "subjects": subjects,
        "repeated": int((given.sum(axis=1) >= 2).sum()),
        "repetitions": (min(table.counts, default=0), max(table.counts, default=0)),
        "verdicts": int(given.sum()),
        "silent": sum(table.counts) - int(given.sum()),
        "tokens": sum(item.usage.input_tokens + item.usage.output_tokens for item in repetitions.judgments)
        / max(1, len(costs)),
        "cost": None if len(known) < len(costs) or not costs else sum(known) / len(costs),
    }
    if not fields["repeated"]:
        return JudgeStability(**fields)
    codes = table.codes
    fields |= {"flip_rate": flip_rate(codes, groups), "ever_flipped": ever_flipped(codes, groups)}
    if repetitions.mode == "compare":
        return JudgeStability(**fields)
    components = variance_components(table.verdicts[given], np.nonzero(given)[0].tolist())
    return JudgeStability(
        **fields,
        within_variance=within_variance(table.verdicts, groups),
        components=components,
        reliability=reliability(components),
        floor=noise_floor(components, tasks=tasks or subjects),
    )


def _comparable(judges: Mapping[str, _Repetitions]) -> bool:
    """Return whether the scores of all judges appear to be on one scale."""
    scores = [
        item.table.verdicts[item.table.given].tolist() for item in judges.values() if item.mode == "score"
    ]
    scores = [values for values in scores if values]
    return all(match_scales(scores[0], values).same for values in scores[1:])


def _crossed_components(judges_: Mapping[str, _Repetitions]) -> Components | None:
    """Return the variance components over judges, from the subjects that all of them scored."""
    scored = {judge: item for judge, item in judges_.items() if item.mode == "score"}
    if len(scored) < 2:
        return None
    shared = set.intersection(*(set(item.table.rows) for item in scored.values()))
    rows = [
        (value, f"{subject}\0{part}", judge)
        for judge, item in scored.items()
        for (subject, part), values, given in zip(
            item.table.rows, item.table.verdicts, item.table.given, strict=True
        )
        if (subject, part) in shared
        for value in values[given].tolist()
    ]
    if not rows:
        return None
    scores, subjects, judges = (list(column) for column in zip(*rows, strict=True))
    return variance_components(scores, subjects, judges)


def _with_agreement(
    judges: Sequence[JudgeStability], agreement: Agreement, *, comparable: bool
) -> list[JudgeStability]:
    """Add agreement with people, and whether each judge is on the Pareto front."""
    metrics = {judge.judge: judge.metrics for judge in agreement.judges}
    updated: list[JudgeStability] = []
    for judge in judges:
        own = metrics.get(judge.judge, {})
        name = next((name for name in _HEADLINES if name in own), "")
        means = own.get("pearson") if name == MEAN_OF_RUNS else None
        updated.append(
            msgspec.structs.replace(
                judge, agreement=own.get(name), agreement_name=name, agreement_of_means=means
            )
        )

    def steadiness(judge: JudgeStability) -> float | None:
        if judge.mode == "score" and not comparable:
            return judge.reliability
        spread = judge.flip_rate if judge.mode == "compare" else judge.within_variance
        return None if spread is None or spread.value is None else -spread.value

    points = [
        (judge.agreement.value if judge.agreement else None, steadiness(judge), judge.tokens)
        for judge in updated
    ]
    two = pareto_front([point[:2] for point in points], ["max", "max"])
    three = pareto_front(points, ["max", "max", "min"])
    return [
        msgspec.structs.replace(judge, front=on, front_with_tokens=cheap) if None not in point else judge
        for judge, point, on, cheap in zip(updated, points, two, three, strict=True)
    ]
