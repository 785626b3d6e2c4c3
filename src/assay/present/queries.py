"""Suitability, complexity and variants of research questions, for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from assay.generation.complexity import AXES, QueryComplexity
from assay.generation.query_expansion import QueryExpansion
from assay.generation.suitability import CONSTRAINTS, CRITERIA, Suitability
from assay.present.display import Painter, Style, fit, pad, visible
from assay.present.wrapping import wrapped
from assay.rubrics.tasks import LEVELS
from assay.text.amounts import plural

_VERDICT: dict[str, Style] = {"ACCEPT": "good", "REJECT": "warning"}
_INDENT = " " * 8


def suitability_text(
    questions: Sequence[Suitability], *, painter: Painter, columns: int, reasons: bool = False
) -> str:
    """Return a line for each question, what decided it, and the number of each decision.

    Args:
        questions: Questions with their suitability.
        painter: Colours.
        columns: Width.
        reasons: Whether single answers are shown too.
    """
    lines: list[str] = []
    for item in questions:
        style = _VERDICT.get(item.decision or "", "error")
        head = painter(pad(item.decision or item.status, 8), style)
        lines.append(head + fit(visible(item.query), columns - 8))
        lines += [
            painter(line, "dim") for line in wrapped(item.reason or item.problem or "", columns, _INDENT)
        ]
        if item.contradiction:
            text = f"! the model's own decision is {item.said}: {item.said_reason}"
            lines += [painter(line, "warning") for line in wrapped(text, columns, _INDENT)]
        lines += _flaws(item.flaws, painter, columns)
        if reasons and item.status == "ok":
            lines += _points(item, painter, columns)
    decided = Counter(item.decision for item in questions)
    parts = [
        f"{decided['ACCEPT']:,} accepted",
        f"{decided['REJECT']:,} rejected",
        *_rest(sum(item.contradiction for item in questions), decided[None], "decision"),
    ]
    return "\n".join([*lines, "", f"{plural(len(questions), 'question')}: {', '.join(parts)}"])


def _points(item: Suitability, painter: Painter, columns: int) -> Iterator[str]:
    for name in CRITERIA:
        point = item.criteria[name]
        mark = painter("+", "good") if point.met else painter("-", "warning")
        first, *rest = wrapped(f"{name}: {point.reason}", columns, _INDENT + "  ")
        yield f"{_INDENT}{mark} {first.strip()}"
        yield from rest
    for name in CONSTRAINTS:
        if name in item.constraints:
            yield f"{_INDENT}{painter('!', 'error')} {name}"


def complexity_text(
    questions: Sequence[QueryComplexity], *, painter: Painter, columns: int, reasons: bool = False
) -> str:
    """Return the levels of each question with what was counted, and the number of questions of each level."""
    lines: list[str] = []
    for item in questions:
        lines.append(fit(visible(item.query), columns))
        if item.status != "ok":
            lines += wrapped(f"{item.status}: {item.problem or ''}", columns, _INDENT)
        for axis, label in item.labels.items():
            counted = ", ".join(f"{number} {_noun(name, number)}" for name, number in label.counts().items())
            text = painter(f"  ! it says {label.said}", "warning") if label.contradiction else ""
            lines.append(
                f"  {pad(axis, 20)}{painter(pad(label.level, 14), 'accent')}{painter(counted, 'dim')}{text}"
            )
            if reasons:
                lines += _listed(label.facts, label.reason, painter, columns)
        lines += _flaws(item.flaws, painter, columns)
    counts = [
        f"  {pad(axis, 20)}"
        + ", ".join(f"{level} {_number(questions, axis, level):,}" for level in LEVELS[axis])
        for axis in AXES
    ]
    failed = sum(item.status != "ok" for item in questions)
    rest = _rest(sum(item.contradiction for item in questions), failed, "labels")
    total = plural(len(questions), "question") + (f": {', '.join(rest)}" if rest else "")
    return "\n".join([*lines, "", total, *counts])


def expansion_text(questions: Sequence[QueryExpansion], *, painter: Painter, columns: int) -> str:
    """Return each question with its variants, and how many there are."""
    lines: list[str] = []
    for item in questions:
        lines.append(fit(visible(item.query), columns))
        if item.status != "ok":
            lines += wrapped(f"{item.status}: {item.problem or ''}", columns, _INDENT)
        for variant in item.variants:
            first, *rest = wrapped(variant.query, columns, " " * 14)
            lines += [f"  {painter(pad(variant.change, 12), 'accent')}{first.strip()}", *rest]
        lines += _flaws(item.flaws, painter, columns)
    total = sum(len(item.variants) for item in questions)
    dropped = sum(len(item.dropped) for item in questions)
    out = f", {dropped:,} left out" if dropped else ""
    return "\n".join([*lines, "", f"{plural(len(questions), 'question')}: {plural(total, 'variant')}{out}"])


def _noun(name: str, number: int) -> str:
    """Return a noun in the right number: ``open factors``, ``step``."""
    noun = name.replace("_", " ")
    return noun.removesuffix("s") if number == 1 else noun


def _number(questions: Sequence[QueryComplexity], axis: str, level: str) -> int:
    return sum(item.status == "ok" and item.labels[axis].level == level for item in questions)


def _listed(facts: dict[str, tuple[str, ...]], reason: str, painter: Painter, columns: int) -> Iterator[str]:
    for name, items in facts.items():
        for line in wrapped(f"{name.replace('_', ' ')}: {'; '.join(items) or 'none'}", columns, _INDENT):
            yield painter(line, "dim")
    yield from wrapped(reason, columns, _INDENT)


def _flaws(flaws: Sequence[str], painter: Painter, columns: int) -> list[str]:
    return [painter(line, "warning") for flaw in flaws for line in wrapped(f"! {flaw}", columns, _INDENT)]


def _rest(contradictions: int, without: int, noun: str) -> list[str]:
    """Return the numbers of contradictions and of missing decisions, if there are any."""
    parts = []
    if contradictions:
        parts.append(f"{plural(contradictions, 'question')} where the model contradicts itself")
    if without:
        parts.append(f"{without:,} without {noun}")
    return parts
