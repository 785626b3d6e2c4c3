"""From a judgment by weighted criteria to a grade (ResearchRubrics, sections 3.3 and 3.4).

The criteria are judged as by any rubric; here every verdict is put beside its criterion, with its reasons and evidence,
and the score comes of the weights. A criterion without a verdict stays without one: it is never "not met".
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

    from assay.judges.judge import JudgeResult
    from assay.judges.parts import JudgmentPart
    from assay.rubrics.rubric import Criterion, Rubric
    from assay.rubrics.scale import Scale
    from assay.rubrics.tasks import RubricTask
    from assay.subjects.report import Report

_MARKS: Final = frozenset((0.0, 0.5, 1.0))
_SEVERITIES: Final = ("error", "warning")


def gradable(rubric: Rubric, grading: Grading = "ternary") -> Rubric:
    """The rubric as it is asked under a grading: `binary` puts the scale of two in the place of the one of three.

    Raises:
        UsageError: It is not answered with marks of 0, ½ and 1.
    """
    for criterion in rubric.criteria:
        scale = rubric.scale_of(criterion)
        if not _marks(scale) <= _MARKS:
            raise UsageError(
                f"rubric {rubric.name!r} is answered with {scale.sentence()} ({criterion.key}); a grade is made of criteria"
                " that are met, partially met or not met (scale: ternary); for others there is `assay judge`"
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
    """How a rubric grades: whether any criterion can be met by half."""
    return "ternary" if any(_is_ternary(rubric.scale_of(item)) for item in rubric.criteria) else "binary"


def _marks(scale: Scale) -> set[float | None]:
    return {choice.value for choice in scale.choices} if scale.choices else {None}


def _is_ternary(scale: Scale | None) -> bool:
    return scale is not None and 0.5 in _marks(scale)


def grade_of(
    outcome: JudgeResult,
    report: Report,
    rubric: Rubric,
    *,
    judge_version: str = "",
    grading: Grading | None = None,
    task: RubricTask | None = None,
) -> Grade:
    """The grade a judgment gives.

    Args:
        outcome: The judgment and its answers.
        report: What was judged.
        rubric: By which criteria.
        judge_version: Of the judge.
        grading: As it was asked; by the rubric's scale where None.
        task: What the report answers, where that is known.
    """
    criteria = tuple(_criterion(item, rubric, outcome.parts) for item in rubric.criteria)
    judgment = outcome.judgment
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
    told = {
        "key": criterion.key,
        "criterion": criterion.asks,
        "weight": criterion.weight,
        "axis": axis_of(criterion) or None,
        "mandatory": is_mandatory(criterion),
    }
    if part is None:
        return CriterionGrade(**told, status="unparsed", reasoning="it was not asked")  # type: ignore[arg-type]
    answer = part.answer
    detail = answer.details.get(criterion.key)
    if detail is None:
        # A strategy that says nothing on single criteria; what it says is of this one where it was asked alone.
        alone = len(part.criteria) == 1
        detail = Detail(rationale=answer.rationale if alone else "", quotes=answer.quotes if alone else ())
    found = answer.values.get(criterion.key)
    score = None if found is None else rubric.scale_of(criterion).number(found)
    # Quotes of the answer stand in what was shown; those of the part, in the report.
    places = {quote.text: quote for quote in part.quotes}
    quotes = dict.fromkeys(places.get(item.text, Quote(item.text, None, None)) for item in detail.quotes)
    status: Status = "ok"
    reasoning = detail.rationale
    if found is None:
        # That some other criterion of the same call was answered does not make this one answered.
        status = answer.status if answer.status != "ok" else "unparsed"
        reasoning = detail.rationale or answer.problem or ""
    return CriterionGrade(
        **told,  # type: ignore[arg-type]
        status=status,
        verdict=None if found is None else str(found),
        score=score,
        confidence=detail.confidence if found is not None else None,
        reasoning=reasoning,
        quotes=tuple(quotes),
        missing=detail.missing,
    )


def _scored(grade: Grade) -> Grade:
    """The grade with what follows from its criteria."""
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
    """The grade under binary grading, from the ternary verdicts: partially met is not met (section 4.1)."""
    if grade.grading == "binary":
        return grade
    unmet = next((item.verdict for item in grade.criteria if item.score == 0), None) or "not met"
    criteria = tuple(
        msgspec.structs.replace(item, score=binary(item.score), verdict=unmet) if item.score == 0.5 else item
        for item in grade.criteria
    )
    return _scored(msgspec.structs.replace(grade, grading="binary", criteria=criteria))


def mandatory_share(grade: Grade) -> tuple[int, int, int]:
    """Of the mandatory criteria: satisfied, with a verdict, all. A negative one is satisfied where it is not met."""
    asked = [item for item in grade.criteria if item.mandatory]
    graded = [item for item in asked if item.score is not None]
    good = sum(item.score == 1 if item.weight > 0 else item.score == 0 for item in graded)
    return good, len(graded), len(asked)


def graded_together(grades: Sequence[Grade]) -> Grade:
    """Several trials as one grade: on each criterion the verdict most of them give.

    Where two verdicts are equally frequent there is none. Reasons, quotes and what is missing are those of the first
    trial with that verdict; the confidence is the mean over all trials with it.
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
    """Citation marks, the sources they name, and the marks that the citation checks find fault with."""
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
