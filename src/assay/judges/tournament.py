"""Ranking more candidates than fit into one prompt, by comparisons of pairs in both orders.

With few candidates, every pair is compared. Many are merge-sorted in about n·log2 n comparisons, those of a level
at the same time. A candidate is placed after another only by a verdict; ties and comparisons without a verdict keep
the given order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import msgspec

from assay.judges.judgment import Judgment
from assay.models.base import PendingCall, Usage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from assay.subjects.subject import Subject

    Compare: TypeAlias = Callable[[Subject, Subject], Awaitable[Judgment]]

T = TypeVar("T")
# Up to this many candidates, all pairs are compared: 28 pairs.
ALL_PAIRS: Final = 8


class TournamentResult(msgspec.Struct, frozen=True):
    """The result of a tournament.

    Attributes:
        order: Indices of the candidates, best first; those without a place come last, in the given order.
        places: Place of each candidate, from 1. With all pairs compared it follows from the points; after a sort, a
            candidate shares the place of the one before it unless that one won against it. None if no comparison
            gave a verdict.
        points: Share of its decided comparisons that each candidate won, a tie counting half; None if none gave a
            verdict.
        choice: The candidate that has the first place to itself, if there is one.
        judgments: All comparisons, by the indices of the candidates.
        undecided: Number of comparisons without a verdict.
    """

    order: tuple[int, ...]
    places: tuple[int | None, ...]
    points: tuple[float | None, ...]
    choice: int | None
    judgments: tuple[Judgment, ...]
    undecided: int

    @property
    def usage(self) -> Usage:
        """Usage of all comparisons."""
        return sum((item.usage for item in self.judgments), Usage())


async def tournament(compare: Compare, subjects: Sequence[Subject]) -> TournamentResult:
    """Rank candidates by comparing pairs. Raises what ``compare`` raises."""
    table = _Comparisons(compare, subjects)
    count = len(subjects)
    if count <= ALL_PAIRS:
        await _all([table.play(a, b) for a in range(count) for b in range(a + 1, count)])
        points = table.points()
        places = places_of(points)
    else:
        order = await _sorted(table, list(range(count)))
        points = table.points()
        places = table.places(order)
    order = sorted(range(count), key=lambda i: (places[i] is None, places[i] or 0, i))
    # In a fixed order, whichever comparison finished first.
    judgments = tuple(table.judgments[pair] for pair in sorted(table.judgments))
    choice = places.index(1) if places.count(1) == 1 else None
    return TournamentResult(tuple(order), tuple(places), tuple(points), choice, judgments, table.undecided)


def places_of(points: Sequence[float | None]) -> list[int | None]:
    """Return places from 1: one more than the number of candidates ahead, so that equal points share a place."""
    known = [value for value in points if value is not None]
    return [None if value is None else 1 + sum(other > value for other in known) for value in points]


class _Comparisons:
    """The comparisons made so far."""

    def __init__(self, compare: Compare, subjects: Sequence[Subject]) -> None:
        self._compare = compare
        self._subjects = subjects
        self._won = [0.0] * len(subjects)
        self._met = [0] * len(subjects)
        self._beat: set[tuple[int, int]] = set()
        self.judgments: dict[tuple[int, int], Judgment] = {}
        self.undecided = 0

    async def play(self, a: int, b: int) -> bool:
        """Compare two candidates; return whether the second is to be placed first."""
        judgment = self.judgments[a, b] = await self._compare(self._subjects[a], self._subjects[b])
        verdict = judgment.preference
        if verdict is None:
            self.undecided += 1
            return False
        share = {"A>B": 1.0, "A<B": 0.0}.get(verdict, 0.5)
        for index, won in ((a, share), (b, 1.0 - share)):
            self._won[index] += won
            self._met[index] += 1
        if share != 0.5:
            self._beat.add((a, b) if share else (b, a))
        return share == 0.0

    def places(self, order: Sequence[int]) -> list[int | None]:
        """Return the places after a sort, in which all neighbours have been compared with each other."""
        places: list[int | None] = [None] * len(order)
        placed = [index for index in order if self._met[index]]
        for number, index in enumerate(placed):
            before = placed[number - 1] if number else None
            beaten = before is None or (before, index) in self._beat
            places[index] = number + 1 if beaten else places[placed[number - 1]]
        return places

    def points(self) -> list[float | None]:
        return [round(won / met, 6) if met else None for won, met in zip(self._won, self._met, strict=True)]


async def _sorted(table: _Comparisons, items: list[int]) -> list[int]:
    if len(items) < 2:
        return items
    half = len(items) // 2
    left, right = await _all([_sorted(table, items[:half]), _sorted(table, items[half:])])
    merged: list[int] = []
    while left and right:
        merged.append((right if await table.play(left[0], right[0]) else left).pop(0))
    return merged + left + right


async def _all(work: Sequence[Awaitable[T]]) -> list[T]:
    """Return all results. If one fails or is to come in a batch file, the others are finished first."""
    results = await asyncio.gather(*work, return_exceptions=True)
    errors = [item for item in results if isinstance(item, BaseException)]
    if errors:
        raise min(errors, key=lambda error: isinstance(error, PendingCall))
    return [item for item in results if not isinstance(item, BaseException)]
