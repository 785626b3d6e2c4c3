"""Scripted models: replies from a file, by chance, or by a function.

scripted/random            a random reply that fits the request's schema, always the same for a request
scripted/echo              the last message
scripted/replies.jsonl     replies from a file, in order or by what the prompt contains
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from assay.errors import InputError, UsageError
from assay.models.base import CallFailedError, Finish, Reply, Request, Usage
from assay.models.schema_sample import sample_value
from assay.rows import text_lines

Scripted = str | Reply | Exception
Script = Callable[[Request], Scripted | Awaitable[Scripted]]


class ScriptedModel:
    """A model that replies as told.

    Args:
        replies: Replies in order (a text, a reply, or an exception to raise), one text for all requests, or a function of the
            request.
        model_id: Its id.

    Attributes:
        requests: Requests that it received, in order.
    """

    def __init__(self, replies: Iterable[Scripted] | Script | str, model_id: str = "scripted/test") -> None:
        self._id = model_id
        if isinstance(replies, str):
            # One text is the reply to everything, not a reply for each of its letters.
            text = replies
            replies = lambda _: text  # noqa: E731 - a script of one line
        self._script: Script | None = replies if callable(replies) else None
        self._replies = iter(()) if callable(replies) else iter(replies)
        self.requests: list[Request] = []

    @property
    def id(self) -> str:
        """``scripted/…``."""
        return self._id

    async def complete(self, request: Request) -> Reply:
        """Return the next reply."""
        self.requests.append(request)
        if self._script is not None:
            result = self._script(request)
            reply = await result if inspect.isawaitable(result) else result
        else:
            scripted = next(self._replies, None)
            if scripted is None:
                raise CallFailedError(
                    f"{self._id}: the script has no more replies after {len(self.requests) - 1}"
                )
            reply = scripted
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Reply) else _reply(request, reply)

    async def close(self) -> None:
        """Do nothing."""


class _ScriptLine(msgspec.Struct, forbid_unknown_fields=True):
    """A line of a script: the text, the reason why it ends, and words that select it if a prompt contains them."""

    text: str
    finish: Finish = "stop"
    when: str | None = None


def open_scripted(name: str, _settings: Any = None) -> ScriptedModel:
    """Return the scripted model of this name: ``random``, ``echo``, or a JSONL file.

    Raises:
        UsageError: The name is none of these.
        InputError: The file cannot be read.
    """
    model_id = f"scripted/{name}"
    if name == "random":
        return ScriptedModel(_random_reply, model_id)
    if name == "echo":
        return ScriptedModel(lambda request: request.messages[-1].content, model_id)
    if name.endswith(".jsonl"):
        return _from_file(Path(name), model_id)
    raise UsageError(
        f"no scripted model is called {name!r}; there are 'random', 'echo' and files: scripted/PATH.jsonl"
    )


def _random_reply(request: Request) -> str:
    rng = random.Random(request.key())  # noqa: S311 - a verdict by chance, and the same one again
    if request.schema is None:
        return str(sample_value({"type": "string"}, rng))
    return msgspec.json.encode(sample_value(request.schema, rng)).decode()


def _from_file(path: Path, model_id: str) -> ScriptedModel:
    lines: list[_ScriptLine] = []
    for where, line in text_lines(path):
        try:
            row = msgspec.json.decode(line, type=str | _ScriptLine)
        except msgspec.DecodeError as error:
            hint = 'a line is a text in quotes, or {"text": …, "finish": …, "when": …}'
            raise InputError(f"is not a reply: {error}", where=where, hint=hint) from error
        lines.append(_ScriptLine(row) if isinstance(row, str) else row)
    ordered = iter([line for line in lines if line.when is None])

    def script(request: Request) -> Scripted:
        prompt = "\n".join(message.content for message in request.messages)
        selected = next((line for line in lines if line.when is not None and line.when in prompt), None)
        line = selected or next(ordered, None)
        if line is None:
            return CallFailedError(f"{model_id}: the script has no reply for this prompt")
        return _reply(request, line.text, line.finish)

    return ScriptedModel(script, model_id)


def _reply(request: Request, text: str, finish: Finish = "stop") -> Reply:
    size = sum(len(message.lead) + len(message.text) for message in request.messages)
    return Reply(
        text=text, finish=finish, usage=Usage(1, size // 4, 0, len(text) // 4, 0.0), served=request.model
    )
