r"""Inline markup, and the plain view of a text without it.

The plain view has the same length as the source and every code point in its place; markup is blanked out. Because
nothing moves, a rule can look at ``plain`` and report offsets into ``source``. What is blanked: emphasis marks,
code, link targets (the link's words stay), citation markers, HTML tags and comments, footnote marks, table rules,
block-quote and list marks. Line breaks stay.

    >>> plain_view("It grew **35%** [1](https://x.example).")
    'It grew   35%                          .'

Every pattern here is linear: quantifiers are possessive or bounded, and what would have to search ahead for a closing
mark remembers that the text has none.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

InlineKind = Literal[
    "comment", "code", "image", "link", "marker", "footnote", "cjk_marker", "url", "tag", "cite"
]

_NOT_NEWLINE: Final = re.compile(r"[^\r\n]+")


class InlineMarkup(msgspec.Struct, frozen=True, gc=False):
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
    return _NOT_NEWLINE.sub(lambda match: " " * len(match.group()), text)


# Alternatives that each begin with a literal let `re` skip to the next candidate without trying every position.
_CANDIDATE: Final = re.compile(r"\[|<|`|【|［|http|www\.")
_LINK: Final = re.compile(
    r"""\[(?P<words>(?>(?:[^\[\]\n\\]++|\\.|\[[^\[\]\n]{0,200}+\]){0,200}))\]
        \((?P<target>[^()\s]{0,2000}+(?>(?:\([^()\s]{0,500}+\)[^()\s]{0,2000}+){0,4}))(?:[ ]++["'][^"'\n]{0,300}+["'])?[ ]?\)""",
    re.VERBOSE,
)
_FOOTNOTE: Final = re.compile(r"\[\^([^\[\]\s]{1,40}+)\]")
# What may stand between two numbers of a marker. Blank alone or around a mark, never both ways at one place.
_SEP: Final = r"\s{0,3}+(?:(?<=\s)|[\-–—‑~,，、;；]\s{0,3}+)"
_NUMERIC: Final = re.compile(rf"[\[［](\^?\d{{1,3}}+(?>(?:{_SEP}\^?\d{{1,3}}+){{0,40}}))[\]］]")
_CJK_MARKER: Final = re.compile(rf"【(\d{{1,3}}+(?>(?:{_SEP}\d{{1,3}}+){{0,20}}))(?:[†:][^】\n]{{0,80}}+)?】")
_CITE: Final = re.compile(
    r"<cite\s{1,5}+id\s?=\s?[\"']?([^\"'>\s<]{1,200}+)[\"']?\s?>([^<]{0,4000}+)</cite>", re.IGNORECASE
)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,500}+>")
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>\]\"'，。；、）】》|]{2,2000}+")
_BACKTICKS: Final = re.compile(r"`++")
_CODE_REACH: Final = 2_000
# These begin with the line break before them, which lets `re` jump from line to line.
_TABLE_RULE: Final = re.compile(
    r"\n[ \t]{0,80}+(?:\|[ \t]{0,80}+:?-++|:?-{2,}+):?[ \t]*+"
    r"(?>(?:\|[ \t]*+:?-++:?[ \t]*+)*)(?:\|[ \t]*+)?(?=[\r\n]|\Z)"
)
_LINE_MARK: Final = re.compile(
    r"\n(?:[ \t]{0,6}(?>(?:>[ \t]?){1,20}))?[ \t]{0,80}+(?:(?:[-*+•·●▪◦‣–]|\(?\d{1,3}[.)](?!\d)"
    r"|\d{1,3}、)[ \t]++|#{1,6}+(?=\s))"
    r"|\n[ \t]{0,6}+(?>(?:>[ \t]?){1,20})"
)
_UNDERSCORE: Final = re.compile(r"_(?:(?<![A-Za-z0-9]_)|(?![A-Za-z0-9]))")
_URL_TAIL: Final = ".,;:!?*_"


def scan_inline(source: str) -> list[InlineMarkup]:
    """Return links, markers, code, tags and addresses of ``source``, in order, none inside another.

    Linear; never raises.
    """
    return _Scanner(source).run()


class _Scanner:
    """One pass over a source.

    It remembers which closing marks do not occur again, so that nothing is searched twice.
    """

    __slots__ = ("_no_comment", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._no_comment = False

    def run(self) -> list[InlineMarkup]:
        source = self._source
        out: list[InlineMarkup] = []
        at = 0
        search = _CANDIDATE.search
        while (candidate := search(source, at)) is not None:
            start = candidate.start()
            char = source[start]
            found: InlineMarkup | None
            if char in "[［":
                found = self._bracket(start, char)
            elif char == "<":
                found = self._angle(start)
            elif char == "`":
                found, at = self._code(start)
                if found is None:
                    continue
            elif char == "【":
                match = _CJK_MARKER.match(source, start)
                found = (
                    InlineMarkup("cjk_marker", start, match.end(), match.start(1), match.end(1))
                    if match
                    else None
                )
            else:
                found = self._url(start)
            if found is None:
                at = start + 1
            else:
                out.append(found)
                at = found.end
        return out

    def _bracket(self, start: int, char: str) -> InlineMarkup | None:
        source = self._source
        following = source[start + 1 : start + 2]
        if following.isdigit() or following == "^":
            if match := _NUMERIC.match(source, start):
                end = match.end()
                if source[end : end + 1] == "(" and (link := _LINK.match(source, start)):
                    return InlineMarkup(
                        "marker", start, link.end(), match.start(1), match.end(1), link["target"]
                    )
                return InlineMarkup("marker", start, end, match.start(1), match.end(1))
            if match := _FOOTNOTE.match(source, start):
                return InlineMarkup("footnote", start, match.end(), match.start(1), match.end(1))
        before = source[start - 1] if start else ""
        if char == "[" and before != "\\" and (match := _LINK.match(source, start)):
            image = before == "!"
            inner = (match.start("words"), match.end("words"))
            words = match["words"].strip(" []^")
            if words.isdigit() and not image:
                return InlineMarkup("marker", start, match.end(), *inner, match["target"])
            return InlineMarkup(
                "image" if image else "link", start - image, match.end(), *inner, match["target"]
            )
        return None

    def _angle(self, start: int) -> InlineMarkup | None:
        source = self._source
        if source.startswith("<!--", start):
            end = -1 if self._no_comment else source.find("-->", start + 4)
            if end >= 0:
                return InlineMarkup("comment", start, end + 3, start + 4, end)
            self._no_comment = True
            return None
        if source[start + 1 : start + 3].lower() == "ci" and (match := _CITE.match(source, start)):
            return InlineMarkup("cite", start, match.end(), match.start(2), match.end(2), match[1])
        if (match := _TAG.match(source, start)) and "://" not in match.group()[:9]:
            return InlineMarkup("tag", start, match.end(), start + 1, match.end() - 1)
        return None

    def _code(self, start: int) -> tuple[InlineMarkup | None, int]:
        """Code opened by the backticks at ``start``, closed by as many on the same line; and where to go on."""
        source = self._source
        opening = _BACKTICKS.match(source, start)
        inner = opening.end() if opening else start + 1
        size = inner - start
        if size <= 8:
            limit = min(len(source), inner + _CODE_REACH)
            line_end = source.find("\n", inner, limit)
            for run in _BACKTICKS.finditer(source, inner, limit if line_end < 0 else line_end):
                if run.end() - run.start() == size:
                    return InlineMarkup("code", start, run.end(), inner, run.start()), run.end()
        return None, inner

    def _url(self, start: int) -> InlineMarkup | None:
        match = _URL.match(self._source, start)
        if match is None:
            return None
        text = match.group().rstrip(_URL_TAIL)
        if text.endswith(")"):
            # A bracket that the address itself did not open belongs to the sentence.
            excess = text.count(")") - text.count("(")
            while excess > 0 and text.endswith(")"):
                text = text[:-1].rstrip(_URL_TAIL)
                excess -= 1
        return InlineMarkup("url", start, start + len(text), start, start + len(text), text)


def plain_view(source: str, inlines: list[InlineMarkup] | None = None) -> str:
    """``source`` with its markup blanked, of exactly the same length. Never raises.

    Args:
        source: Markdown.
        inlines: What `scan_inline` found in it, when it is at hand.
    """
    # The added line break makes the first line begin like any other; it is cut off again at the end.
    pieces: list[str] = ["\n"]
    at = 0
    for inline in scan_inline(source) if inlines is None else inlines:
        start, end = inline.start, inline.end
        pieces.append(source[at:start])
        if inline.kind in ("link", "cite"):
            left, right = inline.inner_start, inline.inner_end
            pieces.append(blank(source[start:left]))
            pieces.append(source[left:right])
            pieces.append(" " * (end - right))
        else:
            pieces.append(blank(source[start:end]))
        at = end
    pieces.append(source[at:])
    out = "".join(pieces)
    if "--" in out:
        out = _TABLE_RULE.sub(_spaces, out)
    out = _LINE_MARK.sub(_spaces, out)
    if "_" in out:
        out = _UNDERSCORE.sub(" ", out)
    if "~~" in out:
        out = out.replace("~~", "  ")
    for mark in "*`|":
        if mark in out:
            out = out.replace(mark, " ")
    return out[1:]


def _spaces(match: re.Match[str]) -> str:
    # Both patterns match the line break before the line and nothing past its end.
    return "\n" + " " * (match.end() - match.start() - 1)
