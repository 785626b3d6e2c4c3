"""How many cases a paired comparison takes to find a difference."""

from __future__ import annotations

import math

from assay.errors import UsageError


def cases_needed(
    difference: float,
    variance: float,
    *,
    power: float = 0.9,
    level: float = 0.05,
    design: float = 1.0,
) -> int | None:
    """Return the number of cases at which a two-sided paired test finds a mean difference with the given power.

    The t test is approximated by the normal distribution, with Guenther's correction z²/2 (1981) for small numbers.

    Args:
        difference: The mean difference to be found; its sign does not matter.
        variance: Variance of the difference over cases.
        power: Probability, 0 to 1, of finding it.
        level: Probability, 0 to 1, of finding one that is not there.
        design: Design effect of cases that come in clusters, 1 or more: how many times the variance of the mean is that
            of independent cases.

    Returns:
        At least 2; None for a difference of 0, which no number of cases shows.

    Raises:
        UsageError: A probability is not between 0 and 1, the variance is negative, or the design effect below 1.
    """
    for name, value in (("power", power), ("level", level)):
        if not 0 < value < 1:
            raise UsageError(f"{name} lies between 0 and 1, not at {value}")
    if variance < 0 or design < 1:
        raise UsageError("a variance is not negative, and a design effect not below 1")
    if not difference:
        return None
    from scipy.special import ndtri  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    alpha, beta = float(ndtri(1 - level / 2)), float(ndtri(power))
    cases = design * variance * ((alpha + beta) / difference) ** 2 + alpha**2 / 2
    return max(2, math.ceil(cases - 1e-9))
