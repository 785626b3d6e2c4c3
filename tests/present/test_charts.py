"""Charts: well-formed, told in words too, and nothing foreign gets in."""

import itertools
import math
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from assay.present.chart import PAGE, PHONE, label_lines, text_width
from assay.present.charts import Bar, BarGroup, Dot, _ticks, bars, scatter
from assay.present.heat_map import HeatCell, heat

SHARES = st.one_of(st.none(), st.floats(-3, 1.2))
# What XML can hold; the page shows other characters as marks long before this.
TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Cn", "Co")), max_size=40)


def tree(chart, across=PHONE):
    return ET.fromstring(str(chart.svg(across)))


def texts(markup):
    return [node.text for node in tree(markup).iter("text")]


def test_a_chart_has_a_title_and_a_description_it_is_labelled_by():
    chart = tree(bars([], key="k", title="A <b>", about="Said & done"))
    assert chart.get("role") == "img"
    names = chart.get("aria-labelledby").split()
    assert [chart.find(f"*[@id='{name}']").text for name in names] == ["A <b>", "Said & done"]


def test_a_bar_is_as_long_as_its_value_and_says_it():
    group = BarGroup(
        "", [Bar(label="x", value=0.5), Bar(label="y", value=0.25, second=0.125), Bar(label="z", value=None)]
    )
    chart = bars([group], key="k", title="t", about="")
    wide = [float(node.get("width")) for node in tree(chart).iter("rect")]
    assert wide[0] == pytest.approx(2 * wide[2], abs=0.2)
    assert wide[2] == pytest.approx(2 * wide[1], abs=0.2)
    assert [text for text in texts(chart) if "." in text or text == "–"] == ["50.0 %", "25.0 · 12.5 %", "–"]


def test_charts_given_one_reach_have_one_axis():
    small, large = (
        [
            text
            for text in texts(
                bars([BarGroup("", [Bar(label="x", value=value)])], key="k", title="t", about="", reach=0.8)
            )
            if text.endswith(" %") and "." not in text
        ]
        for value in (0.1, 0.7)
    )
    assert small == large == ["0 %", "20 %", "40 %", "60 %", "80 %"]


@given(
    st.lists(
        st.builds(
            Bar,
            label=TEXT,
            value=SHARES,
            low=SHARES,
            high=SHARES,
            second=SHARES,
            series=st.integers(0, 40),
            about=TEXT,
        ),
        max_size=8,
    ),
    TEXT,
)
@settings(max_examples=80, deadline=None)
def test_bars_are_well_formed_whatever_the_values(items, label):
    chart = tree(bars([BarGroup(label, items)], key="k", title=label, about=label))
    for node in chart.iter("rect"):
        assert float(node.get("width")) >= 0
        assert 0 <= float(node.get("x")) <= 360


@given(
    st.lists(
        st.builds(
            Dot, x=st.floats(0, 1e6), y=st.floats(-2, 1), about=TEXT, series=st.integers(0, 40), label=TEXT
        ),
        max_size=20,
    ),
    st.lists(TEXT, max_size=8),
)
@settings(max_examples=80, deadline=None)
def test_points_stay_inside(dots, names):
    chart = scatter(dots, names=names, key="k", title="t", about="", x="words", y="compliance")
    marks = [node.get("d") for node in tree(chart).iter("path") if "dot-mark" in (node.get("class") or "")]
    assert len(marks) == len(dots) + len(names)
    for mark in marks[: len(dots)]:
        x, y = map(float, re.match(r"M(\S+) (-?[\d.]+)", mark).groups())
        assert 49 <= x <= 351
        assert 7 <= y <= 227


def test_series_differ_by_shape_or_colour_up_to_36():
    dots = [Dot(x=1, y=0.5, about="", series=number) for number in range(36)]
    chart = tree(scatter(dots, names=(), key="k", title="t", about="", x="", y=""))
    assert (
        len(
            {
                (node.get("class"), node.get("d"))
                for node in chart.iter("path")
                if "dot" in (node.get("class") or "")
            }
        )
        == 36
    )


def test_a_narrow_span_of_shares_is_not_blown_up():
    dots = [Dot(x=1, y=0.836, about=""), Dot(x=2, y=0.838, about="")]
    shown = [
        text
        for text in texts(scatter(dots, names=(), key="k", title="t", about="", x="", y=""))
        if text and text.endswith("%")
    ]
    assert len(set(shown)) == len(shown)
    assert int(shown[-1].split()[0]) - int(shown[0].split()[0]) >= 10


def test_an_interval_stands_upright_through_its_point_and_the_axis_reaches_its_ends():
    dots = [Dot(x=1, y=0.5, low=0.2, high=0.9, about=""), Dot(x=2, y=0.6, about="")]
    chart = scatter(dots, names=(), key="k", title="t", x="", y="")
    ends = [int(text.split()[0]) for text in texts(chart) if text and text.endswith("%")]
    assert min(ends) <= 20
    assert max(ends) >= 90
    paths = [(node.get("class"), node.get("d")) for node in tree(chart).iter("path")]
    [(x, low, high)] = [
        tuple(map(float, re.match(r"M(\S+) (\S+)V([\d.]+)", way).groups()))
        for kind, way in paths
        if kind == "iv"
    ]
    [mark, _] = [way for kind, way in paths if "dot-mark" in kind]
    assert (x, high + (low - high) * 4 / 7) == pytest.approx(
        tuple(map(float, re.match(r"M(\S+) ([\d.]+)", mark).groups())), abs=0.2
    )


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (3, ["67", "50–81 · of 24"]),
        (5, ["67", "50–81", "of 24"]),
        (12, ["67"]),
    ],
)
def test_notes_in_a_heat_map_stand_where_they_fit(columns, shown):
    names = [str(number) for number in range(columns)]
    cells = {("row", name): HeatCell(0.67, "", ("50–81", "of 24")) for name in names}
    chart = heat(["row"], names, cells, key="k", title="t")
    assert texts(chart)[-len(shown) * columns :] == shown * columns
    [bottom] = {
        float(node.get("y")) + float(node.get("height"))
        for node in tree(chart).iter("rect")
        if node.get("y") is not None
    }
    assert all(float(node.get("y")) < bottom for node in tree(chart).iter("text") if node.text in shown)


def test_a_heat_map_has_numbers_and_dashes():
    cells = {("r", "a"): HeatCell(0.4, "r, a: 40"), ("r", "b"): HeatCell(None)}
    chart = heat(["r"], ["a", "b", "c"], cells, key="k", title="t", about="")
    assert texts(chart)[-3:] == ["40", "–", "–"]
    shades = [float(node.get("opacity")) for node in tree(chart).iter("rect")]
    assert shades == [0.6, 0.04, 0.04]


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.integers(2, 8))
def test_ticks_are_even_and_enclose(a, b, most):
    low, high = min(a, b), max(a, b)
    if 0 < high - low < 1e-4:
        return
    ticks = _ticks(low, high, most)
    step = ticks[1] - ticks[0]
    assert ticks[0] <= low + 1e-6 * step
    assert ticks[-1] >= high - 1e-6 * step
    assert all(
        math.isclose(later - sooner, step, rel_tol=1e-4) for sooner, later in itertools.pairwise(ticks)
    )
    assert 2 <= len(ticks) <= most + 2


NAME = st.text(st.sampled_from("ab-_/ 研究"), min_size=1, max_size=60)


@given(NAME, st.floats(20, 300))
def test_labels_lose_nothing_in_three_lines(name, room):
    lines = label_lines(name, room)
    assert len(lines) <= 3
    if not lines[-1].endswith("…"):
        assert "".join("".join(lines).split()) == "".join(name.split())
    assert all(text_width(line.removesuffix("…")) <= max(room, text_width("研")) for line in lines)


@pytest.mark.parametrize("across", [PHONE, PAGE])
def test_a_chart_fills_its_width_and_cuts_no_name(across):
    name = "dzhng-firecrawl-o3-mini with a further name"
    rows = [Bar(label=name, value=0.5, low=0.4, high=0.6)]
    drawn = bars([BarGroup("", rows)], key="k", title="t", reach=1.0)
    assert "…" not in drawn.svg(across)
    assert max(float(node.get("x") or 0) for node in tree(drawn, across).iter("text")) == across
    cells = {(name, name): HeatCell(0.5)}
    assert "…" not in heat([name], [name], cells, key="k", title="t").svg(across)


def test_a_page_gets_both_widths_with_ids_of_their_own():
    both = Markup("<div>{}</div>").format(bars([], key="k", title="t"))
    ids = [node.get("id") for node in ET.fromstring(both).iter() if node.get("id")]
    assert len(ids) == len(set(ids)) == 4


def test_a_file_needs_no_style_sheet():
    group = BarGroup("", [Bar(label="x <y>", value=0.5)])
    text = bars([group], key="k", title="Share & more").file()
    root = ET.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert ".s0{fill:" in text
    assert "Share &amp; more" in text
