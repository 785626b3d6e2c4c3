"""Queries that repeat an earlier one, exactly or nearly, and sentences of a thought that return to an earlier query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.process._thoughts import likeness, near_query
from assay.subjects.atoms import terms
from assay.subjects.tool_calls import failure, questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from assay.subjects.trajectory import ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "queries")

_BLOCK: Final = re.compile(r"\n=+\n")


def brought(trajectory: Trajectory, index: int, query: str) -> bool:
    """Return whether an earlier call with this query returned a result, so that repeating it gains nothing."""
    return any(
        query in [text.strip() for text in questions(call)] and failure(call) is None and call.response
        for step in trajectory.steps[:index]
        for call in step.tool_calls
    )


def blocks(call: ToolCall) -> list[str]:
    """Return the response to each query of a call, or an empty list if the response does not keep them apart."""
    parts = _BLOCK.split(call.response or "")
    return parts if len(parts) == len(questions(call)) else []


def variants(trajectory: Trajectory, query: str, draw: Random) -> list[tuple[str, str]]:
    """Return patterns and queries that repeat an earlier query: unchanged, or with a common word of the question."""
    found = [("call-again", query)]
    words = _common(trajectory, query)
    if words and len(query.split()) <= 5 and not query.endswith(('"', ")")):
        found.append(("call-widened", f"{query} {draw.choice(words)}"))
    draw.shuffle(found)
    return found


def _common(trajectory: Trajectory, query: str) -> list[str]:
    """Return common words of the question that the query's response contains, so that adding one asks nothing new."""
    seen: set[str] = set()
    for call in trajectory.tool_calls:
        if query in [text.strip() for text in questions(call)] and call.response:
            seen |= terms(call.response)
    own = terms(query)
    words = re.findall(r"\b[a-z]{4,12}\b", trajectory.query)
    return [
        word
        for word in dict.fromkeys(words)
        if word in seen and word not in own and word in _PHRASES["nouns"].words("en")
    ]


def near_variants(query: str, question: str, draw: Random) -> list[str]:
    """Return rewordings of a query that ask for the same, in random order.

    One word is replaced by a synonym, dropped, or added from the question; or the year moves from the end to the start.
    """
    words = query.split()
    made: list[str] = []
    for at, word in enumerate(words):
        other = _PHRASES["synonyms"].mapping("en").get(word)
        if other and other not in words:
            made.append(" ".join([*words[:at], other, *words[at + 1 :]]))
        last = at + 1 == len(words) or words[at + 1].lower() in _PHRASES["before_noun"].words("en")
        if (
            len(words) >= 5
            and at > 0
            and (word in _PHRASES["nouns"].words("en") or word in _PHRASES["synonyms"].mapping("en"))
            and not last
            and '"' not in query
        ):
            made.append(" ".join([*words[:at], *words[at + 1 :]]))
    if (
        words
        and re.fullmatch(r"1\d{3}|20\d\d", words[-1])
        and len(words) > 3
        and words[-2].lower() not in _PHRASES["before_noun"].words("en")
    ):
        made.append(" ".join([words[-1], *words[:-1]]))
    own = terms(query)
    more = [
        word
        for word in re.findall(r"\b[a-z]{4,12}\b", question)
        if word in _PHRASES["nouns"].words("en") and word not in own
    ]
    if (
        len(words) >= 3
        and not query.endswith(("?", '"'))
        and words[-1].lower() not in _PHRASES["before_noun"].words("en")
    ):
        made += [f"{query} {word}" for word in dict.fromkeys(more[:2])]
    fitting = [
        text for text in dict.fromkeys(made) if likeness(text, query) >= 0.6 and near_query(text, [query])
    ]
    draw.shuffle(fitting)
    return fitting


# --- a thought that goes back ---

_ENDS: Final = (
    "",
    "",
    "",
    " before anything else",
    " to have them all in front of me",
    ", just as before",
)


def rereadings(earlier: Sequence[str], name: str, draw: Random) -> list[str]:
    """Return sentences that reread the results of earlier queries, in random order.

    Args:
        earlier: Earlier queries.
        name: Name that the rereading found again; ``""`` for sentences that only plan to reread.
        draw: Random generator for the choice and the order.
    """
    made: list[str] = []
    for query in draw.sample(list(earlier), len(earlier)):
        quoted = f'"{query}"'
        if name:
            made += [
                f"{way} {outcome}".format(q=quoted, n=name)
                for way, outcome in zip(
                    draw.sample(_PHRASES["ways"].en, 4), draw.sample(_PHRASES["outcomes"].en, 4), strict=True
                )
            ]
        else:
            for act in draw.sample(_PHRASES["acts"].en, 4):
                made.append(
                    f"{draw.choice(_PHRASES['opened'].en)} {act.format(q=quoted)}{draw.choice(_ENDS)}."
                )
    if not name and len(earlier) > 1:
        one, two = draw.sample(list(earlier), 2)
        made += [
            (
                f'{draw.choice(_PHRASES["opened"].en)} reread what came up for "{one}" and then, again, what '
                f'came up for "{two}".'
            ),
            (
                f'{draw.choice(_PHRASES["opened"].en)} go back to "{one}" and "{two}" and read the same '
                "results once more."
            ),
        ]
    draw.shuffle(made)
    return made
