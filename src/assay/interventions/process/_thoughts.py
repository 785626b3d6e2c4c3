"""A step's reasoning: its sentences, the difference between two versions, its plans, and restatements of a query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import StepRevision
from assay.interventions.process.step_changes import with_reasoning
from assay.subjects.announcements import planned_queries, searched_object
from assay.subjects.atoms import find_numbers, sentences, terms
from assay.subjects.tool_calls import questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.subjects.trajectory import Step, Trajectory

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


def replaced(text: str, start: int, end: int, new: str) -> str:
    """Return a text with the whole sentences ``text[start:end]`` replaced.

    If ``new`` is empty, white space that the removal would leave over goes too.
    """
    if new:
        return text[:start] + new + text[end:]
    before, after = text[:start], text[end:]
    if not after.strip():
        return before.rstrip() + after[len(after.rstrip()) :] if before.strip() else after
    at_line = not before or before.endswith("\n")
    gap = re.match(r"\s*", after)
    space = gap.group() if gap else ""
    if at_line:
        return before + after[len(space) :]
    return before.rstrip(" ") + after if "\n" in space else before + after.lstrip(" ")


def revision(step: Step, text: str, pattern: str, note: str) -> StepRevision:
    """Return a revision that replaces a step's reasoning by ``text``."""
    return StepRevision(index=step.index, step=with_reasoning(step, text), pattern=pattern, note=note)


def differing(before: str, after: str) -> tuple[str, str]:
    """Return the sentences in which two texts differ, from the first to the last that differs, as one text each."""
    old, new = sentence_texts(before), sentence_texts(after)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return " ".join(old[head : len(old) - tail]), " ".join(new[head : len(new) - tail])


def hangs_on(sentence: str) -> bool:
    """Return whether a sentence depends on the one before it, such as "That fits." or "However, …"."""
    return _HANGS.match(sentence.lstrip(" *-–•\"“'(")) is not None


def joined(items: Sequence[str], *, last: str = "and") -> str:
    """Return items joined as "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


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


def planned(text: str) -> list[str]:
    """Return the queries that a thought announces, as far as it spells them out."""
    found: list[str] = []
    for sentence in sentence_texts(text):
        span = searched_object(sentence)
        if span is not None:
            found.append(sentence[slice(*span)].strip(" \"“”'"))
        found += [sentence[slice(*quoted)] for quoted in planned_queries(sentence)]
    return [item for item in found if item]


# --- the question, said again ---

_NAME_OF: Final = re.compile(
    r"(?:what|who|which)(?: is| was| are| were|'s) ((?:the|a|an|this|that|these) .+)", re.IGNORECASE
)
_CLAUSE: Final = _PHRASES.pattern(r", (?=(?:<<clause>>)\b)")


def asked(query: str) -> str:
    """Return the first question of a query, without surrounding white space."""
    text = " ".join(query.split())
    for match in re.finditer(r"[?？]", text):
        return text[: match.end()]
    return text


def _shorter(text: str) -> list[str]:
    """Return a phrase and its shorter versions, each without one more of its last clauses."""
    found = [text]
    for match in reversed(list(_CLAUSE.finditer(text))):
        head = text[: match.start()]
        if len(head) >= 30 and head.count('"') % 2 == 0 and head.count("(") == head.count(")"):
            found.append(head)
    return found


def topics(query: str) -> list[str]:
    """Return phrases for the subject of a query, in its own words, the longest last."""
    bare = asked(query).rstrip(" ?.")
    match = _NAME_OF.fullmatch(bare)
    if match is not None:
        phrase = re.sub(r"^the (?:full |real |original )?(?:name|title) of ", "", match.group(1))
        return [
            item
            for item in reversed(_shorter(phrase))
            if re.match(r"(?:the|an?|this) ", item) and len(item) <= 160
        ]
    which = re.match(
        r"(?:which|what) ([a-z][\w\- ]{2,40}?)(?:,| (?=(?:is|was|did|who|that|has|were|are)\b))",
        bare,
        re.IGNORECASE,
    )
    return [f"the {which.group(1)}"] if which is not None else []
