"""Measured figures without any source: in the whole report, or in whole sections of a report that cites elsewhere.

Readers must take a number without a source on trust; in reports written by agents, such a number is often made up. Only
measured figures count: shares, money, large numbers, stated as facts. One finding is for a report that neither lists nor
links a source (by its statements with years, if it has few figures), another names all sections with several such statements and no citation.

Not flagged are reports whose marks were not understood, texts that need no source by the question (an essay, a recipe),
summaries, plans, scenarios and worked examples, and figures that are cited in another section.

Known problems: a source may be named in words only; the report then still lists none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import excerpt
from assay.checks.wording import Wording, series
from assay.subjects.roles import role_of
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.claims import SourcedClaim
    from assay.subjects.parts import Block
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "cit")
_OWN_WORK: Final = _PHRASES.pattern(
    r"(?i)\b(?:<<uncited_figure_own_work.en>>)|<<uncited_figure_own_work.zh>>"
)
_OWN_SECTION: Final = _PHRASES.pattern(
    r"(?i)\b(?:<<uncited_figure_own_section.en>>)|<<uncited_figure_own_section.zh>>"
)
_FEW: Final = 4
_MANY: Final = 8
_DATED: Final = 10
_LATEST: Final = 2029
_SECTION: Final = 4
_CITED_SECTIONS: Final = 2
_RELATED: Final = 8
_NAMED: Final = 5
_SHORT: Final = 12
_LINE: Final = 1000

_NO_SOURCE: Final = Wording(
    en="The report lists and links no source for its {n} statements with figures, such as {examples}",
    zh="报告有{n}处带数据的陈述（如{examples}），却没有列出或链接任何来源",
)
_NO_SOURCE_DATED: Final = Wording(
    en="The report lists and links no source for its {n} statements with years",
    zh="报告有{n}处带年份的陈述，却没有列出或链接任何来源",
)
_SECTIONS: Final = Wording(
    en="{n:section states|sections state} figures without any source, although the report cites sources elsewhere: "
    "{sections}",
    zh="报告在别处注明了来源，但有{n}节的数据没有任何来源：{sections}",
)
_ONE: Final = Wording(en="{title} ({n} statements)", zh="{title}（{n}处）")


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for the report, or one for its sections."""
    if not report.citations_readable or _OWN_WORK.search(report.query or ""):
        return
    claims = [claim for claim in report.claims if claim.figures]
    if report.citations:
        yield from _uncited_sections(report, claims)
    elif not report.references:
        yield from _uncited_report(report, claims)


def _uncited_report(report: Report, claims: list[SourcedClaim]) -> Iterator[Hit]:
    asked = report.query or ""
    # The asker's own figures need no source.
    claims = [claim for claim in claims if any(figure.printed not in asked for figure in claim.figures)]
    examples = dict.fromkeys(figure.printed for claim in claims for figure in claim.figures)
    if len(claims) < _FEW or len(examples) < _FEW:
        yield from _dated(report)
        return
    yield Hit(
        claims[0].figures[0].span,
        _NO_SOURCE(n=len(claims), examples=series(list(examples)[:3])),
        related=tuple(claim.figures[0].span for claim in claims[1:_RELATED]),
        confidence=0.95 if len(claims) >= _MANY else 0.8,
        severity="warning" if len(claims) >= _MANY else None,
    )


def _dated(report: Report) -> Iterator[Hit]:
    """Yield a finding for a long report with few figures, if many of its statements name a year."""
    years = [q for q in report.quantities if q.kind == "year" and q.value <= _LATEST]
    dated = {s.index: s.span for q in years if (s := report.sentence_at(q.start)) is not None}
    if len(dated) >= _DATED and len({q.value for q in years}) >= _FEW:
        spans = list(dated.values())
        yield Hit(spans[0], _NO_SOURCE_DATED(n=len(dated)), related=tuple(spans[1:_RELATED]), confidence=0.8)


def _key(quantity: Quantity) -> tuple[float, str]:
    return quantity.value, quantity.unit if quantity.unit in ("%", "pp") else ""


def _uncited_sections(report: Report, claims: list[SourcedClaim]) -> Iterator[Hit]:
    cited = _cited_sections(report)
    by_section: dict[int, list[SourcedClaim]] = {}
    for claim in claims:
        by_section.setdefault(claim.section, []).append(claim)
    if len(by_section.keys() & cited) < _CITED_SECTIONS:
        return
    known = {_key(f.quantity) for claim in claims if claim.section in cited for f in claim.figures}
    bare: list[tuple[int, list[SourcedClaim]]] = []
    for index in sorted(by_section.keys() - cited - {0}):
        new = [c for c in by_section[index] if any(_key(f.quantity) not in known for f in c.figures)]
        if len(new) >= _SECTION and not _is_own(report, index):
            bare.append((index, new))
    if bare:
        named = [_ONE(title=f"“{excerpt(report.sections[i].title, 50)}”", n=len(new)) for i, new in bare]
        yield Hit(
            report.sections[bare[0][0]].title_span,
            _SECTIONS(n=len(bare), sections=series(named[:_NAMED], cut=len(named) > _NAMED)),
            related=tuple(claim.span for _, new in bare for claim in new[:2])[:_RELATED],
            confidence=0.8,
        )


def _cited_sections(report: Report) -> set[int]:
    """Return the sections with a citation, with those that a line of sources or a citing introduction covers."""
    cited: set[int] = set()
    places = (report.block_at(citation.span.start) for citation in report.citations)
    for block in {block.index: block for block in places if block is not None}.values():
        section = report.sections[block.section]
        cited.add(section.index)
        # A line with nothing but citations closes the chapter; a citation in a heading or below it covers its parts.
        if block.kind == "paragraph" and _is_short(report, block):
            cited.update(_family(report, section.parent))
        if section.children and section.level > 1:
            cited.update(_family(report, section.index))
        # A part below a table may explain it.
        if section.parent is not None:
            cited.add(section.parent)
    lists = (report.block_at(entries[0].span.start) for entries in report.reference_lists)
    return cited.union(block.section for block in lists if block is not None)


def _is_short(report: Report, block: Block) -> bool:
    span = block.span
    return len(span) < _LINE and len(report.plain[span.start : span.end].split()) < _SHORT


def _family(report: Report, index: int | None) -> Iterator[int]:
    if index is not None and index > 0 and report.sections[index].level > 1:
        yield index
        yield from report.sections[index].children


def _is_own(report: Report, index: int) -> bool:
    """Return whether a section, or one above it, sums up, plans or reckons."""
    section = report.sections[index]
    if role_of(report, section) is not None or _OWN_SECTION.search(section.title):
        return True
    parent = report.sections[section.parent] if section.parent is not None else None
    return bool(parent and parent.level > 1 and _OWN_SECTION.search(parent.title))


_ENTRIES = (
    "\n\n## References\n\n[1] Heat pump survey: https://energy.example.org/survey\n"
    "[2] Grid study: https://grid.example.org/study\n"
)
_NORTH = (
    "The northern market was worth 640 million euros. It grew by 21.7 % in one year. Exports took 38 % of it. Some 14,200 "
    "households bought a pump."
)
_NORTH_ZH = "北方市场总额为6.4亿元。一年内增长21.7%。其中出口占38%。共有1.42万户购买了热泵。"
_BODY = "# Heat pumps\n\n## Sales\n\nSales grew by 12.4 % in 2022 [1].\n\n## Prices\n\nPrices fell by 7.3 % [2].\n\n## {}\n\n{}"
_BODY_ZH = "# 热泵\n\n## 销量\n\n2022年销量增长12.4%[1]。\n\n## 价格\n\n价格下降7.3%[2]。\n\n## {}\n\n{}"

CHECK = Check(
    code="CIT006",
    name="uncited-figure",
    severity="info",
    summary="Measured figures without any source, in the whole report or in whole sections.",
    run=run,
    dimension="evidence_sufficiency",
    failure="evidence_omission",
    bad=(
        Example(_NORTH),
        Example(_NORTH_ZH),
        Example(_BODY.format("The north", _NORTH) + _ENTRIES),
        Example(_BODY_ZH.format("北方市场", _NORTH_ZH) + _ENTRIES),
    ),
    good=(
        Example(_NORTH, query="Write a short story about a dealer in heat pumps."),
        Example(_NORTH + _ENTRIES),
        Example(_BODY.format("The north", _NORTH + " [1]") + _ENTRIES),
        Example(_BODY.format("Scenarios to 2030", _NORTH) + _ENTRIES),
        Example(_BODY_ZH.format("北方市场", "如果北方市场增长21.7%，总额将达到6.4亿元。") + _ENTRIES),
    ),
)
