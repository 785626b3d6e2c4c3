"""FinResearchBench's scores for a terminal: one report, several, systems, systems beside a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.present.display import Painter, fit_end, pad, visible
from assay.present.numbers import number
from assay.present.ranking import shortened
from assay.present.table import Column, StyledText, table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.suites.finresearch.dimensions import DIMENSIONS, RULE_DERIVED
from assay.suites.finresearch.results import FINAL, KEYS
from assay.text.amounts import plural

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate
    from assay.suites.finresearch.dimensions import FinResearchDimension
    from assay.suites.finresearch.results import (
        FinResearchScores,
        ScoredReport,
        SystemAgainstReference,
        SystemScores,
    )

_TITLE: Final = 30
_SHOWN: Final = 60
_PROBLEMS: Final = 4
_MARKS: Final = {"fallback": "*"}


def scores_text(
    scores: FinResearchScores,
    *,
    judge: str,
    by_rules: bool,
    reference: str | None,
    painter: Painter,
    columns: int,
) -> str:
    """Return the scores of one judge: of each report, of systems, and of systems beside a reference.

    Args:
        scores: The scores.
        judge: Name of the judge.
        by_rules: Whether only the computed dimensions were scored.
        reference: System that the others are compared with.
        painter: Colours.
        columns: Width.
    """
    layout: dict[str, Any] = {
        "painter": painter,
        "columns": columns,
        "keys": RULE_DERIVED if by_rules else KEYS,
    }
    parts = [painter(f"FinResearchBench · {judge}", "dim") + "\n"]
    if len(scores) == 1:
        parts.append(_report_text(scores[0], **layout))
    else:
        systems = scores.systems
        parts.append(_reports_text(scores, **layout))
        if len(systems) > 1 or systems[0].system is not None:
            parts.append("\n" + _systems_text(systems, **layout))
    if reference is not None:
        parts += ["\n" + _against_text(item, **layout) for item in scores.against(reference)]
    if by_rules:
        note = "no final score: the other six dimensions are rated by a model (--judge STRATEGY@MODEL)"
        parts.append(painter(note, "warning") + "\n")
    return "".join(parts)


def _report_text(row: ScoredReport, *, painter: Painter, columns: int, keys: Sequence[str] = KEYS) -> str:
    """Return one report, a line for each dimension, with what the computed ones rest on.

    Args:
        row: The report.
        painter: Colours.
        columns: Width.
        keys: Dimensions that were scored: all ten and the final score, or only those that are computed.
    """
    lines = [painter(visible(row.report), "bold")]
    for item in _dimensions(keys):
        value = row.scores.get(item.key)
        how = "computed" if item.by_rule else "rated"
        if value == 0 and item.key == "visual_linguistic_synergy" and "0 by rule" in row.rationale:
            how = "no table and no figure: 0 by rule"
        elif value is None:
            how = painter("no score" if not item.by_rule else "not computed", "warning")
        shown = pad(number(value, 2), 7, right=True)
        shown = painter(shown, "dim") if value is None else shown
        lines.append(f"  {pad(item.title, _TITLE)}{shown}  {painter(how, 'dim')}")
    if FINAL in keys:
        final = painter(
            pad(number(row.final, 2), 7, right=True), "bold" if row.final is not None else "warning"
        )
        why = "" if row.final is not None else f"  {len(row.scores)} of the ten dimensions have a score"
        lines.append(f"  {pad('Final score', _TITLE)}{final}{painter(why, 'warning')}")
    if row.basis:
        lines += [painter(line, "dim") for line in wrapped(row.basis, columns, "  ")]
    lines += [
        painter(line, "warning")
        for text in row.problems[:_PROBLEMS]
        for line in wrapped(visible(text), columns, "  ")[:3]
    ]
    if len(row.problems) > _PROBLEMS:
        lines.append(painter(f"  and {plural(len(row.problems) - _PROBLEMS, 'other problem')}", "warning"))
    return "\n".join(lines) + "\n"


def _reports_text(
    rows: Sequence[ScoredReport], *, painter: Painter, columns: int, keys: Sequence[str] = KEYS
) -> str:
    """Return several reports, a line each."""
    items = _dimensions(keys)
    names = shortened([_name(row, rows) for row in rows])

    def mark(row: ScoredReport) -> str:
        return StyledText(_MARKS.get(row.graph, "") + ("!" if row.status != "ok" else ""), "warning")

    table = table_of(
        enumerate(rows[:_SHOWN]),
        [
            ("   #", lambda item: f"{item[0] + 1}"),
            ("report", lambda item: names[item[0]]),
            *_final(keys, lambda item: item[1].final),
            (
                [item.short for item in items],
                lambda row: [StyledText(number(row[1].scores.get(item.key), 0), "dim") for item in items],
            ),
            ("", lambda item: mark(item[1])),
        ],
        align="rp" + "r" * (len(items) + (FINAL in keys)) + "l",
    )
    lines = table_lines(table, painter, columns, gap=1)
    if len(rows) > _SHOWN:
        lines.append(painter(f"     … and {len(rows) - _SHOWN:,} more (--format json shows all)", "dim"))
    lines += _legend(items, painter, columns)
    fallen = sum(row.graph == "fallback" for row in rows)
    if fallen:
        text = (
            f"* {fallen} of {plural(len(rows), 'graph')} built by rules, since nothing usable came of the "
            "model: width, depth "
            "and density are of another graph there"
        )
        lines += [painter(line, "warning") for line in wrapped(text, columns, "     ")]
    failed = [row for row in rows if row.status != "ok"]
    if failed:
        lines.append(
            painter(f"     ! {plural(len(failed), 'report')} with a call that gave nothing usable", "warning")
        )
        lines += [painter(line, "warning") for line in _reasons(failed, columns)]
    return "\n".join(lines) + "\n"


def _systems_text(
    systems: Sequence[SystemScores], *, painter: Painter, columns: int, keys: Sequence[str] = KEYS
) -> str:
    """Return the means of the systems, best first, with the number of reports each is taken over."""
    items = _dimensions(keys)
    table = table_of(
        systems,
        [
            ("system", _system),
            ("reports", lambda item: f"{item.reports}"),
            *_final(keys, lambda item: item.means[FINAL].value),
            (
                [one.short for one in items],
                lambda item: [StyledText(number(item.means[one.key].value, 0), "dim") for one in items],
            ),
        ],
        align="p",
    )
    lines = table_lines(table, painter, columns, gap=1)
    part: list[str] = []
    for item in systems:
        final = item.means[FINAL]
        name = visible(_system(item))
        if FINAL in keys and final.n < item.reports:
            part.append(f"{name}: a final score for {final.n} of {plural(item.reports, 'report')}")
        if final.low is not None and final.high is not None:
            part.append(f"{name}: final {final.value:.2f}, 95 % from {final.low:.2f} to {final.high:.2f}")
    lines += [painter(line, "dim") for text in part for line in wrapped(text, columns, "  ")]
    return "\n".join(lines) + "\n"


def _against_text(
    item: SystemAgainstReference, *, painter: Painter, columns: int, keys: Sequence[str] = KEYS
) -> str:
    """Return a system beside the reference, a line a dimension."""
    name = item.system or "(no system named)"
    over = (
        f"over the {plural(item.shared, 'question')} both answered, with 95 % intervals, each by itself"
        if item.shared
        else "no question in common: differences of the means, without intervals"
    )
    lines = [painter(line, "bold") for line in wrapped(f"{name} minus {item.reference}", columns, "")]
    lines += [painter(line, "dim") for line in wrapped(over, columns, "  ")]
    rows = [(FINAL, "Final score")] if FINAL in keys else []
    rows += [(one.key, one.title) for one in _dimensions(keys)]
    table = table_of(
        rows,
        [
            ("", lambda row: StyledText(row[1], "bold") if row[0] == FINAL else row[1]),
            (fit_end(visible(name), 10), lambda row: number(item.contrasts[row[0]].system, 2)),
            (fit_end(visible(item.reference), 10), lambda row: number(item.contrasts[row[0]].reference, 2)),
            ("difference", lambda row: _difference(item.contrasts[row[0]].difference, item.shared)),
        ],
        align="lrrl",
    )
    lines += [f"  {line}" for line in table_lines(table, painter, columns - 2)]
    return "\n".join(lines) + "\n"


def _system(item: SystemScores) -> str:
    return item.system or "(no system named)"


def _final(keys: Sequence[str], value: Callable[[Any], float | None]) -> list[Column[Any]]:
    """Return the column of the final score, where there is one."""
    return [("final", lambda item: number(value(item), 2))] if FINAL in keys else []


def _difference(found: Estimate, shared: int) -> str:
    if found.value is None:
        return "–"
    text = f"{found.value:+.1f}"
    if found.low is not None and found.high is not None:
        text += f" [{found.low:+.1f}, {found.high:+.1f}]"
    elif found.n and found.reason:
        text += f" ({found.reason})"
    # Where a score is missing, fewer questions are compared.
    return f"{text} over {found.n}" if found.n and found.n != shared else text


def _name(row: ScoredReport, rows: Sequence[ScoredReport]) -> str:
    """Return a report's name, with its system if there are several, and with its id if the file holds many."""
    several = len({item.system for item in rows}) > 1
    same = sum(item.report == row.report for item in rows) > 1
    name = f"{row.report}:{row.id}" if same and row.id else row.report
    return f"{row.system} {row.id}" if several and row.system and row.id else name


def _reasons(failed: Sequence[ScoredReport], columns: int) -> list[str]:
    """Return the first problem of each report; problems that begin alike are counted together."""
    reasons: Counter[tuple[str, ...]] = Counter()
    for text in (text for row in failed for text in row.problems[:1]):
        # "2 × " stands before the first line.
        reasons[tuple(wrapped(visible(text), columns - 4, "       ")[:3])] += 1
    found: list[str] = []
    for (first, *more), times in reasons.most_common(_PROBLEMS):
        found += [f"       {times} × {first.strip()}", *more]
    return found


def _dimensions(keys: Sequence[str]) -> list[FinResearchDimension]:
    return [item for item in DIMENSIONS if item.key in keys]


def _legend(items: Sequence[FinResearchDimension], painter: Painter, columns: int) -> list[str]:
    text = ", ".join(f"{item.short} {item.title.lower()}" for item in items)
    return [painter(line, "dim") for line in wrapped(f"of 100: {text}", columns, "     ")]
