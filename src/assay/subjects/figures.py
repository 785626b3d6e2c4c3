"""Figures of a report: each number with what it measures, whose it is, when, and how exactly it is stated.

    for figure in report.figures:
        print(figure.printed, figure.measure, figure.subject, figure.years, figure.exactness)

A figure is a number of the body or of a table (years and ordinals do not count). Whatever is said about it is read
from the clause around it, the label of its list item, its table, or the heading above, when first asked for:

    dimension   share, points, money, people, mass, length, time, … or count
    measure     what is measured, by one name for all spellings: revenue, box_office, population; empty if unknown
    subject     content terms that tell whose: the clause's own, or the label's or heading's if it has none
    change      whether it is the size of a change ("up 5 %") and not a level
    years       the year beside it, or else those of its clause
    periods     quarters, months and bases ("per capita")
    exactness   exact, about, at least, at most
    modality    stated, forecast, target or hypothetical
    attributed  whether the sentence names a source for it

`comparable` says whether two figures are values of the same thing, `agree` whether both can then be true.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from msgspec.structs import replace

from assay.subjects.figure_words import (
    AT_LEAST,
    AT_MOST,
    ATTRIBUTED,
    CHANGE_AFTER,
    CHANGE_BEFORE,
    FORECAST,
    HYPOTHETICAL,
    PERIODS,
    ROUGHLY,
    TARGET,
    measure_words,
    soft_words,
    soft_words_zh,
)
from assay.subjects.span import Span
from assay.text.quantities import find_quantities
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.subjects.numbered_text import NumberedText
    from assay.subjects.parts import ReportTable, Sentence
    from assay.text.quantity import Quantity

T = TypeVar("T")

Exactness = Literal["exact", "about", "at least", "at most"]
Modality = Literal["stated", "forecast", "target", "hypothetical"]

_DIMENSIONS: Final = {
    "mass": "t kg g mg µg Mt", "length": "km m cm mm µm nm mile", "area": "km² m² ha mu acre",
    "volume": "m³ l ml L barrel", "time": "year month week day hour minute second ms ns µs", "ratio": "x",
    "energy": "kWh MWh GWh TWh Wh", "power": "W kW MW GW TW mW", "people": "people patient participant employee user",
    "data": "GB TB MB PB",
}  # fmt: skip
_DIMENSION_OF: Final = {unit: name for name, units in _DIMENSIONS.items() for unit in units.split()}
_OF_KIND: Final = {"percent": "share", "points": "points", "currency": "money", "count": "count"}
_STRONG_EDGE: Final = re.compile(r"[;；。!！?？]|\.\s")
_RIGHT_EDGE: Final = re.compile(
    r"[,，;；。.()（）、:：]| (?:and|but|while|whereas|which|with|compared|versus) "
)
_BEFORE: Final = 160
_AFTER: Final = 60
_LABEL: Final = re.compile(r"[^:：\n]{1,60}[:：]")
_NAME: Final = re.compile(
    r"(?<![A-Za-z])(?!USD|EUR|GBP|RMB|CNY|JPY|CAGR|US\$)[A-Z][A-Za-z0-9&\-]+|《[^》\n]{1,40}》|「[^」\n]{1,20}」"
)
_LATIN: Final = re.compile(r"[A-Za-z]{2}")
_COUNTED: Final = re.compile(r"[ -](?P<words>[a-z][a-z\-]+(?: [a-z][a-z\-]+){0,2})")


class Figure:
    """One number of a report in its context; see the module for the attributes.

    Attributes:
        quantity: The number with its unit and offsets.
        index: Its place in ``Report.figures``.
        sentence: Its sentence; None in a table or heading.
    """

    def __init__(
        self,
        report: NumberedText,
        quantity: Quantity,
        sentence: Sentence | None,
        previous: Figure | None,
        following: int,
    ) -> None:
        self.quantity = quantity
        self.sentence = sentence
        self.index: int = previous.index + 1 if previous is not None else 0
        self._report = report
        self._previous = previous
        self._following = following
        # What holds for a whole sentence is found once, however many figures it has.
        self._of_sentence: dict[str, Any] = {}
        if previous is not None and sentence is not None and previous.sentence is sentence:
            self._of_sentence = previous._of_sentence  # noqa: SLF001 - the same class

    def __repr__(self) -> str:
        return f"<Figure {self.printed}: {self.measure or '?'} of {sorted(self.subject)}>"

    @property
    def value(self) -> float:
        """The number with its scale, percents in percent."""
        return self.quantity.value

    @property
    def unit(self) -> str:
        """The unit in one spelling; what is counted, for a count."""
        return self.quantity.unit or self.counted

    @property
    def span(self) -> Span:
        """The number with sign, currency and unit."""
        return Span(self.quantity.start, self.quantity.end)

    @property
    def printed(self) -> str:
        """The number as printed."""
        return " ".join(self._report.plain[self.quantity.start : self.quantity.end].split())

    @property
    def dimension(self) -> str:
        """The dimension: share, points, money, count, people, mass, time, … or the unit of an unknown measure."""
        unit = self.quantity.unit
        return _OF_KIND.get(self.quantity.kind) or _DIMENSION_OF.get(unit) or unit

    @property
    def section(self) -> int:
        """Index of its section."""
        if self.sentence is not None:
            return self.sentence.section
        block = self._report.block_at(self.quantity.start)
        return block.section if block is not None else 0

    @cached_property
    def clause(self) -> tuple[str, str, bool]:
        """The words before it back to the preceding figure, those after it, and whether a figure cut them off."""
        report, quantity = self._report, self.quantity
        if self.sentence is None:
            return "", "", False
        span = self.sentence.span
        start, end = max(span.start, quantity.start - _BEFORE), min(span.end, quantity.end + _AFTER)
        cut = False
        if self._previous is not None and self._previous.quantity.end > start:
            start, cut = self._previous.quantity.end, True
        end = min(end, self._following)
        left, right = (
            report.plain[start : quantity.start],
            report.plain[quantity.end : max(end, quantity.end)],
        )
        edges = [match.end() for match in _STRONG_EDGE.finditer(left)]
        edge = _RIGHT_EDGE.search(right)
        return left[edges[-1] if edges else 0 :], right[: edge.start()] if edge else right, cut

    @cached_property
    def counted(self) -> str:
        """What a bare count counts, as the last word of the noun phrase behind it; empty if unknown."""
        if self.quantity.kind != "count":
            return ""
        if (place := self.cell) is not None:
            header = place[0].header[place[2]].text.lower() if place[2] < len(place[0].header) else ""
            words = [word for word in re.findall(r"[a-z]{3,}", header) if content_terms(word)]
            return next((word for word in reversed(words) if word.endswith("s")), "")
        match = _COUNTED.match(self.clause[1])
        if match is None:
            return ""
        behind: str = match["words"]
        words = [word for word in behind.split() if content_terms(word)]
        plural = [word for word in words if word.endswith("s") and not word.endswith("ss")]
        chosen: list[str] = plural or words or [""]
        return chosen[0]

    @cached_property
    def _measured(self) -> tuple[str, str]:
        """The measure and the spelling of it in the clause."""
        if (place := self.cell) is not None:
            table, row, column = place
            for text in (
                table.header[column].text if column < len(table.header) else "",
                table.rows[row][0].text,
            ):
                if found := measure_words().find(text):
                    return found[-1][1:]
            return "", ""
        left, right, _ = self.clause
        if found := measure_words().find(left):
            return found[-1][1:]
        if found := measure_words().find(right):
            return found[0][1:]
        if self.dimension == "money" and not self.clause[2]:
            # "1. Alpha – $5 million" below "Revenue by firm".
            named = [name for _, name, _ in measure_words().find(self._report.sections[self.section].title)]
            return next((name for name in reversed(named) if name in _MONEY), ""), ""
        return "", ""

    @property
    def measure(self) -> str:
        """What is measured, by one name for all spellings of it; empty if not recognised."""
        return self._measured[0]

    @cached_property
    def _own_terms(self) -> frozenset[str]:
        left, right, _ = self.clause
        text = f"{left} {right}".replace(self._measured[1] or "\0", " ")
        if not text.isascii():
            text = soft_words_zh().sub(" ", text)
        return frozenset(content_terms(text) - soft_words())

    @cached_property
    def names(self) -> frozenset[str]:
        """Proper names and titles in its clause, in lower case; those of the clause before if it has none."""
        left, right, cut = self.clause
        report = self._report
        found = {match.group().strip("《》「」").lower() for match in _NAME.finditer(f"{left} \0 {right}")}
        found = {name for name in found if content_terms(name)}
        if self.sentence is not None and not cut:
            first = _FIRST.match(left)
            # The first word of a sentence is a name only if it never stands in lower case.
            if first and f" {first[1].lower()}" in report.plain:
                found.discard(first[1].lower())
        if not found and cut and self._previous is not None:
            return self._previous.names
        return frozenset(found)

    @cached_property
    def subject(self) -> frozenset[str]:
        """Content terms that tell whose figure it is, without the measure and without words such as "reached"."""
        if (place := self.cell) is not None:
            return frozenset(content_terms(place[0].rows[place[1]][0].text))
        own = self._own_terms
        if own:
            return own
        if self.clause[2] and self._previous is not None:
            return self._previous.subject
        return self._report.title_terms[self.section]

    @cached_property
    def cell(self) -> tuple[ReportTable, int, int] | None:
        """The table, row and column that hold it; None outside the body of a table."""
        if self.sentence is not None:
            return None
        return _cells(self._report).get(self.quantity.start)

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The year beside it, or else the years of its clause."""
        report, quantity = self._report, self.quantity
        if self.sentence is None:
            place = self.cell
            if place is None:
                return ()
            table, row, column = place
            texts = [table.rows[row][0].text, table.header[column].text if column < len(table.header) else ""]
            return tuple(sorted({int(year) for text in texts for year in _YEAR.findall(text)}))
        span = self.sentence.span
        found = self._once("years", lambda: [q for q in report.quantities_in(span) if q.kind == "year"])
        if not found:
            title = report.sections[self.section].title
            return tuple(sorted({int(year) for year in _YEAR.findall(title)}))
        if len(found) == 1:
            return (int(found[0].value),)
        left = quantity.start - len(self.clause[0])
        near = found[bisect_left(found, left, key=_start) : bisect_left(found, quantity.end + 40, key=_start)]
        after = [
            q
            for q in near
            if q.start > quantity.end and not _EDGE.search(report.plain, quantity.end, q.start)
        ]
        before = [q for q in near if q.start < quantity.start]
        chosen = after[:1] or before[-1:] or found
        return tuple(sorted({int(q.value) for q in chosen}))

    @cached_property
    def periods(self) -> frozenset[str]:
        """Quarters, months and bases in its sentence ("q3", "per capita")."""
        if self.sentence is None:
            return frozenset()
        span = self.sentence.span
        return self._once(
            "periods",
            lambda: frozenset(PERIODS.findall(self._report.cues.lower, span.start, span.end)),
        )

    @cached_property
    def exactness(self) -> Exactness:
        """Whether the value is exact, approximate or a bound."""
        quantity, plain = self.quantity, self._report.plain
        head = plain[max(0, quantity.start - 24) : quantity.start]
        tail = plain[quantity.end : quantity.end + 4]
        if tail[:1] in ("+", "＋") or tail[:2] in ("以上", "以下", "有余", "多人"):
            return "at most" if tail[:2] == "以下" else "at least"
        if AT_MOST.search(head):
            return "at most"
        if AT_LEAST.search(head):
            return "at least"
        inside = plain[quantity.start : quantity.end]
        rough = quantity.spelled == "fraction" or any(char in inside for char in "多余几")
        return "about" if rough or ROUGHLY.search(head) or tail[:2] in ("左右", "上下") else "exact"

    @cached_property
    def change(self) -> bool:
        """Whether it is the size of a change ("up 5 %", 增长5%) and not a level."""
        quantity, plain = self.quantity, self._report.plain
        if self.dimension == "points":
            return True
        head = plain[max(0, quantity.start - 48) : quantity.start]
        return bool(CHANGE_BEFORE.search(head) or CHANGE_AFTER.match(plain, quantity.end, quantity.end + 40))

    @cached_property
    def modality(self) -> Modality:
        """Whether it is stated as a fact, forecast, a target or requirement, or an example or assumption."""
        if self.sentence is None:
            return "stated"
        return self._once("modality", self._modality)

    def _once(self, name: str, find: Callable[[], T]) -> T:
        """Return what holds for the whole sentence."""
        if name not in self._of_sentence:
            self._of_sentence[name] = find()
        found: T = self._of_sentence[name]
        return found

    def _modality(self) -> Modality:
        assert self.sentence is not None
        span, text = self.sentence.span, self._report.plain
        if HYPOTHETICAL.search(text, span.start, span.end):
            return "hypothetical"
        if TARGET.search(text, span.start, span.end):
            return "target"
        return "forecast" if FORECAST.search(text, span.start, span.end) else "stated"

    @cached_property
    def attributed(self) -> bool:
        """Whether the sentence names who says so."""
        if self.sentence is None:
            return False
        span = self.sentence.span
        return self._once(
            "attributed", lambda: bool(ATTRIBUTED.search(self._report.plain, span.start, span.end))
        )


def _start(quantity: Quantity) -> int:
    return quantity.start


def find_figures(report: NumberedText) -> list[Figure]:
    """Return the figures of a report in order: its quantities without years and ordinals."""
    out: list[Figure] = []
    starts = report.sentence_starts
    sentences = report.sentences
    cells = _cells(report)
    chosen = [quantity for quantity in report.quantities if quantity.kind not in ("year", "ordinal")]
    ends = [quantity.start for quantity in chosen[1:]] + [len(report.plain)]
    i = -1
    for quantity, following in zip(chosen, ends, strict=False):
        i = bisect_right(starts, quantity.start, max(i, 0)) - 1
        sentence = sentences[i] if i >= 0 and quantity.start < sentences[i].span.end else None
        bare = sentence is None and quantity.kind == "count" and quantity.start in cells
        read = _with_header_unit(quantity, *cells[quantity.start]) if bare else quantity
        out.append(Figure(report, read, sentence, out[-1] if out else None, following))
    return out


def _with_header_unit(quantity: Quantity, table: ReportTable, row: int, column: int) -> Quantity:
    """Return a bare number of a table with the unit that the header gives in brackets: "Sales ($ million)"."""
    match = (
        _HEADER_UNIT.search(table.header[column].text) if row >= 0 and column < len(table.header) else None
    )
    if match is None:
        return quantity
    unit = find_quantities(f"{match['sign'] or ''}1{match['unit']}")
    if len(unit) != 1 or unit[0].kind not in ("percent", "currency", "measure", "count") or unit[0].pair:
        return quantity
    one = unit[0]
    return replace(quantity, value=quantity.value * one.value, unit=one.unit, kind=one.kind, scale=one.scale)


def _cells(report: NumberedText) -> dict[int, tuple[ReportTable, int, int]]:
    """Return the table, row and column of every figure in a table, by its start."""
    cells: dict[int, tuple[ReportTable, int, int]] | None = report.memo.get(_cells)
    if cells is None:
        cells = report.memo[_cells] = {
            quantity.start: (table, i, j)
            for table in report.tables
            for i, row in enumerate(table.rows)
            for j, cell in enumerate(row)
            for quantity in report.quantities_in(cell.span)
        }
    return cells


_MONEY: Final = frozenset(
    "revenue box_office profit market_size market_cap investment budget assets debt salary".split()
)
_HEADER_UNIT: Final = re.compile(
    r"[(（](?P<sign>(?:US)?[$€£¥￥]|USD ?|EUR ?|RMB ?)?(?P<unit>[^()（）0-9]{0,12})[)）]\s*$"
)
_FIRST: Final = re.compile(r"\W*([A-Z][a-z]+)\b(?! [A-Z])")
_YEAR: Final = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_EDGE: Final = re.compile(r"[,，;；。:：]")
