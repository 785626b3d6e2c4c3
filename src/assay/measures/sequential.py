"""Confidence sequences for the mean of bounded observations: intervals that hold at every moment at once.

Somebody who looks after each case and stops as soon as the interval is narrow enough is misled by an ordinary
interval; a confidence sequence covers the mean at all times with the probability stated (Waudby-Smith and Ramdas,
"Estimating means of bounded random variables by betting", JRSS B 2024, hedged capital process, section 4.2).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

_GRID: Final = 1_001
# Largest share of the capital that is bet at once, which keeps the capital positive.
_TRUNCATION: Final = 0.5


class ConfidenceSequence:
    """A running interval for a mean, valid at every stopping time.

    Observations must be independent and bounded; average those of one reference before they are added.

    Args:
        error: Probability, 0 to 1, that the mean is ever outside the interval.
        low: Least possible observation.
        high: Greatest possible observation.

    Raises:
        UsageError: The error is not between 0 and 1, or the bounds are out of order.
    """

    def __init__(self, *, error: float = 0.05, low: float = 0.0, high: float = 1.0) -> None:
        if not 0 < error < 1:
            raise UsageError(f"the error of a confidence sequence lies between 0 and 1, not at {error}")
        if not low < high:
            raise UsageError(f"observations between {low} and {high} have no range")
        self.error = error
        self.n = 0
        self._low, self._high = low, high
        self._grid = np.linspace(0.0, 1.0, _GRID)
        self._gains = np.zeros(_GRID)
        self._losses = np.zeros(_GRID)
        self._inside = np.ones(_GRID, dtype=bool)
        self._sum = 0.0
        self._squares = 0.25

    def extend(self, values: Iterable[float]) -> None:
        """Add observations.

        Raises:
            UsageError: One is outside the bounds.
        """
        for value in values:
            self._add(value)

    @property
    def mean(self) -> float | None:
        """Mean of the observations; None without any."""
        return None if not self.n else self._low + (self._high - self._low) * self._sum / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """The interval: all means that no bet has refuted so far."""
        inside = self._grid[self._inside]
        if not len(inside):
            # Only rounding of the grid can refute every mean.
            at = self._sum / max(1, self.n)
            inside = np.array([at])
        step = 1.0 / (_GRID - 1)
        scale = self._high - self._low
        low, high = max(0.0, float(inside[0]) - step), min(1.0, float(inside[-1]) + step)
        if self._inside[0]:
            low = 0.0
        if self._inside[-1]:
            high = 1.0
        return self._low + scale * low, self._low + scale * high

    @property
    def width(self) -> float:
        """Width of the interval."""
        low, high = self.interval
        return high - low

    def _add(self, value: float) -> None:
        x = (value - self._low) / (self._high - self._low)
        if not -1e-12 <= x <= 1 + 1e-12:
            raise UsageError(f"{value} is outside {self._low} to {self._high}")
        # The bet depends on the past alone.
        mean = (0.5 + self._sum) / (self.n + 1)
        variance = self._squares / (self.n + 1)
        t = self.n + 1
        bet = math.sqrt(2 * math.log(2 / self.error) / (variance * t * math.log(1 + t)))
        with np.errstate(divide="ignore"):
            up = np.minimum(bet, _TRUNCATION / self._grid)
            down = np.minimum(bet, _TRUNCATION / (1 - self._grid))
        difference = x - self._grid
        self._gains += np.log1p(up * difference)
        self._losses += np.log1p(-down * difference)
        capital = np.maximum(self._gains, self._losses) - math.log(2)
        self._inside &= capital < math.log(1 / self.error)
        self.n += 1
        self._sum += x
        self._squares += (x - mean) ** 2
