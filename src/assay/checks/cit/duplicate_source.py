"""The same source listed twice under different numbers.

Two citation markers then look like two independent sources, although there is only one. Addresses are compared without
scheme, "www.", final slash, tracking parameters and page anchors; forms of one work (abstract and PDF on arXiv, pages with
one DOI or PMC number) are one. The same long title at two addresses is reported too,
but with lower confidence, since one may be a copy of the paper on another site. One finding names all such sources. Lists
of different chapters may share sources.

Known problems: a site that serves different pages under one address (a form, a search page) counts as one source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import excerpt, label
from assay.checks.wording import Series, Wording, series
from assay.subjects.source_identity import page_identity, title_identity, work_identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Reference
    from assay.subjects.report import Report

_NAMED: Final = 4
_RELATED: Final = 10

_SAME_ADDRESS: Final = Wording(
    en="{entries} lead to the same work: {address}", zh="{entries}指向同一文献：“{address}”"
)
_SAME_TITLE: Final = Wording(
    en="{entries} have the same title: “{title}”", zh="{entries}的标题相同：“{title}”"
)
_SEVERAL: Final = Wording(
    en="{n} sources are listed more than once: {groups}", zh="有{n}个来源重复列出：{groups}"
)
_ENTRY_NUMBER: Final = Wording(en="entry {n}", zh="第{n}条")


class _Group(NamedTuple):
    entries: list[Reference]
    same: str
    address: bool


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding for all sources that are listed more than once in one list, at the second entry of the first."""
    groups = [group for entries in report.reference_lists for group in _groups(entries)]
    if not groups:
        return
    first = groups[0]
    if len(groups) == 1:
        wording = _SAME_ADDRESS if first.address else _SAME_TITLE
        shown = {"address" if first.address else "title": excerpt(first.same, 70)}
        message = wording(entries=_names(first.entries), **shown)
    else:
        shown_groups = tuple(_names(group.entries) for group in groups[:_NAMED])
        message = _SEVERAL(n=len(groups), groups=Series(shown_groups, cut=len(groups) > _NAMED))
    spans = [ref.span for group in groups for ref in group.entries if ref is not first.entries[1]]
    yield Hit(
        first.entries[1].span,
        message,
        related=tuple(spans[:_RELATED]),
        confidence=0.92 if any(group.address for group in groups) else 0.7,
    )


def _groups(entries: list[Reference]) -> list[_Group]:
    """Return the entries of one list that are the same source, in order of their second appearance."""
    by_url: dict[str, list[Reference]] = {}
    by_title: dict[str, list[Reference]] = {}
    for ref in entries:
        if ref.url and "." in ref.url:
            by_url.setdefault(work_identity(ref.url), []).append(ref)
        if title := title_identity(ref.title):
            by_title.setdefault(title, []).append(ref)
    out = [
        _Group(group, page_identity(group[0].url or ""), True)
        for same, group in by_url.items()
        if len(group) > 1 and "/" in same and not _several_works(group)
    ]
    reported = {ref.index for group in out for ref in group.entries}
    out += [
        _Group(group, group[0].title, False)
        for group in by_title.values()
        if len(group) > 1 and not any(ref.index in reported for ref in group)
    ]
    return sorted(out, key=lambda group: group.entries[1].span)


def _several_works(group: list[Reference]) -> bool:
    """Return whether entries without numbers are different works that one page is given for."""
    titles = {title_identity(ref.title) for ref in group}
    return all(ref.key is None for ref in group) and None not in titles and len(titles) == len(group)


def _names(group: list[Reference]) -> Series:
    keys = [ref.key for ref in group if ref.key]
    # Entries with one number, or without, are told apart by their place.
    told = len(set(keys)) == len(group)
    return series(
        (label(ref.key) if told and ref.key else _ENTRY_NUMBER(n=ref.index + 1) for ref in group), "and"
    )


CHECK = Check(
    code="CIT003",
    name="duplicate-source",
    severity="info",
    summary="The same work listed twice: one address, two forms of it, or the same long title.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(
        Example(
            "Sales doubled [1], as others found too [2].\n\n## References\n\n"
            "[1] Survey 2023: https://www.energy.example.org/survey/\n[2] Heat pump survey: "
            "http://energy.example.org/survey?utm_source=x\n"
        ),
        Example(
            "销量翻番[1][2]。\n\n## 参考文献\n\n[1] 国家能源局关于热泵市场发展情况的年度调查报告（2023年）: https://a.example.org/1\n"
            "[2] 国家能源局关于热泵市场发展情况的年度调查报告（2023年）: https://b.example.org/7\n"
        ),
    ),
    good=(
        Example(
            "Sales doubled [1], as others found too [2].\n\n## References\n\n"
            "[1] Annual report: https://energy.example.org/report?year=2023\n[2] Annual report: "
            "https://energy.example.org/report?year=2022\n"
        ),
    ),
)
