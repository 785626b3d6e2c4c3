"""Decisions on drafted criteria."""

import pytest

from assay.rubrics.review import ReviewCounts, RubricReview
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scales import load_scale

BY = {"by": "ann", "at": "2026-01-01T00:00:00Z"}


def criterion(key):
    return Criterion(
        key=key,
        asks=f"It names {key}.",
        title=f"It names {key}.",
        weight=3.0,
        notes={"axis": "Explicit Criteria", "mandatory": False, "draft": True, "by": "m"},
    )


@pytest.fixture
def rubric():
    return Rubric(name="r", criteria=tuple(map(criterion, ("a", "b", "c"))), scale=load_scale("ternary"))


def test_a_decision_and_nothing_else_ends_a_draft(rubric):
    review = RubricReview(rubric)
    assert review.waiting() == [0, 1, 2]
    review.accept(0, **BY)
    review.change(1, weight=4.0)
    review.reject(2, **BY)
    assert review.waiting() == [1]
    now = review.rubric()
    assert [item.key for item in now.criteria] == ["a", "b"]
    assert [item.key for item in now.drafts] == ["b"]
    assert now.criteria[0].notes == {
        "axis": "Explicit Criteria",
        "mandatory": False,
        "by": "m",
        "review": {"decision": "accepted", **BY},
    }
    assert review.tally() == ReviewCounts(1, 0, 1, 1)


def test_what_it_was_before_the_first_change_is_kept(rubric):
    review = RubricReview(rubric)
    review.change(0, asks="It names A.")
    review.change(0, weight=-5.0, axis="Implicit Criteria")
    review.accept(0, **BY)
    item = review.rubric().criteria[0]
    assert (item.asks, item.weight, item.title) == ("It names A.", -5.0, "")
    assert item.notes["axis"] == "Implicit Criteria"
    assert item.notes["mandatory"] is True
    assert item.notes["before"] == {"asks": "It names a.", "weight": 3.0, "axis": "Explicit Criteria"}
    assert item.notes["review"]["decision"] == "edited"


def test_a_change_taken_back_is_none(rubric):
    review = RubricReview(rubric)
    review.change(0, weight=4.0)
    review.change(0, weight=3.0)
    review.accept(0, **BY)
    assert review.items[0].notes["review"]["decision"] == "accepted"
    assert "before" not in review.items[0].notes


def test_back(rubric):
    review = RubricReview(rubric)
    review.accept(0, **BY)
    review.reject(1, **BY)
    review.reopen(0)
    review.reopen(1)
    assert review.waiting() == [0, 1, 2]
    assert review.rubric() == rubric


def test_a_later_session_goes_on(rubric):
    first = RubricReview(rubric)
    first.accept(0, **BY)
    first.reject(1, **BY)
    rejected = list(first.rejected.values())
    second = RubricReview(rubric, done=first.rubric(), rejected=rejected)
    assert second.waiting() == [2]
    assert second.rubric() == first.rubric()
    # Begun anew, it knows of nothing; without the list of what was rejected, nothing is taken for rejected.
    assert RubricReview(rubric, rejected=rejected).waiting() == [0, 1, 2]
    assert RubricReview(rubric, done=first.rubric()).waiting() == [1, 2]
    # Reviewed in its place.
    assert RubricReview(first.rubric(), rejected=rejected).waiting() == [1]


def test_what_is_no_draft_only_when_asked_for(rubric):
    plain = Rubric(name="r", criteria=(Criterion(key="a", asks="It names a."),), scale=rubric.scale)
    assert RubricReview(plain).waiting() == []
    review = RubricReview(plain, everything=True)
    assert review.waiting() == [0]
    review.accept(0, **BY)
    assert review.waiting() == []
