"""Passages of responses: search results, snippets and pages, each with its heading and its words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.subjects.atoms import fold
from assay.subjects.tool_calls import addresses, evidence, failure, kind

if TYPE_CHECKING:
    from assay.subjects.trajectory import Trajectory

_ITEM: Final = re.compile(
    r"^[ \t]{0,4}(?:\[?\d{1,2}[.\])][ \t]+(?=\[|\*\*|[A-Z\u4e00-\u9fff])|#{1,4}[ \t]+\S|<(?:snippet|webpage"
    r"|document|result)\b)",
    re.MULTILINE,
)
_ID: Final = re.compile(
    r"<(?:snippet|webpage|document|result)\s{1,4}(?:id|index)\s{0,2}=\s{0,2}[\"']?([^\"'>\s]{1,80})",
    re.IGNORECASE,
)


class ResponsePassage(msgspec.Struct, frozen=True):
    """A piece of a response. ``start`` and ``end`` are offsets into the trajectory's source.

    ``head`` is its folded title and address, ``body`` its folded words, title included; ``key`` its citation id.
    """

    start: int
    end: int
    event: int
    text: str
    head: str
    body: str
    key: str | None


def response_passages(trajectory: Trajectory) -> list[ResponsePassage]:
    """Return the passages of all responses that brought something, in order."""
    found: list[ResponsePassage] = []
    for step in trajectory.steps:
        for call in step.tool_calls:
            if (
                not call.response
                or call.response_span is None
                or failure(call) is not None
                or kind(call) == "code"
            ):
                continue
            text = evidence(call)
            starts = [match.start() for match in _ITEM.finditer(text)]
            if len(starts) < 2:
                starts = [0]
            for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
                piece = text[start:end]
                if len(piece.strip()) < 30:
                    continue
                key = _ID.match(piece.lstrip())
                head = "\n".join(piece.strip().split("\n", 3)[:3])[:400]
                if len(starts) == 1:
                    head = f"{call.argument_text}\n{' '.join(addresses(call))}\n{head}"
                base = call.response_span.start
                found.append(
                    ResponsePassage(
                        base + start,
                        base + end,
                        3 * step.index + 3,
                        piece,
                        fold(head),
                        fold(piece),
                        key.group(1) if key else None,
                    )
                )
    return found
