"""Several judges as one: consensus abstains, a majority is more than half."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assay.errors import UsageError
from assay.judges.ensemble import ensemble
from assay.judges.judgment import Judgment, Verdict, margin_of_orders
from assay.models.base import Usage

LABELS = ("A>B", "A<B", "tie", "both_good", "both_bad")


def judge(number: int, ab, ba="same", *, status="ok", scores=None) -> Judgment:
    ba = ab if ba == "same" else ba
    preference = None if None in (ab, ba) else ab if ab == ba else "tie"
    return Judgment(
        subject="a | b",
        judge=f"logicjudge@m/{number}",
        rubric="reportlogic",
        scores=scores,
        preference=preference,
        by_order={"AB": ab, "BA": ba},
        status=status,
        usage=Usage(calls=2),
    )


def of(rule, *labels) -> Judgment:
    return ensemble([judge(n, label) for n, label in enumerate(labels)], rule)


@pytest.mark.parametrize(
    ("labels", "consensus", "majority"),
    [
        (("A>B", "A>B", "A>B"), "A>B", "A>B"),
        (("A>B", "A>B", "A<B"), None, "A>B"),
        (("A>B", "A<B", "tie"), None, None),
        (("both_good", "both_good", "both_good"), "both_good", "both_good"),
        (("both_good", "both_bad", "tie"), "tie", "tie"),
        (("both_good", "both_good", "A>B"), None, "both_good"),
        (("both_good", "both_bad", "A>B"), None, "tie"),
        (("A>B", "A<B"), None, None),
    ],
)
def test_the_two_rules(labels, consensus, majority) -> None:
    assert of("consensus", *labels).preference == consensus
    assert of("majority", *labels).preference == majority
    assert of("majority", *labels).status == "ok"


def test_who_gave_no_verdict_votes_for_nothing_and_is_counted() -> None:
    silent = judge(2, None, status="unparsed")
    two = [judge(0, "A>B"), judge(1, "A>B")]
    assert ensemble([*two, silent], "majority").preference == "A>B"
    assert ensemble([*two, silent], "majority").status == "ok"
    assert ensemble([*two, silent], "consensus").preference is None
    assert ensemble([*two, silent], "consensus").status == "unparsed"
    alone = ensemble([two[0], silent, judge(3, None, status="failed")], "majority")
    assert (alone.preference, alone.status) == (None, "failed")


def test_orders_are_voted_on_by_themselves() -> None:
    told = ensemble([judge(0, "A>B", "A<B"), judge(1, "A>B", "A>B"), judge(2, "A>B", "A>B")], "majority")
    assert told.by_order == {"AB": "A>B", "BA": "A>B"}
    assert told.preference == "A>B"
    both = ensemble([judge(0, "A>B", "A<B"), judge(1, "A>B", "A<B")], "consensus")
    assert both.by_order == {"AB": "A>B", "BA": "A<B"}
    assert both.preference == "tie"
    split = ensemble([judge(0, "A>B", "A<B"), judge(1, "A>B", "A>B")], "consensus")
    assert split.by_order == {"AB": "A>B", "BA": None}
    assert (split.preference, split.status) == (None, "ok")
    one = Judgment(subject="a | b", judge="x", preference="A>B", by_order={"AB": "A>B", "BA": None})
    other = Judgment(subject="a | b", judge="y", preference="A>B", by_order={"AB": "A>B", "BA": None})
    assert ensemble([one, other], "consensus").preference == "A>B"


def test_dimensions() -> None:
    scores = [{"x": 1.0, "y": 1.0, "z": 0.5}, {"x": 1.0, "y": -1.0, "z": 0.0}, {"x": 1.0, "y": 1.0}]
    judges = [judge(n, "A>B", scores=row) for n, row in enumerate(scores)]
    assert ensemble(judges, "consensus").scores == {"x": 1.0}
    assert ensemble(judges, "majority").scores == {"x": 1.0, "y": 1.0, "z": 0.0}


def test_dimensions_are_voted_on_in_each_order_and_keep_their_labels() -> None:
    orders = [("A>B", "both_good"), ("A>B", "both_good"), ("A<B", "both_bad")]
    judges = [
        replace(
            judge(n, "A>B", scores={"x": margin_of_orders({"AB": ab, "BA": ba})}),
            verdicts=(Verdict(criterion="x", by_order={"AB": ab, "BA": ba}),),
        )
        for n, (ab, ba) in enumerate(orders)
    ]
    told = ensemble(judges, "majority")
    (verdict,) = told.verdicts
    assert verdict.by_order == {"AB": "A>B", "BA": "tie"}
    assert (verdict.verdict, verdict.score, told.scores) == (None, 0.5, {"x": 0.5})
    (split,) = ensemble(judges, "consensus").verdicts
    assert split.by_order == {"AB": None, "BA": "tie"}
    assert split.score is None
    (agreed,) = ensemble(judges[:2], "consensus").verdicts
    assert agreed.by_order == {"AB": "A>B", "BA": "both_good"}


def test_what_is_kept() -> None:
    told = of("majority", "A>B", "A>B")
    assert told.judge == "majority(logicjudge@m/0 logicjudge@m/1)"
    assert told.usage.calls == 4
    assert told.rationale.startswith("majority: A>B (logicjudge@m/0: A>B, ")
    assert "consensus: abstains" in of("consensus", "A>B", "A<B").rationale


@pytest.mark.parametrize(
    ("judgments", "rule", "says"),
    [
        ([judge(0, "A>B")], "consensus", "two or more judges"),
        ([judge(0, "A>B"), judge(0, "A>B")], "consensus", "would count double"),
        ([judge(0, "A>B"), Judgment(subject="c | d", judge="x")], "consensus", "judgments of one pair"),
        ([judge(0, "A>B"), judge(1, "A>B")], "majorty", "did you mean 'majority'"),
    ],
)
def test_mistakes(judgments, rule, says) -> None:
    with pytest.raises(UsageError, match=says):
        ensemble(judgments, rule)


@given(st.lists(st.sampled_from((*LABELS, None)), min_size=2, max_size=7))
def test_consensus_is_a_majority_and_order_means_nothing(labels) -> None:
    found = of("consensus", *labels).preference
    if found is not None:
        assert of("majority", *labels).preference == found
    for rule in ("consensus", "majority"):
        assert of(rule, *labels).preference == of(rule, *labels[::-1]).preference


def test_an_ensemble_that_cannot_agree_abstains() -> None:
    split = of("consensus", "A>B", "A<B")
    assert (split.status, split.preference, split.problem, split.abstained) == ("ok", None, "abstained", True)
    assert of("majority", "A>B", "A>B").problem is None
