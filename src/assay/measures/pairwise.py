"""Win rates, and ranks from bootstrap draws of strengths.

Comparisons of one task are not independent, so intervals rest on tasks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from assay.measures.intervals import Estimate, too_few, wilson_interval
from assay.measures.paired import holm

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_LEVEL: Final = 0.05
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class StrengthGap(msgspec.Struct, frozen=True, kw_only=True):
    """The difference in strength between two systems.

    Attributes:
        first: Index of the stronger system.
        second: Index of the weaker system.
        difference: Difference of their strengths.
        error: Standard error over draws; None without draws.
        p: Two-sided p value; None without a standard error.
        adjusted: p value with Holm's correction over all pairs.
    """

    first: int
    second: int
    difference: float
    error: float | None
    p: float | None
    adjusted: float | None

    @property
    def apart(self) -> bool:
        """Whether they differ at the 5 % level after correction."""
        return self.adjusted is not None and self.adjusted < _LEVEL


def clustered_shares(
    wins: NDArray[Any], decided: NDArray[Any], cells: NDArray[Any], n: int
) -> list[Estimate]:
    """Return for each cell the share of decided comparisons won, with an interval clustered by task.

    The share is a ratio of sums; its error is that of the linearised ratio, sqrt(G/(G-1) · Σ_g (w_g - p·m_g)²) / Σ m_g,
    with Student's t on G - 1 degrees of freedom. If all or none were won, the interval is Wilson's with the number of
    tasks as sample size.

    Args:
        wins: Number of comparisons won, halves among them, for each task of each cell.
        decided: Number of decided comparisons; entries of 0 are left out.
        cells: Cell of each entry, 0 to ``n - 1``.
        n: Number of cells.
    """
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    keep = np.asarray(decided) > 0
    won, many, cell = (np.asarray(item)[keep] for item in (wins, decided, cells))
    total = np.bincount(cell, many, n)
    total_won = np.bincount(cell, won, n)
    groups = np.bincount(cell, minlength=n)
    share = total_won / np.maximum(total, 1)
    squares = np.bincount(cell, np.square(won - share[cell] * many), n)
    shares: list[Estimate] = []
    for at in range(n):
        # Half wins count half, and n is a whole number.
        size, of = int(groups[at]), math.ceil(total[at])
        value = float(share[at])
        if of == 0:
            shares.append(Estimate(reason="no comparison has a winner"))
        elif value in (0.0, 1.0):
            wilson = wilson_interval(size if value else 0, size)
            shares.append(
                Estimate(value=value, low=wilson.low, high=wilson.high, n=of, clusters=size, method="wilson")
            )
        elif reason := too_few(size):
            shares.append(Estimate(value=value, n=of, clusters=size, reason=reason))
        elif squares[at] <= 1e-18 * of * of:
            shares.append(Estimate(value=value, n=of, clusters=size, reason="the same in every task"))
        else:
            half = float(stdtrit(size - 1, 0.975)) * float(
                np.sqrt(squares[at] * size / (size - 1)) / total[at]
            )
            low, high = max(0.0, value - half), min(1.0, value + half)
            shares.append(Estimate(value=value, low=low, high=high, n=of, clusters=size))
    return shares


def rank_chances(draws: Floats) -> Floats:
    """Return the share of draws in which each system takes each rank, systems × ranks.

    Args:
        draws: Strengths, draws × systems; equal strengths share the better rank.
    """
    count, n = draws.shape
    ranks = np.empty((count, n), dtype=np.int64)
    ordered = np.sort(draws, axis=1)
    for at in range(n):
        ranks[:, at] = (ordered > draws[:, [at]]).sum(axis=1)
    place = np.bincount((np.arange(n)[None, :] * n + ranks).reshape(-1), minlength=n * n)
    chances: Floats = place.reshape(n, n) / max(count, 1)
    return chances


def strength_gaps(strengths: Floats, draws: Floats | None, *, freedom: int) -> list[StrengthGap]:
    """Test every pair of systems, the stronger first, by the spread of their difference over draws.

    It is a Wald test on Student's t, because shares of draws are too coarse for the small p values that many pairs
    need.

    Args:
        strengths: Estimated strengths.
        draws: Strengths over draws, draws × systems; None for no test.
        freedom: Degrees of freedom: tasks - 1.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - heavy

    n = len(strengths)
    order = sorted(range(n), key=lambda at: (-float(strengths[at]), at))
    pairs = [(order[i], order[j]) for i in range(n) for j in range(i + 1, n)]
    spread = None if draws is None or freedom < 1 else np.atleast_2d(np.cov(draws, rowvar=False))
    tests: list[tuple[int, int, float, float | None, float | None]] = []
    for one, two in pairs:
        difference = float(strengths[one] - strengths[two])
        error = p = None
        if spread is not None:
            square = float(spread[one, one] + spread[two, two] - 2 * spread[one, two])
            # Draws over few tasks vary too little.
            error = (max(0.0, square) * (freedom + 1) / freedom) ** 0.5
            if error > 0:
                p = float(2 * stdtr(freedom, -abs(difference) / error))
        tests.append((one, two, difference, error, p))
    adjusted = holm([item[4] for item in tests])
    return [
        StrengthGap(first=one, second=two, difference=difference, error=error, p=p, adjusted=corrected)
        for (one, two, difference, error, p), corrected in zip(tests, adjusted, strict=True)
    ]


def letters(order: Sequence[int], apart: set[tuple[int, int]]) -> dict[int, str]:
    """Assign letters to systems so that two share a letter if and only if they do not differ.

    By insertion and absorption (Piepho 2004).

    Args:
        order: Systems, best first; letters start with the first.
        apart: Pairs that differ, in either order.
    """
    columns: list[set[int]] = [set(order)]
    for at, one in enumerate(order):
        for two in order[at + 1 :]:
            if (one, two) not in apart and (two, one) not in apart:
                continue
            split = [column for column in columns if one in column and two in column]
            columns = [column for column in columns if not (one in column and two in column)]
            for column in split:
                columns += [column - {one}, column - {two}]
            columns = [
                column
                for number, column in enumerate(columns)
                if column
                and not any(
                    column < other or (column == other and number > earlier)
                    for earlier, other in enumerate(columns)
                    if earlier != number
                )
            ]
    place = {system: number for number, system in enumerate(order)}
    columns.sort(key=lambda column: sorted(place[system] for system in column))
    return {
        system: "".join(_letter(number) for number, column in enumerate(columns) if system in column)
        for system in order
    }


def _letter(number: int) -> str:
    """Return a to z, then a1, b1 and so on."""
    again, at = divmod(number, len(_LETTERS))
    return _LETTERS[at] + (str(again) if again else "")
