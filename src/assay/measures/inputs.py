"""Checks of inputs that several statistics share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def paired_values(first: ArrayLike, second: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of two sides as flat arrays of numbers, one of each side for every item.

    Raises:
        ValueError: The two sides have different numbers of values, or a value is not finite.
    """
    a, b = np.asarray(first, dtype=float).ravel(), np.asarray(second, dtype=float).ravel()
    if len(a) != len(b):
        raise ValueError(
            f"every item needs a value from both sides, but there are {len(a)} and {len(b)} values; "
            "drop incomplete items"
        )
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("a value is not finite; drop items without a value")
    return a, b
