"""Failure shares and rates by axis, importance and domain (ResearchRubrics, figures 4, 6 and 13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from assay.measures.intervals import Estimate, mean_interval
from assay.measures.shares import failure_shares
from assay.suites.compliance.marks import FailureRule, PlacedJudgment, axis_of, failed, in_order
from assay.suites.compliance.record import FailureRow, HeatRow, ImportanceRow

if TYPE_CHECKING:
    from assay.judges.compliance import Grading
    from assay.judges.judgment import Verdict

_SHARE: Final = (0.0, 1.0)


def usable(grades: Sequence[PlacedJudgment], grading: Grading) -> list[PlacedJudgment]:
    """Return the grades that support a grading; binary grades cannot be made ternary."""
    return [item for item in grades if grading == "binary" or item.grading == "ternary"]


def failure_rows(
    grades: Sequence[PlacedJudgment], grading: Grading, rule: FailureRule, system: str | None
) -> list[FailureRow]:
    """Return one row for each axis."""
    grades = usable(grades, grading)
    # Shares are computed for each report; reports on one task are clustered.
    shares = failure_shares(
        (
            (number, axis_of(item), fails)
            for number, graded in enumerate(grades)
            for item, fails in _failures(graded, grading, rule)
            if fails is not None
        ),
        {number: graded.task for number, graded in enumerate(grades)},
    )
    by_axis = _by_axis(grades, grading, rule)
    return [
        FailureRow(
            system=system,
            grading=grading,
            axis=axis,
            share=shares[axis],
            rate=_rate(by_axis[axis]),
            criteria=len(by_axis[axis]),
            verdicts=shares[axis].items,
        )
        for axis in in_order(shares)
    ]


def importance_rows(
    grades: Sequence[PlacedJudgment], grading: Grading, rule: FailureRule, system: str | None
) -> Iterator[ImportanceRow]:
    """Yield rows for mandatory and for optional criteria, over all axes and for each axis."""
    grades = usable(grades, grading)
    by_axis: dict[tuple[str | None, bool], list[tuple[str, bool | None]]] = {}
    for graded in grades:
        for item, fails in _failures(graded, grading, rule):
            for axis in (None, axis_of(item)):
                by_axis.setdefault((axis, item.mandatory), []).append((graded.task, fails))
    axes: list[str | None] = [None, *in_order({axis for axis, _ in by_axis if axis is not None})]
    for axis in axes:
        for mandatory in (True, False):
            asked = by_axis.get((axis, mandatory))
            if asked:
                yield ImportanceRow(
                    system=system,
                    grading=grading,
                    axis=axis,
                    mandatory=mandatory,
                    rate=_rate(asked),
                    failures=sum(fails is True for _, fails in asked),
                    criteria=len(asked),
                    verdicts=sum(fails is not None for _, fails in asked),
                )


def heat_rows(grades: Sequence[PlacedJudgment], grading: Grading, rule: FailureRule) -> Iterator[HeatRow]:
    """Yield one row for each domain and axis, for all systems together."""
    domains = {item.domain for item in grades if item.domain}
    for domain in in_order(domains):
        for row in failure_rows([item for item in grades if item.domain == domain], grading, rule, None):
            yield HeatRow(
                grading=grading,
                domain=domain,
                axis=row.axis,
                share=row.share.occurring,
                rate=row.rate,
                failures=row.share.failures,
                criteria=row.criteria,
                verdicts=row.verdicts,
            )


def _failures(
    graded: PlacedJudgment, grading: Grading, rule: FailureRule
) -> Iterator[tuple[Verdict, bool | None]]:
    for item in graded.judgment.verdicts:
        yield item, failed(item, grading, rule)


def _by_axis(
    grades: Sequence[PlacedJudgment], grading: Grading, rule: FailureRule
) -> dict[str, list[tuple[str, bool | None]]]:
    by_axis: dict[str, list[tuple[str, bool | None]]] = {}
    for graded in grades:
        for item, fails in _failures(graded, grading, rule):
            by_axis.setdefault(axis_of(item), []).append((graded.task, fails))
    return by_axis


def _rate(asked: Sequence[tuple[str, bool | None]]) -> Estimate:
    judged = [(task, float(fails)) for task, fails in asked if fails is not None]
    return mean_interval([value for _, value in judged], [task for task, _ in judged], bounds=_SHARE)
