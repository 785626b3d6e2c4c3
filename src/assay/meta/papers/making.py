"""Makes the table of a paper from one's own benchmark, judgments and labels, through the same runs as every command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError, UsageError
from assay.measures.intervals import Estimate, exact
from assay.meta.agreement import agree
from assay.meta.benchmark import Benchmark
from assay.meta.gate import metrics_of
from assay.meta.stability import stability

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.meta.labels.record import Label
    from assay.meta.papers.exhibits import (
        Cell,
        Exhibit,
        FromAgreement,
        FromBenchmark,
        FromPeople,
    )
    from assay.meta.results import BenchmarkResult
    from assay.meta.trials import Condition
    from assay.runs.run_settings import RunSettings

_PERCENT: Final = 100.0


class MadeTable(msgspec.Struct, frozen=True, kw_only=True):
    """An exhibit made anew.

    Attributes:
        paper: Short name of the paper.
        exhibit: What is printed.
        columns: Names of the columns of ``rows``.
        rows: Values by row, with intervals, in the unit of the paper; a value of None if there is none.
    """

    paper: str
    exhibit: Exhibit
    columns: tuple[str, ...]
    rows: dict[str, tuple[Estimate, ...]]

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each cell: row, column, value, interval and number of cases; printed values by row last."""
        mine = [
            {
                "source": "ours",
                "row": row,
                "column": column,
                "value": cell.value,
                "low": cell.low,
                "high": cell.high,
                "n": cell.n,
            }
            for row, cells in self.rows.items()
            for column, cell in zip(self.columns, cells, strict=True)
        ]
        printed = [
            {
                "source": "paper",
                "row": row,
                "column": column,
                "value": value,
                "low": None,
                "high": None,
                "n": None,
            }
            for row, values in self.exhibit.rows.items()
            for column, value in zip(self.exhibit.columns, values, strict=True)
        ]
        rows = mine + printed
        return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


async def from_benchmark(
    paper: str,
    exhibit: Exhibit,
    benchmark: Benchmark,
    judges: Sequence[str],
    *,
    per_type: int | None,
    rubric: Sequence[str],
    settings: RunSettings,
) -> MadeTable:
    """Run judges on a benchmark under the conditions of an exhibit.

    Args:
        paper: Short name of the paper.
        exhibit: An exhibit that a benchmark makes.
        benchmark: The benchmark.
        judges: Names of judges.
        per_type: Largest number of instances of each type; None for all.
        rubric: Rubrics in place of the exhibit's; empty for these.
        settings: Settings of the run.

    Raises:
        InputError: The benchmark has nothing that the exhibit measures.
    """
    make: FromBenchmark = exhibit.make  # type: ignore[assignment]
    chosen = benchmark.filter(per_type=per_type) if per_type else benchmark
    result = await chosen.arun(
        list(judges),
        interface=list(make.interface),
        granularity=list(make.granularity),
        rubric=list(rubric or make.rubric),
        reasoning=None if make.reasoning is None else list(make.reasoning),
        baselines=False,
        settings=settings,
    )
    rows = _cells_of(result, make.cells)
    if all(cell.value is None for row in rows.values() for cell in row):
        raise InputError(
            f"it has nothing that {exhibit.name} measures; `assay bench show` lists its instances",
            where=benchmark.folder or None,
        )
    return MadeTable(paper=paper, exhibit=exhibit, columns=tuple(make.cells), rows=rows)


def _cells_of(result: BenchmarkResult, cells: dict[str, Cell]) -> dict[str, tuple[Estimate, ...]]:
    found: dict[str, tuple[Estimate, ...]] = {}
    titles = dict.fromkeys(item.condition.title for item in result.asked)
    for title in titles:
        measured = [
            (item.condition, metrics_of(item)) for item in result.asked if item.condition.title == title
        ]
        row = []
        for cell in cells.values():
            fitting = [
                metrics
                for condition, metrics in measured
                if _fits(condition, cell) and cell.metric in metrics
            ]
            row.append(scaled(fitting[0][cell.metric], _PERCENT) if fitting else exact(None))
        found[title] = tuple(row)
    return found


def _fits(condition: Condition, cell: Cell) -> bool:
    if cell.granularity is not None and condition.granularity != cell.granularity:
        return False
    if cell.reasoning is not None and condition.reasoning not in (None, cell.reasoning):
        return False
    # A judge without a model has no rubric; its one condition stands in every column.
    return (
        cell.rubric is None
        or condition.rubric is None
        or (condition.rubric == "overall") == (cell.rubric == "none")
    )


def from_counts(paper: str, exhibit: Exhibit, benchmark: Benchmark) -> MadeTable:
    """Count the instances of a benchmark by type; a type of the exhibit that the benchmark lacks counts 0."""
    counts = Counter(item.type for item in benchmark)
    rows: dict[str, tuple[Estimate, ...]] = {name: (exact(counts[name]),) for name in exhibit.rows}
    rows["all"] = (exact(sum(counts[name] for name in exhibit.rows)),)
    return MadeTable(paper=paper, exhibit=exhibit, columns=exhibit.columns, rows=rows)


def from_agreement(
    paper: str,
    exhibit: Exhibit,
    judgments: Iterable[Judgment],
    labels: Iterable[Label],
    subjects: Iterable[Any] = (),
) -> MadeTable:
    """Compare judgments with people's labels, by the strata of the exhibit.

    Raises:
        UsageError: The labels do not fit the judgments.
    """
    make: FromAgreement = exhibit.make  # type: ignore[assignment]
    kept, given = list(labels), list(subjects)
    known = any(make.by in label.strata for label in kept) or (make.by == "domain" and given)
    found = agree(judgments, kept, subjects=given, by=make.by if known else (), abstain="wrong")
    names = list(dict.fromkeys(name for judge in found.judges for name in judge.by.get(make.by, {}))) or [
        "all"
    ]
    rows = {}
    for judge in found.judges:
        parts = {"all": judge, **judge.by.get(make.by, {})}
        rows[judge.judge] = tuple(
            scaled(parts[name].metrics.get(make.metric, exact(None)), make.scale)
            if name in parts
            else exact(None)
            for name in names
        )
    if all(cell.value is None for row in rows.values() for cell in row):
        raise UsageError(
            f"the judgments have no {make.metric}: judge every pair in both orders, with `assay judge` or `assay run`"
        )
    return MadeTable(paper=paper, exhibit=exhibit, columns=tuple(names), rows=rows)


def from_people(
    paper: str,
    exhibit: Exhibit,
    judgments: Iterable[Judgment],
    labels: Iterable[Label],
    subjects: Iterable[Any] = (),
) -> MadeTable:
    """Measure how far people agree with each other on what was judged."""
    make: FromPeople = exhibit.make  # type: ignore[assignment]
    known = agree(judgments, list(labels), subjects=subjects).humans.panel
    row = tuple(
        scaled(known.get(metric, exact(None)), _PERCENT if column.endswith("%") else 1.0)
        for column, metric in make.metrics.items()
    )
    return MadeTable(paper=paper, exhibit=exhibit, columns=tuple(make.metrics), rows={"your labels": row})


def from_stability(
    paper: str,
    exhibit: Exhibit,
    judgments: Iterable[Judgment],
    labels: Iterable[Label],
    subjects: Iterable[Any] = (),
) -> MadeTable:
    """Measure the correlation of each repetition with the labels, averaged, and the variance within a subject.

    Raises:
        UsageError: No judge judged a subject twice.
    """
    kept = list(judgments)
    found = stability(kept, agreement=agree(kept, list(labels), subjects=subjects))
    rows: dict[str, tuple[Estimate, ...]] = {
        item.judge: (item.agreement or exact(None), item.within_variance or exact(None))
        for item in found.judges
    }
    return MadeTable(paper=paper, exhibit=exhibit, columns=("ρ", "σ²"), rows=rows)


def scaled(estimate: Estimate, by: float) -> Estimate:
    """Return an estimate times a number."""

    def times(value: float | None) -> float | None:
        return None if value is None else value * by

    return msgspec.structs.replace(
        estimate, value=times(estimate.value), low=times(estimate.low), high=times(estimate.high)
    )
