"""The tables of ``assay.compliance/1``, for every format that shows tables.

Cells are short texts: shares in percent, an interval in brackets after its value. Coverage stands in the same row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from assay.present.numbers import NONE, interval, minus, number, of, p_value, percent, percent_interval
from assay.present.table import Table, TableSet, table_of
from assay.text.amounts import counted

if TYPE_CHECKING:
    from assay.judges.compliance import Grading
    from assay.measures.correlation import Correlation
    from assay.measures.describe import Description
    from assay.measures.intervals import Estimate
    from assay.suites.compliance.record import (
        Compliance,
        CriterionCoverage,
        FailureRow,
        HeatRow,
        ImportanceRow,
    )

ALL: Final = "all together"


def tables_of(record: Compliance) -> TableSet:
    """Return all tables that have rows, in the order of the page."""
    makers = (
        _systems, _pairs, _failures, _rates, _importance, _strata, _heat, _lengths, _citations, _rubric, _prompts,
    )  # fmt: skip
    noun = record.by if record.by in ("system", "file", "judge") else "group"
    return TableSet(
        title="Compliance",
        facts=[
            counted(record.coverage.reports, "report"),
            counted(len(record.systems), noun),
            counted(record.tasks, "task"),
            (_verdicts(record.coverage), "verdicts"),
        ],
        judges=record.judges,
        notes=record.notes,
        tables=[table for maker in makers for table in maker(record) if table.rows],
        methods=record.method,
        name_methods=True,
    )


def _verdicts(coverage: CriterionCoverage) -> str:
    """Return how many criteria have a verdict."""
    return of(coverage.verdicts, coverage.criteria)


def level_title(key: str) -> str:
    """Return the key of a level as people write it: ``Conceptual breadth``."""
    return key.replace("_", " ").capitalize()


def _short(estimate: Estimate) -> str:
    """Return a share in percent without its interval."""
    return NONE if estimate.value is None else minus(f"{100 * estimate.value:.1f}")


def _mean(words: Description, digits: int = 0) -> str:
    return number(words.mean, digits)


def _correlation(found: Correlation) -> str:
    shown = [minus(f"{end:.2f}") for end in (found.value, found.low, found.high) if end is not None]
    return NONE if not shown else f"{shown[0]} [{shown[1]}, {shown[2]}]" if len(shown) == 3 else shown[0]


def _systems(record: Compliance) -> Iterator[Table]:
    gradings = record.gradings
    yield table_of(
        record.systems,
        [
            (record.by, lambda row: row.system),
            (gradings, lambda row: [percent_interval(row.compliance[one]) for one in gradings]),
            ("reports in full", lambda row: of(row.coverage.complete, row.coverage.reports)),
            ("verdicts", lambda row: _verdicts(row.coverage)),
            (
                [f"{one} in part" for one in gradings],
                lambda row: [_short(row.partly[one]) for one in gradings],
            ),
            ("words", lambda row: _mean(row.words)),
        ],
        key="compliance",
        title="Compliance, %",
        spare=len(gradings) + 1,
        method="compliance",
    )


def _pairs(record: Compliance) -> Iterator[Table]:
    yield table_of(
        record.pairs,
        [
            ("first", lambda row: row.a),
            ("second", lambda row: row.b),
            ("grading", lambda row: row.grading),
            ("difference", lambda row: percent_interval(row.difference, signed=True)),
            ("smallest", lambda row: percent(row.smallest, 1)),
            ("p", lambda row: p_value(row.p)),
            ("p, Holm", lambda row: p_value(row.p_holm)),
            ("tasks", lambda row: of(row.tasks, row.tasks + row.left_out)),
        ],
        align="lll",
        key="pairs",
        title="Differences, percentage points",
        method="pairs",
    )


def _failures(record: Compliance) -> Iterator[Table]:
    yield table_of(
        _by_axis(record),
        [
            ("axis", lambda rows: rows[0].axis),
            (record.by, lambda rows: rows[0].system or ALL),
            (
                [head for one in record.gradings for head in (one, "where it fails")],
                lambda rows: [
                    cell
                    for row in rows
                    for cell in (percent_interval(row.share.occurring), _short(row.share.failing))
                ],
            ),
            ("reports", lambda rows: f"{rows[0].share.tasks:,}"),
            ("verdicts", lambda rows: of(rows[0].verdicts, rows[0].criteria)),
        ],
        align="ll",
        key="failures",
        title="Share of failures by axis, %",
        method="failures",
    )


def _rates(record: Compliance) -> Iterator[Table]:
    yield table_of(
        _by_axis(record),
        [
            ("axis", lambda rows: rows[0].axis),
            (record.by, lambda rows: rows[0].system or ALL),
            (record.gradings, lambda rows: [percent_interval(row.rate) for row in rows]),
            ("verdicts", lambda rows: of(rows[0].verdicts, rows[0].criteria)),
        ],
        align="ll",
        key="rates",
        title="Failures of verdicts by axis, %",
        method="failures",
    )


def _by_axis(record: Compliance) -> list[list[FailureRow]]:
    """Return the rows of one axis and system under every grading, axes first."""
    axes = list(dict.fromkeys(row.axis for row in record.failures))
    groups: dict[tuple[int, str | None], dict[Grading, FailureRow]] = {
        (at, row.system): {} for at in range(len(axes)) for row in record.failures
    }
    for row in record.failures:
        groups[axes.index(row.axis), row.system][row.grading] = row
    whole = [rows for rows in groups.values() if len(rows) == len(record.gradings)]
    return [[rows[one] for one in record.gradings] for rows in whole]


def _importance(record: Compliance) -> Iterator[Table]:
    axes = list(dict.fromkeys(row.axis for row in record.importance))
    groups: dict[tuple[str | None, str | None, bool], dict[Grading, ImportanceRow]] = {}
    for row in sorted(record.importance, key=lambda row: axes.index(row.axis)):
        groups.setdefault((row.axis, row.system, row.mandatory), {})[row.grading] = row
    whole = [rows for rows in groups.values() if len(rows) == len(record.gradings)]
    yield table_of(
        [[rows[one] for one in record.gradings] for rows in whole],
        [
            ("axis", lambda rows: rows[0].axis or "all axes"),
            (record.by, lambda rows: rows[0].system or ALL),
            ("criteria", lambda rows: "mandatory" if rows[0].mandatory else "optional"),
            (record.gradings, lambda rows: [percent_interval(row.rate) for row in rows]),
            ("verdicts", lambda rows: of(rows[-1].verdicts, rows[-1].criteria)),
        ],
        align="lll",
        key="importance",
        title="Failures of mandatory and optional criteria, % of verdicts",
        method="importance",
    )


def _strata(record: Compliance) -> Iterator[Table]:
    for by in dict.fromkeys(row.by for row in record.strata):
        name = level_title(by).lower()
        yield table_of(
            [row for row in record.strata if row.by == by],
            [
                (name, lambda row: row.stratum),
                (record.by, lambda row: row.system),
                (
                    record.gradings,
                    lambda row: [percent_interval(row.compliance[one]) for one in record.gradings],
                ),
                ("tasks", lambda row: f"{row.tasks:,}"),
                ("reports in full", lambda row: of(row.coverage.complete, row.coverage.reports)),
            ],
            align="ll",
            key=f"strata-{by}",
            title=f"Compliance by {name}, %",
            method="strata",
        )


def _heat(record: Compliance) -> Iterator[Table]:
    axes = list(dict.fromkeys(row.axis for row in record.failures))
    for grading in record.gradings:
        domains: dict[str, dict[str, HeatRow]] = {}
        for row in record.heat:
            if row.grading == grading:
                domains.setdefault(row.domain, {})[row.axis] = row
        yield Table(
            key=f"heat-{grading}",
            title=f"Share of failures by domain and axis, %, {grading}",
            heads=("domain", *axes, "verdicts"),
            rows=[
                (
                    domain,
                    *(_short(rows[axis].share) if axis in rows else NONE for axis in axes),
                    of(
                        sum(row.verdicts for row in rows.values()), sum(row.criteria for row in rows.values())
                    ),
                )
                for domain, rows in domains.items()
            ],
            method="heat",
        )


def _lengths(record: Compliance) -> Iterator[Table]:
    yield table_of(
        record.lengths,
        [
            ("reports of", lambda row: row.system or row.over),
            ("length in", lambda row: row.measure),
            ("grading", lambda row: row.grading),
            ("Pearson", lambda row: _correlation(row.pearson)),
            ("p", lambda row: p_value(row.pearson.p)),
            ("Spearman", lambda row: _correlation(row.spearman)),
            ("p", lambda row: p_value(row.spearman.p)),
            ("reports", lambda row: of(row.pearson.n, row.reports)),
        ],
        align="lll",
        key="lengths",
        title="Length and compliance: correlations",
        method="lengths",
    )


def _citations(record: Compliance) -> Iterator[Table]:
    yield table_of(
        [row for row in record.systems if row.citations.reports],
        [
            (record.by, lambda row: row.system),
            ("marks a report", lambda row: interval(row.citations.marks, 1)),
            ("marks without a fault, %", lambda row: percent_interval(row.citations.accuracy)),
            ("of all marks, %", lambda row: percent(row.citations.pooled, 1)),
            ("reports", lambda row: of(row.citations.reports, row.coverage.reports)),
        ],
        key="citations",
        title="Citations",
        method="citations",
    )


def _rubric(record: Compliance) -> Iterator[Table]:
    rubric = record.rubric
    yield table_of(
        rubric.by_axis,
        [
            ("axis", lambda row: row.axis),
            ("tasks", lambda row: of(row.tasks, rubric.tasks)),
            ("criteria", lambda row: f"{row.criteria:,}"),
            ("mandatory", lambda row: f"{row.mandatory:,}"),
            ("negative", lambda row: f"{row.negative:,}"),
        ],
        key="rubric",
        title=(
            f"What the rubrics ask: {_mean(rubric.criteria, 1)} criteria and {_mean(rubric.axes, 1)} axes a task, "
            f"all {len(rubric.by_axis)} axes in {of(rubric.all_axes, rubric.tasks)} "
            f"{'task' if rubric.tasks == 1 else 'tasks'}"
        ),
        method="rubric",
    )


def _prompts(record: Compliance) -> Iterator[Table]:
    def mean(words: Description) -> str:
        ends = "" if words.interval is None else " [{:.1f}, {:.1f}]".format(*words.interval)
        return _mean(words, 1) + ends

    yield table_of(
        record.prompts,
        [
            ("by", lambda row: level_title(row.by).lower()),
            ("subset", lambda row: row.subset),
            ("tasks", lambda row: f"{row.words.n:,}"),
            ("mean", lambda row: mean(row.words)),
            ("SD", lambda row: number(row.words.sd, 1)),
            ("median", lambda row: number(row.words.median, 1)),
            ("least", lambda row: number(row.words.low, 0)),
            ("most", lambda row: number(row.words.high, 0)),
        ],
        align="ll",
        key="prompts",
        title="Words of the prompts",
        method="prompts",
    )
