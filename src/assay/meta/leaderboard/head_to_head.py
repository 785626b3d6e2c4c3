"""The comparisons of each pair of systems."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from assay.measures.bradley_terry import elo
from assay.measures.intervals import Estimate
from assay.measures.pairwise import StrengthGap, clustered_shares
from assay.meta.leaderboard.comparisons import HALF_LOSS, HALF_WIN, LOSS, NO_VERDICT, TIE, WIN, Comparisons
from assay.meta.leaderboard.record import ComparisonCounts, HeadToHead


def head_to_head(
    comparisons: Comparisons, by: str, gaps: Sequence[StrengthGap], apart: set[tuple[int, int]]
) -> list[HeadToHead]:
    """Return the comparisons of every pair, and whether their ratings differ."""
    n, column = len(comparisons.systems), comparisons.verdicts[by]
    low, high = (
        np.minimum(comparisons.first, comparisons.second),
        np.maximum(comparisons.first, comparisons.second),
    )
    # Seen from the system with the lower index.
    codes = np.where((comparisons.first > comparisons.second) & (np.abs(column) <= 1), -column, column)
    cell = low * n + high
    kinds = (WIN, LOSS, TIE, NO_VERDICT, HALF_WIN, HALF_LOSS)
    counts = {code: np.bincount(cell[codes == code], minlength=n * n) for code in kinds}
    decided = (np.abs(codes) <= 1) & (codes != 0)
    entry, place = np.unique(
        np.stack([cell[decided], comparisons.task[decided]]), axis=1, return_inverse=True
    )
    place = place.reshape(-1)
    won = np.bincount(place, np.maximum(codes[decided], 0), entry.shape[1])
    many = np.bincount(place, np.abs(codes[decided]), entry.shape[1])
    rates = clustered_shares(won, many, entry[0].astype(np.int64), n * n)
    pairs = []
    for gap in gaps:
        reverse = gap.first > gap.second
        at = min(gap.first, gap.second) * n + max(gap.first, gap.second)
        sign = -1 if reverse else 1
        pairs.append(
            HeadToHead(
                first=comparisons.systems[gap.first],
                second=comparisons.systems[gap.second],
                counts=ComparisonCounts(
                    wins=int(counts[sign * WIN][at]),
                    losses=int(counts[-sign * WIN][at]),
                    ties=int(counts[TIE][at]),
                    no_verdict=int(counts[NO_VERDICT][at]),
                    half_wins=int(counts[sign * HALF_WIN][at]),
                    half_losses=int(counts[-sign * HALF_WIN][at]),
                ),
                rate=_complement(rates[at]) if reverse else rates[at],
                difference=elo(gap.difference) - elo(0.0),
                p=gap.p,
                adjusted=gap.adjusted,
                apart=(gap.first, gap.second) in apart,
            )
        )
    return pairs


def _complement(rate: Estimate) -> Estimate:
    """Return the share that the other side won."""
    if rate.value is None:
        return rate
    return msgspec.structs.replace(
        rate,
        value=1 - rate.value,
        low=None if rate.high is None else 1 - rate.high,
        high=None if rate.low is None else 1 - rate.low,
    )
