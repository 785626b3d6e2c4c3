"""Cuts a tree to a size that a reader can take in."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

from assay.logic.argument_points import ArgumentPoint, walk
from assay.logic.terms import overlap

if TYPE_CHECKING:
    from assay.logic.argument_tree import ArgumentTree
    from assay.logic.statement import Figure
    from assay.subjects.report import Report

# The paper's trees have 25 to 60 nodes for reports of a few thousand words; nobody reads more than 160.
_MAX_NODES: Final = 160
# Two pieces of evidence with a figure and this share of terms in common are the same.
_SAME: Final = 0.5
# Below this a point without anything under it adds nothing: the seventh figure of one claim, a "this also" sentence.
_FLOOR: Final = 0.3


def _budget(report: Report) -> int:
    """Return the number of nodes that a reader can take in; it grows more slowly than the length."""
    size = len(report.plain) - report.plain.count(" ")
    words = size / 1.7 if report.language == "zh" else size / 5.2
    return min(_MAX_NODES, int(14 + 1.3 * sqrt(words)))


def prune(report: Report, tree: ArgumentTree) -> list[ArgumentPoint]:
    """Return the roots that stay: repetitions go first, then the least salient points, whose children move up."""
    roots = tree.roots
    points = list(walk(roots))
    seen: set[str] = set()
    dropped = _repeated_evidence(points, tree.cores)
    for point in points:
        span = point.statement.span
        text = report.plain[span.start : span.end]
        if text in seen:
            dropped.add(id(point))
        seen.add(text)
    dropped.update(id(p) for p in points if p.salience < _FLOOR and not p.children)
    spare = len(points) - len(dropped) - _budget(report)
    if spare > 0:
        order = sorted((p for p in points if id(p) not in dropped), key=lambda p: p.salience)
        dropped.update(id(p) for p in order[:spare])
    if not dropped:
        return by_weight(roots)
    for point in points:
        # What spoke against a dropped point must not speak for, or against, the one above.
        if id(point.parent) in dropped and point.relation != "supports":
            dropped.update(map(id, walk([point])))
    kept_roots: list[ArgumentPoint] = []
    for point in points:
        if id(point) in dropped:
            continue
        up = point.parent
        while up is not None and id(up) in dropped:
            up = up.parent
        if up is None:
            if point.parent is None or point.is_argument:
                kept_roots.append(point)
            point.parent = None
        else:
            point.parent = up
    kept = [p for p in points if id(p) not in dropped]
    for point in kept:
        point.children = []
    for point in kept:
        if point.parent is not None:
            point.parent.children.append(point)
    return by_weight(kept_roots)


def by_weight(roots: list[ArgumentPoint]) -> list[ArgumentPoint]:
    """Return the core arguments, those with the most weight first."""
    return sorted(roots, key=lambda point: -point.salience)


def _repeated_evidence(points: list[ArgumentPoint], cores: list[ArgumentPoint]) -> set[int]:
    """Return evidence of the summary that the body repeats; the body's copy then supports the summary's claim."""
    framing = {id(core) for core in cores}
    body: dict[Figure, list[ArgumentPoint]] = {}
    for point in points:
        if not point.is_argument and id(point.parent) not in framing:
            for figure in point.statement.figures:
                body.setdefault(figure, []).append(point)
    dropped: set[int] = set()
    for point in points:
        if point.is_argument or id(point.parent) not in framing:
            continue
        for figure in point.statement.figures:
            for other in body.get(figure, ())[:5]:
                if overlap(point.statement.terms, other.statement.terms) >= _SAME:
                    dropped.add(id(point))
                    if point.parent is not None and not other.stands_under(point.parent):
                        other.extra.append(point.parent)
                    break
            if id(point) in dropped:
                break
    return dropped
