"""The memory of smolagents: ``agent.memory.get_full_steps()`` as a JSON array, or one such array a line.

Assumed: a step with ``task``, then steps with ``step_number``, ``model_output``, ``tool_calls`` (``function`` with
``name`` and ``arguments``; code agents call ``python_interpreter``), ``observations``, ``error``, ``action_output`` and
``is_final_answer``; planning steps have ``plan``. Newer steps with a ``task`` are later turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from assay.errors import InputError
from assay.subjects.loaders._steps import StepBuilder
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.traces import function_of, head_has, plain_text, rows_in
from assay.subjects.run_ending import RunEnding
from assay.subjects.trajectory import Trajectory


def sniff(head: bytes) -> bool:
    """Return whether a file begins as an agent's memory."""
    return head_has(head, b'"step_number"', b'"model_input_messages"') or head_has(
        head, b'"task"', b'"task_images"'
    )


def load(stream: BinaryIO, origin: InputContext) -> Iterator[Trajectory | InputError]:
    """Yield the run that the steps of a file are."""
    steps = []
    for row in rows_in(stream, origin):
        if isinstance(row, InputError):
            yield row
        else:
            steps.append(row)
    if not steps:
        raise InputError("the memory of an agent without steps")
    yield _trajectory(steps, origin)


def _trajectory(steps: list[dict[str, Any]], origin: InputContext) -> Trajectory:
    builder = StepBuilder()
    query: str | None = None
    answer: str | None = None
    failed: str | None = None
    later: list[str] = []
    for step in steps:
        task = step.get("task")
        if isinstance(task, str):
            if query is None:
                query = task.strip()
            else:
                later.append(task.strip())
            continue
        builder.think(_words(step))
        final = bool(step.get("is_final_answer"))
        calls = [call for call in step.get("tool_calls") or [] if isinstance(call, dict)]
        error = step.get("error")
        failed = str(error.get("message", error) if isinstance(error, dict) else error) if error else None
        for call in calls:
            function = function_of(call)
            if not (final and function.get("name") == "final_answer"):
                builder.call(str(function.get("name", "")), function.get("arguments"), call.get("id"))
        seen = plain_text(step.get("observations")) or ""
        if failed:
            seen = f"Error: {failed}\n\n{seen}".strip()
        if final:
            answer = plain_text(step.get("action_output")) or seen or None
        if builder.waiting and seen:
            builder.respond(seen)
    return Trajectory(
        query or origin.query or "",
        builder.steps,
        answer=answer,
        path=origin.path,
        ending=RunEnding("crashed", failed[:500]) if failed and answer is None else None,
        meta={"later_user_turns": later} if later else None,
    )


def _words(step: Mapping[str, Any]) -> str:
    plan = step.get("plan")
    said = step.get("model_output")
    text = plan if isinstance(plan, str) else plain_text(said) or ""
    code = step.get("code_action")
    # A code agent's words hold its code, which is the argument of its call.
    return text.replace(code, "").strip() if isinstance(code, str) and code else text


LOADER = SubjectLoader(
    name="smolagents",
    what="smolagents' memory: agent.memory.get_full_steps() as JSON",
    takes="file",
    sniff=sniff,
    load=load,
    rank=34,
)
