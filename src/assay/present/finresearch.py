"""FinResearchBench's scores for people at a terminal: one report, several, systems, systems beside a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, fit_end, pad, visible, width
from assay.present.numbers import plural
from assay.present.ranking import shortened
from assay.present.wrapping import wrapped
from assay.suites.finresearch.dimensions import DIMENSIONS
from assay.suites.finresearch.results import FINAL, KEYS

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate
    from assay.suites.finresearch.dimensions import FinResearchDimension
    from assay.suites.finresearch.results import ScoredReport, SystemAgainstReference, SystemScores

_TITLE: Final = 30
# The longest title and a space: beside two systems and a difference there is room for no more.
_LONGEST: Final = 29
_CELL: Final = 5
_SHOWN: Final = 60
_PROBLEMS: Final = 4
_MARKS: Final = {"fallback": "*"}


def report_text(row: ScoredReport, *, painter: Painter, columns: int, keys: Sequence[str] = KEYS) -> str:
    """One report, a line a dimension, with what the computed ones rest on.

    Args:
        row: The report.
        painter: Colours.
        columns: Width.
        keys: What there was to score, here and below: all ten and the final score, or those that are computed.
    """
    lines = [painter(visible(row.report), "bold")]
    for item in _dimensions(keys):
        value = row.scores.get(item.key)
        how = "computed" if item.by_rule else "rated"
        if value == 0 and item.key == "visual_linguistic_synergy" and "0 by rule" in row.rationale:
            how = "no table and no figure: 0 by rule"
        elif value is None:
            how = painter("no score" if not item.by_rule else "not computed", "warning")
        shown = painter(_number(value, 7), "dim") if value is None else _number(value, 7)
        lines.append(f"  {pad(item.title, _TITLE)}{shown}  {painter(how, 'dim')}")
    if FINAL in keys:
        final = painter(_number(row.final, 7), "bold" if row.final is not None else "warning")
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


def reports_text(
    rows: Sequence[ScoredReport], *, painter: Painter, columns: int, keys: Sequence[str] = KEYS
) -> str:
    """Several reports, a line each."""
    items = _dimensions(keys)
    last = 7 if FINAL in keys else 0
    names = shortened([visible(_name(row, rows)) for row in rows])
    wide = max(6, min(max(map(width, names)), columns - 5 - last - _CELL * len(items) - 2))
    lines = [painter(f"{'#':>4} {pad('report', wide)}{_heads(keys)}", "bold")]
    for number, (name, row) in enumerate(zip(names[:_SHOWN], rows[:_SHOWN], strict=True), 1):
        cells = "".join(_number(row.scores.get(item.key), _CELL, digits=0) for item in items)
        mark = _MARKS.get(row.graph, "") + ("!" if row.status != "ok" else "")
        lines.append(
            f"{number:>4} {pad(fit_end(name, wide), wide)}{_number(row.final, 7)[:last]}{painter(cells, 'dim')}"
            + (f" {painter(mark, 'warning')}" if mark else "")
        )
    if len(rows) > _SHOWN:
        lines.append(painter(f"     … and {len(rows) - _SHOWN:,} more (--format json shows all)", "dim"))
    lines += _legend(items, painter, columns)
    fallen = sum(row.graph == "fallback" for row in rows)
    if fallen:
        text = (
            f"* {fallen} of {plural(len(rows), 'graph')} built by rules, since nothing usable came of the model: width, depth "
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


def systems_text(
    systems: Sequence[SystemScores], *, painter: Painter, columns: int, keys: Sequence[str] = KEYS
) -> str:
    """Means of the systems, best first, with the number of reports each is taken over."""
    items = _dimensions(keys)
    last = 7 if FINAL in keys else 0
    names = [visible(item.system or "(no system named)") for item in systems]
    wide = max(6, min(max(map(width, names)), columns - 13 - last - _CELL * len(items)))
    lines = [painter(f"{pad('system', wide)} reports{_heads(keys)}", "bold")]
    part: list[str] = []
    for name, item in zip(names, systems, strict=True):
        final = item.means[FINAL]
        cells = "".join(_number(item.means[one.key].value, _CELL, digits=0) for one in items)
        lines.append(
            f"{pad(fit_end(name, wide), wide)}{item.reports:>8}{_number(final.value, 7)[:last]}{painter(cells, 'dim')}"
        )
        if FINAL in keys and final.n < item.reports:
            part.append(f"{name}: a final score for {final.n} of {plural(item.reports, 'report')}")
        if final.low is not None and final.high is not None:
            part.append(f"{name}: final {final.value:.2f}, 95 % from {final.low:.2f} to {final.high:.2f}")
    lines += [painter(line, "dim") for text in part for line in wrapped(text, columns, "  ")]
    return "\n".join(lines) + "\n"


def against_text(
    item: SystemAgainstReference, *, painter: Painter, columns: int, keys: Sequence[str] = KEYS
) -> str:
    """A system beside the reference, a line a dimension."""
    name = visible(item.system or "(no system named)")
    head = f"{name} minus {visible(item.reference)}"
    told = (
        f"over the {plural(item.shared, 'question')} both answered, with 95 % intervals, each by itself"
        if item.shared
        else "no question in common: differences of the means, without intervals"
    )
    lines = [painter(line, "bold") for line in wrapped(head, columns, "")]
    lines += [painter(line, "dim") for line in wrapped(told, columns, "  ")]
    lines.append(
        painter(
            f"  {pad('', _LONGEST)}{pad(fit_end(name, 10), 11, right=True)}"
            f"{pad(fit_end(visible(item.reference), 10), 11, right=True)}  difference",
            "bold",
        )
    )
    rows = [(FINAL, "Final score")] if FINAL in keys else []
    rows += [(one.key, one.title) for one in _dimensions(keys)]
    for key, title in rows:
        found = item.contrasts[key]
        text = (
            f"  {pad(title, _LONGEST)}{_number(found.system, 11)}{_number(found.reference, 11)}"
            f"  {_difference(found.difference, item.shared)}"
        )
        lines.append(painter(text, "bold") if key == FINAL and painter.color else text)
    return "\n".join(lines) + "\n"


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
    """A report's name, with its system where there are several, and its id where the file holds many."""
    several = len({item.system for item in rows}) > 1
    same = sum(item.report == row.report for item in rows) > 1
    name = f"{row.report}:{row.id}" if same and row.id else row.report
    return f"{row.system} {row.id}" if several and row.system and row.id else name


def _reasons(failed: Sequence[ScoredReport], columns: int) -> list[str]:
    """The first problem of each, those that begin alike told once."""
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


def _heads(keys: Sequence[str]) -> str:
    final = f"{'final':>7}" if FINAL in keys else ""
    return final + "".join(f"{item.short:>{_CELL}}" for item in _dimensions(keys))


def _legend(items: Sequence[FinResearchDimension], painter: Painter, columns: int) -> list[str]:
    told = ", ".join(f"{item.short} {item.title.lower()}" for item in items)
    return [painter(line, "dim") for line in wrapped(f"of 100: {told}", columns, "     ")]


def _number(value: float | None, wide: int, *, digits: int = 2) -> str:
    return pad("–" if value is None else f"{value:.{digits}f}", wide, right=True)
