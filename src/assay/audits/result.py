"""The result of an audit: the contract ``assay.audit/2``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from assay.audits.fingerprints import fingerprints
from assay.checks.base import Finding, Severity
from assay.judges.judgeable import NothingReason
from assay.logic.graph import LogicGraph
from assay.logic.scores import RuleScores
from assay.subjects.subject import Subject

if TYPE_CHECKING:
    from assay.checks.config import FailOn

SCHEMA = "assay.audit/2"
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def failing_severities(fail_on: FailOn) -> tuple[Severity, ...]:
    """Return the severities that make an audit fail; ``new:error`` names the same as ``error``."""
    level = fail_on.removeprefix("new:")
    return () if level == "never" else SEVERITIES[: SEVERITIES.index(cast("Severity", level)) + 1]


class ReportSummary(msgspec.Struct, frozen=True):
    """Name and sizes of a report. ``words`` counts CJK by character and leaves the reference list out."""

    path: str | None
    id: str | None
    system: str | None
    language: str
    words: int
    sentences: int
    paragraphs: int
    sections: int
    citations: int
    references: int


class TrajectorySummary(msgspec.Struct, frozen=True):
    """Name and sizes of a trajectory."""

    path: str | None
    id: str | None
    system: str | None
    language: str
    words: int
    steps: int
    tool_calls: int
    tools: tuple[str, ...] | None


UncheckedTopic = Literal["query", "sources", "trajectory", "citations", "language"]


class Unchecked(msgspec.Struct, frozen=True):
    """Something that the audit could not check: what is missing or not understood, and a message in one language."""

    topic: UncheckedTopic
    message: str


class Nothing(msgspec.Struct, frozen=True):
    """Why there is nothing to judge: a key, and a message in one language."""

    key: NothingReason
    message: str


class Audit(msgspec.Struct, frozen=True):
    """The result of auditing one report or trajectory.

    Attributes:
        subject: What was audited.
        summary: Its name and sizes.
        findings: All findings.
        dimensions: Indexes into ``findings`` by dimension: the eight logic dimensions of a report, or ``reasoning``
            and ``tool_use`` of a trajectory. The rules give no scores.
        unchecked: What could not be checked, and why.
        nothing: Why there is nothing to judge; None if there is something.
        logic: Argument graph of a report; None for a trajectory.
        structure: FinResearchBench's four numbers about the structure of a report's argument, 0 to 100. They do not
            follow quality. None for a trajectory, and if there is nothing to judge.
    """

    subject: Subject
    summary: ReportSummary | TrajectorySummary
    findings: tuple[Finding, ...]
    dimensions: dict[str, tuple[int, ...]]
    unchecked: tuple[Unchecked, ...] = ()
    nothing: Nothing | None = None
    logic: LogicGraph | None = None
    structure: RuleScores | None = None

    @property
    def counts(self) -> dict[Severity, int]:
        """Number of findings of each severity."""
        numbers: dict[Severity, int] = dict.fromkeys(SEVERITIES, 0)
        for finding in self.findings:
            numbers[finding.severity] += 1
        return numbers

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """Fingerprints of the findings, in their order (see `assay.audits.fingerprints`)."""
        return fingerprints(self.subject, self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return the contract as plain data. Trajectories have ``trajectory`` where reports have ``report``."""
        is_report = isinstance(self.summary, ReportSummary)
        counts = self.counts
        words = self.summary.words
        per_thousand = (
            {key: round(1000 * number / words, 2) for key, number in counts.items()} if words else None
        )
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "report" if is_report else "trajectory": msgspec.to_builtins(self.summary),
            "status": "ok" if self.nothing is None else "nothing_to_judge",
            "reason": msgspec.to_builtins(self.nothing),
            "counts": {**counts, "per_1000_words": per_thousand if self.nothing is None else None},
            "unchecked": msgspec.to_builtins(self.unchecked),
            "findings": [
                {**msgspec.to_builtins(finding), "fingerprint": mark}
                for finding, mark in zip(self.findings, self.fingerprints, strict=True)
            ],
        }
        if self.logic is not None:
            logic = msgspec.to_builtins(self.logic)
            data["logic"] = {"schema": logic.pop("schema"), **logic}
        if is_report:
            data["structure"] = msgspec.to_builtins(self.structure)
        data["dimensions"] = {key: {"findings": list(value)} for key, value in self.dimensions.items()}
        return data
