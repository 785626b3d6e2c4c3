"""When a majority is settled, by trying everything that could still come."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from assay.judges.judgment import Judgment, Usage
from assay.judges.repetitions import Repetitions, is_settled, majority, votes_needed

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


def test_trials_put_together() -> None:
    made = Repetitions((judgment(a=2, b=1), judgment(a=4), judgment()), planned=3)
    a, b = made.scores["a"], made.scores["b"]
    # Mean 3; deviations -1 and 1; sample variance (1 + 1) / (2 - 1) = 2.
    assert (a.n, a.mean, a.sd) == (2, 3.0, pytest.approx(2**0.5))
    assert (b.n, b.mean, b.sd) == (1, 1.0, None)
    assert made.usage == Usage(3, 30, 0, 15, 1.5)
    assert not made.settled_early


def test_votes_of_comparisons() -> None:
    def of(*verdicts: str | None) -> Repetitions:
        return Repetitions(tuple(Judgment("s", "j", preference=v) for v in verdicts), planned=5)  # type: ignore[arg-type]

    assert of("A>B", "A>B", "A>B").votes == {"A>B": 3}
    assert of("A>B", "A>B", "A>B").settled_early
    assert of("A>B", "A>B", "A<B", None, "A<B").preference == "tie"
    assert of("both_good", None, None, None, None).preference == "both_good"
    assert of(None, None, None, None, None).preference is None


def test_trials_as_one_judgment() -> None:
    one = judgment(a=2)
    assert Repetitions((one,), 1).judgment is one
    both = Repetitions((one, msgspec.structs.replace(judgment(a=4), status="unparsed")), 2).judgment
    assert (both.scores, both.status, both.usage.calls) == ({"a": 3.0}, "unparsed", 2)
