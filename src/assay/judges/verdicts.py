"""From answers to verdicts: what each criterion got, with reasons and evidence, or why it got nothing.

A criterion without a verdict stays without one: a missing answer never becomes a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from assay.judges.judgment import Judgment, Quote, Status, Verdict, worst_status
from assay.judges.parts import JudgmentPart
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scale import Scale
from assay.rubrics.weighted import axis_of, is_mandatory
from assay.strategies.base import Answer, Detail

_NOT_ASKED: Final = "it was not asked"
_WHOLE_ONLY: Final = "only its verdict on the whole could be read"


def score_verdicts(rubric: Rubric, parts: Sequence[JudgmentPart]) -> tuple[Verdict, ...]:
    """Return one verdict for each criterion and unit, criteria in the order of the rubric."""
    asked = [part for part in parts if part.criteria]
    units = list(dict.fromkeys(part.unit for part in asked)) or [""]
    found = {(key, part.unit): part for part in reversed(asked) for key in part.criteria}
    why = problem_of(parts) or _NOT_ASKED
    return tuple(
        _scored(criterion, rubric, part, about, unit)
        if (part := found.get((criterion.key, unit))) is not None
        else Verdict(**about, unit=unit, status=_lack(parts), problem=why)
        for criterion in rubric.criteria
        for about in [_about(criterion)]
        for unit in units
    )


def with_verdicts(judgment: Judgment, rubric: Rubric, parts: Sequence[JudgmentPart]) -> Judgment:
    """Return a judgment with its verdicts; those of earlier ledgers have none, but their answers do."""
    if judgment.verdicts or not parts or any(part.order in ("forward", "reverse") for part in parts):
        return judgment
    located = [
        part if part.quotes else replace(part, quotes=judgment.quotes) for part in parts if part.criteria
    ]
    pair = judgment.by_order is not None
    verdicts = pair_verdicts(rubric, located) if pair else score_verdicts(rubric, located)
    mode = "compare" if pair else judgment.mode
    return replace(judgment, mode=mode, verdicts=verdicts, problem=problem_of(parts))


def pair_verdicts(rubric: Rubric, parts: Sequence[JudgmentPart]) -> tuple[Verdict, ...]:
    """Return one verdict for each criterion of a comparison.

    Labels are in terms of the A and B given, whichever was shown first. Orders that differ have no common label, but
    a margin.
    """
    scale = rubric.pair_scale
    why = problem_of(parts) or _NOT_ASKED
    verdicts = []
    for criterion in rubric.criteria:
        about = _about(criterion)
        relevant = [part for part in parts if criterion.key in part.criteria]
        if not relevant:
            verdicts.append(Verdict(**about, status=_lack(parts), problem=why))
            continue
        orders = {
            part.order: turned(part.answer.values.get(criterion.key), scale, swap=part.order == "BA")
            for part in relevant
        }
        margins = [_margin(label, scale) for label in orders.values()]
        known = [margin for margin in margins if margin is not None]
        labels = set(orders.values())
        verdicts.append(
            Verdict(
                **about,
                verdict=labels.pop() if len(labels) == 1 else None,
                score=round(sum(known) / len(known), 6) if len(known) == len(margins) else None,
                by_order=orders,
                **_circumstances(criterion.key, relevant, whole=_WHOLE_ONLY),
            )
        )
    return tuple(verdicts)


def ranking_verdicts(parts: Sequence[JudgmentPart]) -> tuple[Verdict, ...]:
    """Return the one verdict of a ranking, such as ``2>1>3``; its orders are ``forward`` and ``reverse``."""
    relevant = [part for part in parts if part.criteria]
    if not relevant:
        return ()
    orders = {part.order: _places(part.answer) for part in relevant}
    labels = set(orders.values())
    status = worst_status(part.answer.status for part in relevant)
    return (
        Verdict(
            criterion="ranking",
            text="order of the candidates, best first",
            verdict=labels.pop() if len(labels) == 1 else None,
            by_order=orders,
            status=status,
            problem=problem_of(relevant),
            quotes=_distinct(relevant),
        ),
    )


def problem_of(parts: Iterable[JudgmentPart]) -> str | None:
    """Return why answers have no verdict, each reason once; None if all have one."""
    problems = dict.fromkeys(part.answer.problem for part in parts if part.answer.status != "ok")
    return "; ".join(problem or "no reason given" for problem in problems) or None


def notes_of(parts: Iterable[JudgmentPart]) -> tuple[str, ...]:
    """Return what else happened, each note once."""
    return tuple(dict.fromkeys(note for part in parts for note in part.answer.notes))


def pair_number(answer: float | str, scale: Scale) -> float | None:
    """Return the number of a verdict on a pair; an unspecified tie is 0 if the scale has several kinds of ties."""
    number = scale.number(answer)
    if number is None and answer == "tie" and any(choice.value == 0 for choice in scale.choices):
        return 0.0
    return number


def turned(answer: float | str | None, scale: Scale, *, swap: bool) -> float | str | None:
    """Return an answer about a pair after A and B have been exchanged: the one with the opposite number."""
    answer = _plain(answer)
    if not swap or answer is None:
        return answer
    number = scale.number(answer)
    if not number:
        return answer
    if not isinstance(answer, str):
        return -number
    return next((choice.label for choice in scale.choices if choice.value == -number), answer)


def _scored(
    criterion: Criterion, rubric: Rubric, part: JudgmentPart, about: dict[str, Any], unit: str
) -> Verdict:
    verdict = _plain(part.answer.values.get(criterion.key))
    detail = _detail(criterion.key, part)
    return Verdict(
        **about,
        unit=unit,
        verdict=verdict,
        score=None if verdict is None else rubric.scale_of(criterion).number(verdict),
        confidence=None if verdict is None else detail.confidence,
        **_circumstances(criterion.key, [part]),
    )


def _plain(answer: float | str | None) -> float | str | None:
    """Return an answer as it comes back from a file: numbers as floats."""
    return answer if answer is None or isinstance(answer, str) else float(answer)


def _about(criterion: Criterion) -> dict[str, Any]:
    return {
        "criterion": criterion.key,
        "text": criterion.asks,
        "weight": criterion.weight,
        "axis": axis_of(criterion) or None,
        "mandatory": is_mandatory(criterion),
    }


def _lack(parts: Sequence[JudgmentPart]) -> Status:
    """Return the status of a criterion that was not asked: that of the step that failed before it."""
    status = worst_status(part.answer.status for part in parts)
    return "unparsed" if status == "ok" else status


def _circumstances(key: str, parts: Sequence[JudgmentPart], *, whole: str = "") -> dict[str, Any]:
    """Return status, problem, reasons, quotes and what is missing, from all answers about a criterion."""
    lacking = [part for part in parts if key not in part.answer.values]
    status = worst_status(part.answer.status for part in lacking)
    details = [_detail(key, part) for part in parts]
    problem = problem_of(lacking)
    if lacking and problem is None:
        problem = next((part.answer.problem for part in lacking if part.answer.problem), whole) or None
    return {
        "status": "unparsed" if lacking and status == "ok" else status,
        "problem": problem,
        "reasoning": "\n".join(detail.rationale for detail in details if detail.rationale),
        "quotes": tuple(
            dict.fromkeys(
                quote for part, detail in zip(parts, details, strict=True) for quote in _located(detail, part)
            )
        ),
        "missing": tuple(dict.fromkeys(text for detail in details for text in detail.missing)),
    }


def _detail(key: str, part: JudgmentPart) -> Detail:
    """Return what the answer says on one criterion; all of it, if the criterion was asked alone."""
    answer = part.answer
    detail = answer.details.get(key)
    if detail is not None:
        return detail
    return (
        Detail(rationale=answer.rationale.strip(), quotes=answer.quotes)
        if len(part.criteria) == 1
        else Detail()
    )


def _located(detail: Detail, part: JudgmentPart) -> Iterable[Quote]:
    """Return the quotes of a detail with their places: the answer's refer to the text shown, the part's to the subject."""
    places = {quote.text: quote for quote in part.quotes}
    return (places.get(item.text, Quote(item.text, None, None)) for item in detail.quotes)


def _distinct(parts: Iterable[JudgmentPart]) -> tuple[Quote, ...]:
    return tuple(dict.fromkeys(quote for part in parts for quote in part.quotes))


def _margin(answer: float | str | None, scale: Scale) -> float | None:
    number = None if answer is None else pair_number(answer, scale)
    return None if number is None else max(-1.0, min(1.0, number))


def _places(answer: Answer) -> str | float | None:
    return None if answer.ranking is None else ">".join(str(candidate + 1) for candidate in answer.ranking)
