"""Fabrication: false facts – a figure the report contradicts, a wrong year, name or direction, an invented share.

The reference stands for the truth. Preferably a figure is changed that occurs a second time, in a table or another
section, so that the two contradict each other; names are changed in a section about another one.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.hints import place_hint
from assay.interventions.outcome._claims import (
    cited_figures,
    claims,
    difference,
    exact_figures,
    mixed,
    paragraph_sites,
    refused,
    revise,
    stripped,
)
from assay.interventions.outcome._facts import (
    exchanged_cells,
    exchanged_names,
    far_apart,
    opposite,
    repeated_figures,
    years_twice,
)
from assay.interventions.outcome._invented_figures import invented_figures
from assay.interventions.outcome._numbers import altered, altered_year, printed
from assay.text.phrases import PhraseFile
from assay.text.quantities import find_quantities
from assay.text.quantity import Quantity
from assay.text.words import STOPWORDS, content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.parts import Block
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "fabrication")
_FACTS: Final = PhraseFile("assay.interventions", "facts")


@cache
def _direction_words() -> re.Pattern[str]:
    opposites = _FACTS["opposites"]
    english = "|".join(re.escape(word) for pair in opposites.rows("en") for word in pair)
    chinese = "|".join(word for pair in opposites.rows("zh") for word in pair)
    return re.compile(rf"\b(?:{english})\b|{chinese}")


# A different name is a different fact.
_NAME: Final = re.compile(r"\b[A-Z][A-Za-z0-9&\-]+")

# A smaller figure is a threshold or a resolution, where 2 for 3 may not be wrong.
_TELLS: Final = 5
# A smaller bare number may be part of a name, a rule or a well-known size.
_MANY: Final = 200
_AHEAD: Final = _PHRASES.pattern(
    r"\b(?:<<ahead>>)\b|up to|截至|到(?:19|20)\d\d年|预计|预测|预期|计划|即将|将|未来|目标|展望",
    flags=re.IGNORECASE,
)


def _rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    # What the report itself contradicts comes first; what only its source could contradict comes after.
    yield from mixed(
        report,
        draw,
        _contradicting_figure,
        lambda report, draw: _years(report, draw, years_twice(report, draw, twice=True)),
        exchanged_cells,
        _exchanged_figures,
        opposite,
        exchanged_names,
    )
    yield from mixed(
        report,
        draw,
        lambda report, draw: _years(report, draw, years_twice(report, draw, twice=False)),
        invented_figures,
        _figure,
    )


def _new_digits(report: Report, quantity: Quantity, draw: Random) -> tuple[int, int, str, str] | None:
    start, _, digits = printed(report, quantity)
    block = report.block_at(start)
    if not digits or block is None:
        return None
    near = frozenset(printed(report, q)[2] for q in report.quantities_in(block.span))
    below = 100.0 if quantity.unit == "%" and quantity.value < 100 else None
    new = altered(digits, draw, below=below, avoid=near)
    return None if new is None else (start, start + len(digits), digits, new)


def _contradicting_figure(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which one of two passages gives another figure for the same thing."""
    for quantity, twin in repeated_figures(report, draw):
        if quantity.value in (0.0, 100.0) or not _measured(report, quantity):
            continue
        found = _new_digits(report, quantity, draw)
        if found is not None:
            start, end, old, new = found
            line = report.lines.place(twin.start)[0]
            yield revise(
                start, end, new, "contradicting-figure", f"{old} → {new}; line {line} still says {old}"
            )


def _figure(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions that change the figure of a specific claim."""
    sites = [
        q
        for s in claims(report)
        for q in cited_figures(report, s.span)
        # A figure of a calculation or a range would show that something is wrong, but not what.
        if not q.pair and not (q.unit == "%" and q.value in (0.0, 100.0)) and _measured(report, q)
        if report.citations_in(s.span)
        and ((abs(q.value) >= _TELLS and (q.unit or q.decimals > 0)) or q.value >= _MANY)
    ]
    draw.shuffle(sites)
    for quantity in sites[:12]:
        found = _new_digits(report, quantity, draw)
        if found is not None:
            start, end, old, new = found
            yield revise(start, end, new, "altered-figure", f"{old} → {new}")


def _measured(report: Report, quantity: Quantity) -> bool:
    """Return whether a figure states an amount; a figure in a name, a code or a decade does not."""
    before = report.source[max(0, quantity.start - 16) : quantity.start]
    after = report.source[quantity.end : quantity.end + 8]
    if (
        re.match(r"s\b|年?代|世纪| century| centuries|后[，的]", after)
        or re.search(r"\d0s$", report.source[quantity.start : quantity.end])
        or re.search(r"(?:past|last|next|first|top|age[ds]?)\s$|[近过未]去?来?$|第$", before, re.IGNORECASE)
    ):
        return False
    # Nor of a title.
    line = report.source[max(0, quantity.start - 60) : quantity.start]
    if line.rfind("《") > line.rfind("》"):
        return False
    # 77国集团, G20, 90后: a number in a name is not a measure.
    if re.match(
        r"\s?(?:国|大|级|号|型|版|届|条|章|岁|分|周年|小时工作|强|线|楼|环|集团)|[A-Za-z]\w*-", after
    ):
        return False
    if quantity.unit:
        return True
    return re.match(r"\s[a-z]|[\u4e00-\u9fff]", after) is not None and not re.search(
        r"[A-Z][\w\-]*\s$", before
    )


def _years(report: Report, draw: Random, sites: list[Quantity]) -> Iterator[TextRevision]:
    """Yield revisions that change the year of an event or a finding."""
    for quantity in sites[:40]:
        sentence = report.sentence_at(quantity.start)
        if sentence is None:
            continue
        # The tense reveals the year of what is expected or current.
        if _AHEAD.search(report.text(sentence.span)):
            continue
        # A sequence of years must stay in order, or grammar alone would reveal the edit.
        near = [int(q.value) for q in report.quantities_in(sentence.span) if q.kind == "year"]
        year = altered_year(int(quantity.value), draw, avoid=frozenset(near))
        if year is None:
            continue
        rest = [y for y in near if y != int(quantity.value)]
        if any((y < quantity.value) != (y < year) for y in rest):
            continue
        start, end, digits = printed(report, quantity)
        yield revise(start, end, str(year), "altered-year", f"{digits} → {year}")


def _exchanged_figures(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which two figures of a sentence change places."""
    sites: list[tuple[Quantity, Quantity]] = []
    # A swap is visible only if one of the figures occurs a second time with its own subject.
    twice = {quantity.start for quantity, _ in repeated_figures(report, draw)}
    for sentence in claims(report):
        figures = [q for q in cited_figures(report, sentence.span) if not q.pair and _measured(report, q)]
        sites += [
            (a, b)
            for a, b in pairwise(figures)
            if a.unit == b.unit
            and a.kind == b.kind
            and far_apart(a.value, b.value)
            and _apart(report.source[a.end : b.start])
            and (a.start in twice or b.start in twice)
            and _bound(report, a) == _bound(report, b)
            and (bool(a.unit) or _counts_alike(report, a, b))
        ]
    draw.shuffle(sites)
    for a, b in sites[:30]:
        first, second = report.source[a.start : a.end], report.source[b.start : b.end]
        between = report.source[a.end : b.start]
        yield revise(
            a.start,
            b.end,
            second + between + first,
            "exchanged-figures",
            f"{first.strip()} ↔ {second.strip()}",
        )


def _bound(report: Report, quantity: Quantity) -> str:
    """Return the sign of a bound before a figure, such as "<"; an empty text if there is none."""
    found = re.search(r"[<>≤≥＜＞]", report.source[max(0, quantity.start - 3) : quantity.start + 1])
    return found.group() if found else ""


def _counts_alike(report: Report, a: Quantity, b: Quantity) -> bool:
    """Return whether two figures without a unit are whole numbers that count the same kind of thing."""
    if a.decimals or b.decimals:
        return False
    after = [re.match(r"\s?([\u4e00-\u9fff]|[A-Za-z/]+)", report.source[q.end : q.end + 24]) for q in (a, b)]
    return after[0] is not None and after[1] is not None and after[0][1] == after[1][1]


def _apart(between: str) -> bool:
    """Return whether two figures have separate subjects: enough words between them, and no "from … to"."""
    if len(between) > 160 or re.search(
        r"\b(?:to|from|vs|versus|than|compared)\b|至|到|相比|增至|降至|[(（]", between
    ):
        return False
    return len(content_terms(between)) >= 2


def _sites(report: Report, draw: Random) -> Iterator[EditSite]:
    def wanted(block: Block) -> str | None:
        figures = cited_figures(report, block.span)
        years = [q for q in report.quantities_in(block.span) if q.kind == "year"]
        if figures or years:
            return place_hint("figure")
        return "" if len(block.span) > (80 if report.language == "zh" else 200) else None

    yield from paragraph_sites(report, draw, wanted)


def _check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    if (why := refused(reference, perturbed)) is not None:
        return why
    where = difference(reference, perturbed, revision)
    # A number in a marker is not a fact.
    old, new = stripped(reference, where.before), stripped(perturbed, where.after)
    if old == new:
        return "only citations differ"
    if exact_figures(new) - exact_figures(old):
        return None
    years = [{int(q.value) for q in find_quantities(text) if q.kind == "year"} for text in (old, new)]
    if years[1] - years[0]:
        return None
    if _in_order(old) != _in_order(new) and sorted(_in_order(old)) == sorted(_in_order(new)):
        return None
    words = [_direction_words().findall(text.lower()) for text in (old, new)]
    if words[0] != words[1] and set(words[1]) - set(words[0]):
        return None
    names = [[n for n in _NAME.findall(text) if n.lower() not in STOPWORDS] for text in (old, new)]
    if set(names[1]) - set(names[0]) or (names[0] != names[1] and sorted(names[0]) == sorted(names[1])):
        return None
    if reference.language == "zh" and content_terms(new) - content_terms(old):
        return None
    return "no figure, year, name or direction differs"


def _in_order(text: str) -> list[float]:
    return [q.value for q in find_quantities(text)]


OPERATOR = Operator(
    name="fabrication",
    title="Fabrication",
    title_zh="捏造",
    level="outcome",
    module="output",
    category="faithfulness",
    definition=(
        "A fact is false or made up: a figure, year, name or finding that is invented, that contradicts "
        "the rest of the report, or that belongs to something else."
    ),
    definition_zh="内容中出现虚假或编造的事实：数字、年份、名称或研究发现系捏造，与报告其他部分矛盾，或张冠李戴。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Make one specific fact of the passage false: another figure, another year, another of the "
        "report's own names, the opposite direction, or a finding with a figure that nobody made, given to "
        "an institution the report already names. It must be plausible in size and tone, definite rather "
        "than vague, and wrong. Leave the citation markers as they are, and do not hint that anything is "
        "doubtful."
    ),
    ask_zh=(
        "让段落中的一处具体事实变成假的：换一个数字或年份，换成报告里的另一个名称，把趋势说反，"
        "或以报告已提到的机构之名编造一条带数字的发现。新内容在量级和语气上要可信、明确，但与事实不符。"
        "引用标记保持原样，不要流露任何不确定的口吻。"
    ),
    check=_check,
    codes=("NUM003", "NUM004", "NUM005", "NUM009"),
    source="reflect, table 3: Output, Faithfulness, Fabrication",
)
