"""Tasks with a list of points: HealthBench, WritingBench, Rubrics as Rewards, and lists of ``{point, weight}``.

    {"prompt": text or messages, "prompt_id", "rubrics": [{"criterion", "points", "tags"}]}        HealthBench
    {"index", "query", "domain1", "checklist": [{"name", "criteria_description", "1-2": …}]}       WritingBench
    {"question", "rubric": [{"title", "description", "weight"}]}                                   Rubrics as Rewards

If a row has points instead of weights, they are not on the scale from -5 to 5: none of its criteria is
mandatory unless it says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from assay.rubrics.loaders._items import QUERIES, TEXTS, WEIGHTS, entries, make_task
from assay.rubrics.loaders.base import Row, RowOrigin, RubricLoader
from assay.rubrics.tasks import RubricTask
from assay.rubrics.weighted import MANDATORY

_LISTS: Final = ("rubrics", "rubric", "checklist", "criteria", "points", "rubric_list", "rubric_items")
_DOMAINS: Final = ("domain", "domain1", "category", "topic", "theme")


def is_point(item: Any) -> bool:
    """Return whether a row is a criterion rather than a task: a text and a weight, and no question."""
    if not isinstance(item, dict) or any(name in item for name in QUERIES):
        return False
    return any(isinstance(item.get(name), str) for name in TEXTS) and not any(
        isinstance(item.get(name), list | dict) for name in _LISTS
    )


def _sniff(row: Row) -> bool:
    if not any(row.get(name) is not None for name in QUERIES):
        return False
    items: Any = next((row[name] for name in _LISTS if name in row), None)
    return isinstance(items, list | str) and bool(items)


def _load(row: Row, place: RowOrigin) -> RubricTask:
    name, items = entries(row, _LISTS, place)
    domain = next((name for name in _DOMAINS if isinstance(row.get(name), str)), "domain")
    return make_task(
        row,
        place,
        _flagged(name, items),
        used=(name,),
        domain=domain,
    )


def _flagged(name: str, items: list[Any]) -> Iterator[tuple[str, Any]]:
    for index, item in enumerate(items):
        made = item
        if isinstance(item, dict) and "weight" not in item and "mandatory" not in item:
            points = item.get(WEIGHTS[1])
            if isinstance(points, int | float) and abs(points) >= MANDATORY:
                made = {**item, "mandatory": False}
        yield f"{name}[{index}]", made


LOADER = RubricLoader(
    name="points",
    what="rows with a question and a list of points (HealthBench, WritingBench, {title, description, weight})",
    sniff=_sniff,
    load=_load,
    rank=60,
)
