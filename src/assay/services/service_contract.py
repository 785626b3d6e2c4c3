"""What `assay serve` takes and returns, and its OpenAPI document.

The documents of the answers name the fields that programs rely on; the answers themselves are the contracts
``assay.audit/2`` and ``assay.judgment/2`` in full.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay._version import __version__

LONGEST: Final = 2_000_000


class TextRequest(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A report and the question that it answers.

    Attributes:
        report: The report, as Markdown.
        question: The question that it answers.
        id: Its name in the answer.
    """

    report: str
    question: str | None = None
    id: str | None = None


class AuditRequest(TextRequest, kw_only=True, forbid_unknown_fields=True):
    """A report to audit.

    Attributes:
        checks: Codes, families or names of checks; by default all that are on.
        language: Language of the messages; by default that of the report.
        review: Whether the model of the server reads it too. It must have one.
    """

    checks: list[str] | None = None
    language: str | None = None
    review: bool = False


class JudgeRequest(TextRequest, kw_only=True, forbid_unknown_fields=True):
    """A report to judge by itself.

    Attributes:
        judge: Name of one of the server's judges; by default its first.
        rubric: Name of a built-in rubric; by default what fits the subject.
        reference: Reference answer, for strategies that compare with one.
    """

    judge: str | None = None
    rubric: str | None = None
    reference: str | None = None


class CompareRequest(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Two reports on one question.

    Attributes:
        a: A report.
        b: Another one.
        question: The question that both answer.
        judge: Name of one of the server's judges; by default its first.
        rubric: Name of a built-in rubric; by default what fits the subjects.
    """

    a: str
    b: str
    question: str | None = None
    judge: str | None = None
    rubric: str | None = None


class WeightedText(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A criterion: what it asks, and its weight, negative if meeting it is bad."""

    text: str
    weight: float = 1.0


class GradeRequest(TextRequest, kw_only=True, forbid_unknown_fields=True):
    """A report to grade by criteria of its own.

    Attributes:
        criteria: The criteria, at least one.
        judge: Name of one of the server's judges; by default its first.
    """

    criteria: list[WeightedText]
    judge: str | None = None


class FoundPlace(msgspec.Struct, kw_only=True):
    """Where a finding is: offsets in code points from 0, line and column from 1."""

    start: int
    end: int
    line: int
    column: int


class FoundFault(msgspec.Struct, kw_only=True):
    """A finding of an audit."""

    code: str
    name: str
    severity: str
    dimension: str | None
    message: str
    span: FoundPlace
    confidence: float
    fingerprint: str


class AuditAnswer(msgspec.Struct, kw_only=True):
    """An audit, the contract ``assay.audit/2``; it has more fields than are named here."""

    schema: str
    status: str
    counts: dict[str, Any]
    findings: list[FoundFault]


class CriterionAnswer(msgspec.Struct, kw_only=True):
    """The verdict on one criterion."""

    criterion: str
    status: str = "ok"
    verdict: str | float | None = None
    score: float | None = None
    reasoning: str = ""


class JudgmentAnswer(msgspec.Struct, kw_only=True):
    """A judgment, the contract ``assay.judgment/2``; it has more fields than are named here."""

    schema: str
    judge: str
    status: str
    scores: dict[str, float] | None = None
    preference: str | None = None
    rationale: str = ""
    problem: str | None = None
    verdicts: list[CriterionAnswer] = []


class HealthAnswer(msgspec.Struct, kw_only=True):
    """Whether the server works, its version, its judges, and what waits."""

    status: str
    version: str
    judges: list[str]
    waiting: int


class ErrorAnswer(msgspec.Struct, kw_only=True):
    """What was wrong, and what to do."""

    error: str


class ServicePath(msgspec.Struct, frozen=True):
    """A path of the service."""

    path: str
    name: str
    takes: type[msgspec.Struct]
    returns: type[msgspec.Struct]
    about: str


ENDPOINTS: Final = (
    ServicePath(
        "/v1/audit", "audit", AuditRequest, AuditAnswer, "Find where the reasoning of a report breaks."
    ),
    ServicePath("/v1/judge", "judge", JudgeRequest, JudgmentAnswer, "Judge a report by itself."),
    ServicePath(
        "/v1/compare", "compare", CompareRequest, JudgmentAnswer, "Say which of two reports is better."
    ),
    ServicePath("/v1/grade", "grade", GradeRequest, JudgmentAnswer, "Grade a report by weighted criteria."),
)
_FAULTS: Final = {
    "400": "The request is not what is taken here.",
    "401": "A token is needed.",
    "402": "The budget of the server is used up.",
    "413": "The request is too large.",
    "415": "The request is not JSON.",
    "502": "The model could not be asked.",
    "503": "Too much waits; `Retry-After` says when to come again.",
}


def openapi() -> dict[str, Any]:
    """Return the document of the service, OpenAPI 3.1."""
    kinds = {kind for item in ENDPOINTS for kind in (item.takes, item.returns)} | {HealthAnswer, ErrorAnswer}
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    refs, components = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    ref_of = dict(zip(ordered, refs, strict=True))

    def content(kind: type[msgspec.Struct]) -> dict[str, Any]:
        return {"application/json": {"schema": ref_of[kind]}}

    faults = {
        status: {"description": text, "content": content(ErrorAnswer)} for status, text in _FAULTS.items()
    }
    paths: dict[str, Any] = {
        item.path: {
            "post": {
                "operationId": item.name,
                "summary": item.about,
                "tags": ["assay"],
                "requestBody": {"required": True, "content": content(item.takes)},
                "responses": {"200": {"description": "Done.", "content": content(item.returns)}, **faults},
            }
        }
        for item in ENDPOINTS
    }
    paths["/health"] = {
        "get": {
            "operationId": "health",
            "summary": "Say whether the server works.",
            "tags": ["assay"],
            "security": [],
            "responses": {"200": {"description": "It works.", "content": content(HealthAnswer)}},
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Assay", "version": __version__, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }
