"""Calibration maps from a judge's scores to people's labels, their gain out of sample, and numbers of labels needed.

A map that is tested on the labels it was fitted to looks better than it is, so gains are cross-validated over groups.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import msgspec
import numpy as np

from assay.frozen import FrozenFields
from assay.measures.additive import kappa, similarity
from assay.measures.bootstrap import bootstrap_difference
from assay.measures.grouped import confusion_tables, numbered
from assay.measures.inputs import paired_values
from assay.measures.intervals import Estimate, mean_interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

MapKind = Literal["isotonic", "thresholds", "linear"]
_NORMAL: Final = 1.959963984540054
# With more distinct labels, neither κ nor accuracy is computed.
_MOST_LEVELS: Final = 20


class ScoreMap(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """A monotone map from scores to labels.

    Attributes:
        kind: ``isotonic``: linear interpolation between the points (``at``, ``to``), constant beyond. ``thresholds``:
            ``to[i]`` for scores from ``at[i-1]`` to below ``at[i]``. ``linear``: ``to[0] + to[1] · score``, clipped to
            the range ``at``.
        at: Scores, ascending; for ``linear`` the lowest and highest label.
        to: Labels.
    """

    kind: MapKind
    at: list[float]
    to: list[float]

    def __call__(self, scores: ArrayLike) -> Array:
        """Map scores to labels."""
        x = np.asarray(scores, dtype=float)
        to = np.asarray(self.to)
        if self.kind == "isotonic":
            return np.asarray(np.interp(x, self.at, to))
        if self.kind == "thresholds":
            return np.asarray(to[np.searchsorted(self.at, x, side="right")])
        return np.asarray(np.clip(to[0] + to[1] * x, self.at[0], self.at[1]))


class Gain(msgspec.Struct, frozen=True, kw_only=True):
    """A metric before and after calibration, and the paired difference, in which positive is better."""

    before: float | None = None
    after: float | None = None
    gain: Estimate = msgspec.field(default_factory=Estimate)


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """The gain of a map on labels that it was not fitted to.

    Attributes:
        fitted: Map fitted to all labels, for use.
        mad: Mean absolute difference from the labels, in points.
        accuracy: Share of exact labels, with scores rounded to the nearest label; None for more than 20 distinct
            labels.
        kappa: Quadratically weighted κ with the labels, with scores rounded likewise; None for more than 20.
        folds: Number of folds.
        n: Number of labels.
        groups: Number of groups.
        reason: Reason for missing values, else empty.
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
        """Return plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


class Needed(msgspec.Struct, frozen=True, kw_only=True):
    """The number of labels that an interval of a wanted width takes.

    Attributes:
        labels: Total number of labels, including existing ones; None if unknown.
        half_width: Half-width of the 95 % interval.
        reason: Reason for a missing number, else empty.
    """

    labels: int | None = None
    half_width: float
    reason: str = ""


def fit_map(scores: ArrayLike, labels: ArrayLike, kind: MapKind = "isotonic") -> ScoreMap:
    """Fit a non-decreasing map from scores to labels.

    ``isotonic``: least squares (Barlow and others 1972). ``thresholds``: onto the labels that occur, with the least
    absolute error, found exactly. ``linear``: least squares with a slope of at least 0, clipped to the range of the
    labels; with two parameters, it suits few labels.

    Raises:
        ValueError: There are no labels, the lengths differ, a value is not finite, or the kind is unknown.
    """
    x, y = paired_values(scores, labels)
    if not len(x):
        raise ValueError("a map needs at least one label")
    if kind not in get_args(MapKind):
        raise ValueError(f"kind must be one of {', '.join(get_args(MapKind))}, not {kind!r}")
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
    """Fit a map and measure its gain by cross-validation over groups.

    ``before`` uses the scores as they are, which makes sense only if they are on the scale of the labels.

    Args:
        scores: Finite scores of the judge.
        labels: Finite labels of people.
        groups: Group of each label, which is never split between folds; None if each label is a group of its own.
        kind: Kind of map.
        folds: Number of folds, at most the number of groups.
        draws: Number of bootstrap draws for the interval of κ's gain; the others have t intervals over groups.
        seed: Seed of folds and bootstrap.

    Raises:
        ValueError: The lengths differ, a value is not finite, the kind is unknown, or there are fewer than two folds.
    """
    x, y = paired_values(scores, labels)
    if folds < 2:
        raise ValueError(f"cross-validation needs at least 2 folds, not {folds}")
    n = len(x)
    index, many = (np.arange(n), n) if groups is None else numbered(groups, n)
    fields: dict[str, Any] = {"n": n, "groups": many}
    if many < 4:
        reason = f"{many} {'group' if many == 1 else 'groups'} of labels; at least 4 are needed"
        return Calibration(**fields, reason=reason)
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
    fields |= {"fitted": fitted, "mad": mad, "folds": folds}
    if not 2 <= len(levels) <= _MOST_LEVELS:
        return Calibration(
            **fields, reason=f"{len(levels)} distinct labels: neither accuracy nor κ is computed"
        )
    raw, mapped, truth = (_nearest(each, levels) for each in (x, after, y))
    right = [(each == truth).astype(float) for each in (raw, mapped)]
    accuracy = _gain(right[0], right[1], clusters, bounds=(-1.0, 1.0))
    return Calibration(
        **fields, accuracy=accuracy, kappa=_kappa_gain(truth, (raw, mapped), index, levels, (draws, seed))
    )


def labels_needed(
    half_width: float,
    *,
    proportion: float | None = None,
    sd: float | None = None,
    observed: Estimate | None = None,
    design_effect: float = 1.0,
) -> Needed:
    """Return how many labels bring a 95 % interval to a half-width, from exactly one of three expectations.

    Args:
        half_width: Wanted half-width, above 0, in the units of the estimate.
        proportion: Expected proportion, 0 to 1; 0.5 is the worst case. n = 1.96² p (1-p) / h².
        sd: Expected standard deviation of single values: n = 1.96² sd² / h².
        observed: Estimate with an interval: n × (half-width / h)², because widths shrink with the square root of n. It
            assumes groups of the same size and includes their design effect.
        design_effect: Factor by which groups inflate the variance; 1 + (m-1) ρ for groups of m with correlation ρ.

    Raises:
        ValueError: A value is out of range, or not exactly one expectation is given.
    """
    if not (half_width > 0 and math.isfinite(half_width)) or not design_effect > 0:
        raise ValueError(
            f"half_width and design_effect must be above 0, not {half_width} and {design_effect}"
        )
    if sum(given is not None for given in (proportion, sd, observed)) != 1:
        raise ValueError("give exactly one of proportion, sd and observed")
    if observed is not None:
        half = observed.half
        if half is None or not observed.n:
            return Needed(half_width=half_width, reason=observed.reason or "the estimate has no interval")
        return Needed(labels=_up(observed.n * (half / half_width) ** 2), half_width=half_width)
    if proportion is not None:
        if not 0 <= proportion <= 1:
            raise ValueError(f"proportion must be from 0 to 1, not {proportion}")
        variance = proportion * (1 - proportion)
    else:
        if sd is None or not (sd >= 0 and math.isfinite(sd)):
            raise ValueError(f"sd must be a finite number of 0 or more, not {sd}")
        variance = sd * sd
    if not variance:
        return Needed(
            half_width=half_width, reason="values that never vary do not tell how many labels are needed"
        )
    return Needed(labels=_up(design_effect * variance * (_NORMAL / half_width) ** 2), half_width=half_width)


def _isotonic(x: Array, y: Array) -> ScoreMap:
    from scipy.optimize import isotonic_regression  # type: ignore[import-untyped]  # noqa: PLC0415

    at, place, counts = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(place.ravel(), weights=y) / counts
    to = isotonic_regression(means, weights=counts.astype(float)).x
    # Points inside a constant stretch are redundant.
    keep = np.ones(len(at), dtype=bool)
    keep[1:-1] = (to[1:-1] != to[:-2]) | (to[1:-1] != to[2:])
    return ScoreMap(kind="isotonic", at=at[keep].tolist(), to=to[keep].tolist())


def _thresholds(x: Array, y: Array) -> ScoreMap:
    levels = np.unique(y)
    at, place = np.unique(x, return_inverse=True)
    place = place.ravel()
    # Cost of each distinct score at each label; then the cheapest non-decreasing path.
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


def _gain(
    before: Array,
    after: Array,
    clusters: list[int],
    *,
    sign: int = 1,
    bounds: tuple[float | None, float | None] = (None, None),
) -> Gain:
    return Gain(
        before=sign * float(before.mean()),
        after=sign * float(after.mean()),
        gain=mean_interval((after - before).tolist(), clusters, bounds=bounds),
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
    """Return the index of the nearest label; the lower one if two are equally near."""
    return np.asarray(np.searchsorted((levels[:-1] + levels[1:]) / 2, values, side="left"))


def _up(number: float) -> int:
    # A number that is whole up to rounding errors stays.
    return math.ceil(number - 1e-9 * max(1.0, number))
