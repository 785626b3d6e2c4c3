"""The points of one section: which claim leads, what goes under it, and which of them matter most."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.logic.argument_points import ArgumentPoint
    from assay.logic.relatedness import Relatedness
    from assay.logic.statement import Statement
    from assay.subjects.report import Report


def elect_claim(statements: list[Statement]) -> None:
    """Make the most general statement without figures the leading claim of a section that only reports."""
    if len(statements) < 2 or any(s.kind == "argument" for s in statements):
        return
    general = [s for s in statements if not s.figures]
    if general:
        best = max(general, key=lambda s: s.claim - s.evidence + (1.0 if s is statements[0] else 0.0))
        best.kind = "argument"


def settle_evidence(
    report: Report, heads: list[ArgumentPoint], lead: ArgumentPoint | None, related: Relatedness
) -> list[ArgumentPoint]:
    """In a section without a leading claim, put evidence under the claim before it if it is about the same."""
    claims = [p for p in heads if p.is_argument]
    if lead is not None or not claims or len(claims) == len(heads):
        return heads
    left: list[ArgumentPoint] = []
    blocks = report.blocks
    before: ArgumentPoint | None = None
    for point in heads:
        if point.is_argument:
            before = point
            left.append(point)
            continue
        terms = point.statement.terms
        close = (
            blocks[point.statement.block].kind != "item"
            and before is not None
            and before.statement.section == point.statement.section
            and related.are_related(terms, before.statement.terms)
        )
        best = before if close and not (point.statement.setting_apart or point.statement.bulleted) else None
        if best is None:
            left.append(point)
        else:
            best.take(point)
    return left


def best_points(points: list[ArgumentPoint], most: int) -> list[ArgumentPoint]:
    """Return the ``most`` best points in their order: these stand for a section without a leading claim."""
    if len(points) <= most:
        return points
    kept = set(map(id, sorted(points, key=lambda p: -p.salience)[:most]))
    return [p for p in points if id(p) in kept]


def weigh_alone(points: list[ArgumentPoint]) -> None:
    """Give claims that stand under nothing a salience of their own, whatever stands beside them."""
    for point in points:
        if point.is_argument:
            s = point.statement
            point.salience = (
                1.0 + 0.25 * min(s.claim, 4.0) + (0.8 if point.children else -0.8) - 0.4 * s.leaning
            )


def rank_points(points: list[ArgumentPoint]) -> None:
    """Give the points under one parent their salience: the best of each kind gets the most, each further one less."""
    evidence = [p for p in points if not p.is_argument and not p.salience]
    evidence.sort(key=lambda p: -p.statement.evidence)
    for rank, point in enumerate(evidence):
        s = point.statement
        point.salience = 1.4 + 0.2 * min(s.evidence, 6.0) - 0.45 * rank
        if s.leaning:
            point.salience -= 0.5 if s.figures else 1.0
    claims = [p for p in points if p.is_argument and not p.salience]
    claims.sort(key=lambda p: -(p.statement.claim + 0.8 * bool(p.children)))
    for rank, point in enumerate(claims):
        s = point.statement
        point.salience = 1.2 + 0.25 * min(s.claim, 4.0) + (0.6 if point.children else -0.3) - 0.3 * rank
        if s.leaning:
            point.salience -= 0.4
    for point in points:
        for child in point.children:
            if not child.salience:
                rank_points(point.children)
                break
