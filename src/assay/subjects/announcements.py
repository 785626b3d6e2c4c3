"""What a thought says that it will search: the object of "search for …", and queries spelled out in quotation marks."""

from __future__ import annotations

import re
from typing import Final

from assay.text.phrases import PhraseFile

_PHRASES: Final = PhraseFile("assay.subjects", "trajectories")

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
