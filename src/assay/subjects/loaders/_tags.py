"""Agent text with tags: ``<think>``, ``<tool_call>``, ``<call_tool name=…>``, ``<tool_response>``, ``<answer>``.

Two dialects share this reader: the chat transcripts of the WebDancer and Tongyi agents, and DR-Tulu's, in which only
the first thought is opened by ``<think>`` and a later one is bare text closed by a lone ``</think>``. A tag that is
never closed runs to the next tag, so that a transcript cut off in the middle keeps all it has.
"""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.loaders._steps import StepBuilder

_OPEN: Final = re.compile(
    r"<(think|thinking|tool_call|call_tool|tool_response|tool_output|answer)((?:\s[^<>]{0,1000})?)>",
    re.IGNORECASE,
)
_CLOSE: Final = re.compile(
    r"</(think|thinking|tool_call|call_tool|call|tool_response|tool_output|answer)\s{0,8}>", re.IGNORECASE
)
_ATTRIBUTE: Final = re.compile(
    r"([A-Za-z_][\w\-]{0,60})\s{0,4}=\s{0,4}(?:\"([^\"]{0,500})\"|'([^']{0,500})'|([^\s\"'>]{1,500}))"
)
_NAME: Final = re.compile(r'"name"\s{0,8}:\s{0,8}"([^"\\]{1,200})"')
_CODE: Final = re.compile(r"<code>(.*?)(?:</code>|\Z)", re.DOTALL)


def has_tags(text: str) -> bool:
    """Return whether a text is in one of the tagged dialects."""
    if "<tool_call>" in text or "<call_tool" in text or ("<think>" in text and "<answer>" in text):
        return True
    # A last message may be nothing but the answer.
    return text.lstrip().startswith("<answer>")


def has_call_tool(text: str) -> bool:
    """Return whether a text is in DR-Tulu's dialect."""
    return "<call_tool" in text


def read_tagged(text: str, builder: StepBuilder) -> str | None:
    """Put the thoughts, calls and responses of a tagged text into ``builder``; return its answer, if it has one."""
    answer: str | None = None
    for tag, attributes, body in _pieces(text):
        if tag == "tool_call":
            _json_call(body, builder)
        elif tag == "call_tool":
            _named_call(attributes, body, builder)
        elif tag in ("tool_response", "tool_output"):
            builder.respond(body)
        elif tag == "answer":
            answer = body.strip()
        else:
            builder.think(body)
    return answer


def _pieces(text: str) -> Iterator[tuple[str, str, str]]:
    """(tag, attributes, body) in order; bare text has the tag ``""``."""
    closers: dict[str, list[tuple[int, int]]] = {}
    for match in _CLOSE.finditer(text):
        tag = match.group(1).lower()
        closers.setdefault("call_tool" if tag == "call" else tag, []).append(match.span())
    ends = dict.fromkeys(closers, 0)
    at = 0
    while (opened := _OPEN.search(text, at)) is not None:
        yield "", "", _CLOSE.sub("", text[at : opened.start()])
        tag = opened.group(1).lower()
        begin = opened.end()
        spans = closers.get(tag, [])
        i = ends.get(tag, 0)
        while i < len(spans) and spans[i][0] < begin:
            i += 1
        ends[tag] = i
        if i < len(spans):
            stop, at = spans[i]
        else:
            following = _OPEN.search(text, begin)
            stop = at = following.start() if following else len(text)
        yield tag, opened.group(2), text[begin:stop]
    yield "", "", _CLOSE.sub("", text[at:])


def _json_call(body: str, builder: StepBuilder) -> None:
    """``{"name": …, "arguments": {…}}``, several of them, or one followed by ``<code>``; broken JSON keeps its text."""
    decoder = json.JSONDecoder(strict=False)
    text = body.strip()
    code = _CODE.search(text)
    at = 0
    seen = False
    while (at := text.find("{", at)) >= 0 and (code is None or at < code.start()):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            arguments: Any = value.get("arguments", value.get("parameters"))
            if code is not None and isinstance(arguments, dict | None):
                arguments = {**(arguments or {}), "code": code.group(1).strip()}
            builder.call(value["name"], arguments)
            seen = True
    if not seen:
        name = _NAME.search(text)
        first = text.split("\n", 1)[0].strip()
        fallback = first if code is not None and first.isidentifier() else "unknown"
        builder.call(name.group(1) if name else fallback, {"code": code.group(1).strip()} if code else text)


def _named_call(attributes: str, body: str, builder: StepBuilder) -> None:
    named = {
        match.group(1): html.unescape(match.group(2) or match.group(3) or match.group(4) or "")
        for match in _ATTRIBUTE.finditer(attributes)
    }
    name = named.pop("name", "unknown")
    said = body.strip()
    if said.startswith("{"):
        builder.call(name, said)
        return
    key = "url" if said.startswith(("http://", "https://")) else "query"
    builder.call(name, {key: said, **named})
