"""Twice the text takes at most 2.3 times as long, whatever is repeated in it: a generator of shapes for patterns gone wrong."""

from __future__ import annotations

import random
import time
from itertools import product

import pytest

from assay import Report, audit

# One unit of each is what a pattern of some check begins to read.
UNITS = (
    "rates rose ", "from 10% to 20%, ", "US$ 5 million and ", "in 2020 and 2021, ", "12 of 30 cases, ", "a, b and c; ", "[1]", "[2][3], ",
    "(see [4]) ", "[text](https://a.example/x) ", "https://a.example/b ", "“quoted” ", "(and (so ", "**bold** ", "*it* and ", "`code` ",
    "e.g. this, ", "however, ", "because it is so, ", "not only this but ", "the first, the second, ", "AI (artificial intelligence) ",
    "1.2.3 ", "- ", "… ", "'s ", "|a|b", "$x^2$ ", "&amp; ", "<b>x</b> ", "从10%到20%，", "收入为5万元，", "2020年增长3%，", "例如这样，", "因此，",
    "《书》和", "“引文”，", "（见[1]）", "第一，第二，", "不仅如此，而且", "人工智能（AI）", "１２３，", "三千五百万元、", "、", "…… ",
)  # fmt: skip
JOINS = ("", "\n", "\n\n", "\n- ", "\n## ", ". ", "。")
SIZE = 24_000
# Below this a measurement says little.
LEAST = 0.05
MOST = 2.3


def shapes():
    return [f"{unit}{join}" for unit, join in product(UNITS, JOINS)]


def seconds(unit, size):
    text = "# Report\n\n" + unit * (size // len(unit)) + "\n"
    best = float("inf")
    for _ in range(2):
        began = time.process_time()
        audit(Report(text))
        best = min(best, time.process_time() - began)
    return best


def growth(unit):
    """Return how much longer twice the text takes, at a size at which that can be measured."""
    size = SIZE
    once = seconds(unit, size)
    while once < LEAST and size < 16 * SIZE:
        size *= 2
        once = seconds(unit, size)
    return seconds(unit, 2 * size) / once


def held(unit):
    # A busy machine disturbs one measurement, not three.
    return any(growth(unit) <= MOST for _ in range(3))


def test_there_are_many_shapes():
    assert len(set(shapes())) >= 200


@pytest.mark.parametrize("unit", random.Random(20).sample(shapes(), 12), ids=repr)
def test_a_sample_of_shapes(unit):
    assert held(unit)


@pytest.mark.slow
@pytest.mark.parametrize("unit", shapes(), ids=repr)
def test_every_shape(unit):
    assert held(unit)
