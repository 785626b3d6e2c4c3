"""Style control: the lead that a system keeps against reports of equal length and formatting.

Covariates are differences between the two reports of a comparison, first minus second:

length      log of words
headings    log of headings + 1
citations   log of citations + 1
bold        log of bold passages per thousand words + 1
lists       log of list items per thousand words + 1

Each is divided by its root mean square and not centred, because swapping the two reports must only change its sign.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from assay.measures.bradley_terry import elo
from assay.measures.intervals import Estimate, too_few
from assay.measures.logit import PairedLogit, paired_logit
from assay.meta.leaderboard.comparisons import Comparisons, TextStyle
from assay.meta.leaderboard.record import StyleControl, StyleControlledSystem, StyleEffect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

COVARIATES: Final = ("length", "headings", "citations", "bold", "lists")
# Comparisons needed for each estimated parameter.
_LEAST: Final = 3


def style_of(style: TextStyle) -> tuple[float, ...]:
    """Return the covariates of a text, in the order of `COVARIATES`."""
    thousands = max(style.words, 1) / 1000
    return (
        math.log(max(style.words, 1)),
        math.log1p(style.headings),
        math.log1p(style.citations),
        math.log1p(style.bold / thousands),
        math.log1p(style.items / thousands),
    )


def control_style(comparisons: Comparisons, by: str, prior: float = 1.0) -> tuple[StyleControl | None, str]:
    """Return the style-controlled ratings, or None and the reason (empty if no text is known)."""
    column = comparisons.verdicts[by]
    judged = (column >= -1) & (column <= 1)
    keep = judged & (comparisons.style_first >= 0) & (comparisons.style_second >= 0)
    n, count = len(comparisons.systems), int(keep.sum())
    tasks = comparisons.task[keep]
    least = _LEAST * (n + len(COVARIATES))
    if count < least or len(np.unique(tasks)) < 2:
        reason = (
            f"Style is not controlled for: that takes {least:,} comparisons with known texts on two tasks or more, and "
            f"there are {count:,}"
        )
        return None, reason if count else ""
    first, second = comparisons.first[keep], comparisons.second[keep]
    results = (column[keep].astype(float) + 1) / 2
    table = np.array([style_of(item) for item in comparisons.styles])
    differences = table[comparisons.style_first[keep]] - table[comparisons.style_second[keep]]
    unit = np.sqrt(np.mean(np.square(differences), axis=0))
    scaled = differences / np.where(unit > 0, unit, 1.0)
    try:
        full = paired_logit(first, second, results, n, scaled, clusters=tasks, prior=prior)
        bare = paired_logit(first, second, results, n, scaled[:, :0], clusters=tasks, prior=prior)
    except ValueError as error:
        return None, f"Style cannot be controlled for: {error}"
    style = StyleControl(
        n=count,
        of=int(judged.sum()),
        tasks=full.clusters,
        systems=_systems(comparisons.systems, bare, full),
        effects=tuple(_effects(full, unit, _between(first, second, scaled, n))),
    )
    return style, ""


def _systems(names: Sequence[str], bare: PairedLogit, full: PairedLogit) -> tuple[StyleControlledSystem, ...]:
    raw, controlled = (_ratings(item) for item in (bare, full))
    raw_ranks, ranks = (_ranks(item.strengths) for item in (bare, full))
    systems = [
        StyleControlledSystem(
            system=name,
            raw=raw[at],
            controlled=controlled[at],
            raw_rank=raw_ranks[at],
            controlled_rank=ranks[at],
        )
        for at, name in enumerate(names)
    ]
    return tuple(sorted(systems, key=lambda item: (item.controlled_rank, item.system)))


def _ratings(fit: PairedLogit) -> list[Estimate]:
    strengths = [float(value) for value in fit.strengths]
    fields: dict[str, Any] = {"n": fit.n, "clusters": fit.clusters}
    reason = too_few(fit.clusters)
    if fit.errors is None or reason:
        return [Estimate(value=elo(value), **fields, reason=reason) for value in strengths]
    widths = [_t(fit.clusters) * float(error) for error in fit.errors]
    return [
        Estimate(value=elo(value), low=elo(value - width), high=elo(value + width), **fields)
        for value, width in zip(strengths, widths, strict=True)
    ]


def _ranks(strengths: Any) -> list[int]:
    return [1 + sum(float(other) > float(own) + 1e-9 for other in strengths) for own in strengths]


def _t(clusters: int) -> float:
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    return float(stdtrit(max(clusters - 1, 1), 0.975))


def _effects(fit: PairedLogit, unit: Floats, between: Sequence[float]) -> list[StyleEffect]:
    from scipy.special import stdtr  # noqa: PLC0415 - heavy

    effects = []
    for at, name in enumerate(COVARIATES):
        if at in fit.fixed:
            estimate = Estimate(n=fit.n, clusters=fit.clusters, reason="equal in both texts of every pair")
            effects.append(
                StyleEffect(name=name, unit=0.0, estimate=estimate, odds=None, p=None, by_system=0.0)
            )
            continue
        value = float(fit.effects[at])
        error = 0.0 if fit.effect_errors is None else float(fit.effect_errors[at])
        width = _t(fit.clusters) * error
        effects.append(
            StyleEffect(
                name=name,
                unit=float(unit[at]),
                estimate=Estimate(
                    value=value, low=value - width, high=value + width, n=fit.n, clusters=fit.clusters
                ),
                odds=math.exp(value),
                p=float(2 * stdtr(fit.clusters - 1, -abs(value) / error)) if error > 0 else None,
                by_system=between[at],
            )
        )
    return effects


def _between(first: Any, second: Any, scaled: Floats, n: int) -> list[float]:
    """Return for each covariate the share of its squared differences that is between systems."""
    # Least squares on system indicators, by the normal equations (systems × systems).
    met = np.bincount(first * n + second, minlength=n * n).reshape(n, n)
    met = met + met.T
    square = np.diag(met.sum(axis=1)) - met
    shares = []
    for at in range(scaled.shape[1]):
        values = scaled[:, at]
        right = np.bincount(first, values, n) - np.bincount(second, values, n)
        total = float(values @ values)
        explained = float(right @ (np.linalg.pinv(square.astype(float), hermitian=True) @ right))
        shares.append(min(1.0, max(0.0, explained / total)) if total else 0.0)
    return shares
