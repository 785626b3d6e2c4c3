"""Runs that stop when the interval is narrow enough."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import assay
from assay.errors import UsageError
from assay.meta.stopping import StoppingRule, shuffled

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def many() -> assay.Benchmark:
    """One instance under ninety references' names."""
    (one,) = assay.Benchmark.build(
        [EXAMPLES / "heat-pumps" / "good.md"], types="citation_groundedness", per_type=1
    )
    return assay.Benchmark(
        msgspec.structs.replace(one, id=f"{one.id}-{at}", group=f"g{at}") for at in range(90)
    )


def first(a, b):
    return "A>B"


def test_a_run_stops_when_it_is_sure_enough(many) -> None:
    result = many.run([first], interface="pairwise", until=0.35, baselines=False)
    (trials,) = result.trials
    stopping = result.detections[0].condition.settings["stopping"]
    assert stopping["references"] == len(trials) < 90
    low, high = stopping["interval"]
    assert high - low <= 0.35
    # A judge that always says A prefers nothing in both orders.
    assert low == 0


def test_a_run_that_never_becomes_sure_judges_everything_and_says_how_sure_it_is(many) -> None:
    result = many.run([first], interface="pairwise", until=0.05, baselines=False)
    stopping = result.detections[0].condition.settings["stopping"]
    assert stopping["references"] == len(result.trials[0]) == 90
    low, high = stopping["interval"]
    assert high - low > 0.05


def test_baselines_judge_everything(many) -> None:
    result = many.run([first], interface="pairwise", until=0.35)
    assert {len(own) for own in result.trials[1:]} == {90}


def test_the_order_of_references_does_not_follow_types(many) -> None:
    order = [item.group for item in shuffled(many)]
    assert order != sorted(order)
    assert order == [item.group for item in shuffled(list(reversed(many)))]


@pytest.mark.parametrize("width", [0, 1, -0.1])
def test_a_width_lies_between_0_and_1(width: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1 wide"):
        StoppingRule(width)
