"""Numbers as readers see them: units, scales, pairs, and what is no number at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.quantities import find_quantities


def read(text):
    return [(q.value, q.unit, q.kind) for q in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$1.2 billion", [(1.2e9, "USD", "currency")]),
        ("£3m and US$ 5bn", [(3e6, "GBP", "currency"), (5e9, "USD", "currency")]),
        ("3000元/吨", [(3000.0, "CNY/吨", "currency")]),
        ("达3亿元", [(3e8, "CNY", "currency")]),
        ("约3000多万人", [(3e7, "people", "measure")]),
        ("5亿千瓦时", [(5e8, "kWh", "measure")]),
        ("35 % or 35 percent", [(35.0, "%", "percent")] * 2),
        (
            "up 25 bps, 3个百分点, 2 percent points",
            [(0.25, "pp", "points"), (3.0, "pp", "points"), (2.0, "pp", "points")],
        ),
        ("-5% and (−3.2%)", [(-5.0, "%", "percent"), (-3.2, "%", "percent")]),
        ("p < .05", [(0.05, "", "count")]),
        ("in 2020, FY2023 and the 1990s", [(2020.0, "", "year"), (2023.0, "", "year"), (1990.0, "", "year")]),
        ("10km, 3-year, 2.5x", [(10.0, "km", "measure"), (3.0, "year", "measure"), (2.5, "x", "measure")]),
        ("第3章", [(3.0, "", "ordinal")]),
        ("1,046.5", [(1046.5, "", "count")]),
    ],
)
def test_values_and_units(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("近两成", [(20.0, "%")]),
        ("三成五的企业", [(35.0, "%")]),
        ("百分之三十五", [(35.0, "%")]),
        ("百分之三点五", [(3.5, "%")]),
        ("三千五百万元", [(3.5e7, "CNY")]),
        ("千亿元市场", [(1e11, "CNY")]),
        ("增长三倍", [(3.0, "x")]),
        ("一万二千人和3万5000人", [(12000.0, "people"), (35000.0, "people")]),
        ("１２．５％", [(12.5, "%")]),
        ("200BP", [(2.0, "pp")]),
        ("3.5‰", [(0.35, "%")]),
        ("500亩和3公顷", [(500.0, "mu"), (3.0, "ha")]),
        ("24年3月", [(2024.0, "")]),
        ("上世纪90年代", [(1990.0, "")]),
        ("in the 1970s-80s and the 90s", [(1970.0, ""), (1980.0, ""), (1990.0, "")]),
        ("three million users", [(3e6, "")]),
        ("twenty-five percent", [(25.0, "%")]),
        ("half of all and a quarter of some", [(50.0, "%"), (25.0, "%")]),
    ],
)
def test_numbers_in_words_and_other_spellings(text, expected):
    assert [(q.value, q.unit) for q in find_quantities(text)] == expected


def test_fractions_in_words_are_shares():
    assert [round(q.value, 2) for q in find_quantities("three quarters, two-thirds and 三分之一")] == [
        75,
        66.67,
        33.33,
    ]
    assert {q.spelled for q in find_quantities("two thirds")} == {"fraction"}


@pytest.mark.parametrize(
    "text",
    [
        "一成不变",
        "两成员国",
        "数百万人",
        "千万不要",
        "比例为3∶1",
        "比例为2：1",
        "the first half of the year",
        "a third option",
        "dozens of firms",
        "COVID-19",
        "GPT-4",
        "5G and 3D",
        "v3.2.1",
        "24/7",
        "10:30",
        "GB/T 39116-2020",
        "555-123-4567",
        "6.02×10²³",
        "CD8+ T",
        "\n1. First",
    ],
)
def test_names_and_codes_are_no_numbers(text):
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2024-05-01", [2024]),
        ("15 March 2023", [2023]),
        ("March 3, 2023", [2023]),
        ("2024年3月15日", [2024]),
        ("2023–24", [2023]),
    ],
)
def test_dates_give_their_year(text, years):
    assert [q.value for q in find_quantities(text)] == years


@pytest.mark.parametrize(
    ("text", "values", "unit"),
    [
        ("10–20 %", [10.0, 20.0], "%"),
        ("$10–20 billion", [10e9, 20e9], "USD"),
        ("5 to 8 million people", [5e6, 8e6], "people"),
        ("2000–3000 km", [2000.0, 3000.0], "km"),
        ("20％至30％", [20.0, 30.0], "%"),
    ],
)
def test_a_pair_shares_what_is_printed_once(text, values, unit):
    found = find_quantities(text)
    assert [q.value for q in found] == values
    assert {q.unit for q in found} == {unit}
    assert [q.pair for q in found] == ["first", "second"]


def test_years_before_an_amount_are_no_pair():
    assert [q.kind for q in find_quantities("from $1.2 billion in 2020 to 3,400 million")] == [
        "currency",
        "year",
        "count",
    ]


PIECES = st.sampled_from(
    [
        "5",
        "20",
        "1,000",
        "3.5",
        "2020",
        "%",
        " ",
        "-",
        "–",
        "to",
        "$",
        "亿",
        "元",
        "万",
        "年",
        "月",
        ".",
        ",",
        "x",
        "k",
        "pp",
        "percent points",
        "US",
        "⁰",
        "/",
        "第",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80))
def test_spans_are_in_order_and_inside(text):
    end = 0
    for quantity in find_quantities(text):
        assert end <= quantity.start < quantity.end <= len(text)
        end = quantity.end
