"""From a judgment by weighted criteria to a grade (ResearchRubrics, sections 3.3 and 3.4).

Every verdict is put beside its criterion, with reasons and evidence, and the score follows from the weights. A
criterion without a verdict stays without one: it never counts as "not met".
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from assay.checks.base import Context
from assay.checks.registry import all_checks
from assay.checks.runner import run_checks
from assay.errors import UsageError
from assay.judges.grade_record import CriterionGrade, Grade, Grading
from assay.judges.identity import name_of
from assay.judges.judgment import Quote, worst_status
from assay.judges.repetitions import majority
from assay.models.base import Usage
from assay.models.tokens import estimate_tokens
from assay.rubrics.scales import load_scale
from assay.rubrics.weighted import axis_of, binary, compliance, is_mandatory
from assay.strategies.base import Detail, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.judges.model_judge import JudgeResult
    from assay.judges.parts import JudgmentPart
    from assay.rubrics.rubric import Criterion, Rubric
    from assay.rubrics.scale import Scale
    from assay.rubrics.tasks import RubricTask
    from assay.subjects.report import Report

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
                " criteria that are met, partially met or not met (scale: ternary); use `assay judge` for others"
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


def grade_of(
    result: JudgeResult,
    report: Report,
    rubric: Rubric,
    *,
    judge_version: str = "",
    grading: Grading | None = None,
    task: RubricTask | None = None,
) -> Grade:
    """Return the grade that follows from a judgment.

    Args:
        result: The judgment and its answers.
        report: The report.
        rubric: The rubric.
        judge_version: Version of the judge.
        grading: Grading as it was asked; by default according to the rubric's scale.
        task: Task that the report answers, if known.
    """
    criteria = tuple(_criterion(item, rubric, result.parts) for item in rubric.criteria)
    judgment = result.judgment
    return _scored(
        Grade(
            report=name_of(report),
            id=task.id if task is not None else report.id,
            system=report.system,
            judge=judgment.judge,
            judge_version=judge_version,
            rubric=judgment.rubric or rubric.name,
            grading=grading or grading_of(rubric),
            domain=(task.domain or None) if task is not None else None,
            complexity=_complexity(task),
            words=report.words,
            tokens=estimate_tokens(report.source),
            citations=citations_of(report),
            criteria=criteria,
            usage=judgment.usage,
        )
    )


def _complexity(task: RubricTask | None) -> dict[str, str]:
    if task is None:
        return {}
    levels: Mapping[str, str | None] = msgspec.to_builtins(task.complexity)
    return {axis: level for axis, level in levels.items() if level}


def _criterion(criterion: Criterion, rubric: Rubric, parts: Sequence[JudgmentPart]) -> CriterionGrade:
    part = next((item for item in parts if criterion.key in item.criteria), None)
    fields = {
        "key": criterion.key,
        "criterion": criterion.asks,
        "weight": criterion.weight,
        "axis": axis_of(criterion) or None,
        "mandatory": is_mandatory(criterion),
    }
    if part is None:
        return CriterionGrade(**fields, status="unparsed", reasoning="it was not asked")  # type: ignore[arg-type]
    answer = part.answer
    detail = answer.details.get(criterion.key)
    if detail is None:
        # Strategies without details per criterion: the answer is about this criterion if it was asked alone.
        alone = len(part.criteria) == 1
        detail = Detail(rationale=answer.rationale if alone else "", quotes=answer.quotes if alone else ())
    verdict = answer.values.get(criterion.key)
    score = None if verdict is None else rubric.scale_of(criterion).number(verdict)
    # The answer's quotes refer to the text shown, those of the part to the report.
    places = {quote.text: quote for quote in part.quotes}
    quotes = dict.fromkeys(places.get(item.text, Quote(item.text, None, None)) for item in detail.quotes)
    status: Status = "ok"
    reasoning = detail.rationale
    if verdict is None:
        # Other criteria of the same call may have been answered.
        status = answer.status if answer.status != "ok" else "unparsed"
        reasoning = detail.rationale or answer.problem or ""
    return CriterionGrade(
        **fields,  # type: ignore[arg-type]
        status=status,
        verdict=None if verdict is None else str(verdict),
        score=score,
        confidence=detail.confidence if verdict is not None else None,
        reasoning=reasoning,
        quotes=tuple(quotes),
        missing=detail.missing,
    )


def _scored(grade: Grade) -> Grade:
    """Return the grade with what follows from its criteria."""
    graded = [item for item in grade.criteria if item.score is not None]
    return msgspec.structs.replace(
        grade,
        compliance=_compliance(grade.criteria),
        compliance_graded=_compliance(graded),
        status=worst_status(item.status for item in grade.criteria),
    )


def _compliance(criteria: Sequence[CriterionGrade]) -> float | None:
    value = compliance([item.weight for item in criteria], [item.score for item in criteria])
    return None if value is None else round(value, 6)


def collapse(grade: Grade) -> Grade:
    """Return the grade under binary grading, from ternary verdicts: partially met is not met (section 4.1)."""
    if grade.grading == "binary":
        return grade
    unmet = next((item.verdict for item in grade.criteria if item.score == 0), None) or "not met"
    criteria = tuple(
        msgspec.structs.replace(item, score=binary(item.score), verdict=unmet) if item.score == 0.5 else item
        for item in grade.criteria
    )
    return _scored(msgspec.structs.replace(grade, grading="binary", criteria=criteria))


def mandatory_share(grade: Grade) -> tuple[int, int, int]:
    """Return three numbers of mandatory criteria: those satisfied, those with a verdict, and all.

    A negative criterion is satisfied if it is not met.
    """
    mandatory = [item for item in grade.criteria if item.mandatory]
    graded = [item for item in mandatory if item.score is not None]
    good = sum(item.score == 1 if item.weight > 0 else item.score == 0 for item in graded)
    return good, len(graded), len(mandatory)


def graded_together(grades: Sequence[Grade]) -> Grade:
    """Return several repetitions as one grade: on each criterion the most frequent verdict.

    If two verdicts are equally frequent there is none. Reasons, quotes and what is missing come from the first
    repetition with that verdict; the confidence is the mean over all repetitions with it.
    """
    first = grades[0]
    if len(grades) == 1:
        return first
    columns = zip(*(grade.criteria for grade in grades), strict=True)
    criteria = tuple(_most(column) for column in columns)
    usage = sum((grade.usage for grade in grades), Usage())
    return _scored(msgspec.structs.replace(first, criteria=criteria, usage=usage))


def _most(votes: Sequence[CriterionGrade]) -> CriterionGrade:
    verdict = majority([vote.verdict for vote in votes])
    first = votes[0]
    if verdict is None:
        given = [vote.verdict for vote in votes if vote.verdict is not None]
        counts = ", ".join(f"{given.count(label)} {label}" for label in dict.fromkeys(given))
        why = f"no majority: {counts}" if given else first.reasoning
        status = worst_status(vote.status for vote in votes)
        return msgspec.structs.replace(
            first,
            status="unparsed" if status == "ok" else status,
            verdict=None,
            score=None,
            confidence=None,
            reasoning=why,
            quotes=(),
            missing=(),
        )
    agreeing = [vote for vote in votes if vote.verdict == verdict]
    sure = [vote.confidence for vote in agreeing if vote.confidence is not None]
    return msgspec.structs.replace(agreeing[0], confidence=round(statistics.fmean(sure), 6) if sure else None)


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
