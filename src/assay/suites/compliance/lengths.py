"""Correlation of length and compliance (ResearchRubrics, appendix C.4, figures 14 and 18).

Pooled over systems, the correlation mixes two effects: whether a system's longer reports do better, and whether systems
that write more do better. ``within`` subtracts each system's means, which leaves the former.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from assay.measures.correlation import Correlation, pearson, spearman
from assay.suites.compliance.record import LengthPoint, LengthRow

if TYPE_CHECKING:
    from assay.judges.compliance import Grading

_MEASURES: Final = ("words", "tokens")


def length_rows(
    points: Sequence[LengthPoint], systems: Sequence[str], gradings: Sequence[Grading]
) -> Iterator[LengthRow]:
    """Yield rows for each measure and grading: every system, then pooled and within if there are several."""
    for measure in _MEASURES:
        for grading in gradings:
            by_system: dict[str, list[tuple[float, float]]] = {}
            for system in systems:
                own = [point for point in points if point.system == system]
                pairs = [
                    (float(length), score)
                    for point in own
                    if (length := getattr(point, measure)) > 0
                    and (score := point.compliance.get(grading)) is not None
                ]
                by_system[system] = pairs
                yield _row("system", system, measure, grading, pairs, reports=len(own))
            if len(systems) > 1:
                pooled = [pair for pairs in by_system.values() for pair in pairs]
                yield _row("pooled", None, measure, grading, pooled, reports=len(points))
                yield _within(by_system, measure, grading, len(points))


def _row(
    over: str,
    system: str | None,
    measure: str,
    grading: Grading,
    pairs: Sequence[tuple[float, float]],
    *,
    reports: int,
) -> LengthRow:
    lengths, scores = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return LengthRow(
        over=over,
        system=system,
        measure=measure,
        grading=grading,
        reports=reports,
        pearson=pearson(lengths, scores),
        spearman=spearman(lengths, scores),
    )


def _within(
    by_system: dict[str, list[tuple[float, float]]], measure: str, grading: Grading, reports: int
) -> LengthRow:
    lengths: list[float] = []
    scores: list[float] = []
    groups = 0
    for pairs in by_system.values():
        # A single report equals its system's mean.
        if len(pairs) < 2:
            continue
        groups += 1
        middle = [sum(values) / len(pairs) for values in zip(*pairs, strict=True)]
        lengths += [length - middle[0] for length, _ in pairs]
        scores += [score - middle[1] for _, score in pairs]
    return LengthRow(
        over="within",
        system=None,
        measure=measure,
        grading=grading,
        reports=reports,
        pearson=pearson(lengths, scores, spent=max(0, groups - 1)),
        spearman=Correlation(n=len(lengths), reason="ranks are not centred by system"),
    )
