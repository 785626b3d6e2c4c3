"""Marks of criteria under either grading, compliance and failures.

A criterion without a verdict has no mark, and a report with such a criterion has no compliance; the compliance over its
other criteria has a name of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from assay.judges.grade_record import CriterionGrade, Grade, Grading
from assay.rubrics.weighted import AXES, axis_key, axis_title, binary
from assay.rubrics.weighted import compliance as score_of

GRADINGS: Final[tuple[Grading, ...]] = ("ternary", "binary")
# What counts as failure of a criterion of negative weight, which it is bad to meet. "harm": meeting it. "verdict": not
# meeting it, as in the wording and the code of the paper, although this charges a report with what it rightly left out.
FailureRule = Literal["harm", "verdict"]
UNLABELLED: Final[str] = "(no axis)"
_LEVELS: Final = ("simple", "shallow", "low", "moderate", "intermediate", "medium", "high", "deep")


class PlacedGrade(msgspec.Struct, frozen=True, eq=False):
    """A grade with its system and task.

    Attributes:
        system: Group in which the grade is counted.
        task: Task of the report, by which intervals are clustered.
        grade: The grade.
        domain: Domain of the task.
        complexity: Levels of complexity of the task.
    """

    system: str
    task: str
    grade: Grade
    domain: str | None
    complexity: Mapping[str, str]


def mark(criterion: CriterionGrade, grading: Grading) -> float | None:
    """Return 1, 0.5 or 0; under binary grading, anything not met in full is 0. None without a verdict."""
    if criterion.status != "ok" or criterion.score is None:
        return None
    return criterion.score if grading == "ternary" else binary(criterion.score)


def compliance(grade: Grade, grading: Grading, *, partly: bool = False) -> float | None:
    """Return Σ w·m / Σ w⁺ (ResearchRubrics, equation 1).

    Args:
        grade: The grade.
        grading: Grading; a ternary grade can be converted to binary, but not the reverse.
        partly: Whether to use only the criteria with a verdict, rather than require all verdicts.

    Returns:
        The compliance; None if verdicts are missing, or no criterion with a verdict has a positive weight.
    """
    if grading == "ternary" and grade.grading == "binary":
        return None
    marks = [(item.weight, mark(item, grading)) for item in grade.criteria]
    kept = [(weight, value) for weight, value in marks if value is not None] if partly else marks
    return score_of([weight for weight, _ in kept], [value for _, value in kept])


def failed(criterion: CriterionGrade, grading: Grading, rule: FailureRule) -> bool | None:
    """Return whether a criterion failed; None without a verdict."""
    value = mark(criterion, grading)
    if value is None:
        return None
    if criterion.weight < 0 and rule == "harm":
        return value >= 1
    return value <= 0


def axis_of(criterion: CriterionGrade) -> str:
    """Return the title of a criterion's axis, however the rubric spells it; `UNLABELLED` if it has none."""
    return axis_title(axis_key(criterion.axis) or criterion.axis) if criterion.axis else UNLABELLED


def in_order(names: set[str] | Mapping[str, object]) -> list[str]:
    """Sort axes as in the paper, levels of complexity from low to high, and anything else by name."""
    axes = list(AXES.values())

    def place(name: str) -> tuple[int, int, str]:
        low = name.casefold()
        axis = axes.index(name) if name in axes else len(axes)
        level = _LEVELS.index(low) if low in _LEVELS else len(_LEVELS)
        return axis, level, low

    return sorted(names, key=place)
