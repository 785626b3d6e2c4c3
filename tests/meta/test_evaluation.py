"""Instances put to judges: who was preferred, whether that is right, where it points, what it cost."""

from __future__ import annotations

import asyncio

import pytest
from trial_parts import GOOD, Scorer, instance

from assay.interventions.applying import Site
from assay.judges.judgment import Quote
from assay.meta.evaluation import candidate_sets, evaluate, is_correct
from assay.meta.trials import FailureLocalisation


def trials(instances, judge, **more):
    async def work():
        return [trial async for trial in evaluate(instances, judge, **more)]

    return asyncio.run(work())


def fewer_falls(text: str) -> float:
    return -text.count("fell")


def test_pointwise_scores_a_shared_reference_once() -> None:
    judge = Scorer(fewer_falls)
    found = trials([instance(1), instance(2), instance(3, group="h")], judge)
    assert [item.correct for item in found] == [True] * 3
    assert [item.gap for item in found] == [1.0] * 3
    # Two groups of one text: asked by group, so twice, and three revised ones.
    assert len(judge.asked) == 5
    # What is shared is paid once.
    assert sum(item.usage.calls for item in found) == 5


@pytest.mark.parametrize(
    ("score", "said", "correct"),
    [
        (fewer_falls, "reference", True),
        (lambda text: 0.5, "tie", False),
        (lambda text: text.count("fell"), "perturbed", False),
        (lambda text: None, None, None),
    ],
)
def test_a_failure_must_lose_strictly(score, said, correct) -> None:
    found = trials([instance(1)], Scorer(score))[0]
    assert (found.said, found.correct) == (said, correct)


@pytest.mark.parametrize("status", ["unparsed", "refused", "failed"])
def test_no_verdict_is_no_verdict(status: str) -> None:
    found = trials([instance(1)], Scorer(fewer_falls, status=status))[0]
    assert (found.said, found.correct, found.gap, found.status) == (None, None, None, status)
    assert status in found.problem


def test_pairwise_is_right_only_in_both_orders() -> None:
    seen = Scorer(fewer_falls)
    found = trials([instance(n) for n in range(8)], seen, interface="pairwise", both_orders=True)
    assert all(item.correct for item in found)
    # Which is shown as A is drawn: both happen.
    assert {item[0] == GOOD for item in seen.asked} == {True, False}
    biased = trials(
        [instance(n) for n in range(8)],
        Scorer(lambda text: 0, first=1),
        interface="pairwise",
        both_orders=True,
    )
    assert {item.said for item in biased} == {"tie"}
    for item in biased:
        assert item.by_order == {"reference_first": "reference", "reference_second": "perturbed"}


def test_a_surface_attack_must_not_win_and_a_tie_is_well() -> None:
    bias = instance(1, kind="bias", type="length", bad=GOOD + "Again, it fell in June.\n")
    assert trials([bias], Scorer(lambda text: 1.0))[0].correct is True
    assert trials([bias], Scorer(len))[0].correct is False
    assert trials([bias], Scorer(lambda text: -len(text)))[0].correct is True


@pytest.mark.parametrize(("margin", "correct"), [(1.0, True), (0.5, False), (0.0, False), (-1.0, False)])
def test_a_targeted_attack_is_judged_by_its_dimension(margin: float, correct: bool) -> None:
    assert is_correct("reference", kind="targeted", dimension=margin, least=0.75) is correct
    # By the overall verdict where the judge gives no dimensions.
    assert is_correct("tie", kind="targeted") is False
    assert is_correct("reference", kind="targeted") is True


def test_rankings_show_a_reference_among_its_own_failures() -> None:
    judge = Scorer(fewer_falls)
    found = trials([instance(n) for n in range(5)], judge, interface="ranking", candidates=4)
    assert [len(item) for item in judge.asked] == [4, 3]
    assert all(GOOD in item for item in judge.asked)
    assert all(item.best for item in found)
    assert len({item.set for item in found}) == 2
    none = trials([instance(n) for n in range(3)], Scorer(lambda text: 1.0), interface="ranking")
    assert [item.best for item in none] == [False] * 3
    assert [item.said for item in none] == ["tie"] * 3


def test_surface_attacks_are_in_no_set() -> None:
    assert candidate_sets([instance(1, kind="bias"), instance(2, kind="targeted")], 4) == [
        [instance(2, kind="targeted")]
    ]


def test_quotes_point_at_the_place() -> None:
    bad = instance(1)
    at = bad.perturbed["report"].index("fell1")
    end = bad.site.end
    hit = Scorer(fewer_falls, quotes=[Quote("fell1", at, at + 5), Quote("June", end + 60, end + 64)])
    miss = Scorer(fewer_falls, quotes=[Quote("It fell", end + 50, end + 57), Quote("gone", None, None)])
    found = trials([bad], hit)[0].pointed
    assert found == FailureLocalisation(
        by="quotes", first=True, any=True, overlap=round(5 / (end - bad.site.start), 4), places=2
    )
    assert trials([bad], miss)[0].pointed == FailureLocalisation(
        by="quotes", first=False, any=False, overlap=0.0
    )
    assert trials([bad], Scorer(fewer_falls))[0].pointed is None


def test_repeated_scores_are_kept_trial_by_trial() -> None:
    assert trials([instance(1)], Scorer(fewer_falls, trials=3))[0].repeats == (1.0, 1.0, 1.0)


def test_a_site_is_a_step_or_a_span() -> None:
    assert Site(kind="step", index=3).start is None
