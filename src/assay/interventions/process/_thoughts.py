"""A step's reasoning: its sentences, the difference between two versions, its plans, and restatements of a query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.subjects.atoms import find_numbers, sentences, terms
from assay.subjects.tool_calls import questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "thoughts")

_HANGS: Final = _PHRASES.pattern(
    r"(?:<<hangs>>)\b|(?:这|那|它|他|她|其|因此|所以|然而|但|不过|此外|另外|而)",
    flags=re.IGNORECASE,
)
_HAN: Final = re.compile("[\u4e00-\u9fff]")


def chinese(text: str) -> bool:
    """Return whether at least a third of a text's characters are Chinese."""
    return len(_HAN.findall(text)) * 3 > len(text)


def balanced(text: str) -> bool:
    """Return whether all brackets and quotation marks close; those of a sentence cut at "Nos." may not."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"), ("（", "）"), ("《", "》"))
    return text.count('"') % 2 == 0 and all(text.count(a) == text.count(b) for a, b in pairs)


def sentence_texts(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in sentences(text)]


def hangs_on(sentence: str) -> bool:
    """Return whether a sentence depends on the one before it, such as "That fits." or "However, …"."""
    return _HANGS.match(sentence.lstrip(" *-–•\"“'(")) is not None


def covered(trajectory: Trajectory, index: int) -> list[str]:
    """Return the queries of earlier steps' calls, in order, each once."""
    found: dict[str, str] = {}
    for step in trajectory.steps[:index]:
        for call in step.tool_calls:
            for text in questions(call):
                found.setdefault(text.strip().strip("\"'“”").lower(), text.strip())
    return list(found.values())


def near_query(query: str, earlier: Sequence[str]) -> str | None:
    """Return the first earlier query that ``query`` repeats, or None.

    It repeats a query if the two have nearly the same terms, or if the other has all of its terms and at most one more.
    """
    mine = _content(query)
    for other in earlier:
        theirs = _content(other)
        if not mine or not theirs:
            continue
        shared = len(mine & theirs)
        if shared >= 0.6 * len(mine | theirs) or (mine <= theirs and len(theirs) <= len(mine) + 1):
            return other
    return None


def _content(text: str) -> set[str]:
    """Return the terms and numbers of a text."""
    return {*terms(text), *(number.text for number in find_numbers(text))}


# --- the question, said again ---
