"""Lists of search results: the blocks that answer the queries of a batch, their items, and their topics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.process._arguments import leaves_of
from assay.subjects.atoms import find_names

if TYPE_CHECKING:
    from assay.subjects.trajectory import ToolCall

_RULE: Final = re.compile(r"\n\s{0,3}={5,}\s{0,3}\n|\n\s{0,3}-{5,}\s{0,3}\n")
ITEM: Final = re.compile(r"^(?P<n>\d{1,2})\. \[", re.MULTILINE)
FOUND: Final = re.compile(r"(?<=found )\d+(?= results)")


def blocks(response: str) -> list[tuple[int, int]]:
    """Return the spans of the blocks in a response to a batch of queries."""
    cuts = [match.span() for match in _RULE.finditer(response)]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(response)]
    return list(zip(starts, ends, strict=True))


def asked_in(call: ToolCall, block: str) -> str | None:
    """Return the query that a block echoes at its start, or None if it echoes none."""
    head = block[:400]
    echoed = [
        leaf.text for leaf in leaves_of(call.arguments) if len(leaf.text) > 3 and f"'{leaf.text}'" in head
    ]
    return max(echoed, key=len) if echoed else None


def items_of(block: str) -> tuple[str, list[str]]:
    """Return the text above a list of results, and the items of the list without their numbers."""
    starts = list(ITEM.finditer(block))
    if not starts:
        return block, []
    ends = [*(match.start() for match in starts[1:]), len(block)]
    items = [
        block[match.start("n") + len(match.group("n")) : end].rstrip()
        for match, end in zip(starts, ends, strict=True)
    ]
    return block[: starts[0].start()], items


def topic_of(items: list[str]) -> set[str]:
    """Return words of names that many of a query's results contain, which show what the query found."""
    counts: dict[str, int] = {}
    for item in items:
        for atom in {atom for name in find_names(item) for atom in name.atoms if len(atom) > 3}:
            counts[atom] = counts.get(atom, 0) + 1
    common = {"wikipedia", "date", "published", "reddit", "facebook", "youtube", "january", "march"}
    return {atom for atom, count in counts.items() if count >= max(3, 0.45 * len(items))} - common
