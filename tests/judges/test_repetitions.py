"""When a majority is settled, by trying everything that could still come."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from assay.judges.judgment import Judgment, Usage, Verdict
from assay.judges.repetitions import (
    combine_repetitions,
    is_settled,
    majority,
    spreads_of,
    votes_needed,
)

VALUES = ("A", "B", "tie", None)


def test_majority() -> None:
    assert majority(["A", "B", "A"]) == "A"
    assert majority(["A", "B"]) is None
    assert majority([None, None, "B"]) == "B"
    assert majority([]) is None
    assert majority([None]) is None


@pytest.mark.parametrize("total", range(1, 7))
def test_settled_is_what_trying_everything_says(total: int) -> None:
    for made in range(total + 1):
        for votes in product(VALUES, repeat=made):
            outcomes = {majority([*votes, *rest]) for rest in product(VALUES, repeat=total - made)}
            # One outcome whatever comes. While there is no vote at all, nothing is settled before the end.
            assert is_settled(votes, total) == (len(outcomes) == 1), (votes, total)


@pytest.mark.parametrize("total", range(1, 7))
def test_needed_is_the_soonest_it_can_be_settled(total: int) -> None:
    for made in range(total + 1):
        for votes in product(VALUES, repeat=made):
            soonest = next(
                count
                for count in range(total - made + 1)
                if any(is_settled([*votes, *rest], total) for rest in product(VALUES, repeat=count))
            )
            assert votes_needed(votes, total) == soonest, (votes, total)


def test_three_alike_of_five_settle_it() -> None:
    assert votes_needed([], 5) == 3
    assert is_settled(["A", "A", "A"], 5)
    assert not is_settled(["A", "A", "B"], 5)
    # Two missing verdicts: one that leads by one with one to come can still be drawn.
    assert not is_settled(["A", None, None, "A", "B"], 6)


def judgment(**scores: float) -> Judgment:
    return Judgment("s", "direct@x/y", scores=scores or None, usage=Usage(1, 10, 0, 5, 0.5))


def test_repetitions_put_together() -> None:
    whole = combine_repetitions((judgment(a=2, b=1), judgment(a=4), judgment()), planned=3)
    spreads = spreads_of(whole)
    a, b = spreads["a"], spreads["b"]
    # Mean 3; deviations -1 and 1; sample variance (1 + 1) / (2 - 1) = 2.
    assert (a.n, a.mean, a.sd) == (2, 3.0, pytest.approx(2**0.5))
    assert (b.n, b.mean, b.sd) == (1, 1.0, None)
    assert whole.scores == {"a": 3.0, "b": 1.0}
    assert whole.usage == Usage(3, 30, 0, 15, 1.5)
    assert (len(whole.repetitions), whole.planned) == (3, 3)


def test_votes_of_comparisons() -> None:
    def of(*preferences: str | None) -> Judgment:
        return combine_repetitions(
            [
                Judgment("s", "j", preference=vote, mode="compare", by_order={"AB": vote, "BA": "tie"})  # type: ignore[arg-type,dict-item]
                for vote in preferences
            ],
            planned=5,
        )

    assert (of("A>B", "A>B", "A>B").preference, of("A>B", "A>B", "A>B").planned) == ("A>B", 5)
    assert of("A>B", "A>B", "A>B").by_order == {"AB": "A>B", "BA": "tie"}
    assert of("A>B", "A>B", "A<B", None, "A<B").preference == "tie"
    assert of("both_good", None, None, None, None).preference == "both_good"
    assert of(None, None, None, None, None).preference is None


def test_repetitions_as_one_judgment() -> None:
    one = judgment(a=2)
    assert combine_repetitions((one,), 1) is one
    both = combine_repetitions((one, replace(judgment(a=4), status="unparsed", problem="no JSON")), 2)
    assert (both.scores, both.status, both.problem, both.usage.calls) == (
        {"a": 3.0},
        "unparsed",
        "no JSON",
        2,
    )


def labelled(label: str | float | None, **more: object) -> Judgment:
    number = {"met": 1.0, "not met": 0.0}.get(label) if isinstance(label, str) else label
    status = "unparsed" if label is None else "ok"
    return judgment_with(Verdict(criterion="a", verdict=label, score=number, status=status, **more))  # type: ignore[arg-type]


def judgment_with(*verdicts: Verdict) -> Judgment:
    return replace(judgment(), verdicts=verdicts)


def test_the_label_of_a_criterion_is_the_most_frequent_and_never_invented() -> None:
    given = [labelled("met", reasoning="yes", confidence=0.4), labelled("not met", reasoning="no")]
    (verdict,) = combine_repetitions([*given, labelled("met", confidence=0.8)], 3).verdicts
    assert (verdict.verdict, verdict.score, verdict.reasoning, verdict.confidence) == ("met", 1.0, "yes", 0.6)
    (verdict,) = combine_repetitions(given, 2).verdicts
    assert (verdict.verdict, verdict.score, verdict.status) == (None, None, "unparsed")
    assert verdict.problem == "no majority: 1 met, 1 not met"
    (verdict,) = combine_repetitions([labelled(None, problem="refused"), labelled(None)], 2).verdicts
    assert (verdict.status, verdict.problem) == ("unparsed", "refused")


def test_numbers_are_averaged_and_orders_are_kept() -> None:
    (verdict,) = combine_repetitions([labelled(4.0), labelled(2.0), labelled(None)], 3).verdicts
    assert (verdict.verdict, verdict.score, verdict.status) == (3.0, 3.0, "ok")

    def pair(first: str, second: str, score: float) -> Judgment:
        label = first if first == second else None
        orders = {"AB": first, "BA": second}
        return judgment_with(Verdict(criterion="a", verdict=label, score=score, by_order=orders))  # type: ignore[arg-type]

    (verdict,) = combine_repetitions(
        [pair("A>B", "A>B", 1.0), pair("A>B", "A<B", 0.0), pair("A>B", "A<B", 0.0)], 3
    ).verdicts
    assert verdict.by_order == {"AB": "A>B", "BA": "A<B"}
    assert (verdict.verdict, verdict.score) == (None, 0.333333)


def test_repetitions_abstain_only_together() -> None:
    silent = Judgment("a", "j", problem="abstained")
    mixed = combine_repetitions([silent, Judgment("a", "j", scores={"overall": 0.5})])
    assert (mixed.overall, mixed.problem) == (0.5, None)
    assert combine_repetitions([silent, silent]).problem == "abstained"
