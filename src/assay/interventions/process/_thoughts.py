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
# Instructions to another agent or to oneself, entries of a ledger, code and addresses.
_ORDER: Final = _PHRASES.pattern(
    r"\s*(?:→|#|[-*•]\s|\d+[.)]\s)?\s*\**(?:Step \d+:?\s*)?(?:(?:<<orders.en>>)\b|<<orders.zh>>)|.*\bplease\b",
    flags=re.IGNORECASE | re.DOTALL,
)
_LEDGER: Final = re.compile(r"\s*(?!is_request_satisfied: True)[a-z]+(?:_[a-z]+)+: |\s*→")
_PROGRAM: Final = re.compile(r"\w = \S|[{};]$|^(?:import|print|def|url) |^\W*\w*\W*https?://\S+$")
_CLOSED: Final = re.compile(r"[.!。！；][\W\d]*$")
# Fewest words of a statement; characters, if it is Chinese.
_LEAST: Final = (5, 8)


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


def states(sentence: str) -> bool:
    """Return whether a sentence says what is so: it is whole, and no order, item of a list, ledger entry or line of code."""
    text = sentence.strip()
    words, least = (_HAN.findall(text), _LEAST[1]) if chinese(text) else (text.split(), _LEAST[0])
    return (
        len(words) >= least
        and _CLOSED.search(text) is not None
        and not any(pattern.match(text) for pattern in (_ORDER, _LEDGER))
        and _PROGRAM.search(text) is None
    )


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
