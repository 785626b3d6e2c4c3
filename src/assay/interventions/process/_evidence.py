"""Facts that a thought reports, and where they come from: an earlier response, the query, or neither."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.process._reflections import GAP, TURN
from assay.interventions.process._thoughts import balanced, chinese, states
from assay.subjects.assertions import is_attributed
from assay.subjects.atoms import atom_set, find_names, find_numbers, sentences
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.atoms import NumberMention
    from assay.subjects.timeline import Timeline

_PHRASES: Final = PhraseFile("assay.interventions", "evidence")

# Well-known sites that thoughts name as their source; such a name is not a fact.
SITES: Final = _PHRASES.pattern(r"\b(?:<<sites>>)\b")


_SOURCE: Final = "(?:<<source>>)"
# "sources like A and B mention", "the A article": the names are those of the sources.
_LISTED: Final = _PHRASES.pattern(
    rf"\b{_SOURCE}\b,? \(?(?:like|such as|including|from|e\.g\.,?|by|on|of)\b[^.;]{{2,120}}?(?=\b(?:"
    "<<listed>>)|[.;)]|$)",
    flags=re.IGNORECASE,
)
_OF_SOURCE: Final = _PHRASES.pattern(
    rf"(?:'s|’s)?(?: [\w’'-]+){{0,2}}? {_SOURCE}\b",
    flags=re.IGNORECASE,
)


# "RealYorkshireBlog", "Today.com": a site by the look of its name.
_DOMAIN: Final = re.compile(r"[a-z]{3}[A-Z][a-z]|\w\.(?:com|org|net|co|edu|gov|uk)\b")


class ThoughtFact(msgspec.Struct, frozen=True):
    """A name or number in a text that an earlier response contains and the query does not.

    Attributes:
        text: The name or number as written.
        start: Start in the text.
        end: End in the text.
        number: Whether it is a number.
    """

    text: str
    start: int
    end: int
    number: bool


class FactSentence(msgspec.Struct, frozen=True):
    """A sentence of a thought that reports facts.

    Attributes:
        start: Start in the reasoning.
        end: End in the reasoning.
        facts: Its facts, with offsets in the reasoning.
        sentence: Number of the sentence, from 0.
        last: Whether it is the last of its paragraph.
    """

    start: int
    end: int
    facts: tuple[ThoughtFact, ...]
    sentence: int
    last: bool


def event_of(index: int) -> int:
    """Return the number of the timeline event at which a step's reasoning was written."""
    return 3 * index + 1


def _counts(number: NumberMention) -> bool:
    """Return whether a number is distinctive enough to be a fact: a year, a share, a fraction, or at least 13."""
    return number.year or number.percent or number.value >= 13 or number.value != int(number.value)


def facts(view: Timeline, text: str, event: int) -> list[ThoughtFact]:
    """Return the facts of a text that a response before ``event`` contains and the query does not."""
    given = atom_set(view.trajectory.query)
    numbers = {number.value for number in view.query_numbers}
    found: list[ThoughtFact] = []
    listed = [match.span() for match in _LISTED.finditer(text)]
    for name in find_names(text):
        if _OF_SOURCE.match(text, name.end) or any(start <= name.start < end for start, end in listed):
            continue
        telling = [atom for atom in view.distinctive_atoms(name) if atom not in given]
        if not telling or (name.first and len(name.atoms) == 1 and view.is_word(name)):
            continue
        if SITES.search(name.text) or _DOMAIN.search(name.text) or is_attributed(text, name):
            continue
        if all(view.atoms_in_responses.get(atom, event) < event for atom in telling):
            found.append(ThoughtFact(name.text, name.start, name.end, False))
    for number in find_numbers(text):
        if (
            _counts(number)
            and number.value not in numbers
            and number.printed not in numbers
            and min(
                view.numbers_in_responses.get(number.value, event),
                view.numbers_in_responses.get(number.printed, event),
            )
            < event
        ):
            found.append(ThoughtFact(number.text, number.start, number.end, True))
    return sorted(found, key=lambda fact: fact.start)


def findings(view: Timeline, index: int, *, plans: bool = False) -> list[FactSentence]:
    """Return the sentences of a thought that report facts from earlier responses.

    Args:
        view: Timeline of the trajectory.
        index: Number of the step, from 0.
        plans: Whether to include sentences that plan or doubt.
    """
    step = view.trajectory.steps[index]
    text = step.reasoning
    spans = sentences(text)
    found = []
    for sentence, (start, end) in enumerate(spans):
        part = text[start:end]
        if not plans and (TURN.search(part) or GAP.search(part) or "?" in part or "？" in part):
            continue
        if (
            part.endswith((":", "："))
            or not balanced(part)
            or not states(part)
            or re.match(r"(?:okay|alright)\b|.{0,40}\bthe (?:user|question)(?:'s)?\b", part, re.IGNORECASE)
        ):
            continue
        own = facts(view, part, event_of(index))
        if chinese(part) and not own:
            own = _chinese_facts(view, part, event_of(index))
        if not own:
            continue
        shifted = tuple(
            ThoughtFact(fact.text, fact.start + start, fact.end + start, fact.number) for fact in own
        )
        last = sentence + 1 == len(spans) or "\n" in text[end : spans[sentence + 1][0]]
        found.append(FactSentence(start, end, shifted, sentence, last))
    return found


def _chinese_facts(view: Timeline, text: str, event: int) -> list[ThoughtFact]:
    """Return strings of three or more Chinese characters that an earlier response contains and the query does not."""
    response = "".join(
        call.response or "" for step in view.trajectory.steps[: event // 3] for call in step.tool_calls
    )
    found: list[ThoughtFact] = []
    at = 0
    while at < len(text) - 1:
        end = at
        while (
            end < len(text) and text[at : end + 1] in response and not re.match(r"[，。、；：\s]", text[end])
        ):
            end += 1
        piece = text[at:end]
        if len(piece) >= 3 and chinese(piece) and piece not in view.trajectory.query:
            found.append(ThoughtFact(piece, at, end, False))
        at = max(end, at + 1)
    return found
