"""Points of an argument: a statement with what stands under it in its own paragraph or list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.logic.graph import Relation
    from assay.logic.statements import Statement
    from assay.subjects.report import Report

# A second claim in a paragraph has to be a strong one.
_SECOND_CLAIM: Final = 2.5


class ArgumentPoint:
    """A future node of the graph.

    Attributes:
        statement: The statement.
        is_argument: Whether it is a claim.
        parent: The point above it.
        children: The points under it.
        relation: What it does to the point above it.
        extra: Parents beyond the first, which make the tree a graph.
        salience: Weight that decides which points stay if the graph is cut to a readable size.
    """

    __slots__ = ("children", "extra", "is_argument", "parent", "relation", "salience", "statement")

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.is_argument = statement.kind == "argument"
        self.parent: ArgumentPoint | None = None
        self.children: list[ArgumentPoint] = []
        self.relation: Relation = "supports"
        self.extra: list[ArgumentPoint] = []
        self.salience = 0.0

    def stands_under(self, point: ArgumentPoint) -> bool:
        """Return whether ``point`` is above this one already."""
        if point in self.extra:
            return True
        up = self.parent
        while up is not None:
            if up is point:
                return True
            up = up.parent
        return False

    def take(self, child: ArgumentPoint, relation: Relation = "supports") -> None:
        """Put ``child`` under this point."""
        child.parent = self
        child.relation = relation
        self.children.append(child)


def walk(roots: list[ArgumentPoint]) -> Iterator[ArgumentPoint]:
    """Yield every point below ``roots`` and the roots themselves, parents first."""
    stack = roots[::-1]
    while stack:
        point = stack.pop()
        yield point
        stack.extend(reversed(point.children))


def points_of(report: Report, statements: list[Statement]) -> list[ArgumentPoint]:
    """Return the points of one section's body, in order; nested list items stand under the item that holds them.

    Args:
        report: The report.
        statements: The section's statements, in order.
    """
    blocks = report.blocks
    tops: list[ArgumentPoint] = []
    # (list depth, the point that deeper items belong to)
    stack: list[tuple[int, ArgumentPoint | None]] = []
    i = 0
    while i < len(statements):
        j = i + 1
        while j < len(statements) and statements[j].block == statements[i].block:
            j += 1
        block = blocks[statements[i].block]
        group = _group(statements[i:j])
        if block.kind == "item":
            while stack and stack[-1][0] >= block.depth:
                stack.pop()
            host = stack[-1][1] if stack else None
        else:
            stack, host = [], None
        head = group[0] if group[0].is_argument else None
        for point in group:
            if host is None:
                tops.append(point)
            else:
                host.take(point)
        if block.kind == "item":
            stack.append((block.depth, head or host))
        elif report.plain[block.span.start : block.span.end].rstrip()[-1:] in (":", "：") or (
            head is not None and _lists_evidence(report, statements, i, j)
        ):
            # A paragraph that ends in a colon announces the list below it; one that claims something and is followed
            # by nothing but facts is what they are listed for.
            stack.append((block.depth, head))
        i = j
    return tops


def _lists_evidence(report: Report, statements: list[Statement], i: int, j: int) -> bool:
    """Return whether a list of nothing but evidence follows the paragraph of ``statements[i:j]``."""
    blocks = report.blocks
    last = statements[i].block
    any_evidence = False
    for statement in statements[j:]:
        if any(blocks[k].kind != "item" for k in range(last + 1, statement.block + 1)):
            break
        if statement.kind == "argument":
            return False
        any_evidence = True
        last = statement.block
    return any_evidence


def _group(statements: list[Statement]) -> list[ArgumentPoint]:
    """Return the points of a paragraph or list item: its main claim with the rest under it, or its evidence."""
    if len(statements) == 1:
        return [ArgumentPoint(statements[0])]
    claims = [s for s in statements if s.kind == "argument"]
    if not claims:
        return [ArgumentPoint(s) for s in statements]
    first = statements[0]
    main = max(
        claims,
        key=lambda s: (
            s.claim
            + (1.0 if s is first else 0.0)
            + (0.8 if s.conclusive else 0.0)
            - (2.0 if s.opposing else 0.0)
        ),
    )
    head = ArgumentPoint(main)
    holder = head
    tops = [head]
    seconds = 0
    before: ArgumentPoint | None = None
    for statement in statements:
        if statement is main:
            before = head
            continue
        point = ArgumentPoint(statement)
        later = statement.span.start > main.span.start
        if later and statement.opposing:
            # "However, …" speaks against what it follows; what comes next speaks for it.
            if statement.terms & main.terms:
                head.take(point, "rebuts")
            elif point.is_argument:
                tops.append(point)
            holder = point if point.is_argument else holder
        elif statement.kind == "evidence":
            if main.opposing and not later:
                # "X is cheap. However, …": the first was said for the other side.
                continue
            if before is holder or statement.leaning or statement.terms & holder.statement.terms:
                holder.take(point)
            else:
                tops.append(point)
        elif seconds == 0 and statement.claim >= _SECOND_CLAIM:
            seconds += 1
            if statement.terms & main.terms:
                head.take(point)
            else:
                tops.append(point)
            if later:
                # What follows a second claim speaks for it.
                holder = point
        before = point
    return tops
