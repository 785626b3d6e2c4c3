"""Mentions of tables and figures in a text, by number ("Table 2", 图1) or place ("the chart below", 如下表)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

import msgspec

if TYPE_CHECKING:
    from assay.subjects.report import Report

Family = Literal["table", "figure"]
_FAMILIES: Final[dict[str, Family]] = {
    "table": "table", "tables": "table", "tab.": "table", "表": "table", "表格": "table", "附表": "table",
    "figure": "figure", "figures": "figure", "fig.": "figure", "figs.": "figure", "chart": "figure", "charts": "figure",
    "graph": "figure", "graphs": "figure", "diagram": "figure", "image": "figure", "exhibit": "figure", "图": "figure",
    "图示": "figure", "附图": "figure", "图表": "figure",
}  # fmt: skip
_HAN: Final = "一二三四五六七八九十"
_NUMBER: Final = (
    r"(?P<number>\d{1,2}(?:[.\-–]\d{1,2})?(?![\d%年月日])|[IVX]{1,4}\b|[A-H]\b"
    rf"|[{_HAN}]{{1,2}}(?![{_HAN}个种类项年]))"
)
_BY_NUMBER: Final = re.compile(
    r"(?:\b(?P<en>tables?|tab\.|figures?|figs?\.|charts?|graphs?|diagram|exhibit|image)\s{1,2}"
    rf"|(?P<zh>图表|附表|附图|表格|图示|(?<![发代外圾列])表|(?<![意试企力])图)\s?){_NUMBER}",
    re.IGNORECASE,
)
_BY_PLACE: Final = re.compile(
    r"\b(?:the\s)?(?P<before>following|next|above|preceding|previous)\s(?:\w{3,16}\s){0,2}"
    r"(?P<en>tables?|figures?|charts?|graphs?|diagram)\b"
    r"|\b(?P<en2>table|figure|chart|graph|diagram)\s(?:just\s)?(?P<after>below|above)\b"
    r"|(?P<zplace>如?下|如?上|前)(?P<zh>图表|表格|表|图(?!谱))",
    re.IGNORECASE,
)
# "Table 2 of the IMF report" is not a table of this report.
_ELSEWHERE: Final = re.compile(
    r"\s{0,2}(?:of|in|from)\s(?:the\s[A-Z]|their|its|his|her|[A-Z\"“(])|\s{0,2}[（(]\d"
)
_OWNED: Final = re.compile(r"(?:['’]s|[》的])\s?$")
# A line that names a visual, unlike one that mentions it ("Table 2 shows …").
_CAPTION: Final = re.compile(
    rf"[\s>*_#\[!(（]*{_BY_NUMBER.pattern}\s?(?:[:：.．、|—–-]|\*\*|$|\s(?!\s?(?-i:[a-z])))", re.IGNORECASE
)
_UP: Final = frozenset(("above", "preceding", "previous", "上", "如上", "前"))


class VisualMention(msgspec.Struct, frozen=True):
    """Words of the text that refer to a visual.

    Attributes:
        family: ``table`` or ``figure``.
        number: Number as written; empty for a reference by place.
        up: Whether a reference by place points backwards.
        start: Start of the words.
        end: End of the words.
        text: The words.
    """

    family: Family
    number: str
    up: bool
    start: int
    end: int
    text: str


def label_of(text: str) -> tuple[Family, str] | None:
    """Return the family and number in a caption: "Figure 3: Revenue" is (figure, 3)."""
    match = _CAPTION.match(text)
    if match is None:
        return None
    return _FAMILIES[(match["en"] or match["zh"]).lower()], match["number"]


def find_mentions(report: Report) -> Iterator[VisualMention]:
    """Yield mentions in paragraphs and list items, without captions, in order."""
    plain = report.plain
    for block in report.paragraphs:
        begin, end = block.span.start, block.span.end
        if end - begin < 240 and label_of(plain[begin:end]) is not None:
            continue
        mentions: list[VisualMention] = []
        for match in _BY_NUMBER.finditer(plain, begin, end):
            if _ELSEWHERE.match(plain, match.end(), end) or _OWNED.search(
                plain, max(begin, match.start() - 4), match.start()
            ):
                continue
            word = (match["en"] or match["zh"]).lower()
            # A letter counts as a number only in upper case: "figure I", but not "chart a".
            if match["en"] and match["number"].isalpha() and not match["number"].isupper():
                continue
            mentions.append(
                VisualMention(
                    _FAMILIES[word], match["number"], False, match.start(), match.end(), _words(match)
                )
            )
        for match in _BY_PLACE.finditer(plain, begin, end):
            word = (match["en"] or match["en2"] or match["zh"]).lower()
            place = (match["before"] or match["after"] or match["zplace"]).lower()
            up = place in _UP
            mentions.append(VisualMention(_FAMILIES[word], "", up, match.start(), match.end(), _words(match)))
        yield from sorted(mentions, key=lambda item: item.start)


def _words(match: re.Match[str]) -> str:
    return " ".join(match.group().split())
