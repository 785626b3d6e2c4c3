"""What changed between two texts, word by word: for terminals and for pages."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final, Literal

Change = tuple[Literal["same", "out", "in"], str]
# Numbers, words of letters and digits; Han characters one by one; anything else one by one, white space in runs.
_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W_㐀-鿿]+|\s+|.", re.DOTALL)
# Comparing more tokens than this word by word takes seconds; then the whole text counts as replaced.
_LARGEST: Final = 6000


def changes(before: str, after: str) -> list[Change]:
    """Return runs of words that stayed, were taken out, or were put in, in order; what was taken out comes first."""
    if before == after:
        return [("same", before)] if before else []
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    lead = _shared(old, new)
    tail = _shared(old[lead:][::-1], new[lead:][::-1])
    start, end = "".join(old[:lead]), "".join(old[len(old) - tail :])
    middle = _compared(old[lead : len(old) - tail], new[lead : len(new) - tail])
    return [*([("same", start)] if start else ()), *middle, *([("same", end)] if end else ())]


def _shared(old: list[str], new: list[str]) -> int:
    """Return how many tokens two texts have in common at their beginning."""
    return next(
        (at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )


def _compared(old: list[str], new: list[str]) -> list[Change]:
    found: list[Change] = []
    if len(old) + len(new) > _LARGEST:
        return [("out", "".join(old)), ("in", "".join(new))]
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            found.append(("same", "".join(old[a:b])))
            continue
        if a < b:
            found.append(("out", "".join(old[a:b])))
        if c < d:
            found.append(("in", "".join(new[c:d])))
    return found


def near(text: str, room: int, *, first: bool, last: bool) -> str:
    """Return the unchanged words that are next to a change.

    Args:
        text: The words.
        room: Number of characters shown on each side of a change.
        first: Whether they come before every change.
        last: Whether they come after every change.
    """
    if first and last:
        return text if len(text) <= 2 * room else text[: 2 * room] + "…"
    if first:
        return text if len(text) <= room else "…" + text[-room:]
    if last:
        return text if len(text) <= room else text[:room] + "…"
    return text if len(text) <= 2 * room else f"{text[:room]} … {text[-room:]}"
