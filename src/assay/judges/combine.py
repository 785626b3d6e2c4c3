"""Combining answers into a judgment: pure arithmetic, independent of how the answers were collected.

Nothing is imputed. A criterion counts if all its answers have a verdict on it (every chunk, both orders), the overall
score if all criteria count, and a judgment is ``ok`` only if every answer is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, get_args

from assay.judges.judgment import Judgment, Preference, settle_orders, worst_status
from assay.judges.parts import JudgmentPart
from assay.judges.verdicts import (
    notes_of,
    pair_number,
    pair_verdicts,
    problem_of,
    ranking_verdicts,
    score_verdicts,
)
from assay.models.base import Usage
from assay.rubrics.rubric import Rubric

_PREFERENCES: Final = get_args(Preference)
# What `_rationale` puts before the reasons of an answer.
_SECTION: Final = re.compile(r"^\[((?:(?:chunk|step):\d+|AB|BA|forward|reverse)[^\]\n]*)\] ", re.MULTILINE)


def combine_scores(subject: str, judge: str, rubric: Rubric, parts: Sequence[JudgmentPart]) -> Judgment:
    """Return a pointwise judgment. Scores of several units are averaged, each unit counting once."""
    verdicts = score_verdicts(rubric, parts)
    numbers: dict[str, list[float | None]] = {}
    for verdict in verdicts:
        numbers.setdefault(verdict.criterion, []).append(verdict.score)
    scores = {
        key: _tidy(sum(known) / len(known))
        for key, values in numbers.items()
        if len(known := [value for value in values if value is not None]) == len(values)
    }
    overall = rubric.overall(scores)
    if overall is not None and "overall" not in scores:
        scores["overall"] = _tidy(overall)
    return _judgment(subject, judge, rubric, parts, mode="score", scores=scores or None, verdicts=verdicts)


def combine_pair(subject: str, judge: str, rubric: Rubric, parts: Sequence[JudgmentPart]) -> Judgment:
    """Return the judgment of a pair from one or both orders.

    Labels in the parts are as the judge gave them: ``A`` is the subject shown first. If both orders agree, that is
    the preference; if both are ties, or they are opposed, it is ``tie``; if one has no verdict, there is none.
    Scores are margins from -1 (B) to 1 (A), averaged over the orders.
    """
    by_order: dict[str, Preference | None] = {
        part.order: _preference(part.answer.preference, rubric, swapped=part.order == "BA")
        for part in parts
        if part.criteria
    }
    verdicts = pair_verdicts(rubric, parts)
    scores = {item.criterion: item.score for item in verdicts if item.score is not None}
    whole = all(part.answer.status == "ok" for part in parts)
    return _judgment(
        subject,
        judge,
        rubric,
        parts,
        mode="compare",
        scores=scores or None,
        preference=settle_orders(list(by_order.values())) if whole else None,
        by_order={"AB": by_order.get("AB"), "BA": by_order.get("BA")},
        verdicts=verdicts,
    )


def combine_ranking(
    subject: str, judge: str, rubric: Rubric, count: int, parts: Sequence[JudgmentPart]
) -> Judgment:
    """Return a ranking from one or more orders in which the candidates were shown.

    A part's ranking is by candidate, not by position shown. The score of a candidate (keyed by its number from 0) is
    the share of the other candidates that it was placed before; the choice is the candidate strictly ahead of all others, or None.
    """
    scores: dict[str, float] | None = None
    choice: int | None = None
    if all(part.answer.status == "ok" for part in parts):
        points = [0.0] * count
        ranked = [part for part in parts if part.criteria]
        for part in ranked:
            for place, candidate in enumerate(part.answer.ranking or ()):
                points[candidate] += count - 1 - place
        most = max(points)
        choice = points.index(most) if points.count(most) == 1 else None
        scale = len(ranked) * (count - 1) or 1
        scores = {str(i): _tidy(value / scale) for i, value in enumerate(points)}
    return _judgment(
        subject,
        judge,
        rubric,
        parts,
        mode="rank",
        scores=scores,
        choice=choice,
        verdicts=ranking_verdicts(parts),
    )


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
    value = pair_number(label, rubric.pair_scale)
    if value is None:
        return None
    if value == 0:
        return next((name for name in _PREFERENCES if name == label), "tie")
    return "A>B" if (value > 0) != swapped else "A<B"


def _judgment(
    subject: str,
    judge: str,
    rubric: Rubric,
    parts: Sequence[JudgmentPart],
    **verdict: Any,
) -> Judgment:
    return Judgment(
        subject=subject,
        judge=judge,
        rubric=rubric.name,
        status=worst_status(part.answer.status for part in parts),
        problem=problem_of(parts),
        rationale=_rationale(parts),
        quotes=tuple(quote for part in parts for quote in part.quotes),
        usage=sum((part.answer.usage for part in parts), Usage()),
        notes=notes_of(parts),
        **verdict,
    )


def sections_of(rationale: str) -> list[tuple[str, str]]:
    """Return the reasons of each answer in a rationale, with unit, order and criteria if there are several."""
    pieces = _SECTION.split(rationale.strip())
    begun = [("", pieces[0].strip())] if pieces[0].strip() else []
    return begun + [(label, text.strip()) for label, text in zip(pieces[1::2], pieces[2::2], strict=True)]


def _rationale(parts: Sequence[JudgmentPart]) -> str:
    """Return the reasons of all answers with a verdict, each labelled with unit, order and criteria if there are several."""
    lines = []
    criteria = {part.criteria for part in parts}
    for part in parts:
        text = part.answer.rationale.strip()
        # The reply that could not be read is in the ledger, and why it could not in the problem.
        if not text or (part.answer.status != "ok" and not part.answer.values):
            continue
        names = [part.unit, part.order if len(parts) > 1 else ""]
        if len(criteria) > 1:
            names.append(", ".join(part.criteria))
        label = " ".join(name for name in names if name)
        lines.append(f"[{label}] {text}" if label else text)
    return "\n".join(lines)


def _tidy(number: float) -> float:
    return round(number, 6)
