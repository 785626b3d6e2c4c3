"""ResearchRubrics: a task a row, with weighted criteria on six axes.

    {"prompt", "sample_id", "domain", "conceptual_breadth", "logical_nesting", "exploration",
     "rubrics": [{"criterion", "weight", "axis"}]}

Reports that answer a task are named ``<sample_id>.md``.
"""

from __future__ import annotations

from assay.decoding import kind_of
from assay.errors import InputError
from assay.rubrics.loaders._items import QUERIES, entries, make_task
from assay.rubrics.loaders.base import Row, RowOrigin, RubricLoader
from assay.rubrics.tasks import LEVELS, RubricTask


def _sniff(row: Row) -> bool:
    told = sum(name in row for name in ("sample_id", "domain", *LEVELS))
    items = row.get("rubrics")
    if isinstance(items, list) and items and isinstance(items[0], dict):
        asked = told > 0 or any(name in row for name in QUERIES)
        return asked and "criterion" in items[0] and "points" not in items[0]
    return ("rubrics" in row and told > 0) or told > 1


def _load(row: Row, place: RowOrigin) -> RubricTask:
    name, items = entries(row, ("rubrics",), place)
    for index, item in enumerate(items):
        # Here a weight is never left out: 1 for all that lack one would be a guess.
        if isinstance(item, dict) and "criterion" in item and item.get("weight") is None:
            raise InputError(f"{name}[{index}] has no weight", where=place.where)
        if not isinstance(item, dict):
            raise InputError(
                f"{name}[{index}] is {kind_of(item)}; it must be a table with criterion, weight and axis",
                where=place.where,
            )
    pairs = [(f"{name}[{index}]", item) for index, item in enumerate(items)]
    return make_task(row, place, pairs, used=(name,))


LOADER = RubricLoader(
    name="research-rubrics",
    what="ResearchRubrics rows (prompt, sample_id, domain, rubrics: [{criterion, weight, axis}])",
    sniff=_sniff,
    load=_load,
    rank=20,
)
