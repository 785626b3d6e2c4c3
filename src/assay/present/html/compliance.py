"""One page of many grades: compliance, failures, strata, length, citations; figures, and the numbers beneath them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from assay.measures.intervals import Estimate
from assay.present.charts import Bar, BarGroup, Dot, bars, scatter
from assay.present.compliance import ALL, level_title, tables_of
from assay.present.heat_map import HeatCell, heat
from assay.present.html.tables import PageFigure, PageSection, sections_of, tables_page
from assay.present.numbers import of
from assay.present.numbers import percent_interval as percent

if TYPE_CHECKING:
    from assay.judges.compliance import Grading
    from assay.suites.compliance.record import Compliance, CriterionCoverage

# More strata than this are a table; bars for them would fill the page.
_STRATA: Final = 12
_SECTIONS: Final = (
    ("compliance", "Compliance", ("compliance", "pairs")),
    ("failures", "Where they fail", ("failures", "rates")),
    ("importance", "Mandatory and optional criteria", ("importance",)),
    ("strata", "By domain and complexity", ("strata",)),
    ("heat", "Failures by domain and axis", ("heat",)),
    ("lengths", "Length and compliance", ("lengths",)),
    ("citations", "Citations", ("citations",)),
    ("rubric", "What the rubrics ask", ("rubric",)),
    ("prompts", "Prompts", ("prompts",)),
)


def compliance_page(record: Compliance, title: str = "Compliance") -> str:
    """Return a page that needs nothing beside itself; what is not known has no section."""
    return tables_page(
        tables_of(record),
        compliance_sections(record),
        title=title,
        crumb=", ".join(record.judges),
        rubrics=record.rubrics,
        foot=(
            "Computed from grades, without asking a model. Criteria without a verdict are in no average; "
            "they are counted beside it."
        ),
    )


def compliance_sections(record: Compliance) -> list[PageSection]:
    """Return the sections of the page, with their charts."""
    makers = {
        "compliance": _compliance,
        "failures": _failures,
        "importance": _importance,
        "strata": _strata,
        "heat": _heat,
        "lengths": _lengths,
        "citations": _citations,
    }
    figures = {key: partial(maker, record) for key, maker in makers.items()}
    # The first table says it all; the others are long.
    return sections_of(tables_of(record), _SECTIONS, figures, opened=("compliance", "citations", "rubric"))


def _both(record: Compliance) -> tuple[Grading, Grading | None]:
    """Return the grading of the bars, and that of the fainter ones beneath."""
    return ("ternary", "binary") if "ternary" in record.gradings else ("binary", None)


def _bar(
    record: Compliance,
    label: str,
    rates: Mapping[Grading, Estimate],
    *,
    series: int,
    where: str,
    rest: str = "",
) -> Bar:
    """Return a bar of a rate under both gradings; ``where`` and ``rest`` stand around the rate in its description."""
    main, second = _both(record)
    rate = rates.get(main, Estimate())
    return Bar(
        label=label,
        value=rate.value,
        low=rate.low,
        high=rate.high,
        second=rates[second].value if second is not None and second in rates else None,
        series=series,
        about=f"{where}: {percent(rate)} %{rest}",
    )


def _caption(record: Compliance) -> str:
    main, second = _both(record)
    if second is None:
        return f"{main.capitalize()} grading; lines are 95 % intervals."
    return (
        f"Upper bar and first number: {main}, with its 95 % interval. Lower bar and second number: {second}."
    )


def _complete(coverage: CriterionCoverage) -> str:
    return f", {of(coverage.complete, coverage.reports)} reports in full"


def _compliance(record: Compliance) -> Iterator[PageFigure]:
    title = "Compliance of each system"
    rows = [
        _bar(record, row.system, row.compliance, series=0, where=row.system, rest=_complete(row.coverage))
        for row in record.systems
    ]
    yield PageFigure(title, _caption(record), bars([BarGroup("", rows)], key="compliance", title=title))


def _failures(record: Compliance) -> Iterator[PageFigure]:
    rates: dict[str, dict[str, dict[str, dict[Grading, Estimate]]]] = {"share": {}, "rate": {}}
    for row in record.failures:
        if row.system is not None:
            for kind, rate in (("share", row.share.occurring), ("rate", row.rate)):
                rates[kind].setdefault(row.axis, {}).setdefault(row.system, {})[row.grading] = rate
    for kind, title, says in (
        ("share", "Share of failures by axis", "Of all that fails in a report, the part of each axis. "),
        ("rate", "Failures of verdicts by axis", "Of the criteria of each axis, how many fail. "),
    ):
        groups = [
            BarGroup(
                axis,
                [
                    _bar(
                        record,
                        row.system,
                        systems.get(row.system, {}),
                        series=at,
                        where=f"{axis}, {row.system}",
                    )
                    for at, row in enumerate(record.systems)
                ],
            )
            for axis, systems in rates[kind].items()
        ]
        yield PageFigure(title, says + _caption(record), bars(groups, key=f"failures-{kind}", title=title))


def _importance(record: Compliance) -> Iterator[PageFigure]:
    rates: dict[str | None, dict[str, dict[bool, dict[Grading, Estimate]]]] = {}
    for row in record.importance:
        axes = rates.setdefault(row.system, {})
        axes.setdefault(row.axis or "All axes", {}).setdefault(row.mandatory, {})[row.grading] = row.rate
    # All figures have the same axis, so that they can be compared.
    reach = _reach(row.rate for row in record.importance)
    for number, system in enumerate(sorted(rates, key=lambda name: name is not None)):
        name = system or (ALL if len(record.systems) > 1 else "")
        groups = [
            BarGroup(
                axis,
                [
                    _bar(
                        record,
                        title,
                        kinds[mandatory],
                        series=series,
                        where=f"{axis}, {title}",
                        rest=" of verdicts",
                    )
                    for mandatory, title, series in ((True, "mandatory", 0), (False, "optional", 3))
                    if mandatory in kinds
                ],
            )
            for axis, kinds in rates[system].items()
        ]
        chart = bars(groups, key=f"importance-{number}", title=f"Failures of criteria, {name}", reach=reach)
        caption = "" if number else _caption(record)
        yield PageFigure(name.capitalize() if system is None else name, caption, chart)


def _strata(record: Compliance) -> Iterator[PageFigure]:
    names = [row.system for row in record.systems]
    reach = _reach(rate for row in record.strata for rate in row.compliance.values())
    for number, by in enumerate(dict.fromkeys(row.by for row in record.strata)):
        strata: dict[str, list[Bar]] = {}
        for row in record.strata:
            if row.by == by:
                bar = _bar(
                    record,
                    row.system,
                    row.compliance,
                    series=names.index(row.system),
                    where=f"{row.stratum}, {row.system}",
                    rest=_complete(row.coverage),
                )
                strata.setdefault(row.stratum, []).append(bar)
        if len(strata) <= _STRATA:
            title = f"Compliance by {level_title(by).lower()}"
            groups = [BarGroup(stratum, rows) for stratum, rows in strata.items()]
            chart = bars(groups, key=f"strata-{number}", title=title, reach=reach)
            yield PageFigure(title, _caption(record), chart)


def _heat(record: Compliance) -> Iterator[PageFigure]:
    axes = list(dict.fromkeys(row.axis for row in record.failures))
    for grading in record.gradings:
        rows = [row for row in record.heat if row.grading == grading]
        cells = {
            (row.domain, row.axis): HeatCell(
                row.share.value,
                (
                    f"{row.domain}, {row.axis}: {percent(row.share)} % of failures; {row.failures} of "
                    f"{row.verdicts} verdicts fail"
                ),
            )
            for row in rows
        }
        if cells:
            title = f"Share of failures, {grading}"
            domains = list(dict.fromkeys(row.domain for row in rows))
            chart = heat(domains, axes, cells, key=f"heat-{grading}", title=title)
            yield PageFigure(title, "Percent of all failures of a report, by domain (rows) and axis.", chart)


def _lengths(record: Compliance) -> Iterator[PageFigure]:
    main, _ = _both(record)
    names = [row.system for row in record.systems]
    for measure in ("words", "tokens"):
        dots = [
            Dot(
                x=float(getattr(point, measure)),
                y=score,
                series=names.index(point.system),
                about=f"{point.system}, task {point.task}: {getattr(point, measure):,} {measure}, {100 * score:.1f} %",
            )
            for point in record.points
            if getattr(point, measure) and (score := point.compliance[main]) is not None
        ]
        if len(dots) < 2:
            continue
        title = f"Length in {measure} and compliance, {main}"
        correlations = "; ".join(
            f"{row.system or row.over} r = {row.pearson.value:.2f}"
            for row in record.lengths
            if row.measure == measure and row.grading == main and row.pearson.value is not None
        )
        about = f"{len(dots)} reports. {correlations}"
        chart = scatter(
            dots,
            names=names,
            key=f"length-{measure}",
            title=title,
            about=about,
            x=f"{measure} of the report",
            y="compliance",
        )
        marks = of(len(dots), len(record.points))
        yield PageFigure(title, f"A mark for each of {marks} reports. {correlations}", chart)


def _citations(record: Compliance) -> Iterator[PageFigure]:
    dots: list[Dot] = []
    for at, row in enumerate(record.systems):
        x, y = row.citations.marks.value, row.citations.accuracy.value
        if x is not None and y is not None:
            about = f"{row.system}: {x:.1f} marks, {100 * y:.1f} %"
            dots.append(Dot(x=x, y=y, series=at, label=row.system, about=about))
    if len(dots) > 1:
        title = "Citations: number and faults"
        caption = "Mean number of marks a report against the share of them without a fault."
        chart = scatter(
            dots,
            names=(),
            key="citations",
            title=title,
            x="citation marks a report",
            y="marks without a fault",
        )
        yield PageFigure(title, caption, chart)


def _reach(rates: Iterable[Estimate]) -> float:
    return max((end for one in rates for end in (one.value, one.high) if end is not None), default=0.05)
