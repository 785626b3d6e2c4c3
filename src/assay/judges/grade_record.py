"""The grade of a report by weighted criteria: the record ``assay.grade/1`` (ResearchRubrics, section 3)."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from assay.judges.judgment import Quote, Status
from assay.models.base import Usage

SCHEMA: Final = "assay.grade/1"
Grading = Literal["ternary", "binary"]


class CriterionGrade(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one criterion.

    Attributes:
        key: Key of the criterion.
        criterion: Text of the criterion.
        weight: -5 to 5, not 0; negative if meeting the criterion is bad.
        axis: Axis of the criterion, if the rubric names one.
        mandatory: Whether an answer that misses it fails: |weight| >= 4 unless the rubric says otherwise.
        status: "ok" if there is a verdict.
        verdict: Label of the scale ("met", "partially met", "not met"); None without a verdict.
        score: 1, 0.5 or 0; None without a verdict.
        confidence: The judge's stated confidence, 0 to 1.
        reasoning: Reasons.
        quotes: Passages that the verdict rests on, located in the report.
        missing: What the report lacks to meet the criterion.
    """

    key: str
    criterion: str
    weight: float
    axis: str | None = None
    mandatory: bool = False
    status: Status = "ok"
    verdict: str | None = None
    score: float | None = None
    confidence: float | None = None
    reasoning: str = ""
    quotes: tuple[Quote, ...] = ()
    missing: tuple[str, ...] = ()


class Grade(msgspec.Struct, frozen=True, kw_only=True):
    """The grade of a report.

    Attributes:
        report: Name of the report: path or id.
        id: Task that it answers.
        system: System that wrote it.
        judge: ``STRATEGY@MODEL``.
        judge_version: Hash of the judge.
        rubric: Name of the rubric.
        grading: Whether half marks were possible.
        domain: Domain of the task.
        complexity: Complexity of the task by axis: ``conceptual_breadth``, ``logical_nesting``, ``exploration``.
        words: Words of the report.
        tokens: Estimated tokens of the report.
        citations: Number of ``marks`` in the report, of ``sources`` they name, and of ``faulty`` marks: those with
            a finding of the citation checks, as far as these work without the sources' texts.
        criteria: Verdict on each criterion.
        compliance: Σ w·m / Σ w⁺; None unless every criterion has a verdict.
        compliance_graded: The same over the criteria with a verdict; None if no positive one has any.
        status: Worst status of its criteria.
        usage: Usage of all calls.
    """

    report: str
    id: str | None = None
    system: str | None = None
    judge: str = ""
    judge_version: str = ""
    rubric: str = ""
    grading: Grading = "ternary"
    domain: str | None = None
    complexity: dict[str, str] = {}
    words: int = 0
    tokens: int = 0
    citations: dict[str, int] = {}
    criteria: tuple[CriterionGrade, ...] = ()
    compliance: float | None = None
    compliance_graded: float | None = None
    status: Status = "ok"
    usage: Usage = Usage()
    schema: str = SCHEMA

    def to_dict(self) -> dict[str, Any]:
        """Return the grade as plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}
