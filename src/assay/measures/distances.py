"""How far apart two judges' scores are, in points of the scale: on average, at worst, and in which direction."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from assay.measures.clustered import share_interval
from assay.measures.intervals import Estimate, mean_interval, wilson_interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_NORMAL: Final = 1.959963984540054
# A step of 0.1 is met by 0.3 - 0.2, whatever floats make of it.
_SLACK: Final = 1e-9


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bland and Altman's limits of agreement (1986): where 95 % of the differences lie, if they are normal.

    Attributes:
        bias: Mean difference, first minus second, with its interval.
        low: bias - 1.96 standard deviations of the differences; None where there is no spread to take it from.
        high: bias + 1.96 standard deviations.
        reason: Why there are no limits.
    """

    bias: Estimate
    low: float | None = None
    high: float | None = None
    reason: str = ""


def mad(first: ArrayLike, second: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Mean absolute difference, in points; 95 % t interval over groups, see :func:`mean_interval`.

    Raises:
        ValueError: Not equally many, or a score is not finite.
    """
    return _mean(np.abs(_differences(first, second)), groups, (0.0, None))


def bias(first: ArrayLike, second: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Mean difference, first minus second: above 0 where the first is the more generous.

    Raises:
        ValueError: Not equally many, or a score is not finite.
    """
    return _mean(_differences(first, second), groups, (None, None))


def rmse(first: ArrayLike, second: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Root of the mean squared difference, in points; the roots of the ends of the mean square's interval.

    Raises:
        ValueError: Not equally many, or a score is not finite.
    """
    found = _mean(np.square(_differences(first, second)), groups, (0.0, None))
    roots = [None if end is None else math.sqrt(end) for end in (found.value, found.low, found.high)]
    return msgspec.structs.replace(found, value=roots[0], low=roots[1], high=roots[2])


def within(
    first: ArrayLike, second: ArrayLike, step: float, groups: Sequence[Hashable] | None = None
) -> Estimate:
    """Share of items that the two score at most ``step`` points apart; step 0 is exact agreement.

    Wilson's interval, at the effective number of items where they come in groups
    (:func:`assay.measures.clustered.share_interval`).

    Raises:
        ValueError: Not equally many, a score is not finite, or a step below 0.
    """
    if not step >= 0:
        raise ValueError(f"a step of {step}")
    near = np.abs(_differences(first, second)) <= step + _SLACK
    if groups is None:
        return wilson_interval(int(near.sum()), near.size)
    return share_interval(near.tolist(), groups)


def limits_of_agreement(
    first: ArrayLike, second: ArrayLike, groups: Sequence[Hashable] | None = None
) -> Limits:
    """Bland and Altman's limits.

    Raises:
        ValueError: Not equally many, or a score is not finite.
    """
    apart = _differences(first, second)
    found = _mean(apart, groups, (None, None))
    if found.value is None or apart.size < 3:
        return Limits(bias=found, reason=f"{apart.size} items; it takes 3")
    spread = _NORMAL * float(apart.std(ddof=1))
    return Limits(bias=found, low=found.value - spread, high=found.value + spread)


def _differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    a, b = np.asarray(first, dtype=float).ravel(), np.asarray(second, dtype=float).ravel()
    if a.shape != b.shape:
        raise ValueError(f"{a.size} scores beside {b.size}")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("a score is not finite")
    return np.asarray(a - b)


def _mean(
    values: NDArray[np.float64],
    groups: Sequence[Hashable] | None,
    bounds: tuple[float | None, float | None],
) -> Estimate:
    return mean_interval(values, groups, bounds=bounds)  # type: ignore[arg-type]  # an array is a sequence in all but name
