"""Win rates of every system, on every dimension, in every domain: counted in columns, never pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from assay.errors import UsageError
from assay.measures.pairwise import clustered_shares
from assay.meta.leaderboard.comparisons import LOSS, NO_VERDICT, TIE, WIN, Comparisons
from assay.meta.leaderboard.record import ComparisonCounts, WinRate
from assay.suggest import did_you_mean


def in_domain(bouts: Comparisons, domain: str) -> Comparisons:
    """Only what is of a domain, and the systems that are in it.

    Raises:
        UsageError: There is no such domain.
    """
    if domain not in bouts.domains:
        known = (
            did_you_mean(domain, list(bouts.domains))
            if bouts.domains
            else "no domain is known (--tasks FILE names them)"
        )
        raise UsageError(f"nothing is of the domain {domain!r}; {known}")
    keep = bouts.domain == bouts.domains.index(domain)
    there = np.unique(np.concatenate([bouts.first[keep], bouts.second[keep]]))
    place = np.full(len(bouts.systems), -1, dtype=np.int64)
    place[there] = np.arange(len(there))
    return msgspec.structs.replace(
        bouts,
        systems=tuple(bouts.systems[at] for at in there),
        domains=(domain,),
        first=place[bouts.first[keep]],
        second=place[bouts.second[keep]],
        task=bouts.task[keep],
        domain=np.zeros(int(keep.sum()), dtype=np.int64),
        outcomes={key: column[keep] for key, column in bouts.outcomes.items()},
        style_first=bouts.style_first[keep],
        style_second=bouts.style_second[keep],
    )


def tally(column: Any) -> tuple[int, int, int, int]:
    """How many are won by the first, by the second, tied, and without a verdict."""
    found = [int((column == code).sum()) for code in (WIN, LOSS, TIE, NO_VERDICT)]
    return found[0], found[1], found[2], found[3]


def win_rates(bouts: Comparisons, dimensions: Sequence[str]) -> Iterator[WinRate]:
    """The win rate of each system on each dimension: all domains together, then each."""
    parts = len(bouts.domains)
    single = parts == 1 and not (bouts.domain < 0).any()
    both = _Sides(
        system=np.concatenate([bouts.first, bouts.second]),
        other=np.concatenate([bouts.second, bouts.first]),
        task=np.concatenate([bouts.task, bouts.task]),
    )
    domain = np.concatenate([bouts.domain, bouts.domain])
    for dimension in dimensions:
        column = bouts.outcomes[dimension]
        said = np.concatenate([column, np.where(np.abs(column) == 1, -column, column)])
        yield from _of(bouts, dimension, None, both, said)
        if single:
            continue
        for part in range(parts):
            keep = domain == part
            yield from _of(bouts, dimension, bouts.domains[part], both.of(keep), said[keep])


class _Sides(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Both sides of comparisons beneath one another: each comparison is one of each of the two."""

    system: Any
    other: Any
    task: Any

    def of(self, keep: Any) -> _Sides:
        """Some of them."""
        return _Sides(system=self.system[keep], other=self.other[keep], task=self.task[keep])


def _of(
    bouts: Comparisons, dimension: str, domain: str | None, sides: _Sides, said: Any
) -> Iterator[WinRate]:
    n = len(bouts.systems)
    decided = np.abs(said) == 1
    system, other, task = (item[decided] for item in (sides.system, sides.other, sides.task))
    wins = said[decided] == WIN
    # One entry for a task of a system: a number for the two, since rows of two are slow to sort.
    width = int(task.max(initial=0)) + 1
    entry, place = np.unique(system * width + task, return_inverse=True)
    won = np.bincount(place.reshape(-1), wins, len(entry))
    many = np.bincount(place.reshape(-1), minlength=len(entry))
    rates = clustered_shares(won, many, entry // width, n)
    met = np.bincount(system * n + other, minlength=n * n).reshape(n, n)
    beat = np.bincount(system * n + other, wins, n * n).reshape(n, n)
    codes = [np.bincount(sides.system[said == code], minlength=n) for code in (WIN, LOSS, TIE, NO_VERDICT)]
    for at, name in enumerate(bouts.systems):
        some = met[at] > 0
        yield WinRate(
            domain=domain,
            dimension=dimension,
            system=name,
            rate=rates[at],
            counts=ComparisonCounts(
                wins=int(codes[0][at]),
                losses=int(codes[1][at]),
                ties=int(codes[2][at]),
                no_verdict=int(codes[3][at]),
            ),
            by_opponent=float((beat[at][some] / met[at][some]).mean()) if some.any() else None,
        )
