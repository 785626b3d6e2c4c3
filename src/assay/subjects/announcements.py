"""What a thought says it will do next: the words of its last announcement ("I need to search X", "Next query: …")."""

from __future__ import annotations

import re
from typing import Final

from assay.subjects.atoms import sentences

_ANNOUNCES: Final = re.compile(
    r"\b(?:search(?:ing)?(?: for| the| on| again)?|look(?:ing)? (?:up|for|into)|find(?:ing)?(?: out)?|query(?:ing)?|quer(?:y|ies)|visit(?:ing)?"
    r"|check(?:ing)?|verify(?:ing)?|open(?:ing)?|browse|retrieve|fetch|next step)\b|搜索|查找|查询|检索|访问|查一下|核实|查看",
    re.IGNORECASE,
)
_INTENDS: Final = re.compile(
    r"\b(?:i (?:will|should|need to|must|can|want to|have to|am going to|could)|i'll|i’ll|let me|let's|let’s|next|now|first|so|then|to find|start(?:ing)? (?:by|with)|going to)\b"
    r"|接下来|下一步|需要|应该|先|再|我将|我要|让我",
    re.IGNORECASE,
)


def announcement(text: str) -> tuple[int, int] | None:
    """The span of the last sentence of ``text`` that announces a look-up, or None.

    Only the last three sentences count: what was intended earlier may have been settled since.
    """
    for start, end in reversed(sentences(text)[-3:]):
        piece = text[start:end]
        if _ANNOUNCES.search(piece) and (_INTENDS.search(piece) or ":" in piece):
            return start, end
    return None


_OBJECT: Final = re.compile(
    r"\b(?:search(?:ing)?(?: for| up)?|look(?:ing)? (?:up|for)|query(?:ing)?)\s+(?:the web for |online for |for )?([^,;.?!\n]{3,160})|(?:搜索|查找|查询|检索|查一下)([^，。；\n]{2,60})",
    re.IGNORECASE,
)
_OBJECT_ENDS: Final = re.compile(
    r"\s(?:and|then|to (?:find|see|get|check|confirm|verify|determine)|because|since|so|which|using|with the|或者|并)\b|然后|以便|来确认",
    re.IGNORECASE,
)
_PLANNED: Final = re.compile(r"[\"“]([^\"“”\n]{12,160})[\"”]")


def searched_object(text: str) -> tuple[int, int] | None:
    """The span of what an announcement says will be searched: the direct object alone, without what comes after."""
    match = _OBJECT.search(text)
    if match is None:
        return None
    group = 1 if match.group(1) is not None else 2
    end = _OBJECT_ENDS.search(match.group(group))
    return match.start(group), match.start(group) + end.start() if end else match.end(group)


def planned_queries(text: str) -> list[tuple[int, int]]:
    """Spans of queries that a thought spells out in quotation marks, of three words or more."""
    return [
        match.span(1)
        for match in _PLANNED.finditer(text)
        if len(match.group(1).split()) >= 3 or not match.group(1).isascii()
    ]
