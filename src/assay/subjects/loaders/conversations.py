"""Chat messages as the agents' frameworks log them, put into steps.

Roles: system, user, assistant, tool (or ShareGPT's human, gpt, observation). An assistant turn may carry its thoughts
in tags, in ``reasoning_content`` or ``reasoning``, or in content parts; its calls in tags, in ``tool_calls`` or in
``tool_use`` parts. A text that calls nothing and ends the run is the answer; one that does not end it is a thought.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from assay.json_values import replace_surrogates
from assay.subjects.loaders._steps import StepBuilder, tool_names
from assay.subjects.loaders._tags import has_tags, read_tagged
from assay.subjects.loaders.react import has_actions, read_react

if TYPE_CHECKING:
    from assay.subjects.trajectory import RawStep

# What each role in use is called here.
ROLES: Final = {"user": "user", "human": "user", "assistant": "assistant", "gpt": "assistant", "model": "assistant",
                "ai": "assistant", "bot": "assistant", "tool": "tool", "observation": "tool", "function": "tool",
                "tool_response": "tool", "function_response": "tool", "environment": "tool",
                "system": "system", "developer": "system"}  # fmt: skip
# Stands where a message holds a picture, which no rule can read.
IMAGE: Final = "[image]"
_TOOLS: Final = re.compile(r"<tools>(.{1,200000}?)</tools>", re.DOTALL)
_USER: Final = re.compile(r"(?:^|\n)[ \t]{0,8}User:[ \t]{0,8}")
_RESPONSE_TAGS: Final = ("<tool_response>", "<tool_output>")


class Conversation:
    """What was read off a list of messages."""

    def __init__(self) -> None:
        self.query: str | None = None
        self.answer: str | None = None
        self.tools: list[str] = []
        self.later_turns: list[str] = []
        # Whether observations come in messages of their own; then one that the agent writes itself is invented.
        self.observed = False
        self.builder = StepBuilder()

    @property
    def steps(self) -> list[RawStep]:
        """The steps, in order."""
        return self.builder.steps


def is_conversation(value: Any) -> bool:
    """Return whether a value is a list of chat messages."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(item, dict)
            and (isinstance(item.get("role"), str) or isinstance(item.get("from"), str))
            for item in value
        )
    )


def text_of(content: Any) -> str:
    """Return the text of a message's content: a string, or the text parts of a list."""
    if isinstance(content, str):
        return replace_surrogates(content)
    if isinstance(content, list):
        texts = [
            part
            if isinstance(part, str)
            else IMAGE
            if str(part.get("type", "")).endswith(("image", "image_url"))
            else part.get("text")
            for part in content
            if isinstance(part, str | dict)
        ]
        return replace_surrogates("\n\n".join(text for text in texts if isinstance(text, str)))
    return ""


def question_of(text: str) -> str:
    """Return the question in a first user message: what follows the last ``User:`` line if it has one."""
    matches = list(_USER.finditer(text))
    tail = text[matches[-1].end() :].strip() if matches else ""
    return tail or _TOOLS.sub("", text).strip()


def read_messages(messages: list[Any]) -> Conversation:
    """Return the conversation in ``messages``."""
    talk = Conversation()
    last = max((i for i, message in enumerate(messages) if _role(message) == "assistant"), default=-1)
    talk.observed = any(_role(message) == "user" for message in messages[2:])
    for i, message in enumerate(messages):
        role = _role(message)
        if role == "system":
            talk.tools.extend(_offered(text_of(_content(message))))
        elif role == "user":
            _user_turn(message, talk)
        elif role == "assistant":
            _assistant_turn(message, talk, final=i == last)
        elif role == "tool":
            text = text_of(_content(message))
            error = message.get("error")
            if isinstance(error, dict) and isinstance(error.get("message"), str):
                text = f"Error: {error['message']}\n\n{text}".strip()
            talk.builder.respond(text, _text_or_none(message.get("tool_call_id")))
    talk.tools = list(dict.fromkeys(talk.tools))
    return talk


def _role(message: dict[str, Any]) -> str:
    role = message.get("role", message.get("from"))
    return ROLES.get(role, role) if isinstance(role, str) else ""


def _agent(message: dict[str, Any]) -> str | None:
    """Return the agent's name that a message carries beside its role, or None."""
    named = message.get("name", message.get("sender"))
    return named if isinstance(named, str) and 0 < len(named) <= 80 else None


def _content(message: dict[str, Any]) -> Any:
    return message["content"] if "content" in message else message.get("value")


def _offered(text: str) -> list[str]:
    found = _TOOLS.search(text)
    return tool_names(found.group(1)) if found else []


def _user_turn(message: dict[str, Any], talk: Conversation) -> None:
    content = _content(message)
    if isinstance(content, list):
        for part in content:
            if isinstance(part, dict) and part.get("type") == "tool_result":
                talk.builder.respond(text_of(part.get("content")), _text_or_none(part.get("tool_use_id")))
    text = text_of(content)
    if not text.strip():
        return
    if talk.query is None:
        talk.tools.extend(_offered(text))
        talk.query = question_of(text)
    elif any(tag in text for tag in _RESPONSE_TAGS):
        read_tagged(text, talk.builder)
    elif talk.builder.waiting:
        talk.builder.respond(text)
    else:
        talk.later_turns.append(text)


def _assistant_turn(message: dict[str, Any], talk: Conversation, *, final: bool) -> None:
    builder = talk.builder
    builder.agent = _agent(message)
    content = _content(message)
    for name in ("reasoning_content", "reasoning", "thinking"):
        thought = message.get(name)
        if isinstance(thought, str):
            builder.think(thought)
            break
    calls: list[tuple[str, Any, str | None]] = []
    if isinstance(content, list):
        for part in content:
            if not isinstance(part, dict):
                continue
            if part.get("type") in ("reasoning", "thinking"):
                builder.think(text_of(part.get("reasoning") or part.get("thinking") or part.get("summary")))
            elif part.get("type") == "tool_use":
                calls.append((str(part.get("name", "")), part.get("input"), _key(part)))
    calls.extend(_listed_calls(message))
    text = text_of(content)
    if has_tags(text):
        answer = read_tagged(text, builder)
        talk.answer = answer if answer is not None else talk.answer
    elif has_actions(text):
        _, answer = read_react(text, builder, observed=talk.observed, preamble=builder.think)
        talk.answer = answer if answer is not None else talk.answer
    elif "</think>" in text:
        thoughts, _, said = text.rpartition("</think>")
        builder.think(thoughts.replace("<think>", ""))
        _say(said, talk, answers=final and not calls)
    else:
        _say(text, talk, answers=final and not calls)
    for tool, arguments, key in calls:
        builder.call(tool, arguments, key)


def _say(text: str, talk: Conversation, *, answers: bool) -> None:
    if answers and text.strip():
        talk.answer = text.strip()
    else:
        talk.builder.think(text)


def _listed_calls(message: dict[str, Any]) -> list[tuple[str, Any, str | None]]:
    calls: list[tuple[str, Any, str | None]] = []
    listed = message.get("tool_calls")
    if isinstance(message.get("function_call"), dict):
        listed = [{"function": message["function_call"]}]
    for call in listed if isinstance(listed, list) else []:
        if not isinstance(call, dict):
            continue
        function = call.get("function")
        if isinstance(function, dict):
            calls.append((str(function.get("name", "")), function.get("arguments"), _key(call)))
        else:
            # Inspect names the function in a string and keeps the arguments beside it.
            name = function if isinstance(function, str) else call.get("name", call.get("function_name", ""))
            calls.append((str(name), call.get("arguments", call.get("args")), _key(call)))
    return calls


def _key(call: dict[str, Any]) -> str | None:
    return _text_or_none(call.get("id", call.get("tool_call_id")))


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None
