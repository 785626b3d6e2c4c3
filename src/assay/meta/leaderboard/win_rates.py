"""Win rates of every system, on every dimension and in every domain, counted from columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from assay.errors import UsageError
from assay.measures.pairwise import clustered_shares
from assay.meta.leaderboard.comparisons import (
    HALF_LOSS,
    HALF_WIN,
    LOSS,
    NO_VERDICT,
    TIE,
    WIN,
    Comparisons,
)
from assay.meta.leaderboard.record import ComparisonCounts, WinRate
from assay.suggest import did_you_mean


def in_domain(comparisons: Comparisons, domain: str) -> Comparisons:
    """Return the comparisons of one domain, and its systems.

    Raises:
        UsageError: No comparison is of that domain.
    """
    if domain not in comparisons.domains:
        known = (
            did_you_mean(domain, list(comparisons.domains)) if comparisons.domains else "no domain is known"
        )
        raise UsageError(
            f"no comparison is of the domain {domain!r}; {known}",
            cli_hint="--tasks FILE names the domains of tasks",
        )
    keep = comparisons.domain == comparisons.domains.index(domain)
    present = np.unique(np.concatenate([comparisons.first[keep], comparisons.second[keep]]))
    place = np.full(len(comparisons.systems), -1, dtype=np.int64)
    place[present] = np.arange(len(present))
    return msgspec.structs.replace(
        comparisons,
        systems=tuple(comparisons.systems[at] for at in present),
        domains=(domain,),
        first=place[comparisons.first[keep]],
        second=place[comparisons.second[keep]],
        task=comparisons.task[keep],
        domain=np.zeros(int(keep.sum()), dtype=np.int64),
        verdicts={key: column[keep] for key, column in comparisons.verdicts.items()},
        style_first=comparisons.style_first[keep],
        style_second=comparisons.style_second[keep],
    )


_CODES: Final = {
    "wins": WIN,
    "losses": LOSS,
    "ties": TIE,
    "no_verdict": NO_VERDICT,
    "half_wins": HALF_WIN,
    "half_losses": HALF_LOSS,
}


def tally(column: Any) -> ComparisonCounts:
    """Count comparisons by verdict, as seen from the first system."""
    return ComparisonCounts(**{name: int((column == code).sum()) for name, code in _CODES.items()})


def win_rates(comparisons: Comparisons, dimensions: Sequence[str]) -> Iterator[WinRate]:
    """Yield the win rate of each system on each dimension, for all domains together and for each."""
    parts = len(comparisons.domains)
    single = parts == 1 and not (comparisons.domain < 0).any()
    both = _Sides(
        system=np.concatenate([comparisons.first, comparisons.second]),
        other=np.concatenate([comparisons.second, comparisons.first]),
        task=np.concatenate([comparisons.task, comparisons.task]),
    )
    domain = np.concatenate([comparisons.domain, comparisons.domain])
    for dimension in dimensions:
        column = comparisons.verdicts[dimension]
        codes = np.concatenate([column, np.where(np.abs(column) <= 1, -column, column)])
        yield from _cell_rates(comparisons, dimension, None, both, codes)
        if single:
            continue
        for part in range(parts):
            keep = domain == part
            yield from _cell_rates(
                comparisons, dimension, comparisons.domains[part], both.of(keep), codes[keep]
            )


class _Sides(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Comparisons seen from both sides, so that each occurs twice."""

    system: Any
    other: Any
    task: Any

    def of(self, keep: Any) -> _Sides:
        """Return the selected rows."""
        return _Sides(system=self.system[keep], other=self.other[keep], task=self.task[keep])


def _cell_rates(
    comparisons: Comparisons, dimension: str, domain: str | None, sides: _Sides, column: Any
) -> Iterator[WinRate]:
    n = len(comparisons.systems)
    decided = (np.abs(column) <= 1) & (column != 0)
    system, other, task = (item[decided] for item in (sides.system, sides.other, sides.task))
    # A half win counts half, as a win and as a comparison that was decided.
    wins, weight = np.maximum(column[decided], 0), np.abs(column[decided])
    # One entry for each system and task, as a single number because pairs are slow to sort.
    width = int(task.max(initial=0)) + 1
    entry, place = np.unique(system * width + task, return_inverse=True)
    won = np.bincount(place.reshape(-1), wins, len(entry))
    many = np.bincount(place.reshape(-1), weight, len(entry))
    rates = clustered_shares(won, many, entry // width, n)
    met = np.bincount(system * n + other, weight, n * n).reshape(n, n)
    beat = np.bincount(system * n + other, wins, n * n).reshape(n, n)
    codes = {name: np.bincount(sides.system[column == code], minlength=n) for name, code in _CODES.items()}
    for at, name in enumerate(comparisons.systems):
        some = met[at] > 0
        yield WinRate(
            domain=domain,
            dimension=dimension,
            system=name,
            rate=rates[at],
            counts=ComparisonCounts(**{code: int(numbers[at]) for code, numbers in codes.items()}),
            by_opponent=float((beat[at][some] / met[at][some]).mean()) if some.any() else None,
        )
