"""Contrasts between two conditions on the same instances, with a paired test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from assay.measures.hypotheses import paired_permutation
from assay.measures.intervals import Estimate, mean_interval
from assay.measures.paired import holm

if TYPE_CHECKING:
    from assay.meta.trials import Condition, Trial

# Settings that make a contrast if all others are equal; then its first and second value.
_AXES = (
    ("granularity", "fine", "holistic"),
    ("rubric", None, "overall"),
    ("reasoning", True, False),
    ("interface", "pairwise", "pointwise"),
)


class ConditionContrast(msgspec.Struct, frozen=True, kw_only=True):
    """The accuracy of one condition minus that of another, over failures on which both gave a verdict.

    Attributes:
        first: Index of the first condition.
        second: Index of the second condition.
        axis: The only difference between them: granularity, rubric, reasoning, interface or judge.
        difference: Difference of accuracies, -1 to 1, with its interval clustered by reference.
        only_first: Number of failures that only the first detects.
        only_second: Number of failures that only the second detects.
        p: Two-sided p value of a permutation test that swaps whole references; None if the conditions never differ.
        adjusted: p value with Holm's correction over all contrasts.
    """

    first: int
    second: int
    axis: str
    difference: Estimate
    only_first: int
    only_second: int
    p: float | None = None
    adjusted: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def contrasts_of(
    conditions: Sequence[Condition], trials: Sequence[Sequence[Trial]]
) -> list[ConditionContrast]:
    """Compute the contrasts worth testing.

    These are pairs of requested conditions that differ in one setting or in the judge, and the first condition of each
    judge and interface against the baselines. Testing all pairs would leave little power after correction.

    Args:
        conditions: Conditions, in order.
        trials: Trials of each condition.
    """
    pairs: dict[tuple[int, int], str] = {}
    kinds = [(item.judge, item.interface) for item in conditions]
    first = [kinds.index(kind) == at for at, kind in enumerate(kinds)]
    for i, one in enumerate(conditions):
        for j in range(i + 1, len(conditions)):
            if one.beside or (conditions[j].beside and not first[i]):
                continue
            axis = _axis(one, conditions[j])
            if axis is not None:
                pairs[_ordered(i, j, conditions, axis)] = axis
    # Contrasts of settings come first, then those of judges.
    ordered = sorted(pairs.items(), key=lambda item: (item[1] == "judge", item[0]))
    contrasts = [_contrast(i, j, axis, trials[i], trials[j]) for (i, j), axis in ordered]
    adjusted = holm([item.p for item in contrasts])
    return [
        msgspec.structs.replace(item, adjusted=value) for item, value in zip(contrasts, adjusted, strict=True)
    ]


def _axis(one: Condition, two: Condition) -> str | None:
    """Return the only setting in which two conditions differ; None if there are several, or none."""
    differ = [name for name, _, _ in _AXES if getattr(one, name) != getattr(two, name)]
    same_model = one.judge.partition("@")[2] == two.judge.partition("@")[2]
    if one.judge == two.judge or (same_model and differ == ["reasoning"]):
        return differ[0] if len(differ) == 1 else None
    if not differ or (not (one.rubric and two.rubric) and one.interface == two.interface):
        return "judge"
    return None


def _ordered(i: int, j: int, conditions: Sequence[Condition], axis: str) -> tuple[int, int]:
    """Order a pair so that the supposed improvement comes first: fine, a rubric, reasoning."""
    for name, first, second in _AXES:
        if name == axis and (
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
    p = None
    if len(set(groups)) > 1 and any(gains):
        p = paired_permutation(
            [float(bool(a.correct)) for a, _ in both], [float(bool(b.correct)) for _, b in both], groups
        ).p
    return ConditionContrast(
        first=i,
        second=j,
        axis=axis,
        difference=mean_interval(gains, groups, bounds=(-1.0, 1.0)),
        only_first=sum(gain > 0 for gain in gains),
        only_second=sum(gain < 0 for gain in gains),
        p=p,
    )
