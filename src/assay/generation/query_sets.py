"""Sets of questions for a data set: near-duplicates left out, and a split by question without leakage.

ReportLogic (appendix B.1) splits by question, so that no question stands in two parts, filters near-duplicates of
questions that a model wrote, and uses these for training alone. How similar two questions are is the Jaccard index of
`assay.text.near_duplicates`; the paper names no measure and no threshold.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, Literal, get_args

import msgspec

from assay.text.near_duplicates import details, shingles, similar_pairs

Part = Literal["train", "dev", "test"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
# From here on, questions that agree in their numbers and names are taken for the same. Of pairs of short questions
# that differ in one word of substance ("rise", "fall"), English ones stay below 0.65 and Chinese ones below 0.75.
SAME: Final = 0.75
# From here on, questions are not separated by a split. Unrelated questions stay below 0.3.
RELATED: Final = 0.4
SHARES: Final = (80.0, 10.0, 10.0)


class NearDuplicate(msgspec.Struct, frozen=True):
    """A question that is left out: its index, the question that it repeats, and how similar they are (0 to 1)."""

    index: int
    of: str
    similarity: float


class SplitQuery(msgspec.Struct, frozen=True):
    """A question to be assigned to a part.

    Attributes:
        text: The question.
        origin: The question it was derived from, if a model wrote it; such questions are for training alone.
    """

    text: str
    origin: str | None = None


def near_duplicates(
    texts: Sequence[str], *, least: float = SAME, against: Sequence[str] = ()
) -> list[NearDuplicate]:
    """Return the questions that repeat an earlier one that stays, or one of ``against``.

    Two questions that differ in a number, a name (except the first word) or a negation are not the same.

    Args:
        texts: The questions; of several alike, the first stays.
        least: Smallest similarity, above 0.
        against: Questions that none of them may repeat.
    """
    every = [*against, *texts]
    first = len(against)
    earlier: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for one, two, similarity in similar_pairs([shingles(text) for text in every], least):
        if two >= first and details(every[one]) == details(every[two]):
            earlier[two].append((one, similarity))
    found: dict[int, NearDuplicate] = {}
    for index in range(first, len(every)):
        alike = [item for item in earlier[index] if item[0] not in found]
        if alike:
            of, similarity = max(alike, key=lambda item: (item[1], -item[0]))
            found[index] = NearDuplicate(index - first, every[of], similarity)
    return list(found.values())


def split_queries(
    queries: Sequence[SplitQuery],
    *,
    shares: Sequence[float] = SHARES,
    seed: int = 0,
    least: float = RELATED,
) -> list[Part | None]:
    """Assign each question to a part; None for a question by a model whose relatives are not in the training part.

    Questions that are linked by similarity, or that one was derived from the other, stay together. The parts depend on
    the questions and the seed, not on the order of the questions.

    Args:
        queries: The questions.
        shares: Relative sizes of train, dev and test; questions by a model do not count.
        seed: Another seed gives another split.
        least: Smallest similarity of questions that stay together, above 0.
    """
    groups = sorted(_groups(queries, least), key=lambda group: min(queries[i].text for i in group))
    random.Random(seed).shuffle(groups)  # noqa: S311 - a split, not a secret
    # Large groups first: they fit only while the parts are empty.
    groups.sort(key=lambda group: -_weight(group, queries))
    total = sum(_weight(group, queries) for group in groups)
    room = [total * share / sum(shares) for share in shares]
    parts: list[Part | None] = [None] * len(queries)
    for group in groups:
        size = _weight(group, queries)
        # Where the largest share of the part is still to come, so that none is left empty at the end.
        part = max(range(len(PARTS)), key=lambda i: room[i]) if size else 0
        room[part] -= size
        for i in group:
            parts[i] = PARTS[part] if part == 0 or queries[i].origin is None else None
    return parts


def _weight(group: Sequence[int], queries: Sequence[SplitQuery]) -> int:
    return sum(queries[i].origin is None for i in group)


def _groups(queries: Sequence[SplitQuery], least: float) -> list[list[int]]:
    """Return the connected components of similar questions and of questions with one origin."""
    leader = list(range(len(queries)))

    def find(i: int) -> int:
        while leader[i] != i:
            leader[i] = leader[leader[i]]
            i = leader[i]
        return i

    first: dict[str, int] = {}
    for i, query in enumerate(queries):
        for text in (query.text, query.origin):
            if text is not None:
                leader[find(i)] = find(first.setdefault(" ".join(text.split()), i))
    for one, two, _ in similar_pairs([shingles(query.text) for query in queries], least):
        leader[find(one)] = find(two)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for i in range(len(queries)):
        groups[find(i)].append(i)
    return list(groups.values())
