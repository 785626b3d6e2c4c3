"""Facts that a thought reports, and where they come from: an earlier response, the query, or neither."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.process._reflections import CONCLUDES, GAP, TURN
from assay.interventions.process._thoughts import balanced, chinese, covered
from assay.subjects.assertions import is_attributed
from assay.subjects.atoms import atom_set, find_names, find_numbers, sentences, terms
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.subjects.atoms import NumberMention
    from assay.subjects.timeline import Timeline
    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "evidence")

# Well-known sites that thoughts name as their source; such a name is not a fact.
SITES: Final = _PHRASES.pattern(r"\b(?:<<sites>>)\b")
# "The Wikipedia entry states that": the speaker and the verb.
SPEAKS: Final = _PHRASES.pattern(
    r"^(?P<lead>(?:<<ordering_words>>)[,:]? )?(?P<source>(?:<<determiners>>)\b[^,.;:()\n]{0,90}?\b"
    "(?:<<source_nouns>>)(?: from [^,.;:()]{2,50}?| on [^,.;:()]{2,50}?| like [^.;:()]{2,80}?"
    r"| for [^,.;:()]{2,50}?| \([^()]{2,60}\))?) (?P<say>(?:also |even |explicitly |specifically "
    "|clearly |further |consistently |all |both |directly )?(?:<<reporting_verbs>>)) (?:that )?"
    "(?P<what>.+)$",
    flags=re.IGNORECASE | re.DOTALL,
)


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


# A capital at the start of a sentence that does not make a name.
_OPENER: Final = _PHRASES.pattern(
    "<<opener>>",
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


def lost(view: Timeline, before: str, after: str, event: int) -> list[str]:
    """Return the facts of ``before`` that do not occur in ``after``."""
    if chinese(before):
        gone = [fact for fact in _chinese_facts(view, before, event) if fact.text not in after]
        gone = [fact for fact in gone if fact.text[:3] not in after]
        numbers = [fact for fact in facts(view, before, event) if fact.text not in after]
        return [fact.text for fact in gone + numbers]
    have = atom_set(after)
    values = {value for number in find_numbers(after) for value in (number.value, number.printed)}
    found = []
    for fact in facts(view, before, event):
        if fact.number:
            if not any(number.value in values for number in find_numbers(fact.text)):
                found.append(fact.text)
        elif not any(atom in have for atom in terms(fact.text)):
            found.append(fact.text)
    return found


def fresh(view: Timeline, text: str, event: int, *, said: bool = False) -> list[str]:
    """Return names and numbers of a text that neither the query nor a response before ``event`` contains.

    Args:
        view: Timeline of the trajectory.
        text: Text to examine.
        event: Number of the event at which the text was written.
        said: Whether what the agent itself wrote before counts as known too.
    """
    found = [
        name.text
        for name in find_names(text)
        if (telling := view.distinctive_atoms(name))
        and not (name.first and len(name.atoms) == 1 and (view.is_word(name) or _OPENER.fullmatch(name.text)))
        and len(view.unknown(name, event, include_own=said)) * 2 >= len(telling)
        and len(view.unknown(name, event, include_own=said)) > 0
    ]
    for number in find_numbers(text):
        known = view.given.knows_number(number, event) or (said and view.written.knows_number(number, event))
        if _counts(number) and not known:
            found.append(number.text)
    return found


_BOLD: Final = re.compile(r"\b(?:is|was|are|were|called)\s{1,2}(?:the )?\*\*([^*\n]{2,60})\*\*")


def subject_name(trajectory: Trajectory, index: int) -> str:
    """Return the name of the subject as far as a step knows it: the answer's name, or else the last name searched.

    Returns:
        The name; ``""`` if the step's reasoning mentions neither.
    """
    text = trajectory.steps[index].reasoning
    bold = _BOLD.search(trajectory.answer or "")
    if bold is not None and not re.match(
        r"(?:who|what|which|identify|name)\b", trajectory.query, re.IGNORECASE
    ):
        bold = None
    if bold is not None and not CONCLUDES.search(bold.group(1)):
        name = bold.group(1).strip(" .:")
        if (
            name
            and name in text
            and (name[0].isupper() or chinese(name))
            and not find_numbers(name)
            and name not in ("Verification", "Explanation")
        ):
            return name
    for query in reversed(covered(trajectory, index)):
        names = find_names(query.strip('"'))
        if len(names) == 1 and names[0].text == query.strip('"') and query.strip('"') in text:
            return query.strip('"')
    return ""
