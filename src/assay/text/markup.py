r"""Inline markup, and the plain view of a text without it.

The plain view has the same length as the source and every code point in its place; markup is blanked out. Because
nothing moves, a rule can look at ``plain`` and report offsets into ``source``. What is blanked: emphasis marks,
code, link targets (the words of a link stay, unless it only names a source), citation markers with the brackets around
them, HTML tags and comments, footnote marks, table rules, block-quote and list marks. Line breaks stay.

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
    "comment", "code", "image", "link", "marker", "footnote", "cjk_marker", "url", "tag", "cite",
    "token", "entity", "wrap",
]  # fmt: skip

_NOT_NEWLINE: Final = re.compile(r"[^\r\n]+")


class InlineMarkup(msgspec.Struct, frozen=True, gc=False):
    """One inline construct: ``source[start:end]``, and its inner text (words of a link, keys of a marker).

    A ``token`` is a mark of an agent's own, such as ``turn0search3``; an ``entity`` is a word that an interface
    highlights; a ``wrap`` is a bracket or a separator around citations. ``outside_prose`` is true of a link that only
    names a source, as in ``([title](url))``.
    """

    kind: InlineKind
    start: int
    end: int
    inner_start: int
    inner_end: int
    target: str | None = None
    outside_prose: bool = False


def blank(text: str) -> str:
    """``text`` with everything but line breaks turned into spaces; the length stays."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _NOT_NEWLINE.sub(lambda match: " " * len(match.group()), text)


# Alternatives that each begin with a literal let `re` skip to the next candidate without trying every position.
_CANDIDATE: Final = re.compile(r"\[|<|`|【|［|〔|http|www\.")
_LINK: Final = re.compile(
    r"""\[(?P<words>(?>(?:[^\[\]\n\\]++|\\.|\[[^\[\]\n]{0,200}+\]){0,200}))\]
        \((?P<target>[^()\s]{0,2000}+(?>(?:\([^()\s]{0,500}+\)[^()\s]{0,2000}+){0,4}))(?:[ ]++["'][^"'\n]{0,300}+["'])?[ ]?\)""",
    re.VERBOSE,
)
# An address with spaces, as in a text fragment ("#:~:text=the first words"), which Markdown does not take.
_LOOSE_LINK: Final = re.compile(
    r"""\[(?P<words>[^\[\]\n]{0,300}+)\]
        \((?P<target>(?:https?://|www\.)(?>(?:[^()\n]{1,800}+|\([^()\n]{0,300}+\)){0,8}))\)""",
    re.VERBOSE,
)
_FOOTNOTE: Final = re.compile(r"\[\^([^\[\]\s]{1,40}+)\]")
# What may stand between two numbers of a marker. Blank alone or around a mark, never both ways at one place.
_SEP: Final = r"\s{0,3}+(?:(?<=\s)|[\-–—‑－~～,，、;；&]\s{0,3}+)"
# What may stand before the number: [注1], [Source 3], 【来源1】.
MARK_WORD: Final = (
    r"(?:注释?|来源|资料|参考(?:文献|资料)?|见?文献|引文?|出处|[Rr]ef(?:erence)?s?\.?|[Ss]ources?|[Ss]rc|[Nn]otes?"
    r"|[Cc]itations?)[ :：#]{0,2}"
)
_WORD_STARTS: Final = frozenset("注来资参见文引出RrSsNnCc")
_NUMERIC: Final = re.compile(
    rf"[\[［〔](?:{MARK_WORD})?+(\^?\d{{1,3}}+(?>(?:{_SEP}\^?\d{{1,3}}+){{0,40}}))\\?[\]］〕]"
)
_CJK_MARKER: Final = re.compile(
    rf"【(?:{MARK_WORD})?+(\d{{1,3}}+(?>(?:{_SEP}\d{{1,3}}+){{0,20}}))(?:[†:][^】\n]{{0,80}}+)?】"
)
_CITE: Final = re.compile(
    r"<cite\s{1,5}+id\s?=\s?[\"']?([^\"'>\s<]{1,200}+)[\"']?\s?>([^<]{0,4000}+)</cite>", re.IGNORECASE
)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,500}+>")
_ANCHOR: Final = re.compile(
    r"<a\s(?:[^<>\n]{0,200}?\s)?href\s?=\s?[\"']?(?P<target>https?://[^\"'<>\s]{1,2000}+)[\"']?[^<>\n]{0,200}+>"
    r"(?P<words>(?P<open>\[?)(?P<number>\d{1,3}+)?[^<>\n]{0,400}+)</a>",
    re.IGNORECASE,
)
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>\]\"'，。；、（）】》|\ue200-\ue20f]{2,2000}+")
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


_CITING: Final = frozenset(("link", "url", "marker", "footnote", "cjk_marker", "token"))
_OPEN: Final = re.compile(
    r"""(?:\\?\[|[(（【<])\s?(?:(?:see(?:\ also)?|cf\.?|e\.g\.,?|sources?|via|from|per|ref(?:erence)?s?
        |资料来源|数据来源|来源|出处|参见|详见|见|引自)\s?[:：]?\s?)?$""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSE: Final = re.compile(r"[\s.,;，；]{0,3}(?:\\?\]|[)）】>])")
_BETWEEN: Final = re.compile(r"[\s,;，；、|&/·]{0,4}(?:(?:and|see|also|和|及|与)[\s]{0,2})?")
_OPEN_REACH: Final = 24
_LABEL: Final = re.compile(
    r"(?<![^\W\d_])(?:sources?|references?|来源|资料来源|数据来源)\**\s?[:：]\**\s*$", re.IGNORECASE
)
_SENTENCE_END: Final = tuple(".!?。！？…")


def wrap_citations(source: str, inlines: list[InlineMarkup]) -> list[InlineMarkup]:
    """Return ``inlines`` with the brackets and separators around citations, and links that only name a source marked.

    ``([title](url); [other](url))``, ``(https://… , https://…)``, ``([1], [2])``, and ``It fell. [title](url)``.
    """
    out: list[InlineMarkup] = []
    count = len(inlines)
    at = 0
    while at < count:
        first = inlines[at]
        if first.kind not in _CITING:
            out.append(first)
            at += 1
            continue
        last = at
        while last + 1 < count and inlines[last + 1].kind in _CITING:
            left, right = inlines[last].end, inlines[last + 1].start
            if right - left > 8 or not _BETWEEN.fullmatch(source, left, right):
                break
            last += 1
        floor = out[-1].end if out else 0
        reach = max(floor, first.start - _OPEN_REACH)
        window = source[reach : first.start]
        opened = _OPEN.search(window)
        closed = _CLOSE.match(source, inlines[last].end) if opened else None
        group = inlines[at : last + 1]
        start = reach + opened.start() if opened and closed else -1
        if start < 0 and first.kind in ("link", "url") and (label := _LABEL.search(window)):
            start = reach + label.start()
        if start >= 0:
            out.append(InlineMarkup("wrap", start, first.start, start, start))
        elif not (any(one.kind == "link" for one in group) and _trails(source, first.start, group[-1].end)):
            out.extend(group)
            at = last + 1
            continue
        for i, one in enumerate(group):
            if i and one.start > group[i - 1].end:
                out.append(InlineMarkup("wrap", group[i - 1].end, one.start, one.start, one.start))
            out.append(msgspec.structs.replace(one, outside_prose=True) if one.kind == "link" else one)
        if opened and closed:
            out.append(InlineMarkup("wrap", inlines[last].end, closed.end(), closed.end(), closed.end()))
        at = last + 1
    return out


def _trails(source: str, start: int, end: int) -> bool:
    """Return whether a link stands behind its sentence: ``It fell. [title](url)`` before a new sentence or line."""
    line = source.rfind("\n", max(0, start - 400), start) + 1
    if (
        not source[line:start].rstrip(' \t*_)"”').endswith(_SENTENCE_END)
        or source[start - 1 : start] not in " \t"
    ):
        return False
    words = source[line:start].strip()
    if words[:-1].isdigit():
        # "1. [title](url)" is an entry of a list.
        return False
    after = source[end : end + 8].lstrip(" \t.")
    return not after or after[0] in "\r\n|" or after[0].isupper()


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
            if char in "[［〔":
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
        before = source[start - 1] if start else ""
        if following.isdigit() or following == "^" or following in _WORD_STARTS:
            if match := _NUMERIC.match(source, start):
                end = match.end()
                if before == "\\":
                    return InlineMarkup("marker", start - 1, end, match.start(1), match.end(1))
                if source[end : end + 1] == "(" and (link := _LINK.match(source, start)):
                    return InlineMarkup(
                        "marker", start, link.end(), match.start(1), match.end(1), link["target"]
                    )
                return InlineMarkup("marker", start, end, match.start(1), match.end(1))
            if match := _FOOTNOTE.match(source, start):
                return InlineMarkup("footnote", start, match.end(), match.start(1), match.end(1))
        if char != "[" or before == "\\":
            return None
        if match := _LINK.match(source, start) or _LOOSE_LINK.match(source, start):
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
        if source[start + 1 : start + 3] in ("a ", "A ") and (match := _ANCHOR.match(source, start)):
            if match["number"] and match["words"].strip("[] ") == match["number"]:
                return InlineMarkup("marker", start, match.end(), *match.span("number"), match["target"])
            return InlineMarkup("link", start, match.end(), *match.span("words"), match["target"])
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
    for inline in wrap_citations(source, scan_inline(source)) if inlines is None else inlines:
        start, end = inline.start, inline.end
        pieces.append(source[at:start])
        if inline.kind in ("link", "cite", "entity") and not inline.outside_prose:
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
