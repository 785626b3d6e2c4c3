"""Figures of a report: what they measure, whose they are, when, and how exactly they are stated."""

import pytest

from assay.subjects.figure_words import measures_in
from assay.subjects.report import Report
from assay.subjects.same_figure import agree


def figure(text: str, index: int = 0):
    return Report(text).figures[index]


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("Alpha's revenue reached $5 million in 2023.", "revenue"),
        ("Alpha employs 450 people.", "employees"),
        ("It has a 5 % market share.", "market_share"),
        ("《山海》累计票房达12.3亿元。", "box_office"),
        ("2023年销量达到949万辆。", "sales"),
        ("It ran for 5 km.", ""),
    ],
)
def test_measures_have_one_name(text, measure):
    assert figure(text).measure == measure


def test_a_table_cell_has_the_row_as_subject_and_the_header_as_measure():
    table = "| Firm | Revenue 2023 | Staff |\n|---|---|---|\n| Alpha | $5 million | 300 |\n"
    first, second = Report(table).figures
    assert (first.measure, first.subject, first.years) == ("revenue", {"alpha"}, (2023,))
    assert second.subject == {"alpha"}
    assert second.sentence is None


def test_the_subject_is_the_clause_or_else_the_heading():
    assert "pump" in figure("The heat pump market was worth $5 billion.").subject
    assert figure("# Alpha\n\nRevenue: $5 million\n").subject == {"alpha"}


@pytest.mark.parametrize(
    ("text", "exactness"),
    [
        ("It has 50 km.", "exact"),
        ("It has about 50 km.", "about"),
        ("It has more than 50 km.", "at least"),
        ("It has up to 50 km.", "at most"),
        ("不到30%的企业。", "at most"),
        ("至少30%的企业。", "at least"),
        ("约30%的企业。", "about"),
        ("三分之一的企业。", "about"),
        ("30%以上的企业。", "at least"),
    ],
)
def test_exactness(text, exactness):
    assert figure(text).exactness == exactness


def test_changes_forecasts_and_sources():
    assert figure("Sales rose by 5 %.").change
    assert figure("销量同比增长5%。").change
    assert not figure("The share is 5 %.").change
    assert figure("Sales are expected to reach $5 million.").modality == "forecast"
    assert figure("If sales reach $5 million, all is well.").modality == "hypothetical"
    assert figure("According to Acme, sales reached $5 million.").attributed


def test_the_year_beside_a_figure_is_its_year():
    report = Report("Sales were $5 million in 2020 and $9 million in 2023.")
    assert [f.years for f in report.figures] == [(2020,), (2023,)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("It has 50 km.", "It has 51 km.", False),
        ("It has 50 km.", "It has about 52 km.", True),
        ("It has 50 km.", "It has over 40 km.", True),
        ("It has 50 km.", "It has over 60 km.", False),
        ("It cost $4.53 million.", "It cost $4.5 million.", True),
        ("It cost $4.53 million.", "It cost $4.7 million.", False),
    ],
)
def test_agreement(one, other, same):
    assert agree(figure(one), figure(other)) is same


def test_measures_of_a_question():
    assert measures_in("What are the revenue and the market share of Alpha?") == ["revenue", "market_share"]
    assert measures_in("2023年的销量和市场规模是多少？") == ["sales", "market_size"]
