"""The figures of ``assay.compliance/1`` as tidy CSV: each on a line of its own, with what it was taken over."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from assay.present.compliance_cells import ALL

if TYPE_CHECKING:
    from assay.measures.correlation import Correlation
    from assay.measures.intervals import Estimate
    from assay.suites.compliance.record import Compliance

_HEADS: Final = (
    "table", "system", "other", "by", "stratum", "axis", "grading", "statistic",
    "value", "low", "high", "p", "n", "verdicts", "criteria",
)  # fmt: skip


def compliance_csv(record: Compliance) -> str:
    """Every figure on a line of its own, with its interval, its number and its coverage."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, _HEADS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in _figures(record):
        writer.writerow({key: _safe(value) for key, value in row.items()})
    return stream.getvalue()


def _safe(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula, made one that it does not."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _figures(record: Compliance) -> Iterator[dict[str, Any]]:
    for row in record.systems:
        held = {"system": row.system, "verdicts": row.coverage.verdicts, "criteria": row.coverage.criteria}
        for one in record.gradings:
            yield _line("compliance", "mean", row.compliance[one], grading=one, **held)
            yield _line("compliance", "mean in part", row.partly[one], grading=one, **held)
        yield _line("citations", "marks", row.citations.marks, system=row.system)
        yield _line("citations", "accuracy", row.citations.accuracy, system=row.system)
    for pair in record.pairs:
        yield _line(
            "pairs", "difference", pair.difference, system=pair.a, other=pair.b, grading=pair.grading
        ) | {"p": _blank(pair.p)}
    for fail in record.failures:
        held = {
            "system": fail.system or ALL,
            "axis": fail.axis,
            "grading": fail.grading,
            "verdicts": fail.verdicts,
            "criteria": fail.criteria,
        }
        yield _line("failures", "share", fail.share.occurring, **held)
        yield _line("failures", "share where it fails", fail.share.failing, **held)
        yield {
            "table": "failures",
            "statistic": "share pooled",
            "value": _blank(fail.share.pooled),
            "n": fail.share.failures,
            **held,
        }
        yield _line("failures", "rate", fail.rate, **held)
    for item in record.importance:
        yield _line(
            "importance", "rate", item.rate, system=item.system or ALL, axis=item.axis or "", grading=item.grading,
            by="importance", stratum="mandatory" if item.mandatory else "optional", verdicts=item.verdicts, criteria=item.criteria,
        )  # fmt: skip
    for part in record.strata:
        for one in record.gradings:
            yield _line(
                "strata", "mean", part.compliance[one], system=part.system, by=part.by, stratum=part.stratum, grading=one,
                verdicts=part.coverage.verdicts, criteria=part.coverage.criteria,
            )  # fmt: skip
    for cell in record.heat:
        held = {
            "system": ALL,
            "by": "domain",
            "stratum": cell.domain,
            "axis": cell.axis,
            "grading": cell.grading,
            "verdicts": cell.verdicts,
            "criteria": cell.criteria,
        }
        yield _line("heat", "share", cell.share, **held)
        yield _line("heat", "rate", cell.rate, **held)
    for length in record.lengths:
        for name, found in (("pearson", length.pearson), ("spearman", length.spearman)):
            yield _line(
                "lengths",
                name,
                found,
                system=length.system or length.over,
                by=length.measure,
                grading=length.grading,
            ) | {"p": _blank(found.p)}


def _line(table: str, statistic: str, found: Estimate | Correlation, **rest: Any) -> dict[str, Any]:
    ends = {"value": _blank(found.value), "low": _blank(found.low), "high": _blank(found.high)}
    return {"table": table, "statistic": statistic, **ends, "n": found.n, **rest}


def _blank(value: float | None) -> float | str:
    return "" if value is None else value
