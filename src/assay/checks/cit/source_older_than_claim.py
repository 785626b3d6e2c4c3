"""A figure of a year after the source that is cited for it was published.

What was put up in 2019 cannot report what was measured in 2024. The year of a source is taken from the date in its
address, from its arXiv number, or from a title such as "Annual report 2019", for which the year after counts too.
Forecasts, targets and plans are not flagged, nor statements with another source whose year is later or unknown.

Known problems: pages that are kept up to date under an old address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.cit._shared import excerpt
from assay.checks.wording import Wording
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.claims import SourcedClaim
    from assay.subjects.figures import Figure
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "cit")
_PLANNED: Final = _PHRASES.pattern(r"(?i)\b(?:<<source_older_planned.en>>)\b|<<source_older_planned.zh>>")
_RELATED: Final = 8
_LATEST: Final = 2100

_OLDER: Final = Wording(
    en="{figure} is a figure of {year}, but the cited source “{source}” is from {published}{more}",
    zh="{figure}是{year}年的数据，而所引来源“{source}”是{published}年的{more}",
)
_MORE: Final = Wording(en="; so in {n} more statements", zh="；另有{n}处同样如此")


def run(report: Report, context: Context) -> Iterator[RawFinding]:
    """Yield one finding for all figures that are younger than their sources."""
    if not report.citations_readable:
        return
    hits = [
        (claim, hit)
        for claim in report.claims
        if claim.figures and claim.sources
        for hit in _younger(report, claim)
    ]
    if hits:
        (claim, (figure, year, latest)), rest = hits[0], hits[1:]
        source = max((report.sources[i] for i in claim.sources), key=lambda source: source.latest or 0)
        yield RawFinding(
            figure.span,
            _OLDER(
                figure=figure.printed,
                year=year,
                source=excerpt(source.name),
                published=source.published or latest - 1,
                more=_MORE(n=len(rest)) if rest else "",
            ),
            related=tuple(claim.span for claim, _ in hits[:_RELATED]),
            confidence=0.75,
        )


def _younger(report: Report, claim: SourcedClaim) -> Iterator[tuple[Figure, int, int]]:
    """Yield the first figure of a claim that is younger than all its sources, with both years."""
    years = [report.sources[i].latest for i in claim.sources]
    known = [year for year in years if year is not None]
    if len(known) < len(years) or _PLANNED.search(report.plain, claim.span.start, claim.span.end):
        return
    for figure in claim.figures:
        if figure.modality == "stated" and figure.years and max(known) < min(figure.years) < _LATEST:
            yield figure, min(figure.years), max(known)
            return


_TEXT = "In 2024 heat pumps had 31.5 % of the market [1].\n\n## References\n\n[1] {}\n"
_TEXT_ZH = "2024年热泵占市场的31.5%[1]。\n\n## 参考文献\n\n[1] {}\n"

CHECK = Check(
    code="CIT015",
    name="source-older-than-claim",
    severity="info",
    summary="A figure of a year after the source that is cited for it.",
    run=run,
    dimension="evidence_sufficiency",
    failure="wrong_source_citation",
    bad=(
        Example(_TEXT.format("Heat pumps in Europe: https://news.example.org/2021/03/heat-pumps")),
        Example(_TEXT.format("Annual report 2019: https://pumps.example.org/ar.pdf")),
        Example(_TEXT_ZH.format("热泵市场年度报告（2019年）: https://pumps.example.org/ar.pdf")),
    ),
    good=(
        Example(_TEXT.format("Heat pumps in Europe: https://news.example.org/2024/11/heat-pumps")),
        Example(_TEXT.format("Annual report 2023: https://pumps.example.org/ar.pdf")),
        Example(
            _TEXT.replace("had", "are expected to have").format(
                "Outlook: https://news.example.org/2021/03/outlook"
            )
        ),
    ),
)
