"""Assay's own trajectories: ``{"schema": "assay.trajectory/1", "query", "tools", "steps", "answer"}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import InputError
from assay.json_values import plain_value, replace_surrogates
from assay.subjects.loaders._rows import name_of, rest_of, system_of
from assay.subjects.loaders._steps import arguments_of, tool_names
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.run_ending import RunEnding
from assay.subjects.trajectory import SCHEMA, RawCall, RawStep, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_USED = ("schema", "query", "tools", "steps", "answer", "ending", "id", "system")


def sniff(row: Any) -> bool:
    """Return whether a row is an object with the name of our schema."""
    return isinstance(row, dict) and str(row.get("schema", "")).startswith("assay.trajectory")


def load(row: dict[str, Any], origin: InputContext) -> Iterator[Trajectory]:
    """Yield the trajectory in one object.

    Strict: this is our own contract, so a wrong type is an error, not a guess.
    """
    yield trajectory_of(row, origin)


def trajectory_of(row: Mapping[str, Any], origin: InputContext | None = None) -> Trajectory:
    """Return the trajectory that an object of our contract holds.

    Raises:
        InputError: It is something else; the message names the part.
    """
    origin = origin or InputContext()
    if row.get("schema") != SCHEMA:
        raise InputError(
            f"schema {row.get('schema')!r} is not one this version reads", hint=f"it reads {SCHEMA}"
        )
    tools = row.get("tools")
    answer = row.get("answer")
    return Trajectory(
        _text(row.get("query", origin.query or ""), "query"),
        [_step(step, i) for i, step in enumerate(_list(row.get("steps"), "steps"))],
        answer=None if answer is None else _text(answer, "answer"),
        tools=None if tools is None else tool_names(_list(tools, "tools")),
        path=origin.path,
        id=name_of(row, origin),
        system=system_of(row, origin),
        ending=_ending(row.get("ending")),
        meta=rest_of(row, _USED),
    )


def _step(step: Any, i: int) -> RawStep:
    if not isinstance(step, dict):
        raise InputError(f"steps[{i}] is {type(step).__name__}, not an object")
    calls: list[RawCall] = []
    for j, call in enumerate(_list(step.get("tool_calls") or [], f"steps[{i}].tool_calls")):
        where = f"steps[{i}].tool_calls[{j}]"
        if not isinstance(call, dict):
            raise InputError(f"{where} is {type(call).__name__}, not an object")
        response = call.get("response")
        arguments = call.get("arguments")
        calls.append(
            RawCall(
                _text(call.get("name"), f"{where}.name"),
                replace_surrogates(arguments)
                if isinstance(arguments, str)
                else arguments_of(plain_value(arguments)),
                None if response is None else _text(response, f"{where}.response"),
            )
        )
    agent = step.get("agent")
    return RawStep(
        _text(step.get("reasoning") or "", f"steps[{i}].reasoning"),
        calls,
        None if agent is None else _text(agent, f"steps[{i}].agent"),
    )


def _ending(value: Any) -> RunEnding | None:
    try:
        return None if value is None else msgspec.convert(value, RunEnding)
    except msgspec.ValidationError as error:
        raise InputError(f"ending: {error}") from error


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name} is {'missing' if value is None else type(value).__name__}, not a string")
    return replace_surrogates(value)


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{name} is {'missing' if value is None else type(value).__name__}, not a list")
    return value


LOADER = SubjectLoader(
    name="assay-trajectory",
    what="assay.trajectory/1: schema, query, steps[reasoning, tool_calls], answer",
    takes="row",
    sniff=sniff,
    load=load,
    rank=10,
)
