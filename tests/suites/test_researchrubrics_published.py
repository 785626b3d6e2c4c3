"""What can be recomputed from ResearchRubrics' own published tables is."""

import math

import pytest

from assay.measures.correlation import pearson, spearman
from assay.measures.intervals import summary_interval

# Table 9: tasks, mean, deviation, 95 % interval of the words of the prompts. The intervals are t intervals only if the
# deviations printed beside them divide by n, and not by n - 1 as ours do.
ALL = (101, 87.6, 58.6, 76.0, 99.2)
DOMAINS = {
    "AI & ML": (17, 61.8, 44.8, 38.0, 85.5),
    "Business Planning & Research": (12, 111.0, 56.2, 73.7, 148.3),
    "Creative Writing": (6, 69.2, 19.9, 46.2, 92.1),
    "Current Events": (5, 51.0, 20.1, 23.1, 78.9),
    "General Consumer Research": (11, 138.4, 80.2, 81.9, 194.9),
    "Historical Analysis": (13, 81.5, 50.2, 49.9, 113.1),
    "Hypotheticals & Philosophy": (11, 78.3, 45.4, 46.3, 110.2),
    "Other": (6, 61.2, 22.6, 35.2, 87.2),
    "STEM": (8, 80.0, 43.9, 40.8, 119.2),
    "Technical Documentation": (12, 112.3, 69.1, 66.5, 158.2),
}
BREADTH = {
    "Simple": (36, 79.1, 58.7, 59.0, 99.2),
    "Moderate": (52, 91.2, 60.7, 74.1, 108.3),
    "High": (13, 96.8, 45.4, 68.3, 125.4),
}
NESTING = {
    "Shallow": (19, 88.9, 65.8, 56.4, 121.5),
    "Intermediate": (46, 72.4, 40.4, 60.3, 84.5),
    "Deep": (36, 106.4, 68.0, 83.0, 129.7),
}
EXPLORATION = {
    "Low": (29, 75.6, 55.1, 54.3, 96.9),
    "Medium": (55, 80.8, 48.9, 67.5, 94.2),
    "High": (17, 130.1, 72.7, 91.5, 168.6),
}
SPLITS = {"domain": DOMAINS, "breadth": BREADTH, "nesting": NESTING, "exploration": EXPLORATION}
# Table 10: mean, deviation, median, least, most.
WORDS = {
    "ChatGPT": (6269.73, 3684.21, 5481, 1328, 18824),
    "Gemini": (7519.32, 2447.70, 7562, 2909, 14640),
    "Perplexity": (1828.61, 1127.70, 1579, 128, 7352),
}
TOKENS = {
    "ChatGPT": (10169.57, 5885.79, 9075, 2103, 30233),
    "Gemini": (12153.31, 4028.00, 11710, 4530, 26421),
    "Perplexity": (3664.36, 2006.01, 3241, 539, 14148),
}
# Table 3: compliance by people, ternary and binary.
COMPLIANCE = {"Gemini": (0.677, 0.615), "ChatGPT": (0.664, 0.597), "Perplexity": (0.566, 0.487)}


@pytest.mark.parametrize("row", [ALL, *(row for split in SPLITS.values() for row in split.values())])
def test_intervals_of_table_9_are_t_intervals(row):
    n, mean, sd, low, high = row
    sample = sd * math.sqrt(n / (n - 1))
    # The mean and the ends are rounded to 0.05, the deviation to 0.05 times t / sqrt(n).
    room = 0.1 + 0.05 * summary_interval(0, 1, n)[1] + 1e-9
    assert summary_interval(mean, sample, n) == pytest.approx((low, high), abs=room)


def test_the_deviations_of_table_9_divide_by_the_number():
    n, mean, sd, low, _ = DOMAINS["Current Events"]
    assert abs(summary_interval(mean, sd, n)[0] - low) > 2


@pytest.mark.parametrize("split", SPLITS)
def test_every_split_of_table_9_makes_up_all_prompts(split):
    rows = SPLITS[split].values()
    assert sum(row[0] for row in rows) == 101
    mean = sum(row[0] * row[1] for row in rows) / 101
    assert mean == pytest.approx(ALL[1], abs=0.1)
    within = sum(row[0] * row[2] ** 2 for row in rows)
    between = sum(row[0] * (row[1] - mean) ** 2 for row in rows)
    assert math.sqrt((within + between) / 101) == pytest.approx(ALL[2], abs=0.1)


def test_prompts_grow_with_breadth_and_exploration_but_not_with_nesting():
    means = {
        name: [row[1] for row in SPLITS[name].values()] for name in ("breadth", "exploration", "nesting")
    }
    assert means["breadth"] == sorted(means["breadth"])
    assert means["exploration"] == sorted(means["exploration"])
    # The text says of all three that they do; of nesting the table does not.
    assert means["nesting"] != sorted(means["nesting"])


def test_the_three_domains_of_long_prompts():
    long = {name for name, row in DOMAINS.items() if row[1] > 100}
    assert long == {"General Consumer Research", "Technical Documentation", "Business Planning & Research"}


def test_compliance_falls_where_half_marks_are_taken_away_and_the_order_stays():
    ternary, binary = ([pair[at] for pair in COMPLIANCE.values()] for at in (0, 1))
    assert all(low < high < 0.7 for high, low in COMPLIANCE.values())
    assert spearman(ternary, binary).value == pytest.approx(1)
    # A fall of d means half marks on 2d of the positive weight, less what half marks on negative weight give back.
    assert [round(2 * (high - low), 3) for high, low in COMPLIANCE.values()] == [0.124, 0.134, 0.158]


def test_longer_systems_comply_better_but_three_points_prove_nothing():
    words = [WORDS[name][0] for name in COMPLIANCE]
    found = pearson(words, [pair[0] for pair in COMPLIANCE.values()])
    assert found.value == pytest.approx(0.99, abs=0.01)
    assert (found.low, found.reason) == (None, "too few points for an interval")


def test_table_10_orders_systems_alike_in_words_and_tokens():
    for table in (WORDS, TOKENS):
        assert sorted(table, key=lambda name: -table[name][0]) == ["Gemini", "ChatGPT", "Perplexity"]
        assert all(
            low <= median <= high and low <= mean <= high for mean, _, median, low, high in table.values()
        )
    ratios = {name: TOKENS[name][0] / WORDS[name][0] for name in WORDS}
    assert ratios == pytest.approx({"ChatGPT": 1.622, "Gemini": 1.616, "Perplexity": 2.004}, abs=0.001)


@pytest.mark.parametrize(("r", "told"), [(0.20, True), (0.24, True), (0.28, True), (0.19, False)])
def test_the_published_length_correlations_over_101_tasks_differ_from_none_by_little(r, told):
    # Data of exactly that correlation: a second variable at a right angle to the first is mixed in.
    x = [math.cos(2 * math.pi * at / 101) for at in range(101)]
    z = [math.sin(2 * math.pi * at / 101) for at in range(101)]
    found = pearson(x, [r * a + math.sqrt(1 - r * r) * b for a, b in zip(x, z, strict=True)])
    assert found.value == pytest.approx(r)
    assert (found.low > 0) is told
    assert found.low < 0.1


def test_breadth_against_accuracy_of_citations():
    # Section 4.5: 111 citations at 81 %, 31 at 90 %: the broader has three times as many sound ones, and seven as many not.
    gemini, perplexity = (111, 0.81), (31, 0.90)
    assert round(gemini[0] * gemini[1]) == 90
    assert round(perplexity[0] * perplexity[1]) == 28
    assert gemini[0] * (1 - gemini[1]) / (perplexity[0] * (1 - perplexity[1])) == pytest.approx(6.8, abs=0.1)


def test_criteria_a_task_and_responses():
    assert round(2593 / 101, 1) == 25.7
    assert 3 * 101 == 303
