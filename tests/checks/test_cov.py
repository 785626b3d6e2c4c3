"""Coverage of the query: what the examples of the checks do not show."""

from __future__ import annotations

import pytest

from assay.checks.base import Context
from assay.checks.cov.figure_not_given import CHECK as FIGURE
from assay.checks.cov.requested_form_missing import CHECK as FORM
from assay.checks.cov.thin_section import CHECK as THIN
from assay.subjects.query_figures import read_figures
from assay.subjects.report import Report


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("Answer in under 50 words.", "It works well in most homes. " * 10, "the report has 60"),
        ("Answer in under 60 words.", "It works well in most homes. " * 10, None),
        (
            "Please write the report in Chinese.",
            "The report is written in the wrong language, as can be seen.",
            "English",
        ),
        ("List the top 10 insurers.", "The largest are A, B, C, D and E.", "has 4"),
        ("List the top 10 insurers.", "\n".join(f"{n}. Insurer number {n}" for n in range(1, 11)), None),
        ("Include images of the devices.", "![device](a.png)\n\nThe device is small.", None),
    ],
)
def test_requested_forms(query, text, found):
    hits = list(FORM.run(Report(text, query=query), Context()))
    if found is None:
        assert not hits
    else:
        (hit,) = hits
        assert found in hit.message.text("en")


@pytest.mark.parametrize(
    ("query", "heads"),
    [
        ("How many elderly people will there be in Japan?", ["elderly"]),
        ("What are the growth rate and the market share of each firm?", ["growth rate", "market share"]),
        ("How does climate change affect efficiency, cost and risk?", []),
        ("死刑、死缓的数量、比例、减刑率。", ["数量", "比例", "减刑率"]),
        ("如何提高准确率、降低成本和提升效率？", []),
    ],
)
def test_figures_that_queries_ask_for(query, heads):
    assert sorted(asked.head for asked in read_figures(query)) == sorted(heads)


FILLER = "各家厂商在价格和服务上竞争，用户两者都看重。" * 26


@pytest.mark.parametrize(
    "text",
    [
        "## 份额\n\n甲占三成，乙占一半。",
        "## 份额\n\n| 厂商 | 份额 |\n|---|---|\n| 甲 | 40% |\n",
        "## 份额\n\n份额尚未公开。",
        "## 竞争\n\n各家竞争激烈。",
    ],
)
def test_figures_that_are_given_or_cannot_be(text):
    query = "国内碳滑板主要厂商的份额"
    assert not list(FIGURE.run(Report(f"# 碳滑板\n\n{FILLER}\n\n{text}\n", query=query), Context()))


def test_a_card_of_data_is_no_thin_section():
    prose = "The survey covered forty plants and their staff in all regions of the country. " * 9
    text = f"# R\n\n## Client\n\n- Date: May 2025\n- Client: A\n\n## Plants\n\n{prose}\n\n## Staff\n\n{prose}\n\n## Pay\n\n{prose}\n"
    assert not list(THIN.run(Report(text, query="Survey the plants."), Context()))
