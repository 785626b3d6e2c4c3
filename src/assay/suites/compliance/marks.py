"""Judgments in their places, and failures of criteria under either grading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from assay.judges.compliance import Grading, grading_of_judgment, mark
from assay.judges.judgment import Judgment, Verdict
from assay.rubrics.weighted import AXES, axis_key, axis_title

GRADINGS: Final[tuple[Grading, ...]] = ("ternary", "binary")
# What counts as failure of a criterion of negative weight, which it is bad to meet. "harm": meeting it. "verdict": not
# meeting it, as in the wording and the code of the paper, although this charges a report with what it rightly left out.
FailureRule = Literal["harm", "verdict"]
UNLABELLED: Final[str] = "(no axis)"
_LEVELS: Final = ("simple", "shallow", "low", "moderate", "intermediate", "medium", "high", "deep")


class PlacedJudgment(msgspec.Struct, frozen=True, eq=False):
    """A judgment with its system and task.

    Attributes:
        system: Group in which the judgment is counted.
        task: Task of the report, by which intervals are clustered.
        judgment: The judgment.
        domain: Domain of the task.
        complexity: Levels of complexity of the task.
    """

    system: str
    task: str
    judgment: Judgment
    domain: str | None
    complexity: Mapping[str, str]

    @property
    def id(self) -> str | None:
        """Id of the task, if the judgment names one."""
        return self.judgment.metadata.get("id")

    @property
    def grading(self) -> Grading:
        """Whether half marks were possible."""
        return grading_of_judgment(self.judgment)

    @property
    def words(self) -> int:
        """Words of the report; 0 if unknown."""
        return self.judgment.metadata.get("words") or 0

    @property
    def tokens(self) -> int:
        """Estimated tokens of the report; 0 if unknown."""
        return self.judgment.metadata.get("tokens") or 0

    @property
    def citations(self) -> Mapping[str, int]:
        """Number of citation ``marks``, of ``sources`` they name, and of ``faulty`` marks; empty if not counted."""
        return self.judgment.metadata.get("citations") or {}


def failed(criterion: Verdict, grading: Grading, rule: FailureRule) -> bool | None:
    """Return whether a criterion failed; None without a verdict."""
    value = mark(criterion, grading)
    if value is None:
        return None
    if criterion.weight < 0 and rule == "harm":
        return value >= 1
    return value <= 0


def axis_of(criterion: Verdict) -> str:
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
