"""Langfuse traces as its API and its exports give them: a trace with ``observations``, or observations alone.

Assumed: ``id``, ``traceId``, ``parentObservationId``, ``type`` (GENERATION, TOOL, AGENT, SPAN …), ``name``, ``input``,
``output``, ``startTime``, ``endTime``, ``level``, ``statusMessage``, ``model``. What Langfuse's SDK sends is
OpenTelemetry and is read by `otlp`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from assay.errors import InputError
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import is_conversation
from assay.subjects.loaders.otlp import decoded, genai_messages, said_messages
from assay.subjects.loaders.traces import SpanKind, TraceSpan, head_has, rows_in, runs_of
from assay.subjects.trajectory import Trajectory

_KINDS: Final[dict[str, SpanKind]] = {
    "GENERATION": "model",
    "TOOL": "tool",
    "RETRIEVER": "tool",
    "AGENT": "agent",
}


def sniff(head: bytes) -> bool:
    """Return whether a file begins with a trace or an observation."""
    return head_has(head, b'"observations"', b'"input"') or head_has(head, b'"parentObservationId"')


def load(stream: BinaryIO, origin: InputContext) -> Iterator[Trajectory | InputError]:
    """Yield a trajectory for each trace, and an error for each line that cannot be read."""
    spans: list[TraceSpan] = []
    systems: dict[str, str] = {}
    for row in rows_in(stream, origin):
        if isinstance(row, InputError):
            yield row
        elif isinstance(row.get("observations"), list):
            trace = str(row.get("id", ""))
            # The trace itself is the outermost span.
            spans.append(_span({**row, "type": "TRACE"}, trace, f"trace-{trace}", None))
            for item in row["observations"]:
                if isinstance(item, dict):
                    spans.append(_span(item, trace, None, f"trace-{trace}"))
            if isinstance(row.get("name"), str):
                systems[trace] = row["name"]
        elif "parentObservationId" in row:
            spans.append(_span(row, str(row.get("traceId", "")), None, None))
    if not spans:
        raise InputError("a file of Langfuse without observations")
    yield from runs_of(spans, origin, systems=systems)


def _span(row: Mapping[str, Any], trace: str, name: str | None, root: str | None) -> TraceSpan:
    kind = _KINDS.get(str(row.get("type", "")).upper(), "other")
    given, output = decoded(row.get("input")), decoded(row.get("output"))
    parent = row.get("parentObservationId")
    return TraceSpan(
        id=name or str(row.get("id", "")),
        parent=str(parent) if parent else root,
        trace=trace,
        start=str(row.get("startTime") or row.get("timestamp") or ""),
        end=str(row.get("endTime") or row.get("startTime") or ""),
        kind=kind,
        name=str(row.get("name") or ""),
        messages=genai_messages(given) if kind == "model" else [],
        said=said_messages(output) if kind == "model" else [],
        input=given if not is_conversation(given) or kind != "model" else None,
        output=output,
        error=str(row.get("statusMessage") or "failed") if row.get("level") == "ERROR" else None,
        model=row.get("model") if isinstance(row.get("model"), str) else None,
    )


LOADER = SubjectLoader(
    name="langfuse",
    what="Langfuse traces with observations, as its API and exports give them",
    takes="file",
    sniff=sniff,
    load=load,
    rank=33,
)
