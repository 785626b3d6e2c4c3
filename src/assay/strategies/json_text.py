"""JSON in a reply: where it stands, what it says, and what of the reply is hidden reasoning.

Nothing here knows what a verdict is. Every quantifier is possessive or bounded, and every character is passed a
fixed number of times: a megabyte of opening braces takes no longer than a megabyte of prose. The only error is
`ValueError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec

Opener = Literal["{", "["]

_KEY: Final = r"""(?:["'“][^"'“”\n]{0,80}+["'”]|[^\W\d]\w{0,80}+)"""
_COMMENTS: Final = r"(?>(?:(?:(?://|#)[^\n]{0,200}+\n|/\*[^*]{0,200}+\*/)\s*+){0,3})"
# Other braces – of LaTeX, of a template, of a set – do not count.
_OBJECT: Final = rf"\{{(?!\{{)\s*+{_COMMENTS}{_KEY}\s*+[:：=]"
_STARTS: Final[dict[Opener, re.Pattern[str]]] = {
    "{": re.compile(_OBJECT),
    "[": re.compile(r"""\[(?=\s*+["'“{\[\]\d\-tfn])"""),
}
# Strings are matched as wholes, so that braces in them do not count. A lone quotation mark opens a string without an end.
_STRING: Final = r'"(?>(?:[^"\\]++|\\.)*)"|\\.|"'
_TOKENS: Final[dict[Opener, re.Pattern[str]]] = {
    "{": re.compile(rf"{_STRING}|[{{}}]++", re.DOTALL),
    "[": re.compile(rf"{_STRING}|[\[\]]++", re.DOTALL),
}
_CLOSERS: Final[dict[Opener, str]] = {"{": "}", "[": "]"}

_NAMES: Final = r"(?:think(?:ing)?|thought|reasoning)"
# But not a mention of the tag: `<think>`.
_HIDDEN_START: Final = rf"(?<![`\"'“])(?:<{_NAMES}>|\[THINK\])(?![`\"'”])"
_HIDDEN_END: Final = rf"(?<![`\"'“])(?:</{_NAMES}>|\[/THINK\])(?![`\"'”])"
_HIDDEN: Final = re.compile(rf"{_HIDDEN_START}|{_HIDDEN_END}", re.IGNORECASE)
_SIGNS: Final = ("think>", "thinking>", "thought>", "reasoning>", "think]")
_HIDDEN_CLOSE: Final = re.compile(_HIDDEN_END, re.IGNORECASE)
_HIDDEN_OR_OBJECT: Final = re.compile(
    rf"(?P<open>{_HIDDEN_START})|(?P<close>{_HIDDEN_END})|{_OBJECT}", re.IGNORECASE
)

_FENCE: Final = r"(?:(?:```|~~~)[\w+-]{0,20}+)"
_CLOSING_TAG: Final = r"(?:</[\w-]{1,30}+>|<\|[\w-]{1,30}+\|>|\[/\w{1,30}+\])"
_OPENING_TAG: Final = r"(?:<[\w-]{1,30}+>|\[\w{1,30}+\])"
_TAIL: Final = re.compile(
    rf"\s*+(?>(?:\*\*)?)\s*+(?>(?:```|~~~)?)\s*+(?>(?:{_CLOSING_TAG}\s*+){{0,2}})(?>(?:```|~~~)?)\s*+\Z"
)
_HEAD: Final = re.compile(
    rf"\s*+(?>(?:{_OPENING_TAG}\s*+)?){_FENCE}?+\s*+(?>(?:{_OPENING_TAG}\s*+)?)(?>(?:\*\*)?)\s*+"
)


class JsonPiece(msgspec.Struct, frozen=True, gc=False):
    """A stretch of a text that begins as JSON does: ``text[start:end]``.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        closed: Whether its brackets are closed.
        open_string: Whether it ends inside a string, if it is not closed.
    """

    start: int
    end: int
    closed: bool = True
    open_string: bool = False


class DuplicateKeyError(ValueError):
    """A key has two different values in one object."""

    def __init__(self, key: str, first: Any, second: Any) -> None:
        self.key = key
        self.first = first
        self.second = second
        super().__init__(key)


def decode(raw: str) -> Any:
    """Decode a JSON text. Control characters in strings are let through, but no other deviation.

    Raises:
        DuplicateKeyError: A key has two different values.
        ValueError: The text is not JSON, or nested too deep.
    """
    try:
        return _DECODER.decode(raw)
    except RecursionError:
        raise ValueError("nested too deep") from None


def pieces(text: str, opener: Opener = "{") -> Iterator[JsonPiece]:
    """Yield the outermost objects or arrays of a text, in order; the last may be open."""
    search = _STARTS[opener].search
    start = search(text)
    while start is not None:
        piece = _piece(text, start.start(), opener)
        yield piece
        if not piece.closed:
            return
        start = search(text, piece.end)


def unwrap(value: Any, known: tuple[str, ...] = ()) -> Any:
    """Return what a mere wrapper holds: an array of one, or an object whose only key is not a known one."""
    for _ in range(3):
        if isinstance(value, list) and len(value) == 1:
            inner = value[0]
        elif isinstance(value, dict) and len(value) == 1 and next(iter(value)) not in known:
            inner = next(iter(value.values()))
        else:
            break
        if not isinstance(inner, dict | list):
            break
        value = inner
    return value


def closes(text: str, end: int) -> bool:
    """Return whether only white space, a fence and closing tags follow in the text."""
    return _TAIL.match(text, end) is not None


def opens(text: str, start: int) -> bool:
    """Return whether only white space, a fence and an opening tag come before in the text."""
    head = _HEAD.match(text)
    return head is not None and head.end() == start


def split_hidden_reasoning(text: str) -> tuple[str, str]:
    """Split a reply into its visible text and its hidden reasoning.

    A block that is never closed hides the rest; one that is only closed, because the prompt opened it, hides what
    came before. Tags inside the strings of a JSON object belong to a quote.
    """
    lower = text.lower()
    if not any(name in lower for name in _SIGNS):
        return text, ""
    hidden: list[tuple[int, int]] = []
    closed = True
    at = 0
    while (match := _HIDDEN_OR_OBJECT.search(text, at)) is not None:
        start = match.start()
        if match["open"]:
            # If no closing tag was left before, there is none now.
            end = _HIDDEN_CLOSE.search(text, match.end()) if closed else None
            closed = end is not None
            if end is None and not _begins_line(text, start):
                # With words before it on its line and without an end, it is prose that mentions a tag.
                at = match.end()
                continue
            at = end.end() if end else len(text)
            hidden.append((start, at))
        elif match["close"]:
            at = match.end()
            hidden = [(0, at)]
        else:
            piece = _piece(text, start, "{")
            at = piece.end
            if not piece.closed:
                ends = [end.end() for end in _HIDDEN_CLOSE.finditer(text, start)]
                if not ends:
                    break
                # A draft that was left open inside reasoning that the prompt opened.
                at = ends[-1]
                hidden = [(0, at)]
    visible: list[str] = []
    at = 0
    for start, stop in hidden:
        visible.append(text[at:start])
        at = stop
    visible.append(text[at:])
    reasoning = "\n".join(text[start:stop] for start, stop in hidden)
    return "".join(visible), _HIDDEN.sub("", reasoning).strip()


def _begins_line(text: str, at: int) -> bool:
    # Bounded: deeper indentation is not looked through.
    before = text[max(0, at - 100) : at].rstrip(" \t")
    return not before or before[-1] in "\r\n"


def _piece(text: str, start: int, opener: Opener) -> JsonPiece:
    closer = _CLOSERS[opener]
    depth = 0
    open_string = False
    for token in _TOKENS[opener].finditer(text, start):
        run = token.group()
        if run[0] == "\\" or (run[0] == '"' and len(run) > 1):
            continue
        if run[0] == '"':
            open_string = True
            continue
        closing = run.count(closer)
        if closing < depth:
            depth += len(run) - 2 * closing
            continue
        for index, mark in enumerate(run):
            depth += 1 if mark == opener else -1
            if depth == 0:
                return JsonPiece(start, token.start() + index + 1)
    return JsonPiece(start, len(text), closed=False, open_string=open_string)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        first: dict[str, Any] = {}
        for key, value in pairs:
            # Compared as text, because 1 == True in Python.
            if key in first and repr(first[key]) != repr(value):
                raise DuplicateKeyError(key, first[key], value)
            first.setdefault(key, value)
    return members


def _integer(digits: str) -> int | float:
    # Python refuses integers of thousands of digits; a float of that size is too large or infinite, and no verdict.
    return int(digits) if len(digits) < 20 else float(digits)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_members, parse_int=_integer, strict=False)
