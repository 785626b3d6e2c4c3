"""Contrasts between two conditions on the same instances, with a paired test."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

import msgspec

from assay.measures.hypotheses import paired_permutation
from assay.measures.intervals import Estimate, mean_interval
from assay.measures.paired import holm
from assay.meta.trials import distinct_names
from assay.record import Record

if TYPE_CHECKING:
    from assay.meta.trials import Condition, Trial

_LEVEL: Final = 0.05

# Settings that make a contrast if all others are equal; then its first and second value.
_AXES = (
    ("granularity", "fine", "holistic"),
    ("rubric", None, "overall"),
    ("reasoning", True, False),
    ("interface", "pairwise", "pointwise"),
    ("defence", True, False),
)


class ConditionContrast(Record, msgspec.Struct, frozen=True, kw_only=True):
    """The accuracy of one condition minus that of another, over failures on which both gave a verdict.

    Attributes:
        first: Index of the first condition.
        second: Index of the second condition.
        first_name: Name of the first condition.
        second_name: Name of the second condition.
        axis: What differs between them: granularity, rubric, reasoning, interface, defence, judge or version; of two runs also
            several of them.
        difference: Difference of accuracies, -1 to 1, with its interval clustered by reference.
        only_first: Number of failures that only the first detects.
        only_second: Number of failures that only the second detects.
        p: Two-sided p value of a permutation test that swaps whole references; None if the conditions never differ.
        adjusted: p value with Holm's correction over all contrasts.
        references: Number of references on which the two differ; p rests on these alone.
        least: Smallest corrected p value that so many references allow: 2 / 2**references, times the contrasts.
    """

    first: int
    second: int
    first_name: str = ""
    second_name: str = ""
    axis: str
    difference: Estimate
    only_first: int
    only_second: int
    p: float | None = None
    adjusted: float | None = None
    references: int = 0
    least: float | None = None

    @property
    def too_few(self) -> bool:
        """Whether p cannot become significant, however much the two differ, because so few references do."""
        return self.least is not None and self.least > _LEVEL

    def summary_line(self) -> str:
        """Return both names, the difference with its interval, and the corrected p value."""
        return f"{self.first_name} less {self.second_name}: {difference_text(self.difference, self.adjusted)}"


def contrasts_of(
    conditions: Sequence[Condition], trials: Sequence[Sequence[Trial]], *, runs: Sequence[int] = ()
) -> list[ConditionContrast]:
    """Compute the contrasts worth testing.

    Within a run, these are pairs of requested conditions that differ in one setting or in the judge, and the first
    condition of each judge and interface against the baselines. Testing all pairs would leave little power after
    correction. Of several runs, these are the requested conditions of different runs and those within each; nothing is
    tested against baselines.

    Args:
        conditions: Conditions, in order.
        trials: Trials of each condition.
        runs: Number of the run of each condition, if they come from several.
    """
    pairs: dict[tuple[int, int], str] = {}
    kinds = [(item.judge, item.interface) for item in conditions]
    first = [kinds.index(kind) == at for at, kind in enumerate(kinds)]
    for i, j in combinations(range(len(conditions)), 2):
        one, two = conditions[i], conditions[j]
        if one.beside or (two.beside and (runs or not first[i])):
            continue
        axis = _axis(one, two)
        if axis is None and runs and runs[i] != runs[j]:
            axis = " and ".join(_differ(one, two)) or "run"
        if axis is not None:
            pairs[_ordered(i, j, conditions, axis)] = axis
    # Contrasts of settings come first, then those of judges.
    ordered = sorted(pairs.items(), key=lambda item: (item[1] == "judge", item[0]))
    contrasts = [_contrast(i, j, axis, trials[i], trials[j]) for (i, j), axis in ordered]
    adjusted = holm([item.p for item in contrasts])
    tested = sum(item.p is not None for item in contrasts)
    names, _ = distinct_names(conditions)
    return [
        msgspec.structs.replace(
            item,
            first_name=names[item.first],
            second_name=names[item.second],
            adjusted=value,
            least=None if value is None else min(1.0, tested * 2.0 ** (1 - item.references)),
        )
        for item, value in zip(contrasts, adjusted, strict=True)
    ]


def _differ(one: Condition, two: Condition) -> list[str]:
    """Return the settings in which two conditions differ, and whether the judge itself does."""
    settings = [name for name, _, _ in _AXES if getattr(one, name) != getattr(two, name)]
    if one.judge != two.judge:
        return ["judge", *settings]
    return settings or (["version"] if (one.version, one.label) != (two.version, two.label) else [])


def _axis(one: Condition, two: Condition) -> str | None:
    """Return the only setting in which two conditions differ; None if there are several, or none."""
    differ = [name for name, _, _ in _AXES if getattr(one, name) != getattr(two, name)]
    if differ == ["granularity"] and one.rubrics != two.rubrics:
        # What "usual" stands for may depend on the granularity: then two things differ.
        return "granularity and rubric"
    same_model = one.judge.partition("@")[2] == two.judge.partition("@")[2]
    if one.judge == two.judge and not differ:
        return "version" if _differ(one, two) else None
    if one.judge == two.judge or (same_model and differ == ["reasoning"]):
        return differ[0] if len(differ) == 1 else None
    if not differ or (not (one.rubric and two.rubric) and one.interface == two.interface):
        return "judge"
    return None


def _ordered(i: int, j: int, conditions: Sequence[Condition], axis: str) -> tuple[int, int]:
    """Order a pair so that the supposed improvement comes first: fine, a rubric, reasoning."""
    for name, first, second in _AXES:
        if name == axis.partition(" ")[0] and (
            getattr(conditions[i], name) == second
            or (first is not None and getattr(conditions[j], name) == first)
        ):
            return j, i
    return i, j


def _contrast(
    i: int, j: int, axis: str, first: Sequence[Trial], second: Sequence[Trial]
) -> ConditionContrast:
    other = {
        trial.instance: trial for trial in second if trial.kind == "failure" and trial.correct is not None
    }
    both = [
        (trial, other[trial.instance])
        for trial in first
        if trial.kind == "failure" and trial.correct is not None and trial.instance in other
    ]
    gains = [float(bool(a.correct)) - float(bool(b.correct)) for a, b in both]
    groups = [a.group for a, _ in both]
    p, references = None, 0
    if len(set(groups)) > 1 and any(gains):
        test = paired_permutation(
            [float(bool(a.correct)) for a, _ in both], [float(bool(b.correct)) for _, b in both], groups
        )
        p, references = test.p, test.groups
    return ConditionContrast(
        first=i,
        second=j,
        axis=axis,
        difference=mean_interval(gains, groups, bounds=(-1.0, 1.0)),
        only_first=sum(gain > 0 for gain in gains),
        only_second=sum(gain < 0 for gain in gains),
        p=p,
        references=references,
    )


def difference_text(difference: Estimate, adjusted: float | None) -> str:
    """Return a difference of shares in points, with its interval and the corrected p value."""
    if difference.value is None:
        return "nothing that both judged"
    ends = percent_ends(difference, signed=True)
    tested = "" if adjusted is None else f", p {p_text(adjusted)} (corrected)"
    return f"{points(difference.value)} points{f' [{ends}]' if ends else ''}{tested}"


def points(value: float | None) -> str:
    """Return a difference of shares in points; a dash for None."""
    return "–" if value is None else f"{100 * value:+.0f}"


def percent_ends(rate: Estimate, *, signed: bool = False) -> str:
    """Return an interval of shares in percent, ``12, 30``; empty if there is none."""
    if rate.low is None or rate.high is None:
        return ""
    form = "+.0f" if signed else ".0f"
    return f"{100 * rate.low:{form}}, {100 * rate.high:{form}}"


def p_text(p: float) -> str:
    """Return ``= 0.012`` or ``< 0.001``."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
