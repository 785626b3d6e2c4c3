"""Strengths of systems from comparisons of pairs: Bradley and Terry's model (1952), fitted by Newton's method.

P(i beats j) = 1 / (1 + exp(-(s_i - s_j))). A tie is half a win for either. Comparisons are first counted into a matrix
of systems × systems, so that a million of them cost no more than a thousand to fit.

Virtual comparisons keep every strength finite and every pair connected: each system has ``prior`` of them, spread
evenly over all others and won and lost in equal parts. They shrink strengths about as much as one more drawn
comparison of each system would.

Uncertainty comes from a Bayesian bootstrap over tasks (Rubin 1981): in each draw, all comparisons of a task have one
exponential weight, and the virtual comparisons have random weights, too. Unlike resampling of tasks, this gives an
interval of sensible width to a system that has won everything: for two systems with one comparison per task, the draws
are close to those of Jeffreys' interval of a share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ELO_MEAN: Final = 1000.0
# 400 / ln 10, so that 400 points are odds of ten to one.
ELO_SCALE: Final = 173.71779276130073
_STEPS: Final = 100
_NEAR: Final = 1e-9
# Numbers held at a time while fitting draws: large enough for fast calls, small enough for constant memory.
_HELD: Final = 400_000
_LARGEST_STEP: Final = 1.5


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    """Which systems are connected by comparisons, by index.

    Attributes:
        parts: Sets of systems that are connected, directly or through others; places across sets mean nothing.
        unbeaten: Systems that won all their comparisons, without a tie.
        winless: Systems that lost all their comparisons.
        absent: Systems without any comparison.
    """

    parts: tuple[tuple[int, ...], ...]
    unbeaten: tuple[int, ...]
    winless: tuple[int, ...]
    absent: tuple[int, ...]


def win_matrix(
    first: NDArray[Any], second: NDArray[Any], outcome: NDArray[Any], n: int, *, weights: Floats | None = None
) -> Floats:
    """Return how often each system (row) won against each other (column); ties count as halves.

    Args:
        first: Index of the first system of each comparison, 0 to ``n - 1``.
        second: Index of the second system.
        outcome: 1 if the first won, 0 if the second won, 0.5 for a tie.
        n: Number of systems.
        weights: Weight of each comparison; None for 1.

    Raises:
        ValueError: A system is compared with itself, or an outcome is not from 0 to 1.
    """
    result = np.asarray(outcome, dtype=np.float64)
    if result.size and not ((result >= 0) & (result <= 1)).all():
        raise ValueError("an outcome is not from 0 to 1")
    place = np.asarray(first, dtype=np.int64) * n + np.asarray(second, dtype=np.int64)
    many = np.bincount(place, weights=weights, minlength=n * n)
    won = np.bincount(place, weights=result if weights is None else result * weights, minlength=n * n)
    many, won = many.reshape(n, n), won.reshape(n, n)
    if many.diagonal().any():
        raise ValueError("a system is compared with itself")
    wins: Floats = won + (many - won).T
    return wins


def bradley_terry(wins: Floats, *, prior: float = 1.0) -> Floats:
    """Return the strengths of maximal likelihood as log-odds with mean 0.

    Args:
        wins: Wins of each system (row) against each other (column), as from `win_matrix`.
        prior: Number of virtual drawn comparisons of each system. 0 is plain maximum likelihood, which is finite only
            if every system can be reached from every other by wins.

    Raises:
        ValueError: The matrix is not square or holds a number that is not a count; or, with a prior of 0, there is no
            finite solution.
    """
    counted = _checked(wins)
    n = len(counted)
    if n < 2:
        return np.zeros(n)
    if prior == 0 and not _strong(counted):
        raise ValueError("no finite strengths without a prior: some systems never lose to the others")
    full = counted + _prior_matrix(n, prior)
    best: Floats = _newton(full[None], np.zeros((1, n)))[0]
    return best


def bradley_terry_draws(
    tasks: NDArray[Any],
    first: NDArray[Any],
    second: NDArray[Any],
    outcome: NDArray[Any],
    n: int,
    *,
    draws: int = 1000,
    prior: float = 1.0,
    seed: int = 0,
) -> Floats:
    """Return strengths over draws of a Bayesian bootstrap of tasks, draws × systems, each draw with mean 0.

    Args:
        tasks: Task of each comparison, as a number from 0.
        first: Index of the first system of each comparison.
        second: Index of the second system.
        outcome: 1 if the first won, 0 if the second won, 0.5 for a tie.
        n: Number of systems.
        draws: Number of draws.
        prior: Number of virtual drawn comparisons of each system.
        seed: Seed; draws do not depend on the order of comparisons or of their sides.
    """
    matrix, copies = _profiles(tasks, first, second, outcome, n)
    start = bradley_terry(win_matrix(first, second, outcome, n), prior=prior)
    generator = np.random.default_rng(seed)
    step = max(1, min(draws, _HELD // max(n * n, len(copies), 1)))
    strengths = np.empty((draws, n))
    for begin in range(0, draws, step):
        size = min(step, draws - begin)
        # The total weight of equal tasks is a sum of exponential variables, which is a gamma variable.
        weights = generator.standard_gamma(copies, size=(size, len(copies)))
        wins = np.asarray(matrix.T @ weights.T).T.reshape(size, n, n) + _prior_draws(
            n, prior, size, generator
        )
        strengths[begin : begin + size] = _newton(wins, np.broadcast_to(start, (size, n)).copy())
    return strengths


def connection(wins: Floats) -> Connection:
    """Return which systems are connected, and which won or lost everything."""
    from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    counted = _checked(wins)
    met = counted + counted.T
    won, lost = counted.sum(axis=1), counted.sum(axis=0)
    _, label = connected_components(met > 0, directed=False)
    present = np.flatnonzero(won + lost > 0)
    parts: dict[int, list[int]] = {}
    for system in present:
        parts.setdefault(int(label[system]), []).append(int(system))
    return Connection(
        parts=tuple(tuple(part) for part in parts.values()),
        unbeaten=tuple(int(i) for i in present if lost[i] == 0),
        winless=tuple(int(i) for i in present if won[i] == 0),
        absent=tuple(int(i) for i in np.flatnonzero(won + lost == 0)),
    )


def elo(strength: float) -> float:
    """Convert a strength to Elo's scale: 1000 is the mean of the systems, 400 points are odds of ten to one."""
    return ELO_MEAN + ELO_SCALE * strength


def _checked(wins: Floats | Sequence[Sequence[float]]) -> Floats:
    matrix = np.asarray(wins, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"wins must be a square matrix, not {matrix.shape}")
    if not np.isfinite(matrix).all() or (matrix < 0).any() or matrix.diagonal().any():
        raise ValueError("wins must be finite numbers of 0 or more, and 0 on the diagonal")
    return matrix


def _strong(wins: Floats) -> bool:
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    count, _ = connected_components(wins > 0, directed=True, connection="strong")
    return bool(count == 1)


def _prior_matrix(n: int, prior: float) -> Floats:
    matrix = np.full((n, n), prior / (2 * (n - 1)))
    np.fill_diagonal(matrix, 0)
    return matrix


def _prior_draws(n: int, prior: float, size: int, generator: np.random.Generator) -> Floats:
    """Return the virtual comparisons of each draw: wins and losses have random weights with the intended mean."""
    if prior == 0:
        return np.zeros((size, n, n))
    won, lost = generator.standard_gamma(prior / 2, size=(2, size, n))
    matrices: Floats = (won[:, :, None] + lost[:, None, :]) / (2 * (n - 1))
    matrices[:, np.arange(n), np.arange(n)] = 0
    # Without a minimum, weights near 0 would let strengths diverge.
    return matrices + _prior_matrix(n, prior * 1e-3)


def _profiles(
    tasks: NDArray[Any], first: NDArray[Any], second: NDArray[Any], outcome: NDArray[Any], n: int
) -> tuple[Any, Floats]:
    """Return a sparse matrix of wins with one row per task, and the multiplicity of each row.

    Tasks with a single comparison and the same result share a row.
    """
    from scipy import sparse  # type: ignore[import-untyped]  # noqa: PLC0415

    one, two = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    result = np.asarray(outcome, dtype=np.float64)
    # The winner comes first (for a tie, the lower index), so that the order of sides does not matter.
    swap = np.where(result == 0.5, one > two, result < 0.5)
    winner, loser = np.where(swap, two, one), np.where(swap, one, two)
    share = np.where(swap, 1 - result, result)
    _, row, sizes = np.unique(np.asarray(tasks), return_inverse=True, return_counts=True)
    row = row.reshape(-1)
    cell = winner * n + loser
    single = sizes[row] == 1
    kinds, kind, copies = np.unique(
        np.stack([cell[single].astype(np.float64), share[single]]),
        axis=1,
        return_inverse=True,
        return_counts=True,
    )
    # Tasks with several comparisons have rows of their own, after the shared ones.
    order = np.cumsum(sizes > 1) - 1 + kinds.shape[1]
    place = order[row]
    place[single] = kind.reshape(-1)
    keep = ~single
    kind_cell = kinds[0].astype(np.int64)
    rows = np.concatenate([np.arange(kinds.shape[1]), place[keep]])
    cells = np.concatenate([kind_cell, cell[keep]])
    shares = np.concatenate([kinds[1], share[keep]])
    total = kinds.shape[1] + int((sizes > 1).sum())
    back = (cells % n) * n + cells // n
    matrix = sparse.csr_matrix(
        (
            np.concatenate([shares, 1 - shares]),
            (np.concatenate([rows, rows]), np.concatenate([cells, back])),
        ),
        shape=(total, n * n),
    )
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix, np.concatenate([copies, np.ones(total - kinds.shape[1])]).astype(np.float64)


def _newton(wins: Floats, strengths: Floats) -> Floats:
    """Maximise many likelihoods at once by Newton's method; ``wins`` is draws × systems × systems."""
    n = wins.shape[1]
    many = wins + wins.transpose(0, 2, 1)
    own = np.arange(n)
    strengths = strengths - strengths.mean(axis=1, keepdims=True)
    for _ in range(_STEPS):
        chance = _logistic(strengths[:, :, None] - strengths[:, None, :])
        slope = (wins - many * chance).sum(axis=2)
        curve = -many * chance * (1 - chance)
        curve[:, own, own] = 0
        depth = -curve.sum(axis=2)
        curve[:, own, own] = depth
        # The likelihood does not change if all strengths move together; this term fixes their sum.
        curve += np.maximum(depth.mean(axis=1), 1e-300)[:, None, None] / n
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        step -= step.mean(axis=1, keepdims=True)
        largest = np.abs(step).max(axis=1, keepdims=True)
        # Far from the maximum, a full step may overshoot.
        strengths += step * np.minimum(1.0, _LARGEST_STEP / np.maximum(largest, 1e-300))
        if float(largest.max()) < _NEAR:
            break
    centred: Floats = strengths - strengths.mean(axis=1, keepdims=True)
    return centred


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit  # type: ignore[import-untyped]  # noqa: PLC0415

    chances: Floats = expit(x)
    return chances
