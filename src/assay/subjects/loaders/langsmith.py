"""LangSmith runs: one a line, joined by ``parent_run_id``, or nested in ``child_runs``.

Assumed: ``run_type`` (llm, tool, retriever, chain), ``inputs`` and ``outputs`` as LangChain writes them – messages
plain or serialised, ``generations`` with a ``message``, a tool's ``output`` – or as ``wrap_openai`` does (``messages``,
``choices``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from assay.errors import InputError
from assay.subjects.loaders._steps import tool_names
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import is_conversation
from assay.subjects.loaders.langgraph import messages_in, normal_message
from assay.subjects.loaders.traces import SpanKind, TraceSpan, head_has, plain_text, rows_in, runs_of
from assay.subjects.trajectory import Trajectory

_KINDS: Final[dict[str, SpanKind]] = {"llm": "model", "tool": "tool", "retriever": "tool"}
_MOST_DEEP: Final = 200


def sniff(head: bytes) -> bool:
    """Return whether a file begins with a run."""
    return head_has(head, b'"run_type"', b'"inputs"')


def load(stream: BinaryIO, origin: InputContext) -> Iterator[Trajectory | InputError]:
    """Yield a trajectory for each trace, and an error for each line that cannot be read."""
    spans: list[TraceSpan] = []
    systems: dict[str, str] = {}
    for row in rows_in(stream, origin):
        if isinstance(row, InputError):
            yield row
            continue
        found = list(_spans(row, str(row.get("trace_id") or row.get("id") or ""), 0))
        spans += found
        if row.get("parent_run_id") is None and found:
            systems.setdefault(found[0].trace, found[0].name)
    if not spans:
        raise InputError("a file of LangSmith without runs")
    yield from runs_of(spans, origin, systems=systems)


def _spans(run: Mapping[str, Any], trace: str, depth: int) -> Iterator[TraceSpan]:
    if not isinstance(run.get("run_type"), str) or depth > _MOST_DEEP:
        return
    kind = _KINDS.get(run["run_type"], "other")
    inputs, outputs = run.get("inputs"), run.get("outputs")
    yield TraceSpan(
        id=str(run.get("id", "")),
        parent=str(run["parent_run_id"]) if run.get("parent_run_id") else None,
        trace=str(run.get("trace_id") or trace),
        start=str(run.get("start_time") or ""),
        end=str(run.get("end_time") or ""),
        kind=kind,
        name=str(run.get("name") or ""),
        messages=_given(inputs) if kind == "model" else [],
        said=_said(outputs) if kind == "model" else [],
        input=inputs,
        output=outputs,
        error=str(run["error"]) if run.get("error") else None,
        tools=tool_names(_parameters(run).get("tools")),
        model=_model(run),
        call=_call_of(outputs),
    )
    for child in run.get("child_runs") or []:
        if isinstance(child, dict):
            parented = child if child.get("parent_run_id") else {**child, "parent_run_id": run.get("id")}
            yield from _spans(parented, trace, depth + 1)


def _given(inputs: Any) -> list[dict[str, Any]]:
    if isinstance(inputs, dict):
        listed = inputs.get("messages")
        # LangChain keeps a batch: a list of conversations.
        if isinstance(listed, list) and listed and isinstance(listed[0], list):
            listed = listed[0]
        if isinstance(listed, list) and is_conversation(listed):
            return listed
        if messages := messages_in(listed):
            return messages
        prompts = inputs.get("prompts", inputs.get("prompt"))
        text = prompts[0] if isinstance(prompts, list) and prompts else prompts
        if isinstance(text, str):
            return [{"role": "user", "content": text.removeprefix("Human: ")}]
    return []


def _said(outputs: Any) -> list[dict[str, Any]]:
    if not isinstance(outputs, dict):
        return []
    generations = outputs.get("generations")
    while isinstance(generations, list) and generations and isinstance(generations[0], list):
        generations = generations[0]
    if isinstance(generations, list) and generations and isinstance(generations[0], dict):
        message = normal_message(generations[0].get("message"))
        return [message or {"role": "assistant", "content": generations[0].get("text", "")}]
    choices = outputs.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        message = choices[0].get("message")
        return [message] if isinstance(message, dict) else []
    for value in (outputs.get("output"), outputs.get("message"), outputs):
        if (message := normal_message(value)) is not None:
            return [message]
        if isinstance(value, dict) and isinstance(value.get("role"), str):
            return [value]
    if messages := messages_in(outputs.get("messages")):
        return messages[-1:]
    text = plain_text(outputs)
    return [{"role": "assistant", "content": text}] if text else []


def _parameters(run: Mapping[str, Any]) -> dict[str, Any]:
    extra = run.get("extra")
    found = extra.get("invocation_params") if isinstance(extra, dict) else None
    return found if isinstance(found, dict) else {}


def _model(run: Mapping[str, Any]) -> str | None:
    name = _parameters(run).get("model", _parameters(run).get("model_name"))
    return name if isinstance(name, str) else None


def _call_of(outputs: Any) -> str | None:
    held = outputs.get("output") if isinstance(outputs, dict) else None
    key = held.get("tool_call_id") if isinstance(held, dict) else None
    return key if isinstance(key, str) else None


LOADER = SubjectLoader(
    name="langsmith",
    what="LangSmith runs (run_type, inputs, outputs, parent_run_id), one a line or nested",
    takes="file",
    sniff=sniff,
    load=load,
    rank=32,
)
