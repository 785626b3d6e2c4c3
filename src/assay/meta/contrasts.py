"""Two conditions on the same instances: what one sees that the other does not, with a paired test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from assay.measures.hypotheses import paired_permutation
from assay.measures.intervals import Estimate, mean_interval
from assay.measures.paired import holm

if TYPE_CHECKING:
    from assay.meta.trials import Condition, Trial

# Settings that make a contrast when all others are the same, and the value that comes first in it.
_AXES = (
    ("granularity", "fine", "holistic"),
    ("rubric", None, "overall"),
    ("reasoning", True, False),
    ("interface", "pairwise", "pointwise"),
)


class ConditionContrast(msgspec.Struct, frozen=True, kw_only=True):
    """The accuracy of one condition less that of another, over the failures both gave a verdict on.

    Attributes:
        first: Index of one condition.
        second: Of the other.
        axis: What alone sets them apart: granularity, rubric, reasoning, interface or judge.
        difference: In points from 0 to 1, with its interval clustered by reference.
        only_first: Failures only the first sees.
        only_second: Failures only the second sees.
        p: Two-sided, of a permutation test that exchanges the two in whole references; None where it cannot be made.
        adjusted: By Holm's rule over all contrasts made.
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
        """As plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def contrasts_of(
    conditions: Sequence[Condition], trials: Sequence[Sequence[Trial]]
) -> list[ConditionContrast]:
    """Contrasts that say something.

    Conditions asked for that differ in one setting or in the judge; and the first of each judge and interface against
    the judges put beside it – all of them against all would be corrected for so many that nothing is left to see.

    Args:
        conditions: In order; the first is the one on trial.
        trials: Of each condition.
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
    # What one setting does comes first, then one judge beside another.
    ordered = sorted(pairs.items(), key=lambda item: (item[1] == "judge", item[0]))
    found = [_contrast(i, j, axis, trials[i], trials[j]) for (i, j), axis in ordered]
    adjusted = holm([item.p for item in found])
    return [
        msgspec.structs.replace(item, adjusted=value) for item, value in zip(found, adjusted, strict=True)
    ]


def _axis(one: Condition, two: Condition) -> str | None:
    """The one setting in which two conditions differ; None where there are more, or none."""
    differ = [name for name, _, _ in _AXES if getattr(one, name) != getattr(two, name)]
    same_model = one.judge.partition("@")[2] == two.judge.partition("@")[2]
    if one.judge == two.judge or (same_model and differ == ["reasoning"]):
        return differ[0] if len(differ) == 1 else None
    if not differ or (not (one.rubric and two.rubric) and one.interface == two.interface):
        return "judge"
    return None


def _ordered(i: int, j: int, conditions: Sequence[Condition], axis: str) -> tuple[int, int]:
    """What is said to help comes first: fine before holistic, a rubric before none, reasoning before none."""
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
