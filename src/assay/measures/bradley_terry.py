"""Strengths of systems from comparisons of pairs: Bradley and Terry's model (1952), fitted by the library ``choix``.

P(i beats j) = 1 / (1 + exp(-(s_i - s_j))). A tie is half a win for either. Comparisons are first counted into a matrix of
systems by systems, so that a million of them cost no more than a thousand to fit.

Some virtual comparisons keep every strength finite and every pair connected: each system is given ``prior`` of them,
spread evenly over all others and won and lost in equal parts. They pull strengths together by about as much as one more
drawn comparison of each system would.

Uncertainty comes from a Bayesian bootstrap over tasks (Rubin 1981): in each draw a task weighs as much as an exponential
variable says, all its comparisons together, and the virtual comparisons weigh at random as well. Unlike tasks drawn with
replacement, this leaves an interval of a sensible width to a system that has won everything: with one comparison a task
and two systems its draws are close to those of Jeffreys' interval of a share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

ELO_MEAN: Final = 1000.0
# 400 points are odds of ten to one: 400 / ln 10.
ELO_SCALE: Final = 173.71779276130073
_STEPS: Final = 100
_NEAR: Final = 1e-9
# Draws fitted at a time: enough for one call to be worth it, few enough that memory stays flat.
_ROOM: Final = 400_000
_LARGEST_STEP: Final = 1.5


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    """Which systems can be compared at all, by their numbers.

    Attributes:
        parts: Sets of systems that meet, directly or by way of others. With several, places across them say nothing.
        unbeaten: Those that won all their comparisons, without a tie.
        winless: Those that lost all of theirs.
        absent: Those without any comparison.
    """

    parts: tuple[tuple[int, ...], ...]
    unbeaten: tuple[int, ...]
    winless: tuple[int, ...]
    absent: tuple[int, ...]


def win_matrix(
    first: NDArray[Any], second: NDArray[Any], outcome: NDArray[Any], n: int, *, weights: Floats | None = None
) -> Floats:
    """How often each system won against each other: row against column, ties as halves.

    Args:
        first: Numbers of the systems on one side, from 0 to ``n - 1``.
        second: Of those on the other.
        outcome: 1 the first won, 0 the second, 0.5 a tie.
        n: How many systems there are.
        weights: What each comparison counts; 1 where None.

    Raises:
        ValueError: A system meets itself, or an outcome is not from 0 to 1.
    """
    said = np.asarray(outcome, dtype=np.float64)
    if said.size and not ((said >= 0) & (said <= 1)).all():
        raise ValueError("an outcome is not from 0 to 1")
    place = np.asarray(first, dtype=np.int64) * n + np.asarray(second, dtype=np.int64)
    many = np.bincount(place, weights=weights, minlength=n * n)
    won = np.bincount(place, weights=said if weights is None else said * weights, minlength=n * n)
    many, won = many.reshape(n, n), won.reshape(n, n)
    if many.diagonal().any():
        raise ValueError("a system is compared with itself")
    found: Floats = won + (many - won).T
    return found


def bradley_terry(wins: Floats, *, prior: float = 1.0) -> Floats:
    """The strengths that make these wins likeliest, on the scale of log-odds, with a mean of 0.

    Args:
        wins: Of each system (row) against each other (column), as `win_matrix` gives them.
        prior: Virtual comparisons of each system, drawn. 0 is plain maximum likelihood, which is finite only where every
            system can be reached from every other by wins.

    Raises:
        ValueError: The matrix is not square or holds what is no number of wins; or, with a prior of 0, there is no
            finite solution.
    """
    counted = _checked(wins)
    n = len(counted)
    if n < 2:
        return np.zeros(n)
    if prior == 0 and not _strong(counted):
        raise ValueError("no finite strengths without a prior: not everyone is beaten by somebody")
    full = counted + _prior_matrix(n, prior)
    from choix import ilsr_pairwise_dense  # type: ignore[import-untyped,unused-ignore]  # noqa: PLC0415 - heavy

    try:
        # Scaled, which changes nothing but the size of numbers in its linear algebra.
        found = ilsr_pairwise_dense(full / full.max(), max_iter=_STEPS, tol=_NEAR * n)
    except (RuntimeError, ValueError, np.linalg.LinAlgError):
        # It did not settle, as with strengths many thousand to one: Newton's steps do.
        found = np.zeros(n)
    # The library ends a little short of the maximum; one or two of Newton's steps go there.
    best: Floats = _newton(full[None], np.asarray(found, dtype=np.float64)[None])[0]
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
    """Strengths over draws of a Bayesian bootstrap of tasks: an array of draws by systems, each of mean 0.

    Args:
        tasks: The task of each comparison, as a number from 0; those of one task count together.
        first: As for `win_matrix`.
        second: As for `win_matrix`.
        outcome: As for `win_matrix`.
        n: How many systems there are.
        draws: How many.
        prior: As for `bradley_terry`.
        seed: Of the draws; the same comparisons in any order, or with their sides exchanged, give the same draws.
    """
    matrix, copies = _profiles(tasks, first, second, outcome, n)
    start = bradley_terry(win_matrix(first, second, outcome, n), prior=prior)
    generator = np.random.default_rng(seed)
    step = max(1, min(draws, _ROOM // max(n * n, len(copies), 1)))
    found = np.empty((draws, n))
    for begin in range(0, draws, step):
        size = min(step, draws - begin)
        # The weight of several tasks that look alike is the sum of as many exponential variables.
        weights = generator.standard_gamma(copies, size=(size, len(copies)))
        wins = np.asarray(matrix.T @ weights.T).T.reshape(size, n, n) + _prior_draws(
            n, prior, size, generator
        )
        found[begin : begin + size] = _newton(wins, np.broadcast_to(start, (size, n)).copy())
    return found


def connection(wins: Floats) -> Connection:
    """Which systems meet, and who won or lost everything."""
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
    """A strength on the scale of Elo's ratings: 1000 is the mean of the systems, 400 points are odds of ten to one."""
    return ELO_MEAN + ELO_SCALE * strength


def _checked(wins: Floats | Sequence[Sequence[float]]) -> Floats:
    found = np.asarray(wins, dtype=np.float64)
    if found.ndim != 2 or found.shape[0] != found.shape[1]:
        raise ValueError(f"wins are a square of numbers, not {found.shape}")
    if not np.isfinite(found).all() or (found < 0).any() or found.diagonal().any():
        raise ValueError("wins are numbers from 0 up, and none of a system against itself")
    return found


def _strong(wins: Floats) -> bool:
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    count, _ = connected_components(wins > 0, directed=True, connection="strong")
    return bool(count == 1)


def _prior_matrix(n: int, prior: float) -> Floats:
    found = np.full((n, n), prior / (2 * (n - 1)))
    np.fill_diagonal(found, 0)
    return found


def _prior_draws(n: int, prior: float, size: int, generator: np.random.Generator) -> Floats:
    """The virtual comparisons of each draw: each system's wins and losses of them weigh at random, the mean as planned."""
    if prior == 0:
        return np.zeros((size, n, n))
    won, lost = generator.standard_gamma(prior / 2, size=(2, size, n))
    found: Floats = (won[:, :, None] + lost[:, None, :]) / (2 * (n - 1))
    found[:, np.arange(n), np.arange(n)] = 0
    # Weights near nothing would let two strengths drift apart without end.
    return found + _prior_matrix(n, prior * 1e-3)


def _profiles(
    tasks: NDArray[Any], first: NDArray[Any], second: NDArray[Any], outcome: NDArray[Any], n: int
) -> tuple[Any, Floats]:
    """Wins of each task as a row of a sparse matrix, tasks of one comparison that came out alike as one; how many each is."""
    from scipy import sparse  # type: ignore[import-untyped]  # noqa: PLC0415

    one, two = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    said = np.asarray(outcome, dtype=np.float64)
    # The winner first; of a tie the lower number: which side was which is no matter.
    swap = np.where(said == 0.5, one > two, said < 0.5)
    winner, loser = np.where(swap, two, one), np.where(swap, one, two)
    share = np.where(swap, 1 - said, said)
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
    # Tasks of several comparisons keep a row each, after those of the kinds.
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
    """The maximum of each likelihood by Newton's steps, many at once; ``wins`` is draws by systems by systems."""
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
        # The likelihood does not change where all strengths move together; this holds them where they are.
        curve += np.maximum(depth.mean(axis=1), 1e-300)[:, None, None] / n
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        step -= step.mean(axis=1, keepdims=True)
        largest = np.abs(step).max(axis=1, keepdims=True)
        # Far from the maximum a full step may lead astray.
        strengths += step * np.minimum(1.0, _LARGEST_STEP / np.maximum(largest, 1e-300))
        if float(largest.max()) < _NEAR:
            break
    found: Floats = strengths - strengths.mean(axis=1, keepdims=True)
    return found


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit  # type: ignore[import-untyped]  # noqa: PLC0415

    found: Floats = expit(x)
    return found
