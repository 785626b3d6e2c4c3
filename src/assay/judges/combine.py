"""Combining answers into a judgment: pure arithmetic, independent of how the answers were collected.

Nothing is imputed. A criterion counts if all its answers have a verdict (every chunk, both orders), the overall
score if all criteria count, and a judgment is ``ok`` only if every answer is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, get_args

from assay.judges.judgment import Judgment, Preference, Status, settle_orders, worst_status
from assay.judges.parts import JudgmentPart
from assay.models.base import Usage
from assay.rubrics.rubric import Rubric

_PREFERENCES: Final = get_args(Preference)


def combine_scores(subject: str, judge: str, rubric: Rubric, parts: Sequence[JudgmentPart]) -> Judgment:
    """Return a pointwise judgment. Scores of several units are averaged, each unit counting once."""
    status = worst_status(part.answer.status for part in parts)
    units = {part.unit for part in parts if part.criteria}
    scores: dict[str, float] = {}
    for criterion in rubric.criteria:
        relevant = [part for part in parts if criterion.key in part.criteria]
        numbers = []
        for part in relevant:
            answer = part.answer.values.get(criterion.key)
            number = None if answer is None else rubric.scale_of(criterion).number(answer)
            if number is not None:
                numbers.append(number)
        if relevant and len(numbers) == len(relevant) == len(units):
            scores[criterion.key] = _tidy(sum(numbers) / len(numbers))
    overall = rubric.overall(scores)
    if overall is not None and "overall" not in scores:
        scores["overall"] = _tidy(overall)
    return _judgment(subject, judge, rubric, parts, status, scores=scores or None)


def combine_pair(subject: str, judge: str, rubric: Rubric, parts: Sequence[JudgmentPart]) -> Judgment:
    """Return the judgment of a pair from one or both orders.

    Labels in the parts are as the judge gave them: ``A`` is the subject shown first. If both orders agree, that is
    the preference; if both are ties, or they are opposed, it is ``tie``; if one has no verdict, there is none.
    Scores are margins from -1 (B) to 1 (A), averaged over the orders.
    """
    status = worst_status(part.answer.status for part in parts)
    by_order: dict[str, Preference | None] = {
        part.order: _preference(part.answer.preference, rubric, swapped=part.order == "BA")
        for part in parts
        if part.criteria
    }
    scores: dict[str, float] = {}
    for criterion in rubric.criteria:
        relevant = [part for part in parts if criterion.key in part.criteria]
        margins = [
            (-margin if part.order == "BA" else margin)
            for part in relevant
            if (margin := _margin(part.answer.values.get(criterion.key), rubric)) is not None
        ]
        if relevant and len(margins) == len(relevant):
            scores[criterion.key] = _tidy(sum(margins) / len(margins))
    verdicts = list(by_order.values())
    preference = None if status != "ok" else settle_orders(verdicts)
    return _judgment(
        subject,
        judge,
        rubric,
        parts,
        status,
        scores=scores or None,
        preference=preference,
        by_order={"AB": by_order.get("AB"), "BA": by_order.get("BA")},
    )


def combine_ranking(
    subject: str, judge: str, rubric: Rubric, count: int, parts: Sequence[JudgmentPart]
) -> Judgment:
    """Return a ranking from one or more orders in which the candidates were shown.

    A part's ranking is by candidate, not by position shown. The score of a candidate (keyed by its number from 0) is
    the share of the other candidates that it was placed before; the choice is the candidate strictly ahead of all others, or None.
    """
    status = worst_status(part.answer.status for part in parts)
    scores: dict[str, float] | None = None
    choice: int | None = None
    if status == "ok":
        points = [0.0] * count
        ranked = [part for part in parts if part.criteria]
        for part in ranked:
            for place, candidate in enumerate(part.answer.ranking or ()):
                points[candidate] += count - 1 - place
        most = max(points)
        choice = points.index(most) if points.count(most) == 1 else None
        scale = len(ranked) * (count - 1) or 1
        scores = {str(i): _tidy(value / scale) for i, value in enumerate(points)}
    return _judgment(subject, judge, rubric, parts, status, scores=scores, choice=choice)


def consistency(judgment: Judgment) -> str | None:
    """Return ``consistent``, ``inconsistent`` or ``tie`` for a pair judged in both orders, else None."""
    orders = judgment.by_order or {}
    first, second = orders.get("AB"), orders.get("BA")
    if first is None or second is None:
        return None
    if first == second:
        return "consistent" if first in ("A>B", "A<B") else "tie"
    return "tie" if "A>B" not in (first, second) and "A<B" not in (first, second) else "inconsistent"


def _preference(label: str | None, rubric: Rubric, *, swapped: bool) -> Preference | None:
    if label is None:
        return None
    value = _counts(label, rubric)
    if value is None:
        return None
    if value == 0:
        return next((name for name in _PREFERENCES if name == label), "tie")
    return "A>B" if (value > 0) != swapped else "A<B"


def _margin(answer: float | str | None, rubric: Rubric) -> float | None:
    number = None if answer is None else _counts(answer, rubric)
    return None if number is None else max(-1.0, min(1.0, number))


def _counts(answer: float | str, rubric: Rubric) -> float | None:
    """Return the numeric value of a pair's verdict; an unspecified tie counts 0 if the scale has several kinds of ties."""
    number = rubric.pair_scale.number(answer)
    if number is None and answer == "tie" and any(item.value == 0 for item in rubric.pair_scale.choices):
        return 0.0
    return number


def _judgment(
    subject: str,
    judge: str,
    rubric: Rubric,
    parts: Sequence[JudgmentPart],
    status: Status,
    *,
    scores: dict[str, float] | None = None,
    preference: Preference | None = None,
    by_order: dict[str, Preference | None] | None = None,
    choice: int | None = None,
) -> Judgment:
    return Judgment(
        subject=subject,
        judge=judge,
        rubric=rubric.name,
        scores=scores,
        preference=preference,
        by_order=by_order,
        choice=choice,
        status=status,
        rationale=_rationale(parts),
        quotes=tuple(quote for part in parts for quote in part.quotes),
        usage=sum((part.answer.usage for part in parts), Usage()),
    )


def _rationale(parts: Sequence[JudgmentPart]) -> str:
    """Return the reasons of all parts, labelled if there are several, with problems."""
    lines = []
    criteria = {part.criteria for part in parts}
    for part in parts:
        text = part.answer.rationale.strip()
        if part.answer.problem:
            text = f"{text}\n(no verdict: {part.answer.problem})".strip()
        if not text:
            continue
        names = [part.unit, part.order if len(parts) > 1 else ""]
        if len(criteria) > 1:
            names.append(", ".join(part.criteria))
        label = " ".join(name for name in names if name)
        lines.append(f"[{label}] {text}" if label else text)
    return "\n".join(lines)


def _tidy(number: float) -> float:
    return round(number, 6)
