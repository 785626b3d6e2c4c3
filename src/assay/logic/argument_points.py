"""Points of an argument: a statement with what stands under it in its own paragraph or list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.logic.graph import Relation
    from assay.logic.statement import Statement
    from assay.subjects.report import Report

# A second claim in a paragraph has to be a strong one.
_SECOND_CLAIM: Final = 2.5
# Terms that a fact shares with a claim after it, which does not say that it concludes from it.
_FROM_BEFORE: Final = 4
# Terms that a claim in a list shares with the claim before the list, without a colon between them.
_ITEM_TERMS: Final = 3
# With this share of terms in common it says the same.
_SAME: Final = 0.7


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
            if host is None or not _stands_for(point, host):
                tops.append(point)
            else:
                host.take(point)
        if block.kind == "item":
            stack.append((block.depth, head or host))
        elif report.plain[block.span.start : block.span.end].rstrip()[-1:] in (":", "：") or (
            head is not None
            and (
                (group[-1] is head and _list_follows(report, statements[i].block))
                or _lists_evidence(report, statements, i, j)
            )
        ):
            # A paragraph that ends in a colon announces the list below it; one that only makes a claim, or claims
            # something and is followed by nothing but facts, is what they are listed for.
            stack.append((block.depth, head))
        i = j
    return tops


def _stands_for(point: ArgumentPoint, host: ArgumentPoint) -> bool:
    """Return whether an item supports the claim that it is listed under.

    A fact does; a claim does if it is not advice, and takes up its words or is listed after its colon.
    """
    above, s = host.statement, point.statement
    if not point.is_argument:
        return True
    if s.urging or above.urging or s.opposing:
        return False
    shared = len(s.terms & above.terms)
    return above.lead_in or (_ITEM_TERMS <= shared < _SAME * min(len(s.terms), len(above.terms)))


def _list_follows(report: Report, block: int) -> bool:
    """Return whether a list stands right below a block."""
    return block + 1 < len(report.blocks) and report.blocks[block + 1].kind == "item"


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
    # What stands right before the main claim.
    previous = statements[statements.index(main) - 1]
    holder = head
    tops = [head]
    before: ArgumentPoint | None = None
    for statement in statements:
        if statement is main:
            before = head
            continue
        point = ArgumentPoint(statement)
        later = statement.span.start > main.span.start
        shared = bool(statement.terms & main.terms)
        if later and statement.opposing:
            # "However, …" speaks against what it follows; what comes next speaks for it.
            if shared:
                head.take(point, "rebuts")
            elif point.is_argument:
                tops.append(point)
            holder = point if point.is_argument else holder
        elif statement.kind == "evidence":
            if main.opposing and not later:
                # "X is cheap. However, …": the first was said for the other side.
                continue
            if _speaks_for(statement, holder.statement, at_once=before is holder, later=later):
                holder.take(point)
            else:
                tops.append(point)
        elif later and statement.concluding:
            # "X. Therefore Y": Y rests on X, whichever is the stronger.
            if head in tops and not main.concluding:
                tops[tops.index(head)] = point
                point.take(head)
            else:
                tops.append(point)
            holder = head = point
            main = statement
        elif (later and statement.grounding and before is head) or (
            not later
            and shared
            and main.concluding
            and (statement.claim >= _SECOND_CLAIM or statement is previous)
        ):
            head.take(point)
        elif statement.claim >= _SECOND_CLAIM and not statement.leaning:
            tops.append(point)
            if later:
                # What follows a second claim speaks for it, if for anything.
                holder = point
        else:
            continue
        before = point
    return tops


def _speaks_for(statement: Statement, claim: Statement, *, at_once: bool, later: bool) -> bool:
    """Return whether evidence of a paragraph stands there for the paragraph's claim."""
    if (statement.bulleted and claim.bulleted) or (not later and claim.setting_apart):
        # Bullets stand side by side.
        return False
    if not later:
        # What comes first is a reason if the claim concludes from it.
        if claim.conclusive:
            return True
        return not claim.leaning and len(statement.terms & claim.terms) >= _FROM_BEFORE
    if statement.setting_apart:
        return False
    return at_once or statement.leaning or bool(statement.terms & claim.terms)
