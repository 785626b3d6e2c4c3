"""Figures of judges for papers and spreadsheets: agreement with people by metric, detection by type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.present.markup import csv_text
from assay.present.numbers import between, interval, percent, percent_interval, titled
from assay.present.table import NOTHING, Column, Table, TableSet, table_of
from assay.text.amounts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assay.measures.intervals import Estimate
    from assay.meta.agreement_record import Agreement
    from assay.meta.published_verdicts import PublishedWinRate
    from assay.meta.results import BenchmarkResult

_HEADS: Final = ("table", "judge", "name", "value", "low", "high", "n", "clusters", "ties")


def agreement_tables(agreement: Agreement) -> TableSet:
    """Return the table metric × judge, each figure with its interval."""
    names = list(dict.fromkeys(name for judge in agreement.judges for name in judge.metrics))
    rows = [[titled(name), *(interval(own.metrics.get(name)) for own in agreement.judges)] for name in names]
    table = Table(
        heads=["Metric", *(judge.judge for judge in agreement.judges)],
        rows=rows,
        key="metrics",
        title="Agreement with people",
        method="metrics",
    )
    people = agreement.humans
    return TableSet(
        title="Agreement of judges with people",
        facts=[
            counted(people.labels, "label"),
            counted(people.units, "unit"),
            counted(people.raters, "rater"),
        ],
        judges=[judge.judge for judge in agreement.judges],
        notes=agreement.notes,
        tables=[table],
        methods={"metrics": "Intervals are 95 % intervals over tasks."},
    )


def agreement_csv(agreement: Agreement) -> str:
    """Return every metric of every judge on a line of its own, with its interval and what it rests on."""
    return csv_text(
        _HEADS,
        (
            _line("metrics", judge.judge, name, rate)
            for judge in agreement.judges
            for name, rate in judge.metrics.items()
        ),
    )


def win_rate_tables(rates: Sequence[PublishedWinRate]) -> TableSet:
    """Return the win rate of each model against its baseline, plain and discrete, in percent."""
    columns: list[Column[PublishedWinRate]] = [
        ("Model", lambda item: item.model),
        ("Baseline", lambda item: item.baseline),
        ("Judge", lambda item: item.annotator),
        ("Win rate %", lambda item: percent(item.rate.win_rate.value, 2)),
        ("95 %", lambda item: between(item.rate.win_rate)),
        ("SE", lambda item: percent(item.rate.standard_error, 2)),
        ("Discrete %", lambda item: percent(item.rate.discrete_win_rate.value, 2)),
        ("Wins", lambda item: f"{item.rate.wins:,}"),
        ("Losses", lambda item: f"{item.rate.losses:,}"),
        ("Ties", lambda item: f"{item.rate.ties:,}"),
        ("N", lambda item: f"{item.rate.total:,}"),
        ("Left out", lambda item: f"{item.rate.left_out:,}"),
    ]
    table = table_of(rates, columns, align="lll", omit=NOTHING)
    table = msgspec.structs.replace(table, key="win_rates", title="Win rates", method="win_rates")
    method = "AlpacaEval's rule: the mean of preference - 1; a tie counts half, rows without a preference are left out."
    return TableSet(
        title="Win rates",
        facts=[counted(len(rates), "model")],
        judges=[],
        notes=[],
        tables=[table],
        methods={"win_rates": method},
    )


def win_rate_csv(rates: Sequence[PublishedWinRate]) -> str:
    """Return the plain and the discrete win rate of each model on a line of its own."""
    return csv_text(
        _HEADS,
        (
            _line(name, item.annotator, item.model, rate)
            for item in rates
            for name, rate in (("win_rate", item.rate.win_rate), ("discrete", item.rate.discrete_win_rate))
        ),
    )


def result_tables(results: BenchmarkResult) -> TableSet:
    """Return the judges, what each detects by type, and which attacks succeed, with intervals in percent."""
    judges = list(zip(results.names, results.detections, strict=True))
    overall = Table(
        heads=("Judge", "Detects %", "Ties", "Coverage %"),
        rows=[
            (name, percent_interval(item.accuracy), str(item.accuracy.ties), percent(item.coverage))
            for name, item in judges
        ],
        key="judges",
        title="Failures detected",
        method="detection",
    )
    tables = [
        overall,
        _by_judge(results.by_type, "types", "Failures detected by type (%)", "detection"),
        _by_judge(results.attack_success, "attacks", "Attacks that succeed (%)", "attacks"),
    ]
    return TableSet(
        title="Judges on a benchmark",
        facts=[counted(results.origin.instances, "instance"), counted(len(judges), "judge")],
        judges=results.names,
        notes=[],
        tables=[table for table in tables if table.rows],
        methods={
            "detection": "Share of planted failures detected; a tie is a miss. 95 % intervals over references.",
            "attacks": "Attack success rates; lower is better. 95 % intervals over references.",
        },
    )


def results_csv(results: BenchmarkResult) -> str:
    """Return every share of every judge on a line of its own: all failures, each type, each attack."""
    return csv_text(_HEADS, _shares(results))


def _shares(results: BenchmarkResult) -> Iterator[dict[str, Any]]:
    for name, rate in results.accuracy.items():
        yield _line("judges", name, "all", rate)
    for key, rates in (("types", results.by_type), ("attacks", results.attack_success)):
        for name, own in rates.items():
            for kind, estimate in own.items():
                yield _line(key, name, kind, estimate)


def _by_judge(rates: Mapping[str, Mapping[str, Estimate]], key: str, title: str, method: str) -> Table:
    names = dict.fromkeys(name for own in rates.values() for name in own)
    return Table(
        heads=["Type" if key == "types" else "Attack", *rates],
        rows=[[titled(name), *(percent_interval(own.get(name)) for own in rates.values())] for name in names],
        key=key,
        title=title,
        method=method,
    )


def _line(table: str, judge: str, name: str, rate: Estimate) -> dict[str, Any]:
    figures = {field: getattr(rate, field, None) for field in _HEADS[3:]}
    return {"table": table, "judge": judge, "name": name, **figures}
