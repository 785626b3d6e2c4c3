"""The result of an audit: the contract ``assay.audit/1``."""

from __future__ import annotations

from typing import Any

import msgspec

from assay.checks.base import Finding
from assay.judges.rules import DimensionScore
from assay.logic.graph import LogicGraph
from assay.logic.scores import RuleScores
from assay.subjects.subject import Subject

SCHEMA = "assay.audit/1"


class ReportSummary(msgspec.Struct, frozen=True):
    """Sizes of a report. ``words`` counts CJK by character and leaves the reference list out."""

    path: str | None
    language: str
    words: int
    sentences: int
    paragraphs: int
    sections: int
    citations: int
    references: int


class TrajectorySummary(msgspec.Struct, frozen=True):
    """Sizes of a trajectory."""

    path: str | None
    language: str
    words: int
    steps: int
    tool_calls: int
    tools: tuple[str, ...] | None


class Audit(msgspec.Struct, frozen=True):
    """The result of auditing one report or trajectory.

    Attributes:
        subject: What was audited.
        summary: Its sizes.
        findings: All findings.
        dimensions: Scores of the eight logic dimensions of a report, or of ``reasoning`` and ``tool_use`` of a
            trajectory; their findings are indexes into ``findings``.
        logic: Argument graph of a report; None for a trajectory.
        scores: The four rule-derived scores of a report; None for a trajectory.
    """

    subject: Subject
    summary: ReportSummary | TrajectorySummary
    findings: tuple[Finding, ...]
    dimensions: dict[str, DimensionScore]
    logic: LogicGraph | None = None
    scores: RuleScores | None = None

    @property
    def overall(self) -> float:
        """Return the mean of the dimension scores, 0 to 1."""
        values = [dimension.score for dimension in self.dimensions.values()]
        return sum(values) / len(values) if values else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the contract as plain data. Trajectories have ``trajectory`` where reports have ``report``."""
        kind = "report" if isinstance(self.summary, ReportSummary) else "trajectory"
        data: dict[str, Any] = {
            "schema": SCHEMA,
            kind: msgspec.to_builtins(self.summary),
            "findings": msgspec.to_builtins(self.findings),
        }
        if self.logic is not None:
            logic = msgspec.to_builtins(self.logic)
            data["logic"] = {"schema": logic.pop("schema"), **logic}
        if self.scores is not None:
            data["scores"] = msgspec.to_builtins(self.scores)
        data["dimensions"] = {
            key: {"score": round(value.score, 4), "findings": list(value.findings)}
            for key, value in self.dimensions.items()
        }
        return data
