"""Evidence that carries several claims, and whether a claim has evidence of its own under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.logic.argument_points import ArgumentPoint
    from assay.logic.graph import Support
    from assay.logic.statements import Figure, Statement

_SHARED_TERMS: Final = 2
# Terms that must be shared besides a source, and without figure or source.
_CITED_TERMS: Final = 3
_ALIKE_TERMS: Final = 4
_ALIKE: Final = 0.3
# A figure or source that stands in many places ("100 %", the one survey) tells nothing about which claim it carries.
_COMMON: Final = 6
_MAX_EXTRA: Final = 4
_WALKED: Final = 200


def share_evidence(points: list[ArgumentPoint], cores: list[ArgumentPoint]) -> None:
    """Let evidence carry claims elsewhere in the report too, which makes the tree a graph.

    A claim takes evidence that states one of its figures and shares two terms with it. Core arguments, which sum up
    what the body shows, also take evidence with the same source and three terms in common, and, if they have none
    at all, evidence that is plainly about the same things. Evidence has no children, so this cannot form a cycle.

    Args:
        points: The points of the graph, parents before children.
        cores: The core arguments among them.
    """
    evidence = [point for point in points if not point.is_argument]
    by_figure: dict[Figure, list[ArgumentPoint]] = {}
    by_source: dict[str, list[ArgumentPoint]] = {}
    for point in evidence:
        for figure in point.statement.figures:
            by_figure.setdefault(figure, []).append(point)
        for key in point.statement.keys:
            by_source.setdefault(key, []).append(point)
    for claim in points:
        if claim.is_argument and claim.statement.figures:
            for figure in claim.statement.figures:
                _join(claim, by_figure.get(figure, ()), _SHARED_TERMS)
    present = {id(point) for point in points}
    for core in cores:
        if id(core) not in present:
            continue
        # Sorted, because the order of a set is not reliable.
        for key in sorted(core.statement.keys):
            _join(core, by_source.get(key, ()), _CITED_TERMS)
        if (
            core.parent is not None
            and not core.children
            and not any(core in point.extra for point in evidence)
        ):
            _join_alike(core, evidence)


def _join(claim: ArgumentPoint, found: Sequence[ArgumentPoint], enough: int) -> None:
    if len(found) > _COMMON:
        return
    terms = claim.statement.terms
    for point in found:
        if len(terms & point.statement.terms) >= enough and not point.stands_under(claim):
            point.extra.append(claim)


def _join_alike(core: ArgumentPoint, evidence: list[ArgumentPoint]) -> None:
    terms = core.statement.terms
    alike: list[tuple[float, int]] = []
    for i, point in enumerate(evidence):
        shared = len(terms & point.statement.terms)
        if shared >= _ALIKE_TERMS:
            share = shared / min(len(terms), len(point.statement.terms))
            if share >= _ALIKE:
                alike.append((-share, i))
    for _, i in sorted(alike)[:_MAX_EXTRA]:
        if not evidence[i].stands_under(core):
            evidence[i].extra.append(core)


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
