"""Grades for a terminal: criteria by axis, the reasons for those that are not met, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import structs

from assay.judges.grades import collapse, mandatory_share
from assay.present.display import Painter, Style, fit, pad, visible, width
from assay.present.interface import Interface, interface_of
from assay.present.numbers import NONE, percent_sign
from assay.present.table import Column, table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.rubrics.scale import number_text
from assay.rubrics.weighted import axis_title

if TYPE_CHECKING:
    from assay.judges.grade_record import CriterionGrade, Grade
    from assay.judges.judgment import Quote
    from assay.subjects.report import Report

# The sign of a score, its ASCII form, and its colour.
_SIGNS: Final[dict[float | None, tuple[str, str, Style]]] = {
    1.0: ("✔", "+", "good"),
    0.5: ("◐", "/", "warning"),
    0.0: ("✘", "-", "error"),
    None: ("?", "?", "error"),
}


def grade_text(grade: Grade, report: Report, *, painter: Painter, columns: int, plain: bool = False) -> str:
    """Return one report: criteria by axis, then those that fall short with their reasons, then the score."""
    lines = [painter(visible(grade.report), "bold"), painter(_head(grade), "dim")]
    say = interface_of([report])
    lines += _tables(grade, painter, columns, say, plain=plain)
    for item in grade.criteria:
        if not _good(item):
            lines += ["", *_reasons(item, report, painter, columns, say, plain=plain)]
    lines += ["", *_totals(grade, painter, say)]
    return "\n".join(lines) + "\n"


def _head(grade: Grade) -> str:
    about = [grade.judge, grade.rubric, grade.grading, grade.domain or ""]
    return visible(" · ".join(text for text in about if text))


def _tables(grade: Grade, painter: Painter, columns: int, say: Interface, *, plain: bool) -> list[str]:
    axes = list(dict.fromkeys(item.axis or "" for item in grade.criteria))
    lines: list[str] = []
    for axis in axes:
        lines.append("")
        if len(axes) > 1 or axis:
            lines.append(painter(f"  {visible(axis_title(axis)) if axis else say('No axis')}", "accent"))
        for item in grade.criteria:
            if (item.axis or "") == axis:
                mark = "*" if item.mandatory else " "
                weight = pad(_weight(item.weight), 4, right=True)
                text = fit(visible(" ".join(item.criterion.split())), columns - 13)
                lines.append(f"  {_sign(item, painter, plain=plain)} {weight} {painter(mark, 'bold')} {text}")
    notes = [f"* {say('mandatory')}"] if any(item.mandatory for item in grade.criteria) else []
    if any(item.weight < 0 for item in grade.criteria):
        notes.append(
            say('negative weight: the criterion describes a fault, so "met" means that the fault is present')
        )
    if notes:
        lines += ["", painter(f"  {'; '.join(notes)}", "dim")]
    return lines


def _weight(weight: float) -> str:
    text = number_text(weight)
    return text if weight < 0 else f"+{text}"


def _sign(item: CriterionGrade, painter: Painter, *, plain: bool) -> str:
    nice, ascii_, style = _SIGNS.get(item.score, _SIGNS[None])
    # Meeting an unwanted criterion is bad.
    if item.weight < 0 and item.score is not None:
        style = _SIGNS[1 - item.score][2]
    return painter(ascii_ if plain else nice, style)


def _good(item: CriterionGrade) -> bool:
    return item.score == (1 if item.weight > 0 else 0)


def _reasons(
    item: CriterionGrade, report: Report, painter: Painter, columns: int, say: Interface, *, plain: bool
) -> list[str]:
    parts = [visible(item.verdict or f"{say('no verdict')} ({say(item.status)})")]
    parts += [] if item.confidence is None else [say("sure by {value}", value=f"{item.confidence:.2f}")]
    bad = f" – {say('unwanted')}" if item.weight < 0 else ""
    title = fit(visible(" ".join(item.criterion.split())), columns - 4)
    lines = [f"  {_sign(item, painter, plain=plain)} {painter(title, 'bold')}"]
    lines.append(painter(f"    {say.join(parts)} · {say('weight')} {_weight(item.weight)}{bad}", "dim"))
    if item.reasoning:
        lines += wrapped(item.reasoning, columns, "    ")
    lines += [_quote(quote, report, painter, columns, say) for quote in item.quotes]
    for text in item.missing:
        lines += wrapped(say.label(say("missing"), text), columns, "    ")
    return lines


def _quote(quote: Quote, report: Report, painter: Painter, columns: int, say: Interface) -> str:
    if quote.start is None:
        place, style = say("invented"), "error"
    else:
        place, style = say("line {number}", number=report.lines.place(quote.start)[0]), "dim"
    text = fit(visible(" ".join(quote.text.split())), columns - 18)
    return f"    {painter(pad(place, 9, right=True), style)}  “{text}”"  # type: ignore[arg-type]


def _totals(grade: Grade, painter: Painter, say: Interface) -> list[str]:
    graded = sum(item.score is not None for item in grade.criteria)
    total = len(grade.criteria)
    good, marked, asked = mandatory_share(grade)
    rows = [(say("compliance"), _compliance(grade, say))]
    if grade.grading == "ternary":
        binary = collapse(grade)
        how = "" if binary.compliance is None else f" {say('(partially met counts as not met)')}"
        rows.append((say("binary"), f"{_compliance(binary, say)}{how}"))
    if graded < total and grade.compliance_graded is not None:
        rows.append((say("of those graded"), _percent(grade.compliance_graded)))
    if asked:
        parts = [say("{good} of {asked} satisfied", good=good, asked=asked)]
        parts += [say("{number} without a verdict", number=asked - marked)] if marked < asked else []
        rows.append((say("mandatory"), say.join(parts)))
    rows.append((say("verdicts"), say("{graded} of {total} criteria", graded=graded, total=total)))
    marks = grade.citations.get("marks", 0)
    if marks:
        faulty = grade.citations.get("faulty", 0)
        text = say(
            "{marks} marks, {sources} sources, {faulty} marks faulty",
            marks=f"{marks:,}",
            sources=f"{grade.citations.get('sources', 0):,}",
            faulty=f"{faulty:,}",
        )
        rows.append((say("citations"), text))
    size = say(
        "{words}, about {tokens} tokens", words=say.count(grade.words, "word"), tokens=f"{grade.tokens:,}"
    )
    rows.append((say("length"), size))
    wide = max(width(name) for name, _ in rows)
    return [
        f"  {pad(name, wide)}  {painter(text, 'bold') if not n else text}"
        for n, (name, text) in enumerate(rows)
    ]


def _compliance(grade: Grade, say: Interface) -> str:
    if grade.compliance is None:
        short = any(item.score is None for item in grade.criteria)
        return (
            say("none: not all criteria have a verdict")
            if short
            else say("none: no criterion has a positive weight")
        )
    return _percent(grade.compliance)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def summary_text(grades: Sequence[Grade], *, painter: Painter, columns: int) -> str:
    """Return a line for each report, and the means over those that have a score, with their number."""
    columns_: list[Column[Grade]] = [
        ("report", lambda grade: grade.report),
        ("compliance", lambda grade: percent_sign(grade.compliance, 1)),
        ("binary", lambda grade: percent_sign(collapse(grade).compliance, 1)),
        ("mandatory", _mandatory),
        (
            "verdicts",
            lambda grade: f"{sum(item.score is not None for item in grade.criteria)}/{len(grade.criteria)}",
        ),
        ("words", lambda grade: f"{grade.words:,}"),
    ]
    table = table_of(grades, columns_, align="p")
    scored = [grade for grade in grades if grade.compliance is not None]
    if scored:
        ternary = sum(grade.compliance or 0.0 for grade in scored) / len(scored)
        binary = sum(collapse(grade).compliance or 0.0 for grade in scored) / len(scored)
        mean = (f"mean of {len(scored)} of {len(grades)}", _percent(ternary), _percent(binary), "", "", "")
        table = structs.replace(table, rows=[*table.rows, mean], total=True)
    lines = table_lines(table, painter, columns)
    left = len(grades) - len(scored)
    if left:
        lines.append(
            painter(f"{left} without a score: no verdict on a criterion (?), or no positive weight", "error")
        )
    return "\n".join(lines) + "\n"


def _mandatory(grade: Grade) -> str:
    good, marked, asked = mandatory_share(grade)
    without = f", {asked - marked} ?" if marked < asked else ""
    return f"{good}/{asked}{without}" if asked else NONE
