"""Invented sources: reference works that fit a topic but were never retrieved in the trajectory."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from assay.interventions.process._thoughts import topics
from assay.subjects.atoms import find_numbers
from assay.subjects.tool_calls import questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from random import Random

    from assay.subjects.timeline import Timeline

_PHRASES: Final = PhraseFile("assay.interventions", "invented_sources")
_UNREAD_SOURCES: Final = PhraseFile("assay.interventions", "unread_sources")

_STOPS: Final = _PHRASES.pattern(r"\b(?:<<stops>>)\b|[,;.(]")
_DIED: Final = re.compile(
    r"(?:1[6-9]\d\d|20\d\d)\)? ?[–-] ?(?:[A-Z]?[a-z]* ?\d{0,2},? ?)*(?P<died>1[6-9]\d\d|20\d\d)"
)
_BORN: Final = re.compile(r"\(born\b|\bborn (?:on )?\d|; born ")


def kind_of(view: Timeline, name: str, index: int) -> str:
    """Return the kind of thing that ``name`` is, as an earlier response or the query describes it.

    An example is "Dallas-based restaurant chain", from "… is a Dallas-based restaurant chain".

    Args:
        view: Timeline of the trajectory.
        name: Name of the thing; ``""`` for the subject of the query.
        index: Number of the step; only responses of earlier steps are read.

    Returns:
        The description; ``""`` if neither a response nor the query gives one.
    """
    if name:
        pattern = re.compile(
            rf"{re.escape(name)}(?: \([^()]{{0,200}}\)|,[^,.]{{0,60}},)? (?:is|was|are|were) (?:an?|the"
            rf"|one of the) ([^\n]{{3,140}})"
        )
        for step in view.trajectory.steps[:index]:
            for call in step.tool_calls:
                match = pattern.search(call.response or "")
                if match is not None:
                    return _STOPS.split(match.group(1), maxsplit=1)[0]
        opening = _opening(view, name, index)
        searched = any(
            name in [text.strip(' "') for text in questions(call)] for call in view.trajectory.tool_calls
        )
        if opening or searched:
            return opening
    about = topics(view.trajectory.query)
    if about and (not name or name.lower() in (view.trajectory.answer or "").lower()):
        return _STOPS.split(re.sub(r"^(?:the|an?|this) ", "", about[0]), maxsplit=1)[0]
    return ""


def _opening(view: Timeline, name: str, index: int) -> str:
    """Return how the page that a search for ``name`` returned describes it in its first sentence, or ``""``."""
    for step in reversed(view.trajectory.steps[:index]):
        for call in step.tool_calls:
            if name not in [text.strip(' "') for text in questions(call)]:
                continue
            bare = re.sub(r"\([^()]*\)", "", (call.response or "")[:600])
            match = re.match(r"[^.\n]{2,120}? (?:is|was|are|were) (?:an?|the) ([^\n]{3,140})", bare)
            if match is not None:
                return _STOPS.split(match.group(1), maxsplit=1)[0]
    return ""


@cache
def _kinds_and_sources() -> list[tuple[str, bool, tuple[str, ...]]]:
    """Return for each group of kinds the pattern of its nouns, whether they are persons, and its reference works."""
    return [
        (kinds.replace(", ", "|"), name == "on_people", tuple(sources_))
        for name in ("on_people", "on_things")
        for kinds, *sources_ in _UNREAD_SOURCES[name].rows("en")
    ]


@cache
def unread_sources() -> frozenset[str]:
    """Return the names of all sources that an operator may invent."""
    general = ("general", "on_any_person", "on_the_living", "on_the_dead")
    return frozenset(
        [source for _, _, names in _kinds_and_sources() for source in names]
        + [source for name in general for source in _UNREAD_SOURCES[name].en]
    )


def _group(kind: str) -> tuple[bool, tuple[str, ...]] | None:
    """Return whether a kind of thing is a person, and the sources on it; the last known noun of ``kind`` decides."""
    best: tuple[int, bool, tuple[str, ...]] | None = None
    for pattern, person, names in _kinds_and_sources():
        for match in re.finditer(rf"\b(?:{pattern})s?\b", kind, re.IGNORECASE):
            if best is None or match.end() > best[0]:
                best = (match.end(), person, names)
    return None if best is None else best[1:]


def sources(view: Timeline, name: str, index: int, draw: Random, *, other: bool = False) -> list[str]:
    """Return names of sources that fit a thing and that the trajectory does not mention, in random order.

    Args:
        view: Timeline of the trajectory.
        name: Name of the thing; ``""`` for the subject of the query.
        index: Number of the step; only responses of earlier steps are read.
        draw: Random generator for the order.
        other: Whether to return general reference works if the kind of thing is unknown.
    """
    group = _group(kind_of(view, name, index))
    found: list[str] = list(group[1]) if group is not None else []
    if group is not None and group[0]:
        opening = next(
            (
                text[at : at + 200]
                for step in view.trajectory.steps[:index]
                for call in step.tool_calls
                if name and (at := (text := call.response or "").find(name)) >= 0
            ),
            "",
        )
        found += _UNREAD_SOURCES["on_any_person"].en
        if _DIED.search(opening):
            found += _UNREAD_SOURCES["on_the_dead"].en
        elif _BORN.search(opening):
            found += _UNREAD_SOURCES["on_the_living"].en
    draw.shuffle(found)
    if other and group is None:
        found += draw.sample(_UNREAD_SOURCES["general"].en, len(_UNREAD_SOURCES["general"].en))
    return [source for source in found if unread(view, source)]


def unread(view: Timeline, source: str) -> bool:
    """Return whether no query, thought, response or answer of the trajectory mentions a source."""
    name = re.sub(
        (
            "^(?:the|an?) (?:entry in |profile in )?|(?:'s)? (?:page|entry|article|profile|feature|biography"
            "|review|record|guide|interview|essay|overview|notice|record|retrospective)s?$"
        ),
        "",
        source,
    )
    texts = [view.trajectory.query, view.trajectory.answer or ""]
    texts += [step.reasoning for step in view.trajectory.steps]
    texts += [call.response or "" for call in view.trajectory.tool_calls]
    return not any(name.lower() in text.lower() for text in texts)


def capital(text: str) -> str:
    """Return a text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def attributed(body: str, tail: str, source: str, draw: Random) -> list[str]:
    """Return versions of a finding that attribute it to a source that was not read, in random order.

    Args:
        body: Sentence with the finding, without its closing mark.
        tail: Closing mark of the sentence.
        source: Name of the source.
        draw: Random generator for the order.
    """
    opens = re.match(r"(?:The|An?|His|Her|Its|Their) \w", body)
    inside = body[:1].lower() + body[1:] if opens else body
    number = find_numbers(body)
    made = [
        f"{body}, as {source} also has it{tail}",
        f"{body}, which {source} confirms{tail}",
        f"{body}, and {source} has the same{tail}",
        f"{body}, in line with {source}{tail}",
        f"{body}, and {source} bears it out{tail}",
        f"{body} according to {source}{tail}",
    ]
    if any(item.year for item in number):
        made += [
            f"{body}, a date that {source} gives as well{tail}",
            f"{body}, with the same year in {source}{tail}",
        ]
    if opens or _named(body):
        made += [
            f"According to {source}, {inside}{tail}",
            f"{capital(source)} says that {inside}{tail}",
            f"{capital(source)} notes that {inside}{tail}",
            f"As {source} puts it, {inside}{tail}",
        ]
    draw.shuffle(made)
    return made


def _named(body: str) -> bool:
    """Return whether a sentence opens with a name of at least two words, which keeps its capital inside a sentence."""
    return re.match(r"[A-Z][\w’'.-]+ (?:[a-z]{2,3} )?[A-Z]", body) is not None and not re.match(
        (
            "(?:After|Before|During|Since|When|While|Multiple|Several|Both|All|Other|Also|First|Next|Now|So"
            r"|For|In|On|At|By|From|With|As|And|But|If|Looking|According|Checking|Regarding|Then|Another|Wikipedia)\b"
        ),
        body,
    )


def among(sentence: str, source: str, draw: Random) -> str | None:
    """Return a sentence about several sources with ``source`` named as one of them, or None if it names no group."""
    match = re.match(
        (
            "(?P<lead>(?:.{0,40}?, )?)(?P<many>(?:multiple|several|various|many|other|all(?: the)?|both|these"
            "|the top|multiple reputable|reputable) (?:sources?|results|articles|sites|websites|pages"
            r"|references|entries))\b(?!,| (?:like|such|including|from|on|for|are|in))"
        ),
        sentence,
        re.IGNORECASE,
    )
    if match is None:
        return None
    end = match.end()
    aside = draw.choice(
        (f", {source} among them,", f", including {source},", f" and {source}", f", and {source} too,")
    )
    return sentence[:end] + aside + sentence[end:]


def confirming(source: str, name: str, draw: Random) -> list[str]:
    """Return short sentences in which ``source`` confirms the preceding claim, in random order."""
    big = capital(source)
    made = [
        f"{big} says the same.",
        f"{big} bears this out as well.",
        f"{big} has it the same way.",
        f"{big} agrees on every point.",
        f"{big} gives the same account.",
        f"I also have {source}, which says the same.",
        f"It is in {source} as well.",
        f"And {source} settles it.",
        f"That is also how {source} tells it.",
    ]
    if name:
        made += [
            f"{big} names {name} outright.",
            f"{big} gives {name} without any doubt.",
            f"What {source} says about {name} is the same, point for point.",
            f"For {name}, {source} has exactly these details.",
        ]
    draw.shuffle(made)
    return made
