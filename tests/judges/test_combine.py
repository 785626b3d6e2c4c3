"""From answers to judgments: values worked out by hand, and nothing ever filled in."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from assay.judges.combine import combine_pair, combine_ranking, combine_scores, consistency
from assay.judges.judgment import Quote, Usage
from assay.judges.parts import JudgmentPart
from assay.judges.ranking import ranking_of_judgments, ranking_of_scores
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scale import Choice, Scale
from assay.strategies.base import Answer

FIVE = Scale(low=1, high=5)
TERNARY = Scale(
    choices=(
        Choice(label="yes", value=1.0),
        Choice(label="partly", value=0.5),
        Choice(label="no", value=0.0),
        Choice(label="cannot tell"),
    )
)
FOUR_WAY = Scale(
    choices=tuple(
        Choice(label=x, value=v) for x, v in (("A>B", 1), ("A<B", -1), ("both_good", 0), ("both_bad", 0))
    )
)
RUBRIC = Rubric(
    name="r", criteria=(Criterion(key="a", asks="?", weight=3), Criterion(key="b", asks="?")), scale=FIVE
)
LABELS = Rubric(
    name="l", criteria=(Criterion(key="a", asks="?"), Criterion(key="b", asks="?")), scale=TERNARY
)


def part(values: dict[str, Any] | None, *, unit: str = "", order: str = "", **rest: Any) -> JudgmentPart:
    criteria = rest.pop("criteria", ("a", "b"))
    status = rest.pop("status", "ok" if values is not None else "unparsed")
    quotes = rest.pop("quotes", ())
    answer = Answer(status=status, values=values or {}, usage=Usage(1, 100, 20, 10, 0.01), **rest)
    return JudgmentPart(unit, order, criteria, answer, quotes)


def test_scores_and_their_weighted_mean() -> None:
    judgment = combine_scores("s", "j", RUBRIC, [part({"a": 4, "b": 2})])
    # (3·4 + 1·2) / 4 = 3.5
    assert judgment.scores == {"a": 4, "b": 2, "overall": 3.5}
    assert judgment.status == "ok"
    assert (judgment.rubric, judgment.preference, judgment.by_order) == ("r", None, None)


def test_units_count_once_each() -> None:
    parts = [part({"a": 5, "b": 1}, unit="chunk:0"), part({"a": 2, "b": 2}, unit="chunk:1")]
    assert combine_scores("s", "j", RUBRIC, parts).scores == {"a": 3.5, "b": 1.5, "overall": 3.0}


def test_a_missing_part_leaves_its_criterion_out_and_no_overall() -> None:
    parts = [part({"a": 5}, criteria=("a",)), part(None, criteria=("b",), problem="no JSON in it")]
    judgment = combine_scores("s", "j", RUBRIC, parts)
    assert judgment.scores == {"a": 5}
    assert judgment.status == "unparsed"
    assert judgment.problem == "no JSON in it"
    # One chunk of two without a verdict: a mean over the other alone would change its denominator.
    parts = [part({"a": 5, "b": 5}, unit="chunk:0"), part(None, unit="chunk:1")]
    assert combine_scores("s", "j", RUBRIC, parts).scores is None


def test_a_criterion_asked_of_one_unit_only_is_not_scored() -> None:
    parts = [part({"a": 5, "b": 1}, unit="chunk:0"), part({"a": 3}, unit="chunk:1", criteria=("a",))]
    assert combine_scores("s", "j", RUBRIC, parts).scores == {"a": 4}


def test_the_worst_status_is_that_of_the_whole() -> None:
    def status(*found: str) -> str:
        return combine_scores("s", "j", RUBRIC, [part(None, status=item) for item in found]).status

    assert status("unparsed", "refused") == "refused"
    assert status("refused", "failed", "unparsed") == "failed"
    assert status("ok", "unparsed") == "unparsed"


def test_ternary_labels_count_what_they_say() -> None:
    judgment = combine_scores("s", "j", LABELS, [part({"a": "partly", "b": "yes"})])
    assert judgment.scores == {"a": 0.5, "b": 1.0, "overall": 0.75}


def test_a_label_without_a_number_is_an_answer_and_no_score() -> None:
    judgment = combine_scores("s", "j", LABELS, [part({"a": "cannot tell", "b": "no"})])
    assert judgment.scores == {"b": 0.0}
    assert judgment.status == "ok"


def test_compliance_with_negative_weights() -> None:
    # ResearchRubrics, equation 1: Σ w·m over the sum of the positive weights: (4·1 + 2·½ − 3·1) / 6 = 1/3.
    rubric = Rubric(
        name="c",
        aggregate="compliance",
        scale=TERNARY,
        criteria=tuple(Criterion(key=k, asks="?", weight=w) for k, w in (("a", 4), ("b", 2), ("bad", -3))),
    )
    answers = part({"a": "yes", "b": "partly", "bad": "yes"}, criteria=("a", "b", "bad"))
    assert combine_scores("s", "j", rubric, [answers]).scores["overall"] == pytest.approx(1 / 3, abs=1e-6)


def test_usage_and_quotes_are_of_all_parts() -> None:
    quote = Quote("x", 3, 4)
    judgment = combine_scores("s", "j", RUBRIC, [part({"a": 4, "b": 2}, quotes=(quote,)), part(None)])
    assert judgment.usage == Usage(2, 200, 40, 20, 0.02)
    assert judgment.quotes == (quote,)


PAIRS = Rubric(name="p", criteria=RUBRIC.criteria, scale=FIVE, pair_scale=FOUR_WAY)


def pair(first: str | None, second: str | None, **values: Any) -> Any:
    """Both orders, with labels as the judge gave them: A is what was shown first."""
    parts = [
        part({"a": label, "b": label} if label else None, order=order, preference=label, **values)
        for order, label in (("AB", first), ("BA", second))
    ]
    return combine_pair("x | y", "j", PAIRS, parts)


# What the judge said about the pair as shown, first A B and then B A → verdict, and whether the orders agree.
ORDERS = {
    ("A>B", "A<B"): ("A>B", "consistent"),
    ("A<B", "A>B"): ("A<B", "consistent"),
    ("A>B", "A>B"): ("tie", "inconsistent"),  # whatever comes first
    ("A<B", "A<B"): ("tie", "inconsistent"),
    ("both_good", "both_good"): ("both_good", "tie"),
    ("both_bad", "both_bad"): ("both_bad", "tie"),
    ("both_good", "both_bad"): ("tie", "tie"),
    ("A>B", "both_good"): ("tie", "inconsistent"),
    ("both_bad", "A>B"): ("tie", "inconsistent"),
    ("A>B", None): (None, None),
    (None, None): (None, None),
}


@pytest.mark.parametrize("shown", ORDERS)
def test_both_orders(shown: tuple[str | None, str | None]) -> None:
    judgment = pair(*shown)
    assert (judgment.preference, consistency(judgment)) == ORDERS[shown]
    assert judgment.status == ("ok" if None not in shown else "unparsed")


def test_margins_are_of_the_a_and_b_given() -> None:
    parts = [
        part({"a": "A>B", "b": "both_good"}, order="AB", preference="A>B"),
        part({"a": "A<B", "b": "A>B"}, order="BA", preference="A<B"),
    ]
    judgment = combine_pair("x | y", "j", PAIRS, parts)
    # a: 1 and −(−1): the mean is 1. b: 0 and −(1): the mean is −0.5.
    assert judgment.scores == {"a": 1.0, "b": -0.5}
    assert judgment.by_order == {"AB": "A>B", "BA": "A>B"}


def test_swapping_the_subjects_swaps_the_verdict() -> None:
    mirror = {"A>B": "A<B", "A<B": "A>B"}
    for first, second in product(("A>B", "A<B", "both_good", "both_bad"), repeat=2):
        # The same judge on B and A given the other way round shows the same two prompts in the other order.
        one, other = pair(first, second), pair(second, first)
        assert other.preference == mirror.get(one.preference, one.preference)
        assert other.scores == {key: -value or 0.0 for key, value in one.scores.items()}


def test_one_order_only() -> None:
    judgment = combine_pair(
        "x | y", "j", PAIRS, [part({"a": "A>B", "b": "A>B"}, order="AB", preference="A>B")]
    )
    assert judgment.preference == "A>B"
    assert judgment.by_order == {"AB": "A>B", "BA": None}
    assert consistency(judgment) is None


def ranked(*rankings: tuple[int, ...] | None) -> Any:
    parts = [
        part({} if ranking else None, order=order, ranking=ranking)
        for order, ranking in zip(("forward", "reverse"), rankings, strict=False)
    ]
    return combine_ranking("x | y | z", "j", RUBRIC, 3, parts)


def test_rankings_of_both_orders_are_added_up() -> None:
    # By candidate: (2, 0, 1) gives 2, 1, 0 points to candidates 2, 0, 1. Twice: 4, 2, 0 of 4.
    agreed = ranked((2, 0, 1), (2, 0, 1))
    assert agreed.scores == {"0": 0.5, "1": 0.0, "2": 1.0}
    assert agreed.choice == 2
    # (2, 0, 1) and (0, 2, 1): candidates 2 and 0 have 3 points each: nobody is ahead.
    drawn = ranked((2, 0, 1), (0, 2, 1))
    assert drawn.scores == {"0": 0.75, "1": 0.0, "2": 0.75}
    assert drawn.choice is None


def test_a_ranking_without_one_order_is_none() -> None:
    judgment = ranked((2, 0, 1), None)
    assert (judgment.scores, judgment.choice, judgment.status) == (None, None, "unparsed")


def test_places_of_a_listwise_ranking() -> None:
    ranking = ranking_of_judgments(["x", "y", "z"], [ranked((2, 0, 1), (0, 2, 1))])
    assert ranking.places == (1, 3, 1)
    assert ranking.order == (0, 2, 1)
    assert ranking.choice is None
    # Over two trials, the second of which gave nothing: the first counts, and that is said.
    trials = ranking_of_judgments(["x", "y", "z"], [ranked((2, 0, 1), (2, 0, 1)), ranked((2, 0, 1), None)])
    assert trials.points == (0.5, 0.0, 1.0)
    assert (trials.choice, trials.undecided, trials.judgment.status) == (2, 1, "unparsed")


def test_places_by_scores() -> None:
    def scored(a: int | None) -> Any:
        return combine_scores("s", "j", RUBRIC, [part(None if a is None else {"a": a, "b": a})])

    ranking = ranking_of_scores(
        ["x", "y", "z", "w"], [[scored(2), scored(4)], [scored(None)], [scored(5)], [scored(3)]]
    )
    assert ranking.points == (3.0, None, 5.0, 3.0)
    assert ranking.places == (2, None, 1, 2)
    assert ranking.order == (2, 0, 3, 1)
    assert ranking.choice == 2
    assert ranking.judgment.scores == {"0": 3.0, "2": 5.0, "3": 3.0}
    data = ranking.to_dict()
    assert (data["schema"], data["choice"], data["ranking"]["undecided"]) == ("assay.judgment/2", 2, 1)
