"""Queries again: as they were or with a word more or less, in a call; and what a thought says that goes back to one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.process._thoughts import likeness, near_query
from assay.subjects.atoms import terms
from assay.subjects.tool_calls import failure, questions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from assay.subjects.trajectory import ToolCall, Trajectory

_BLOCK: Final = re.compile(r"\n=+\n")


def brought(trajectory: Trajectory, index: int, query: str) -> bool:
    """Whether an earlier call with this query brought something, so that asking again is idle."""
    return any(
        query in [text.strip() for text in questions(call)] and failure(call) is None and call.response
        for step in trajectory.steps[:index]
        for call in step.tool_calls
    )


def blocks(call: ToolCall) -> list[str]:
    """What each query of a call brought, where the response keeps that apart; else nothing."""
    parts = _BLOCK.split(call.response or "")
    return parts if len(parts) == len(questions(call)) else []


def variants(trajectory: Trajectory, query: str, draw: Random) -> list[tuple[str, str]]:
    """An old query as it was, and with a plain word of the question that it already served."""
    found = [("call-again", query)]
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


def near_variants(query: str, question: str, draw: Random) -> list[str]:
    """The same query in words that ask the same.

    Another plain word for one of them, a plain word less, one of the question more, or a year at the other end.
    """
    words = query.split()
    made: list[str] = []
    for at, word in enumerate(words):
        other = _SYNONYMS.get(word)
        if other and other not in words:
            made.append(" ".join([*words[:at], other, *words[at + 1 :]]))
        last = at + 1 == len(words) or words[at + 1].lower() in _BEFORE
        if (
            len(words) >= 5
            and at > 0
            and (word in _NOUNS or word in _SYNONYMS)
            and not last
            and '"' not in query
        ):
            made.append(" ".join([*words[:at], *words[at + 1 :]]))
    if (
        words
        and re.fullmatch(r"1\d{3}|20\d\d", words[-1])
        and len(words) > 3
        and words[-2].lower() not in _BEFORE
    ):
        made.append(" ".join([words[-1], *words[:-1]]))
    own = terms(query)
    more = [word for word in re.findall(r"\b[a-z]{4,12}\b", question) if word in _NOUNS and word not in own]
    if len(words) >= 3 and not query.endswith(("?", '"')) and words[-1].lower() not in _BEFORE:
        made += [f"{query} {word}" for word in dict.fromkeys(more[:2])]
    fitting = [
        text for text in dict.fromkeys(made) if likeness(text, query) >= 0.6 and near_query(text, [query])
    ]
    draw.shuffle(fitting)
    return fitting


_BEFORE: Final = frozenset(
    "of in on at by for to from with the a an and or who what which when where how is was are were did does that".split()
)
_SYNONYMS: Final = {
    "film": "movie", "movie": "film", "created": "made", "founded": "established", "established": "founded", "famous": "well-known",
    "author": "writer", "writer": "author", "located": "situated", "introduced": "launched", "called": "named", "named": "called",
    "characters": "cast", "films": "movies", "movies": "films", "award": "prize", "built": "constructed", "constructed": "built",
    "first": "earliest", "biggest": "largest", "largest": "biggest", "origin": "origins", "history": "background",
    "list": "overview", "biography": "life", "discovered": "found", "known": "famous", "inventor": "invented by",
    "winner": "won by", "died": "death", "killed": "death", "born": "birth", "effects": "impact", "impact": "effects",
    "importance": "significance", "significance": "importance", "meaning": "definition", "definition": "meaning",
    "protagonist": "main character", "creator": "created by", "husband": "spouse", "wife": "spouse", "title": "name",
}  # fmt: skip


# --- a thought that goes back ---

_OPENED: Final = ("Let me", "I should", "I will", "I want to", "I'd better", "I can", "I might")
_ACTS: Final = (
    "go back over the results for {q}",
    "read the results for {q} once more",
    "go through the pages that came up for {q} again",
    "take another look at what {q} brought up",
    "go back to the search for {q} and read it again from the top",
    "return to {q} and go over the same pages",
    "reread what came up for {q}",
    "scan the same hits for {q} a second time",
    "go over {q} again, result by result",
    "repeat the search for {q} and look at the same links",
)
_ENDS: Final = (
    "", "", "", " before anything else", " to have them all in front of me", ", just as before",
)  # fmt: skip
_WAYS: Final = (
    "Reading the results for {q} again,", "Going over {q} a second time,", "On a second pass through {q},", "Going back to {q},",
    "Returning to the results for {q},", "Rereading what came up for {q},", "When I go back over the results for {q},",
    "If I read what {q} brought again,", "Back at the results for {q},", "Repeating {q},",
)  # fmt: skip
_OUTCOMES: Final = (
    "I find {n} as before.", "the pages are the same ones, on {n}.", "I get {n}, as I did the first time.",
    "it is the same list, with {n} in it.", "{n} comes up as before.", "I am where I was, at {n}.",
    "the hits are the ones I had, about {n}.", "they say {n}, which I had already.", "nothing is new: it is {n}.",
    "I see the same links, and {n} in them.", "it says {n}, like the first time.", "I come to {n}, where I already was.",
)  # fmt: skip


def rereadings(earlier: Sequence[str], name: str, draw: Random) -> list[str]:
    """Sentences that go over what earlier queries brought again; with a name, told as done."""
    made: list[str] = []
    for query in draw.sample(list(earlier), len(earlier)):
        quoted = f'"{query}"'
        if name:
            made += [
                f"{way} {outcome}".format(q=quoted, n=name)
                for way, outcome in zip(draw.sample(_WAYS, 4), draw.sample(_OUTCOMES, 4), strict=True)
            ]
        else:
            for act in draw.sample(_ACTS, 4):
                made.append(f"{draw.choice(_OPENED)} {act.format(q=quoted)}{draw.choice(_ENDS)}.")
    if not name and len(earlier) > 1:
        one, two = draw.sample(list(earlier), 2)
        made += [
            f'{draw.choice(_OPENED)} reread what came up for "{one}" and then, again, what came up for "{two}".',
            f'{draw.choice(_OPENED)} go back to "{one}" and "{two}" and read the same results once more.',
        ]
    draw.shuffle(made)
    return made
