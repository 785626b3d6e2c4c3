"""Ranking more candidates than fit into one prompt: pairs, each judged in both orders.

Few candidates meet all others. Many are merge-sorted, about n·log2 n comparisons, those of a level at the same time; a
candidate is placed after another only by a verdict, ties and comparisons without a verdict keep the given order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from assay.judges.judgment import Judgment
from assay.models.base import Usage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from assay.subjects.subject import Subject

    Compare: TypeAlias = Callable[[Subject, Subject], Awaitable[Judgment]]

# Up to here everyone meets everyone: 28 pairs.
ALL_PAIRS: Final = 8


class TournamentResult(msgspec.Struct, frozen=True):
    """The result of a tournament.

    Attributes:
        order: Indices of the candidates, best first; those without a place last, as given.
        places: For each candidate, from 1. Where everyone met everyone it follows from the points; after a sort a
            candidate has a place of its own only if the one before it won against it. None where no comparison of it gave
            a verdict.
        points: For each candidate the share of its decided and tied comparisons it won, a tie counting half; None if
            none of its comparisons gave a verdict.
        choice: The one that has the first place to itself, if there is one.
        judgments: Every comparison made, by the numbers of those compared.
        undecided: Comparisons without a verdict.
    """

    order: tuple[int, ...]
    places: tuple[int | None, ...]
    points: tuple[float | None, ...]
    choice: int | None
    judgments: tuple[Judgment, ...]
    undecided: int

    @property
    def usage(self) -> Usage:
        """Of all comparisons."""
        return sum((item.usage for item in self.judgments), Usage())


async def tournament(compare: Compare, subjects: Sequence[Subject]) -> TournamentResult:
    """Rank candidates by comparing pairs. Raises what ``compare`` raises."""
    table = _Comparisons(compare, subjects)
    count = len(subjects)
    if count <= ALL_PAIRS:
        await asyncio.gather(*(table.play(a, b) for a in range(count) for b in range(a + 1, count)))
        points = table.points()
        places = places_of(points)
    else:
        order = await _sorted(table, list(range(count)))
        points = table.points()
        places = table.places(order)
    order = sorted(range(count), key=lambda i: (places[i] is None, places[i] or 0, i))
    # Whoever came back first: the record does not depend on it.
    judgments = tuple(table.judgments[pair] for pair in sorted(table.judgments))
    choice = places.index(1) if places.count(1) == 1 else None
    return TournamentResult(tuple(order), tuple(places), tuple(points), choice, judgments, table.undecided)


def places_of(points: Sequence[float | None]) -> list[int | None]:
    """1 for the most, and so on; as many as are ahead of a candidate are counted, so equal ones share a place."""
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
        """Compare two; whether the second is to be placed first."""
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
        """After a sort. Neighbours have met: one was placed when the other was next in line."""
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
    left, right = await asyncio.gather(_sorted(table, items[:half]), _sorted(table, items[half:]))
    merged: list[int] = []
    while left and right:
        merged.append((right if await table.play(left[0], right[0]) else left).pop(0))
    return merged + left + right
