"""Citation groundedness: citations that do not support their claim – a wrong number, an exchange, a wrong address.

The text of the sources is not available, so the rule relies on what the report itself shows (`_wrong_sources`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import Operator
from assay.interventions.edit_kit import (
    ADDRESS,
    MARKER,
    changed_texts,
    edit_runs,
    hosts,
    markers,
    words_changed,
)
from assay.interventions.hints import place_hint
from assay.interventions.outcome._prose import in_turn, paragraph_sites
from assay.interventions.outcome._wrong_sources import (
    absent_sources,
    altered_addresses,
    exchanged_sources,
    wrong_sources,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import EditSite, TextRevision
    from assay.subjects.parts import Block
    from assay.subjects.report import Report
    from assay.text.bilingual import Bilingual

# Hosts that hold the works of many authors: two pages of one are two sources.
_COLLECTIONS: Final = re.compile(
    r"(?:^|\.)(?:arxiv|doi|wikipedia|researchgate|openreview|ssrn|jstor|semanticscholar|aclanthology)\.(?:org|net|com)$"
    r"|(?:^|\.)(?:medium|github|youtube|linkedin|reddit|sciencedirect|springer|wiley|tandfonline|mdpi)\.com$"
    r"|(?:^|\.)(?:ncbi\.nlm\.nih\.gov|zhihu\.com|cnki\.net|baidu\.com|163\.com|sohu\.com|qq\.com|sina\.com\.cn)$"
)
_NAME: Final = re.compile(r"[A-Z\u4e00-\u9fff]")
_KEY: Final = re.compile(r"\w+")
_DIGITS: Final = re.compile(r"\d+")


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions of every kind in turn."""
    ways = (wrong_sources, absent_sources, exchanged_sources, altered_addresses)
    yield from in_turn(draw, [way(report, draw) for way in ways])


def sites(report: Report, draw: Random) -> Iterator[EditSite]:
    """Yield paragraphs with a citation, if the report has another source that it could be confused with."""

    def wanted(block: Block) -> Bilingual | None:
        cited = report.citations_in(block.span)
        known = any(None not in one.references or one.keys[0].startswith("http") for one in cited if one.keys)
        return place_hint("marker") if known else None

    if unfit(report) is None:
        yield from paragraph_sites(report, draw, wanted)


def unfit(report: Report) -> str | None:
    """Return why no citation can be made wrong: with fewer than two sources there is no wrong one."""
    # "Reference 1", "Reference 2": entries without an address that differ in a number alone name no source.
    listed = {entry.url or _DIGITS.sub("", entry.title or "") for entry in report.references}
    linked = set(ADDRESS.findall(report.source))
    return None if max(len(listed), len(linked)) > 1 else "it cites fewer than two different sources"


def check(reference: Report, perturbed: Report, revision: TextRevision) -> str | None:
    """Return why no citation can have become wrong: none differs, one is only missing, or leads to the same source."""
    problems = [
        _problem(reference, before, after) for before, after in changed_texts(reference, perturbed, revision)
    ]
    return next((problem for problem in problems if problem is not None), None)


def _problem(report: Report, before: str, after: str) -> str | None:
    old, new = markers(before), markers(after)
    if MARKER.findall(before) == MARKER.findall(after) and ADDRESS.findall(before) == ADDRESS.findall(after):
        named = any(_NAME.search(run.new) and _NAME.search(run.old) for run in edit_runs(before, after))
        return None if named else "no citation, named source or address differs"
    if ADDRESS.findall(before) != ADDRESS.findall(after):
        return None
    if (changed := words_changed(before, after)) is not None:
        return changed
    if old - new and not new - old:
        return f"the citation {next(iter(old - new))} is missing, not wrong"
    if _groups(before) == _groups(after):
        return "only the order of the markers of a claim differs"
    come, gone = (_hosts(report, keys) for keys in (new - old, old - new))
    if come and gone and come <= gone:
        return f"the source cited now is on the same site as before ({next(iter(come))})"
    return None


def _groups(text: str) -> list[list[str]]:
    """Return the keys of each run of markers that stand side by side, sorted."""
    groups: list[list[str]] = []
    end = -1
    for match in MARKER.finditer(text):
        if not groups or text[end : match.start()].strip(" ,、"):
            groups.append([])
        groups[-1] = sorted([*groups[-1], *_KEY.findall(match.group())])
        end = match.end()
    return groups


def _hosts(report: Report, cited: Iterable[str]) -> set[str]:
    """Return the hosts of cited sources; empty if one has none, or is one of many on its site."""
    urls = {entry.key: entry.url or "" for entry in report.references}
    found = [hosts(urls.get(key, "")) for marker in cited for key in _KEY.findall(marker)]
    if not all(found):
        return set()
    return {host for every in found for host in every if not _COLLECTIONS.search(host)}


OPERATOR = Operator(
    name="citation_groundedness",
    title="Citation groundedness",
    title_zh="引用失据",
    level="outcome",
    module="output",
    category="faithfulness",
    definition=(
        "A claim carries a citation that does not bear it out: a wrong or nonexistent number, two sources "
        "exchanged, a source named that is not the one, or an address that leads elsewhere."
    ),
    definition_zh="论断所附的引用并不支持它：编号错误或不存在、两处来源互换、署错来源名称，或链接指向了别处。",
    rule=rule,
    sites=sites,
    unfit=unfit,
    ask=(
        "Make the citation of one claim wrong, with all markers that it has, and leave every word of the claims. Look at the list of sources, or without a list at the addresses in the text: give a claim the "
        "number of a listed source that, by its title, deals with another subject and comes from another publisher, "
        "or exchange the markers of two claims whose sources have nothing to do with each other's claim. The source "
        "cited now must not be able to support the claim, nor may the right one still stand beside it: if a claim has "
        "several markers, none of the sources that it keeps may be a right one. Keep the form of the markers; where a marker is a named link, change the name and the address together. If the passage names the institution behind a figure, you may instead name another one of "
        "the list. Dropping a marker, reordering the markers of one claim, or citing another page of the same "
        "publisher is not a failure of this type."
    ),
    ask_zh=(
        "只把一个论断的引用改错（它若有几个编号，一并改换），论断的文字一律不动。请对照来源列表（没有列表时，对照文中的链接）：把某个论断的编号换成列表中另一条来源，"
        "从标题看它谈的是别的事、出自别的机构；也可以互换两个论断的引用，而它们的来源与对方的论断毫不相干。"
        "换上的来源不可能支持该论断；同一论断若有几个编号，也不能留下仍能支持它的来源。引用的书写格式保持不变；引用若写成带链接的来源名称，名称与链接须一并改换。"
        "文中若点明了数据出自哪家机构，也可以改署列表中的另一家。删去引用、调换同一论断后几个编号的先后，"
        "或改引同一机构的另一页，都不算这类缺陷。"
    ),
    check=check,
    codes=("CIT001", "CIT003", "CIT010"),
    source="reflect, table 3: Output, Faithfulness, Citation Groundedness",
)
