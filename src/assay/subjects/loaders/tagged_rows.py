"""Rows that hold tagged agent text in one string, as DR-Tulu's evaluation writes them.

Assumed: the text is in ``full_traces.generated_text``, ``generated_text``, ``trace``, ``transcript``, ``trajectory``,
``response`` or ``output``; the question in ``question``, ``problem``, ``query`` or ``prompt``; ``final_response`` is
the answer when the text has none in tags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.json_values import replace_surrogates
from assay.subjects.loaders._rows import QUERY_FIELDS, name_of, rest_of, system_of, text_field
from assay.subjects.loaders._steps import StepBuilder, tool_names
from assay.subjects.loaders._tags import has_call_tool, has_tags, read_tagged
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEXT = ("generated_text", "trace", "transcript", "trajectory", "response", "output", "completion", "text")


def sniff(row: Any) -> bool:
    """Return whether a row has a string field with agent tags in it."""
    text = _text(row)
    return text is not None and (has_call_tool(text) or (has_tags(text) and "<tool_" in text))


def load(row: dict[str, Any], origin: InputContext) -> Iterator[Trajectory]:
    """Yield the trajectory in one row."""
    text = _text(row)
    if text is None:
        raise InputError("the row has no field with tagged text")
    builder = StepBuilder()
    answer = read_tagged(replace_surrogates(text), builder)
    if answer is None:
        answer = text_field(row, "answer", origin, ("final_response", "prediction"))
    yield Trajectory(
        text_field(row, "query", origin, QUERY_FIELDS) or origin.query or "",
        builder.steps,
        answer=answer,
        tools=tool_names(row.get("tools")) or None,
        path=origin.path,
        id=name_of(row, origin),
        system=system_of(row, origin),
        meta=rest_of(row, (*_TEXT, *QUERY_FIELDS, "full_traces")),
    )


def _text(row: Any) -> str | None:
    if not isinstance(row, dict):
        return None
    holder = row.get("full_traces")
    for source in (holder, row):
        if isinstance(source, dict):
            for name in _TEXT:
                value = source.get(name)
                if isinstance(value, str) and has_tags(value):
                    return value
    return None


LOADER = SubjectLoader(
    name="tagged-rows",
    what="rows with tagged agent text in one field (DR-Tulu traces)",
    takes="row",
    sniff=sniff,
    load=load,
    rank=25,
)
