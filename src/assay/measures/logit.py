"""Strengths of systems held apart from the style of what they wrote: logistic regression on comparisons of pairs.

logit P(first wins) = s_first - s_second + b · (x_first - x_second)

Without covariates it is Bradley and Terry's model. Ties count as half a win (a fractional response); standard errors are
the sandwich clustered by task (Liang and Zeger 1986), with G / (G - 1) for few tasks. As in `assay.measures.bradley_terry`,
``prior`` drawn virtual comparisons of each system, of equal style, keep its strength finite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_STEPS: Final = 60
_NEAR: Final = 1e-8
_LARGEST_STEP: Final = 2.0
_FARTHEST: Final = 30.0
_CERTAIN: Final = 1e-10


class _Data(msgspec.Struct, frozen=True, eq=False):
    """Comparisons as arrays: the two sides, the outcome, differences of covariates, the number of systems."""

    one: NDArray[np.int64]
    two: NDArray[np.int64]
    said: Floats
    used: Floats
    n: int

    def chances(self, parameters: Floats) -> Floats:
        """That the first wins, by each comparison."""
        own = parameters[self.one] - parameters[self.two]
        return _logistic(own + self.used @ parameters[self.n :])


class PairedLogit(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """What was fitted.

    Attributes:
        strengths: Of each system, log-odds, of mean 0.
        errors: Their clustered standard errors; None with fewer than two clusters.
        effects: Of each covariate: log-odds for a difference of one.
        effect_errors: Theirs.
        fixed: Covariates without any difference, whose effect is 0 because nothing is known of it.
        n: Comparisons.
        clusters: Groups they come in.
    """

    strengths: Floats
    errors: Floats | None
    effects: Floats
    effect_errors: Floats | None
    fixed: tuple[int, ...]
    n: int
    clusters: int


def paired_logit(
    first: NDArray[Any],
    second: NDArray[Any],
    outcome: NDArray[Any],
    n: int,
    covariates: NDArray[Any],
    *,
    clusters: NDArray[Any],
    prior: float = 1.0,
) -> PairedLogit:
    """Fit the model by Newton's steps.

    Args:
        first: Numbers of the systems on one side, from 0 to ``n - 1``.
        second: Of those on the other.
        outcome: 1 the first won, 0 the second, 0.5 a tie.
        n: How many systems there are.
        covariates: Differences, first less second: comparisons by covariates.
        clusters: The task of each comparison, as a number from 0.
        prior: Virtual comparisons of each system. 0 for plain maximum likelihood, which needs a finite solution.

    Raises:
        ValueError: Lengths differ, a value is not finite, or, with a prior of 0, there is no single finite solution.
    """
    one, two = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    said = np.asarray(outcome, dtype=np.float64)
    style = np.asarray(covariates, dtype=np.float64).reshape(len(said), -1)
    if not len(one) == len(two) == len(said) == len(clusters):
        raise ValueError("not as many systems, outcomes and clusters as comparisons")
    if not (np.isfinite(said).all() and np.isfinite(style).all()):
        raise ValueError("a value is not finite")
    if (one == two).any():
        raise ValueError("a system is compared with itself")
    varies = np.abs(style).max(axis=0, initial=0.0) > 0
    used = style[:, varies]
    count = n + used.shape[1]
    data = _Data(one, two, said, used, n)
    ghost = np.full((n, n), prior / (2 * max(n - 1, 1)))
    np.fill_diagonal(ghost, 0)

    parameters = np.zeros(count)
    information = np.eye(count)
    largest, lost = 0.0, False
    for _ in range(_STEPS):
        chance = data.chances(parameters)
        apart = parameters[:n, None] - parameters[None, :n]
        ghost_chance = _logistic(apart)
        slope = _slope(data, said - chance)
        slope[:n] += (ghost - 2 * ghost * ghost_chance).sum(axis=1)
        information = _information(data, chance * (1 - chance), 2 * ghost * ghost_chance * (1 - ghost_chance))
        # All strengths may move together; this holds their sum.
        held = information.copy()
        held[:n, :n] += max(float(information[:n, :n].diagonal().mean()), 1e-300) / n
        try:
            step = np.linalg.solve(held, slope)
        except np.linalg.LinAlgError as error:
            raise ValueError("systems and covariates cannot be told apart") from error
        largest = float(np.abs(step).max(initial=0.0))
        parameters += step * min(1.0, _LARGEST_STEP / max(largest, 1e-300))
        # Beyond this, chances are 0 and 1 to the last digit, and slopes vanish without there being a maximum.
        lost = float(np.ptp(parameters[:n])) > _FARTHEST or float((chance * (1 - chance)).max()) < _CERTAIN
        if largest < _NEAR or lost:
            break
    if largest >= _NEAR or lost:
        raise ValueError("no finite solution: systems and covariates explain every outcome")
    parameters[:n] -= parameters[:n].mean()
    errors = _errors(data, parameters, information, np.asarray(clusters))
    effects, effect_errors = np.zeros(style.shape[1]), None
    effects[varies] = parameters[n:]
    if errors is not None:
        effect_errors = np.zeros(style.shape[1])
        effect_errors[varies] = errors[n:]
    return PairedLogit(
        strengths=parameters[:n],
        errors=None if errors is None else errors[:n],
        effects=effects,
        effect_errors=effect_errors,
        fixed=tuple(int(at) for at in np.flatnonzero(~varies)),
        n=len(said),
        clusters=len(np.unique(clusters)),
    )


def _slope(data: _Data, rest: Floats) -> Floats:
    return np.concatenate([_own(data, rest), data.used.T @ rest])


def _own(data: _Data, values: Floats) -> Floats:
    """Of each system the sum over comparisons it is first in, less that over those it is second in."""
    first: Floats = np.bincount(data.one, values, data.n).astype(np.float64)
    return first - np.bincount(data.two, values, data.n)


def _information(data: _Data, weight: Floats, ghost: Floats) -> Floats:
    """The negative second derivative: blocks of systems from counts, of covariates from their products."""
    n, used = data.n, data.used
    one_way = np.bincount(data.one * n + data.two, weight, n * n).reshape(n, n)
    met = one_way + one_way.T + ghost
    heavy = used * weight[:, None]
    crossed = np.empty((n, used.shape[1]))
    for at in range(used.shape[1]):
        crossed[:, at] = _own(data, heavy[:, at])
    return np.block([[np.diag(met.sum(axis=1)) - met, crossed], [crossed.T, used.T @ heavy]])


def _errors(data: _Data, parameters: Floats, information: Floats, clusters: Any) -> Floats | None:
    """Standard errors: inverse information around the squared scores of clusters."""
    from scipy import sparse  # type: ignore[import-untyped]  # noqa: PLC0415

    _, group = np.unique(clusters, return_inverse=True)
    group = group.reshape(-1)
    count = int(group.max(initial=-1)) + 1
    if count < 2:
        return None
    rest = data.said - data.chances(parameters)
    systems = sparse.csr_matrix(
        (
            np.concatenate([rest, -rest]),
            (np.concatenate([group, group]), np.concatenate([data.one, data.two])),
        ),
        shape=(count, data.n),
    )
    styles = np.empty((count, data.used.shape[1]))
    for at in range(data.used.shape[1]):
        styles[:, at] = np.bincount(group, data.used[:, at] * rest, count)
    left = systems.T @ styles
    meat = np.block([[(systems.T @ systems).toarray(), left], [left.T, styles.T @ styles]])
    # The direction in which all strengths move together has no information and no score.
    bread = np.linalg.pinv(information, hermitian=True)
    spread = bread @ meat @ bread * count / (count - 1)
    found: Floats = np.sqrt(np.maximum(spread.diagonal(), 0.0))
    return found


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    found: Floats = expit(x)
    return found
