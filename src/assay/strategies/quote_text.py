"""A text reduced to its words, numbers and punctuation, which a quote of it must share, with the way back to the source.

Differences of form are removed: white space, case, kinds of quotation marks and dashes, full-width and half-width
    forms,
ligatures and composed letters, Markdown marks, targets of links, citation markers. Nothing that carries meaning is:
``10²`` does not become 102, nor ``2*3`` 23.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec

from assay.text.words import CJK

_CITED: Final = r"\d{1,3}(?>(?:\s{0,2}[,，、;–-]\s{0,2}\d{1,3}){0,20})"
_TARGET: Final = r"(?:\((?>(?:[^()\s]{1,500}+|\([^()\s]{0,200}+\)){1,10})\))"
_MARKER: Final = (
    rf"\[\[?\^?(?:cite:\s{{0,2}})?({_CITED})\]\]?{_TARGET}?+|【({_CITED})(?:[†:][^】\n]{{0,80}}+)?】"
)
_MARKERS: Final = re.compile(_MARKER)
_TOKENS: Final = re.compile(
    rf"""(?P<word>[A-Za-z0-9]++)
        |(?P<cjk>[\u4e00-\u9fff]++)
        |(?P<blank>(?>(?:\s|\||<br\s?/?>)+))
        |(?P<gone>(?:{_MARKER})
            |\]\((?>(?:[^()\s]++|\([^()\s]*+\))*)(?:\s+"[^"\n]*+")?\)  # the target of a link
            |!?\[(?=[^\[\]\n]{{1,300}}\]\()                         # and its opening bracket
            |\\(?=[!-/:-@\[-`{{-~]))                                # an escape
        |(?P<mark>(?:\#{{1,6}}+|>++|[-*+•‣])(?=[ \t]))
        |(?P<style>[*_`]++)
        |(?P<dots>\.{{3,}}+|…++)
        |(?P<entity>&(?:amp|lt|gt|quot|apos|nbsp|\#39|\#34);)
        |(?P<other>.)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ENTITIES: Final = {
    "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "'", "&#34;": "'", "&apos;": "'", "&#39;": "'", "&nbsp;": " ",
}  # fmt: skip
# Judges turn " into ' so as not to have to escape it.
_QUOTES: Final = frozenset("\"'“”„‟«»‹›‘’‚‛´′″〝〞「」『』")
_DASHES: Final = frozenset("-‐‑‒–—―−﹣－")
# Other decompositions change the meaning: superscripts, fractions, numbers in circles.
_SAME: Final = frozenset(("<wide>", "<narrow>", "<compat>", "<noBreak>", "<font>", "<vertical>", "<small>"))


class PlainText(msgspec.Struct, frozen=True):
    """A reduced text; ``source[i]`` is where its i-th character comes from."""

    text: str
    source: array[int]


def plain_text(source: str) -> PlainText:
    """Reduce a text to what its quotes must share."""
    out: list[str] = []
    where = array("I")
    last = before_last = ""  # the last two characters put out
    pending = -1  # where white space began that may count
    line_start = True
    for token in _TOKENS.finditer(source):
        kind = token.lastgroup
        start, end = token.span()
        if kind == "blank":
            if pending < 0:
                pending = start
            line_start = line_start or "\n" in token.group()
            continue
        if kind == "gone" or (kind == "mark" and line_start):
            continue
        if kind in ("word", "cjk"):
            piece = token.group().lower()
            places: Iterable[int] = range(start, end)
        else:
            piece = _piece(kind or "", token.group(), source, start, end)
            places = [start] * len(piece)
            if piece == "-" and last == "-" and pending < 0:
                continue  # "--" and "——" are one dash
        if not piece:
            continue
        if piece.isspace():
            pending = start if pending < 0 else pending
            continue
        if pending >= 0:
            if last and _counts(before_last, last, piece[0]):
                out.append(" ")
                where.append(pending)
                before_last, last = last, " "
            pending = -1
        line_start = False
        out.append(piece)
        where.extend(places)
        before_last = piece[-2] if len(piece) > 1 else last
        last = piece[-1]
    return PlainText("".join(out), where)


def markers(text: str) -> list[str]:
    """Return the numbers of the citation markers in a text, in order."""
    numbers: list[str] = []
    for marker in _MARKERS.finditer(text):
        numbers.extend(re.findall(r"\d+", marker[1] or marker[2]))
    return numbers


def _piece(kind: str, token: str, source: str, start: int, end: int) -> str:
    if kind == "style":
        digits = source[start - 1 : start].isdigit() and source[end : end + 1].isdigit()
        return token if digits else ""
    if kind == "dots":
        return "..."
    if kind == "entity":
        return _ENTITIES.get(token.lower(), token)
    return "".join(_folded(mark) for mark in token)


@lru_cache(maxsize=4096)
def _folded(mark: str) -> str:
    """Return one character without differences of form."""
    if mark in _QUOTES:
        return "'"
    if mark in _DASHES:
        return "-"
    category = unicodedata.category(mark)
    if category in ("Cf", "Cc", "Cs") or "\ufe00" <= mark <= "\ufe0f":
        return ""
    decomposition = unicodedata.decomposition(mark)
    if not decomposition:
        return mark.casefold()
    tag = decomposition.split(" ", 1)[0]
    if tag[0] == "<" and tag not in _SAME:
        return mark
    # Decomposed rather than composed, because only that works one character at a time.
    apart = unicodedata.normalize("NFKD", mark).casefold()
    return "".join("'" if part in _QUOTES else "-" if part in _DASHES else part for part in apart)


def _counts(before_last: str, last: str, following: str) -> bool:
    """Return whether white space between two characters matters: between words, and in "2020, 15"."""
    if _is_word(last) and _is_word(following):
        return True
    return last in ".,:/" and before_last.isdigit() and following.isdigit()


@lru_cache(maxsize=4096)
def _is_word(mark: str) -> bool:
    return mark.isalnum() and CJK.match(mark) is None
