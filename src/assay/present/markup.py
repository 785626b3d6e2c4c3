"""Tables as Markdown, CSV, HTML and LaTeX, with foreign words made harmless in each."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from assay.present.display import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from assay.present.table import Table, TableSet

_MARKDOWN: Final = re.compile(r"([\\|*_`\[\]<>#])")
# A number and its interval: brackets that no Markdown takes for a link.
_FIGURE: Final = re.compile(r"[-+−–±\d.,%\s\[\]]*")
_LATEX: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "−": "$-$",
    "–": "--", "…": r"\ldots{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "±": r"$\pm$",
}  # fmt: skip
_LATEX_SPECIAL: Final = re.compile("[" + re.escape("".join(_LATEX)) + "]")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def markdown_cell(text: str) -> str:
    """Return foreign text for a line of Markdown: no markup, no HTML, no end of the cell."""
    shown = visible(text)
    return shown if _FIGURE.fullmatch(shown) else _MARKDOWN.sub(r"\\\1", shown)


def markdown_table(table: Table) -> list[str]:
    """Return the lines of a table in Markdown."""
    rules = ("---:|" if table.alignment(at) == "r" else "---|" for at in range(len(table.heads)))
    rows = (table.heads, *table.rows)
    head, *lines = ["| " + " | ".join(map(markdown_cell, row)) + " |" for row in rows]
    return [head, "|" + "".join(rules), *lines]


def set_markdown(tables: TableSet, only: Sequence[str] = ()) -> str:
    """Return the tables of a result, or those with the given keys, each method once, after its first table."""
    lines = [f"# {tables.title}", "", tables.headline()]
    if tables.judges:
        lines += ["", f"Judged by {markdown_cell(', '.join(tables.judges))}."]
    if tables.notes:
        lines += ["", *(f"- {markdown_cell(note)}" for note in tables.notes)]
    methods: set[str] = set()
    for table in tables.chosen(only):
        lines += ["", f"## {markdown_cell(table.title)}", "", *markdown_table(table)]
        lines += [line for note in table.notes for line in ("", markdown_cell(note))]
        if table.method not in methods:
            methods.add(table.method)
            lines += ["", tables.methods[table.method]]
    return "\n".join(lines) + "\n"


def latex_cell(text: str) -> str:
    """Return foreign text for LaTeX: every special character as itself."""
    return _LATEX_SPECIAL.sub(lambda match: _LATEX[match.group()], visible(text))


def latex_table(table: Table) -> list[str]:
    r"""Return the lines of a ``table`` environment, which takes ``\usepackage{booktabs}``."""
    columns = "".join("r" if table.alignment(at) == "r" else "l" for at in range(len(table.heads)))
    head, *rows = [" & ".join(map(latex_cell, row)) + r" \\" for row in (table.heads, *table.rows)]
    lines = [r"\begin{table}", r"\centering"]
    lines += [rf"\caption{{{latex_cell(table.title)}}}"] if table.title else []
    lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
    return [*lines, r"\end{tabular}", r"\end{table}"]


def set_latex(tables: TableSet, only: Sequence[str] = ()) -> str:
    """Return the tables of a result, or those with the given keys, as LaTeX to be included in a paper."""
    lines = [f"% {tables.title}: {tables.headline()}; needs \\usepackage{{booktabs}}"]
    lines += [f"% {visible(note)}" for note in tables.notes]
    for table in tables.chosen(only):
        lines += ["", *latex_table(table), f"% {visible(tables.methods[table.method])}"]
    return "\n".join(lines) + "\n"


def html_table(table: Table) -> Markup:
    """Return a table as HTML. Columns of words have the class ``word``, styled cells that of their style."""

    def cells(row: Sequence[str], tag: str) -> Iterator[Markup]:
        for at, cell in enumerate(row):
            names = ["word"] if table.alignment(at) != "r" else []
            names += [style] if (style := getattr(cell, "style", "")) else []
            about = Markup(' scope="col"') if tag == "th" else Markup()
            about += Markup(' class="{}"').format(" ".join(names)) if names else ""
            yield Markup("<{0}{1}>{2}</{0}>").format(Markup(tag), about, escape(str(cell)))  # noqa: S704 - our own tags

    def line(row: Sequence[str], tag: str) -> Markup:
        return Markup("<tr>{}</tr>").format(Markup().join(cells(row, tag)))

    body = Markup("\n").join(line(row, "td") for row in table.rows)
    head = line(table.heads, "th")
    return Markup('<table class="rank plainrank"><thead>{}</thead><tbody>{}</tbody></table>').format(
        head, body
    )


def csv_text(heads: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; what a row lacks, and None, is an empty field."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, heads, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: csv_cell(value) for key, value in row.items()})
    return stream.getvalue()


def csv_cell(value: Any) -> Any:
    """Return a value for a field of CSV; a text that a spreadsheet would take for a formula is made harmless."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
