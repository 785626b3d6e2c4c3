"""A prompt as it was sent, taken apart at its fences; and the documents that stand in it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from assay.models.base import Request

_OPEN: Final = re.compile(r"^<<([A-Z]+(?:-[^\s<>]{1,8})?) ([0-9a-f]{12})>>\n", re.MULTILINE)


class PromptPart(msgspec.Struct, frozen=True):
    """A stretch of a message: the instructions (``name`` is empty), or a fenced text with the name of its fence."""

    text: str
    name: str = ""
    mark: str = ""


def prompt_parts(content: str) -> list[PromptPart]:
    """Split a message at its fences. A fence counts only if its mark is the hash of what stands in it."""
    parts: list[PromptPart] = []
    at = 0
    for opening in _OPEN.finditer(content):
        if opening.start() < at:
            continue
        end = f"\n<<END {opening[1]} {opening[2]}>>"
        close = content.find(end, opening.end() - 1)
        while close >= 0 and not _is_hash(content[opening.end() : close], opening[2]):
            close = content.find(end, close + 1)
        if close < 0:
            continue
        parts.append(PromptPart(content[at : opening.start()]))
        parts.append(PromptPart(content[opening.end() : close], opening[1], opening[2]))
        at = close + len(end)
    parts.append(PromptPart(content[at:]))
    return [part for part in parts if part.name or part.text.strip()]


def _is_hash(text: str, mark: str) -> bool:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest() == mark


def documents_in(requests: Iterable[Request]) -> list[tuple[str, str]]:
    """Return label and text of the documents of the first request that shows any: "A" and "B" of a pair, else ""."""
    for request in requests:
        found = [
            (part.name.partition("-")[2], part.text)
            for message in request.messages
            for part in prompt_parts(message.content)
            if part.name.partition("-")[0] not in ("QUESTION", "REFERENCE", "CONTEXT") and part.name
        ]
        if found:
            return found
    return []


def question_in(requests: Sequence[Request]) -> str:
    """Return the question that a prompt shows; empty if there is none."""
    for request in requests:
        for message in request.messages:
            for part in prompt_parts(message.content):
                if part.name == "QUESTION":
                    return part.text
    return ""
