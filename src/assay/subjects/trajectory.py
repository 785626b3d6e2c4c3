"""A trajectory: the query, the agent's thoughts and tool calls step by step, the responses, and the answer.

Its ``source`` is one canonical rendering of all of it, so that every part has a `Span` as the parts of a report do,
whatever file the trajectory was read from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from os import PathLike
from typing import Any, Final

import msgspec

from assay.frozen import Frozen, frozen, thawed
from assay.given import each_of, require, require_mapping
from assay.record import Record, excerpt_html, name_text, path_text, require_fields
from assay.subjects.run_ending import RunEnding, ending_by_answer
from assay.subjects.span import LineIndex, Span
from assay.text.language import Language, detect_language
from assay.text.words import count_words

SCHEMA = "assay.trajectory/1"


_HINT: Final = "Trajectory.read reads a file, assay.types has RawStep"
_FIELDS: Final = ("query", "steps", "answer", "tools", "path", "id", "system", "ending", "meta")


class RawCall(msgspec.Struct):
    """A tool call as a loader hands it over. ``arguments`` is an object where it could be parsed, else a string."""

    name: str
    arguments: dict[str, Any] | str = msgspec.field(default_factory=dict)
    response: str | None = None


class RawStep(msgspec.Struct):
    """A step as a loader hands it over: reasoning, then calls, and the agent's name if there are several."""

    reasoning: str = ""
    tool_calls: list[RawCall] = msgspec.field(default_factory=list)
    agent: str | None = None


class ToolCall(msgspec.Struct, frozen=True):
    """One tool call and its response (None when none came back), with their places in ``Trajectory.source``.

    ``argument_text`` is every string and number among the arguments, joined by newlines.
    """

    name: str
    arguments: dict[str, Any] | str
    response: str | None
    span: Span
    response_span: Span | None
    argument_text: str


class Step(msgspec.Struct, frozen=True):
    """One step: reasoning (may be empty) and the calls made on it. ``index`` counts from 0.

    ``agent`` is who took it, if the log names its agents.
    """

    index: int
    reasoning: str
    tool_calls: tuple[ToolCall, ...]
    span: Span
    reasoning_span: Span
    agent: str | None = None


class Trajectory(Frozen, Record):
    """An agent's execution. Frozen; `replace` makes another one.

    Args:
        query: The question asked.
        steps: What happened, in order.
        answer: The final answer, or None when the run ended without one.
        tools: Names of the tools offered, or None when not known.
        path: Where it came from, for messages.
        id: Its name in a collection.
        system: The agent.
        ending: How the run ended, if the log says so; otherwise the answer tells.
        meta: Whatever else came along; kept, not interpreted.
    """

    query: str
    steps: tuple[Step, ...]
    answer: str | None
    tools: tuple[str, ...] | None
    path: str | None
    id: str | None
    system: str | None
    # What the log says itself; `ending` is what is known in all.
    stated_ending: RunEnding | None
    meta: Mapping[str, Any]
    source: str
    query_span: Span
    answer_span: Span | None
    # Results that several checks share about this trajectory, by name.
    memo: dict[object, Any]

    def __init__(
        self,
        query: str,
        steps: Iterable[RawStep | Step],
        *,
        answer: str | None = None,
        tools: Iterable[str] | None = None,
        path: str | None = None,
        id: str | None = None,  # noqa: A002 - the field's own name for it
        system: str | None = None,
        ending: RunEnding | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        require(query, str, "the query of a trajectory is a text")
        steps = each_of(steps, (RawStep, Step), "a step of a trajectory is a RawStep or a Step", hint=_HINT)
        put = vars(self)
        put.update(
            query=query, answer=answer, path=path_text(path), id=name_text(id), system=name_text(system)
        )
        put["tools"] = None if tools is None else tuple(dict.fromkeys(tools))
        put.update(stated_ending=ending, meta=frozen(require_mapping(meta, "meta")), memo={})
        self._render([_raw(step) if isinstance(step, Step) else step for step in steps])

    def replace(self, **changes: Any) -> Trajectory:
        """Return a copy with other values for some of its fields: ``trajectory.replace(id="run-7")``.

        Raises:
            UsageError: There is no such field.
        """
        fields = {name: getattr(self, name) for name in _FIELDS} | {"ending": self.stated_ending}
        require_fields("trajectory", changes, fields)
        return Trajectory(**{**fields, **changes})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Trajectory:
        """Return the trajectory that `to_dict` wrote.

        Raises:
            InputError: The data are not a trajectory; the message names the part.
        """
        from assay.subjects.loaders.canonical import trajectory_of  # noqa: PLC0415 - loaders make trajectories

        return trajectory_of(data)

    def summary_line(self) -> str:
        """Return its name and number of steps."""
        count = len(self.steps)
        return f"{self.id or self.path or 'unnamed'}, {count} step{'' if count == 1 else 's'}"

    def _repr_html_(self) -> str:
        return excerpt_html(self.summary_line(), self.query, self.answer or self.source)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Trajectory:
        """Read one trajectory from a file in any known format.

        Raises:
            InputError: The file is missing or unreadable, or no loader knows it.
        """
        from assay.subjects.reading import read_trajectory  # noqa: PLC0415 - reading knows every loader

        return read_trajectory(path)

    def _render(self, raw: list[RawStep]) -> None:
        pieces: list[str] = []
        size = 0

        def put(text: str) -> Span:
            nonlocal size
            pieces.append(text)
            size += len(text)
            return Span(size - len(text), size)

        put("# Query\n\n")
        vars(self)["query_span"] = put(self.query)
        steps: list[Step] = []
        for index, item in enumerate(raw):
            named = f" ({item.agent})" if item.agent else ""
            begin = put(f"\n\n# Step {index + 1}{named}\n\n").start + 2
            reasoning_span = put(item.reasoning)
            calls: list[ToolCall] = []
            for call in item.tool_calls:
                put("\n\n## Call\n\n")
                span = put(f"{call.name}({_arguments(call.arguments)})")
                response_span = None
                if call.response is not None:
                    put("\n\n## Response\n\n")
                    response_span = put(call.response)
                said = "\n".join(_leaves(call.arguments))
                given = frozen(call.arguments)
                calls.append(ToolCall(call.name, given, call.response, span, response_span, said))
            span = Span(begin, size)
            steps.append(Step(index, item.reasoning, tuple(calls), span, reasoning_span, item.agent))
        answer_span = None
        if self.answer is not None:
            put("\n\n# Answer\n\n")
            answer_span = put(self.answer)
        vars(self).update(answer_span=answer_span, steps=tuple(steps), source="".join(pieces))

    @cached_property
    def lines(self) -> LineIndex:
        """Line starts of the source."""
        return LineIndex(self.source)

    @cached_property
    def language(self) -> Language:
        """Language of the query and the reasoning."""
        return detect_language(self.query + "\n" + "\n".join(step.reasoning for step in self.steps))

    @cached_property
    def ending(self) -> RunEnding:
        """How the run ended: answered, gave up, was cut off, crashed, or just stopped."""
        return self.stated_ending or ending_by_answer(self.answer)

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """Names of the agents that took steps, in the order of their first; empty if the log names none."""
        return tuple(dict.fromkeys(step.agent for step in self.steps if step.agent))

    @property
    def tool_calls(self) -> list[ToolCall]:
        """Every call, in order."""
        return [call for step in self.steps for call in step.tool_calls]

    @property
    def words(self) -> int:
        """Words of the reasoning and the answer."""
        return sum(count_words(step.reasoning) for step in self.steps) + count_words(self.answer or "")

    def text(self, span: Span) -> str:
        """Return the source text of a span."""
        return self.source[span.start : span.end]

    def to_dict(self) -> dict[str, Any]:
        """Return the canonical form, ``assay.trajectory/1``, which `from_dict` and the loader of files read."""
        return {
            "schema": SCHEMA,
            "query": self.query,
            "tools": None if self.tools is None else list(self.tools),
            "steps": [
                {
                    "index": step.index,
                    **({"agent": step.agent} if step.agent else {}),
                    "reasoning": step.reasoning,
                    "tool_calls": [
                        {"name": call.name, "arguments": thawed(call.arguments), "response": call.response}
                        for call in step.tool_calls
                    ],
                }
                for step in self.steps
            ],
            "answer": self.answer,
            **{name: value for name in ("id", "system") if (value := getattr(self, name)) is not None},
            **({"ending": msgspec.to_builtins(self.stated_ending)} if self.stated_ending else {}),
        }


def _raw(step: Step) -> RawStep:
    calls = [RawCall(call.name, call.arguments, call.response) for call in step.tool_calls]
    return RawStep(step.reasoning, calls, step.agent)


def _arguments(arguments: dict[str, Any] | str) -> str:
    if isinstance(arguments, str):
        return arguments
    return ", ".join(f"{key}={_value(value)}" for key, value in arguments.items())


def _value(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return msgspec.json.encode(value).decode()


def _leaves(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
