"""What the number checks build on: sentences with their numbers taken out, groups of shares, from-to statements."""

import pytest

from assay.checks.base import Context
from assay.checks.num import (
    conflicting_values,
    difference_or_ratio_mismatch,
    growth_mismatch,
    reversed_range,
    shares_exceed_whole,
    table_total,
)
from assay.checks.num._changes import changes, years_between
from assay.checks.num._numbers import CURRENCY, PERCENT, RANGE, YEAR, number_lines
from assay.subjects.report import Report


def lines(text):
    return number_lines(Report(text))


def messages(module, text):
    return [hit.message.text("en") for hit in module.CHECK.run(Report(text), Context())]


def test_a_line_has_one_character_for_each_number():
    (line,) = lines("Sales grew from **$1.2 billion** in 2020 to $2.4 billion (5–8 % a year, +100%).")
    assert line.text == f"sales grew from {CURRENCY} in {YEAR} to {CURRENCY} ({RANGE} a year, {PERCENT})."
    assert [line.at(line.text.index(mark)).value for mark in (CURRENCY, YEAR, PERCENT)] == [
        1.2e9,
        2020.0,
        100.0,
    ]
    assert line.seconds[3].value == 8.0
    assert line.percents == 1


def test_private_use_characters_of_the_source_do_no_harm():
    (line,) = lines(f"Odd {PERCENT} text with 5 %.")
    assert line.text.count(PERCENT) == 1


def test_a_dump_of_numbers_is_no_sentence():
    assert lines("1 2 3 " * 100) == []


@pytest.mark.parametrize(
    ("text", "ends", "years"),
    [
        ("It grew from $2 billion in 2020 to $4 billion in 2030.", (2e9, 4e9), (10.0,)),
        ("It reached $120 million in 2023, up 20% from $100 million in 2021.", (100e6, 120e6), (2.0,)),
        ("规模从2020年的100亿元增长到2023年的150亿元。", (100e8, 150e8), (3.0,)),
    ],
)
def test_changes_have_their_years(text, ends, years):
    (line,) = lines(text)
    change = next(iter(changes(line)))
    assert (change.first.value, change.last.value) == ends
    assert years_between(line, change) == years


@pytest.mark.parametrize(
    "text",
    [
        "Gold fell from $1,695 in 2013 to $1,200 in 2014, a drop of 29%.",
        "Valued at $60.7 billion in 2024, it will reach $255.3 billion by 2037, a CAGR of 12.7% from 2025.",
        "The share rose from 3% to 5%, up 2 percentage points.",
        "Response time improved from 10 s to 5 s, and its ranking rose from 12 to 5.",
        "产能从100万吨翻了一番，达到200万吨。",
    ],
)
def test_growth_that_follows_is_left_alone(text):
    assert messages(growth_mismatch, text) == []


def test_growth_is_compared_with_the_exact_rate():
    (message,) = messages(growth_mismatch, "Gold fell from $1,695 in 2013 to $1,200 in 2014, a drop of 45%.")
    assert "29.2 %" in message
    assert "45%" in message


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The response rate was 75% (45/60).", 0),
        ("The response rate was 55% (45/60).", 1),
        ("20% of 500 firms (150) agreed.", 1),
        ("A total of 100 sites (including 30 in A and 20 in B) were seen.", 0),
        ("It cost $90, twice the $30 of 2019.", 1),
        ("Together 120 + 80 = 200.", 0),
    ],
)
def test_arithmetic_in_a_sentence(text, wrong):
    assert len(messages(difference_or_ratio_mismatch, text)) == wrong


@pytest.mark.parametrize(
    "text",
    [
        "Of the budget, staff accounts for 60%, of which 45% is for engineers, and rent for 40%.",
        "Adults account for 60% of users and 55% of revenue, by market share 48%.",
        "The market share was 60% in 2021, 55% in 2022, and 52% in 2023.",
    ],
)
def test_percents_of_several_wholes_are_not_added(text):
    assert messages(shares_exceed_whole, text) == []


def test_same_words_about_another_name_do_not_conflict():
    text = "Alpha trained its model on 32 chips and needed 16 hours.\n\nBeta trained its model on 16 chips and needed 6 hours."
    assert messages(conflicting_values, text) == []


def test_another_year_does_not_conflict():
    text = "The global heat pump market was worth $4.5 billion in 2022.\n\nThe global heat pump market was worth $5.4 billion in 2023."
    assert messages(conflicting_values, text) == []


def test_a_slipped_scale_is_not_reported_twice():
    text = "The fund committed $30 million to rural broadband in 2022.\n\nThe fund committed $30 billion to rural broadband in 2022."
    assert len(messages(conflicting_values, text)) == 1


def test_a_total_column_needs_rows_that_add_up():
    head = "| Team | Reach | Depth | Total |\n|---|---|---|---|\n"
    good = "| A | 3 | 4 | 7 |\n| B | 5 | 4 | 9 |\n| C | 2 | 2 | 4 |\n"
    assert messages(table_total, head + good) == []
    assert len(messages(table_total, head + good + "| D | 5 | 5 | 9 |\n")) == 1
    weighted = "| A | 3 | 4 | 3.6 |\n| B | 5 | 4 | 4.3 |\n| C | 2 | 2 | 2.0 |\n"
    assert messages(table_total, head + weighted) == []


@pytest.mark.parametrize(
    "text", ["pp. 2010–1998", "from 2070 to 1600 BC", "Cases fell from 2000 to 1800.", "the 2023–24 season"]
)
def test_what_looks_like_reversed_years(text):
    assert messages(reversed_range, text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The rate rose from 12% to 15%, up 5 percentage points.", 1),
        ("The rate rose from 12% to 15%, up 3 percentage points.", 0),
        ("The rate rose by 3 percentage points from 12% to 15%.", 0),
        ("渗透率由12.5%提升至15%，提高3.5个百分点。", 1),
        ("渗透率由12.5%提升至15%，提高2.5个百分点。", 0),
        ("利率由3.45%降至3.35%，下降10个基点。", 0),
        ("Between 2020 and 2023 staff grew from 128 to 2,048 and revenue per head rose 37%.", 0),
    ],
)
def test_points_and_percent(text, wrong):
    assert len(messages(growth_mismatch, text)) == wrong


@pytest.mark.parametrize(
    "text",
    [
        "## North\n\n- **Size**: tablet revenue of $11 million in 2025\n\n## South\n\n- **Size**: tablet revenue of $3 million in 2025\n",
        "# Prices\n\n- **`a-1`**: $1.25 per 1M input tokens\n- **`a-2`**: $0.25 per 1M input tokens\n",
        "According to Acme, the pump market was worth $5 million.\n\nAccording to Beta, the pump market was worth $7 million.",
        "在剑桥，Nature指数份额为450。\n\n在马里兰，Nature指数份额为164。",
        "在样本城市中，高依赖城市占两成。\n\n在样本城市中，低依赖城市占七成。",
    ],
)
def test_parallel_statements_do_not_conflict(text):
    assert messages(conflicting_values, text) == []


def test_three_groups_may_overlap():
    assert messages(shares_exceed_whole, "玩家分布（53%男性，46%女性，6%少数群体）。") == []


def test_long_rates_are_printed_in_full():
    (message,) = messages(growth_mismatch, "Sales grew from $10 million to $129 million, an increase of 40%.")
    assert "1,190 %" in message


@pytest.mark.parametrize(
    "text",
    [
        "A total of 300 patients (120 women and 200 men) took part.",
        "样本共100人，其中60人（50%）为女性。",
        "在80例患者中，20例好转（40%）。",
    ],
)
def test_parts_of_people(text):
    assert len(messages(difference_or_ratio_mismatch, text)) == 1


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("销售额由三千万元增长到六千万元，增长50%。", 1),
        ("产能由50万吨翻了一番，达到80万吨。", 1),
        ("Prices rose from $10 to $20, and volumes rose 30%.", 0),
        ("The throughput rose 37% as the cluster grew from 128 to 2,048 GPUs.", 0),
        ("库存同比下降30%，周转天数由60天降至40天，下降33%。", 0),
    ],
)
def test_rates_belong_to_their_own_values(text, wrong):
    assert len(messages(growth_mismatch, text)) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "# R\n\n## Summary\n\nAlpha's revenue was $5.2 million in 2023.\n\n## Details\n\nIn 2023 Alpha's revenue was $4.1 million.",
            1,
        ),
        ("Alpha had revenue of $5 million in Q1 2023.\n\nAlpha had revenue of $6 million in Q2 2023.", 0),
        ("In Germany sales reached $5 million in 2023.\n\nIn France sales reached $4 million in 2023.", 0),
        ("甲公司营收为35亿元。\n\n乙公司营收为53亿元。", 0),
        ("《长河》首日票房为1.5亿元。\n\n《长河》累计票房为15.2亿元。", 0),
    ],
)
def test_one_value_for_one_thing(text, wrong):
    assert len(messages(conflicting_values, text)) == wrong
