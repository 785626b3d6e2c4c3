"""The argument graph of a report, built by rules alone.

    graph = build_graph(Report.read("report.md"))

Each sentence is read as a claim, a piece of evidence or neither (`assay.logic.statements`). Paragraphs, lists and
sections give the order of support (`argument_points`, `argument_tree`). The graph is cut to what a reader can take
in (`prune`), and evidence is joined to the claims elsewhere that use it (`shared_evidence`). Nothing is added:
every node is words of the report.
"""

from __future__ import annotations

from assay.checks.base import LocatedSpan
from assay.given import require
from assay.logic.argument_points import walk
from assay.logic.argument_tree import assemble
from assay.logic.context import context_of
from assay.logic.essay import essay_tree
from assay.logic.graph import Edge, LogicGraph, Node
from assay.logic.metrics import measure
from assay.logic.prune import prune
from assay.logic.shared_evidence import share_evidence, support_of
from assay.subjects.report import Report


def build_graph(report: Report) -> LogicGraph:
    """Return the argument graph of ``report``. It never fails on any text; an empty report has an empty graph.

    The graph is acyclic, every node can be reached from a root, no edge occurs twice, and every node's ``text`` is
    the plain text of its span with white space folded.
    """
    require(report, Report, "a graph is built of a Report", hint="Report.read reads a file")
    tree = essay_tree(report)
    if tree is not None:
        roots = tree.roots
        points = list(walk(roots))
    else:
        tree = assemble(report)
        roots = prune(report, tree)
        points = list(walk(roots))
        share_evidence(points)
    tabled = {block.section for block in report.blocks if block.kind == "table"}
    support = support_of(points, tabled)
    names: dict[int, str] = {}
    nodes: list[Node] = []
    counts = {"argument": 0, "evidence": 0}
    place = report.lines.place
    for point in points:
        statement = point.statement
        counts[statement.kind] += 1
        name = names[id(point)] = f"{statement.kind[0]}{counts[statement.kind]}"
        span = statement.span
        line, column = place(span.start)
        nodes.append(
            Node(
                id=name,
                kind=statement.kind,
                text=report.plain_text(span),
                span=LocatedSpan(span.start, span.end, line, column),
                support=support.get(id(point)),
                context=context_of(report, statement),
            )
        )
    edges = [
        Edge(names[id(point)], names[id(child)], child.relation)
        for point in points
        for child in point.children
    ]
    for point in points:
        # Pruning may have dropped a further parent, or made it the only one.
        extra = [parent for parent in point.extra if id(parent) in names and parent is not point.parent]
        edges.extend(Edge(names[id(parent)], names[id(point)]) for parent in extra)
    # A root that came to carry a claim elsewhere is none any more.
    root_names = tuple(names[id(root)] for root in roots if not root.extra)
    return LogicGraph(tuple(nodes), tuple(edges), root_names, measure(nodes, edges, root_names))
