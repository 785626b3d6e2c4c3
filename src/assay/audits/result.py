"""The result of an audit: the contract ``assay.audit/2``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from assay.audits.fingerprints import fingerprints
from assay.checks.base import Finding, Severity
from assay.errors import InputError
from assay.frozen import freeze
from assay.judges.judgeable import NothingReason
from assay.logic.graph import LogicGraph
from assay.logic.scores import RuleScores
from assay.record import Record, columns_of, html_table
from assay.reviews.faults import Review
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.checks.config import FailOn
    from assay.reviews.citations import CitationCheck

SCHEMA = "assay.audit/2"
# Characters of the words that a finding flags, in tables.
_LONGEST_EXCERPT: Final = 200
FINDING_COLUMNS: Final = (
    *("id", "system", "path", "code", "name", "severity", "dimension", "message"),
    *("start", "end", "line", "column", "confidence", "excerpt", "related"),
)
_PLURALS: Final = {"error": "errors", "warning": "warnings", "info": "infos"}
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def failing_severities(fail_on: FailOn) -> tuple[Severity, ...]:
    """Return the severities that make an audit fail; ``new:error`` names the same as ``error``."""
    level = fail_on.removeprefix("new:")
    return () if level == "never" else SEVERITIES[: SEVERITIES.index(cast("Severity", level)) + 1]


class ReportSummary(Record, msgspec.Struct, frozen=True):
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


class TrajectorySummary(Record, msgspec.Struct, frozen=True):
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


class Unchecked(Record, msgspec.Struct, frozen=True):
    """Something that the audit could not check: what is missing or not understood, and a message in one language."""

    topic: UncheckedTopic
    message: str


class Nothing(Record, msgspec.Struct, frozen=True):
    """Why there is nothing to judge: a key, and a message in one language."""

    key: NothingReason
    message: str


class LocatedFinding(Finding, frozen=True, kw_only=True):
    """A finding with the names of its subject and the words it flags: a row of many audits."""

    id: str | None = None
    system: str | None = None
    path: str | None = None
    excerpt: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the finding flat: names of the subject, finding, place, excerpt."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        row = {**data, **data.pop("span")}
        return {name: row[name] for name in FINDING_COLUMNS}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LocatedFinding:
        """Return the finding that `to_dict` wrote."""
        span = {name: data.get(name) for name in ("start", "end", "line", "column")}
        finding: LocatedFinding = super().from_dict({**data, "span": span})
        return finding


class Audit(Record, msgspec.Struct, frozen=True):
    """The result of auditing one report or trajectory.

    Attributes:
        subject: What was audited. In an audit read from a file it has its names only, and no text.
        summary: Its name and sizes.
        findings: All findings.
        dimensions: Indexes into ``findings`` by dimension: the eight logic dimensions of a report, or ``reasoning``
            and ``tool_use`` of a trajectory. The rules give no scores.
        unchecked: What could not be checked, and why.
        nothing: Why there is nothing to judge; None if there is something.
        logic: Argument graph of a report; None for a trajectory.
        structure: FinResearchBench's four numbers about the structure of a report's argument, 0 to 100. They do not
            follow quality. None for a trajectory, and if there is nothing to judge.
        review: What the readers found, if a model read the subject.
        citations: Whether the sources of a report say what they are cited for, if their texts were given.
        fingerprints: Fingerprints of the findings, in their order (see `assay.audits.fingerprints`).
    """

    subject: Subject
    summary: ReportSummary | TrajectorySummary
    findings: tuple[Finding, ...]
    dimensions: dict[str, tuple[int, ...]]
    unchecked: tuple[Unchecked, ...] = ()
    nothing: Nothing | None = None
    logic: LogicGraph | None = None
    structure: RuleScores | None = None
    fingerprints: tuple[str, ...] = ()
    review: Review | None = None
    citations: CitationCheck | None = None

    def __post_init__(self) -> None:
        freeze(self, "dimensions")
        if len(self.fingerprints) != len(self.findings):
            msgspec.structs.force_setattr(self, "fingerprints", fingerprints(self.subject, self.findings))

    @property
    def counts(self) -> dict[Severity, int]:
        """Number of findings of each severity."""
        numbers: dict[Severity, int] = dict.fromkeys(SEVERITIES, 0)
        for finding in self.findings:
            numbers[finding.severity] += 1
        return numbers

    @property
    def located_findings(self) -> tuple[LocatedFinding, ...]:
        """The findings with the names of the subject and the words they flag."""
        named: dict[str, Any] = {
            "id": self.summary.id,
            "system": self.summary.system,
            "path": self.summary.path,
        }
        return tuple(
            LocatedFinding(**msgspec.structs.asdict(item), **named, excerpt=self._excerpt(item))
            for item in self.findings
        )

    def _excerpt(self, finding: Finding) -> str | None:
        words = self.subject.source[finding.span.start : finding.span.end][:_LONGEST_EXCERPT]
        return " ".join(words.split()) or None

    def summary_line(self) -> str:
        """Return the subject's name and the number of findings of each severity."""
        numbers = ", ".join(
            f"{number} {_PLURALS[key] if number != 1 else key}" for key, number in self.counts.items()
        )
        name = self.summary.id or self.summary.path or "unnamed"
        return f"{name}, {numbers}" if self.nothing is None else f"{name}, nothing to judge"

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each finding."""
        return columns_of([item.to_dict() for item in self.located_findings])

    def _repr_html_(self) -> str:
        rows = sorted(self.located_findings, key=lambda item: SEVERITIES.index(item.severity))
        columns: dict[str, list[Any]] = {
            "severity": [item.severity for item in rows],
            "code": [item.code for item in rows],
            "line": [item.span.line for item in rows],
            "message": [item.message for item in rows],
            "excerpt": [item.excerpt for item in rows],
        }
        return html_table(columns, caption=f"{type(self).__name__}: {self.summary_line()}", total=len(rows))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Audit:
        """Return the audit that `to_dict` wrote; its subject has names and no text.

        Raises:
            InputError: The data are not an audit of this format.
        """
        if data.get("schema") != SCHEMA:
            raise InputError(f"not an audit: the schema is {data.get('schema')!r}, not {SCHEMA!r}")
        try:
            return _restored(data)
        except (KeyError, TypeError, AttributeError, msgspec.ValidationError) as error:
            raise InputError(f"not an audit: {error}") from error

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
                {**_plain(finding), "fingerprint": mark}
                for finding, mark in zip(self.findings, self.fingerprints, strict=True)
            ],
        }
        if self.logic is not None:
            logic = msgspec.to_builtins(self.logic)
            data["logic"] = {"schema": logic.pop("schema"), **logic}
        if is_report:
            data["structure"] = msgspec.to_builtins(self.structure)
        data["dimensions"] = {key: {"findings": list(value)} for key, value in self.dimensions.items()}
        if self.review is not None:
            data["review"] = self.review.to_dict()
        if self.citations is not None:
            data["citations"] = self.citations.to_dict()
        return data


class ReportAudit(Audit, frozen=True):
    """The audit of a report."""

    if TYPE_CHECKING:
        subject: Report
        summary: ReportSummary
        logic: LogicGraph = cast("LogicGraph", None)


class TrajectoryAudit(Audit, frozen=True):
    """The audit of a trajectory."""

    if TYPE_CHECKING:
        subject: Trajectory
        summary: TrajectorySummary


def _plain(finding: Finding) -> dict[str, Any]:
    """Return a finding as plain data; one of a check has no ``reading``."""
    data: dict[str, Any] = msgspec.to_builtins(finding)
    if data["reading"] is None:
        del data["reading"]
    return data


def _citations(data: Mapping[str, Any] | None) -> CitationCheck | None:
    if data is None:
        return None
    from assay.reviews.citations import CitationCheck  # noqa: PLC0415 - few audits have them

    return CitationCheck.from_dict(data)


def _restored(data: Mapping[str, Any]) -> Audit:
    is_report = "report" in data
    summary: Any = msgspec.convert(
        data["report" if is_report else "trajectory"], ReportSummary if is_report else TrajectorySummary
    )
    names = {"path": summary.path, "id": summary.id, "system": summary.system}
    graph, structure = data.get("logic"), data.get("structure")
    kind: Any = ReportAudit if is_report else TrajectoryAudit
    audit: Audit = kind(
        subject=Report("", **names) if is_report else Trajectory("", (), **names),
        summary=summary,
        findings=msgspec.convert(data["findings"], tuple[Finding, ...]),
        dimensions={key: tuple(value["findings"]) for key, value in data["dimensions"].items()},
        unchecked=msgspec.convert(data["unchecked"], tuple[Unchecked, ...]),
        nothing=msgspec.convert(data["reason"], Nothing | None),
        logic=None if graph is None else LogicGraph.from_dict(graph),
        structure=None if structure is None else RuleScores.from_dict(structure),
        fingerprints=tuple(item["fingerprint"] for item in data["findings"]),
        review=None if (review := data.get("review")) is None else Review.from_dict(review),
        citations=_citations(data.get("citations")),
    )
    return audit
