"""A trajectory as a timeline: which atoms, names and numbers were known at which event.

Time is counted in events: 0 is the query; step ``i`` has its reasoning at ``3i+1``, its calls at ``3i+2``, their
responses at ``3i+3``; the answer comes last. For each atom and number it knows the first event that mentions it,
separately for what the agent was given (query, responses) and what it wrote itself (reasoning, calls).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final

from assay.subjects.assertions import Assertion, find_assertions
from assay.subjects.atoms import (
    NameMention,
    NumberMention,
    atom_set,
    find_numbers,
    initials,
    lower_words,
    terms,
)
from assay.subjects.response_passages import ResponsePassage, response_passages
from assay.subjects.tool_calls import evidence, failure, kind
from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.subjects.span import Span
    from assay.subjects.trajectory import Trajectory

_PHRASES: Final = PhraseFile("assay.subjects", "trajectories")
_WORDS: Final = WordSets(_PHRASES)

NEVER: Final = 1 << 60
_PICTURE: Final = re.compile(r"\[image\]|<image>|omitted in context", re.IGNORECASE)
_SITE: Final = re.compile(r"(?:https?://|www\.)([\w.\-]{3,100}(?:/[\w.\-]{1,60})?)", re.IGNORECASE)


class FirstMentions:
    """The event at which each atom and number was first mentioned."""

    def __init__(self) -> None:
        self.first: dict[str, int] = {}
        self.numbers: dict[float, int] = {}
        self._prefixes: dict[str, list[str]] | None = None
        self._sorted: list[float] | None = None

    def add(self, text: str, event: int) -> None:
        """Record every atom and number of ``text`` as mentioned at ``event``."""
        first = self.first
        for atom in atom_set(text):
            if atom not in first:
                first[atom] = event
        for number in find_numbers(text):
            for value in {number.value, number.printed}:
                if value not in self.numbers:
                    self.numbers[value] = event
        for letters in initials(text):
            first.setdefault(letters, event)
        self._prefixes = self._sorted = None

    def merge(self, other: FirstMentions) -> None:
        """Take over the mentions of another record; an earlier mention in this one stays."""
        for atom, event in other.first.items():
            self.first.setdefault(atom, event)
        for value, event in other.numbers.items():
            self.numbers.setdefault(value, event)
        self._prefixes = self._sorted = None

    def knows(self, atom: str, before: int) -> bool:
        """Return whether the atom – or an inflection.

        A near spelling or an alias of it – was mentioned before an event.
        """
        if self.first.get(atom, NEVER) < before:
            return True
        if any(
            self.first.get(alias, NEVER) < before
            for alias in _PHRASES["timeline_aliases"].choices("en").get(atom, ())
        ):
            return True
        if len(atom) < 4 or not atom[0].isascii():
            return False
        # Demonyms and inflections share a beginning ("Italy", "Italian"); a slip of the pen is one edit away.
        for other in self._near(atom):
            if self.first[other] < before and (_inflected(atom, other) or _one_edit(atom, other)):
                return True
        return False

    def _near(self, atom: str) -> list[str]:
        if self._prefixes is None:
            self._prefixes = {}
            for other in self.first:
                if len(other) >= 3:
                    self._prefixes.setdefault(other[:3], []).append(other)
                    self._prefixes.setdefault("~" + other[-3:], []).append(other)
        return self._prefixes.get(atom[:3], []) + self._prefixes.get("~" + atom[-3:], [])

    def knows_number(self, number: NumberMention, before: int) -> bool:
        """Return whether the number, up to its rounding, was mentioned before an event."""
        if min(self.numbers.get(number.value, NEVER), self.numbers.get(number.printed, NEVER)) < before:
            return True
        if number.year and not number.decade:
            return False
        value = number.value
        low, high = (
            (value // 10 * 10, value // 10 * 10 + 9) if number.decade else (0.98 * value, 1.02 * value)
        )
        if self._sorted is None:
            self._sorted = sorted(self.numbers)
        at = bisect_left(self._sorted, low)
        while at < len(self._sorted) and self._sorted[at] <= high:
            if self.numbers[self._sorted[at]] < before:
                return True
            at += 1
        return False


def _inflected(a: str, b: str) -> bool:
    """Return whether two words share all but a short ending."""
    short = min(len(a), len(b))
    shared = 0
    while shared < short and a[shared] == b[shared]:
        shared += 1
    return shared >= 4 and shared >= short - 2 and max(len(a), len(b)) - shared <= 4


def _one_edit(a: str, b: str) -> bool:
    """Return whether one insertion, deletion or change turns one word into the other; short words never match."""
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 5:
        return False
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    if len(a) == len(b):
        return a[i + 1 :] == b[i + 1 :]
    return a[i + 1 :] == b[i:] if len(a) > len(b) else a[i:] == b[i + 1 :]


class Timeline:
    """A trajectory with its names, numbers, assertions and passages, and the event that first mentioned each."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.given = FirstMentions()
        self.written = FirstMentions()
        self.lower: set[str] = lower_words(trajectory.query)
        # What responses mention, apart from the query.
        responses = FirstMentions()
        self.atoms_in_responses: dict[str, int] = responses.first
        self.numbers_in_responses: dict[float, int] = responses.numbers
        self.given.add(trajectory.query, 0)
        for told in (trajectory.meta.get("task"), *_texts(trajectory.meta.get("later_user_turns"))):
            if isinstance(told, str):
                self.given.add(told, 0)
        self.end = 3 * len(trajectory.steps) + 1
        for step in trajectory.steps:
            base = 3 * step.index
            self.written.add(step.reasoning, base + 1)
            self.lower |= lower_words(step.reasoning)
            for call in step.tool_calls:
                self.written.add(call.argument_text, base + 2)
                if call.response:
                    seen = evidence(call)
                    responses.add(seen, base + 3)
                    self.lower |= lower_words(seen)
        self.given.merge(responses)
        self._domains: list[tuple[int, str]] = [
            (3 * step.index + 3, domain)
            for step in trajectory.steps
            for call in step.tool_calls
            for domain in _domains_of(call.response or "") | _domains_of(call.argument_text)
        ]
        if trajectory.answer:
            self.lower |= lower_words(trajectory.answer)

    @cached_property
    def query_terms(self) -> set[str]:
        """Terms of the query."""
        return terms(self.trajectory.query)

    @cached_property
    def query_numbers(self) -> list[NumberMention]:
        """Numbers in the query."""
        return find_numbers(self.trajectory.query)

    @cached_property
    def assertions(self) -> list[Assertion]:
        """Assertions of the reasoning after the first response, and of the answer."""
        return list(find_assertions(self.trajectory))

    @cached_property
    def passages(self) -> list[ResponsePassage]:
        """The passages of every response."""
        return response_passages(self.trajectory)

    @cached_property
    def has_evidence(self) -> bool:
        """Whether any call brought more than a few words."""
        return any(
            len(call.response or "") > 40 and failure(call) is None for call in self.trajectory.tool_calls
        )

    @cached_property
    def has_unread_evidence(self) -> bool:
        """Whether much of what the agent saw were pictures of which the log holds no text."""
        shown = [call.response for call in self.trajectory.tool_calls if call.response]
        unread = sum(_PICTURE.search(text) is not None and "OCR" not in text for text in shown)
        return unread * 5 > len(shown)

    @cached_property
    def agent_atoms(self) -> frozenset[str]:
        """The words of which the agents' own names are made."""
        return frozenset(atom for agent in self.trajectory.agents for atom in atom_set(agent))

    @cached_property
    def _made_atoms(self) -> set[str]:
        return {
            atom
            for call in self.trajectory.tool_calls
            if kind(call) in ("code", "other")
            for atom in atom_set(call.argument_text)
        }

    def made(self, unknown: Sequence[str]) -> bool:
        """Return whether the agent itself wrote these atoms into a file or a script, which the answer then describes."""
        return all(atom in self._made_atoms for atom in unknown)

    def distinctive_atoms(self, name: NameMention) -> list[str]:
        """Return the atoms that make it a name: neither common words, nor months, nor stop words."""
        return [
            atom
            for atom in name.atoms
            if len(atom) > 1
            and atom not in STOPWORDS
            and atom not in _WORDS.timeline_generic
            and (name.quoted or atom not in self.lower)
        ]

    def is_word(self, name: NameMention) -> bool:
        """Return whether a single capitalised word at the start of a sentence is likely a common word in another form."""
        return (
            name.first
            and len(name.atoms) == 1
            and any(word[:5] == name.atoms[0][:5] for word in self.lower if len(word) > 3)
        )

    def unknown(self, name: NameMention, before: int, *, include_own: bool = False) -> list[str]:
        """Return the distinctive atoms of a name that were not given before an event; empty if the name is known.

        A site's address holds its name in one word ("worldpopulationreview.com", "nytimes.com"). With ``include_own``,
        what the agent wrote itself counts as known.
        """
        missing = [
            atom
            for atom in self.distinctive_atoms(name)
            if len(atom) > 2
            and not self.given.knows(atom, before)
            and not (include_own and self.written.knows(atom, before))
        ]
        if not missing:
            return []
        parts = [atom for atom in name.atoms if atom != "the"]
        joined = "".join(parts)
        forms = [joined] + [
            "".join(part[0] for part in parts[:i]) + "".join(parts[i:]) for i in range(1, len(parts))
        ]
        acronym = name.text.isupper() and 3 <= len(name.text) <= 6
        for event, domain in self._domains:
            if event < before and any(form in domain for form in forms if len(form) >= 5 or acronym):
                return []
        return missing

    def text(self, span: Span) -> str:
        """Return the source text of a span."""
        return self.trajectory.source[span.start : span.end]


def _texts(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _domains_of(text: str) -> set[str]:
    """Return the addresses in a text, letters and digits only, so that names written as one word can be found."""
    return {"".join(filter(str.isalnum, match.lower())) for match in _SITE.findall(text)}


def timeline_of(trajectory: Trajectory) -> Timeline:
    """Return the timeline of a trajectory, made once and shared by all checks."""
    timeline = trajectory.memo.get(Timeline)
    if not isinstance(timeline, Timeline):
        timeline = trajectory.memo[Timeline] = Timeline(trajectory)
    return timeline
