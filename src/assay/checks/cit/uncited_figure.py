"""A paragraph with measured figures and no citation, in a report that cites its other figures.

If a report names a source for nearly every number, readers must take a number without one on trust; in reports written
by agents, such a number is often made up. There is one finding for each such paragraph, which quotes the figures.

Only statistical statements count: a share, an amount of money or a large number, with a word that reports it ("grew by",
"accounts for", 同比增长). Not flagged are summaries and conclusions (they repeat), figures that are cited elsewhere in the
report, tables, settings and thresholds, examples and assumptions, advice, the report's own forecasts, list items below a
sentence with a citation, and items whose list gives one citation for all.

Known problems: a source named in words ("the 2023 census found …") is only recognised in common phrases.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import Wording, series
from assay.subjects.roles import role_of
from assay.subjects.span import Span
from assay.text.lexicon import PhraseLexicon
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Block, Sentence
    from assay.subjects.report import Report
    from assay.text.quantity import Quantity

_PHRASES: Final = PhraseFile("assay.checks", "cit")

_CITATIONS: Final = 8
_HABIT: Final = 0.6
_PARAGRAPHS: Final = 4
_CAP: Final = 4
_REACH: Final = 30
_LARGE: Final = 3e3

# Verbs and nouns with which a sentence reports a measured figure.
_REPORTED: Final = PhraseLexicon(_PHRASES, "uncited_figure_reported")
# Words that make a figure the writer's own: an assumption, a target, a setting, an example, advice.
_OWN: Final = PhraseLexicon(_PHRASES, "uncited_figure_own")
_ATTRIBUTED: Final = PhraseLexicon(_PHRASES, "uncited_figure_attributed")

_UNCITED: Final = Wording(
    en="No source is cited for {figures} in this {unit}, although the report cites its figures elsewhere",
    zh="这一{unit}的{figures}没有注明来源，而报告其他地方的数字都有出处",
)
_ITEM: Final = Wording(en="item", zh="条")
_PARAGRAPH: Final = Wording(en="paragraph", zh="段")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each paragraph with uncited figures, but at most four."""
    if len(report.citations) < _CITATIONS or not report.references:
        return
    cited, bare = _split(report)
    if len(cited) < _PARAGRAPHS or len(cited) < _HABIT * (len(cited) + len(bare)):
        # The report does not usually cite figures, so a missing citation is not remarkable.
        return
    known = _cited_values(report)
    candidates = [(block, strong) for block, strong in bare if any(_key(q) not in known for q in strong)]
    count = 0
    for block, strong in candidates:
        if count == _CAP:
            return
        finding = _judge(report, block, [q for q in strong if _key(q) not in known])
        if finding is not None:
            count += 1
            yield finding


def _key(quantity: Quantity) -> tuple[float, str]:
    return quantity.value, quantity.unit if quantity.unit in ("%", "pp") else ""


def _strong(quantity: Quantity) -> bool:
    kind = quantity.kind
    if kind in ("percent", "points", "currency"):
        # "100 %" and "0 %" are figures of speech.
        return quantity.value not in (0.0, 100.0)
    return kind in ("count", "measure") and (quantity.scale >= 1e4 or quantity.value >= _LARGE)


def _split(report: Report) -> tuple[list[Block], list[tuple[Block, list[Quantity]]]]:
    """Return the paragraphs with statistical figures and a citation, and those without citation with their figures."""
    cited: list[Block] = []
    bare: list[tuple[Block, list[Quantity]]] = []
    blocks = report.paragraphs
    starts = [block.span.start for block in blocks]
    groups: dict[int, list[Quantity]] = {}
    for quantity in report.quantities:
        if _strong(quantity):
            i = bisect_right(starts, quantity.start) - 1
            if i >= 0 and quantity.start < blocks[i].span.end:
                groups.setdefault(i, []).append(quantity)
    for i, strong in groups.items():
        if report.citations_in(blocks[i].span):
            cited.append(blocks[i])
        else:
            bare.append((blocks[i], strong))
    return cited, bare


def _cited_values(report: Report) -> set[tuple[float, str]]:
    """Return every value that occurs in a paragraph with a citation or in a table."""
    out: set[tuple[float, str]] = set()
    for block in report.blocks:
        if block.kind == "table" or (block.kind in ("paragraph", "item") and report.citations_in(block.span)):
            out.update(map(_key, report.quantities_in(block.span)))
    return out


def _judge(report: Report, block: Block, figures: list[Quantity]) -> RawFinding | None:
    if (
        role_of(report, report.sections[block.section]) is not None
        or block.section == 0
        or _covered(report, block)
    ):
        return None
    cues = report.cues
    if _ATTRIBUTED.any(cues, block.span.start, block.span.end):
        return None
    for sentence in report.sentences_in(block.span):
        inside = [q for q in figures if sentence.span.start <= q.start < sentence.span.end]
        if not inside or not _states(report, sentence):
            continue
        printed = dict.fromkeys(_printed(report, q) for q in inside[:3])
        return RawFinding(
            sentence.span,
            _UNCITED(figures=series(printed), unit=_ITEM if block.kind == "item" else _PARAGRAPH),
            confidence=0.7 if len(inside) > 1 else 0.6,
        )
    return None


def _printed(report: Report, quantity: Quantity) -> str:
    """Return the figure as printed; a range is returned in full."""
    start, end = quantity.start, quantity.end
    if report.source[end : end + 1] in ("–", "-", "~", "—"):
        following = report.quantities_in(Span(end + 1, end + 4))
        end = following[0].end if following else end
    return report.source[start:end].strip()


def _states(report: Report, sentence: Sentence) -> bool:
    start, end = sentence.span.start, sentence.span.end
    cues = report.cues
    if not _REPORTED.any(cues, start, end) or _OWN.any(cues, start, end):
        return False
    text = report.source[start:end]
    return not any(mark in text for mark in ("=", "≈", "×", "→", "?", "？", ">", "<", "≥", "≤"))


def _covered(report: Report, block: Block) -> bool:
    """Return whether a citation nearby may apply to this block too.

    That is a citation in the section's heading, a neighbouring table, or a line with only citations. For an item, it may
    also be in the sentence above the list, in its parent item, or in a later item that alone has a citation.
    """
    blocks = report.blocks
    section = report.sections[block.section]
    if report.citations_in(section.title_span):
        return True
    first, last = block.index, block.index
    while first > max(0, block.index - _REACH) and _same_run(blocks[first - 1], block):
        first -= 1
    while last + 1 < min(len(blocks), block.index + _REACH) and _same_run(blocks[last + 1], block):
        last += 1
    for other in blocks[max(0, first - 1) : last + 2]:
        if other.section != block.section or other.index == block.index:
            continue
        if other.kind == "table":
            return True
        cites = bool(report.citations_in(other.span))
        if cites and _only_citations(report, other):
            return True
        if block.kind == "item" and cites:
            lead = other.index < first
            parent = other.index < block.index and other.depth < block.depth
            siblings = sum(1 for b in blocks[first : last + 1] if report.citations_in(b.span))
            if lead or parent or (siblings == 1 and other.index > block.index):
                return True
        elif block.kind == "paragraph" and cites and other.kind == "item":
            # A sentence above items with citations, or a remark below them.
            return True
    return False


def _same_run(other: Block, block: Block) -> bool:
    return block.kind == "item" and other.kind == "item" and other.section == block.section


def _only_citations(report: Report, block: Block) -> bool:
    words = report.plain[block.span.start : block.span.end].split()
    return len(words) <= 3


_LIST = (
    "\n\n## References\n\n[1] Heat pump survey: https://energy.example.org/survey\n[2] Grid study: "
    "https://grid.example.org/study\n"
    "[3] Installers: https://inst.example.org/n\n"
)
_BODY = (
    "# Heat pumps\n\n## Market\n\nSales grew by 12.4 % in 2022 [1].\n\nExports reached 3.2 billion euros in "
    "2022 [2].\n\n"
    "Installers employed 48,213 people [3].\n\n## Prices\n\nThe average price fell by 7.3 % "
    "[1][2].\n\nSubsidies totalled 1.9 billion euros [2].\n\n"
    "## Outlook\n\nSales in the south grew by 8.1 % [1]. Imports fell by 2.6 % [2].\n\nThree firms dominate "
    "the trade.\n\nNobody knows why.\n\n{}\n\n"
    "Firms differ in size and age.\n"
)
_BODY_ZH = (
    "# 热泵\n\n## 市场\n\n2022年销量增长12.4%[1]。\n\n2022年出口额达到32亿欧元[2]。\n\n安装企业雇用48213人，同比增长3.3%[3]。\n\n"
    "## 价格\n\n平均价格下降7.3%[1][2]。\n\n补贴总额达到19亿欧元[2]。\n\n## 区域\n\n南方销量增长8.1%[1]，进口下降2.6%[2]。\n\n三家企业主导市场。"
    "\n\n原因不明。\n\n{}\n\n"
    "企业规模差异较大。\n"
)
_LIST_ZH = (
    "\n\n## 参考文献\n\n[1] 热泵调查: https://energy.example.org/survey\n[2] 电网研究: "
    "https://grid.example.org/study\n[3] 安装商: https://inst.example.org/n\n"
)

CHECK = Check(
    code="CIT006",
    name="uncited-figure",
    severity="info",
    summary="A paragraph with measured figures and no citation, in a report that cites its figures elsewhere.",
    run=run,
    dimension="evidence_sufficiency",
    failure="evidence_omission",
    bad=(
        Example(
            _BODY.format("The northern market was worth 640 million euros and grew by 21.7 % in one year.")
            + _LIST
        ),
        Example(_BODY_ZH.format("北方市场总额达到6.4亿欧元，一年内增长21.7%。") + _LIST_ZH),
    ),
    good=(
        Example(
            _BODY.format(
                "The northern market was worth 640 million euros and grew by 21.7 % in one year [2]."
            )
            + _LIST
        ),
        Example(_BODY.format("As sales grew by 12.4 % overall, the north should aim for 21.7 %.") + _LIST),
        Example(_BODY_ZH.format("如果北方市场增长21.7%，总额将达到6.4亿欧元。") + _LIST_ZH),
    ),
)
