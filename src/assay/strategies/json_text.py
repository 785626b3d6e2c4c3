"""JSON in a reply: where it stands, what it says, what of the reply is hidden reasoning. Linear; never raises but `ValueError`.

Nothing here knows what a verdict is. Every quantifier is possessive or bounded, and every character is passed a fixed
number of times: a megabyte of opening braces takes no longer than a megabyte of prose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec

Opener = Literal["{", "["]

_KEY: Final = r"""(?:["'“][^"'“”\n]{0,80}+["'”]|[^\W\d]\w{0,80}+)"""
_COMMENTS: Final = r"(?:(?:(?://|#)[^\n]{0,200}+\n|/\*[^*]{0,200}+\*/)\s*+){0,3}+"
# A brace that begins no object – of LaTeX, of a template, of a set – is not looked at.
_OBJECT: Final = rf"\{{(?!\{{)\s*+{_COMMENTS}{_KEY}\s*+[:：=]"
_STARTS: Final[dict[Opener, re.Pattern[str]]] = {
    "{": re.compile(_OBJECT),
    "[": re.compile(r"""\[(?=\s*+["'“{\[\]\d\-tfn])"""),
}
# Strings as wholes, so that braces in them do not count. A lone quotation mark is one whose string never ends.
_STRING: Final = r'"(?:[^"\\]++|\\.)*+"|\\.|"'
_TOKENS: Final[dict[Opener, re.Pattern[str]]] = {
    "{": re.compile(rf"{_STRING}|[{{}}]++", re.DOTALL),
    "[": re.compile(rf"{_STRING}|[\[\]]++", re.DOTALL),
}
_CLOSERS: Final[dict[Opener, str]] = {"{": "}", "[": "]"}

_NAMES: Final = r"(?:think(?:ing)?|thought|reasoning)"
# Not where the reply speaks of the tag: `<think>`.
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
    rf"\s*+(?:\*\*)?+\s*+(?:```|~~~)?+\s*+(?:{_CLOSING_TAG}\s*+){{0,2}}+(?:```|~~~)?+\s*+\Z"
)
_HEAD: Final = re.compile(
    rf"\s*+(?:{_OPENING_TAG}\s*+)?+{_FENCE}?+\s*+(?:{_OPENING_TAG}\s*+)?+(?:\*\*)?+\s*+"
)


class JsonPiece(msgspec.Struct, frozen=True, gc=False):
    """A stretch of a text that begins as JSON does: ``text[start:end]``.

    ``closed``: its brackets are. ``open_string``: it is not closed, and ends inside a string.
    """

    start: int
    end: int
    closed: bool = True
    open_string: bool = False


class DuplicateKeyError(ValueError):
    """A key stands twice in one object, with different values."""

    def __init__(self, key: str, first: Any, second: Any) -> None:
        self.key = key
        self.first = first
        self.second = second
        super().__init__(key)


def decode(raw: str) -> Any:
    """What a JSON text says. Control characters in strings are let through; nothing else is.

    Raises:
        DuplicateKeyError: A key has two values.
        ValueError: It is not JSON, or nested too deep.
    """
    try:
        return _DECODER.decode(raw)
    except RecursionError:
        raise ValueError("nested too deep") from None


def pieces(text: str, opener: Opener = "{") -> Iterator[JsonPiece]:
    """The outermost objects or arrays of a text, in order. One that is not closed takes the rest of the text."""
    search = _STARTS[opener].search
    found = search(text)
    while found is not None:
        piece = _piece(text, found.start(), opener)
        yield piece
        if not piece.closed:
            return
        found = search(text, piece.end)


def unwrap(value: Any, known: tuple[str, ...] = ()) -> Any:
    """What a mere wrapper holds: an array of one, an object whose only key is none of the known ones."""
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
    """Whether what ends there ends the text: only white space, a fence and closing tags come after it."""
    return _TAIL.match(text, end) is not None


def opens(text: str, start: int) -> bool:
    """Whether what begins there begins the text: only white space, a fence and an opening tag come before it."""
    head = _HEAD.match(text)
    return head is not None and head.end() == start


def split_hidden_reasoning(text: str) -> tuple[str, str]:
    """A reply without its hidden reasoning, and that reasoning.

    A block that is never closed hides the rest; one that is only closed (the prompt opened it) hides what came before.
    Tags inside the strings of a JSON object are the text of a quote.
    """
    lower = text.lower()
    if not any(name in lower for name in _SIGNS):
        return text, ""
    hidden: list[tuple[int, int]] = []
    closed = True
    at = 0
    while (found := _HIDDEN_OR_OBJECT.search(text, at)) is not None:
        start = found.start()
        if found["open"]:
            # None is looked for again where there was none.
            end = _HIDDEN_CLOSE.search(text, found.end()) if closed else None
            closed = end is not None
            if end is None and not _begins_line(text, start):
                # Words before it on its line, and no end: prose that speaks of a tag.
                at = found.end()
                continue
            at = end.end() if end else len(text)
            hidden.append((start, at))
        elif found["close"]:
            at = found.end()
            hidden = [(0, at)]
        else:
            piece = _piece(text, start, "{")
            at = piece.end
            if not piece.closed:
                ends = [end.end() for end in _HIDDEN_CLOSE.finditer(text, start)]
                if not ends:
                    break
                # A draft left open inside reasoning that the prompt began.
                at = ends[-1]
                hidden = [(0, at)]
    shown: list[str] = []
    at = 0
    for start, stop in hidden:
        shown.append(text[at:start])
        at = stop
    shown.append(text[at:])
    said = "\n".join(text[start:stop] for start, stop in hidden)
    return "".join(shown), _HIDDEN.sub("", said).strip()


def _begins_line(text: str, at: int) -> bool:
    # Bounded: what is indented more than this is no line of its own.
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
            # As text: to Python 1 and true are the same.
            if key in first and repr(first[key]) != repr(value):
                raise DuplicateKeyError(key, first[key], value)
            first.setdefault(key, value)
    return members


def _integer(digits: str) -> int | float:
    # Python refuses to read integers of thousands of digits; as a float one is too large, or infinite.
    return int(digits) if len(digits) < 20 else float(digits)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_members, parse_int=_integer, strict=False)
