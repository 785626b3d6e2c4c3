"""Comparisons for a terminal: the verdict, both orders, margins, reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.judges.combine import consistency, sections_of
from assay.judges.identity import name_of
from assay.present.display import Painter, pad, visible, width
from assay.present.interface import ENGLISH, Interface, interface_of
from assay.present.judgments import (
    coverage_lines,
    judgment_rows,
    note_lines,
    quote_lines,
    shortened_text,
    total_coverage,
)

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.rubrics.rubric import Rubric
    from assay.subjects.subject import Subject

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


def pair_text(
    judgment: Judgment, subjects: Sequence[Subject], rubric: Rubric, *, painter: Painter, columns: int
) -> str:
    """Return a comparison by a model."""
    a, b = (name_of(subject, default) for subject, default in zip(subjects, "AB", strict=True))
    say = interface_of(subjects)
    lines = [
        painter(verdict_text(judgment.preference, a, b, say), "bold" if judgment.preference else "error")
    ]
    lines.append(painter(f"{visible(judgment.judge)} · {rubric.title or rubric.name}", "dim"))
    many = len(judgment.repetitions) > 1
    lines += _votes(judgment, painter, say) if many else _orders(judgment, painter, say)
    if judgment.scores:
        lines += ["", *margin_lines(judgment.scores, painter, rubric, say)]
    for number, item in enumerate(judgment.repetitions or (judgment,), 1):
        for label, text in sections_of(item.rationale):
            shown = label.partition(" ")[0] or "AB"
            # In the second order the prompt calls the first one B.
            turned = say("(called A here; {name} is called B)", name=visible(a)) if shown == "BA" else ""
            order = f"{say(_ORDERS.get(shown, shown))} {turned}".rstrip()
            head = say.label(say("Repetition {number}", number=number), order) if many else order
            lines += ["", f"  {painter(head, 'accent')}", *shortened_text(text, columns, say)]
    if judgment.quotes:
        lines += ["", *quote_lines(judgment.quotes, subjects, painter=painter, columns=columns, say=say)]
    lines += note_lines(judgment, columns, say)
    coverage = total_coverage(judgment)
    if coverage.gaps:
        lines += ["", *coverage_lines(coverage, painter=painter, columns=columns, say=say)]
    return "\n".join(lines) + "\n"


def pair_rows(judgment: Judgment) -> list[dict[str, Any]]:
    """Return ``assay.judgment/2`` for every repetition, and whether its orders agree."""
    rows = judgment_rows(judgment)
    for row, item in zip(rows, judgment.repetitions or (judgment,), strict=True):
        row["consistency"] = consistency(item)
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


def _votes(judgment: Judgment, painter: Painter, say: Interface) -> list[str]:
    single = judgment.repetitions
    counts = Counter(item.preference for item in single if item.preference).most_common()
    votes = [f"{say((_BETTER | _TIES).get(vote, vote))} {times}" for vote, times in counts]
    none = sum(item.preference is None for item in single)
    votes += [f"{say('no verdict')} {none}"] if none else []
    lines = ["  " + say.label(say("{number} repetitions", number=len(single)), say.join(votes))]
    left = judgment.planned - len(single)
    if left:
        text = say(
            "settled: {left} of {planned} repetitions could not have changed it and were not asked",
            left=left,
            planned=judgment.planned,
        )
        lines.append(f"  {text}")
    known = [item for item in map(consistency, single) if item is not None]
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
