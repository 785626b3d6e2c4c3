"""Cross-references to parts of the report, such as "see Table 3" or 见第五节, and the parts that they can refer to."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.subjects.heading_labels import chinese_number, roman_number
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.subjects", "pointers")

PartKind = Literal["table", "figure", "section", "appendix"]

_KINDS: Final[dict[str, PartKind]] = {
    "table": "table", "tables": "table", "figure": "figure", "figures": "figure", "fig": "figure", "figs": "figure",
    "section": "section", "sections": "section", "chapter": "section", "appendix": "appendix", "annex": "appendix",
}  # fmt: skip
_EN: Final = re.compile(
    r"(?P<word>[a-z]+)\.?\s{1,3}(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}(?![\d%]|\.\d|(?:st|nd|rd|th)\b)|"
    r"[A-H](?![\w'’])|[IVX]{1,4}(?!\w))",
    re.IGNORECASE,
)
_STRONG_BEFORE: Final = _PHRASES.pattern(
    r"(?:\b(?:see|see also|refer to|cf\.?|compare|consult|back to|return to)|"
    r"\b(?:<<pointers_shown.en>>) (?:above |below |earlier |later )?(?:in|by|under|as))"
    r"(?: also)?(?: the)?\s{0,3}[\[(]?\s{0,3}$",
    flags=re.IGNORECASE,
)
_WEAK_BEFORE: Final = re.compile(r"(?:\b(?:in|from)(?: the)?|[(（\[/])\s{0,3}$", re.IGNORECASE)
_SHOWS: Final = _PHRASES.pattern(r"\s{0,3}(?:<<pointers_shows.en>>)\b", flags=re.IGNORECASE)
# "Table 2 of the IMF report", "Figure 3 in Smith et al.", "Section 8 ('Manual') of Hu's paper", "Section 5.14, 'Title'":
# a part of another document.
_ELSEWHERE: Final = re.compile(
    r"(?:\s{0,3}\([^()\n]{1,60}\))?"
    r"\s{0,3}(?:,?\s{0,2}(?:of|in|from|to|under)\s+(?:[\"“‘(]|the\b(?! (?:report|table|appendix|text|"
    r"section|present))|their\b|its\b|his\b|her\b|[A-Z])|[(（]\d|,\s*[\"“‘]|[\"“‘]|,\s+(?:p\.|pp\.|page|"
    "19|20))"
)
_LEGAL: Final = _PHRASES.pattern(r"\b(?:<<pointers_legal.en>>)\b")
_OWNER_BEFORE: Final = _PHRASES.pattern(
    r"(?:['’]s|s['’]|\b(?:<<pointers_owner_before.en>>))\s{0,2}[(（]?\s{0,2}$", flags=re.IGNORECASE
)

_HAN: Final = "一二三四五六七八九十"
_ZH: Final = re.compile(
    rf"""见\s?第\s?(?P<section>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}}|[{_HAN}]{{1,3}})\s?(?:章|节|部分)
    |见\s?[【（(“"]?(?P<appendix>附录|附件|附表|附图)\s?(?P<letter>\d{{1,2}}|[A-H{_HAN}](?!\w))?
    |(?P<part>[表图])\s?(?P<number>\d{{1,2}}(?:[-.]\d{{1,2}})?(?![\d年月日%.])|[{_HAN}](?![{_HAN}个种类项年]))""",
    re.VERBOSE,
)
_ZH_BEFORE: Final = re.compile(r"(?:如|见|由|从|参照|参考|根据)(?:下|上|前|后)?附?$")
_ZH_AFTER: Final = _PHRASES.pattern(r"\s?(?:<<pointers_after.zh>>)")
_ZH_ELSEWHERE: Final = re.compile(r"[》的]\s?附?$")

# "3.4. Address ranges", "D Case studies": headings in plain text.
_OPENING: Final = re.compile(
    r"^[ \t#*]{0,8}(?:(?:[Ss]ection|[Cc]hapter|[Aa]ppendix)[ \t]+)?(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|"
    r"[A-H])[.:]?\**[ \t]+(?=[A-Z\"“\u4e00-\u9fff])",
    re.MULTILINE,
)
# What captions, headings and notes begin with.
_CAPTION: Final = re.compile(
    rf"""[\s#*_>【（(]{{0,9}}(?:(?P<table>table|附?表格?)|(?P<figure>fig(?:ure|\.)?|chart|附?图)
    |(?P<appendix>appendix|annex|附[录件表图]))\s{{0,3}}(?P<number>\d+(?:[-.]\d+)*|[a-z]{{1,4}}(?!\w)|[{_HAN}])?""",
    re.VERBOSE | re.IGNORECASE,
)
_APPENDIX: Final = re.compile("附[录件表图]|^附|appendi|annex", re.IGNORECASE)


class Pointer(msgspec.Struct, frozen=True):
    """A reference to a part of the report: its kind, number, start, end and words.

    ``number`` is as written, and empty for "the appendix". ``strong`` is true for explicit references ("see Table 3").
    """

    kind: PartKind
    number: str
    start: int
    end: int
    text: str
    strong: bool


def find_pointers(report: Report) -> Iterator[Pointer]:
    """Yield the references to parts of the report itself, without those to other documents and to sections of laws."""
    plain = report.plain
    for word, kind in _KINDS.items():
        for at in report.cues.positions(word):
            match = _EN.match(plain, at)
            if match is not None and (pointer := _english(report, kind, match)) is not None:
                yield pointer
    if report.cues.cjk:
        yield from _chinese(plain)


def _english(report: Report, kind: PartKind, match: re.Match[str]) -> Pointer | None:
    plain = report.plain
    start, end = match.span()
    number = match["number"]
    if number.isalpha() and (number.islower() or (kind != "appendix" and number in "ABCDEFGH")):
        return None
    before = plain[max(0, start - 40) : start].replace("\n", " ")
    strong = bool(_STRONG_BEFORE.search(before))
    weak = strong or bool(_WEAK_BEFORE.search(before)) or bool(_SHOWS.match(plain, end))
    if not weak or (kind == "section" and not strong):
        return None
    if _ELSEWHERE.match(plain, end) or _OWNER_BEFORE.search(before):
        return None
    sentence = report.sentence_at(start)
    if sentence is None:
        return None
    if kind == "section" and _LEGAL.search(plain, sentence.span.start, sentence.span.end):
        return None
    if not strong and _cited_right_after(report, end):
        # "(Table 2) [5]" is the table of source 5.
        return None
    return Pointer(kind, number, start, end, " ".join(match.group().split()), strong)


def _cited_right_after(report: Report, end: int) -> bool:
    after = report.source[end : end + 4]
    return after.lstrip(" )）,").startswith(("[", "【", "("))


def _chinese(plain: str) -> Iterator[Pointer]:
    for match in _ZH.finditer(plain):
        start, end = match.span()
        if match["section"]:
            yield Pointer("section", match["section"], start + 1, end, match.group()[1:].strip(), strong=True)
        elif match["appendix"]:
            start = match.start("appendix")
            yield Pointer("appendix", match["letter"] or "", start, end, match["appendix"], strong=True)
        else:
            before = plain[max(0, start - 8) : start]
            strong = bool(_ZH_BEFORE.search(before))
            if (strong or _ZH_AFTER.match(plain, end)) and not _ZH_ELSEWHERE.search(before):
                kind: PartKind = "table" if match["part"] == "表" else "figure"
                yield Pointer(kind, match["number"], start, end, match.group(), strong)


class Targets:
    """The parts of a report that a reference can lead to. In case of doubt, a part counts as the target."""

    def __init__(self, report: Report) -> None:
        self._paths: set[str] = set()
        self._captions: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._appendix = False
        ranks: dict[int, int] = defaultdict(int)
        for section in report.sections[1:]:
            ranks[section.level] += 1
            self._appendix = self._appendix or _APPENDIX.search(section.title) is not None
            label, parent = (report.heading_labels[i] for i in (section.index, section.parent or 0))
            if label is not None:
                self._paths.add(".".join(map(str, (*label.prefix, label.number))))
                if parent is not None and not label.prefix:
                    self._paths.add(".".join(map(str, (*parent.prefix, parent.number, label.number))))
        self._most_siblings = max(ranks.values(), default=0)
        # In texts without heading marks, numbers and letters that begin lines outside lists are those of headings.
        self._openings = {
            match["number"]
            for match in _OPENING.finditer(report.source)
            if "." in match["number"]
            or ((block := report.block_at(match.start())) and block.kind in ("paragraph", "heading"))
        }
        for block in report.blocks:
            caption = _CAPTION.match(report.plain, block.span.start, block.span.end)
            if caption is not None and block.kind not in ("reference", "code"):
                number = (caption["number"] or "").lower()
                kinds = [name for name in ("table", "figure", "appendix") if caption[name]]
                if "附" in caption.group() and kinds != ["appendix"]:
                    kinds.append("appendix")
                for kind in kinds:
                    for part in {number, re.split("[-.]", number)[0], ""}:
                        self._captions[kind, part].append(block.span.start)
        # Without captions, tables and figures are counted.
        drawn = sum(block.kind in ("figure", "code", "html") for block in report.blocks)
        self._counted = {
            "table": 0 if any(table.caption for table in report.tables) else len(report.tables),
            "figure": 0 if ("figure", "1") in self._captions else drawn,
        }

    def has(self, pointer: Pointer) -> bool:
        """Return whether the report has the target of the reference, or a part that the author may count as it."""
        number = pointer.number
        value = number if number[:1].isascii() else str(chinese_number(number))
        if pointer.kind == "section":
            if value in self._paths or value in self._openings:
                return True
            # "Section II" is the one headed "II. Costs", or "2. Costs".
            if len(number.strip("IVX")) == 0 and str(roman_number(number)) in self._paths:
                return True
            return not self._paths and value.isdigit() and int(value) <= self._most_siblings
        # The pointer's own block may open with it: "Table 3 shows …".
        captions = self._captions.get((pointer.kind, number.lower()), ())
        if any(not start <= pointer.start < start + 12 for start in captions):
            return True
        if pointer.kind == "appendix":
            return self._appendix or number in self._openings
        return value.isdigit() and 0 < int(value) <= self._counted[pointer.kind]
