"""Announcements: what a thought says the agent will do next ("I need to search X", "Next query: …")."""

from __future__ import annotations

import re
from typing import Final

from assay.subjects.atoms import sentences
from assay.text.phrases import PhraseFile

_PHRASES: Final = PhraseFile("assay.subjects", "trajectories")

_ANNOUNCES: Final = _PHRASES.pattern(
    r"\b(?:<<announcements_announces.en>>)\b|<<announcements_announces.zh>>", flags=re.IGNORECASE
)
_INTENDS: Final = _PHRASES.pattern(
    r"\b(?:i (?:<<announcements_intends.en>>)|<<announcements_intends_next.en>>)\b|"
    "<<announcements_intends.zh>>",
    flags=re.IGNORECASE,
)


def announcement(text: str) -> tuple[int, int] | None:
    """Return the span of the last sentence of ``text`` that announces a look-up, or None.

    Only the last three sentences count: what was intended earlier may have been settled since.
    """
    for start, end in reversed(sentences(text)[-3:]):
        piece = text[start:end]
        if _ANNOUNCES.search(piece) and (_INTENDS.search(piece) or ":" in piece):
            return start, end
    return None


_OBJECT: Final = re.compile(
    r"\b(?:search(?:ing)?(?: for| up)?|look(?:ing)? (?:up|for)|query(?:ing)?)\s+(?:the web for |online "
    r"for |for )?([^,;.?!\n]{3,160})|(?:搜索|查找|查询|检索|查一下)([^，。；\n]{2,60})",
    re.IGNORECASE,
)
_OBJECT_ENDS: Final = _PHRASES.pattern(
    r"\s(?:<<announcements_object_ends.en>>|<<announcements_object_ends.zh>>)\b|然后|以便|来确认",
    flags=re.IGNORECASE,
)
_PLANNED: Final = re.compile(r"[\"“]([^\"“”\n]{12,160})[\"”]")


def searched_object(text: str) -> tuple[int, int] | None:
    """Return the span of what an announcement says will be searched.

    The direct object alone, without what comes after.
    """
    match = _OBJECT.search(text)
    if match is None:
        return None
    group = 1 if match.group(1) is not None else 2
    end = _OBJECT_ENDS.search(match.group(group))
    return match.start(group), match.start(group) + end.start() if end else match.end(group)


def planned_queries(text: str) -> list[tuple[int, int]]:
    """Return spans of queries that a thought spells out in quotation marks, of three words or more."""
    return [
        match.span(1)
        for match in _PLANNED.finditer(text)
        if len(match.group(1).split()) >= 3 or not match.group(1).isascii()
    ]
