r"""Inline markup: where it stands, and the plain view of a text without it.

The plain view has the same length as the source and every code point in its place; markup is blanked out. Because
nothing moves, a rule can look at ``plain`` and report offsets into ``source``. What is blanked: emphasis marks,
code, link targets (the link's words stay), citation markers, HTML tags and comments, footnote marks, table rules,
block-quote and list marks. Line breaks stay.

    >>> plain_view("It grew **35%** [1](https://x.example).")
    'It grew   35%                          .'
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

__all__ = ["Inline", "InlineKind", "blank", "plain_view", "scan_inline"]

InlineKind = Literal["comment", "code", "image", "link", "marker", "footnote", "cjk_marker", "url", "tag", "cite"]

_NOT_NEWLINE: Final = re.compile(r"[^\r\n]")


class Inline(msgspec.Struct, frozen=True, gc=False):
    """One inline construct: ``source[start:end]``, and its inner text (words of a link, keys of a marker)."""

    kind: InlineKind
    start: int
    end: int
    inner_start: int
    inner_end: int
    target: str | None = None


def blank(text: str) -> str:
    """``text`` with everything but line breaks turned into spaces; the length stays."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _NOT_NEWLINE.sub(" ", text)


# Alternatives that each begin with a literal let `re` skip to the next candidate without trying every position.
_CANDIDATE: Final = re.compile(r"\[|<|`|【|［|http|www\.")
# Bounded repeats keep every pattern linear: an unclosed bracket costs at most the bound.
_COMMENT: Final = re.compile(r"<!--[\s\S]{0,20000}?-->")
_CODE: Final = re.compile(r"`([^`\n]{1,2000})`(?!`)|``((?:(?!``)[^\n]){1,2000})``")
_LINK: Final = re.compile(
    r"""\[(?P<words>(?:[^\[\]\n\\]|\\.|\[[^\[\]\n]{0,200}\]){0,800})\]
        \((?P<target>[^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,2000}){0,4})(?:[ ]+["'][^"'\n]{0,300}["'])?\)""",
    re.VERBOSE,
)
_FOOTNOTE: Final = re.compile(r"\[\^([^\]\s]{1,40})\]")
_SEP: Final = r"\s*[\-–—‑~,，、;；\s]\s*"
_NUMERIC: Final = re.compile(rf"[\[［](\^?\d{{1,3}}(?:{_SEP}\^?\d{{1,3}}){{0,40}})[\]］]")
_CJK_MARKER: Final = re.compile(rf"【(\d{{1,3}}(?:{_SEP}\d{{1,3}}){{0,20}})(?:[†:][^】\n]{{0,80}})?】")
_CITE: Final = re.compile(r"<cite\s+id\s*=\s*[\"']?([^\"'>\s]{1,200})[\"']?\s*>([^<]{0,4000})</cite>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,500}>")
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>\]\"'，。；、）】》|]{2,2000}")
_TABLE_RULE: Final = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
_LINE_MARK: Final = re.compile(
    r"^(?:[ \t]{0,6}(?:>[ \t]?){1,20})?[ \t]*(?:(?:[-*+•·●▪◦‣–]|\(?\d{1,3}[.)](?!\d)|\d{1,3}、)[ \t]+|#{1,6}(?=\s))|^[ \t]{0,6}(?:>[ \t]?){1,20}",
    re.MULTILINE,
)
_UNDERSCORE: Final = re.compile(r"(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])")


def scan_inline(source: str) -> list[Inline]:
    """Links, markers, code, tags and addresses of ``source``, in order, none inside another. Linear; never raises."""
    out: list[Inline] = []
    at = 0
    search = _CANDIDATE.search
    while (candidate := search(source, at)) is not None:
        start = candidate.start()
        found = _match_at(source, start)
        if found is None:
            at = start + 1
        else:
            out.append(found)
            at = found.end
    return out


def _match_at(source: str, start: int) -> Inline | None:
    char = source[start]
    if char in "[［":
        if match := _NUMERIC.match(source, start):
            after = source[match.end() : match.end() + 1]
            if after == "(" and (link := _LINK.match(source, start)):
                return Inline("marker", start, link.end(), match.start(1), match.end(1), link["target"])
            return Inline("marker", start, match.end(), match.start(1), match.end(1))
        if match := _FOOTNOTE.match(source, start):
            return Inline("footnote", start, match.end(), match.start(1), match.end(1))
        if char == "[" and (match := _LINK.match(source, start)):
            image = start > 0 and source[start - 1] == "!"
            inner = (match.start("words"), match.end("words"))
            words = match["words"].strip(" []^")
            if words.isdigit() and not image:
                return Inline("marker", start, match.end(), *inner, match["target"])
            return Inline("image" if image else "link", start - image, match.end(), *inner, match["target"])
        return None
    if char == "<":
        if match := _COMMENT.match(source, start):
            return Inline("comment", start, match.end(), start + 4, match.end() - 3)
        if match := _CITE.match(source, start):
            return Inline("cite", start, match.end(), match.start(2), match.end(2), match[1])
        if match := _TAG.match(source, start):
            return Inline("tag", start, match.end(), start + 1, match.end() - 1)
        return None
    if char == "`":
        if match := _CODE.match(source, start):
            return Inline("code", start, match.end(), start + 1, match.end() - 1)
        return None
    if char == "【":
        if match := _CJK_MARKER.match(source, start):
            return Inline("cjk_marker", start, match.end(), match.start(1), match.end(1))
        return None
    if match := _URL.match(source, start):
        end = match.end()
        text = match.group().rstrip(".,;:!?*_")
        while text.endswith(")") and text.count(")") > text.count("("):
            text = text[:-1].rstrip(".,;:!?*_")
        end = start + len(text)
        return Inline("url", start, end, start, end, text)
    return None


def plain_view(source: str, inlines: list[Inline] | None = None) -> str:
    """``source`` with its markup blanked, of exactly the same length. Never raises.

    Args:
        source: Markdown.
        inlines: What `scan_inline` found in it, when it is at hand.
    """
    pieces: list[str] = []
    at = 0
    for inline in scan_inline(source) if inlines is None else inlines:
        start, end = inline.start, inline.end
        pieces.append(source[at:start])
        if inline.kind in ("link", "cite"):
            left, right = inline.inner_start, inline.inner_end
            pieces.append(" " * (left - start))
            pieces.append(source[left:right])
            pieces.append(" " * (end - right))
        else:
            pieces.append(blank(source[start:end]) if inline.kind == "comment" else " " * (end - start))
        at = end
    pieces.append(source[at:])
    out = "".join(pieces)
    if "--" in out:
        out = _TABLE_RULE.sub(_spaces, out)
    out = _LINE_MARK.sub(_spaces, out)
    if "_" in out:
        out = _UNDERSCORE.sub(_spaces, out)
    if "~~" in out:
        out = out.replace("~~", "  ")
    for mark in "*`|":
        if mark in out:
            out = out.replace(mark, " ")
    return out


def _spaces(match: re.Match[str]) -> str:
    return blank(match.group())
