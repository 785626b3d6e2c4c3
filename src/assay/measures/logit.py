"""Strengths of systems controlled for style: logistic regression on comparisons of pairs.

logit P(first wins) = s_first - s_second + b · (x_first - x_second)

Without covariates it is Bradley and Terry's model. Ties count as half a win (a fractional response); standard errors
are sandwich estimates clustered by task (Liang and Zeger 1986), with G / (G - 1) for few tasks. As in
`assay.measures.bradley_terry`, each system gets ``prior`` virtual comparisons that end in a tie between equal styles,
which keep strengths finite.
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
    """Comparisons as arrays: both sides, results, differences of covariates; and the prior's virtual comparisons.

    ``ghost`` is half the number of virtual comparisons of each pair, which are won and lost in equal parts.
    """

    one: NDArray[np.int64]
    two: NDArray[np.int64]
    result: Floats
    used: Floats
    ghost: Floats

    @property
    def n(self) -> int:
        """Number of systems."""
        return len(self.ghost)

    def chances(self, parameters: Floats) -> Floats:
        """Return the probability that the first side wins, by comparison."""
        own = parameters[self.one] - parameters[self.two]
        return _logistic(own + self.used @ parameters[self.n :])


class PairedLogit(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """A fitted model.

    Attributes:
        strengths: Strengths of the systems as log-odds, with mean 0.
        errors: Clustered standard errors of the strengths; None for fewer than two clusters.
        effects: Effects of the covariates: log-odds for a difference of one.
        effect_errors: Clustered standard errors of the effects.
        fixed: Indices of covariates without any difference, whose effect is set to 0.
        n: Number of comparisons.
        clusters: Number of clusters.
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
    """Fit the model by Newton's method.

    Args:
        first: Index of the first system of each comparison, 0 to ``n - 1``.
        second: Index of the second system.
        outcome: 1 if the first won, 0 if the second won, 0.5 for a tie.
        n: Number of systems.
        covariates: Differences, first minus second, comparisons × covariates.
        clusters: Task of each comparison, as a number from 0.
        prior: Number of virtual comparisons of each system; 0 for plain maximum likelihood.

    Raises:
        ValueError: Lengths differ, a value is not finite, or (with a prior of 0) there is no unique finite solution.
    """
    one, two = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    result = np.asarray(outcome, dtype=np.float64)
    style = np.asarray(covariates, dtype=np.float64).reshape(len(result), -1)
    if not len(one) == len(two) == len(result) == len(clusters):
        raise ValueError("every comparison needs two systems, an outcome and a cluster; the lengths differ")
    if not (np.isfinite(result).all() and np.isfinite(style).all()):
        raise ValueError("a value is not finite; drop comparisons without an outcome or covariate")
    if (one == two).any():
        raise ValueError("a system is compared with itself")
    varies = np.abs(style).max(axis=0, initial=0.0) > 0
    ghost = np.full((n, n), prior / (2 * max(n - 1, 1)))
    np.fill_diagonal(ghost, 0)
    data = _Data(one, two, result, style[:, varies], ghost)
    parameters, information = _maximum(data)
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
        n=len(result),
        clusters=len(np.unique(clusters)),
    )


def _maximum(data: _Data) -> tuple[Floats, Floats]:
    """Return the parameters of maximal likelihood, and the information there.

    Raises:
        ValueError: There is no unique finite maximum.
    """
    n, ghost = data.n, data.ghost
    parameters = np.zeros(n + data.used.shape[1])
    information = np.eye(len(parameters))
    largest, diverges = 0.0, False
    for _ in range(_STEPS):
        chance = data.chances(parameters)
        ghost_chance = _logistic(parameters[:n, None] - parameters[None, :n])
        slope = _slope(data, data.result - chance)
        slope[:n] += (ghost - 2 * ghost * ghost_chance).sum(axis=1)
        information = _information(data, chance * (1 - chance), 2 * ghost * ghost_chance * (1 - ghost_chance))
        # The likelihood does not change if all strengths move together; this term fixes their sum.
        held = information.copy()
        held[:n, :n] += max(float(information[:n, :n].diagonal().mean()), 1e-300) / n
        try:
            step = np.linalg.solve(held, slope)
        except np.linalg.LinAlgError as error:
            raise ValueError("systems and covariates cannot be told apart") from error
        largest = float(np.abs(step).max(initial=0.0))
        parameters += step * min(1.0, _LARGEST_STEP / max(largest, 1e-300))
        # Beyond this, probabilities are 0 or 1 to the last digit, and slopes vanish without a maximum.
        diverges = (
            float(np.ptp(parameters[:n])) > _FARTHEST or float((chance * (1 - chance)).max()) < _CERTAIN
        )
        if largest < _NEAR or diverges:
            break
    if largest >= _NEAR or diverges:
        raise ValueError("no finite solution: systems and covariates explain every outcome")
    return parameters, information


def _slope(data: _Data, rest: Floats) -> Floats:
    return np.concatenate([_own(data, rest), data.used.T @ rest])


def _own(data: _Data, values: Floats) -> Floats:
    """Return for each system the sum over comparisons as first side minus the sum as second side."""
    first: Floats = np.bincount(data.one, values, data.n).astype(np.float64)
    return first - np.bincount(data.two, values, data.n)


def _information(data: _Data, weight: Floats, ghost: Floats) -> Floats:
    """Return the negative second derivative of the log-likelihood."""
    n, used = data.n, data.used
    one_way = np.bincount(data.one * n + data.two, weight, n * n).reshape(n, n)
    met = one_way + one_way.T + ghost
    heavy = used * weight[:, None]
    crossed = np.empty((n, used.shape[1]))
    for at in range(used.shape[1]):
        crossed[:, at] = _own(data, heavy[:, at])
    return np.block([[np.diag(met.sum(axis=1)) - met, crossed], [crossed.T, used.T @ heavy]])


def _errors(data: _Data, parameters: Floats, information: Floats, clusters: Any) -> Floats | None:
    """Return sandwich standard errors; None for fewer than two clusters."""
    from scipy import sparse  # type: ignore[import-untyped]  # noqa: PLC0415

    _, group = np.unique(clusters, return_inverse=True)
    group = group.reshape(-1)
    count = int(group.max(initial=-1)) + 1
    if count < 2:
        return None
    rest = data.result - data.chances(parameters)
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
    # The pseudo-inverse ignores the direction in which all strengths move together.
    bread = np.linalg.pinv(information, hermitian=True)
    spread = bread @ meat @ bread * count / (count - 1)
    errors: Floats = np.sqrt(np.maximum(spread.diagonal(), 0.0))
    return errors


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    chances: Floats = expit(x)
    return chances
