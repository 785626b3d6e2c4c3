"""The board with style held constant: what is left of a lead where both reports are as long and dressed alike.

Covariates are differences between the two reports of a comparison, first less second:

length      of the logarithm of words
headings    of the logarithm of one more than the headings
citations   likewise
bold        of bold passages in a thousand words, as the logarithm of one more
lists       of list items in a thousand words, likewise

Each is divided by its root mean square and not centred: exchanging the two reports must turn its sign and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from assay.measures.intervals import Estimate
from assay.measures.logit import PairedLogit, paired_logit
from assay.meta.leaderboard.comparisons import Comparisons, TextStyle
from assay.meta.leaderboard.record import EloRating, StyleControl, StyleControlledSystem, StyleEffect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

COVARIATES: Final = ("length", "headings", "citations", "bold", "lists")
# With fewer comparisons than this for each number to be estimated, nothing is.
_LEAST: Final = 3


def style_of(facts: TextStyle) -> tuple[float, ...]:
    """The covariates of a text, in the order of `COVARIATES`."""
    thousands = max(facts.words, 1) / 1000
    return (
        math.log(max(facts.words, 1)),
        math.log1p(facts.headings),
        math.log1p(facts.citations),
        math.log1p(facts.bold / thousands),
        math.log1p(facts.items / thousands),
    )


def control_style(bouts: Comparisons, by: str, prior: float = 1.0) -> tuple[StyleControl | None, str]:
    """The style-controlled board, or none and why; no reason where no text is known at all."""
    column = bouts.outcomes[by]
    said = (column >= -1) & (column <= 1)
    keep = said & (bouts.style_first >= 0) & (bouts.style_second >= 0)
    n, count = len(bouts.systems), int(keep.sum())
    tasks = bouts.task[keep]
    if count < _LEAST * (n + len(COVARIATES)) or len(np.unique(tasks)) < 2:
        least = _LEAST * (n + len(COVARIATES))
        few = f"{count:,} comparisons of texts that are known are too few or of one task; it takes {least}"
        return None, f"Style is not held constant: {few}" if count else ""
    first, second = bouts.first[keep], bouts.second[keep]
    outcome = (column[keep].astype(float) + 1) / 2
    table = np.array([style_of(item) for item in bouts.facts])
    apart = table[bouts.style_first[keep]] - table[bouts.style_second[keep]]
    unit = np.sqrt(np.mean(np.square(apart), axis=0))
    scaled = apart / np.where(unit > 0, unit, 1.0)
    try:
        full = paired_logit(first, second, outcome, n, scaled, clusters=tasks, prior=prior)
        bare = paired_logit(first, second, outcome, n, scaled[:, :0], clusters=tasks, prior=prior)
    except ValueError as error:
        return None, f"StyleControl cannot be held constant: {error}"
    style = StyleControl(
        n=count,
        of=int(said.sum()),
        tasks=full.clusters,
        systems=_systems(bouts.systems, bare, full),
        effects=tuple(_effects(full, unit, _between(first, second, scaled, n))),
    )
    return style, ""


def _systems(names: Sequence[str], bare: PairedLogit, full: PairedLogit) -> tuple[StyleControlledSystem, ...]:
    raw, controlled = (_ratings(item) for item in (bare, full))
    raw_ranks, ranks = (_ranks(item.strengths) for item in (bare, full))
    found = [
        StyleControlledSystem(
            system=name,
            raw=raw[at],
            controlled=controlled[at],
            raw_rank=raw_ranks[at],
            controlled_rank=ranks[at],
        )
        for at, name in enumerate(names)
    ]
    return tuple(sorted(found, key=lambda item: (item.controlled_rank, item.system)))


def _ratings(found: PairedLogit) -> list[EloRating]:
    from assay.measures.bradley_terry import elo  # noqa: PLC0415

    half = _t(found.clusters)
    out = []
    for at, value in enumerate(found.strengths):
        if found.errors is None:
            out.append(EloRating(value=elo(float(value)), reason="one task has no spread"))
            continue
        reach = half * float(found.errors[at])
        out.append(
            EloRating(value=elo(float(value)), low=elo(float(value) - reach), high=elo(float(value) + reach))
        )
    return out


def _ranks(strengths: Any) -> list[int]:
    return [1 + sum(float(other) > float(own) + 1e-9 for other in strengths) for own in strengths]


def _t(clusters: int) -> float:
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    return float(stdtrit(max(clusters - 1, 1), 0.975))


def _effects(found: PairedLogit, unit: Floats, between: Sequence[float]) -> list[StyleEffect]:
    from scipy.special import stdtr  # noqa: PLC0415 - heavy

    out = []
    for at, name in enumerate(COVARIATES):
        if at in found.fixed:
            estimate = Estimate(
                n=found.n, groups=found.clusters, reason="the same in both texts of every pair"
            )
            out.append(StyleEffect(name=name, unit=0.0, estimate=estimate, odds=None, p=None, by_system=0.0))
            continue
        value = float(found.effects[at])
        error = 0.0 if found.effect_errors is None else float(found.effect_errors[at])
        reach = _t(found.clusters) * error
        out.append(
            StyleEffect(
                name=name,
                unit=float(unit[at]),
                estimate=Estimate(
                    value=value, low=value - reach, high=value + reach, n=found.n, groups=found.clusters
                ),
                odds=math.exp(value),
                p=float(2 * stdtr(found.clusters - 1, -abs(value) / error)) if error > 0 else None,
                by_system=between[at],
            )
        )
    return out


def _between(first: Any, second: Any, scaled: Floats, n: int) -> list[float]:
    """Of each covariate the share of its squared differences that follows from which systems they are between."""
    # Least squares on system indicators, by its normal equations: systems by systems.
    met = np.bincount(first * n + second, minlength=n * n).reshape(n, n)
    met = met + met.T
    square = np.diag(met.sum(axis=1)) - met
    found = []
    for at in range(scaled.shape[1]):
        values = scaled[:, at]
        right = np.bincount(first, values, n) - np.bincount(second, values, n)
        total = float(values @ values)
        explained = float(right @ (np.linalg.pinv(square.astype(float), hermitian=True) @ right))
        found.append(min(1.0, max(0.0, explained / total)) if total else 0.0)
    return found
