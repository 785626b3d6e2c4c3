"""The 70 questions are ours: ten a category, in two languages, none like another and none like the paper's."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.suites.finresearch.categories import CATEGORIES, EVALUATED
from assay.suites.finresearch.guess import guess
from assay.suites.finresearch.questions import alike, likeness, questions, too_like
from assay.text.language import detect_language

# What the seven examples of the paper's table 3 are about, by category; the wording is not repeated here.
EXAMPLES = {
    "stock_analysis": "geely automobile intelligent driving new vehicles competitiveness",
    "event_analysis": "trump administration tariffs apple supply chain a-share",
    "plate_selection": "evtol plate conceptual explanation fundamental",
    "sector_analysis": "cosmetics industry breakout opportunities trends",
    "morning_brief": "investment morning brief overnight us stock opening forecasts yesterday",
    "post_market_recap": "fund flows institutional fund retail fund inflow outflow",
    "expert_opinion": "sell-side analysts past 12 hours three most frequently recommended stocks",
}
# Names of which any one would give a copy away.
NAMES = re.compile(
    r"geely|吉利|trump|特朗普|apple supply|苹果产业链|evtol|cosmetic|化妆品|美妆|cashcat|retail fund",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def paper(root):
    """The questions of table 3, where the paper lies beside the checkout."""
    path = root.parent / "shared" / "papers" / "finresearchbench.txt"
    if not path.is_file():
        pytest.skip("the paper is not beside the checkout")
    titles = {item.title.lower() for item in CATEGORIES} | {"stock selection from given plate"}
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line.count("\t") == 1]
    found = [text for name, text in rows if name.strip().lower() in titles]
    assert len(found) == 7
    return found


def test_ten_for_each_evaluated_category():
    assert len(questions()) == 70
    assert Counter(item.category for item in questions()) == dict.fromkeys(EVALUATED, 10)
    assert len({item.id for item in questions()}) == 70


def test_the_two_languages():
    for item in questions():
        assert detect_language(item.query_zh) == "zh"
        assert detect_language(item.query_en) == "en"
        assert item.query_en[-1] in ".?"
        assert item.query_zh[-1] in "。？"
        # A translation and no stub: about as much is said.
        assert 0.7 < len(item.query_zh) * 3.2 / len(item.query_en) < 2.2, item.id
        assert item.query("zh") == item.query_zh


def test_none_is_tied_to_a_date():
    assert not [
        item.id
        for item in questions()
        if re.search(r"\b20[0-9]{2}\b|20\d\d\s?年", item.query_en + item.query_zh)
    ]


def test_none_names_what_the_papers_examples_are_about():
    assert not [item.id for item in questions() if NAMES.search(item.query_en + item.query_zh)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_two_are_alike(language):
    assert alike([item.query(language) for item in questions()]) == []


def test_none_is_like_an_example_by_its_terms():
    for item in questions():
        assert likeness(item.query_en, EXAMPLES[item.category]).terms < 0.2, item.id


def test_none_is_like_an_example_of_the_paper(paper):
    for item in questions():
        assert too_like(item.query_en, paper) == [], item.id
        assert max(likeness(item.query_en, text).terms for text in paper) < 0.2


def test_copies_are_found(paper):
    for text in paper:
        assert likeness(text, text).copied
        words = text.split()
        assert likeness(" ".join(words[: len(words) * 2 // 3]), text).copied
        assert likeness("Please " + text.lower().replace("analyze", "examine"), text).copied
    one, other = questions()[0], questions()[35]
    assert likeness(one.query_zh[: len(one.query_zh) // 2], one.query_zh).copied
    assert not likeness(one.query_zh, other.query_zh).copied


@given(st.text(max_size=120), st.text(max_size=120))
def test_likeness_is_symmetric_and_bounded(a, b):
    found = likeness(a, b)
    assert found == likeness(b, a)
    assert 0 <= found.runs <= 1
    assert 0 <= found.terms <= 1


def test_sixteen_categories_seven_evaluated():
    assert len(CATEGORIES) == len({item.key for item in CATEGORIES}) == 16
    assert [item.key for item in CATEGORIES[:7]] == list(EVALUATED)
    assert all(item.about and detect_language(item.about_zh) == "zh" for item in CATEGORIES)
    assert CATEGORIES[-1].key == "others"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_guess_on_our_questions_is_never_wrong(language):
    guesses = [(item, guess(item.query(language))) for item in questions()]
    assert [(item.id, found) for item, found in guesses if found and found.category != item.category] == []
    assert sum(found is not None for _, found in guesses) >= 45


def test_a_guess_on_the_papers_examples(paper):
    assert [guess(text).category for text in paper] == list(EVALUATED)


@pytest.mark.parametrize(
    ("query", "category"),
    [
        ("What is a convertible bond?", "investment_education"),
        ("市盈率怎么计算？", "investment_education"),
        ("Should I buy Nvidia now?", "trade_recommendation"),
        ("贵州茅台现在可以买吗", "trade_recommendation"),
        ("Why did Tesla shares fall yesterday?", "stock_movements"),
        ("比亚迪为什么大跌", "stock_movements"),
        ("Stocks with a P/E below 10 and ROE above 15%", "stock_filtering"),
        ("股息率高于 5% 且市盈率低于 10 的股票", "stock_filtering"),
        ("How fast will heat pumps spread in Poland?", None),
        ("爵士钢琴的风格演变研究", None),
        ("", None),
    ],
)
def test_guesses(query, category):
    found = guess(query)
    assert (found.category if found else None) == category


def test_no_guess_on_questions_about_other_things(shared):
    import json

    lines = (shared / "deepresearch_bench" / "queries.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    other = [guess(row["query"]) for row in rows if row["topic"] != "Finance & Business"]
    assert sum(found is not None for found in other) <= 2
