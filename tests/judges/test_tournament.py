"""Tournaments with a comparer that knows the truth, or does not."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.judges.judgment import Judgment, Usage
from assay.judges.ranking import ranking_of_tournament
from assay.judges.tournament import ALL_PAIRS, TournamentResult, tournament
from assay.subjects.report import Report


class Truth:
    """Prefers the report with the larger number in it; ``silent`` pairs get no verdict."""

    def __init__(self, silent: Any = lambda a, b: False) -> None:
        self.asked: Counter[frozenset[str]] = Counter()
        self.silent = silent

    async def compare(self, a: Any, b: Any) -> Judgment:
        self.asked[frozenset((a.id, b.id))] += 1
        await asyncio.sleep(0)
        left, right = float(a.source), float(b.source)
        verdict = "A>B" if left > right else "A<B" if left < right else "tie"
        if self.silent(a, b):
            verdict = None
        orders = {"AB": verdict, "BA": verdict}
        status = "ok" if verdict else "unparsed"
        return Judgment(
            f"{a.id} | {b.id}", "truth", preference=verdict, by_order=orders, status=status, usage=Usage(2)
        )


def reports(values: list[float]) -> list[Report]:
    return [Report(str(value), id=str(i)) for i, value in enumerate(values)]


def play(values: list[float], judge: Truth) -> TournamentResult:
    return asyncio.run(tournament(judge.compare, reports(values)))


def by_value(values: list[float]) -> list[int]:
    """Best first; equal ones as given."""
    return sorted(range(len(values)), key=lambda i: (-values[i], i))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=40))
def test_the_order_is_the_true_one(values: list[int]) -> None:
    judge = Truth()
    standing = play(list(map(float, values)), judge)
    assert list(standing.order) == by_value(list(map(float, values)))
    assert max(judge.asked.values()) == 1  # nobody meets the same twice
    assert standing.undecided == 0
    assert standing.usage.calls == 2 * sum(judge.asked.values())


@pytest.mark.parametrize("count", [9, 16, 33, 100])
def test_many_are_sorted_with_about_n_log_n_comparisons(count: int) -> None:
    judge = Truth()
    standing = play([float(i * 7919 % count) for i in range(count)], judge)
    assert len(standing.judgments) <= count * math.ceil(math.log2(count))


@pytest.mark.parametrize("count", [2, ALL_PAIRS])
def test_few_meet_all_others(count: int) -> None:
    judge = Truth()
    standing = play([float(i) for i in range(count)], judge)
    assert len(judge.asked) == count * (count - 1) // 2
    # The best wins all, the last none, and one in the middle its share.
    assert standing.points == tuple(round(i / (count - 1), 6) for i in range(count))
    assert standing.choice == count - 1


def test_two_equal_best_are_no_choice() -> None:
    standing = play([5, 1, 5], Truth())
    # 5 beats 1 and ties with 5: 1.5 of 2 comparisons.
    assert standing.points == (0.75, 0.0, 0.75)
    assert standing.choice is None
    ranking = ranking_of_tournament(["a", "b", "c"], standing)
    assert ranking.places == (1, 3, 1)
    assert ranking.order == (0, 2, 1)


def test_after_a_sort_only_a_winner_is_ahead() -> None:
    everyone_alike = play([5.0] * 12, Truth())
    assert everyone_alike.places == (1,) * 12
    assert everyone_alike.choice is None
    # 9 wins against the 5s, which tie with each other and win against 1.
    standing = play([5, 5, 5, 5, 9, 5, 5, 5, 5, 1], Truth())
    assert standing.places == (2, 2, 2, 2, 1, 2, 2, 2, 2, 10)
    assert standing.choice == 4


def test_comparisons_without_a_verdict_count_for_nobody() -> None:
    standing = play([3, 2, 1], Truth(lambda a, b: {a.id, b.id} == {"0", "1"}))
    # 0 and 1 both beat 2, and nothing is known of the two.
    assert standing.points == (1.0, 1.0, 0.0)
    assert standing.undecided == 1
    assert standing.choice is None
    ranking = ranking_of_tournament(["a", "b", "c"], standing)
    assert ranking.judgment.status == "unparsed"
    assert ranking.undecided == 1


def test_nothing_decided_is_no_order() -> None:
    for count in (3, 12):
        standing = play([float(i) for i in range(count)], Truth(lambda a, b: True))
        assert standing.points == (None,) * count
        assert standing.choice is None
        ranking = ranking_of_tournament([str(i) for i in range(count)], standing)
        assert ranking.places == (None,) * count
        assert ranking.order == tuple(range(count))
        assert ranking.judgment.scores is None


def test_the_record_is_in_order_whoever_came_back_first() -> None:
    class Late(Truth):
        async def compare(self, a: Any, b: Any) -> Judgment:
            await asyncio.sleep(0.02 if a.id == "0" else 0)
            return await super().compare(a, b)

    standing = play([1, 2, 3], Late())
    assert [item.subject for item in standing.judgments] == ["0 | 1", "0 | 2", "1 | 2"]
