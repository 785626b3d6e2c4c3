"""LangChain messages as LangGraph keeps them: ``type`` human, ai, tool; ``tool_calls`` with ``name``, ``args``, ``id``.

Four forms of a message: plain (``{"type": "ai", "content": …}``), ``messages_to_dict`` (``{"type": "ai", "data": {…}}``),
serialised (``{"lc": 1, "id": [… "AIMessage"], "kwargs": {…}}``) and with the class in ``type`` (``AIMessageChunk``).
The list of messages may stand in ``messages``, in a state (``values``, ``channel_values``, ``output``), or be spread over
the updates of a stream, ``[{"agent": {"messages": [...]}}, {"tools": {"messages": [...]}}]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from assay.errors import InputError
from assay.subjects.loaders._rows import QUERY_FIELDS, field, name_of, rest_of, system_of, text_field
from assay.subjects.loaders._steps import tool_names
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import read_messages
from assay.subjects.run_ending import RunEnding, ending_by_row
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOLDERS: Final = ("values", "channel_values", "state", "output", "outputs", "result", "data", "checkpoint")
_ROLES: Final = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system", "function": "tool"}


def normal_message(item: Any) -> dict[str, Any] | None:
    """Return a LangChain message with role, content and tool_calls, or None if it is not one."""
    if not isinstance(item, dict):
        return None
    named, body = item.get("type"), item
    if isinstance(item.get("kwargs"), dict) and isinstance(item.get("id"), list) and item["id"]:
        named, body = item["id"][-1], item["kwargs"]
    elif isinstance(item.get("data"), dict) and "content" in item["data"]:
        body = item["data"]
    if not isinstance(named, str) or "content" not in body or "role" in body:
        return None
    role = _ROLES.get(named.lower().removesuffix("chunk").removesuffix("message"))
    if role is None:
        return None
    extra = body.get("additional_kwargs")
    message: dict[str, Any] = {"role": role, "content": body["content"]}
    if isinstance(extra, dict):
        message.update(
            {
                key: extra[key]
                for key in ("reasoning_content", "tool_calls", "function_call")
                if extra.get(key)
            }
        )
    for key in ("tool_calls", "tool_call_id", "response_metadata"):
        if body.get(key):
            message[key] = body[key]
    if role == "assistant" and isinstance(body.get("name"), str):
        message["name"] = body["name"]
    if (
        body.get("status") == "error"
        and isinstance(body["content"], str)
        and "error" not in body["content"][:80].lower()
    ):
        message["content"] = f"Error: {body['content']}"
    return message


def messages_in(value: Any, depth: int = 0) -> list[dict[str, Any]]:
    """Return the LangChain messages in a list, a state or the updates of a stream; empty if there are none."""
    if depth > 4:
        return []
    if isinstance(value, list):
        whole = [normal_message(item) for item in value]
        if value and all(message is not None for message in whole):
            return [message for message in whole if message is not None]
        found: list[dict[str, Any]] = []
        for item in value:
            # An update: the node's name, and what it adds.
            held = item[1] if isinstance(item, list) and len(item) == 2 else item
            if not isinstance(held, dict) or len(held) > 3:
                return []
            for update in held.values():
                if isinstance(update, dict) and isinstance(update.get("messages"), list):
                    found.extend(messages_in(update["messages"], depth + 1))
        return found
    if isinstance(value, dict):
        for name in ("messages", "updates", "events", *_HOLDERS):
            if name in value and (inner := messages_in(value[name], depth + 1)):
                return inner
    return []


def sniff(row: Any) -> bool:
    """Return whether a row is, or contains, LangChain messages."""
    return bool(messages_in(row))


def load(data: Any, origin: InputContext) -> Iterator[Trajectory]:
    """Yield the run in one row."""
    row: dict[str, Any] = data if isinstance(data, dict) else {"messages": data}
    mapped = field(row, "messages", origin, ())
    messages = messages_in(mapped if mapped is not None else row)
    if not messages:
        raise InputError(
            "the row has no LangChain messages (type human, ai, tool)",
            hint='fields={"messages": "NAME"} names it',
            cli_hint="--field messages=NAME names it",
        )
    talk = read_messages(messages)
    if not talk.steps and talk.answer is None:
        raise InputError(f"{len(messages)} messages, none of them of type ai")
    last = messages[-1].get("response_metadata")
    cut = isinstance(last, dict) and last.get("finish_reason") in ("length", "max_tokens")
    meta = rest_of(row, ("messages", *_HOLDERS, *QUERY_FIELDS, "tools"))
    if talk.later_turns:
        meta["later_user_turns"] = talk.later_turns
    yield Trajectory(
        text_field(row, "query", origin, QUERY_FIELDS) or talk.query or origin.query or "",
        talk.steps,
        answer=talk.answer,
        tools=tool_names(row.get("tools")) or talk.tools or None,
        path=origin.path,
        id=name_of(row, origin),
        system=system_of(row, origin),
        ending=RunEnding("cut_off", "length") if cut else ending_by_row(row),
        meta=meta,
    )


LOADER = SubjectLoader(
    name="langgraph",
    what="LangChain messages, LangGraph states and streams: type (human, ai, tool), content, tool_calls",
    takes="row",
    sniff=sniff,
    load=load,
    rank=16,
)
