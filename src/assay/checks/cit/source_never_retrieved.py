"""A cited address that the run never saw: no tool response contains it and no call opened it.

An agent that cites a page it has not retrieved cites from memory, and such addresses are often invented. The check
needs the trajectory behind the report. Addresses are compared without scheme, "www.", tracking parameters and
anchors. A page also counts as seen if the run saw a page above or below it, or another form of the same paper (by DOI,
arXiv or PubMed number). ``<cite id>`` tags must name an id that a response contains.

Known problems: if the log truncates responses, addresses in the missing parts count as unseen.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import entry_name, excerpt
from assay.checks.wording import Wording
from assay.subjects.references import normalize_url
from assay.subjects.sources import TrajectorySources
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report
    from assay.subjects.trajectory import Trajectory

_CAP: Final = 8
_PAGES: Final = 500
# Identifiers of a paper that stay the same at different addresses.
_IDENTIFIER: Final = re.compile(
    r"(?i)arxiv\.org/(?:abs|pdf|html)/(\d{4}\.\d{4,5})|(10\.\d{4,9}/[^\s?#&]{3,80})|\b(PMC\d{4,9})\b|"
    r"pubmed[^\s\d]{1,20}/(\d{5,9})|[?&]v=([\w\-]{11})"
)

_NOT_RETRIEVED: Final = Wording(
    en="No tool response of the run contains {source}{site}", zh="运行记录的工具返回中没有出现{source}{site}"
)
_SITE_SEEN: Final = Wording(
    en=", although other pages of that site were retrieved", zh="，只取回过该网站的其他网页"
)
_SITE_UNSEEN: Final = Wording(en=", nor any other page of that site", zh="，也没有取回过该网站的任何网页")
_MORE: Final = Wording(
    en="{n:more cited address appears|more cited addresses appear} in no tool response of the run",
    zh="另有{n}个被引网址未见于运行记录的工具返回",
)
_UNKNOWN_ID: Final = Wording(
    en="No tool response of the run has the cited ID “{key}”", zh="运行记录的工具返回中没有被引编号“{key}”"
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield findings for unknown citation ids, then for addresses that the run has not seen."""
    if context.trajectory is None:
        return
    seen = _RetrievedPages(context.trajectory)
    yield from _tags(report, seen)
    if not seen.pages:
        return
    cited_pages: dict[str, tuple[str, Span, str | None]] = {}
    for citation in report.citations:
        for key, index in zip(citation.keys, citation.references, strict=True):
            url = (
                report.references[index].url
                if index is not None
                else key
                if citation.form == "link"
                else None
            )
            if url and url.startswith(("http", "www.")):
                cited_pages.setdefault(
                    normalize_url(url), (url, citation.span, key if key.isdigit() else None)
                )
    for ref in report.references:
        if ref.url and ref.url.startswith(("http", "www.")):
            cited_pages.setdefault(normalize_url(ref.url), (ref.url, ref.span, ref.key or None))
    missing = [
        (normalized, *place)
        for normalized, place in cited_pages.items()
        if not seen.has(normalized, place[0])
    ]
    for normalized, url, span, number in missing[:_CAP]:
        known = normalized.partition("/")[0] in seen.hosts
        yield Hit(
            span,
            _NOT_RETRIEVED(
                source=entry_name(number, excerpt(url, 80)), site=_SITE_SEEN if known else _SITE_UNSEEN
            ),
            confidence=0.8 if known else 0.88,
        )
    if len(missing) > _CAP:
        yield Hit(
            missing[_CAP][2],
            _MORE(n=len(missing) - _CAP),
            related=tuple(item[2] for item in missing[_CAP + 1 : _CAP + 9]),
            confidence=0.85,
        )


def _tags(report: Report, seen: _RetrievedPages) -> Iterator[Hit]:
    reported: set[str] = set()
    for citation in report.citations:
        if citation.form != "cite_tag":
            continue
        for key, index in zip(citation.keys, citation.references, strict=True):
            if index is None and key not in reported and key not in seen.keys and not seen.mentions(key):
                reported.add(key)
                yield Hit(citation.span, _UNKNOWN_ID(key=key), confidence=0.9)


class _RetrievedPages:
    """The addresses, ids and words that a run has seen."""

    def __init__(self, trajectory: Trajectory) -> None:
        sources = TrajectorySources(trajectory)
        self._trajectory = trajectory
        self.pages = sources.urls
        self.keys = sources.keys
        self.hosts: dict[str, list[str]] = {}
        for page in sources.urls:
            self.hosts.setdefault(page.partition("/")[0], []).append(page.partition("?")[0])

    @cached_property
    def _words(self) -> str:
        return "\n".join(call.response.lower() for call in self._trajectory.tool_calls if call.response)

    def mentions(self, text: str) -> bool:
        """Return whether a response contains this text."""
        return text.lower() in self._words

    def has(self, normalized: str, url: str) -> bool:
        """Return whether the run saw this page, a page above or below it, or another form of the same paper."""
        if normalized in self.pages:
            return True
        host, _, path = normalized.partition("/")
        if host in self.hosts:
            if not path:
                return True
            bare = normalized.partition("?")[0]
            for page in self.hosts[host][:_PAGES]:
                if (
                    bare == page
                    or page.startswith(bare + "/")
                    or ("/" in page and bare.startswith(page + "/"))
                ):
                    return True
        match = _IDENTIFIER.search(url)
        return match is not None and self.mentions(next(group for group in match.groups() if group))


_RUN = (
    '{"schema": "assay.trajectory/1", "query": "How fast do heat pumps spread?", "tools": ["search"], '
    '"steps": [{"index": 0, '
    '"reasoning": "Search.", "tool_calls": [{"name": "search", "arguments": {"query": "heat pump sales"}, "response": '
    '"1. [Heat pump sales 2023](https://www.energy.example.org/sales-2023)\\n\\nSales rose by 12 % in 2023.\\n\\n'
    '2. [Grid study](https://grid.example.org/study)\\n\\nPeak load rose by 4 %."}]}], "answer": ""}'
)
_LIST = "\n\n## References\n\n[1] Heat pump sales 2023: https://energy.example.org/sales-2023?utm_source=run\n[2] {}\n"

CHECK = Check(
    code="CIT008",
    name="source-never-retrieved",
    severity="error",
    summary="A cited address that appears in no tool response of the run (needs the trajectory).",
    run=run,
    dimension="evidence_sufficiency",
    failure="fabrication",
    needs=("trajectory",),
    bad=(
        Example(
            "Sales rose by 12 % [1]. Peak load rose by 4 % [2]."
            + _LIST.format("Load survey: https://loads.example.net/2023/survey"),
            trajectory=_RUN,
        ),
        Example(
            "热泵销量增长12%[1]，峰值负荷上升4%[2]。"
            + _LIST.format("负荷调查: https://loads.example.net/2023/survey"),
            trajectory=_RUN,
        ),
    ),
    good=(
        Example(
            "Sales rose by 12 % [1]. Peak load rose by 4 % [2]."
            + _LIST.format("Grid study: https://grid.example.org/study#load"),
            trajectory=_RUN,
        ),
        Example(
            "热泵销量增长12%[1]，峰值负荷上升4%[2]。"
            + _LIST.format("电网研究: https://grid.example.org/study"),
            trajectory=_RUN,
        ),
    ),
)
