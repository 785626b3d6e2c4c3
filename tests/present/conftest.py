import pytest

from assay.audits.result import Audit, ReportSummary
from assay.checks.base import Finding, LocatedSpan
from assay.logic.graph import Edge, LogicGraph, Metrics, Node
from assay.logic.scores import RuleScores
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.subjects.report import Report
from assay.subjects.span import Span

SOURCE = """\
# Heat pumps

Sales grew from 40,000 to 58,000 units, an increase of **63%** [1]. 热泵很安静。

| Item | Cost |
|---|---:|
| Unit | 100 |
| Total | 90 |

Therefore they will spread.

## References

[1] A survey. https://survey.example.org/2024
"""


def place(report, words, *, nth=0):
    start = -1
    for _ in range(nth + 1):
        start = report.source.index(words, start + 1)
    return Span(start, start + len(words))


def finding(
    report,
    words,
    *,
    code="NUM004",
    name="growth-mismatch",
    severity="error",
    message="That is 45%, not 63%",
    related=(),
    **rest,
):
    span = place(report, words)
    line, column = report.lines.place(span.start)
    return Finding(
        code=code, name=name, severity=severity, dimension=rest.pop("dimension", "internal_consistency"), message=message,
        span=LocatedSpan(span.start, span.end, line, column), related=tuple(place(report, item) for item in related),
        confidence=rest.pop("confidence", 0.8),
    )  # fmt: skip


def made(report, findings=(), **rest):
    """An audit with these findings, made by hand."""
    claim, evidence = (
        place(report, "they will spread") if "they will spread" in report.source else Span(0, 1),
        Span(0, 1),
    )
    line, column = report.lines.place(claim.start)
    graph = LogicGraph(
        nodes=(
            Node(
                "a1",
                "argument",
                "they will spread",
                LocatedSpan(claim.start, claim.end, line, column),
                "supported",
            ),
            Node(
                "e1",
                "evidence",
                "Sales grew <b>a lot</b>",
                LocatedSpan(evidence.start, evidence.end, 1, 1),
                None,
            ),
        ),
        edges=(Edge("a1", "e1"),),
        roots=("a1",),
        metrics=Metrics(nodes=2, evidence=1, max_depth=2, mean_leaf_depth=2.0, mean_children=1.0),
    )
    return Audit(
        subject=report,
        summary=ReportSummary(
            report.path, report.id, report.system, report.language, report.words, 2, 2, 2, 1, 1
        ),
        findings=tuple(findings),
        dimensions={
            key: tuple(i for i, item in enumerate(findings) if item.dimension == key)
            for key in DIMENSION_KEYS
        },
        logic=graph,
        structure=RuleScores(50.0, 60.0, 70.0, 80.0),
        **rest,
    )


@pytest.fixture
def report():
    return Report(SOURCE, path="reports/heat.md", query="Will heat pumps spread?")


@pytest.fixture
def audited(report):
    return made(
        report,
        [
            finding(report, "63%", related=("40,000", "58,000")),
            finding(
                report,
                "热泵很安静",
                code="QUA001",
                name="absolute-claim",
                severity="warning",
                message="no limits",
                confidence=0.5,
            ),
            finding(
                report,
                "90",
                code="NUM009",
                name="table-total",
                message="The total says 90, but the parts add up to 100",
            ),
        ],
    )
