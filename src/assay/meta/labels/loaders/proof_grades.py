"""Grades of proofs: IMO-GradingBench, and Putnam solutions graded by components (cot-judges, section 3).

    {"Grading ID", "Problem ID", "Problem", "Solution", "Response", "Points": 0…7, "Reward": "Almost"}       IMO
    {"problem_id", "problem", "solution", "components": {"…": number}, "total"}                              Putnam

Assumed: field names in any case, with blanks, dashes or underscores. ``Response`` was graded and ``Solution`` is the
reference; without ``Response``, ``Solution`` was graded. Points are kept as they are (IMO-GradingBench has 0, 1, 6 and
7); without points, the word of the grade is the verdict. Components (a table under ``components``,
``component_grades``, ``grades`` or ``rubric_scores``) are scores by dimension, and the total is the score ``overall``.
"""

from __future__ import annotations

from typing import Final

from assay.errors import InputError
from assay.meta.labels.loaders._cells import first, folded, short, speech, text_of
from assay.meta.labels.loaders.base import ConvertedRow, LabelledText, LabelLoader, Row, RowContext
from assay.meta.labels.record import Label, number_of, verdict_of

_PARTS: Final = ("components", "component_grades", "grades", "rubric_scores", "component_scores")
_POINTS: Final = ("points", "human_score", "total", "total_score", "score")
_WORDS: Final = ("reward", "grade", "label")
_ANSWERS: Final = ("response", "model_solution", "model_response", "student_solution", "proof", "solution")


def _sniff(row: Row) -> bool:
    names = folded(row)
    problem = "problem" in names or "problem_id" in names
    answer = any(name in names for name in _ANSWERS)
    return problem and answer and any(name in names for name in (*_PARTS, *_POINTS, "reward", "grade"))


def _load(row: Row, context: RowContext) -> ConvertedRow:
    named = folded(row)
    problem = short(first(named, "problem_id", "problem_name"))
    name = short(first(named, "grading_id", "response_id", "solution_id", "id")) or context.id
    rater = short(first(named, "rater", "grader", "annotator", "grader_id")) or context.rater
    strata = {
        key: value
        for key in ("problem_source", "source", "category", "level", "domain", "model", "year")
        if (value := short(named.get(key)))
    }
    points, words = first(named, *_POINTS), first(named, *_WORDS)
    parts = next((named[key] for key in _PARTS if isinstance(named.get(key), dict)), None)
    scores = score = verdict = None
    if parts is not None:
        scores = {
            str(key): number_of(value, f"component {key}", context.where) for key, value in parts.items()
        }
        if points is not None:
            scores["overall"] = number_of(points, "points", context.where)
    elif points is not None:
        score = number_of(points, "points", context.where)
    elif words is not None:
        verdict = verdict_of(words, context.where)
    if scores is None and score is None and verdict is None:
        raise InputError("has no points, components or grade", where=context.where)
    label = Label(
        subject=name,
        rater=rater,
        scores=scores,
        score=score,
        verdict=verdict,
        task=problem or name,
        strata=strata,
    )
    answer = first(named, *_ANSWERS)
    if answer is None:
        return ConvertedRow((label,))
    question = first(named, "problem", "question")
    text = LabelledText(
        name=name,
        id=name,
        report=text_of(answer, "response", context.where),
        query=None if question is None else speech(question, "problem", context.where),
    )
    return ConvertedRow((label,), (text,))


LOADER = LabelLoader(
    name="proof-grades",
    what="grades of proofs: IMO-GradingBench (Problem ID, Response, Points), Putnam with components",
    sniff=_sniff,
    load=_load,
    rank=40,
)
