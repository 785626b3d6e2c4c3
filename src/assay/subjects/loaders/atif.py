"""ATIF, the Agent Trajectory Interchange Format of the Harbor project (read to 1.7, tolerant of its neighbours).

Assumed: ``schema_version`` ("ATIF-v1.x"), ``session_id``, ``agent`` (``name``, ``model_name``, ``tool_definitions``),
and ``steps`` with ``step_id``, ``source`` (system, user, agent), ``message`` (a string, or content parts since 1.6),
``reasoning_content``, ``tool_calls`` (``tool_call_id``, ``function_name``, ``arguments``) and ``observation.results``
(``source_call_id``, ``content``). The first user message is the query; the last agent message that calls nothing is
the answer; results of subagents are read where they carry content, their own trajectories are not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.json_values import replace_surrogates
from assay.subjects.loaders._rows import rest_of
from assay.subjects.loaders._steps import StepBuilder, tool_names
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import text_of
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

_USED = ("steps", "agent")


def sniff(row: Any) -> bool:
    """Return whether a row names the schema version, or is a session whose steps name their source."""
    if not isinstance(row, dict) or not isinstance(row.get("steps"), list):
        return False
    if str(row.get("schema_version", "")).upper().startswith("ATIF"):
        return True
    steps = row["steps"]
    return (
        "agent" in row
        and bool(steps)
        and isinstance(steps[0], dict)
        and {"step_id", "source"} <= steps[0].keys()
    )


def load(row: dict[str, Any], origin: InputContext) -> Iterator[Trajectory]:
    """Yield the trajectory of one session."""
    named = row.get("agent")
    agent: dict[str, Any] = named if isinstance(named, dict) else {}
    steps = [step for step in row["steps"] if isinstance(step, dict)]
    if not steps:
        raise InputError("an ATIF trajectory without steps")
    query: str | None = None
    answer: str | None = None
    builder = StepBuilder()
    last = max((i for i, step in enumerate(steps) if step.get("source") == "agent"), default=-1)
    for i, step in enumerate(steps):
        message = text_of(step.get("message"))
        source = step.get("source")
        if source == "user" and query is None:
            query = message.strip()
        elif source == "agent":
            builder.think(text_of(step.get("reasoning_content")))
            calls = step.get("tool_calls")
            if i == last and not calls:
                answer = message.strip() or None
            else:
                builder.think(message)
            for call in calls if isinstance(calls, list) else []:
                if isinstance(call, dict):
                    builder.call(
                        str(call.get("function_name", "")),
                        call.get("arguments"),
                        _text(call.get("tool_call_id")),
                    )
        _observe(step.get("observation"), builder)
    names = tool_names(agent.get("tool_definitions"))
    session = row.get("session_id")
    system = agent.get("name")
    yield Trajectory(
        query if query is not None else origin.query or "",
        builder.steps,
        answer=answer,
        tools=names or None,
        path=origin.path,
        id=replace_surrogates(session) if isinstance(session, str) else None,
        system=replace_surrogates(system) if isinstance(system, str) else None,
        meta=rest_of(row, _USED),
    )


def _observe(observation: Any, builder: StepBuilder) -> None:
    results = observation.get("results") if isinstance(observation, dict) else None
    for result in results if isinstance(results, list) else []:
        if isinstance(result, dict) and (builder.waiting or result.get("content")):
            builder.respond(text_of(result.get("content")), _text(result.get("source_call_id")))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


LOADER = SubjectLoader(
    name="atif",
    what="ATIF 1.x: schema_version, agent, steps[source, message, tool_calls, observation]",
    takes="row",
    sniff=sniff,
    load=load,
    rank=12,
)
