"""Queries again: as they were, turned round, with a word more or less."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.trj._calls import failure, questions
from assay.checks.trj._words import find_names, find_numbers, terms
from assay.interventions.process._thoughts import likeness, lowered

if TYPE_CHECKING:
    from random import Random

    from assay.subjects.trajectory import Trajectory

__all__ = ["announcements", "brought", "reworded", "turned", "variants"]

_STOP: Final = frozenset(
    """in of for by with to the a an on and from at who that which or as about near since before after between during featuring
    named called via into over under against january february march april may june july august september october november
    december jan feb mar apr jun jul aug sep sept oct nov dec around until born held introduced released won was were is are did
    discovered located""".split()
)


def brought(trajectory: Trajectory, index: int, query: str) -> bool:
    """Whether an earlier call with this query brought something, so that asking again is idle."""
    return any(
        query in [text.strip() for text in questions(call)] and failure(call) is None and call.response
        for step in trajectory.steps[:index]
        for call in step.tool_calls
    )


def variants(trajectory: Trajectory, query: str, draw: Random) -> list[tuple[str, str]]:
    """An old query as it was, and in other words: with a word of the question that it already served, turned round."""
    found = [("call-again", query)]
    other = turned(query)
    if other:
        found.append(("call-turned", other))
    words = _common(trajectory, query)
    if words and len(query.split()) <= 5 and not query.endswith(('"', ")")):
        found.append(("call-widened", f"{query} {draw.choice(words)}"))
    draw.shuffle(found)
    return found


def _common(trajectory: Trajectory, query: str) -> list[str]:
    """Plain words of the question that the response to a query had as well, so that adding one asks for nothing new."""
    seen: set[str] = set()
    for call in trajectory.tool_calls:
        if query in [text.strip() for text in questions(call)] and call.response:
            seen |= terms(call.response)
    own = terms(query)
    words = re.findall(r"\b[a-z]{4,12}\b", trajectory.query)
    return [word for word in dict.fromkeys(words) if word in seen and word not in own and word in _NOUNS]


# What one adds to a name to find the same again.
_NOUNS: Final = frozenset(
    """actor actress album animation architect artist athlete author band baseball battle biography book brand bridge building
    campaign capital cartoonist castle character church city club coach college comedy company composer conflict country
    creator currency designer director disaster election engineer family festival film football founder game genre guitarist
    headquarters history hotel institution island journalist king lake language leader magazine manager manufacturer mayor member
    model mountain movie museum musician nationality novel novelist organization painter park party philosopher physicist pianist
    player playwright poet politician president producer profession professor programme project province queen railway restaurant
    river school scientist senator series show singer soldier song soundtrack species stadium station studio team television
    temple theatre tower town train tree trophy university village voice war wife writer""".split()
)


def turned(query: str) -> str | None:
    """A query with its two halves the other way round, cut before a name or a number; None where that reads wrong."""
    words = query.split()
    if len(words) < 3:
        return None
    names = [(name.start, name.end) for name in find_names(query) if not name.quoted or '"' in name.text]
    cuts = []
    at = 0
    for place, word in enumerate(words):
        at = query.find(word, at)
        inside = any(start < at < end for start, end in names)
        starts = any(start == at for start, _ in names) or find_numbers(word)
        if (
            place
            and not inside
            and starts
            and words[place - 1].lower() not in _STOP
            and not words[place - 1].isdigit()
            and not (place + 1 < len(words) and word.isdigit() and words[place + 1].isdigit())
            and query[:at].count('"') % 2 == 0
        ):
            cuts.append(place)
    for cut in cuts:
        head, tail = words[:cut], words[cut:]
        if (
            head[0].lower() not in _STOP
            and tail[-1].lower() not in _STOP
            and head[0].lower() not in ("what", "who", "which", "how", "when", "where", "was", "is")
        ):
            return " ".join([*tail, lowered(head[0]) if head[0] not in query[at:] else head[0], *head[1:]])
    return None


def reworded(query: str, draw: Random) -> str | None:
    """The same query in other words: turned round, a function word more or less, singular for plural."""
    bare = query.rstrip(",.")
    made = [turned(bare)]
    words = bare.split()
    if len(words) >= 4:
        loose = [at for at, word in enumerate(words) if word.lower() in _SYNONYMS]
        if loose:
            at = draw.choice(loose)
            made.append(" ".join([*words[:at], _SYNONYMS[words[at].lower()], *words[at + 1 :]]))
        small = [at for at, word in enumerate(words) if word.lower() in ("the", "a", "an", "in", "of", "for")]
        if small and len(words) - 1 >= 4:
            made.append(" ".join(word for at, word in enumerate(words) if at not in small))
    fitting = [item for item in made if item and item.lower() != bare.lower() and likeness(item, bare) >= 0.6]
    return draw.choice(fitting) if fitting else None


_SYNONYMS: Final = {
    "film": "movie", "movie": "film", "created": "made", "history": "origin", "founded": "established", "established": "founded",
    "first": "earliest", "famous": "well-known", "known": "famous", "started": "began", "author": "writer", "writer": "author",
    "located": "situated", "introduced": "launched", "name": "title", "called": "named", "named": "called", "type": "kind",
    "uk": "United Kingdom", "us": "United States", "list": "overview", "information": "details", "details": "information",
    "queries": "query", "characters": "character", "character": "protagonist", "protagonist": "main character", "films": "movies",
    "movies": "films", "nickname": "nicknamed", "nicknamed": "nickname", "composer": "composed by", "actor": "actors", "award": "prize",
    "born": "birth", "birth": "born", "castles": "castle", "disaster": "crash", "crash": "disaster", "significance": "importance",
}  # fmt: skip


def announcements(earlier: list[str], draw: Random) -> list[str]:
    """Sentences that plan one of some queries again, or what is the same in other words."""
    query = draw.choice(earlier)
    other = draw.choice(earlier)
    words = turned(query) or query
    made = [
        f'Let me search "{query}" again and see what comes up.',
        f'Let me search "{words}".',
        f'I will try "{query}" again.',
        f'I should run "{words}" as the next query.',
        f'The next search should be "{words}".',
        f'I will search "{query}" once more and go through those results again.',
        f'Maybe I should search "{words}" to see which pages come up for it, and start from there.',
        f'I could go back to "{query}" and look through the same pages.',
        f'It would be best to repeat the search for "{query}" and read the same results from the top before saying anything.',
    ]
    if other != query:
        made += [
            f'I should search "{query}" and "{other}" again.',
            f'Let me use the search tool with "{query}" and then "{other}", as before, and read what those pages say.',
        ]
    draw.shuffle(made)
    return made
