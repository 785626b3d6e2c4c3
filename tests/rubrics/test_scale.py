"""Scales: read strictly, said in one sentence, described by a schema – all from one definition."""

import math

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.rubrics.rubric import PAIR_SCALE
from assay.rubrics.scale import Choice, Scale
from assay.rubrics.scales import load_scale, scale_names

FIVE = Scale(low=1, high=5)
TEN = Scale(low=1, high=10)
HALVES = Scale(low=0, high=1, step=0.5)
FREE = Scale(low=0, high=1, step=0)
TENTHS = Scale(low=0, high=1, step=0.1)
MET = Scale(choices=(Choice(label="met", value=1), Choice(label="not met", value=0)))


@pytest.mark.parametrize(
    ("scale", "answer", "read"),
    [
        (FIVE, 4, 4),
        (FIVE, 4.0, 4),
        (FIVE, "4", 4),
        (FIVE, " 4 ", 4),
        (FIVE, "4.0", 4),
        (HALVES, 0.5, 0.5),
        (HALVES, "0.50", 0.5),
        (TENTHS, 0.1 + 0.2, 0.3),
        (FREE, 0.1234, 0.1234),
        (MET, "met", "met"),
        (MET, " Not  MET\n", "not met"),
        (PAIR_SCALE, "a>b", "A>B"),
        # Not on offer: nothing is rounded, clipped or guessed.
        (FIVE, 0, None),
        (FIVE, 6, None),
        (TEN, 11, None),
        (TEN, "11", None),
        (FIVE, 3.5, None),
        (FIVE, 4.000001, None),
        (HALVES, 0.75, None),
        (FREE, 1.0001, None),
        (FIVE, True, None),
        (FIVE, None, None),
        (FIVE, [4], None),
        (FIVE, {"score": 4}, None),
        (FIVE, "4/5", None),
        (FIVE, "4 out of 5", None),
        (FIVE, "four", None),
        (FIVE, "四", None),
        (FIVE, "", None),
        (FIVE, "4 5", None),
        (FIVE, "3-4", None),
        (Scale(low=0, high=100), "1_0", None),
        (FIVE, math.nan, None),
        (FIVE, math.inf, None),
        (FIVE, "nan", None),
        (FIVE, "1" * 5000, None),
        (FIVE, 10**400, None),
        (MET, "partially met", None),
        (MET, "met.", None),
        (MET, "not", None),
        (MET, 1, None),
        (MET, True, None),
        (MET, "met / not met", None),
    ],
)
def test_read_takes_what_was_offered_and_nothing_else(scale, answer, read):
    assert scale.read(answer) == read
    assert type(scale.read(answer)) is type(read)


SCALES = st.sampled_from([FIVE, TEN, HALVES, FREE, TENTHS, MET, PAIR_SCALE, *map(load_scale, scale_names())])
ANSWERS = st.one_of(
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.booleans(),
    st.none(),
    st.integers(-3, 101).map(str),
    st.floats(-1, 11).map(str),
    st.sampled_from(["met", "NOT MET", "partially  met", "A>B", "tie", "both_good"]),
    st.lists(st.integers(), max_size=2),
)


@given(SCALES, ANSWERS)
def test_what_is_read_is_on_offer(scale, answer):
    read = scale.read(answer)
    if read is None:
        return
    assert not isinstance(answer, bool)
    jsonschema.validate(read, scale.schema())
    values = scale.values()
    assert values is None or read in values
    assert scale.read(read) == read
    if not scale.choices:
        assert scale.low <= read <= scale.high
        assert math.isclose(float(answer), read, abs_tol=1e-8)


@given(SCALES)
def test_all_on_offer_is_read_as_itself_and_fits_the_schema(scale):
    for value in scale.values() or (scale.low, scale.high):
        assert scale.read(value) == value
        assert scale.read(str(value)) == value
        jsonschema.validate(scale.read(value), scale.schema())


@pytest.mark.parametrize(
    ("scale", "en", "zh"),
    [
        (
            load_scale("score-1-5"),
            "an integer from 1 (very poor) to 5 (excellent)",
            "1（很差）到 5（优秀）的整数",
        ),
        (load_scale("half-points-0-1"), "0 (no), 0.5 (in part) or 1 (yes)", "0（否）、0.5（部分）或 1（是）"),
        (FREE, "a number from 0 to 1", "0 到 1 之间的数"),
        (
            Scale(low=0, high=10, step=0.5),
            "a number from 0 to 10 in steps of 0.5",
            "0 到 10 之间的数，以 0.5 为间隔",
        ),
        (
            Scale(low=0, high=7, anchors={"0": "wrong", "3": "partial", "7": "complete"}),
            "an integer from 0 to 7 (0: wrong; 3: partial; 7: complete)",
            "0 到 7 的整数（0：wrong；3：partial；7：complete）",
        ),
        (MET, '"met" or "not met"', '"met" 或 "not met"'),
        (
            PAIR_SCALE,
            '"A>B" (A is better), "A<B" (B is better) or "tie" (neither is better, or by too little to matter)',
            '"A>B"（A 更好）、"A<B"（B 更好）或 "tie"（不分高下，或差别小到无关紧要）',
        ),
    ],
)
def test_sentence(scale, en, zh):
    assert scale.sentence() == scale.sentence("en") == en
    assert scale.sentence("zh") == zh


def test_a_sentence_names_every_label_and_both_ends():
    for name in scale_names():
        scale = load_scale(name)
        for language in ("en", "zh"):
            said = scale.sentence(language)
            assert "\n" not in said
            for value in scale.values() or (scale.low, scale.high):
                if scale.choices or value in (scale.low, scale.high):
                    assert f"{value:g}" in said if not scale.choices else f'"{value}"' in said


def test_what_an_answer_counts():
    assert load_scale("ternary").number("partially met") == 0.5
    assert FIVE.number(3) == 3.0
    assert Scale(choices=(Choice(label="yes", value=1), Choice(label="n/a"))).number("n/a") is None


def test_span():
    assert FIVE.span == (1, 5)
    assert load_scale("ternary").span == (0, 1)
    assert load_scale("pair-four-way").span == (-1, 1)
    assert Scale(choices=(Choice(label="a"), Choice(label="b"))).span is None
