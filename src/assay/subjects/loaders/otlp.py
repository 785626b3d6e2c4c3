"""OpenTelemetry traces as OTLP JSON: conventions of GenAI, OpenInference, Langfuse and Traceloop.

A file of the collector (an export request a line), one request (``{"resourceSpans": […]}``), or several. Contents are
read from attributes: ``gen_ai.input.messages`` and ``gen_ai.output.messages`` (parts of type text, tool_call,
tool_call_response, reasoning), ``gen_ai.tool.call.arguments`` and ``.result``; ``llm.input_messages.N.message.…`` and
``input.value``; ``langfuse.observation.input``; ``gen_ai.prompt.N.…`` and ``traceloop.entity.input``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from assay.errors import InputError
from assay.json_values import parse_json
from assay.subjects.loaders._steps import tool_names
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import is_conversation
from assay.subjects.loaders.traces import SpanKind, TraceSpan, head_has, rows_in, runs_of
from assay.subjects.trajectory import Trajectory

_KINDS: Final[dict[str, SpanKind]] = {
    # OpenInference
    "LLM": "model", "TOOL": "tool", "AGENT": "agent", "RETRIEVER": "tool",
    # gen_ai.operation.name
    "chat": "model", "text_completion": "model", "generate_content": "model", "execute_tool": "tool", "invoke_agent": "agent",
    # Langfuse, Traceloop
    "generation": "model", "tool": "tool", "agent": "agent", "retriever": "tool", "workflow": "other", "task": "other",
}  # fmt: skip
_INPUTS: Final = ("input.value", "langfuse.observation.input", "langfuse.trace.input", "traceloop.entity.input",
                  "gen_ai.tool.call.arguments", "gen_ai.input.messages")  # fmt: skip
_OUTPUTS: Final = ("output.value", "langfuse.observation.output", "langfuse.trace.output", "traceloop.entity.output",
                   "gen_ai.tool.call.result", "gen_ai.output.messages")  # fmt: skip
_NAMES: Final = ("gen_ai.tool.name", "tool.name", "gen_ai.agent.name", "agent.name", "traceloop.entity.name")
_MODELS: Final = (
    "gen_ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "langfuse.observation.model.name",
)
_DEEPEST: Final = 12


def sniff(head: bytes) -> bool:
    """Return whether a file begins as an export of spans."""
    return head_has(head, b'"resourceSpans"') or head_has(head, b'"resource_spans"')


def load(stream: BinaryIO, origin: InputContext) -> Iterator[Trajectory | InputError]:
    """Yield a trajectory for each trace, and an error for each line that cannot be read."""
    spans: list[TraceSpan] = []
    systems: dict[str, str] = {}
    for row in rows_in(stream, origin):
        if isinstance(row, InputError):
            yield row
            continue
        for span, service in spans_in(row):
            spans.append(span)
            if service is not None:
                systems.setdefault(span.trace, service)
    if not spans:
        raise InputError("an export of OpenTelemetry without spans")
    yield from runs_of(spans, origin, systems=systems)


def spans_in(request: Mapping[str, Any]) -> Iterator[tuple[TraceSpan, str | None]]:
    """Yield the spans of an export request (OTLP JSON), each with the name of the service, where it has one."""
    for resource in _list(request, "resourceSpans", "resource_spans"):
        about = attributes(resource.get("resource", {}))
        service = about.get("service.name")
        known = isinstance(service, str) and not service.startswith("unknown_service")
        for scope in _list(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            for span in _list(scope, "spans"):
                yield trace_span(span), service if known else None


def trace_span(span: Mapping[str, Any]) -> TraceSpan:
    """Return a span of OTLP JSON without its conventions."""
    about = attributes(span)
    kind = _kind(about)
    status = span.get("status")
    failed = isinstance(status, dict) and status.get("code") in (2, "STATUS_CODE_ERROR")
    nested = _nested(about)
    given = genai_messages(about.get("gen_ai.input.messages")) or _openinference(nested, "input_messages")
    given = given or _prompted(nested, "prompt") or genai_messages(_first(about, _INPUTS))
    said = genai_messages(about.get("gen_ai.output.messages")) or _openinference(nested, "output_messages")
    said = said or _prompted(nested, "completion") or said_messages(_first(about, _OUTPUTS))
    return TraceSpan(
        id=str(span.get("spanId", span.get("span_id", ""))),
        parent=str(span.get("parentSpanId", span.get("parent_span_id", "")) or "") or None,
        trace=str(span.get("traceId", span.get("trace_id", ""))),
        start=_time(span.get("startTimeUnixNano", span.get("start_time_unix_nano"))),
        end=_time(span.get("endTimeUnixNano", span.get("end_time_unix_nano"))),
        kind=kind,
        name=str(_first(about, _NAMES) or span.get("name", "")),
        messages=given if kind == "model" else [],
        said=said if kind == "model" else [],
        input=_tool_input(decoded(_first(about, _INPUTS))),
        output=decoded(_first(about, _OUTPUTS)),
        error=str(status.get("message") or "the span failed")
        if failed and isinstance(status, dict)
        else None,
        tools=_offered(about, nested),
        model=_text(_first(about, _MODELS)),
        call=_text(about.get("gen_ai.tool.call.id", about.get("tool_call.id"))),
    )


def attributes(holder: Any) -> dict[str, Any]:
    """Return the attributes of a span or resource by key, their values freed of their types."""
    found: dict[str, Any] = {}
    for item in _list(holder, "attributes"):
        if isinstance(item.get("key"), str):
            found[item["key"]] = _value(item.get("value"))
    return found


def _value(value: Any, depth: int = 0) -> Any:
    if not isinstance(value, dict) or depth > _DEEPEST:
        return None
    for name, content in value.items():
        short = name.replace("_", "").lower()
        if short == "intvalue":
            return (
                int(content)
                if isinstance(content, int | str) and str(content).lstrip("-").isdigit()
                else None
            )
        if short == "arrayvalue":
            return [_value(item, depth + 1) for item in _list(content, "values")]
        if short == "kvlistvalue":
            return {
                str(item.get("key")): _value(item.get("value"), depth + 1)
                for item in _list(content, "values")
            }
        return content
    return None


def _kind(about: Mapping[str, Any]) -> SpanKind:
    for key in (
        "openinference.span.kind",
        "gen_ai.operation.name",
        "langfuse.observation.type",
        "traceloop.span.kind",
    ):
        if isinstance(about.get(key), str) and about[key] in _KINDS:
            return _KINDS[about[key]]
    return "model" if "llm.request.type" in about or "gen_ai.prompt.0.content" in about else "other"


def _nested(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes whose keys count, as ``llm.input_messages.0.message.role``, as objects in objects."""
    whole: dict[str, Any] = {}
    for key, value in about.items():
        if not key.startswith(("llm.", "gen_ai.prompt.", "gen_ai.completion.")):
            continue
        at = whole
        *path, last = key.split(".")[: _DEEPEST + 4]
        for part in path:
            inner = at.setdefault(part, {})
            at = inner if isinstance(inner, dict) else {}
        at[last] = value
    return whole


def _counted(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, dict):
        return []
    keys = sorted((key for key in value if key.isdigit()), key=int)
    return [value[key] for key in keys if isinstance(value[key], dict)]


def _openinference(nested: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    llm = nested.get("llm")
    out = []
    for item in _counted(llm.get(key) if isinstance(llm, dict) else None):
        message = item.get("message")
        if not isinstance(message, dict):
            continue
        parts = [part.get("message_content") for part in _counted(message.get("contents"))]
        texts = [
            part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)
        ]
        calls = []
        for call in _counted(message.get("tool_calls")):
            one = call.get("tool_call")
            if isinstance(one, dict) and isinstance(one.get("function"), dict):
                calls.append({"id": one.get("id"), "function": one["function"]})
        one = {
            "role": message.get("role", "assistant"),
            "content": message.get("content") or "\n\n".join(texts),
        }
        if calls:
            one["tool_calls"] = calls
        if isinstance(message.get("tool_call_id"), str):
            one["tool_call_id"] = message["tool_call_id"]
        out.append(one)
    return out


def _prompted(nested: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """Return messages of the older convention, ``gen_ai.prompt.0.role``, as Traceloop writes it."""
    llm = nested.get("gen_ai")
    out = []
    for item in _counted(llm.get(key) if isinstance(llm, dict) else None):
        one = {"role": item.get("role", "assistant"), "content": decoded(item.get("content"))}
        calls = [
            {
                "id": call.get("id"),
                "function": {"name": call.get("name", ""), "arguments": call.get("arguments")},
            }
            for call in _counted(item.get("tool_calls"))
        ]
        if calls:
            one["tool_calls"] = calls
        if isinstance(item.get("tool_call_id"), str):
            one["tool_call_id"] = item["tool_call_id"]
        out.append(one)
    return out


def genai_messages(value: Any) -> list[dict[str, Any]]:
    """Return messages in the form of the GenAI conventions or of OpenAI."""
    value = decoded(value)
    value = value.get("messages") if isinstance(value, dict) else value
    if not is_conversation(value):
        return []
    out: list[dict[str, Any]] = []
    for message in value:
        parts = message.get("parts")
        out.extend(_of_parts(message, parts) if isinstance(parts, list) else [message])
    return out


def _of_parts(message: Mapping[str, Any], parts: list[Any]) -> Iterator[dict[str, Any]]:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[dict[str, Any]] = []
    for part in (item for item in parts if isinstance(item, dict)):
        kind = part.get("type")
        if kind == "tool_call":
            calls.append(
                {
                    "id": part.get("id"),
                    "function": {"name": part.get("name", ""), "arguments": part.get("arguments")},
                }
            )
        elif kind == "tool_call_response":
            response = part.get("response", part.get("result"))
            text = response if isinstance(response, str) else str(decoded(response))
            yield {"role": "tool", "tool_call_id": part.get("id"), "content": text}
        elif isinstance(part.get("content"), str):
            (thoughts if kind in ("reasoning", "thinking") else texts).append(part["content"])
    if texts or thoughts or calls:
        one: dict[str, Any] = {"role": message.get("role", "assistant"), "content": "\n\n".join(texts)}
        if thoughts:
            one["reasoning_content"] = "\n\n".join(thoughts)
        if calls:
            one["tool_calls"] = calls
        yield one


def said_messages(value: Any) -> list[dict[str, Any]]:
    """Return what a model said: a message, messages, or a text."""
    value = decoded(value)
    if isinstance(value, dict) and ("content" in value or "tool_calls" in value):
        return [{**value, "role": "assistant"}]
    if isinstance(value, str) and value.strip():
        return [{"role": "assistant", "content": value}]
    return genai_messages(value)


def _tool_input(value: Any) -> Any:
    """Return the arguments of a tool without the wrapping of smolagents."""
    if isinstance(value, dict) and {"args", "kwargs"} <= value.keys() and isinstance(value["kwargs"], dict):
        return value["kwargs"] or {"args": value["args"]}
    return value


def _offered(about: Mapping[str, Any], nested: Mapping[str, Any]) -> list[str]:
    names = tool_names(decoded(about.get("gen_ai.tool.definitions")))
    llm = nested.get("llm")
    for item in _counted(llm.get("tools") if isinstance(llm, dict) else None):
        tool = item.get("tool")
        names += tool_names([decoded(tool.get("json_schema"))] if isinstance(tool, dict) else [])
    return names


def decoded(value: Any) -> Any:
    """Return what a JSON text of an object or array holds; other values as they are."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return parse_json(value)
        except InputError:
            return value
    return value


def _first(about: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((about[key] for key in keys if about.get(key) is not None), None)


def _time(value: Any) -> int:
    return int(value) if isinstance(value, int | str) and str(value).isdigit() else 0


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _list(holder: Any, *names: str) -> list[dict[str, Any]]:
    found = (
        next((holder[name] for name in names if name in holder), None) if isinstance(holder, dict) else None
    )
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


LOADER = SubjectLoader(
    name="otlp",
    what="OpenTelemetry traces as OTLP JSON: GenAI conventions, OpenInference, Langfuse, Traceloop",
    takes="file",
    sniff=sniff,
    load=load,
    rank=30,
)
