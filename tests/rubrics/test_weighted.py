"""Weighted criteria: ResearchRubrics, section 3.3, tables 2 and 8, equation 1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.rubrics.rubric import Criterion
from assay.rubrics.rubric_file import parse_rubric
from assay.rubrics.weighted import (
    AXES,
    axis_key,
    axis_of,
    axis_title,
    binary,
    compliance,
    importance,
    is_mandatory,
)

MARKS = st.sampled_from([0.0, 0.5, 1.0])
WEIGHTS = st.integers(-5, 5).filter(bool).map(float)


def criterion(weight=1.0, **notes):
    return Criterion(key="a", asks="Names Paris.", weight=weight, notes=notes)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        # The public file.
        ("Explicit Criteria", "explicit"),
        ("Implicit Criteria", "implicit"),
        ("Synthesis of Information", "synthesis"),
        ("References & Citation Quality", "references"),
        ("Communication Quality", "communication"),
        ("Instruction Following", "instruction_following"),
        # Table 2 of the paper.
        ("Explicit Requirements", "explicit"),
        ("Implicit Requirements", "implicit"),
        ("Use of References", "references"),
        # What people write.
        ("explicit_criteria", "explicit"),
        ("IMPLICIT CRITERION", "implicit"),
        ("References and citation quality", "references"),
        ("citations", "references"),
        ("instruction-following", "instruction_following"),
        ("synthesis", "synthesis"),
        ("Miscellaneous", None),
        ("insight", None),
        ("", None),
    ],
)
def test_axes_by_any_of_their_names(name, key):
    assert axis_key(name) == key


def test_every_axis_is_known_by_key_and_title():
    assert len(AXES) == 6
    for key, title in AXES.items():
        assert axis_key(key) == axis_key(title) == key
        assert axis_title(key) == title


def test_an_axis_of_another_data_set_keeps_its_name():
    assert axis_of(criterion(axis="  readability ")) == "readability"
    assert axis_title("readability") == "readability"
    assert axis_of(criterion()) == ""
    assert axis_of(criterion(axis=3)) == ""


@pytest.mark.parametrize(
    ("weight", "said", "mandatory"),
    [
        (5, None, True),
        (4, None, True),
        (-4, None, True),
        (3, None, False),
        (-3, None, False),
        (3, True, True),
        (5, False, False),
    ],
)
def test_mandatory_by_weight_unless_it_is_said(weight, said, mandatory):
    notes = {} if said is None else {"mandatory": said}
    assert is_mandatory(criterion(weight, **notes)) is mandatory


def test_the_short_form_keeps_axis_and_flag():
    rubric = parse_rubric(
        [{"text": "Names Paris.", "weight": 2, "axis": "Implicit criteria", "mandatory": True}]
    )
    assert axis_of(rubric.criteria[0]) == "implicit"
    assert is_mandatory(rubric.criteria[0])


def test_six_levels_of_table_8():
    assert [importance(weight) for weight in (5, 4, 3, 2, 1, -1, -2, -3, -4, -5)] == [
        "critically important",
        "critically important",
        "important",
        "important",
        "slightly important",
        "slightly detrimental",
        "detrimental",
        "detrimental",
        "critically detrimental",
        "critically detrimental",
    ]
    assert importance(3.5) == "important"
    for weight in (0, 5.1, -6, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="scale from -5 to 5"):
            importance(weight)


def test_compliance_by_hand():
    # (5·1 + 3·0.5 + 2·0 - 4·0.5) / (5 + 3 + 2) = 4.5 / 10
    assert compliance([5, 3, 2, -4], [1, 0.5, 0, 0.5]) == pytest.approx(0.45)
    assert compliance([2, -5], [0, 1]) == -2.5
    assert compliance([5, 3], [1, None]) is None
    assert compliance([-1], [0]) is None
    assert compliance([], []) is None
    with pytest.raises(ValueError, match=r"shorter|longer"):
        compliance([1, 2], [1])


@given(st.lists(st.tuples(WEIGHTS, MARKS), min_size=1, max_size=30))
def test_compliance_is_the_rubrics_own(pairs):
    rubric = parse_rubric([{"text": f"Names city {n}.", "weight": w} for n, (w, _) in enumerate(pairs)])
    scores = {item.key: mark for item, (_, mark) in zip(rubric.criteria, pairs, strict=True)}
    assert compliance([w for w, _ in pairs], [m for _, m in pairs]) == pytest.approx(rubric.overall(scores))


@given(st.lists(st.tuples(WEIGHTS.map(abs), MARKS), min_size=1))
def test_without_negative_weights_binary_is_never_kinder(pairs):
    weights, marks = [w for w, _ in pairs], [m for _, m in pairs]
    strict = compliance(weights, [binary(mark) for mark in marks])
    assert 0 <= strict <= compliance(weights, marks) <= 1


def test_binary():
    assert [binary(mark) for mark in (1, 0.5, 0, None)] == [1, 0, 0, None]
