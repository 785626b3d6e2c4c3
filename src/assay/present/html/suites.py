"""One page on where suites agree about the same reports, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assay.present.charts import Bar, BarGroup, bars
from assay.present.html.tables import PageFigure, PageSection, plain_page
from assay.present.suites import UNEVEN, correlation, standing_text, systems_table
from assay.present.table import table_of

if TYPE_CHECKING:
    from assay.present.chart import Chart
    from assay.suites.concordance import RubricConcordance, RubricTable


def suites_page(
    concordance: RubricConcordance, *, runs: Sequence[str] = (), title: str = "Where rubrics agree"
) -> str:
    """Return a page that needs nothing beside itself."""
    return plain_page(
        "tables.html.j2",
        title=title,
        crumb=", ".join(runs),
        facts=[
            (f"{concordance.reports:,}", "reports"),
            (f"{concordance.tasks:,}", "tasks"),
            (f"{len(concordance.tables):,}", "rubrics"),
        ],
        judges=(),
        rubrics=(),
        notes=(),
        sections=[_standings(concordance), *_between(concordance), *_gaps(concordance)],
        foot="Joined by report and system. What gave no verdict is in no figure, and counted beside it.",
    )


def _standings(concordance: RubricConcordance) -> PageSection:
    return PageSection(
        key="systems",
        title="Systems by each rubric",
        methods=[
            (
                "A mean score is over a system's reports; a win rate is the share of its comparisons won, "
                "ties left out. Bars are "
                "shares of the best score there can be, where that is known: their order can be compared, "
                "their lengths not."
            )
        ],
        figures=[
            PageFigure(
                one.rubric, one.kind if one.same_tasks else f"{one.kind}; {UNEVEN}", _bars(one, number)
            )
            for number, one in enumerate(concordance.tables)
        ],
        tables=[
            systems_table(
                concordance,
                [one.rubric for one in concordance.tables],
                head="System",
                title="Place, value, number of reports or decided comparisons",
            )
        ],
    )


def _bars(one: RubricTable, number: int) -> Chart:
    values = [item.value for item in one.standings if item.value is not None]
    # Shares as they are, scores of a hundred as shares of it, others as shares of their largest.
    most = max([1.0, *(abs(value) for value in values)])
    largest = 1.0 if most <= 1 else max(100.0, most)
    return bars(
        [
            BarGroup(
                "",
                [
                    Bar(
                        label=item.system,
                        value=None if item.value is None else item.value / largest,
                        about=f"{item.system}: {standing_text(item)}",
                    )
                    for item in one.standings
                ],
            )
        ],
        key=f"standing-{number}",
        title=f"{one.kind} of each system by {one.rubric}",
    )


def _between(concordance: RubricConcordance) -> Iterator[PageSection]:
    if concordance.between:
        yield PageSection(
            key="agreement",
            title="How far they agree",
            methods=[
                (
                    "Rank correlations, from -1 (opposed) to 1 (the same order), with 95 % intervals; over "
                    "systems by their values "
                    "on the reports that both have judged, and over those reports. Reports of easy and hard "
                    "tasks are together "
                    "there, so part of that agreement is about tasks. With few systems an interval is wide "
                    "or missing, and a figure "
                    "says little."
                )
            ],
            tables=[
                table_of(
                    concordance.between,
                    [
                        ("Rubric", lambda pair: pair.first),
                        ("against", lambda pair: pair.second),
                        ("systems (Spearman)", lambda pair: correlation(pair.systems)),
                        ("systems (Kendall)", lambda pair: correlation(pair.systems_kendall)),
                        ("reports (Spearman)", lambda pair: correlation(pair.reports)),
                    ],
                    align="ll",
                    title="Spearman and Kendall over systems, Spearman over reports",
                )
            ],
        )


def _gaps(concordance: RubricConcordance) -> Iterator[PageSection]:
    if concordance.gaps:
        yield PageSection(
            key="gaps",
            title="Seen most differently",
            methods=[
                (
                    "Reports by the distance of their places among those both rubrics have judged: 0 is the "
                    "worst of them, 1 the "
                    "best. Read these first: one of the two is wrong about them, or they look at different things."
                )
            ],
            tables=[
                table_of(
                    concordance.gaps,
                    [
                        ("System", lambda gap: gap.system),
                        ("Report", lambda gap: gap.id),
                        ("by", lambda gap: gap.first),
                        ("place", lambda gap: f"{gap.place_first:.2f}"),
                        ("by", lambda gap: gap.second),
                        ("place", lambda gap: f"{gap.place_second:.2f}"),
                        ("of", lambda gap: f"{gap.n:,}"),
                    ],
                    align="lllrlr",
                    title="Reports, and their places by the two rubrics",
                )
            ],
        )
