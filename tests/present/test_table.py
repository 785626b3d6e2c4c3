"""One table, written as text, Markdown, CSV, HTML and LaTeX: aligned, complete, and safe whatever stands in it."""

import csv
import io
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assay.errors import UsageError
from assay.present.display import Painter, width
from assay.present.markup import (
    csv_text,
    html_table,
    latex_cell,
    latex_table,
    markdown_table,
    set_latex,
    set_markdown,
)
from assay.present.table import NOTHING, StyledText, Table, TableSet, table_of
from assay.present.terminal import set_text, split_lines, table_lines

PLAIN = Painter(False)
NASTY = '再生水|*a* <b>"x"</b> & $5_#{100%}~^\\ [link](http://x)'


def table(**about):
    rows = [["再生水利用", "75.5 [73.7, 77.3]", "3"], ["heat pumps", "8.1", "12"]]
    return Table(**{"heads": ["subject", "share, %", "n"], "rows": rows, "title": "T", "method": "m"} | about)


def table_set(*tables):
    return TableSet(
        title="Set",
        facts=[("2", "reports")],
        judges=["j"],
        notes=["a note"],
        tables=tables,
        methods={"m": "how it is done"},
    )


def test_columns_align_under_wide_characters():
    lines = table_lines(table(), PLAIN)
    assert lines[0] == "subject              share, %   n"
    assert lines[1] == "再生水利用  75.5 [73.7, 77.3]   3"
    assert {width(line) for line in lines} == {33}


def test_a_table_too_wide_loses_spare_columns_then_intervals_then_words():
    wide = table(spare=1)
    assert "no room for: n" in "\n".join(table_lines(wide, PLAIN, 30))
    narrow = "\n".join(table_lines(wide, PLAIN, 20))
    assert "[" not in narrow
    assert "75.5" in narrow
    for columns in (24, 30, 40):
        assert all(width(line) <= columns for line in table_lines(wide, PLAIN, columns))


def test_paths_are_cut_at_their_beginning_and_words_at_their_end():
    long = Table(
        heads=["path", "words"], rows=[["a/very/long/path/report.md", "many words in a row"]], align="pl"
    )
    line = table_lines(long, PLAIN, 30)[1]
    assert line.startswith("…")
    assert "report.md" in line
    assert line.endswith("…")


def test_what_is_the_same_as_above_is_not_repeated():
    same = Table(heads=["a", "b", "n"], rows=[["x", "y", "1"], ["x", "z", "2"]], align="ll")
    assert table_lines(same, PLAIN)[2] == "   z  2"


def test_columns_that_say_nothing_are_left_out_of_text():
    empty = Table(heads=["a", "b", "c"], rows=[["x", "0", "1"], ["y", "", "2"]], omit=NOTHING)
    assert table_lines(empty, PLAIN)[0] == "a  c"


def test_a_table_of_many_columns_is_split():
    many = Table(heads=["a", *(f"column {n}" for n in range(9))], rows=[["x", *"123456789"]])
    lines = split_lines(many, PLAIN, 40)
    assert all(width(line) <= 40 for line in lines)
    assert sum(line.startswith("x") for line in lines) == 3


def test_styles_are_for_terminals_and_pages():
    styled = Table(heads=["a", "b"], rows=[["x", StyledText("3", "error")]])
    assert "\x1b[1;31m3" in table_lines(styled, Painter(True))[1]
    assert "\x1b" not in "".join(table_lines(styled, PLAIN))
    assert '<td class="error">3</td>' in html_table(styled)


def test_columns_come_from_functions():
    made = table_of([1, 2], [("n", str), (("double", "square"), lambda n: (str(2 * n), str(n * n)))])
    assert made.heads == ["n", "double", "square"]
    assert made.rows[1] == ["2", "4", "4"]


def test_markdown_has_even_rows_and_no_foreign_markup():
    lines = markdown_table(Table(heads=["a|b", "n"], rows=[[NASTY, "75.5 [73.7, 77.3]"]]))
    html = MarkdownIt("commonmark").enable("table").render("\n".join(lines))
    assert lines[1] == "|---|---:|"
    assert html.count("<td") == 2
    assert "<b>" not in html
    assert "<em>" not in html
    assert "<a " not in html
    assert "75.5 [73.7, 77.3]" in html
    assert "再生水|*a*" in html


def test_csv_keeps_quotes_and_disarms_formulas():
    text = csv_text(["a", "b", "c"], [{"a": '=1+1"', "b": -0.5, "c": None}, {"a": "再生水,\n水"}])
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [["a", "b", "c"], ["'=1+1\"", "-0.5", ""], ["再生水,\n水", "", ""]]


class Cells(HTMLParser):
    def __init__(self):
        super().__init__()
        self.texts = []
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data)


def test_html_escapes_and_marks_columns_of_words():
    html = html_table(Table(heads=["a", "n"], rows=[[NASTY, "1"]]))
    cells = Cells()
    cells.feed(html)
    assert NASTY in cells.texts
    assert "b" not in cells.tags
    assert '<th scope="col" class="word">a</th>' in html


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("50 % & more_", r"50 \% \& more\_"),
        ("a\\b{c}", r"a\textbackslash{}b\{c\}"),
        ("~^#$", r"\textasciitilde{}\textasciicircum{}\#\$"),
        ("−3.0", "$-$3.0"),
        ("再生水", "再生水"),
    ],
)
def test_latex_specials_are_themselves(text, shown):
    assert latex_cell(text) == shown


def test_latex_has_as_many_columns_as_heads():
    lines = latex_table(table())
    assert r"\begin{tabular}{lrr}" in lines
    assert all(line.count(" & ") == 2 for line in lines if line.endswith(r"\\"))


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_cell_keeps_its_row_in_every_format(cell):
    odd = Table(heads=["a", "n"], rows=[[cell, "1"]])
    [_, _, row] = markdown_table(odd)
    tokens = MarkdownIt("commonmark").enable("table").parse("\n".join(markdown_table(odd)))
    assert "\n" not in row
    assert sum(token.type == "td_open" for token in tokens) == 2
    assert len(table_lines(odd, PLAIN, 60)) == 2
    assert html_table(odd).count("<td") == 2
    assert "\n" not in latex_cell(cell)


def test_a_set_is_written_whole_or_by_name():
    tables = table_set(table(key="strata-domain"), table(key="other", title="O"))
    assert set_text(tables, PLAIN, 80).count("subject") == 2
    assert set_markdown(tables, ["strata"]).count("## ") == 1
    assert set_latex(tables).count(r"\begin{table}") == 2
    assert set_markdown(tables).count("how it is done") == 1
    with pytest.raises(UsageError, match="no table is called 'othr'"):
        set_text(tables, PLAIN, 80, ["othr"])
