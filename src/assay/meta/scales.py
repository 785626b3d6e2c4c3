"""Tests whether a judge and people score on the same scale, and finds the steps of that scale.

Correlations do not depend on scales. Distances, weighted κ and exact agreement do: they are
undefined between a judge that scores from 1 to 5 and labels from 0 to 1, unless the user says how to convert one scale
into the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from assay.errors import UsageError
from assay.meta.agreement_metrics import Grid, grid_of

# Ranges that overlap by less than this share of the narrower one are different scales.
_SHARED: Final = 0.5
# A range this many times wider is another scale, unless the narrower one has too few distinct values to tell.
_WIDER: Final = 6
_EDGE: Final = 1e-9
_FEW: Final = 2
_FORM: Final = re.compile(r"\s*(-?[\d.]+)\s*:\s*(-?[\d.]+)\s*=\s*(-?[\d.]+)\s*:\s*(-?[\d.]+)\s*")


class Rescale(msgspec.Struct, frozen=True):
    """A linear map from the judge's scale to that of the labels."""

    low: float
    high: float
    to_low: float
    to_high: float

    @classmethod
    def parse(cls, text: str) -> Rescale:
        """Parse ``1:5=0:7``.

        Raises:
            UsageError: The text has another form, or a scale has no width.
        """
        match = _FORM.fullmatch(text)
        try:
            ends = [float(part) for part in match.groups()] if match else []
        except ValueError:
            ends = []
        if not ends or ends[0] == ends[1] or ends[2] == ends[3]:
            raise UsageError(
                f"rescale {text}: write the judge's scale, then that of the labels, as in 1:5=0:7"
            )
        return cls(*ends)

    def covers(self, values: Sequence[float]) -> bool:
        """Return whether all values lie on the judge's scale."""
        low, high = sorted((self.low, self.high))
        return all(low - _EDGE <= value <= high + _EDGE for value in values)

    def __call__(self, value: float) -> float:
        """Convert a score of the judge to the scale of the labels."""
        return self.to_low + (value - self.low) / (self.high - self.low) * (self.to_high - self.to_low)


class ScaleMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a judge and labels share a scale.

    Attributes:
        same: Whether both are on one scale.
        grid: Steps of that scale, if it has any.
        judge: Lowest and highest score of the judge.
        labels: Lowest and highest label.
        told: Whether the user gave the conversion.
    """

    same: bool
    grid: Grid | None = None
    judge: tuple[float, float] | None = None
    labels: tuple[float, float] | None = None
    told: bool = False


def match_scales(labels: Sequence[float], judge: Sequence[float], *, told: bool = False) -> ScaleMatch:
    """Guess whether scores are on one scale, from their ranges and steps.

    Args:
        labels: All ratings.
        judge: All scores.
        told: Whether the judge's scores were converted to the labels' scale, whose steps then hold.
    """
    if not labels or not judge:
        return ScaleMatch(same=False)
    label_range, judge_range = (min(labels), max(labels)), (min(judge), max(judge))
    if told:
        grid = grid_of(labels)
    else:
        shared = min(label_range[1], judge_range[1]) - max(label_range[0], judge_range[0])
        narrow = min(label_range[1] - label_range[0], judge_range[1] - judge_range[0])
        fraction = (label_range[1] <= 1) != (judge_range[1] <= 1) and min(label_range[0], judge_range[0]) >= 0
        wide = max(label_range[1] - label_range[0], judge_range[1] - judge_range[0])
        less = labels if label_range[1] - label_range[0] == narrow else judge
        if wide > _WIDER * narrow and len(set(less)) > _FEW:
            # Scores from 0 to 5 lie within 0 to 100, but are not on that scale.
            return ScaleMatch(same=False, judge=judge_range, labels=label_range)
        if shared < _SHARED * narrow or shared < 0 or (fraction and max(label_range[1], judge_range[1]) > 2):
            return ScaleMatch(same=False, judge=judge_range, labels=label_range)
        grid = grid_of([*labels, *judge])
        if grid is None and grid_of(labels) is not None and len(set(labels)) > 2:
            # The judge's scores lie between the labels' steps, as means of criteria do.
            grid = grid_of(labels)
    return ScaleMatch(same=True, grid=grid, judge=judge_range, labels=label_range, told=told)
