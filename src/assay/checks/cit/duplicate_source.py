"""The same source listed twice under different numbers.

Two citation markers then look like two independent sources, although there is only one. Addresses are compared without
scheme, "www.", final slash, tracking parameters and page anchors. The same long title at two addresses is reported too,
but with lower confidence, since one may be a copy of the paper on another site.

Known problems: a site that serves different pages under one address (a form, a search page) counts as one source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cit._shared import excerpt, label, url_identity
from assay.checks.wording import FilledWording, Series, Wording, series
from assay.subjects.references import normalize_url
from assay.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.parts import Reference
    from assay.subjects.report import Report

_CAP: Final = 5
# Two sources hardly share such a long title by chance, unlike "Annual report 2023".
_TITLE_WORDS: Final = 6
_TITLE_CHARS: Final = 22

_SAME_ADDRESS: Final = Wording(
    en="{entries} list the same address: {address}", zh="{entries}列出的是同一网址：“{address}”"
)
_SAME_TITLE: Final = Wording(
    en="{entries} have the same title: “{title}”", zh="{entries}的标题相同：“{title}”"
)
_MORE: Final = Wording(en="{n} more sources are listed more than once", zh="另有{n}个来源也重复列出")
_ENTRY_NUMBER: Final = Wording(en="entry {n}", zh="第{n}条")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for each source that is listed more than once, at its second entry."""
    by_url: dict[str, list[Reference]] = {}
    by_title: dict[str, list[Reference]] = {}
    for ref in report.references:
        if ref.url and "." in ref.url:
            by_url.setdefault(url_identity(ref, normalize_url(ref.url)), []).append(ref)
        if len(ref.title) >= 8:
            by_title.setdefault(" ".join(ref.title.lower().split()), []).append(ref)
    reported: set[int] = set()
    findings: list[RawFinding] = []
    for identity, group in by_url.items():
        if len(group) > 1 and "/" in identity:
            reported.update(ref.index for ref in group)
            findings.append(
                _finding(group, _SAME_ADDRESS(entries=_entries(group), address=excerpt(identity, 70)), 0.92)
            )
    for group in by_title.values():
        if len(group) > 1 and not any(ref.index in reported for ref in group) and _telling(group[0].title):
            findings.append(
                _finding(group, _SAME_TITLE(entries=_entries(group), title=excerpt(group[0].title)), 0.7)
            )
    findings.sort(key=lambda finding: finding.span)
    yield from findings[: _CAP if len(findings) > _CAP + 1 else None]
    if len(findings) > _CAP + 1:
        rest = findings[_CAP:]
        yield RawFinding(
            rest[0].span,
            _MORE(n=len(rest)),
            related=tuple(finding.span for finding in rest[1:10]),
            confidence=0.9,
        )


def _entries(group: list[Reference]) -> Series:
    return series((label(ref.key) if ref.key else _ENTRY_NUMBER(n=ref.index + 1) for ref in group), "and")


def _finding(group: list[Reference], message: FilledWording, confidence: float) -> RawFinding:
    return RawFinding(
        group[1].span,
        message,
        related=(group[0].span, *(ref.span for ref in group[2:8])),
        confidence=confidence,
    )


def _telling(title: str) -> bool:
    return len(title) >= _TITLE_CHARS and count_words(title) >= _TITLE_WORDS


CHECK = Check(
    code="CIT003",
    name="duplicate-source",
    severity="info",
    summary="The same address, or the same long title, listed under two keys.",
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
