"""The rules judge for pairs: which of two is better, by how much, and why; independent of their order.

For two versions of a text the judgment rests on the passages that differ, read against what they share
(`assay.judges.changes`, `assay.judges.change_features`); for independent texts on what is measured of each
(`assay.judges.rules`); in between on both. The judge tells a text from its damaged copy. Of independent texts it
only says which has fewer faults for its size; which is better it does not know.

The weights were fitted once by logistic regression on changes planted by hand in real reports and trajectories,
then rounded; ``docs/explanation/how-good-is-it.md`` says how well they do on others.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import msgspec

from assay.judges.change_features import Surroundings, compare_change
from assay.judges.changes import ReportPassage, align, report_passages
from assay.judges.rules import finding_weight
from assay.judges.rules_trajectory import TRAJECTORY_DIMENSIONS, dimension_of
from assay.judges.trajectory_features import ComparedTrajectory, TrajectoryPart, compare_part, part_changes
from assay.rubrics.dimensions import DIMENSION_KEYS, DimensionKey
from assay.subjects.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assay.checks.base import Check, Finding
    from assay.judges.rules import MeasuredDimension
    from assay.subjects.report import Report
    from assay.subjects.trajectory import Trajectory


class Margin(msgspec.Struct, frozen=True):
    """How far A is ahead, overall and by dimension, -1 to 1, and why.

    ``reasons`` and ``places`` are sorted by strength; a place is a span of A, a span of B (either may be None), and
    how far it speaks for A. A reason is a name in ``phrases/reasons.yaml``; ``measures_better:KEY`` names a dimension.
    ``independent`` says that the two share too little text to be versions of one another.
    """

    overall: float
    by_dimension: dict[str, float]
    reasons: tuple[tuple[str, float], ...]
    places: tuple[tuple[Span | None, Span | None, float], ...] = ()
    independent: bool = False


class _MarginTally:
    """Sums of weighted features by dimension, by reason and by place."""

    def __init__(self, dimensions: Iterable[str]) -> None:
        self.points: dict[str, float] = dict.fromkeys(dimensions, 0.0)
        self.reasons: defaultdict[str, float] = defaultdict(float)
        self.places: list[tuple[Span | None, Span | None, float]] = []

    def add(self, dimension: str, reason: str, value: float) -> float:
        """Count ``value`` for A (negative: for B)."""
        self.points[dimension] += value
        self.reasons[reason] += value
        return value

    def margin(self, *, independent: bool) -> Margin:
        """Return the sums, squashed to -1 … 1."""
        ranked = sorted(
            (item for item in self.reasons.items() if abs(item[1]) > _NOTHING), key=lambda item: -abs(item[1])
        )
        return Margin(
            math.tanh(sum(self.points.values()) / _SURE),
            {key: math.tanh(value / _SURE) for key, value in self.points.items()},
            tuple(ranked),
            tuple(sorted(self.places, key=lambda place: -abs(place[2]))),
            independent,
        )


# feature: weight, dimension. Reasons in favour of a side are in phrases/reasons.yaml.
_REPORT: Final[dict[str, tuple[float, DimensionKey]]] = {
    "source_fit": (7.0, "evidence_sufficiency"),
    "citations": (2.0, "evidence_sufficiency"),
    "unresolved": (2.0, "evidence_sufficiency"),
    "citation_order": (1.5, "evidence_sufficiency"),
    "figures": (0.3, "evidence_sufficiency"),
    "names": (0.8, "evidence_sufficiency"),
    "vagueness": (0.8, "evidence_sufficiency"),
    "content": (0.4, "task_alignment"),
    "fit": (1.5, "task_alignment"),
    "company": (1.4, "internal_consistency"),
    "pairing": (0.6, "internal_consistency"),
    "support": (0.5, "internal_consistency"),
    "wordiness": (0.8, "local_coherence"),
    "echo": (0.5, "local_coherence"),
    "phrasing": (0.8, "local_coherence"),
}
_TRAJECTORY: Final[dict[str, tuple[float, str]]] = {
    "call_grounded": (1.2, "tool_use"),
    "call_novelty": (1.5, "reasoning"),
    "call_constraints": (0.5, "tool_use"),
    "call_tool": (0.8, "tool_use"),
    "call_intended": (1.0, "tool_use"),
    "call_answered": (2.5, "tool_use"),
    "call_used": (1.8, "tool_use"),
    "response_relevant": (2.5, "tool_use"),
    "response_query": (0.8, "tool_use"),
    "response_used": (4.0, "tool_use"),
    "grounded": (0.5, "reasoning"),
    "ungrounded": (1.1, "tool_use"),
    "foreign": (0.5, "reasoning"),
    "progress": (3.5, "reasoning"),
    "restating": (3.5, "reasoning"),
    "continued": (1.0, "reasoning"),
    "attribution": (4.0, "tool_use"),
    "wordiness": (0.7, "reasoning"),
}
_FINDING: Final = 3.0
_FINDING_REASON: Final = "fewer_findings"
# Below the first share of common text two subjects are independent; above the second, versions of one another.
_INDEPENDENT, _VERSIONS = 0.3, 0.6
# A sum of weighted features of this size gives a margin of tanh(1) = 0.76.
_SURE: Final = 4.0
_NOTHING: Final = 1e-9


def compare_reports(
    a: Report,
    b: Report,
    findings: tuple[Sequence[Finding], Sequence[Finding]],
    measured: tuple[Mapping[str, MeasuredDimension], Mapping[str, MeasuredDimension]],
) -> Margin:
    """Return how far report ``a`` is ahead of ``b``; exchanging all arguments only changes the sign."""
    changes = align(report_passages(a), report_passages(b))
    blend = _blend(changes.shared)
    tally = _MarginTally(DIMENSION_KEYS)
    if blend:
        titles = {
            reference.key: f"{reference.title} {reference.url or ''}"
            for report in (a, b)
            for reference in report.references
            if reference.key
        }
        around = Surroundings(changes.common, a.query or b.query, titles)
        for change in changes.changes:
            value = 0.0
            for name, feature in compare_change(change, around).items():
                weight, dimension = _REPORT[name]
                value += tally.add(dimension, f"report_{name}", blend * weight * feature)
            tally.places.append((_cover(change.left), _cover(change.right), value))
        for sign, own in ((-1.0, _unmatched(*findings)), (1.0, _unmatched(findings[1], findings[0]))):
            for finding in own:
                value = blend * sign * _FINDING * finding_weight(finding)
                tally.add(finding.dimension or "local_coherence", _FINDING_REASON, value)
    _add_measured(tally, measured, 1.0 - blend)
    return tally.margin(independent=not blend)


def compare_trajectories(
    a: Trajectory,
    b: Trajectory,
    findings: tuple[Sequence[Finding], Sequence[Finding]],
    measured: tuple[Mapping[str, MeasuredDimension], Mapping[str, MeasuredDimension]],
    checks: Mapping[str, Check],
) -> Margin:
    """Return how far trajectory ``a`` is ahead of ``b``; exchanging all arguments only changes the sign."""
    left, right = ComparedTrajectory.of(a), ComparedTrajectory.of(b)
    changed = part_changes(left.parts, right.parts)
    blend = _blend(1.0 - len(changed) / max(len(left.parts), len(right.parts), 1))
    tally = _MarginTally(TRAJECTORY_DIMENSIONS)
    if blend:
        for change in changed:
            value = 0.0
            for name, feature in compare_part(change, left, right).items():
                weight, dimension = _TRAJECTORY[name]
                value += tally.add(dimension, f"trajectory_{name}", blend * weight * feature)
            tally.places.append((_span(change.left), _span(change.right), value))
        for sign, own in ((-1.0, _unmatched(*findings)), (1.0, _unmatched(findings[1], findings[0]))):
            for finding in own:
                value = blend * sign * _FINDING * finding_weight(finding)
                tally.add(dimension_of(finding, checks), _FINDING_REASON, value)
    _add_measured(tally, measured, 1.0 - blend)
    return tally.margin(independent=not blend)


def _blend(shared: float) -> float:
    return min(1.0, max(0.0, (shared - _INDEPENDENT) / (_VERSIONS - _INDEPENDENT)))


def _add_measured(
    tally: _MarginTally,
    measured: tuple[Mapping[str, MeasuredDimension], Mapping[str, MeasuredDimension]],
    share: float,
) -> None:
    if share:
        for key in tally.points:
            value = share * _SURE * measured[0][key].ahead_of(measured[1][key])
            tally.add(key, f"measures_better:{key}", value)


def _cover(passages: Sequence[ReportPassage]) -> Span | None:
    return Span(passages[0].span.start, passages[-1].span.end) if passages else None


def _span(part: TrajectoryPart | None) -> Span | None:
    return None if part is None else part.span


def _unmatched(ours: Iterable[Finding], theirs: Iterable[Finding]) -> list[Finding]:
    """Return the findings that the other subject lacks; findings that both share do not tell which is better."""
    left = Counter((finding.code, finding.message) for finding in theirs)
    out: list[Finding] = []
    for finding in ours:
        key = (finding.code, finding.message)
        if left[key]:
            left[key] -= 1
        else:
            out.append(finding)
    return out
