"""Grades for a terminal: criteria by axis, the reasons for those that are not met, and the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import structs

from assay.judges.compliance import collapse, compliance_of, grading_of_judgment, mandatory_share
from assay.present.display import Painter, Style, fit, pad, visible, width
from assay.present.interface import Interface, interface_of
from assay.present.numbers import NONE, percent_sign
from assay.present.table import Column, table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.rubrics.scale import number_text
from assay.rubrics.weighted import axis_title

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment, Quote, Verdict
    from assay.subjects.report import Report

# The sign of a score, its ASCII form, and its colour.
_SIGNS: Final[dict[float | None, tuple[str, str, Style]]] = {
    1.0: ("✔", "+", "good"),
    0.5: ("◐", "/", "warning"),
    0.0: ("✘", "-", "error"),
    None: ("?", "?", "error"),
}


def grade_text(
    grade: Judgment, report: Report, *, painter: Painter, columns: int, plain: bool = False
) -> str:
    """Return one report: criteria by axis, then those that fall short with their reasons, then the score."""
    lines = [painter(visible(grade.subject), "bold"), painter(_head(grade), "dim")]
    say = interface_of([report])
    lines += _tables(grade, painter, columns, say, plain=plain)
    for item in grade.verdicts:
        if not _good(item):
            lines += ["", *_reasons(item, report, painter, columns, say, plain=plain)]
    lines += ["", *_totals(grade, painter, say)]
    return "\n".join(lines) + "\n"


def _head(grade: Judgment) -> str:
    about = [grade.judge, grade.rubric or "", grading_of_judgment(grade), grade.metadata.get("domain") or ""]
    return visible(" · ".join(text for text in about if text))


def _tables(grade: Judgment, painter: Painter, columns: int, say: Interface, *, plain: bool) -> list[str]:
    axes = list(dict.fromkeys(item.axis or "" for item in grade.verdicts))
    lines: list[str] = []
    for axis in axes:
        lines.append("")
        if len(axes) > 1 or axis:
            lines.append(painter(f"  {visible(axis_title(axis)) if axis else say('No axis')}", "accent"))
        for item in grade.verdicts:
            if (item.axis or "") == axis:
                mark = "*" if item.mandatory else " "
                weight = pad(_weight(item.weight), 4, right=True)
                text = fit(visible(" ".join(item.text.split())), columns - 13)
                lines.append(f"  {_sign(item, painter, plain=plain)} {weight} {painter(mark, 'bold')} {text}")
    notes = [f"* {say('mandatory')}"] if any(item.mandatory for item in grade.verdicts) else []
    if any(item.weight < 0 for item in grade.verdicts):
        notes.append(
            say('negative weight: the criterion describes a fault, so "met" means that the fault is present')
        )
    if notes:
        lines += ["", painter(f"  {'; '.join(notes)}", "dim")]
    return lines


def _weight(weight: float) -> str:
    text = number_text(weight)
    return text if weight < 0 else f"+{text}"


def _sign(item: Verdict, painter: Painter, *, plain: bool) -> str:
    nice, ascii_, style = _SIGNS.get(item.score, _SIGNS[None])
    # Meeting an unwanted criterion is bad.
    if item.weight < 0 and item.score is not None:
        style = _SIGNS[1 - item.score][2]
    return painter(ascii_ if plain else nice, style)


def _good(item: Verdict) -> bool:
    return item.score == (1 if item.weight > 0 else 0)


def _reasons(
    item: Verdict, report: Report, painter: Painter, columns: int, say: Interface, *, plain: bool
) -> list[str]:
    parts = [visible(str(item.verdict or "") or f"{say('no verdict')} ({say(item.status)})")]
    parts += [] if item.confidence is None else [say("sure by {value}", value=f"{item.confidence:.2f}")]
    bad = f" – {say('unwanted')}" if item.weight < 0 else ""
    title = fit(visible(" ".join(item.text.split())), columns - 4)
    lines = [f"  {_sign(item, painter, plain=plain)} {painter(title, 'bold')}"]
    lines.append(painter(f"    {say.join(parts)} · {say('weight')} {_weight(item.weight)}{bad}", "dim"))
    text = item.reasoning or item.problem
    if text:
        lines += wrapped(text, columns, "    ")
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


def _totals(grade: Judgment, painter: Painter, say: Interface) -> list[str]:
    graded = sum(item.score is not None for item in grade.verdicts)
    total = len(grade.verdicts)
    good, marked, asked = mandatory_share(grade)
    rows = [(say("compliance"), _compliance(grade, say))]
    if grading_of_judgment(grade) == "ternary":
        binary = collapse(grade)
        how = "" if compliance_of(binary) is None else f" {say('(partially met counts as not met)')}"
        rows.append((say("binary"), f"{_compliance(binary, say)}{how}"))
    partly = compliance_of(grade, partly=True)
    if graded < total and partly is not None:
        rows.append((say("of those graded"), _percent(partly)))
    if asked:
        parts = [say("{good} of {asked} satisfied", good=good, asked=asked)]
        parts += [say("{number} without a verdict", number=asked - marked)] if marked < asked else []
        rows.append((say("mandatory"), say.join(parts)))
    rows.append((say("verdicts"), say("{graded} of {total} criteria", graded=graded, total=total)))
    marks = _citations(grade).get("marks", 0)
    if marks:
        faulty = _citations(grade).get("faulty", 0)
        text = say(
            "{marks} marks, {sources} sources, {faulty} marks faulty",
            marks=f"{marks:,}",
            sources=f"{_citations(grade).get('sources', 0):,}",
            faulty=f"{faulty:,}",
        )
        rows.append((say("citations"), text))
    size = say(
        "{words}, about {tokens} tokens",
        words=say.count(grade.metadata.get("words", 0), "word"),
        tokens=f"{grade.metadata.get('tokens', 0):,}",
    )
    rows.append((say("length"), size))
    wide = max(width(name) for name, _ in rows)
    return [
        f"  {pad(name, wide)}  {painter(text, 'bold') if not n else text}"
        for n, (name, text) in enumerate(rows)
    ]


def _compliance(grade: Judgment, say: Interface) -> str:
    value = compliance_of(grade)
    if value is None:
        short = any(item.score is None for item in grade.verdicts)
        return (
            say("none: not all criteria have a verdict")
            if short
            else say("none: no criterion has a positive weight")
        )
    return _percent(value)


def _citations(grade: Judgment) -> Mapping[str, int]:
    return grade.metadata.get("citations") or {}


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def summary_text(grades: Sequence[Judgment], *, painter: Painter, columns: int) -> str:
    """Return a line for each report, and the means over those that have a score, with their number."""
    columns_: list[Column[Judgment]] = [
        ("report", lambda grade: grade.subject),
        ("compliance", lambda grade: percent_sign(compliance_of(grade), 1)),
        ("binary", lambda grade: percent_sign(compliance_of(collapse(grade)), 1)),
        ("mandatory", _mandatory),
        (
            "verdicts",
            lambda grade: f"{sum(item.score is not None for item in grade.verdicts)}/{len(grade.verdicts)}",
        ),
        ("words", lambda grade: f"{grade.metadata.get('words', 0):,}"),
    ]
    table = table_of(grades, columns_, align="p")
    scored = [grade for grade in grades if compliance_of(grade) is not None]
    if scored:
        ternary = sum(compliance_of(grade) or 0.0 for grade in scored) / len(scored)
        binary = sum(compliance_of(collapse(grade)) or 0.0 for grade in scored) / len(scored)
        mean = (f"mean of {len(scored)} of {len(grades)}", _percent(ternary), _percent(binary), "", "", "")
        table = structs.replace(table, rows=[*table.rows, mean], total=True)
    lines = table_lines(table, painter, columns)
    left = len(grades) - len(scored)
    if left:
        lines.append(
            painter(f"{left} without a score: no verdict on a criterion (?), or no positive weight", "error")
        )
    return "\n".join(lines) + "\n"


def _mandatory(grade: Judgment) -> str:
    good, marked, asked = mandatory_share(grade)
    without = f", {asked - marked} ?" if marked < asked else ""
    return f"{good}/{asked}{without}" if asked else NONE
