"""One source, one site, or one cluster of marks supports most of the cited statements.

A report that relies on one source inherits the errors and interests of that source, however long its reference list
is. The check counts the statements that cite nothing else. Sites of many authors
(archives, journals, libraries) do not count as one source, nor does the site of whom the question is about. The same
three or more marks behind many different statements show which of them supports none of these in particular.

Known problems: a report that was asked to review one document does so rightly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.cit._shared import excerpt
from assay.checks.wording import FilledWording, Wording, series
from assay.subjects.cited_sources import is_archive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.claims import SourcedClaim
    from assay.subjects.report import Report

_CLAIMS: Final = 10
_SHARE: Final = 0.5
_CLUSTER: Final = 3
_CLUSTER_CLAIMS: Final = 6
_CLUSTER_SHARE: Final = 0.15
_NAME: Final = 4
_RELATED: Final = 8

_ONE_SOURCE: Final = Wording(
    en="{source} supports {n} of the {total} cited statements",
    zh="有引用的{total}处陈述中，{n}处都出自{source}",
)
_SITE: Final = Wording(en="The site {host}", zh="网站{host}")
_QUOTED: Final = Wording(en="“{title}”", zh="“{title}”")
_SAME_MARKS: Final = Wording(
    en="The same {k} sources ({names}) stand together behind {n} different statements, so none of them can be told "
    "which source supports it",
    zh="同一组{k}个来源（{names}）一起标注在{n}处不同的陈述后面，看不出哪个来源支持哪处陈述",
)


def run(report: Report, context: Context) -> Iterator[Hit]:
    """Yield one finding if one source, else one site, else one cluster stands behind too many statements."""
    claims = [claim for claim in report.claims if claim.sources]
    if len(claims) < _CLAIMS or not report.citations_readable:
        return
    # Statements that also cite another work or site do not rest on the one.
    alone: dict[int, list[SourcedClaim]] = {}
    hosts: dict[str, list[SourcedClaim]] = {}
    for claim in claims:
        sites = {report.sources[index].host for index in claim.sources}
        if len(set(claim.sources)) == 1:
            alone.setdefault(claim.sources[0], []).append(claim)
        if len(sites) == 1:
            hosts.setdefault(sites.pop(), []).append(claim)
    top, using = max(alone.items(), key=_size, default=(0, []))
    if len(using) >= _SHARE * len(claims):
        yield _finding(report, using, len(claims), _QUOTED(title=excerpt(report.sources[top].name)), 0.85)
        return
    host, using = max(hosts.items(), key=_size, default=("", []))
    own = [source for source in report.sources if source.host == host]
    enough = host and len(using) >= _SHARE * len(claims)
    if enough and not any(map(is_archive, own)) and not _asked(report, host):
        yield _finding(report, using, len(claims), _SITE(host=host), 0.75)
        return
    yield from _clusters(report, claims)


def _size(item: tuple[object, list[SourcedClaim]]) -> int:
    return len(item[1])


def _finding(
    report: Report, using: list[SourcedClaim], total: int, source: FilledWording, confidence: float
) -> Hit:
    spans = [report.citations[claim.citations[0]].span for claim in using]
    return Hit(
        spans[0],
        _ONE_SOURCE(source=source, n=len(using), total=total),
        related=tuple(spans[1:_RELATED]),
        confidence=confidence,
    )


def _asked(report: Report, host: str) -> bool:
    """Return whether the question names whose site it is: "FIFA" for fifa.com, "Saint Seiya" for saintseiya.fandom.com."""
    asked = "".join(char for char in (report.query or report.source[:200]).lower() if char.isalnum())
    return any(len(part) >= _NAME and part in asked for part in host.replace("-", "").split(".")[:-1])


def _clusters(report: Report, claims: list[SourcedClaim]) -> Iterator[Hit]:
    groups: dict[tuple[int, ...], list[SourcedClaim]] = {}
    for claim in claims:
        if len(claim.sources) >= _CLUSTER:
            groups.setdefault(tuple(sorted(claim.sources)), []).append(claim)
    for group, using in groups.items():
        if len(using) >= _CLUSTER_CLAIMS and len(using) >= _CLUSTER_SHARE * len(claims):
            spans = [claim.span for claim in using]
            names = series(
                (f"“{excerpt(report.sources[i].name, 40)}”" for i in group[:3]), cut=len(group) > 3
            )
            yield Hit(
                spans[0],
                _SAME_MARKS(k=len(group), names=names, n=len(using)),
                related=tuple(spans[1:_RELATED]),
                confidence=0.75,
            )
            return


_REFS = (
    "\n\n## References\n\n[1] Vendor white paper: https://vendor.example.org/wp\n[2] Survey: "
    "https://a.example.net/s\n[3] Grid study: https://c.example.com/g\n[4] Tariffs: https://d.example.eu/t\n"
)
_SAYS = "Output rose in {0} [{1}]."

CHECK = Check(
    code="CIT007",
    name="single-source-dependence",
    severity="info",
    summary="One source, one site or one cluster of marks stands behind most of the cited statements.",
    run=run,
    dimension="evidence_sufficiency",
    failure="evidence_omission",
    bad=(
        Example(" ".join(_SAYS.format(2010 + i, 1 if i < 10 else 2) for i in range(12)) + _REFS),
        Example(
            " ".join(_SAYS.format(2010 + i, "2][3][4" if i < 7 else 1 + i % 4) for i in range(12)) + _REFS
        ),
        Example("".join(f"{2010 + i}年产量上升[{1 if i < 9 else 2}]。" for i in range(12)) + _REFS),
    ),
    good=(Example(" ".join(_SAYS.format(2010 + i, 1 + i % 3) for i in range(12)) + _REFS),),
)
