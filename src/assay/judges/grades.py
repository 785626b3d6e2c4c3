"""Grades: judgments by weighted criteria, and what is known of the reports (ResearchRubrics, sections 3.3 and 3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from assay.checks.base import Context
from assay.checks.registry import all_checks
from assay.checks.runner import run_checks
from assay.errors import UsageError
from assay.judges.compliance import Grading, compliance_of
from assay.judges.judgment import Judgment, worst_status
from assay.models.tokens import estimate_tokens
from assay.rubrics.scales import load_scale
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.rubrics.rubric import Rubric
    from assay.rubrics.scale import Scale
    from assay.rubrics.tasks import RubricTask

_MARKS: Final = frozenset((0.0, 0.5, 1.0))
_SEVERITIES: Final = ("error", "warning")


def gradable(rubric: Rubric, grading: Grading = "ternary") -> Rubric:
    """Return the rubric as it is asked under a grading: `binary` replaces the scale of three by the scale of two.

    Raises:
        UsageError: Its scale has other marks than 0, ½ and 1.
    """
    for criterion in rubric.criteria:
        scale = rubric.scale_of(criterion)
        if not _marks(scale) <= _MARKS:
            raise UsageError(
                f"criterion {criterion.key} of rubric {rubric.name!r} is answered with {scale.sentence()}; grades need"
                " criteria that are met, partially met or not met (scale: ternary)",
                hint="Judge.score takes other scales",
                cli_hint="use `assay judge` for others",
            )
    if grading == "ternary":
        return rubric
    three, two = load_scale("ternary"), load_scale("binary")
    own = tuple(
        msgspec.structs.replace(item, scale=None if _is_ternary(item.scale) else item.scale)
        for item in rubric.criteria
    )
    scale = two if rubric.scale == three or _is_ternary(rubric.scale) else rubric.scale
    return msgspec.structs.replace(rubric, criteria=own, scale=scale)


def grading_of(rubric: Rubric) -> Grading:
    """Return the grading of a rubric: ternary if any criterion allows half marks."""
    return "ternary" if any(_is_ternary(rubric.scale_of(item)) for item in rubric.criteria) else "binary"


def _marks(scale: Scale) -> set[float | None]:
    return {choice.value for choice in scale.choices} if scale.choices else {None}


def _is_ternary(scale: Scale | None) -> bool:
    return scale is not None and 0.5 in _marks(scale)


def graded(
    judgment: Judgment,
    report: Report,
    rubric: Rubric,
    *,
    task: RubricTask | None = None,
    domain: str | None = None,
) -> Judgment:
    """Return a judgment by weighted criteria with its compliance as overall score, and what is known of its report.

    Args:
        judgment: The judgment; of repetitions, one that combines them.
        report: The report.
        rubric: The rubric.
        task: Task that the report answers, if known.
        domain: Domain of the task, if the task does not say it.
    """
    known = {
        "id": task.id if task is not None else report.id,
        "system": report.system,
        "grading": grading_of(rubric),
        "domain": (task.domain if task is not None else None) or domain,
        "complexity": _complexity(task),
        "words": report.words,
        "tokens": estimate_tokens(report.source),
        "citations": citations_of(report),
    }
    metadata = {
        **judgment.metadata,
        **{name: value for name, value in known.items() if value not in (None, {})},
    }
    judgment = replace(judgment, rubric=judgment.rubric or rubric.name, metadata=metadata)
    scores = {item.criterion: item.score for item in judgment.verdicts if item.score is not None}
    overall = compliance_of(judgment)
    if overall is not None:
        scores["overall"] = round(overall, 6)
    status = worst_status(item.status for item in judgment.verdicts)
    return replace(judgment, scores=scores or None, status=status)


def _complexity(task: RubricTask | None) -> dict[str, str]:
    if task is None:
        return {}
    levels: Mapping[str, str | None] = msgspec.to_builtins(task.complexity)
    return {axis: level for axis, level in levels.items() if level}


def load_citation_checks() -> None:
    """Load what `graded` needs of the checks: later it would hold up replies that arrive."""
    citations_of(Report("A claim [1].\n\n## References\n\n[1] A source, https://source.example\n"))


def citations_of(report: Report) -> dict[str, int]:
    """Return the number of citation marks, of their sources, and of marks with a finding of the citation checks."""
    marks = report.citations
    sources = {
        (key if reference is None else reference)
        for mark in marks
        for key, reference in zip(mark.keys, mark.references, strict=True)
    }
    chosen = [check for check in all_checks().values() if check.default and check.code.startswith("CIT")]
    findings = [item for item in run_checks(report, chosen, Context()) if item.severity in _SEVERITIES]
    faulty = sum(
        any(item.span.start < mark.span.end and mark.span.start < item.span.end for item in findings)
        for mark in marks
    )
    return {"marks": len(marks), "sources": len(sources), "faulty": faulty}
