"""Maps from a judge's scores to people's labels, what they buy out of sample, and how many labels an interval takes.

A map fitted and tried on the same labels always looks better than it is. What is reported here was reached on labels the
map had not seen: groups are dealt into folds, and each fold is mapped by what the others taught.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import msgspec
import numpy as np

from assay.measures.additive import kappa, similarity
from assay.measures.bootstrap import bootstrap_difference
from assay.measures.grouped import confusion_tables, numbered
from assay.measures.intervals import Estimate, mean_interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

MapKind = Literal["isotonic", "thresholds", "linear"]
_NORMAL: Final = 1.959963984540054
# A scale of more steps than this is not one of categories: no κ, no accuracy.
_MOST_LEVELS: Final = 20


class ScoreMap(msgspec.Struct, frozen=True, kw_only=True):
    """A monotone map from scores to labels.

    Attributes:
        kind: ``isotonic``: straight lines between the points (``at``, ``to``), level beyond them. ``thresholds``:
            ``to[i]`` for scores from ``at[i-1]`` and below ``at[i]``. ``linear``: ``to[0] + to[1] · score``, cut to
            the range ``at``.
        at: Scores, upwards; for ``linear`` the lowest and highest label.
        to: Labels.
    """

    kind: MapKind
    at: list[float]
    to: list[float]

    def __call__(self, scores: ArrayLike) -> Array:
        """The labels that scores stand for."""
        x = np.asarray(scores, dtype=float)
        to = np.asarray(self.to)
        if self.kind == "isotonic":
            return np.asarray(np.interp(x, self.at, to))
        if self.kind == "thresholds":
            return np.asarray(to[np.searchsorted(self.at, x, side="right")])
        return np.asarray(np.clip(to[0] + to[1] * x, self.at[0], self.at[1]))


class Gain(msgspec.Struct, frozen=True, kw_only=True):
    """A measure before and after calibration, and the paired difference, always so that above 0 is better."""

    before: float | None = None
    after: float | None = None
    gain: Estimate = msgspec.field(default_factory=Estimate)


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """What a map buys on labels that it has not seen.

    Attributes:
        fitted: The map, fitted on all labels: the one to use.
        mad: Mean absolute difference from the labels, in points.
        accuracy: Share of exact labels, scores rounded to the nearest; absent for scales of more than 20 labels.
        kappa: Quadratically weighted κ with the labels, scores rounded to the nearest; absent likewise.
        folds: Into which the groups were dealt.
        n: Labels.
        groups: Groups they come in.
        reason: Why something is missing.
    """

    fitted: ScoreMap | None = None
    mad: Gain | None = None
    accuracy: Gain | None = None
    kappa: Gain | None = None
    folds: int = 0
    n: int = 0
    groups: int = 0
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


class Needed(msgspec.Struct, frozen=True, kw_only=True):
    """How many labels an interval of a wanted width takes.

    Attributes:
        labels: In all, those there are included; None where it cannot be told.
        half_width: Of the 95 % interval they are for.
        reason: Why it cannot be told.
    """

    labels: int | None = None
    half_width: float
    reason: str = ""


def fit_map(scores: ArrayLike, labels: ArrayLike, kind: MapKind = "isotonic") -> ScoreMap:
    """The monotone map, upwards, that brings scores nearest to labels.

    ``isotonic``: least squares (Barlow and others 1972), any step of which is level where labels do not rise.
    ``thresholds``: onto the labels that occur, with the least absolute error, found exactly. ``linear``: least squares
    with a slope not below 0, cut to the range of the labels; the only one with two parameters, so for few labels.

    Raises:
        ValueError: No scores, not as many labels, one that is not finite, or an unknown kind.
    """
    x, y = _checked(scores, labels)
    if not len(x):
        raise ValueError("no labels to fit a map on")
    if kind not in get_args(MapKind):
        raise ValueError(f"map {kind!r}; one of {', '.join(get_args(MapKind))}")
    return {"isotonic": _isotonic, "thresholds": _thresholds, "linear": _linear}[kind](x, y)


def calibrate(
    scores: ArrayLike,
    labels: ArrayLike,
    groups: ArrayLike | Sequence[Hashable] | None = None,
    *,
    kind: MapKind = "isotonic",
    folds: int = 5,
    draws: int = 1000,
    seed: int = 0,
) -> Calibration:
    """Fit a map and say what it buys, by cross-validation over groups.

    ``before`` takes scores as they are, so they must mean to be on the scale of the labels for it to say anything.

    Args:
        scores: The judge's, finite.
        labels: People's, finite.
        groups: The group of each, never split between fitting and trying; each its own where None.
        kind: Of map.
        folds: At most as many as groups.
        draws: Of the bootstrap that gives κ's difference its interval; the others have t intervals over groups.
        seed: Of the dealing and the bootstrap.

    Raises:
        ValueError: Not equally many, one that is not finite, an unknown kind, or fewer than two folds.
    """
    x, y = _checked(scores, labels)
    if folds < 2:
        raise ValueError(f"{folds} folds; it takes 2")
    n = len(x)
    index, many = (np.arange(n), n) if groups is None else numbered(groups, n)
    bare: dict[str, Any] = {"n": n, "groups": many}
    if many < 4:
        return Calibration(
            **bare, reason=f"{many} {'group' if many == 1 else 'groups'} of labels; it takes 4"
        )
    folds = min(folds, many)
    dealt = np.random.default_rng(seed).permutation(many) % folds
    fold = dealt[index]
    after = np.empty(n)
    for at in range(folds):
        out = fold == at
        after[out] = fit_map(x[~out], y[~out], kind)(x[out])
    clusters = index.tolist()
    mad = _gain(-np.abs(x - y), -np.abs(after - y), clusters, sign=-1)
    levels = np.unique(y)
    fitted = fit_map(x, y, kind)
    bare |= {"fitted": fitted, "mad": mad, "folds": folds}
    if not 2 <= len(levels) <= _MOST_LEVELS:
        return Calibration(**bare, reason=f"{len(levels)} different labels: neither accuracy nor κ")
    raw, mapped, truth = (_nearest(each, levels) for each in (x, after, y))
    accuracy = _gain((raw == truth).astype(float), (mapped == truth).astype(float), clusters)
    return Calibration(
        **bare, accuracy=accuracy, kappa=_kappa_gain(truth, (raw, mapped), index, levels, (draws, seed))
    )


def labels_needed(
    half_width: float,
    *,
    proportion: float | None = None,
    sd: float | None = None,
    observed: Estimate | None = None,
    design_effect: float = 1.0,
) -> Needed:
    """How many labels bring a 95 % interval down to a half-width; give exactly one of three things to go by.

    Args:
        half_width: Wanted, in the units of the estimate, above 0.
        proportion: Expected, 0 to 1; 0.5 is the worst case. n = 1.96² p (1-p) / h².
        sd: Standard deviation of single values: n = 1.96² sd² / h².
        observed: Any estimate with an interval, as of κ: its n × (its half-width / h)², since widths shrink with the
            square root of the number. Groups must stay of the same size. It has its design effect in it already.
        design_effect: How much wider groups make the square of the interval than as many independent labels would
            have it; for groups of m with correlation ρ within, 1 + (m-1) ρ.

    Raises:
        ValueError: A width, proportion, deviation or design effect out of range, or not exactly one thing to go by.
    """
    if not (half_width > 0 and math.isfinite(half_width)) or not design_effect > 0:
        raise ValueError(f"a half-width of {half_width} with a design effect of {design_effect}")
    if sum(given is not None for given in (proportion, sd, observed)) != 1:
        raise ValueError("give a proportion, a standard deviation or an observed estimate: one of them")
    if observed is not None:
        half = observed.half
        if half is None or not observed.n:
            return Needed(
                half_width=half_width, reason=observed.reason or "the estimate has no interval to go by"
            )
        return Needed(labels=_up(observed.n * (half / half_width) ** 2), half_width=half_width)
    if proportion is not None:
        if not 0 <= proportion <= 1:
            raise ValueError(f"a proportion of {proportion}")
        variance = proportion * (1 - proportion)
    else:
        if sd is None or not (sd >= 0 and math.isfinite(sd)):
            raise ValueError(f"a standard deviation of {sd}")
        variance = sd * sd
    if not variance:
        return Needed(half_width=half_width, reason="what never varies gives no idea of the number it takes")
    return Needed(labels=_up(design_effect * variance * (_NORMAL / half_width) ** 2), half_width=half_width)


def _isotonic(x: Array, y: Array) -> ScoreMap:
    from scipy.optimize import isotonic_regression  # type: ignore[import-untyped]  # noqa: PLC0415

    at, place, counts = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(place.ravel(), weights=y) / counts
    to = isotonic_regression(means, weights=counts.astype(float)).x
    # Only the ends of level stretches say anything.
    keep = np.ones(len(at), dtype=bool)
    keep[1:-1] = (to[1:-1] != to[:-2]) | (to[1:-1] != to[2:])
    return ScoreMap(kind="isotonic", at=at[keep].tolist(), to=to[keep].tolist())


def _thresholds(x: Array, y: Array) -> ScoreMap:
    levels = np.unique(y)
    at, place = np.unique(x, return_inverse=True)
    place = place.ravel()
    # What each different score costs at each label; then the cheapest way up, never down.
    cost = np.stack(
        [np.bincount(place, weights=np.abs(y - each), minlength=len(at)) for each in levels], axis=1
    )
    best = np.empty_like(cost)
    best[0] = cost[0]
    for row in range(1, len(at)):
        best[row] = cost[row] + np.minimum.accumulate(best[row - 1])
    chosen = np.empty(len(at), dtype=np.int64)
    top = len(levels)
    for row in range(len(at) - 1, -1, -1):
        chosen[row] = int(np.argmin(best[row, :top]))
        top = int(chosen[row]) + 1
    steps = np.nonzero(np.diff(chosen))[0]
    return ScoreMap(
        kind="thresholds",
        at=((at[steps] + at[steps + 1]) / 2).tolist(),
        to=levels[chosen[[0, *(steps + 1).tolist()]]].tolist(),
    )


def _linear(x: Array, y: Array) -> ScoreMap:
    apart = x - x.mean()
    square = float(apart @ apart)
    slope = max(0.0, float(apart @ (y - y.mean())) / square) if square > 0 else 0.0
    start = float(y.mean()) - slope * float(x.mean())
    return ScoreMap(kind="linear", at=[float(y.min()), float(y.max())], to=[start, slope])


def _gain(before: Array, after: Array, clusters: list[int], *, sign: int = 1) -> Gain:
    return Gain(
        before=sign * float(before.mean()),
        after=sign * float(after.mean()),
        gain=mean_interval((after - before).tolist(), clusters),
    )


def _kappa_gain(
    truth: NDArray[np.int64],
    given: tuple[NDArray[np.int64], NDArray[np.int64]],
    index: NDArray[np.int64],
    levels: Array,
    drawn: tuple[int, int],
) -> Gain:
    k = len(levels)
    weights = similarity(k, "quadratic", levels.tolist())
    before, after = (confusion_tables(truth, each, index, k) for each in given)

    def statistic(sums: Array) -> Array:
        return kappa(sums, weights)

    values = [float(statistic(tables.total())) for tables in (before, after)]
    known: list[float | None] = [None if math.isnan(value) else value for value in values]
    gain = bootstrap_difference(after, before, statistic, draws=drawn[0], seed=drawn[1])
    return Gain(before=known[0], after=known[1], gain=gain)


def _nearest(values: Array, levels: Array) -> NDArray[np.int64]:
    """The place of the nearest label; the lower one half-way."""
    return np.asarray(np.searchsorted((levels[:-1] + levels[1:]) / 2, values, side="left"))


def _checked(scores: ArrayLike, labels: ArrayLike) -> tuple[Array, Array]:
    x, y = np.asarray(scores, dtype=float).ravel(), np.asarray(labels, dtype=float).ravel()
    if len(x) != len(y):
        raise ValueError(f"{len(x)} scores beside {len(y)} labels")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("a score or label is not finite")
    return x, y


def _up(number: float) -> int:
    # A number that is whole but for rounding is not rounded up to the next.
    return math.ceil(number - 1e-9 * max(1.0, number))
