"""What a grade says about its criteria: marks under either grading, compliance, failures.

Nothing is filled in: a criterion without a verdict has no mark, and a report that lacks one has no compliance, only
one over the criteria that have a verdict, under a name of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from assay.judges.grade_record import CriterionGrade, Grade, Grading
from assay.rubrics.weighted import AXES, axis_key, axis_title, binary
from assay.rubrics.weighted import compliance as score_of

GRADINGS: Final[tuple[Grading, ...]] = ("ternary", "binary")
# What counts as the failure of a criterion of negative weight, one that it is bad to meet. "harm": that it is met.
# "verdict": that it is not met, as of any other criterion; so the paper words it and its code counts, though an
# answer is then charged with what it rightly left out.
FailureRule = Literal["harm", "verdict"]
UNLABELLED: Final[str] = "(no axis)"
_LEVELS: Final = ("simple", "shallow", "low", "moderate", "intermediate", "medium", "high", "deep")


class PlacedGrade(msgspec.Struct, frozen=True, eq=False):
    """A grade in its place.

    Attributes:
        system: The group it is counted in.
        task: The task it answers: what groups belong together for intervals.
        grade: The record.
        domain: Of the task.
        complexity: Of the task.
    """

    system: str
    task: str
    grade: Grade
    domain: str | None
    complexity: Mapping[str, str]


def mark(criterion: CriterionGrade, grading: Grading) -> float | None:
    """1, 0.5 or 0 as graded; under binary grading what is not met in full is 0. None without a verdict."""
    if criterion.status != "ok" or criterion.score is None:
        return None
    return criterion.score if grading == "ternary" else binary(criterion.score)


def compliance(grade: Grade, grading: Grading, *, partly: bool = False) -> float | None:
    """Σ w·m / Σ w⁺ (ResearchRubrics, equation 1).

    Args:
        grade: The record.
        grading: Ternary as graded, or binary, which a ternary grade can be turned into but not the other way.
        partly: Over the criteria that have a verdict, instead of none unless all have.

    Returns:
        None without verdicts enough, or where no criterion with one has a positive weight.
    """
    if grading == "ternary" and grade.grading == "binary":
        return None
    marks = [(item.weight, mark(item, grading)) for item in grade.criteria]
    kept = [(weight, value) for weight, value in marks if value is not None] if partly else marks
    return score_of([weight for weight, _ in kept], [value for _, value in kept])


def failed(criterion: CriterionGrade, grading: Grading, rule: FailureRule) -> bool | None:
    """Whether a criterion failed; None without a verdict."""
    value = mark(criterion, grading)
    if value is None:
        return None
    if criterion.weight < 0 and rule == "harm":
        return value >= 1
    return value <= 0


def axis_of(criterion: CriterionGrade) -> str:
    """Its axis as people call it, however the rubric spells it, or a word for having none."""
    return axis_title(axis_key(criterion.axis) or criterion.axis) if criterion.axis else UNLABELLED


def in_order(names: set[str] | Mapping[str, object]) -> list[str]:
    """Axes as the paper orders them, levels of complexity from low to high, anything else by name."""
    axes = list(AXES.values())

    def place(name: str) -> tuple[int, int, str]:
        low = name.casefold()
        axis = axes.index(name) if name in axes else len(axes)
        level = _LEVELS.index(low) if low in _LEVELS else len(_LEVELS)
        return axis, level, low

    return sorted(names, key=place)
