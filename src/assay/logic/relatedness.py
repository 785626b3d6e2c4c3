"""Whether two statements of a report are about the same thing: by words that not half the report uses."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# A term that stands in more than this part of the statements is the report's subject and tells nothing.
_COMMON: Final = 0.12
_FEW: Final = 3
# Shared terms that make two statements related; a Chinese word has about two (pairs of characters).
_ENOUGH: Final = 2
_ENOUGH_ZH: Final = 3


class Relatedness:
    """The terms of a report that tell its statements apart.

    Args:
        statements: Terms of every statement.
        chinese: Whether terms are pairs of characters.
    """

    def __init__(self, statements: Iterable[frozenset[str]], *, chinese: bool) -> None:
        each = list(statements)
        counts = Counter(chain.from_iterable(each))
        most = max(_FEW, int(len(each) * _COMMON))
        self._common = frozenset(term for term, count in counts.items() if count > most)
        self._enough = _ENOUGH_ZH if chinese else _ENOUGH

    def telling(self, left: frozenset[str], right: frozenset[str]) -> int:
        """Return the number of shared terms that tell something."""
        return len((left & right) - self._common)

    def are_related(self, left: frozenset[str], right: frozenset[str], *, times: int = 1) -> bool:
        """Return whether two sets of terms share enough, or ``times`` as much."""
        return self.telling(left, right) >= self._enough * times
