"""The tables of ``assay.compliance/1`` for a terminal and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from assay.present.compliance_cells import verdicts
from assay.present.compliance_rows import Table, tables_of
from assay.present.display import Painter, fit, pad, visible, width
from assay.present.markdown import markdown_cell, markdown_tables
from assay.present.words import count
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from assay.suites.compliance.record import Compliance

_INTERVAL: Final = re.compile(r" \[[^\]]*\]")
# The widest that words and words of heads may be, from wide to narrow.
_CUTS: Final = ((30, 30), (24, 30), (20, 12), (16, 9), (13, 7), (10, 5))


def headline(record: Compliance) -> list[str]:
    """What was read, in a few words each."""
    noun = {"system": "system", "file": "file", "judge": "judge"}.get(record.by, "group")
    return [
        count(record.coverage.reports, "report"),
        count(len(record.systems), noun),
        count(record.tasks, "task"),
        f"{verdicts(record.coverage)} verdicts",
    ]


def compliance_text(record: Compliance, paint: Painter, columns: int, only: Collection[str] = ()) -> str:
    """All tables, or those of these names; where one is too wide, without its intervals, and said so."""
    lines = [paint(" · ".join(headline(record)), "bold")]
    lines += [paint(fit(f"judged by {visible(', '.join(record.judges))}", columns), "dim")]
    for note in record.notes:
        lines += [paint(line, "warning") for line in hanging(f"! {note}", columns)]
    made: dict[str, None] = {}
    for table in tables_of(record):
        if only and table.key not in only:
            continue
        lines += ["", *(paint(line, "bold") for line in hanging(table.title, columns))]
        lines += table_lines(table, paint, columns)
        made.setdefault(table.method)
    lines += ["", paint("How it is computed", "bold")]
    for key in made:
        lines += [paint(line, "dim") for line in hanging(f"{key}: {record.method[key]}", columns)]
    return "\n".join(lines) + "\n"


def hanging(text: str, columns: int) -> list[str]:
    """Foreign text in lines of at most ``columns``, all but the first set in."""
    first, *rest = wrapped(text, columns - 2) or [""]
    return [first, *(f"  {line}" for line in rest)]


def table_lines(table: Table, paint: Painter, columns: int) -> list[str]:
    """Lines of a table. Where it is too wide, its spare columns go, then its intervals, then words are cut."""
    heads = tuple(visible(head) for head in table.heads)
    rows = [
        tuple(visible(cell) if at < table.left else cell for at, cell in enumerate(row)) for row in table.rows
    ]
    notes: list[str] = []
    words, head_words = _CUTS[0]

    def wide() -> list[int]:
        return _widths(heads, rows, table.left, words, head_words)

    def full() -> bool:
        return sum(wide()) + 2 * (len(heads) - 1) > columns

    if table.spare and full():
        notes.append(f"no room for: {', '.join(heads[-table.spare :])}")
        heads, rows = heads[: -table.spare], [row[: -table.spare] for row in rows]
    if full():
        bare = [
            tuple(_INTERVAL.sub("", cell) if at >= table.left else cell for at, cell in enumerate(row))
            for row in rows
        ]
        if bare != rows:
            rows = bare
            notes.append("no room for 95 % intervals")
    for words, head_words in _CUTS:  # noqa: B007 - what fits is kept, and read by the functions above
        if not full():
            break
    sizes = wide()

    def line(row: Sequence[str], before: Sequence[str] = ()) -> str:
        # What is the same as in the row above is not said again.
        shown = [
            "" if before and at < table.left - 1 and row[: at + 1] == before[: at + 1] else cell
            for at, cell in enumerate(row)
        ]
        return "  ".join(
            pad(fit(cell, sizes[at]), sizes[at], right=at >= table.left) for at, cell in enumerate(shown)
        ).rstrip()

    stacked = [_stack(head, sizes[at]) for at, head in enumerate(heads)]
    deep = max(map(len, stacked))
    out = [
        paint(line([cells[row - deep] if len(cells) >= deep - row else "" for cells in stacked]), "dim")
        for row in range(deep)
    ]
    out += [line(row, rows[number - 1] if number else ()) for number, row in enumerate(rows)]
    if notes:
        said = hanging(f"({'; '.join(notes)}; the other formats have them)", columns - 2)
        out += [paint(f"  {one}", "dim") for one in said]
    return out


def _widths(
    heads: Sequence[str], rows: Sequence[Sequence[str]], left: int, words: int, head_words: int
) -> list[int]:
    """Columns that each takes: words are cut, numbers never; a head may be broken between its words."""
    return [
        min(words, max(width(head), *(width(row[at]) for row in rows)))
        if at < left
        else max(
            min(head_words, max(width(word) for word in head.split(" "))), *(width(row[at]) for row in rows)
        )
        for at, head in enumerate(heads)
    ]


def _stack(head: str, room: int) -> list[str]:
    lines: list[str] = []
    for word in head.split(" "):
        if lines and width(f"{lines[-1]} {word}") <= room:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(fit(word, room))
    return lines


def compliance_markdown(record: Compliance, only: Collection[str] = ()) -> str:
    """All tables, or those of these names, as Markdown."""
    lines = [
        "# Compliance",
        "",
        " · ".join(headline(record)),
        "",
        f"Judged by {markdown_cell(', '.join(record.judges))}.",
    ]
    if record.notes:
        lines += ["", *(f"- {markdown_cell(note)}" for note in record.notes)]
    lines += markdown_tables(tables_of(record), record.method, only)
    return "\n".join(lines) + "\n"
