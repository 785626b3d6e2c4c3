"""Win rates from graded preferences by AlpacaEval's rule: 1 prefers the first output, 2 the second, between is a degree."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec
import numpy as np

from assay.measures.intervals import Estimate, mean_interval
from assay.record import Record

_TIE = 1.5


class PreferenceWinRate(Record, msgspec.Struct, frozen=True, kw_only=True):
    """How often the second of two systems is preferred.

    Attributes:
        win_rate: Mean of preference - 1, 0 to 1; a tie counts half. Interval with Student's t.
        standard_error: Its standard error: standard deviation (n - 1) / √n; None for fewer than two preferences.
        discrete_win_rate: The same after rounding each preference to a win, a loss or a tie.
        wins: Preferences above 1.5.
        losses: Preferences below 1.5.
        ties: Preferences of exactly 1.5, or 0.
        total: Number of preferences.
        left_out: Rows without a preference, or with one that is neither 0 nor from 1 to 2.
    """

    win_rate: Estimate
    standard_error: float | None
    discrete_win_rate: Estimate
    wins: int
    losses: int
    ties: int
    total: int
    left_out: int = 0

    def summary_line(self) -> str:
        """Return the win rate and the number of preferences."""
        return f"win rate {self.win_rate}, n={self.total:,}"


def preference_of_number(value: float | None) -> float | None:
    """Return a preference from 1 to 2, with 1.5 for 0; None for no preference or a number outside the scale."""
    if value is None or not math.isfinite(value):
        return None
    if value == 0:
        return _TIE
    return value if 1 <= value <= 2 else None


def preference_win_rate(preferences: Iterable[float | None]) -> PreferenceWinRate:
    """Return the win rate of the second system, plain and discrete (AlpacaEval, Dubois et al. 2023)."""
    given = [preference_of_number(value) for value in preferences]
    known = np.array([value for value in given if value is not None], dtype=float)
    discrete = np.where(known > _TIE, 1.0, np.where(known < _TIE, 0.0, 0.5))
    n = len(known)
    return PreferenceWinRate(
        win_rate=mean_interval((known - 1).tolist(), bounds=(0.0, 1.0)),
        standard_error=float((known - 1).std(ddof=1) / math.sqrt(n)) if n > 1 else None,
        discrete_win_rate=mean_interval(discrete.tolist(), bounds=(0.0, 1.0)),
        wins=int((known > _TIE).sum()),
        losses=int((known < _TIE).sum()),
        ties=int((known == _TIE).sum()),
        total=n,
        left_out=len(given) - n,
    )
