"""Traces of the OpenAI Agents SDK: exported spans (``object: trace.span``), one a line, or the items of a run.

Assumed: ``span_data`` of type generation (``input``, ``output``: chat messages), response (``input``, ``response`` or
``output``: items of the Responses API), function (``name``, ``input``, ``output``) and agent (``name``, ``tools``).
Items, as of ``result.to_input_list()``: messages, function_call, function_call_output, reasoning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from assay.errors import InputError
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import text_of
from assay.subjects.loaders.traces import SpanKind, TraceSpan, head_has, rows_in, runs_of
from assay.subjects.trajectory import Trajectory

_KINDS: Final[dict[str, SpanKind]] = {
    "generation": "model",
    "response": "model",
    "function": "tool",
    "agent": "agent",
}


def sniff(head: bytes) -> bool:
    """Return whether a file begins with a trace or a span of the SDK."""
    return head_has(head, b'"object"', b'"trace.span"') or head_has(head, b'"object"', b'"workflow_name"')


def load(stream: BinaryIO, origin: InputContext) -> Iterator[Trajectory | InputError]:
    """Yield a trajectory for each trace, and an error for each line that cannot be read."""
    spans: list[TraceSpan] = []
    names: dict[str, str] = {}
    for row in rows_in(stream, origin):
        if isinstance(row, InputError):
            yield row
        elif row.get("object") == "trace":
            names[str(row.get("id", ""))] = str(row.get("workflow_name") or "")
        elif isinstance(row.get("span_data"), dict):
            spans.append(_span(row, row["span_data"]))
    if not spans:
        raise InputError("a trace of the OpenAI Agents SDK without spans")
    yield from runs_of(spans, origin, systems={} if len(set(names.values())) < 2 else names)


def _span(row: Mapping[str, Any], data: Mapping[str, Any]) -> TraceSpan:
    kind = _KINDS.get(str(data.get("type")), "other")
    error = row.get("error")
    response = data.get("response")
    output = data.get("output")
    if output is None and isinstance(response, dict):
        output = response.get("output")
    given = data.get("input")
    return TraceSpan(
        id=str(row.get("id", "")),
        parent=row.get("parent_id"),
        trace=str(row.get("trace_id", "")),
        start=str(row.get("started_at") or ""),
        end=str(row.get("ended_at") or ""),
        kind=kind,
        name=str(data.get("name") or ""),
        messages=item_messages(given) if kind == "model" else [],
        said=[one for one in item_messages(output) if one["role"] == "assistant"] if kind == "model" else [],
        input=given if kind == "tool" else None,
        output=output if kind == "tool" else None,
        error=str(error.get("message") or "failed") if isinstance(error, dict) else None,
        model=data.get("model") if isinstance(data.get("model"), str) else None,
    )


def item_messages(items: Any) -> list[dict[str, Any]]:
    """Return chat messages for items of the Responses API; messages stay as they are."""
    if isinstance(items, str):
        return [{"role": "user", "content": items}]
    out: list[dict[str, Any]] = []
    for item in (one for one in items if isinstance(one, dict)) if isinstance(items, list) else ():
        kind = item.get("type")
        if kind == "function_call":
            call = {
                "id": item.get("call_id"),
                "function": {"name": item.get("name", ""), "arguments": item.get("arguments")},
            }
            out.append({"role": "assistant", "content": "", "tool_calls": [call]})
        elif kind == "function_call_output":
            out.append(
                {"role": "tool", "tool_call_id": item.get("call_id"), "content": text_of(item.get("output"))}
            )
        elif kind == "reasoning":
            out.append(
                {"role": "assistant", "content": "", "reasoning_content": text_of(item.get("summary"))}
            )
        elif isinstance(item.get("role"), str):
            out.append(dict(item))
        elif isinstance(kind, str) and kind.endswith("_call"):
            # Tools that the provider runs: web_search_call, file_search_call, computer_call …
            rest = {key: value for key, value in item.items() if key not in ("type", "id", "status")}
            name = kind.removesuffix("_call")
            call = {"id": item.get("id"), "function": {"name": name, "arguments": rest.get("action", rest)}}
            out.append({"role": "assistant", "content": "", "tool_calls": [call]})
            out.append(
                {"role": "tool", "tool_call_id": item.get("id"), "content": text_of(item.get("results"))}
            )
    return out


LOADER = SubjectLoader(
    name="openai-agents",
    what="spans of the OpenAI Agents SDK, as a tracing processor exports them",
    takes="file",
    sniff=sniff,
    load=load,
    rank=31,
)
