"""Cross-references to parts of the report, such as "see Table 3" or 见第五节, and the parts that they can refer to."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.checks.structure._labels import chinese_number, read_label
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "structure")

Kind = Literal["table", "figure", "section", "appendix", "step"]

_KINDS: Final[dict[str, Kind]] = {
    "table": "table", "tables": "table", "figure": "figure", "figures": "figure", "fig": "figure", "figs": "figure",
    "section": "section", "sections": "section", "chapter": "section", "appendix": "appendix", "annex": "appendix",
    "step": "step",
}  # fmt: skip
_EN: Final = re.compile(
    r"(?P<word>[a-z]+)\.?\s{1,3}(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}(?![\d%]|\.\d|(?:st|nd|rd|th)\b)|"
    r"[A-H](?![\w'’])|[IVX]{1,4}(?!\w))",
    re.IGNORECASE,
)
_STRONG_BEFORE: Final = _PHRASES.pattern(
    r"(?:\b(?:see|see also|refer to|cf\.?|compare|consult|back to|return to|repeat)|"
    r"\b(?:<<pointers_shown.en>>) (?:above |below |earlier |later )?(?:in|by|under|as))"
    r"(?: also)?(?: the)?\s{0,3}[\[(]?\s{0,3}$",
    flags=re.IGNORECASE,
)
_WEAK_BEFORE: Final = re.compile(r"(?:\b(?:in|from)(?: the)?|[(（\[/])\s{0,3}$", re.IGNORECASE)
_SHOWS: Final = _PHRASES.pattern(r"\s{0,3}(?:<<pointers_shows.en>>)\b", flags=re.IGNORECASE)
# "Table 2 of the IMF report", "Figure 3 in Smith et al.", "Section 5.14, 'Title'": a part of another document.
_ELSEWHERE: Final = re.compile(
    r"\s{0,3}(?:,?\s{0,2}(?:of|in|from|to|under)\s+(?:[\"“‘(]|the\b(?! (?:report|table|appendix|text|"
    r"section|present))|their\b|its\b|his\b|her\b|[A-Z])|[(（]\d|,\s*[\"“‘]|[\"“‘]|,\s+(?:p\.|pp\.|page|"
    "19|20))"
)
_LEGAL: Final = _PHRASES.pattern(r"\b(?:<<pointers_legal.en>>)\b")
_OWNER_BEFORE: Final = _PHRASES.pattern(
    r"(?:['’]s|s['’]|\b(?:<<pointers_owner_before.en>>))\s{0,2}[(（]?\s{0,2}$", flags=re.IGNORECASE
)

_HAN: Final = "一二三四五六七八九十"
_ZH_PART: Final = re.compile(
    rf"(?P<kind>[表图])\s?(?P<number>\d{{1,2}}(?:[-.]\d{{1,2}})?(?![\d年月日%.])|[{_HAN}](?![{_HAN}个种类项年]))"
)
_ZH_SECTION: Final = re.compile(
    rf"见\s?第\s?(?P<number>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}}|[{_HAN}]{{1,3}})\s?(?P<kind>章|节|部分)"
)
_ZH_APPENDIX: Final = re.compile(
    r"见\s?[【（(“\"]?(?P<kind>附录|附件|附表|附图)\s?(?P<number>\d{1,2}|[A-H一二三四五六七八九十](?![\w]))?"
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


class Pointer(msgspec.Struct, frozen=True):
    """A reference to a part of the report: its kind, number, start, end and words.

    ``number`` is as written, and empty for "the appendix". ``strong`` is true for explicit references ("see Table 3").
    """

    kind: Kind
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
            if match is not None and match["number"]:
                pointer = _english(report, kind, match)
                if pointer is not None:
                    yield pointer
    if report.cues.cjk:
        yield from _chinese(report)


def _english(report: Report, kind: Kind, match: re.Match[str]) -> Pointer | None:
    plain = report.plain
    start, end = match.span()
    number = match["number"]
    if number.isalpha() and (number.islower() or (kind != "appendix" and number in "ABCDEFGH")):
        return None
    before = plain[max(0, start - 40) : start].replace("\n", " ")
    strong = bool(_STRONG_BEFORE.search(before))
    weak = strong or bool(_WEAK_BEFORE.search(before)) or bool(_SHOWS.match(plain, end))
    if not weak or (kind in ("section", "step") and not strong):
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


def _chinese(report: Report) -> Iterator[Pointer]:
    plain = report.plain
    for mark in "表图":
        at = plain.find(mark)
        while at >= 0:
            match = _ZH_PART.match(plain, at)
            if match is not None:
                before = plain[max(0, at - 8) : at]
                strong = bool(_ZH_BEFORE.search(before))
                shown = _ZH_AFTER.match(plain, match.end())
                if (strong or shown) and not _ZH_ELSEWHERE.search(before):
                    kind: Kind = "table" if mark == "表" else "figure"
                    yield Pointer(kind, match["number"], *match.span(), match.group(), strong)
            at = plain.find(mark, at + 1)
    if "见第" in plain or "见 第" in plain:
        for match in _ZH_SECTION.finditer(plain):
            yield Pointer(
                "section",
                match["number"],
                match.start() + 1,
                match.end(),
                match.group()[1:].strip(),
                strong=True,
            )
    if "见" in plain and "附" in plain:
        for match in _ZH_APPENDIX.finditer(plain):
            yield Pointer(
                "appendix",
                match["number"] or "",
                match.start("kind"),
                match.end(),
                match["kind"],
                strong=True,
            )


class Targets:
    """The parts of a report that a reference can lead to. In case of doubt, a part counts as the target."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.paths: set[str] = set()
        self.top = 0
        self._opened: set[str] | None = None
        self._captions: list[tuple[str, int]] | None = None
        tops: dict[int, int] = {}
        for section in report.sections[1:]:
            tops[section.level] = tops.get(section.level, 0) + 1
            label = read_label(section.title)
            if label is not None:
                self.paths.add(".".join(map(str, (*label.prefix, label.number))))
                parent = read_label(report.sections[section.parent or 0].title)
                if parent is not None and not label.prefix:
                    self.paths.add(".".join(map(str, (*parent.prefix, parent.number, label.number))))
        self.top = max(tops.values(), default=0)

    def has(self, pointer: Pointer) -> bool:
        """Return whether the report has the target of the reference, or a part that the author may count as it."""
        number = pointer.number
        if pointer.kind == "section":
            value = str(chinese_number(number)) if not number[:1].isascii() else number
            if value in self.paths or value in self._openings():
                return True
            return not self.paths and "." not in value and value.isdigit() and int(value) <= self.top
        if pointer.kind == "appendix":
            return self._captioned("appendix", pointer) or self._appendix() or number in self._openings()
        if pointer.kind == "step":
            return self._step(number)
        if self._captioned(pointer.kind, pointer):
            return True
        drawn = len(self._report.tables)
        if pointer.kind == "figure":
            drawn = sum(block.kind in ("figure", "code", "html") for block in self._report.blocks)
        count = chinese_number(number) if number[:1].isdigit() or not number.isascii() else 0
        return 0 < count <= drawn and not self._any_caption(pointer.kind)

    def _openings(self) -> set[str]:
        """Return the numbers and letters that begin lines outside lists.

        In texts without heading marks, such lines are headings.
        """
        if self._opened is None:
            report = self._report
            self._opened = {
                match["number"]
                for match in _OPENING.finditer(report.source)
                if "." in match["number"]
                or ((block := report.block_at(match.start())) and block.kind in ("paragraph", "heading"))
            }
        return self._opened

    def _captioned(self, kind: str, pointer: Pointer) -> bool:
        """Return whether a block begins with the name of the target, as captions, headings and notes do."""
        names = {"table": ("table", "表", "表格", "附表"), "figure": ("figure", "fig.", "fig", "图", "chart", "附图"),
                 "appendix": ("appendix", "annex", "附录", "附件", "附表", "附图")}[kind]  # fmt: skip
        openings = self._caption_openings()
        for name in names:
            wanted = f"{name}{pointer.number.lower()}"
            for i in range(bisect_left(openings, (wanted,)), len(openings)):
                squeezed, start = openings[i]
                if not squeezed.startswith(wanted):
                    break
                # The pointer's own block may open with it: "Table 3 shows …".
                own = start <= pointer.start < start + 12
                if not own and not squeezed[len(wanted) : len(wanted) + 1].isdigit():
                    return True
        return False

    def _caption_openings(self) -> list[tuple[str, int]]:
        """Return the beginning of each block without white space, and its offset, sorted to find captions by name."""
        if self._captions is None:
            report = self._report
            self._captions = sorted(
                (
                    "".join(
                        report.plain[block.span.start : block.span.start + 60]
                        .lstrip(" #【（(")
                        .lower()
                        .split()
                    ),
                    block.span.start,
                )
                for block in report.blocks
                if block.kind not in ("reference", "code")
            )
        return self._captions

    def _any_caption(self, kind: str) -> bool:
        if kind == "table":
            return any(table.caption for table in self._report.tables)
        return any(
            self._report.plain[block.span.start : block.span.start + 30]
            .lstrip(" #*")
            .lower()
            .startswith(("figure 1", "fig. 1", "图1"))
            for block in self._report.blocks
        )

    def _appendix(self) -> bool:
        return any(
            any(word in section.title for word in ("附录", "附件", "附表", "附图"))
            or section.title.startswith("附")
            or "appendi" in section.title.lower()
            or "annex" in section.title.lower()
            for section in self._report.sections[1:]
        )

    def _step(self, number: str) -> bool:
        report = self._report
        for at in report.cues.positions("step"):
            opening = report.plain[at + 4 : at + 9].lstrip()
            if opening.startswith(number) and not opening[len(number) : len(number) + 1].isdigit():
                block = report.block_at(at)
                if block is not None and not report.plain[block.span.start : at].strip():
                    return True
        return any(
            block.kind == "item"
            and block.ordered
            and report.source.startswith((f"{number}.", f"{number})"), block.span.start)
            for block in report.blocks
        )
