"""Intervals that may be looked at after every observation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.measures.sequential import ConfidenceSequence


@pytest.mark.parametrize("share", [0.05, 0.5, 0.8])
def test_the_mean_is_hardly_ever_outside_at_any_time(share: float) -> None:
    random = np.random.default_rng(7)
    outside = 0
    for _ in range(200):
        sequence = ConfidenceSequence(error=0.05)
        for value in random.random(150) < share:
            sequence.extend([float(value)])
            low, high = sequence.interval
            if not low <= share <= high:
                outside += 1
                break
    # Binomial: with a true rate of 5 %, more than 20 of 200 occurs once in a thousand.
    assert outside <= 20


def test_stopping_at_the_first_moment_that_looks_good_misleads_an_ordinary_interval_but_not_this_one() -> (
    None
):
    random = np.random.default_rng(3)
    ordinary = anytime = 0
    for _ in range(150):
        values = (random.random(200) < 0.5).astype(float)
        sequence = ConfidenceSequence(error=0.05)
        mean = np.cumsum(values) / np.arange(1, 201)
        half = 1.96 * np.sqrt(np.maximum(mean * (1 - mean), 0.01) / np.arange(1, 201))
        ordinary += bool((np.abs(mean - 0.5) > half)[10:].any())
        missed = False
        for value in values:
            sequence.extend([value])
            low, high = sequence.interval
            missed = missed or not low <= 0.5 <= high
        anytime += missed
    assert ordinary > 30
    assert anytime <= 15


@given(st.lists(st.floats(-1, 1), max_size=60))
@settings(max_examples=40)
def test_the_interval_stays_within_bounds_and_never_grows(values: list[float]) -> None:
    sequence = ConfidenceSequence(low=-1, high=1)
    before = sequence.width
    assert before == 2
    for value in values:
        sequence.extend([value])
        low, high = sequence.interval
        assert -1 <= low <= high <= 1
        assert sequence.width <= before + 1e-9
        before = sequence.width
    if values:
        assert sequence.mean == pytest.approx(np.mean(values), abs=1e-9)


def test_what_cannot_be() -> None:
    with pytest.raises(UsageError, match="outside"):
        ConfidenceSequence().extend([1.5])
    with pytest.raises(UsageError, match="between 0 and 1"):
        ConfidenceSequence(error=0)
    with pytest.raises(UsageError, match="no range"):
        ConfidenceSequence(low=1, high=1)
