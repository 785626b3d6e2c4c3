"""Near-duplicates among short texts: questions, criteria.

Similarity is the Jaccard index of two sets: shared members over all members. For questions these are the shingles of
their content words (runs of three letters), so that endings count little, and pairs of Chinese characters. Neither the
order of words nor their meaning is looked at: a paraphrase in other words does not count.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from assay.text.words import CJK_RANGES, content_terms, has_cjk

_SHINGLE: Final = 3
_FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
# Chinese without particles. Other characters all count: a place or a sector may be two of them.
_CHINESE: Final = re.compile(f"[{CJK_RANGES}]{{2,}}")
_PARTICLES: Final = str.maketrans("", "", "的了吗呢")
_DETAIL: Final = re.compile(
    rf"{_FIGURE.pattern}|(?<![.!?] )(?<!^)\b[A-Z]\w*|\b[A-Za-z]\b|不|未|无|非|\bn[o']t?\b"
)


def shingles(text: str) -> frozenset[str]:
    """Return what two questions can share: shingles of their content words, pairs of Chinese characters, numbers.

    A text without content words is its own only shingle, so that it equals itself alone.
    """
    found = set(_FIGURE.findall(text))
    for term in content_terms(text):
        if not has_cjk(term):
            framed = f" {term} "
            found.update(framed[i : i + _SHINGLE] for i in range(len(framed) - _SHINGLE + 1))
    for run in _CHINESE.findall(text.translate(_PARTICLES)):
        found.update(map(str.__add__, run, run[1:]))
    return frozenset(found or {" ".join(text.casefold().split())})


def details(text: str) -> Counter[str]:
    """Return the numbers, names, single letters and negations of a text; texts that differ in them ask different things."""
    return Counter(_DETAIL.findall(text))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the shared members over all members, 0 to 1; 0 for two empty sets."""
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def similar_pairs(sets: Sequence[frozenset[str]], least: float) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of sets whose Jaccard index is at least ``least``, by index: earlier, later, index.

    Only sets that share a rare member are compared: of two sets similar to ``least``, each shares one of its
    ``n - ceil(least * n) + 1`` rarest members.

    Args:
        sets: The sets.
        least: Smallest Jaccard index, above 0.
    """
    common = Counter(member for members in sets for member in members)
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for later, members in enumerate(sets):
        rare = sorted(members, key=lambda member: (common[member], member))
        # A little less than the bound: the product of floats may lie above the integer it stands for.
        rare = rare[: len(rare) - math.ceil(least * len(rare) - 1e-9) + 1]
        for earlier in sorted({index for member in rare for index in holders[member]}):
            index = jaccard(sets[earlier], members)
            if index >= least:
                yield earlier, later, index
        for member in rare:
            holders[member].append(later)
