"""The tables of ``assay.compliance/1`` as titles, heads and cells, for every format that shows tables.

Cells are short texts: shares in percent, an interval in brackets after its value, "–" for what there is not. Coverage
stands in the same row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from assay.present.compliance_cells import (
    ALL,
    NONE,
    correlation,
    level_title,
    mean,
    of,
    p_value,
    percent,
    plain,
    short,
    verdicts,
)

if TYPE_CHECKING:
    from assay.suites.compliance.record import Compliance, FailureRow


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table.

    Attributes:
        key: Its name.
        title: For people.
        heads: Of the columns.
        rows: Cells.
        left: Columns from the left that hold words.
        spare: Columns from the right that are left out first where there is no room.
        method: How its figures are made; a key of the record's ``method``.
    """

    key: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    spare: int = 0
    method: str = ""


def tables_of(record: Compliance) -> Iterator[Table]:
    """All tables that have rows, in the order of the page."""
    makers = (
        _systems,
        _pairs,
        _failures,
        _rates,
        _importance,
        _strata,
        _heat,
        _lengths,
        _citations,
        _rubric,
        _prompts,
    )
    for maker in makers:
        for table in maker(record):
            if table.rows:
                yield table


def _systems(record: Compliance) -> Iterator[Table]:
    yield Table(
        key="compliance",
        title="Compliance, %",
        heads=(
            record.by,
            *record.gradings,
            "reports in full",
            "verdicts",
            *(f"{one} in part" for one in record.gradings),
            "words",
        ),
        rows=tuple(
            (
                row.system,
                *(percent(row.compliance[one]) for one in record.gradings),
                of(row.coverage.complete, row.coverage.reports),
                verdicts(row.coverage),
                *(short(row.partly[one]) for one in record.gradings),
                mean(row.words),
            )
            for row in record.systems
        ),
        spare=len(record.gradings) + 1,
        method="compliance",
    )


def _pairs(record: Compliance) -> Iterator[Table]:
    yield Table(
        key="pairs",
        title="Differences, percentage points",
        heads=("first", "second", "grading", "difference", "smallest", "p", "p, Holm", "tasks"),
        rows=tuple(
            (
                row.a,
                row.b,
                row.grading,
                percent(row.difference, signed=True),
                NONE if row.smallest is None else f"{100 * row.smallest:.1f}",
                p_value(row.p),
                p_value(row.p_holm),
                of(row.tasks, row.tasks + row.left_out),
            )
            for row in record.pairs
        ),
        left=3,
        method="pairs",
    )


def _failures(record: Compliance) -> Iterator[Table]:
    yield Table(
        key="failures",
        title="Share of failures by axis, %",
        heads=(
            "axis",
            record.by,
            *(head for one in record.gradings for head in (one, "where it fails")),
            "reports",
            "verdicts",
        ),
        rows=tuple(
            (
                axis,
                system or ALL,
                *(cell for row in found for cell in (percent(row.share.occurring), short(row.share.failing))),
                f"{found[0].share.tasks:,}",
                of(found[0].verdicts, found[0].criteria),
            )
            for axis, system, found in _by_axis(record)
        ),
        left=2,
        method="failures",
    )


def _rates(record: Compliance) -> Iterator[Table]:
    yield Table(
        key="rates",
        title="Failures of verdicts by axis, %",
        heads=("axis", record.by, *record.gradings, "verdicts"),
        rows=tuple(
            (
                axis,
                system or ALL,
                *(percent(row.rate) for row in found),
                of(found[0].verdicts, found[0].criteria),
            )
            for axis, system, found in _by_axis(record)
        ),
        left=2,
        method="failures",
    )


def _by_axis(record: Compliance) -> Iterator[tuple[str, str | None, list[FailureRow]]]:
    """Rows of one axis and system under every grading, axes first."""
    axes = list(dict.fromkeys(row.axis for row in record.failures))
    systems = list(dict.fromkeys(row.system for row in record.failures))
    for axis in axes:
        for system in systems:
            found = {row.grading: row for row in record.failures if row.axis == axis and row.system == system}
            if len(found) == len(record.gradings):
                yield axis, system, [found[one] for one in record.gradings]


def _importance(record: Compliance) -> Iterator[Table]:
    if not record.importance:
        return
    found = {(row.axis, row.system, row.mandatory, row.grading): row for row in record.importance}
    axes = list(dict.fromkeys(row.axis for row in record.importance))
    rows: list[tuple[str, ...]] = []
    for axis, system, mandatory in dict.fromkeys(
        (row.axis, row.system, row.mandatory)
        for axis in axes
        for row in record.importance
        if row.axis == axis
    ):
        mine = [
            found[axis, system, mandatory, one]
            for one in record.gradings
            if (axis, system, mandatory, one) in found
        ]
        if len(mine) == len(record.gradings):
            rows.append(
                (
                    axis or "all axes",
                    system or ALL,
                    "mandatory" if mandatory else "optional",
                    *(percent(row.rate) for row in mine),
                    of(mine[-1].verdicts, mine[-1].criteria),
                )
            )
    yield Table(
        key="importance",
        title="Failures of mandatory and optional criteria, % of verdicts",
        heads=("axis", record.by, "criteria", *record.gradings, "verdicts"),
        rows=tuple(rows),
        left=3,
        method="importance",
    )


def _strata(record: Compliance) -> Iterator[Table]:
    for by in dict.fromkeys(row.by for row in record.strata):
        yield Table(
            key=f"strata-{by}",
            title=f"Compliance by {level_title(by).lower()}, %",
            heads=(level_title(by).lower(), record.by, *record.gradings, "tasks", "reports in full"),
            rows=tuple(
                (
                    row.stratum,
                    row.system,
                    *(percent(row.compliance[one]) for one in record.gradings),
                    f"{row.tasks:,}",
                    of(row.coverage.complete, row.coverage.reports),
                )
                for row in record.strata
                if row.by == by
            ),
            left=2,
            method="strata",
        )


def _heat(record: Compliance) -> Iterator[Table]:
    axes = list(dict.fromkeys(row.axis for row in record.failures))
    for grading in record.gradings:
        mine = {(row.domain, row.axis): row for row in record.heat if row.grading == grading}
        domains = list(dict.fromkeys(domain for domain, _ in mine))
        yield Table(
            key=f"heat-{grading}",
            title=f"Share of failures by domain and axis, %, {grading}",
            heads=("domain", *axes, "verdicts"),
            rows=tuple(
                (
                    domain,
                    *(short(row.share) if (row := mine.get((domain, axis))) else NONE for axis in axes),
                    of(
                        sum(row.verdicts for (name, _), row in mine.items() if name == domain),
                        sum(row.criteria for (name, _), row in mine.items() if name == domain),
                    ),
                )
                for domain in domains
            ),
            method="heat",
        )


def _lengths(record: Compliance) -> Iterator[Table]:
    yield Table(
        key="lengths",
        title="Length and compliance: correlations",
        heads=("reports of", "length in", "grading", "Pearson", "p", "Spearman", "p", "reports"),
        rows=tuple(
            (
                row.system or row.over,
                row.measure,
                row.grading,
                correlation(row.pearson),
                p_value(row.pearson.p),
                correlation(row.spearman),
                p_value(row.spearman.p),
                of(row.pearson.n, row.reports),
            )
            for row in record.lengths
        ),
        left=3,
        method="lengths",
    )


def _citations(record: Compliance) -> Iterator[Table]:
    yield Table(
        key="citations",
        title="Citations",
        heads=(record.by, "marks a report", "accuracy, %", "accuracy of all marks, %", "reports"),
        rows=tuple(
            (
                row.system,
                plain(row.citations.marks),
                percent(row.citations.accuracy),
                NONE if row.citations.pooled is None else f"{100 * row.citations.pooled:.1f}",
                of(row.citations.reports, row.coverage.reports),
            )
            for row in record.systems
            if row.citations.reports
        ),
        method="citations",
    )


def _rubric(record: Compliance) -> Iterator[Table]:
    rubric = record.rubric
    yield Table(
        key="rubric",
        title=(
            f"What the rubrics ask: {mean(rubric.criteria, 1)} criteria and {mean(rubric.axes, 1)} axes a task, "
            f"all {len(rubric.by_axis)} axes in {of(rubric.all_axes, rubric.tasks)} {'task' if rubric.tasks == 1 else 'tasks'}"
        ),
        heads=("axis", "tasks", "criteria", "mandatory", "negative"),
        rows=tuple(
            (
                row.axis,
                of(row.tasks, rubric.tasks),
                f"{row.criteria:,}",
                f"{row.mandatory:,}",
                f"{row.negative:,}",
            )
            for row in rubric.by_axis
        ),
        method="rubric",
    )


def _prompts(record: Compliance) -> Iterator[Table]:
    yield Table(
        key="prompts",
        title="Words of the prompts",
        heads=("by", "subset", "tasks", "mean", "SD", "median", "least", "most"),
        rows=tuple(
            (
                level_title(row.by).lower(),
                row.subset,
                f"{row.words.n:,}",
                mean(row.words, 1)
                + ("" if row.words.interval is None else " [{:.1f}, {:.1f}]".format(*row.words.interval)),
                NONE if row.words.sd is None else f"{row.words.sd:.1f}",
                NONE if row.words.median is None else f"{row.words.median:,.1f}",
                NONE if row.words.low is None else f"{row.words.low:,.0f}",
                NONE if row.words.high is None else f"{row.words.high:,.0f}",
            )
            for row in record.prompts
        ),
        left=2,
        method="prompts",
    )
