"""Distances between the scores of two judges, in points of the scale."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from assay.measures.inputs import paired_values
from assay.measures.intervals import Estimate, mean_interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def mad(first: ArrayLike, second: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Return the mean absolute difference in points, with a 95 % t interval over groups.

    Raises:
        ValueError: The two have different lengths, or a score is not finite.
    """
    return _mean(np.abs(_differences(first, second)), groups, (0.0, None))


def bias(first: ArrayLike, second: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Return the mean difference, first minus second; it is positive if the first is more generous.

    Raises:
        ValueError: The two have different lengths, or a score is not finite.
    """
    return _mean(_differences(first, second), groups, (None, None))


def rmse(first: ArrayLike, second: ArrayLike, groups: Sequence[Hashable] | None = None) -> Estimate:
    """Return the root mean squared difference in points; its interval has the roots of the mean square's interval.

    Raises:
        ValueError: The two have different lengths, or a score is not finite.
    """
    square = _mean(np.square(_differences(first, second)), groups, (0.0, None))
    roots = [None if end is None else math.sqrt(end) for end in (square.value, square.low, square.high)]
    return msgspec.structs.replace(square, value=roots[0], low=roots[1], high=roots[2])


def _differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    a, b = paired_values(first, second)
    return np.asarray(a - b)


def _mean(
    values: NDArray[np.float64],
    groups: Sequence[Hashable] | None,
    bounds: tuple[float | None, float | None],
) -> Estimate:
    return mean_interval(values, groups, bounds=bounds)  # type: ignore[arg-type]  # an array works too
