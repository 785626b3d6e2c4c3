"""Logs of several agents talking: who speaks stands in ``name``, ``source`` or in the role itself.

Read by structure, whatever the framework (AutoGen, Magentic-One, CrewAI, Who&When and their like):

- ``{"role": "Planner (thought)", "content": …}`` is reasoning; ``Planner (-> Surfer)`` an instruction, which is
  reasoning of the planner too; ``… (termination condition)`` the end.
- A code block that an executor answers (``exitcode: 0 …``) is a call. One that nobody runs stays text.
- "I clicked 'Tickets'. Here is a screenshot …", ``Address: …`` and ``Title: …`` are an action and its observation.
- ``ToolCallRequestEvent`` and ``ToolCallExecutionEvent``, ``tool_calls`` and ``role: tool`` are calls and responses.

Assumed: the first message, or the first of a human, is the task; ``FINAL ANSWER:`` or what precedes ``TERMINATE`` is the
answer, else the last words of an agent unless they ask, hand over or announce more; a traceback that ends the log is a
crash.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError
from assay.subjects.loaders._actions import (
    code_blocks,
    is_execution,
    is_observation,
    narrated_action,
    observed_page,
)
from assay.subjects.loaders._rows import QUERY_FIELDS, field, name_of, rest_of, system_of, text_field
from assay.subjects.loaders._steps import StepBuilder
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.loaders.conversations import ROLES, text_of
from assay.subjects.run_ending import RunEnding, crash_in, ending_by_row, ending_by_word
from assay.subjects.trajectory import Trajectory
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PHRASES: Final = PhraseFile("assay.subjects", "trajectories")
_MESSAGES: Final = (
    "messages", "history", "chat_history", "conversation", "conversations", "trajectory", "log", "tasks_output",
)  # fmt: skip
_SPEAKERS: Final = ("name", "source", "speaker", "sender", "agent")
_TEXTS: Final = ("content", "text", "message", "output", "raw")
_HUMANS: Final = frozenset({"human", "user", "user_proxy", "userproxy", "admin", "client", "customer"})
_ROLE: Final = re.compile(r"\s*([^()]{1,80}?)\s*(?:\(([^()]{1,80})\))?\s*\Z")
_FINAL: Final = re.compile(r"(?:^|\n)[^\w\n]{0,4}(?:FINAL ANSWER|Final Answer)[^\w\n]{0,3}[:：][*_ \t]{0,4}")
_TERMINATE: Final = re.compile(r"[\s*_\"'(]{0,4}\bTERMINATE\b\W{0,4}\Z")
_NEXT_SPEAKER: Final = re.compile(r"Next speaker:? [\w .-]{1,60}\Z")
# What the program around the agents prints: warnings of Python, exit marks of a test bench.
_LOG_LINES: Final = re.compile(
    r"^(?:/\S{1,300}\.py:\d+: \w{0,40}Warning: [^\n]*(?:\n[ \t]+\S[^\n]*)?|[A-Z_]+\.(?:PY|SH) (?:COMPLETE|EXITED)\b[^\n]*"
    r"|[ \t]+response = await [^\n]*)\n?",
    re.MULTILINE,
)
# Words that ask, hand over or announce more: not those of an answer.
_OPEN_END: Final = _PHRASES.pattern(
    r"[?？]|@\w|\b(?:<<group_chat_open_end.en>>)\b|<<group_chat_open_end.zh>>", flags=re.IGNORECASE
)


class _Turn(msgspec.Struct):
    speaker: str
    note: str
    text: str
    raw: dict[str, Any]

    @property
    def human(self) -> bool:
        return self.speaker.lower().replace(" ", "_") in _HUMANS

    @property
    def observed(self) -> bool:
        return is_observation(self.text)


def is_group_chat(value: Any) -> bool:
    """Return whether a value is a list of messages whose speakers have names of their own."""
    if not isinstance(value, list) or not value:
        return False
    names: set[str] = set()
    pairs: set[tuple[str | None, str]] = set()
    own_role = False
    for item in value:
        if not isinstance(item, dict):
            return False
        role = item.get("role", item.get("from"))
        name = next((item[key] for key in _SPEAKERS if isinstance(item.get(key), str)), None)
        if (role is None and name is None) or not any(key in item for key in (*_TEXTS, "tool_calls")):
            return False
        if isinstance(role, str) and role not in ROLES:
            own_role = True
        if name and role in (None, "user", "assistant"):
            names.add(name)
            pairs.add((role, name))
    # One named person and one named assistant, each always in its role, are an ordinary chat.
    ordinary = {role for role, _ in pairs} == {"user", "assistant"} and len(pairs) == len(names) == 2
    return own_role or (
        len(names) > 1 and (not ordinary or any(is_execution(text_of(item.get("content"))) for item in value))
    )


def sniff(row: Any) -> bool:
    """Return whether a row is, or contains, messages of named agents."""
    if isinstance(row, dict):
        return any(is_group_chat(row.get(name)) for name in _MESSAGES)
    return is_group_chat(row)


def load(data: Any, origin: InputContext) -> Iterator[Trajectory]:
    """Yield the run in one row."""
    row: dict[str, Any] = data if isinstance(data, dict) else {"messages": data}
    names = tuple(name for name in _MESSAGES if is_group_chat(row.get(name)))
    messages = field(row, "messages", origin, names)
    if not is_group_chat(messages):
        raise InputError(
            "the row has no list of messages with named speakers",
            hint='fields={"messages": "NAME"} names it',
            cli_hint="--field messages=NAME names it",
        )
    log = [_turn(item) for item in messages]
    # Readers who name a message of the log use its number there, which is not that of a step.
    said = [
        {"number": number, "speaker": turn.speaker, "text": turn.text}
        for number, turn in enumerate(log)
        if turn.text
    ]
    turns = [turn for turn in log if turn.text or _events_of(turn.raw)]
    reader = _GroupReader(turns, text_field(row, "query", origin, QUERY_FIELDS))
    reader.read()
    if not reader.builder.steps and reader.answer is None:
        raise InputError(
            f"{len(messages)} messages, none of them by an agent",
            hint="speakers are read from role, name or source",
        )
    meta = {**rest_of(row, (*names, *QUERY_FIELDS)), "log": said}
    if reader.task:
        meta["task"] = reader.task
    if reader.later_turns:
        meta["later_user_turns"] = reader.later_turns
    yield Trajectory(
        reader.query or origin.query or "",
        reader.builder.steps,
        answer=reader.answer or text_field(row, "answer", origin, ("prediction", "raw")),
        path=origin.path,
        id=name_of(row, origin),
        system=system_of(row, origin),
        ending=reader.ending or ending_by_row(row),
        meta=meta,
    )


def _turn(message: dict[str, Any]) -> _Turn:
    role = message.get("role", message.get("from"))
    name = next((message[key] for key in _SPEAKERS if isinstance(message.get(key), str)), None)
    speaker, note = name or "", ""
    if isinstance(role, str) and (not name or role not in ROLES):
        match = _ROLE.match(role)
        speaker, note = (match.group(1), match.group(2) or "") if match else (role, "")
    content = next((message[key] for key in _TEXTS if message.get(key)), "")
    return _Turn(speaker, note, _LOG_LINES.sub("", text_of(content)).strip(), message)


def _events_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the calls and results that a message lists."""
    listed = message.get("tool_calls") or message.get("content")
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


class _GroupReader:
    """One pass over the turns of a conversation."""

    def __init__(self, turns: Sequence[_Turn], query: str | None) -> None:
        self.turns = turns
        self.query = query
        self.task: str | None = None
        self.answer: str | None = None
        self.ending: RunEnding | None = None
        self.later_turns: list[str] = []
        self.builder = StepBuilder()
        self.asked = ""

    def read(self) -> None:
        turns = list(self.turns)
        begin = self._task(turns)
        end = self._end(turns, begin)
        for i in range(begin, end):
            self._read(turns[i], turns[i + 1] if i + 1 < len(turns) else None)

    def _task(self, turns: list[_Turn]) -> int:
        """Take the task from the first message; return the index of the first turn after it."""
        first = turns[0] if turns else None
        if first is None or first.note or first.observed or _events_of(first.raw):
            return 0
        if self.query is None:
            self.query = first.text
        elif self.query.strip()[:200] in first.text:
            if first.text.strip() != self.query.strip():
                self.task = first.text
        elif not first.human:
            return 0
        return 1

    def _end(self, turns: list[_Turn], begin: int) -> int:
        """Take the answer and the ending off the last turns; return the index after the last turn that is a step."""
        if len(turns) <= begin:
            return len(turns)
        last = turns[-1]
        crash = None if is_execution(last.text) else crash_in(last.text)
        final = None
        for turn in reversed(turns[max(begin, len(turns) - 3) :]):
            final = list(_FINAL.finditer(turn.text))
            if final:
                self.answer = turn.text[final[-1].end() :].strip() or None
                turn.text = turn.text[: final[-1].start()].rstrip()
                break
        if crash is not None:
            self.ending = RunEnding("crashed", crash[1])
            last.text = last.text[: crash[0]].rstrip()
        elif last.note and not last.note.startswith(("->", "thought")):
            self.ending = ending_by_word(last.text)
            return len(turns) - 1
        if final or crash is not None:
            return len(turns)
        return self._closing(turns, begin)

    def _closing(self, turns: list[_Turn], begin: int) -> int:
        at = len(turns) - 1
        while at > begin and _TERMINATE.fullmatch(turns[at].text):
            at -= 1
        closed = at < len(turns) - 1 or _TERMINATE.search(turns[at].text) is not None
        last = turns[at]
        acted = last.observed or narrated_action(last.text) is not None
        if last.human or last.note or acted or _events_of(last.raw):
            return at + 1
        text = _TERMINATE.sub("", last.text).strip()
        if closed or (not code_blocks(text)[1] and _OPEN_END.search(text[-400:]) is None):
            self.answer = text or None
            return at
        return at + 1

    def _read(self, turn: _Turn, following: _Turn | None) -> None:
        builder = self.builder
        if self._events(turn):
            return
        if turn.human and not turn.observed:
            self.later_turns.append(turn.text)
            return
        page = observed_page(turn.text)
        action = page or narrated_action(turn.text)
        if builder.waiting and turn.observed and page is None:
            builder.respond(turn.text)
            return
        builder.agent = turn.speaker or None
        if action is not None:
            builder.call(action.name, action.arguments)
            builder.respond(action.rest)
        elif turn.observed:
            builder.call(turn.speaker or "unknown", {"instruction": self.asked} if self.asked else {})
            builder.respond(turn.text)
        elif turn.note.startswith("->"):
            self.asked = turn.text
            builder.think(f"→ {turn.note.removeprefix('->').strip()}: {turn.text}")
        elif turn.note:
            if not _NEXT_SPEAKER.match(turn.text):
                builder.think(_ledger_text(turn.text, following.text if following else ""))
        else:
            self._say(turn.text, following)

    def _say(self, text: str, following: _Turn | None) -> None:
        prose, blocks = code_blocks(text)
        if blocks and following is not None and is_execution(following.text):
            self.builder.think(prose)
            self.builder.call(blocks[0][0], {"code": "\n".join(code for _, code in blocks)})
        else:
            self.builder.think(_TERMINATE.sub("", text))

    def _events(self, turn: _Turn) -> bool:
        """Read calls and responses that a message lists; return whether it has any."""
        builder = self.builder
        done = False
        for item in _events_of(turn.raw):
            function = item.get("function")
            source = function if isinstance(function, dict) else item
            if isinstance(source.get("name"), str) and ("arguments" in source or "args" in source):
                builder.agent = turn.speaker or None
                if not done:
                    builder.think(turn.text)
                builder.call(source["name"], source.get("arguments", source.get("args")), item.get("id"))
                done = True
            elif "call_id" in item:
                text = text_of(item.get("content"))
                builder.respond(f"Error: {text}" if item.get("is_error") else text, item["call_id"])
                done = True
        if not done and turn.raw.get("role") in ("tool", "function"):
            key = turn.raw.get("tool_call_id")
            builder.respond(turn.text, key if isinstance(key, str) else None)
            done = True
        # A summary of the tools repeats what they returned.
        return done or turn.raw.get("type") == "ToolCallSummaryMessage"


def _ledger_text(text: str, following: str) -> str:
    """Return a note in which a JSON object of reasons and answers is written as lines of prose."""
    opened = text.find("{")
    if opened < 0 or len(text) > 50_000:
        return text
    try:
        data, end = json.JSONDecoder(strict=False).raw_decode(text, opened)
    except (ValueError, RecursionError):
        return text
    if not isinstance(data, dict) or not all(
        isinstance(value, dict) and "reason" in value for value in data.values()
    ):
        return text
    lines = [text[:opened].strip()]
    for key, value in data.items():
        said = str(value.get("answer", "")).strip()
        shown = "" if said and said == following.strip() else f"{said} – "
        lines.append(f"{key}: {shown}{value['reason']}")
    return "\n".join([*lines, text[end:].strip()]).strip()


LOADER = SubjectLoader(
    name="group-chat",
    what="messages of several named agents (AutoGen, Magentic-One, CrewAI): name, source or role, and content",
    takes="row",
    sniff=sniff,
    load=load,
    rank=18,
)
