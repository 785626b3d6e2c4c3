"""Evidence that carries several claims, and whether a claim has evidence of its own under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.argument_points import ArgumentPoint
    from assay.logic.graph import Support
    from assay.logic.statement import Figure, Statement

_SHARED_TERMS: Final = 2
# A figure that stands in many places ("100 %") tells nothing about which claim it carries.
_COMMON: Final = 6
_WALKED: Final = 200


def share_evidence(points: list[ArgumentPoint]) -> None:
    """Let evidence carry claims elsewhere in the report too, which makes the tree a graph.

    A claim takes evidence that states one of its figures and shares two terms with it. Evidence has no children, so
    this cannot form a cycle.

    Args:
        points: The points of the graph, parents before children.
    """
    by_figure: dict[Figure, list[ArgumentPoint]] = {}
    for point in points:
        if not point.is_argument:
            for figure in point.statement.figures:
                by_figure.setdefault(figure, []).append(point)
    for claim in points:
        if claim.is_argument:
            for figure in claim.statement.figures:
                _join(claim, by_figure.get(figure, ()))


def _join(claim: ArgumentPoint, found: Sequence[ArgumentPoint]) -> None:
    if len(found) > _COMMON:
        return
    terms = claim.statement.terms
    for point in found:
        if len(terms & point.statement.terms) >= _SHARED_TERMS and not point.stands_under(claim):
            point.extra.append(claim)


def support_of(points: list[ArgumentPoint], tabled: set[int]) -> dict[int, Support]:
    """Return the support of every argument, by ``id`` of its point. What speaks against a claim supports nothing.

    * supported: a piece of evidence for it shares a figure or two terms with it (one in its own paragraph), or one
      further down does and every claim that it rests on is held up itself;
    * partial: something else stands for it: evidence about other things, claims some of which are held up, a citation
      of its own, a table in its section;
    * unsupported: nothing of the kind.

    Args:
        points: The points of the graph, parents before children.
        tabled: Sections that have a table.
    """
    below: dict[int, list[ArgumentPoint]] = {}
    for point in points:
        above = [point.parent] if point.parent is not None and point.relation == "supports" else []
        for parent in (*above, *point.extra):
            below.setdefault(id(parent), []).append(point)
    out: dict[int, Support] = {}
    for point in reversed(points):
        if point.is_argument:
            out[id(point)] = _support(point, below, out, tabled)
    return out


def _support(
    point: ArgumentPoint, below: dict[int, list[ArgumentPoint]], known: dict[int, Support], tabled: set[int]
) -> Support:
    statement = point.statement
    evidence = [child for child in below.get(id(point), ()) if not child.is_argument]
    claims = [known.get(id(child), "unsupported") for child in below.get(id(point), ()) if child.is_argument]
    if any(_speaks_for(child.statement, statement) for child in evidence):
        return "supported"
    if claims and "unsupported" not in claims and _reaches(point, below):
        return "supported"
    held = any(support != "unsupported" for support in claims)
    if evidence or held or statement.cited or statement.section in tabled:
        return "partial"
    return "unsupported"


def _reaches(point: ArgumentPoint, below: dict[int, list[ArgumentPoint]]) -> bool:
    """Return whether evidence somewhere below speaks for a claim."""
    stack, seen = list(below.get(id(point), ())), set[int]()
    # Enough for any tree that is shown; a deep chain must not be walked again from each of its links.
    while stack and len(seen) < _WALKED:
        at = stack.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        if not at.is_argument and _speaks_for(at.statement, point.statement):
            return True
        stack += below.get(id(at), ())
    return False


def _speaks_for(evidence: Statement, claim: Statement) -> bool:
    if any(figure in evidence.figures for figure in claim.figures):
        return True
    # In one paragraph a word in common is enough: its sentences are about one thing.
    enough = 1 if evidence.block == claim.block else _SHARED_TERMS
    return len(claim.terms & evidence.terms) >= enough
