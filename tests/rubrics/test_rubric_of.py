"""Rubrics made in Python: from texts and weights, checked when made, round trips."""

from __future__ import annotations

import msgspec
import pytest

import assay
from assay import Criterion, InputError, Rubric, Scale, UsageError
from assay.registry import _forget, _registered
from assay.rubrics.loader import rubric_names

CRITERIA = {"States the revenue with its source.": 5, "Invents a source.": -5}


def test_texts_with_weights() -> None:
    rubric = Rubric.of(CRITERIA)
    assert [(item.key, item.asks, item.weight) for item in rubric.criteria] == [
        ("c01_revenue_source", "States the revenue with its source.", 5),
        ("c02_invents_source", "Invents a source.", -5),
    ]
    assert (rubric.aggregate, rubric.scale.values()) == ("compliance", Rubric.of(["x y"]).scale.values())
    assert rubric.overall({"c01_revenue_source": 1.0, "c02_invents_source": 0.0}) == 1.0
    assert "2 criteria" in repr(rubric)
    assert rubric.to_columns()["weight"] == [5, -5]


def test_texts_and_criteria_mix() -> None:
    own = Criterion(key="tone", asks="Is the tone sober?", weight=2)
    rubric = Rubric.of(["Names a date.", own], scale="binary", aggregate="mean", name="mine")
    assert [item.key for item in rubric.criteria] == ["c01_names_date", "tone"]
    assert (rubric.name, rubric.aggregate) == ("mine", "mean")
    assert Rubric.of(["Is good.", "Is good!"]).lint()[0].severity == "warning"


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (
            lambda: Rubric(name="x", criteria=["x"], scale=Scale(low=1, high=5)),
            UsageError,
            "is str, not a Criterion",
        ),
        (lambda: Rubric(name="x", criteria=(), scale="ternary"), UsageError, "is str, not a Scale"),
        (lambda: Rubric.of(["a b"], aggregate="median"), UsageError, "aggregate is 'median'"),
        (lambda: Rubric.of(["a b"], scale="tenary"), UsageError, "did you mean 'ternary'"),
        (lambda: Rubric.of("one text"), UsageError, "a list of texts"),
        (lambda: Rubric.of([]), InputError, "no criteria"),
        (lambda: Rubric.of({"a b": 0}), InputError, "weight is 0"),
        (lambda: Criterion(key="No key", asks="x"), UsageError, "write no_key"),
        (lambda: Criterion(key="k", asks="x", weight=float("nan")), UsageError, "must be a number"),
        (
            lambda: Rubric.of([Criterion(key="k", asks="x"), Criterion(key="k", asks="y")]),
            UsageError,
            "two criteria",
        ),
    ],
)
def test_mistakes_show_at_once(make, error, said) -> None:
    with pytest.raises(error, match=said):
        make()


@pytest.mark.parametrize("name", rubric_names())
def test_built_in_rubrics_survive_a_round_trip_with_their_version(name, tmp_path) -> None:
    rubric = Rubric.load(name)
    again = Rubric.from_dict(msgspec.json.decode(msgspec.json.encode(rubric.to_dict())))
    assert (again, again.version) == (rubric, rubric.version)
    rubric.save(tmp_path / "r.json")
    assert Rubric.load(tmp_path / "r.json").version == rubric.version
    assert hash(rubric.criteria[0]) == hash(again.criteria[0])


def test_rubrics_are_frozen() -> None:
    criterion = Criterion(key="k", asks="x", notes={"axis": "a"})
    with pytest.raises(TypeError, match="frozen"):
        criterion.notes["axis"] = "b"
    with pytest.raises(AttributeError):
        criterion.weight = 2  # type: ignore[misc]


def test_a_registered_rubric_is_found_by_its_name() -> None:
    before = list(_registered)
    try:
        rubric = assay.register(Rubric.of(CRITERIA, name="ours"))
        assert assay.load_rubric("ours") is rubric
        assert "ours" in rubric_names()
        with pytest.raises(UsageError, match="built-in rubric called 'overall'"):
            assay.register(Rubric.of(CRITERIA, name="overall"))
        assert Rubric.load("overall").name == "overall"
    finally:
        _registered[:] = before
        _forget()
