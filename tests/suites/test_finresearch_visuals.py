"""Tables and figures that are there, what the text makes of them, and what it only announces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.subjects.report import Report
from assay.suites.finresearch.mentions import label_of
from assay.suites.finresearch.visuals import find_visuals

TABLE = "| Year | Sales | Share |\n|---|---|---|\n| 2022 | 1,250 | 31.5% |\n| 2023 | 1,400 | 34.0% |\n"


def visuals(text: str):
    return find_visuals(Report(text))


def test_prose_alone_has_none():
    found = visuals(
        "# Title\n\nThe table of contents is short. A chart would help. See [the figure](https://x.example).\n"
    )
    assert not found
    assert found.items == ()
    assert found.absent == ()


def test_a_table_its_caption_and_the_numbers_the_text_takes_up():
    found = visuals(
        f"# T\n\nTable 2: Sales by year\n\n{TABLE}\nAs Table 2 shows, sales reached 1,400 and the share 34.0%. Costs were 77.\n"
    )
    (table,) = found.items
    assert (table.kind, table.number, table.title, table.size) == (
        "table", "2", "Table 2: Sales by year", "2 rows, 3 columns",
    )  # fmt: skip
    assert table.mentions == 1
    assert (table.numbers, table.shared) == (4, 2)  # years are no figures to take up
    assert found.absent == ()


@pytest.mark.parametrize(
    ("text", "kind", "title"),
    [
        ("![Figure 1: Revenue](rev.png)\n", "image", "Figure 1: Revenue"),
        ('<img src="a.png" alt="Chart 3 – Prices">\n', "image", "Chart 3 – Prices"),
        ("<figure><img src='a.png'></figure>\n", "image", ""),
        ("```mermaid\ngraph TD\n A --> B\n```\n", "diagram", ""),
        ("```vega-lite\n{}\n```\n\nFigure 4. Flows\n", "diagram", "Figure 4. Flows"),
        ("![营收走势](x.png)\n\n图2：营收走势\n", "image", "图2：营收走势"),
        ("<table><tr><td>1</td></tr><tr><td>2</td></tr></table>\n", "table", ""),
    ],
)
def test_what_counts_as_a_visual(text, kind, title):
    (item,) = visuals(f"# T\n\nWords.\n\n{text}\nMore words.\n").items
    assert (item.kind, item.title) == (kind, title)


@pytest.mark.parametrize(
    "text",
    [
        "![a chart]()",
        "![a chart](placeholder.png)",
        '<img alt="Figure 1">',
        "```python\nplot()\n```",
        "```\n![x](y.png)\n```",
        "`![x](y.png)`",
        "[Insert chart here]",
        "```mermaid\n```",
    ],
)
def test_what_does_not(text):
    assert not visuals(f"# T\n\nWords.\n\n{text}\n\nMore.\n")


def test_pointing_by_place():
    found = visuals(
        f"# T\n\nThe following table gives sales.\n\n{TABLE}\nThe table above is final. The chart below is not.\n"
    )
    (table,) = found.items
    assert table.mentions == 2


def test_chinese_pointing():
    text = f"# 题\n\n如下表所示，销售额增长。\n\n{TABLE}\n由上表可知，份额为 34.0%。代表性公司如下。如图 3 所示。\n"
    found = visuals(text)
    assert found.items[0].mentions == 2
    assert found.items[0].shared == 1
    assert found.absent == ("图 3",)


def test_figures_that_are_announced_and_not_there():
    found = visuals("# T\n\nFigure 1: Revenue by region, 2020–2024\n\nAs Figure 1 shows, revenue grew.\n")
    assert not found
    assert found.absent == ("Figure 1: Revenue by region, 2020–2024", "Figure 1")


def test_tables_of_other_documents_are_not_missed():
    assert (
        visuals("# T\n\nTable 2 of the IMF report gives growth; so does the bank's Table 4.\n").absent == ()
    )


def test_unnumbered_tables_are_counted_off():
    found = visuals(
        f"# T\n\nTable 2 is better than Table 1, and Table 3 is best.\n\n{TABLE}\nWords.\n\n{TABLE}\n"
    )
    assert [item.mentions for item in found.items] == [1, 1]
    assert found.absent == ("Table 3",)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Table 2: Sales", ("table", "2")),
        ("**Exhibit 4** – Flows", ("figure", "4")),
        ("表3：利润", ("table", "3")),
        ("图二 走势", ("figure", "二")),
        ("Tables are useful", None),
        ("代表 3 家公司", None),
    ],
)
def test_labels(text, label):
    assert label_of(text) == label


@given(st.text(alphabet="Table 2Figure表图1|-\n#!<img>`[](). 如下上src=mermaid", max_size=300))
def test_never_raises_and_spans_are_in_the_report(text):
    found = visuals(text)
    assert all(0 <= item.span.start <= item.span.end <= len(text) for item in found.items)
    assert all(item.shared <= item.numbers for item in found.items)


def test_real_reports(real_reports):
    found = [find_visuals(Report(row.get("report") or row["article"])) for row in real_reports]
    assert any(found)
    assert any(not item for item in found)
    assert all(visual.span.end > visual.span.start for item in found for visual in item.items)
