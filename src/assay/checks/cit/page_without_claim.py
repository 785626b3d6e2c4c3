"""Sources that hold no claim: home pages, search results, log-in pages, calls for papers, error pages, dictionaries.

A list looks longer with the home pages of ministries and firms, but no reader can find there what a report says. Home
pages and search results are flagged from three on, when they are a tenth of all sources, the other kinds from the first. Not flagged are
home pages that are cited for a statement about that very site.

Known problems: a page built from search parameters may hold data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import excerpt
from assay.checks.wording import Wording, series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.cited_sources import Source
    from assay.subjects.report import Report

_SEVERAL: Final = 3
_SHARE: Final = 0.1
_RELATED: Final = 8
_NAMED: Final = 3
_LABEL: Final = 3

_EMPTY: Final = Wording(
    en="{n} of the {total} sources {n:=does|do} not lead to a page that holds a claim: {kinds}",
    zh="{total}个来源中有{n}个没有指向载有具体内容的网页：{kinds}",
)
_KIND: Final = Wording(en="{kind} ({names})", zh="{kind}（{names}）")
_KINDS: Final = {
    "home page": Wording(en="home pages", zh="网站首页"),
    "search": Wording(en="search results", zh="搜索结果页"),
    "login": Wording(en="log-in pages", zh="登录页"),
    "error": Wording(en="error pages", zh="出错页面"),
    "call for papers": Wording(en="calls for papers", zh="征稿启事"),
    "dictionary": Wording(en="dictionary entries", zh="词典条目"),
}


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding that names the pages by kind."""
    groups: dict[str, list[Source]] = {}
    for source in report.sources:
        if source.kind in _KINDS:
            groups.setdefault(source.kind, []).append(source)
    if "home page" in groups:
        groups["home page"] = _unrelated_homes(report, groups["home page"])
    for kind in ("home page", "search"):
        if len(groups.get(kind, ())) < max(_SEVERAL, _SHARE * len(report.sources)):
            groups.pop(kind, None)
    empty = [source for group in groups.values() for source in group]
    if not empty:
        return
    kinds = (
        _KIND(
            kind=_KINDS[kind](),
            names=series((excerpt(s.host or s.name, 40) for s in group[:_NAMED]), cut=len(group) > _NAMED),
        )
        for kind, group in groups.items()
    )
    yield Hit(
        empty[0].span,
        _EMPTY(n=len(empty), total=len(report.sources), kinds=series(kinds)),
        related=tuple(source.span for source in empty[1:_RELATED]),
        confidence=0.8,
    )


def _unrelated_homes(report: Report, homes: list[Source]) -> list[Source]:
    """Return the listed home pages that are never cited for a statement about the site itself."""
    labels = {
        source.index: [label for label in source.host.split(".")[:-1] if len(label) >= _LABEL]
        for source in homes
        if source.references
    }
    for claim in report.claims:
        for index in labels.keys() & set(claim.sources):
            text = "".join(report.plain[claim.span.start : claim.span.end].lower().split())
            if any(label in text for label in labels[index]):
                del labels[index]
    return [source for source in homes if source.index in labels]


_TEXT = "Sales doubled [1]. Load rose [2]. Prices fell [3]. Grants ended [4].\n\n## References\n\n"
_PAGES = (
    "[1] Survey of sales: https://a.example.org/survey\n[2] Study of load: https://b.example.org/load\n"
    "[3] Price index: https://c.example.org/index/2023\n"
)
_HOMES = "[1] Ministry: https://a.example.org/\n[2] Agency: https://www.b.example.org\n[3] Statistics: https://c.example.org/en/\n"

CHECK = Check(
    code="CIT016",
    name="page-without-claim",
    severity="info",
    summary="Home pages, search results, log-in pages or calls for papers among the sources.",
    run=run,
    dimension="evidence_sufficiency",
    failure="citation_groundedness",
    bad=(
        Example(_TEXT + _HOMES + "[4] Grants: https://d.example.org/grants/2024"),
        Example(_TEXT + _PAGES + "[4] Call for papers on heat pumps: https://d.example.org/cfp"),
        Example(
            _TEXT.replace("References", "参考文献")
            + _PAGES
            + "[4] 热泵技术专刊征稿启事: https://d.example.org/n/7"
        ),
    ),
    good=(
        Example(_TEXT + _PAGES + "[4] Ministry: https://d.example.org/"),
        Example(_TEXT + _PAGES + "[4] Grants: https://d.example.org/research/call-centres?page=2"),
    ),
)
