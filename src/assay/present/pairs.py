"""Comparisons for a terminal: the verdict, both orders, margins, reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from assay.judges.combine import consistency
from assay.judges.identity import name_of
from assay.present.display import Painter, pad, visible, width
from assay.present.interface import ENGLISH, Interface, interface_of
from assay.present.judgments import (
    coverage_lines,
    judgment_rows,
    notes_of,
    quote_lines,
    shortened_text,
    total_coverage,
)
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.rubrics.rubric import Rubric
    from assay.runs.recording_judge import RepetitionSet

_ORDERS: Final = {"AB": "A shown first", "BA": "B shown first"}
_BETTER: Final = {"A>B": "A is better", "A<B": "B is better"}
_TIES: Final = {"tie": "a tie", "both_good": "a tie: both are good", "both_bad": "a tie: both are poor"}


def verdict_text(preference: str | None, a: str, b: str, say: Interface = ENGLISH) -> str:
    """Return the verdict in words."""
    if preference in _BETTER:
        return say.label(say(_BETTER[preference]), visible(a if preference == "A>B" else b))
    return say(_TIES.get(preference or "", "no verdict"))


def margin_lines(
    scores: Mapping[str, float], painter: Painter, rubric: Rubric | None = None, say: Interface = ENGLISH
) -> list[str]:
    """Return margins by dimension, from -1 (B) to +1 (A), as bars to either side."""
    names = {key: say.criterion_title(key, rubric) for key in scores}
    wide = max(map(width, names.values()))
    lines = [painter(f"  {pad('', wide)}      B {' ' * 7}   {' ' * 7} A", "dim")]
    for key, value in scores.items():
        lines.append(f"  {pad(names[key], wide)}  {_balance(value, painter)}  {value:+.2f}")
    return lines


def pair_text(repeated: RepetitionSet, rubric: Rubric, *, painter: Painter, columns: int) -> str:
    """Return a comparison by a model."""
    a, b = (name_of(subject, default) for subject, default in zip(repeated.subjects, "AB", strict=True))
    trials = repeated.trials
    whole = trials.judgment
    say = interface_of(repeated.subjects)
    lines = [painter(verdict_text(whole.preference, a, b, say), "bold" if whole.preference else "error")]
    lines.append(painter(f"{visible(whole.judge)} · {rubric.title or rubric.name}", "dim"))
    if len(repeated.judgments) > 1:
        lines += _votes(repeated, painter, say)
    else:
        lines += _orders(whole, painter, say)
    if whole.scores:
        lines += ["", *margin_lines(whole.scores, painter, rubric, say)]
    for number, made in enumerate(repeated.judgments, 1):
        for part in made.parts:
            if part.answer.rationale.strip() and part.answer.status == "ok":
                # In the second order the prompt calls the first one B.
                turned = (
                    say("(called A here; {name} is called B)", name=visible(a)) if part.order == "BA" else ""
                )
                order = f"{say(_ORDERS.get(part.order, part.order))} {turned}".rstrip()
                many = len(repeated.judgments) > 1
                head = say.label(say("Repetition {number}", number=number), order) if many else order
                lines += ["", f"  {painter(head, 'accent')}"]
                lines += shortened_text(part.answer.rationale, columns, say)
    quotes = [quote for item in trials.judgments for quote in item.quotes]
    if quotes:
        lines += ["", *quote_lines(quotes, repeated.subjects, painter=painter, columns=columns, say=say)]
    notes = notes_of(repeated.judgments)
    if notes:
        lines += [
            "",
            *(line for note in notes for line in wrapped(say.label(say("note"), note), columns, "  ")),
        ]
    coverage = total_coverage(repeated)
    if coverage.gaps:
        lines += ["", *coverage_lines(coverage, painter=painter, columns=columns, say=say)]
    return "\n".join(lines) + "\n"


def pair_rows(repeated: RepetitionSet, rubric: Rubric) -> list[dict[str, Any]]:
    """Return ``assay.judgment/2`` for every repetition, and whether its orders agree."""
    rows = judgment_rows(repeated, rubric)
    for row, made in zip(rows, repeated.judgments, strict=True):
        row["consistency"] = consistency(made.judgment)
    return rows


def _orders(judgment: Judgment, painter: Painter, say: Interface) -> list[str]:
    orders = judgment.by_order or {}
    lines = []
    for order, name in _ORDERS.items():
        verdict = orders.get(order)
        if verdict is None and judgment.status == "ok":
            continue  # asked in one order only
        text = say((_BETTER | _TIES).get(verdict or "", "no verdict"))
        lines.append("  " + say.label(say(name), text if verdict else painter(text, "error")))
    agreement = consistency(judgment)
    if agreement == "consistent":
        lines.append("  " + say.label(painter(say("consistent"), "good"), say("whichever is shown first")))
    elif agreement == "inconsistent":
        lines.append("  " + say.label(painter(say("inconsistent"), "warning"), say(_leaning(orders))))
    elif agreement is None and judgment.status == "ok":
        text = say("one order only: whether it leans to what is shown first is not known")
        lines.append(painter(f"  {text}", "dim"))
    return lines


def _leaning(orders: Mapping[str, str | None]) -> str:
    verdicts = (orders.get("AB"), orders.get("BA"))
    if verdicts == ("A>B", "A<B"):
        return "it prefers whichever is shown first, which makes it a tie"
    if verdicts == ("A<B", "A>B"):
        return "it prefers whichever is shown second, which makes it a tie"
    return "one order has a winner and the other has none, which makes it a tie"


def _votes(repeated: RepetitionSet, painter: Painter, say: Interface) -> list[str]:
    trials = repeated.trials
    votes = [f"{say((_BETTER | _TIES).get(vote, vote))} {times}" for vote, times in trials.votes.items()]
    none = len(trials.judgments) - sum(trials.votes.values())
    votes += [f"{say('no verdict')} {none}"] if none else []
    lines = ["  " + say.label(say("{number} repetitions", number=len(trials.judgments)), say.join(votes))]
    if trials.settled_early:
        left = trials.planned - len(trials.judgments)
        text = say(
            "settled: {left} of {planned} repetitions could not have changed it and were not asked",
            left=left,
            planned=trials.planned,
        )
        lines.append(f"  {text}")
    known = [item for item in map(consistency, trials.judgments) if item is not None]
    if known:
        steady = sum(item != "inconsistent" for item in known)
        text = say("both orders agree in {steady} of {known}", steady=steady, known=len(known))
        lines.append(painter(f"  {text}", "dim"))
    return lines


def _balance(value: float, painter: Painter, half: int = 10) -> str:
    """Return a bar to the left for B, to the right for A."""
    filled = min(half, round(abs(value) * half)) or (1 if abs(value) >= 0.005 else 0)
    left = ("█" * filled if value < 0 else "").rjust(half, "·")
    right = ("█" * filled if value > 0 else "").ljust(half, "·")
    return f"{painter(left, 'accent')}│{painter(right, 'accent')}"
