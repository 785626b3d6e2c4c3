"""Items of OpenAI's Responses API: the ``input`` or ``output`` of a run with function_call and function_call_output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.errors import InputError
from assay.subjects.loaders._rows import QUERY_FIELDS, name_of, rest_of, system_of, text_field
from assay.subjects.loaders._steps import tool_names
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import read_messages
from assay.subjects.loaders.openai_agents import item_messages
from assay.subjects.trajectory import Trajectory

_HOLDERS = ("items", "input", "output", "new_items")


def _items(row: Any) -> list[Any]:
    if isinstance(row, list):
        return row if any(_is_call(item) for item in row) else []
    if not isinstance(row, dict):
        return []
    held = [row[name] for name in _HOLDERS if isinstance(row.get(name), list)]
    return next((items for items in held if any(_is_call(item) for item in items)), [])


def _is_call(item: Any) -> bool:
    kind = item.get("type") if isinstance(item, dict) else None
    return isinstance(kind, str) and (
        kind in ("function_call", "function_call_output") or kind.endswith("_call")
    )


def sniff(row: Any) -> bool:
    """Return whether a row is, or holds, items with calls."""
    return bool(_items(row))


def load(data: Any, origin: InputContext) -> Iterator[Trajectory]:
    """Yield the run in one row."""
    row: dict[str, Any] = data if isinstance(data, dict) else {"items": data}
    items = _items(row)
    if items is row.get("output") and isinstance(row.get("input"), list | str):
        items = [*item_messages(row["input"]), *items]
    talk = read_messages(item_messages(items))
    if not talk.steps and talk.answer is None:
        raise InputError(f"{len(items)} items, in which no assistant says anything")
    fields = tuple(name for name in QUERY_FIELDS if name not in _HOLDERS)
    yield Trajectory(
        text_field(row, "query", origin, fields) or talk.query or origin.query or "",
        talk.steps,
        answer=talk.answer,
        tools=tool_names(row.get("tools")) or None,
        path=origin.path,
        id=name_of(row, origin),
        system=system_of(row, origin),
        meta=rest_of(row, (*_HOLDERS, *QUERY_FIELDS, "tools")),
    )


LOADER = SubjectLoader(
    name="responses-items",
    what="items of OpenAI's Responses API, or result.to_input_list() of the Agents SDK",
    takes="row",
    sniff=sniff,
    load=load,
    rank=17,
)
