"""Sessions of Claude Code: the JSONL that it keeps of a session, or the output of ``--output-format stream-json``.

Assumed: lines with ``type`` user or assistant and a ``message`` in the form of Anthropic's Messages API (content parts
text, thinking, tool_use, tool_result), ``sessionId`` or ``session_id``; a line of type result has the answer. Lines of
other types (summaries, snapshots) are left out, and so are messages of side chains, whose agents report by a tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from assay.errors import InputError
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import read_messages
from assay.subjects.loaders.traces import head_has, rows_in
from assay.subjects.run_ending import RunEnding
from assay.subjects.trajectory import Trajectory


def sniff(head: bytes) -> bool:
    """Return whether a file begins as a session."""
    kept = head_has(head, b'"sessionId"', b'"type"') and (b'"parentUuid"' in head or b'"leafUuid"' in head)
    return kept or head_has(head, b'"session_id"', b'"subtype"', b'"init"')


def load(stream: BinaryIO, origin: InputContext) -> Iterator[Trajectory | InputError]:
    """Yield a trajectory for each session, and an error for each line that cannot be read."""
    sessions: dict[str, list[dict[str, Any]]] = {}
    for row in rows_in(stream, origin):
        if isinstance(row, InputError):
            yield row
        elif not row.get("isSidechain") and not row.get("isMeta") and not row.get("parent_tool_use_id"):
            sessions.setdefault(str(row.get("sessionId", row.get("session_id", ""))), []).append(row)
    told = False
    for session, rows in sessions.items():
        if any(row.get("type") == "assistant" for row in rows):
            told = True
            yield _trajectory(session, rows, origin)
    if not told:
        raise InputError("a session of Claude Code in which no assistant says anything")


def _trajectory(session: str, rows: list[dict[str, Any]], origin: InputContext) -> Trajectory:
    messages = [
        row["message"]
        for row in rows
        if row.get("type") in ("user", "assistant") and isinstance(row.get("message"), dict)
    ]
    talk = read_messages(messages)
    opened = next((row for row in rows if row.get("subtype") == "init"), {})
    result = next((row for row in rows if row.get("type") == "result"), {})
    answer = result.get("result")
    failed = result.get("subtype") if result.get("is_error") else None
    offered = opened.get("tools")
    model = opened.get("model") or next((one.get("model") for one in messages if one.get("model")), None)
    return Trajectory(
        talk.query or origin.query or "",
        talk.steps,
        answer=answer if isinstance(answer, str) and answer and not failed else talk.answer,
        tools=[name for name in offered if isinstance(name, str)] if isinstance(offered, list) else None,
        path=origin.path,
        id=session or None,
        system=f"claude-code {model}" if isinstance(model, str) else "claude-code",
        ending=RunEnding("crashed", str(failed)) if failed else None,
        meta={"later_user_turns": talk.later_turns} if talk.later_turns else None,
    )


LOADER = SubjectLoader(
    name="claude-code",
    what="sessions of Claude Code (JSONL), and what it streams as JSON",
    takes="file",
    sniff=sniff,
    load=load,
    rank=35,
)
