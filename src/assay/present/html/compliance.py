"""One page of many grades: compliance, failures, strata, length, citations; figures, and the numbers beneath them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from assay.present.charts import Bar, BarGroup, Dot, HeatCell, bars, heat, scatter
from assay.present.compliance import ALL, level_title, tables_of
from assay.present.html.tables import PageFigure, sections_of, tables_page
from assay.present.numbers import of
from assay.present.numbers import percent_interval as percent

if TYPE_CHECKING:
    from assay.judges.grade_record import Grading
    from assay.measures.intervals import Estimate
    from assay.suites.compliance.record import Compliance

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
    tables = tables_of(record)
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
    return tables_page(
        tables,
        # The first table says it all; the others are long.
        sections_of(tables, _SECTIONS, figures, opened=("compliance", "citations", "rubric")),
        title=title,
        crumb=", ".join(record.judges),
        rubrics=record.rubrics,
        foot="Computed from grades, without asking a model. Criteria without a verdict are in no average; they are counted beside it.",
    )


def _bar(label: str, main: Estimate | None, second: Estimate | None, series: int, about: str) -> Bar:
    return Bar(
        label=label,
        value=main.value if main else None,
        low=main.low if main else None,
        high=main.high if main else None,
        second=second.value if second else None,
        series=series,
        about=about,
    )


def _both(record: Compliance) -> tuple[Grading, Grading | None]:
    """Return the grading of the bars, and that of the fainter ones beneath."""
    return ("ternary", "binary") if "ternary" in record.gradings else ("binary", None)


def _caption(record: Compliance) -> str:
    main, second = _both(record)
    if second is None:
        return f"{main.capitalize()} grading; lines are 95 % intervals."
    return (
        f"Upper bar and first number: {main}, with its 95 % interval. Lower bar and second number: {second}."
    )


def _compliance(record: Compliance) -> Iterator[PageFigure]:
    main, second = _both(record)
    yield PageFigure(
        "Compliance of each system",
        _caption(record),
        bars(
            [
                BarGroup(
                    "",
                    [
                        _bar(
                            row.system,
                            row.compliance[main],
                            row.compliance[second] if second else None,
                            0,
                            f"{row.system}: {percent(row.compliance[main])} %, {of(row.coverage.complete, row.coverage.reports)} "
                            "reports in full",
                        )
                        for row in record.systems
                    ],
                )
            ],
            key="compliance",
            title="Compliance of each system",
            about=_described((row.system, row.compliance[main]) for row in record.systems),
        ),
    )


def _failures(record: Compliance) -> Iterator[PageFigure]:
    main, second = _both(record)
    names = [row.system for row in record.systems]
    rates = {(row.system, row.axis, row.grading): row for row in record.failures}
    axes = list(dict.fromkeys(row.axis for row in record.failures))
    parts = (
        ("share", "Share of failures by axis", "Of all that fails in a report, the part of each axis. "),
        ("rate", "Failures of verdicts by axis", "Of the criteria of each axis, how many fail. "),
    )
    for key, title, says in parts:

        def value(system: str, axis: str, grading: Grading | None, key: str = key) -> Estimate | None:
            row = rates.get((system, axis, grading)) if grading else None
            return None if row is None else row.share.occurring if key == "share" else row.rate

        groups = [
            BarGroup(
                axis,
                [
                    _bar(
                        name,
                        value(name, axis, main),
                        value(name, axis, second),
                        at,
                        f"{axis}, {name}: {percent(value(name, axis, main))} %",
                    )
                    for at, name in enumerate(names)
                ],
            )
            for axis in axes
        ]
        about = _described((f"{axis}, {name}", value(name, axis, main)) for axis in axes for name in names)
        yield PageFigure(
            title, says + _caption(record), bars(groups, key=f"failures-{key}", title=title, about=about)
        )


def _importance(record: Compliance) -> Iterator[PageFigure]:
    main, second = _both(record)
    rates = {(row.system, row.axis, row.mandatory, row.grading): row.rate for row in record.importance}
    axes = list(dict.fromkeys(row.axis for row in record.importance))
    systems = sorted(
        dict.fromkeys(row.system for row in record.importance), key=lambda name: name is not None
    )
    # All figures have the same axis, so that they can be compared.
    reach = _reach(row.rate for row in record.importance)
    for number, system in enumerate(systems):
        name = system or (ALL if len(record.systems) > 1 else "")
        title = f"Failures of criteria, {name}"
        groups = [
            BarGroup(
                axis or "All axes",
                [
                    _bar(
                        "mandatory" if mandatory else "optional",
                        rates.get((system, axis, mandatory, main)),
                        rates.get((system, axis, mandatory, second)) if second else None,
                        0 if mandatory else 3,
                        f"{axis or 'All axes'}, {'mandatory' if mandatory else 'optional'}: "
                        f"{percent(rates.get((system, axis, mandatory, main)))} % of verdicts",
                    )
                    for mandatory in (True, False)
                    if (system, axis, mandatory, main) in rates
                ],
            )
            for axis in axes
        ]
        about = _described(
            (f"{group.label}, {bar.label}", bar.value) for group in groups for bar in group.bars
        )
        yield PageFigure(
            name.capitalize() if system is None else name,
            _caption(record) if not number else "",
            bars(groups, key=f"importance-{number}", title=title, about=about, reach=reach),
        )


def _strata(record: Compliance) -> Iterator[PageFigure]:
    main, second = _both(record)
    names = [row.system for row in record.systems]
    reach = _reach(rates for row in record.strata for rates in row.compliance.values())
    for number, by in enumerate(dict.fromkeys(row.by for row in record.strata)):
        mine = [row for row in record.strata if row.by == by]
        strata = list(dict.fromkeys(row.stratum for row in mine))
        if len(strata) > _STRATA:
            continue
        title = f"Compliance by {level_title(by).lower()}"
        groups = [
            BarGroup(
                stratum,
                [
                    _bar(
                        row.system,
                        row.compliance[main],
                        row.compliance[second] if second else None,
                        names.index(row.system),
                        f"{stratum}, {row.system}: {percent(row.compliance[main])} %, "
                        f"{of(row.coverage.complete, row.coverage.reports)} reports in full",
                    )
                    for row in mine
                    if row.stratum == stratum
                ],
            )
            for stratum in strata
        ]
        about = _described((f"{row.stratum}, {row.system}", row.compliance[main]) for row in mine)
        yield PageFigure(
            title,
            _caption(record),
            bars(groups, key=f"strata-{number}", title=title, about=about, reach=reach),
        )


def _heat(record: Compliance) -> Iterator[PageFigure]:
    axes = list(dict.fromkeys(row.axis for row in record.failures))
    for grading in record.gradings:
        mine = [row for row in record.heat if row.grading == grading]
        if not mine:
            continue
        domains = list(dict.fromkeys(row.domain for row in mine))
        title = f"Share of failures, {grading}"
        cells = {
            (row.domain, row.axis): HeatCell(
                row.share.value,
                f"{row.domain}, {row.axis}: {percent(row.share)} % of failures; {row.failures} of {row.verdicts} verdicts fail",
            )
            for row in mine
        }
        about = _described((f"{row.domain}, {row.axis}", row.share) for row in mine)
        yield PageFigure(
            title,
            "Percent of all failures of a report, by domain (rows) and axis.",
            heat(domains, axes, cells, key=f"heat-{grading}", title=title, about=about),
        )


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
        chart = scatter(
            dots,
            names=names,
            key=f"length-{measure}",
            title=title,
            about=f"{len(dots)} reports. {correlations}",
            x=f"{measure} of the report",
            y="compliance",
        )
        yield PageFigure(
            title, f"A mark for each of {of(len(dots), len(record.points))} reports. {correlations}", chart
        )


def _citations(record: Compliance) -> Iterator[PageFigure]:
    dots: list[Dot] = []
    for at, row in enumerate(record.systems):
        x, y = row.citations.marks.value, row.citations.accuracy.value
        if x is not None and y is not None:
            dots.append(
                Dot(
                    x=x,
                    y=y,
                    series=at,
                    label=row.system,
                    about=f"{row.system}: {x:.1f} marks, {100 * y:.1f} %",
                )
            )
    if len(dots) > 1:
        title = "Citations: number and accuracy"
        about = "; ".join(dot.about for dot in dots)
        yield PageFigure(
            title,
            "Mean number of marks a report against the share of them without a fault.",
            scatter(
                dots,
                names=(),
                key="citations",
                title=title,
                about=about,
                x="citation marks a report",
                y="accuracy",
            ),
        )


def _reach(rates: Iterable[Estimate]) -> float:
    return max((end for one in rates for end in (one.value, one.high) if end is not None), default=0.05)


def _described(values: Any) -> str:
    """Return what a figure shows, for those who cannot see it."""
    parts: list[str] = []
    for name, rates in values:
        value = rates if isinstance(rates, float) or rates is None else rates.value
        parts.append(f"{name}: {'no value' if value is None else f'{100 * value:.1f} %'}")
    return "; ".join(parts)
