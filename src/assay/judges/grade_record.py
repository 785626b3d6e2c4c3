"""A report graded by weighted criteria: the record ``assay.grade/1`` (ResearchRubrics, section 3)."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from assay.judges.judgment import Quote, Status
from assay.models.base import Usage

SCHEMA: Final = "assay.grade/1"
Grading = Literal["ternary", "binary"]


class CriterionGrade(msgspec.Struct, frozen=True, kw_only=True):
    """What was found on one criterion.

    Attributes:
        key: Of the criterion.
        criterion: Its text.
        weight: -5 to 5, not 0; negative where meeting it is bad.
        axis: Which of the axes it belongs to, where the rubric says.
        mandatory: Whether it is of those without which an answer fails, |weight| >= 4 unless the rubric says otherwise.
        status: "ok" where there is a verdict.
        verdict: Label of the scale: "met", "partially met", "not met"; None without a verdict.
        score: 1, 0.5 or 0; None without a verdict.
        confidence: How sure the judge says it is, 0 to 1.
        reasoning: Why.
        quotes: Passages it rests on, located in the report.
        missing: What it would take.
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
    """A report graded.

    Attributes:
        report: Its name: path or id.
        id: The task it answers.
        system: Who wrote it.
        judge: ``STRATEGY@MODEL``.
        judge_version: Hash of all the judge is.
        rubric: Name of the rubric.
        grading: Whether half marks were given.
        domain: Of the task.
        complexity: Of the task, by axis: ``conceptual_breadth``, ``logical_nesting``, ``exploration``.
        words: Of the report.
        tokens: Of the report, estimated.
        citations: ``marks`` in the report, ``sources`` they name, and ``faulty`` marks: those the citation checks find fault
            with, as far as that shows without the sources' texts.
        criteria: What was found on each.
        compliance: Σ w·m / Σ w⁺; None unless every criterion has a verdict.
        compliance_graded: The same over the criteria that have a verdict; None where no positive one has.
        status: The worst of its criteria.
        usage: Of all calls.
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
        """As plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}
