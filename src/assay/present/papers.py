"""Tables and figures of papers for a terminal: what there is, what is printed, and one's own values beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.present.numbers import NONE
from assay.present.table import NOTHING, table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.text.amounts import money, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.measures.intervals import Estimate
    from assay.meta.papers.exhibits import Exhibit, Paper
    from assay.meta.papers.making import MadeTable
    from assay.meta.papers.rehearsal import Rehearsal
    from assay.present.display import Painter


def papers_text(papers: Mapping[str, Paper], *, painter: Painter, columns: int) -> str:
    """Return every paper with its tables and figures, and how each is made."""
    lines: list[str] = []
    for name, paper in papers.items():
        lines += [f"{painter(name, 'bold')}  {paper.title}"]
        for item in paper.exhibits:
            lines += wrapped(f"{item.name}: {item.shows}", columns, "    ")
            lines += [painter(line, "dim") for line in wrapped(_made(name, item), columns, "      ")]
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def _made(paper: str, item: Exhibit) -> str:
    if item.unmade:
        return f"not made. {item.unmade}"
    if item.command:
        return f"made by {item.command}"
    return command_of(paper, item)


def command_of(paper: str, item: Exhibit) -> str:
    """Return the command that makes an exhibit."""
    kind, number_ = item.name.rsplit(" ", 1)
    how = getattr(item.make, "__struct_config__").tag  # noqa: B009 - set by msgspec
    needs = {
        "bench": "BENCH --judge MODEL",
        "counts": "BENCH",
    }.get(str(how), "JUDGMENTS --labels LABELS")
    return f"assay papers run {paper} --{kind} {number_} {needs}"


def exhibit_text(paper: str, item: Exhibit, *, painter: Painter, columns: int) -> str:
    """Return what a paper prints, and how to make the same."""
    lines = [painter(f"{paper}, {item.name}", "bold"), *wrapped(item.shows, columns)]
    if item.rows:
        lines += [
            "",
            *_table(
                item.rows_are,
                item.columns,
                {k: [_plain(v, item.decimals) for v in vs] for k, vs in item.rows.items()},
                painter,
            ),
        ]
    for other in item.printed_otherwise:
        lines += wrapped(
            f"{other.row}, {other.column}: the paper's other values give {other.recomputed:g}", columns, "  "
        )
    lines += ["", *(painter(line, "dim") for line in wrapped(_made(paper, item), columns))]
    return "\n".join(lines) + "\n"


def made_text(made: MadeTable, *, painter: Painter, columns: int) -> str:
    """Return one's own values with their intervals, the printed ones below, and why they cannot be compared as they are."""
    item = made.exhibit
    lines = [painter(f"{made.paper}, {item.name}, made here", "bold"), *wrapped(item.shows, columns), ""]
    lines += _table(
        item.rows_are,
        made.columns,
        {name: [_cell(cell, item.decimals) for cell in row] for name, row in made.rows.items()},
        painter,
    )
    counts = [cell.n for row in made.rows.values() for cell in row if cell.n]
    if counts:
        lines.append(
            painter(f"95 % intervals in brackets; {min(counts)} to {max(counts)} cases a value", "dim")
        )
    if item.rows:
        lines += ["", painter("As the paper prints it", "bold")]
        lines += _table(
            item.rows_are,
            item.columns,
            {k: [_plain(v, item.decimals) for v in vs] for k, vs in item.rows.items()},
            painter,
        )
    lines += [
        painter(line, "dim") for line in wrapped(f"Not comparable as they stand. {item.differs}", columns)
    ]
    return "\n".join(lines) + "\n"


def rehearsal_text(rows: Sequence[Rehearsal], *, painter: Painter) -> str:
    """Return what each judge would take."""
    table = table_of(
        rows,
        [
            ("JUDGE", lambda item: item.judge),
            ("CALLS", lambda item: f"{item.calls:,}"),
            ("TOKENS IN", lambda item: tokens(item.input_tokens)),
            ("OUT, AT LEAST", lambda item: tokens(item.output_tokens)),
            ("COST, AT LEAST", lambda item: NONE if item.cost_usd is None else money(item.cost_usd)),
        ],
        omit=NOTHING,
    )
    lines = table_lines(table, painter)
    lines.append(painter("rehearsed with random replies; nothing was sent", "dim"))
    return "\n".join(lines) + "\n"


def _table(
    rows_are: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]], painter: Painter
) -> list[str]:
    def cell(at: int) -> tuple[str, object]:
        return columns[at], lambda row: row[1][at]

    table = table_of(
        list(rows.items()),
        [(rows_are.upper(), lambda row: row[0]), *(cell(at) for at in range(len(columns)))],  # type: ignore[list-item]
        omit=NOTHING,
    )
    return table_lines(table, painter)


def _cell(estimate: Estimate, decimals: int) -> str:
    value = _plain(estimate.value, decimals)
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{_plain(estimate.low, decimals)}, {_plain(estimate.high, decimals)}]"


def _plain(value: float | None, decimals: int) -> str:
    return NONE if value is None else f"{value:,.{decimals}f}"
