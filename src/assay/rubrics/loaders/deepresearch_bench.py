"""Criteria of DeepResearch Bench (RACE): a task a row, weights as shares within shares.

    {"id", "prompt", "dimension_weight": {dimension: share},
     "criterions": {dimension: [{"criterion", "explanation", "weight"}]}}

A criterion weighs its share times its dimension's, so that all of a task sum to 1. The dimension is its axis.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

from assay.decoding import kind_of
from assay.errors import InputError
from assay.rubrics.loaders._items import make_task
from assay.rubrics.loaders.base import Row, RowOrigin, RubricLoader
from assay.rubrics.tasks import RubricTask


def _sniff(row: Row) -> bool:
    return "criterions" in row or "dimension_weight" in row


def _load(row: Row, place: RowOrigin) -> RubricTask:
    shares, groups = row.get("dimension_weight"), row.get("criterions")
    for name, value in (("dimension_weight", shares), ("criterions", groups)):
        if not isinstance(value, dict) or not value:
            found = f"is {kind_of(value)}" if name in row else "is missing"
            _fail(place, f"{name} {found}; it must be a table by dimension")
    assert isinstance(shares, dict)  # for the type checker
    assert isinstance(groups, dict)
    for name in shares:
        if name not in groups:
            _fail(place, f"dimension_weight.{name} has no criteria; there are {', '.join(groups)}")
    pairs: list[tuple[str, Any]] = []
    for dimension, items in groups.items():
        path = f"criterions.{dimension}"
        if dimension not in shares:
            _fail(place, f"{path} has no share in dimension_weight")
        share = _share(shares[dimension], f"dimension_weight.{dimension}", place)
        if not isinstance(items, list):
            _fail(place, f"{path} is {kind_of(items)}; it must be a list of criteria")
        for index, item in enumerate(items):
            at = f"{path}[{index}]"
            if not isinstance(item, dict):
                _fail(place, f"{at} is {kind_of(item)}; it must be a table with criterion and weight")
            weight = _share(item.get("weight"), f"{at}.weight", place)
            # Not the last bits of a product of two decimal fractions.
            pairs.append((at, {**item, "weight": round(share * weight, 12), "axis": dimension}))
    return make_task(
        row,
        place,
        pairs,
        used=("dimension_weight", "criterions"),
        domain="topic",
    )


def _share(value: Any, path: str, place: RowOrigin) -> float:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or value <= 0
    ):
        found = f"is {value!r}" if isinstance(value, int | float | str) else f"is {kind_of(value)}"
        _fail(place, f"{path} {found}; it must be a share above 0")
    return float(value)


def _fail(place: RowOrigin, problem: str) -> NoReturn:
    raise InputError(problem, where=place.where)


LOADER = RubricLoader(
    name="deepresearch-bench",
    what="DeepResearch Bench criteria (id, prompt, dimension_weight, criterions)",
    sniff=_sniff,
    load=_load,
    rank=10,
)
