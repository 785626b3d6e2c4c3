"""Chat transcripts: a row with ``messages`` (or ``conversations``), or an array that is one conversation.

Covers three habits, alone or mixed: tags in the text (``<think>``, ``<tool_call>`` with JSON, ``<tool_response>``,
``<answer>``: WebDancer, Tongyi, Hermes), OpenAI's ``tool_calls`` with ``role: tool`` replies, and content parts
(``tool_use``, ``tool_result``, ``reasoning``).

Assumed: the question is the first user message, or what follows its last ``User:`` line when the message is a prompt
with instructions and an example; the tools offered are in ``functions`` or ``tools`` of the row or in a ``<tools>``
block; a Tongyi row (``question``, ``messages``, ``prediction``, ``termination``) names its question and its answer
itself, and those win. ``answer`` beside ``messages`` is the gold answer in these files, never the agent's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.subjects.loaders._rows import field, name_of, rest_of, system_of, text_field
from assay.subjects.loaders._steps import tool_names
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import is_conversation, read_messages
from assay.subjects.run_ending import ending_by_row
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

_MESSAGES = ("messages", "conversations", "conversation", "trajectory", "dialog")
_USED = (*_MESSAGES, "functions", "tools", "question", "prediction")
# Beside messages, a field of these names is the question itself; the first message may be a prompt around it.
_QUERIES = ("question", "query")


def sniff(row: Any) -> bool:
    """Return whether a row is, or contains, a list of messages with roles."""
    if isinstance(row, dict):
        return any(is_conversation(row.get(name)) for name in _MESSAGES)
    return is_conversation(row)


def load(data: Any, origin: InputContext) -> Iterator[Trajectory]:
    """Yield the conversation in one row."""
    row: dict[str, Any] = data if isinstance(data, dict) else {"messages": data}
    messages = field(row, "messages", origin, _MESSAGES)
    if not is_conversation(messages):
        raise InputError(
            "the row has no list of messages with roles",
            hint='fields={"messages": "NAME"} names it',
            cli_hint="--field messages=NAME names it",
        )
    talk = read_messages(messages)
    if not talk.steps and talk.answer is None:
        roles = ", ".join(sorted({str(message.get("role", message.get("from"))) for message in messages})[:8])
        raise InputError(
            f"a conversation in which no assistant says anything; its roles are {roles}",
            hint="agents are read from role assistant, gpt, ai, or from a name of their own",
        )
    offered = tool_names(row.get("functions")) or tool_names(row.get("tools")) or talk.tools
    query = text_field(row, "query", origin, _QUERIES) or talk.query or origin.query or ""
    answer = text_field(row, "answer", origin, ("prediction",))
    meta = rest_of(row, _USED)
    if talk.later_turns:
        meta["later_user_turns"] = talk.later_turns
    yield Trajectory(
        query,
        talk.steps,
        answer=talk.answer if answer is None or not answer.strip() else answer.strip(),
        tools=list(dict.fromkeys(offered)) or None,
        path=origin.path,
        id=name_of(row, origin),
        system=system_of(row, origin),
        ending=ending_by_row(row),
        meta=meta,
    )


LOADER = SubjectLoader(
    name="chat",
    what="chat messages with tags, tool_calls or content parts (WebDancer, Tongyi, OpenAI, DR-Tulu messages)",
    takes="row",
    sniff=sniff,
    load=load,
    rank=20,
)
