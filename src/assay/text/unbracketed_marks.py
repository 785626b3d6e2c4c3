r"""Citation marks without brackets of their own, and marks that only an agent's interface understands.

A bare number after a word (``diabetes 1.``, ``diabetes.1``) and a superscript are citations only if the text has a list
whose numbers they fit. A token such as ``turn0search3`` refers to a list that the text does not have.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from assay.text.markup import InlineMarkup, wrap_citations
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PHRASES: Final = PhraseFile("assay.text", "marks")

_PRIVATE: Final = re.compile("\ue200(?P<kind>[a-z_]{2,20})\ue202(?P<body>[^\ue200\ue201]{0,4000})\ue201")
_ENTITY: Final = re.compile(r'\["[^"]{0,60}","(?P<name>[^"]{1,120})"')
# What shows that a text may have such marks, and the marks.
_TOKENS: Final = tuple(
    (re.compile(sign), re.compile(pattern))
    for sign, pattern in (
        (
            r"turn\d",
            (
                r"[\[【(（]?(?:file|navi)?(?:cite)?(?:[\ue200-\ue20f,;\s]{0,2}turn\d{1,3}[a-z]{3,10}\d{1,4}){1,40}"
                r"(?:[\ue200-\ue20f]?L\d{1,6}(?:-L?\d{1,6})?)?[\]】)）\ue201]?"
            ),
        ),
        (r"oaicite", r":?contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?|\[oaicite:\d{1,4}\]"),
        (r"source_id:", r"\[?\bsource_id:\s?[\w\-]{4,80}\]?"),
        (r"†", r"【[^】†\n]{1,100}†[^】\n]{0,100}】"),
        # [news (2025-06-26)]
        (
            r"\((?:n\.d\.|(?:19|20)\d\d(?:-\d\d){0,2})\)\]",
            r"\[[A-Za-z][A-Za-z ]{2,24} \((?:n\.d\.|(?:19|20)\d\d(?:-\d\d){0,2})\)\]",
        ),
    )
)
# （见文献1）, (ref. 3)
_WORDED: Final = re.compile(
    r"[（(](?:参?见|详见|[Ss]ee )?(?:参考文献|文献|注释?|资料|来源|[Rr]efs?\.?|[Rr]eferences?)\s?[\[［]?"
    r"(\d{1,3}(?:\s?[,，、;；\-–－]\s?\d{1,3}){0,20})[\]］]?[)）]"
)

_KEY: Final = r"[A-Za-z]{1,8}[-_]?\d{1,4}"
_LABEL_ENTRY: Final = re.compile(rf"\[((?!image|img|fig){_KEY})\\?\][:：]?[ \t]")
_BEFORE_ENTRY: Final = re.compile(r"[ \t>]*(?:[-*][ \t]+)?\\?$")
# What stands before an entry on its line is no longer than this.
_INDENT: Final = 80
_LABEL: Final = re.compile(rf"(?<=[^\s\]!>*\-\\])[ \t]?\[({_KEY}(?:\s?[,;，；、]\s?{_KEY}){{0,8}})\](?![(:])")

_SUPERSCRIPT: Final = re.compile(
    r"<sup>\s?\[?(\d{1,3}(?:\s?[,，、;\-–]\s?\d{1,3}){0,20})\]?\s?</sup>|([¹²³⁴-⁹][⁰¹²³⁴-⁹]{0,2}(?:[,，˒⁻–·ʼ'][⁰¹²³⁴-⁹]{1,3}){0,12})",
    re.IGNORECASE,
)
_SUP_ENTRY: Final = re.compile(
    r"^[ \t>]*(?:[-*][ \t]+)?(?:<sup>\s?(\d{1,3})\s?</sup>|([⁰¹²³⁴-⁹]{1,3})(?=[ \t]*\S)"
    # Any numbered list looks like "1. …"; an entry has an address or a year.
    r"|(?:\\?\[(\d{1,3})\\?\]|(\d{1,3})\\?[.)、])[ \t]*\S[^\n]{0,600}?(?:https?://|www\.|\bdoi|\b(?:19|20)\d\d\b))",
    re.MULTILINE | re.IGNORECASE,
)
_BEFORE_SUPERSCRIPT: Final = re.compile(
    r"(?:[A-Za-z\u00c0-\u024f\u0400-\u04ff]{3}|[.,;:!?)\]”\"’%。，；：、）》」』\u4e00-\u9fff])$"
)
SUPERSCRIPT_DIGITS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒", "0123456789-,")

_ACCESSED: Final = re.compile(
    r"^[ \t]*(\d{1,3})\\?[.)][ \t][^\n]{0,600}?(?:\baccessed(?: on)?[ :]|访问时间|訪問時間|访问日期|檢索日期|检索日期|存取日期)",
    re.MULTILINE,
)
_LIST_SIGNS: Final = ("accessed ", "访问时间", "訪問時間", "访问日期", "檢索日期", "检索日期", "存取日期")
_NUMBERS: Final = r"(?P<numbers>\d{1,3}(?:,[ ]?\d{1,3}){0,8})"
# "diabetes.1 The", "diabetes,1 and": glued to the mark before it, which no decimal is.
_GLUED: Final = re.compile(rf"[.,;:!?](?<=(?:[^\W\d_]|[)\]*\"”’'%`）]).){_NUMBERS}(?=[\s|*]|$)", re.MULTILINE)
_GLUED_CJK: Final = re.compile(rf"[。；，！？）]{_NUMBERS}(?=[\s|*\u4e00-\u9fff]|$)", re.MULTILINE)
# "diabetes 1.", "(INLP) 7,", "Verification\" 19 inspired"
_SPACED: Final = re.compile(
    rf" (?=\d)(?<=(?:[^\W\d_]|[)\]*\"”’'%）_]) ){_NUMBERS}"
    r"(?P<stop>[.,;:。，；](?=[\s*|\"”)]|$)|(?=[ \t]*$)|(?=[ \t]*\|)|(?= ))",
    re.MULTILINE,
)
_LAST_WORD: Final = re.compile(r"([^\W\d_]+)[)\]*\"”’'%_]*$")
_COUNTED: Final = _PHRASES.pattern(r"(?i)^(?:<<number_takers.en>>)$")
# After these a number in mid-sentence can only be a mark: "the historical diet 9 is noteworthy".
_GOES_ON: Final = re.compile(
    r" (?:is|are|was|were|can|could|and|but|which|while|has|have|also|may|should|must|will)\b"
)
_FEW: Final = 3
_DATED: Final = 0.7
_FIT: Final = 0.3
_PLENTY: Final = 8
_BRACKETED_MAX: Final = 3


def with_unbracketed(source: str, inlines: list[InlineMarkup]) -> list[InlineMarkup]:
    """Return ``inlines``, the marks without brackets, and what wraps citations, in order. Linear; never raises."""
    found = [*_tokens(source), *_worded(source), *_labels(source)]
    if any(sign in source for sign in _LIST_SIGNS):
        found += _bare_numbers(source, inlines)
    found += _superscripts(source)
    return wrap_citations(source, _merged(inlines, found) if found else inlines)


def _merged(inlines: list[InlineMarkup], found: list[InlineMarkup]) -> list[InlineMarkup]:
    # A tag or a bracket inside a token belongs to it; a number inside a link does not count.
    strong = [
        (one.start, one.end) for one in inlines if one.kind in ("link", "url", "code", "image", "comment")
    ]
    found = _apart(sorted(found, key=lambda one: one.start), strong)
    spans = [(one.start, one.end) for one in found]
    return sorted([*_apart(inlines, spans), *found], key=lambda one: one.start)


def _apart(inlines: Sequence[InlineMarkup], spans: Sequence[tuple[int, int]]) -> list[InlineMarkup]:
    """Return the inlines that overlap neither each other nor a span; both are in order."""
    out: list[InlineMarkup] = []
    at = 0
    for one in inlines:
        while at < len(spans) and spans[at][1] <= one.start:
            at += 1
        if (at == len(spans) or one.end <= spans[at][0]) and (not out or out[-1].end <= one.start):
            out.append(one)
    return out


def _tokens(source: str) -> Iterator[InlineMarkup]:
    if "\ue200" in source:
        for match in _PRIVATE.finditer(source):
            kind = match["kind"]
            if kind in ("cite", "filecite", "navlist"):
                yield InlineMarkup("token", match.start(), match.end(), *match.span("body"))
            elif kind == "entity" and (name := _ENTITY.match(match["body"])):
                left = match.start("body")
                yield InlineMarkup(
                    "entity", match.start(), match.end(), left + name.start("name"), left + name.end("name")
                )
            else:
                yield InlineMarkup("comment", match.start(), match.end(), *match.span("body"))
    for sign, pattern in _TOKENS:
        if sign.search(source):
            for match in pattern.finditer(source):
                yield InlineMarkup("token", match.start(), match.end(), match.start(), match.end())


def _worded(source: str) -> Iterator[InlineMarkup]:
    for match in _WORDED.finditer(source):
        yield InlineMarkup("marker", match.start(), match.end(), *match.span(1))


def _labels(source: str) -> Iterator[InlineMarkup]:
    """Yield marks such as ``[d1]`` of a text in which lines begin with ``[d1]``, ``[d2]``."""
    listed = {match[1] for match in _LABEL_ENTRY.finditer(source) if _begins_line(source, match.start())}
    if len(listed) < _FEW - 1:
        return
    for match in _LABEL.finditer(source):
        if all(key in listed for key in re.split(r"[,;，；、\s]+", match[1])):
            yield InlineMarkup("marker", match.start(), match.end(), *match.span(1))


def _begins_line(source: str, at: int) -> bool:
    """Return whether nothing but an indent, a quotation mark or a bullet stands before ``at`` on its line."""
    reach = max(0, at - _INDENT)
    line = source.rfind("\n", reach, at) + 1
    return (line > 0 or reach == 0) and _BEFORE_ENTRY.match(source, line, at) is not None


def _superscripts(source: str) -> list[InlineMarkup]:
    if "<sup" not in source and not any(char in source for char in "¹²³"):
        return []
    listed = {
        int("".join(filter(None, m.groups())).translate(SUPERSCRIPT_DIGITS))
        for m in _SUP_ENTRY.finditer(source)
    }
    if not {1, 2} <= listed:
        return []
    out: list[InlineMarkup] = []
    for match in _SUPERSCRIPT.finditer(source):
        group = 1 if match[1] else 2
        numbers = [int(n) for n in re.findall(r"\d{1,3}", match[group].translate(SUPERSCRIPT_DIGITS))]
        after = source[match.end() : match.end() + 1]
        if (
            all(number in listed for number in numbers)
            and not (after.isascii() and after.isalnum())
            # An ion: SO₄²⁻.
            and after not in ("⁻", "⁺")
            and _BEFORE_SUPERSCRIPT.search(source[max(0, match.start() - 3) : match.start()])
        ):
            out.append(InlineMarkup("marker", match.start(), match.end(), *match.span(group)))
    # "1" alone may be a power or a note on a table.
    firsts = {source[one.inner_start : one.inner_end] for one in out}
    return out if len(firsts) > 1 else []


def _bare_numbers(source: str, inlines: Sequence[InlineMarkup]) -> list[InlineMarkup]:
    """Return numbers without brackets that cite a list of the form ``1. title, accessed May 20, 2025, …``."""
    entries = list(_ACCESSED.finditer(source))
    numbers = {int(match[1]) for match in entries}
    top = max(numbers, default=0)
    # A file of the user's own stands in the list without a date.
    if len(numbers) < _FEW or len(numbers) < _DATED * top:
        return []
    end = entries[0].start()
    if (
        sum(one.kind in ("marker", "cjk_marker", "footnote") and one.start < end for one in inlines)
        > _BRACKETED_MAX
    ):
        return []
    glued = [m for pattern in (_GLUED, _GLUED_CJK) for m in pattern.finditer(source, 0, end)]
    spaced = [m for m in _SPACED.finditer(source, 0, end) if _cites(source, m, sure=len(glued) < _FEW)]
    kept = [m for m in (*glued, *spaced) if _fits(m["numbers"], top)]
    distinct = Counter(number for m in kept for number in re.findall(r"\d+", m["numbers"]))
    if len(distinct) < max(_FEW, min(_FIT * top, _PLENTY)):
        return []
    return [InlineMarkup("marker", m.start("numbers"), m.end("numbers"), *m.span("numbers")) for m in kept]


def _fits(numbers: str, top: int) -> bool:
    return all(1 <= int(number) <= top for number in re.findall(r"\d+", numbers))


def _cites(source: str, match: re.Match[str], *, sure: bool) -> bool:
    """Return whether a number after a blank is a citation: not "Section 5", "over 55", "May 20", "type 2"."""
    before = source[max(0, match.start() - 40) : match.start()]
    word = _LAST_WORD.search(before)
    if word is None or _COUNTED.match(word[1]):
        return False
    closes = before[-1] in ")]*\"”’'）_"
    if match["stop"]:
        # "Phi 4", "GPT 5": a name and its number, unless the report always puts a blank before its marks.
        return sure or closes or not word[1][0].isupper()
    line_ends = source[match.end() : match.end() + 3].lstrip(" \t")[:1] in ("", "\n", "\r", "|")
    if closes:
        return True
    return (line_ends and (sure or not word[1][0].isupper())) or (
        sure and word[1][0].islower() and _GOES_ON.match(source, match.end()) is not None
    )
