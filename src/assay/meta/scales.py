"""Whether a judge and people score on one scale, and its steps: what decides which numbers mean anything.

Correlations do not mind scales. Distances, weighted κ and exact agreement do, and a judge from 1 to 5 beside labels from 0
to 1 has none, until it is said how one becomes the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from assay.errors import UsageError
from assay.meta.agreement_metrics import Grid, grid_of

# Ranges that share less than this of the narrower one are of different scales.
_SHARED: Final = 0.5
# So many times wider is another scale, unless the narrower one has hardly any values to go by.
_WIDER: Final = 6
_EDGE: Final = 1e-9
_FEW: Final = 2
_FORM: Final = re.compile(r"\s*(-?[\d.]+)\s*:\s*(-?[\d.]+)\s*=\s*(-?[\d.]+)\s*:\s*(-?[\d.]+)\s*")


class Rescale(msgspec.Struct, frozen=True):
    """A straight line from the judge's scale to that of the labels."""

    low: float
    high: float
    to_low: float
    to_high: float

    @classmethod
    def parse(cls, text: str) -> Rescale:
        """From ``1:5=0:7``.

        Raises:
            UsageError: It is not written so, or a scale has no width.
        """
        found = _FORM.fullmatch(text)
        try:
            ends = [float(part) for part in found.groups()] if found else []
        except ValueError:
            ends = []
        if not ends or ends[0] == ends[1] or ends[2] == ends[3]:
            raise UsageError(
                f"--rescale {text}: write the judge's scale and that of the labels, such as 1:5=0:7"
            )
        return cls(*ends)

    def covers(self, values: Sequence[float]) -> bool:
        """Whether all of these are on the judge's scale."""
        low, high = sorted((self.low, self.high))
        return all(low - _EDGE <= value <= high + _EDGE for value in values)

    def __call__(self, value: float) -> float:
        """A score of the judge on the scale of the labels."""
        return self.to_low + (value - self.low) / (self.high - self.low) * (self.to_high - self.to_low)


class ScaleMatch(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken for the scale of a judge and of labels.

    Attributes:
        same: Whether both are on one.
        grid: Its steps, if it has any.
        judge: Lowest and highest score of the judge.
        labels: Those of the labels.
        told: Whether the user said how one becomes the other.
    """

    same: bool
    grid: Grid | None = None
    judge: tuple[float, float] | None = None
    labels: tuple[float, float] | None = None
    told: bool = False


def match_scales(labels: Sequence[float], judge: Sequence[float], *, told: bool = False) -> ScaleMatch:
    """Guess whether scores are on one scale: they are where they share steps, and much of their range.

    Args:
        labels: Every rating.
        judge: Every score.
        told: Whether the judge's were put on the labels' scale: then they are on one, with the labels' steps.
    """
    if not labels or not judge:
        return ScaleMatch(same=False)
    ours, theirs = (min(labels), max(labels)), (min(judge), max(judge))
    if told:
        grid = grid_of(labels)
    else:
        shared = min(ours[1], theirs[1]) - max(ours[0], theirs[0])
        narrow = min(ours[1] - ours[0], theirs[1] - theirs[0])
        fraction = (ours[1] <= 1) != (theirs[1] <= 1) and min(ours[0], theirs[0]) >= 0
        wide = max(ours[1] - ours[0], theirs[1] - theirs[0])
        less = labels if ours[1] - ours[0] == narrow else judge
        if wide > _WIDER * narrow and len(set(less)) > _FEW:
            # Points from 0 to 5 lie within 0 to 100, and are not of it.
            return ScaleMatch(same=False, judge=theirs, labels=ours)
        if shared < _SHARED * narrow or shared < 0 or (fraction and max(ours[1], theirs[1]) > 2):
            return ScaleMatch(same=False, judge=theirs, labels=ours)
        grid = grid_of([*labels, *judge])
        if grid is None and grid_of(labels) is not None and len(set(labels)) > 2:
            # The judge's numbers lie between the labels' steps, as means of criteria do.
            grid = grid_of(labels)
    return ScaleMatch(same=True, grid=grid, judge=theirs, labels=ours, told=told)
