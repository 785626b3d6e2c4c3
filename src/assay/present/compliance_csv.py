"""The figures of ``assay.compliance/1`` as tidy CSV: each on a line of its own, with what it was taken over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from assay.present.compliance import ALL
from assay.present.markup import csv_text

if TYPE_CHECKING:
    from assay.measures.correlation import Correlation
    from assay.measures.intervals import Estimate
    from assay.suites.compliance.record import Compliance

_HEADS: Final = (
    "table", "system", "other", "by", "stratum", "axis", "grading", "statistic",
    "value", "low", "high", "p", "n", "verdicts", "criteria",
)  # fmt: skip


def compliance_csv(record: Compliance) -> str:
    """Return one line per figure, with its interval, its n and its coverage."""
    return csv_text(_HEADS, _figures(record))


def _figures(record: Compliance) -> Iterator[dict[str, Any]]:
    for row in record.systems:
        about = {"system": row.system, "verdicts": row.coverage.verdicts, "criteria": row.coverage.criteria}
        for one in record.gradings:
            yield _line("compliance", "mean", row.compliance[one], grading=one, **about)
            yield _line("compliance", "mean in part", row.partly[one], grading=one, **about)
        yield _line("citations", "marks", row.citations.marks, system=row.system)
        yield _line("citations", "without_fault", row.citations.accuracy, system=row.system)
    for pair in record.pairs:
        yield _line(
            "pairs",
            "difference",
            pair.difference,
            system=pair.a,
            other=pair.b,
            grading=pair.grading,
            p=pair.p,
        )
    for fail in record.failures:
        about = {
            "system": fail.system or ALL, "axis": fail.axis, "grading": fail.grading,
            "verdicts": fail.verdicts, "criteria": fail.criteria,
        }  # fmt: skip
        yield _line("failures", "share", fail.share.occurring, **about)
        yield _line("failures", "share where it fails", fail.share.failing, **about)
        pooled = {"statistic": "share pooled", "value": fail.share.pooled, "n": fail.share.failures}
        yield {"table": "failures", **pooled, **about}
        yield _line("failures", "rate", fail.rate, **about)
    for item in record.importance:
        yield _line(
            "importance", "rate", item.rate, system=item.system or ALL, axis=item.axis or "", grading=item.grading,
            by="importance", stratum="mandatory" if item.mandatory else "optional",
            verdicts=item.verdicts, criteria=item.criteria,
        )  # fmt: skip
    for part in record.strata:
        for one in record.gradings:
            yield _line(
                "strata", "mean", part.compliance[one], system=part.system, by=part.by, stratum=part.stratum,
                grading=one,
                verdicts=part.coverage.verdicts, criteria=part.coverage.criteria,
            )  # fmt: skip
    for cell in record.heat:
        about = {
            "system": ALL, "by": "domain", "stratum": cell.domain, "axis": cell.axis, "grading": cell.grading,
            "verdicts": cell.verdicts, "criteria": cell.criteria,
        }  # fmt: skip
        yield _line("heat", "share", cell.share, **about)
        yield _line("heat", "rate", cell.rate, **about)
    for length in record.lengths:
        about = {"system": length.system or length.over, "by": length.measure, "grading": length.grading}
        for name, found in (("pearson", length.pearson), ("spearman", length.spearman)):
            yield _line("lengths", name, found, p=found.p, **about)


def _line(table: str, statistic: str, figure: Estimate | Correlation, **rest: Any) -> dict[str, Any]:
    ends = {"value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n}
    return {"table": table, "statistic": statistic, **ends, **rest}
