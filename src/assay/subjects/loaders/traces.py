"""Traces put into messages: what models said and tools returned, in the order of time, whatever library kept the spans.

A loader turns its own spans into `TraceSpan`s. Of model spans inside model spans – a framework's and its client's –
the outer one counts. A tool's result goes to the call that a model made of it; a tool that no model called is a call
of its own. The question is the input of the outermost span, or else the first user message that a model was given.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Final, Literal

import msgspec

from assay.errors import InputError
from assay.json_values import parse_json, plain_value
from assay.subjects.encodings import decode_text
from assay.subjects.loaders._rows import QUERY_FIELDS
from assay.subjects.loaders._steps import arguments_of
from assay.subjects.loaders.base import InputContext
from assay.subjects.loaders.conversations import is_conversation, read_messages, text_of
from assay.subjects.loaders.langgraph import messages_in
from assay.subjects.run_ending import RunEnding
from assay.subjects.trajectory import Trajectory

SpanKind = Literal["model", "tool", "agent", "other"]
# Tools by which an agent hands in its answer.
_FINAL_TOOLS: Final = frozenset({"final_answer", "submit_answer", "finish"})
_TASK_HEAD: Final = "New task:\n"
_TEXT_KEYS: Final = (
    "content",
    "text",
    "value",
    "output",
    "answer",
    "result",
    "response",
    "completion",
    "return_value",
)


class TraceSpan(msgspec.Struct, frozen=True, kw_only=True):
    """One span of a trace, freed of its library.

    Attributes:
        id: Its name in the trace.
        parent: The span around it, or None.
        trace: The trace that it belongs to.
        start: When it began; texts and numbers are compared among their like.
        end: When it ended.
        kind: Whether a model answered in it, a tool ran, an agent worked, or something else.
        name: Name of the tool, agent or step.
        messages: What the model was given.
        said: What the model answered, one message or several.
        input: What the tool or the whole run was given.
        output: What it returned.
        error: What failed.
        tools: Names of the tools that the model was offered.
        model: Name of the model.
        call: Identifier of the call that the tool answers, if the span has it.
    """

    id: str
    parent: str | None = None
    trace: str = ""
    start: Any = 0
    end: Any = 0
    kind: SpanKind = "other"
    name: str = ""
    messages: list[dict[str, Any]] = []
    said: list[dict[str, Any]] = []
    input: Any = None
    output: Any = None
    error: str | None = None
    tools: list[str] = []
    model: str | None = None
    call: str | None = None


def runs_of(
    spans: Iterable[TraceSpan], origin: InputContext, *, systems: Mapping[str, str] | None = None
) -> Iterator[Trajectory | InputError]:
    """Yield a trajectory for each trace, in the order in which traces first appear.

    Args:
        spans: Spans of any number of traces, in any order.
        origin: Where they came from.
        systems: Names of systems by trace.
    """
    traces: dict[str, list[TraceSpan]] = {}
    for span in spans:
        traces.setdefault(span.trace, []).append(span)
    for trace, own in traces.items():
        where = f"{origin.path}[{trace}]" if origin.path and len(traces) > 1 else origin.path
        run = _run(own, origin)
        if not run.steps and run.answer is None:
            yield InputError(
                f"trace {trace or '(without a name)'}: {len(own)} spans, in which no model says anything",
                where=where,
                hint="record the contents of messages too: many exporters leave them out by default",
            )
        else:
            yield run.replace(path=where, id=trace or None, system=(systems or {}).get(trace) or run.system)


def _run(spans: list[TraceSpan], origin: InputContext) -> Trajectory:
    by_id = {span.id: span for span in spans}
    models = [span for span in spans if span.kind == "model" and not _inside_model(span, by_id)]
    tools = [span for span in spans if span.kind == "tool"]
    outermost = [span for span in spans if span.parent is None or span.parent not in by_id]
    # A trace may lack its outer spans; what a tool was given is not the question.
    roots = [span for span in outermost if span.kind in ("agent", "other")]
    agents = {span.id: _agent_of(span, by_id) for span in (*models, *tools)}
    several = len({name for name in agents.values() if name}) > 1
    query = _question(roots, models)
    messages: list[dict[str, Any]] = [{"role": "user", "content": query}] if query else []
    waiting: dict[str, str] = {}
    events = [(span.end or span.start, 0, span) for span in models] + [
        (span.end or span.start, 1, span) for span in tools
    ]
    for _, _, span in sorted(events, key=lambda event: (str(type(event[0])), event[0], event[1])):
        speaker = agents[span.id] if several else None
        if span.kind == "model":
            _settle(span.messages, waiting, messages)
            messages.extend(_answers(span, speaker, waiting))
        elif span.name in _FINAL_TOOLS:
            continue
        else:
            messages.extend(_response(span, speaker, waiting))
    talk = read_messages(messages)
    ended = next((span for span in roots if span.error), None)
    answer = talk.answer or next((text for span in roots if (text := plain_text(span.output))), None)
    offered = [name for span in models for name in span.tools if name not in _FINAL_TOOLS]
    return Trajectory(
        query or origin.query or "",
        talk.steps,
        answer=answer,
        tools=list(dict.fromkeys(offered)) or None,
        system=next((name for span in spans if span.kind == "agent" and (name := span.name)), None),
        ending=RunEnding("crashed", ended.error[:500])
        if ended is not None and ended.error and answer is None
        else None,
        meta={"model": model}
        if (model := next((span.model for span in models if span.model), None))
        else None,
    )


def _inside_model(span: TraceSpan, by_id: Mapping[str, TraceSpan]) -> bool:
    return any(outer.kind == "model" for outer in _outer(span, by_id))


def _outer(span: TraceSpan, by_id: Mapping[str, TraceSpan]) -> Iterator[TraceSpan]:
    seen = {span.id}
    at = span
    while at.parent is not None and at.parent in by_id and at.parent not in seen:
        at = by_id[at.parent]
        seen.add(at.id)
        yield at


def _agent_of(span: TraceSpan, by_id: Mapping[str, TraceSpan]) -> str | None:
    return next((outer.name for outer in _outer(span, by_id) if outer.kind == "agent" and outer.name), None)


def _question(roots: list[TraceSpan], models: list[TraceSpan]) -> str | None:
    for span in roots:
        if (text := question_in(span.input)) is not None:
            return text
    for span in models:
        if (text := question_in(span.messages)) is not None:
            return text.removeprefix(_TASK_HEAD).strip()
    return None


def question_in(value: Any) -> str | None:
    """Return the question in the input of a run: a text, a field such as ``question``, or the first user message."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, list):
        talk = value if is_conversation(value) else messages_in(value)
        for message in talk:
            asked = text_of(message.get("content")).strip()
            if message.get("role") in ("user", "human") and asked:
                return asked
        pairs = [item for item in value if isinstance(item, list) and len(item) == 2]
        said = (item[1] for item in pairs if item[0] in ("user", "human") and isinstance(item[1], str))
        return next(said, None)
    if isinstance(value, dict):
        held = (value[name] for name in (*QUERY_FIELDS, "messages", "args", "kwargs") if name in value)
        return next((found for one in held if (found := question_in(one)) is not None), None)
    return None


def _settle(given: list[dict[str, Any]], waiting: dict[str, str], messages: list[dict[str, Any]]) -> None:
    """Take over results that only the next model's input holds, as where tools have no spans."""
    for message in given:
        key = message.get("tool_call_id")
        if message.get("role") == "tool" and isinstance(key, str) and key in waiting:
            waiting.pop(key)
            messages.append(message)


def _answers(span: TraceSpan, speaker: str | None, waiting: dict[str, str]) -> Iterator[dict[str, Any]]:
    for message in span.said or ([{"content": f"Error: {span.error}"}] if span.error else []):
        calls = [call for call in message.get("tool_calls") or [] if isinstance(call, dict)]
        kept = []
        final = None
        for call in calls:
            function = function_of(call)
            if function.get("name") in _FINAL_TOOLS:
                final = plain_text(arguments_of(function.get("arguments", function.get("args"))))
                continue
            kept.append(call)
            if isinstance(call.get("id"), str):
                waiting[call["id"]] = str(function.get("name", ""))
        said = {**message, "role": "assistant", **({"name": speaker} if speaker else {})}
        if calls:
            said["tool_calls"] = kept
        yield said
        if final:
            yield {"role": "assistant", "content": final}


def _response(span: TraceSpan, speaker: str | None, waiting: dict[str, str]) -> Iterator[dict[str, Any]]:
    key = (
        span.call
        if span.call in waiting
        else next((key for key, name in waiting.items() if name == span.name), None)
    )
    text = plain_text(span.output) or ""
    if span.error and span.error not in text:
        text = f"Error: {span.error}\n\n{text}".strip()
    if key is None:
        key = f"span-{span.id}"
        yield {
            "role": "assistant",
            **({"name": speaker} if speaker else {}),
            "tool_calls": [{"id": key, "function": {"name": span.name, "arguments": span.input}}],
        }
    waiting.pop(key, None)
    yield {"role": "tool", "tool_call_id": key, "content": text}


def plain_text(value: Any) -> str | None:
    """Return what a tool or a run returned as text: the text itself, that in a message or field, or JSON."""
    if value is None or value in ({}, []):
        return None
    if isinstance(value, str):
        return value.strip() or None
    found = _text_in(value)
    return found if found is not None else msgspec.json.encode(plain_value(value)).decode()


def _text_in(value: Any) -> str | None:
    if isinstance(value, list):
        talk = messages_in(value) or (value if is_conversation(value) else [])
        return plain_text(text_of(talk[-1].get("content")) if talk else text_of(value))
    if isinstance(value, dict):
        held = [value["messages"]] if isinstance(value.get("messages"), list) else []
        held += [value[name] for name in _TEXT_KEYS if isinstance(value.get(name), str | list | dict)]
        return next((text for one in held if (text := plain_text(one))), None)
    return None


def function_of(call: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a call that has its name and arguments."""
    held = call.get("function")
    return held if isinstance(held, dict) else call


def rows_in(stream: BinaryIO, origin: InputContext) -> Iterator[dict[str, Any] | InputError]:
    """Yield the objects of a file: one a line, an array of them, or a single one; an error for a line cut in half."""
    data = stream.read(origin.max_bytes + 1)
    if len(data) > origin.max_bytes:
        raise InputError(
            f"a trace of more than {origin.max_bytes:,} bytes",
            hint="a larger max_bytes raises the limit",
            cli_hint="--max-bytes raises the limit",
        )
    text, _ = decode_text(data)
    try:
        value = parse_json(text)
    except InputError as whole:
        lines = [line for line in io.StringIO(text) if line.strip()]
        if not lines or not _is_json(lines[0]):
            raise InputError(f"a trace that is cut off or damaged: {whole.problem}") from whole
        for number, line in enumerate(lines, 1):
            try:
                value = parse_json(line)
            except InputError as error:
                where = f"{origin.path}:{number}" if origin.path else None
                yield InputError(f"a line that is cut off or damaged: {error.problem}", where=where)
            else:
                if isinstance(value, dict):
                    yield value
        return
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield item


def _is_json(text: str) -> bool:
    try:
        parse_json(text)
    except InputError:
        return False
    return True


def head_has(head: bytes, *words: bytes) -> bool:
    """Return whether the beginning of a JSON file has all of the words."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") and all(word in head for word in words)
