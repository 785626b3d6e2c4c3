"""Shares of binary values in groups, with intervals that stay within 0 and 1 and never shrink to a point."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from assay.measures.intervals import Estimate


def share_interval(hits: Sequence[bool], groups: Sequence[Hashable] | None = None) -> Estimate:
    """Return a share and its 95 % interval; values of one group count as dependent.

    Wilson's score interval at the effective sample size p(1-p)/V, where V is the cluster-robust variance of the share
    (at most the number of values; after Korn and Graubard 1998), with Student's t on groups - 1 degrees of freedom. If
    all or no values are true, the variance is 0 and the sample size is the number of groups.

    Args:
        hits: Binary values.
        groups: Group of each value; None if each value is a group of its own.

    Raises:
        ValueError: The numbers of values and groups differ.
    """
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    data = np.asarray(hits, dtype=float)
    n = len(data)
    if groups is not None and len(groups) != n:
        raise ValueError(f"every value needs a group, but there are {n} values and {len(groups)} groups")
    if n == 0:
        return Estimate(method="wilson", reason="nothing to average")
    seen: dict[Hashable, int] = {}
    index = np.asarray(
        [seen.setdefault(group, len(seen)) for group in (range(n) if groups is None else groups)]
    )
    count = len(seen)
    share = float(data.mean())
    if count < 2:
        return Estimate(value=share, n=n, clusters=count, method="wilson", reason="one cluster has no spread")
    variance = count / (count - 1) * float(np.square(np.bincount(index, data - share, count)).sum()) / n**2
    effective = float(count)
    if 0 < share < 1:
        effective = min(float(n), share * (1 - share) / variance) if variance > 0 else float(n)
    t = float(stdtrit(count - 1, 0.975))
    middle = (share + t * t / (2 * effective)) / (1 + t * t / effective)
    half = t / (1 + t * t / effective) * (share * (1 - share) / effective + t * t / (4 * effective**2)) ** 0.5
    low = 0.0 if share == 0 else max(0.0, min(share, middle - half))
    high = 1.0 if share == 1 else min(1.0, max(share, middle + half))
    return Estimate(value=share, low=low, high=high, n=n, clusters=count, method="wilson")
