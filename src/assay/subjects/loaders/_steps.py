"""Builds steps from the thoughts, calls and responses that a loader reads."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from assay.json_values import plain_value, replace_surrogates
from assay.subjects.trajectory import RawCall, RawStep

_NAME: Final = re.compile(r'"name"\s*:\s*"([^"\\]{1,200})"')


class StepBuilder:
    """Collects steps. A step is reasoning and the calls that follow it; reasoning after a call begins a new step."""

    def __init__(self) -> None:
        self.steps: list[RawStep] = []
        # Who speaks and acts from here on, if the log names its agents; a change begins a new step.
        self.agent: str | None = None
        self._open: list[tuple[str | None, RawCall]] = []

    @property
    def waiting(self) -> bool:
        """Whether a call has no response yet."""
        return bool(self._open)

    def think(self, text: str) -> None:
        """Add reasoning; blank text is ignored."""
        text = replace_surrogates(text).strip()
        if not text:
            return
        if not self.steps or self.steps[-1].tool_calls or self.steps[-1].agent != self.agent:
            self.steps.append(RawStep(text, agent=self.agent))
        else:
            last = self.steps[-1]
            last.reasoning = f"{last.reasoning}\n\n{text}" if last.reasoning else text

    def call(self, name: str, arguments: Any, key: str | None = None) -> None:
        """Add a tool call. ``key`` is its identifier, which responses may name."""
        last = self.steps[-1] if self.steps else None
        if last is None or last.agent != self.agent or (last.tool_calls and not self._open):
            self.steps.append(RawStep(agent=self.agent))
        call = RawCall(replace_surrogates(name).strip() or "unknown", arguments_of(arguments))
        self.steps[-1].tool_calls.append(call)
        self._open.append((key, call))

    def respond(self, text: str, key: str | None = None) -> None:
        """Add a response: to the call with this key, else to the oldest waiting call, else to the last call."""
        text = replace_surrogates(text).strip("\r\n")
        place = next((i for i, (name, _) in enumerate(self._open) if key is not None and name == key), None)
        if place is None and self._open:
            place = 0
        if place is not None:
            self._open.pop(place)[1].response = text
            return
        calls = [call for step in self.steps[-1:] for call in step.tool_calls]
        if calls:
            calls[-1].response = f"{calls[-1].response}\n\n{text}" if calls[-1].response else text
        else:
            # A response without a call is still something the agent saw.
            self.call("unknown", {})
            self.respond(text)


def arguments_of(value: Any) -> dict[str, Any] | str:
    """Return arguments as an object if they are one or the JSON text of one, otherwise as text."""
    if isinstance(value, str):
        stripped = value.strip()
        if stripped.startswith("{"):
            try:
                decoded = json.loads(stripped, strict=False)
            except (ValueError, RecursionError):
                return replace_surrogates(stripped)
            if isinstance(decoded, dict):
                return arguments_of(decoded)
        return replace_surrogates(stripped)
    if value is None:
        return {}
    if isinstance(value, dict):
        plain: dict[str, Any] = plain_value(value)
        return plain
    return {"input": plain_value(value)}


def tool_names(tools: Any) -> list[str]:
    """Return the names of the tools offered, from definitions in any of the usual forms or their JSON text."""
    if isinstance(tools, str):
        return list(dict.fromkeys(replace_surrogates(name) for name in _names_in_text(tools)))
    if not isinstance(tools, list):
        return []
    names: list[str] = []
    for tool in tools:
        if isinstance(tool, str):
            names.append(tool)
        elif isinstance(tool, dict):
            inner = tool.get("function")
            source = inner if isinstance(inner, dict) else tool
            name = source.get("name") or source.get("name_for_model") or source.get("name_for_human")
            if isinstance(name, str):
                names.append(name)
    return list(dict.fromkeys(replace_surrogates(name).strip() for name in names if name.strip()))


def _names_in_text(text: str) -> list[str]:
    """Return the names in a ``<tools>`` block.

    JSON objects one after another, often with commas between or slightly broken.
    """
    decoder = json.JSONDecoder(strict=False)
    names: list[str] = []
    at = 0
    while (at := text.find("{", at)) >= 0:
        try:
            tool, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return [match.group(1) for match in _NAME.finditer(text)]
        names.extend(tool_names([tool]))
    return names
