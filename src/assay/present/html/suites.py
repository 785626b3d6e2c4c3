"""One page on where yardsticks agree about the same reports, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.present.charts import Bar, Group, bars
from assay.present.html.frame import render
from assay.present.suite_tables import UNEVEN, standing_text, told

if TYPE_CHECKING:
    from assay.suites.concordance import RubricConcordance, RubricTable

_KEYS: Final = (("t", "light or dark"), ("?", "these keys"))


def suites_page(
    found: RubricConcordance, *, runs: Sequence[str] = (), title: str = "Where yardsticks agree"
) -> str:
    """A page that needs nothing beside itself."""
    return render(
        "suites.html.j2",
        title=title,
        crumb=", ".join(runs),
        home=None,
        keys=_KEYS,
        facts=[
            (f"{found.reports:,}", "reports"),
            (f"{found.tasks:,}", "tasks"),
            (f"{len(found.tables):,}", "yardsticks"),
        ],
        sections=[_standings(found), *_between(found), *_gaps(found)],
    )


def _standings(found: RubricConcordance) -> dict[str, Any]:
    systems = list(dict.fromkeys(item.system for one in found.tables for item in one.standings))
    by = [{item.system: item for item in one.standings} for one in found.tables]
    return {
        "key": "systems",
        "title": "Systems by each yardstick",
        "methods": [
            (
                "A mean score is over a system's reports; a win rate is the share of its comparisons won, ties left out. Bars are"
                " shares of the best a yardstick can give, where that is known: their order can be compared, their lengths not."
            )
        ],
        "figures": [
            {
                "title": one.yardstick,
                "caption": one.kind if one.same_tasks else f"{one.kind}; {UNEVEN}",
                "chart": _bars(one, number),
            }
            for number, one in enumerate(found.tables)
        ],
        "tables": [
            {
                "title": "Place, value, number of reports or decided comparisons",
                "heads": ["System", *(one.yardstick for one in found.tables)],
                "left": 1,
                "rows": [[name, *(standing_text(mine.get(name)) for mine in by)] for name in systems],
            }
        ],
        "open": True,
    }


def _bars(one: RubricTable, number: int) -> Any:
    values = [item.value for item in one.standings if item.value is not None]
    # Shares as they are, scores of a hundred as shares of it, others as shares of their largest.
    most = max([1.0, *(abs(value) for value in values)])
    largest = 1.0 if most <= 1 else max(100.0, most)
    return bars(
        [
            Group(
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
        title=f"{one.kind} of each system by {one.yardstick}",
        about="; ".join(f"{item.system} {standing_text(item)}" for item in one.standings),
    )


def _between(found: RubricConcordance) -> Iterator[dict[str, Any]]:
    if not found.between:
        return
    yield {
        "key": "agreement",
        "title": "How far they agree",
        "methods": [
            (
                "Rank correlations, from -1 (opposed) to 1 (the same order), with 95 % intervals; over systems by their"
                " values on the reports that both have judged, and over those reports. Reports of easy and hard tasks are together"
                " there, so part of that agreement is about tasks. With few systems an interval is wide or missing, and a figure"
                " says little."
            )
        ],
        "figures": [],
        "tables": [
            {
                "title": "Spearman and Kendall over systems, Spearman over reports",
                "heads": [
                    "Yardstick",
                    "against",
                    "systems (Spearman)",
                    "systems (Kendall)",
                    "reports (Spearman)",
                ],
                "left": 2,
                "rows": [
                    [
                        pair.first,
                        pair.second,
                        told(pair.systems),
                        told(pair.systems_kendall),
                        told(pair.reports),
                    ]
                    for pair in found.between
                ],
            }
        ],
        "open": True,
    }


def _gaps(found: RubricConcordance) -> Iterator[dict[str, Any]]:
    if not found.gaps:
        return
    yield {
        "key": "gaps",
        "title": "Seen most differently",
        "methods": [
            (
                "Reports by the distance of their places among those both yardsticks have judged: 0 is the worst of them, 1 the"
                " best. Read these first: one of the two is wrong about them, or they look at different things."
            )
        ],
        "figures": [],
        "tables": [
            {
                "title": "Reports, and their places by the two yardsticks",
                "heads": ["System", "Report", "by", "place", "by", "place", "of"],
                "left": 3,
                "rows": [
                    [
                        gap.system,
                        gap.id,
                        gap.first,
                        f"{gap.place_first:.2f}",
                        gap.second,
                        f"{gap.place_second:.2f}",
                        f"{gap.n:,}",
                    ]
                    for gap in found.gaps
                ],
            }
        ],
        "open": True,
    }
