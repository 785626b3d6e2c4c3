"""Classic ReAct text, in a file or in a row's ``transcript``.

    Question: …
    Thought 1: …
    Action 1: Search[…]
    Observation 1: …
    Action 2: Finish[…]

LangChain's form (``Action:``, ``Action Input:``, ``Final Answer:``) is read too. Assumed: a part runs to the next
label at the start of a line; ``Finish[…]`` or ``Final Answer:`` is the answer; the tools offered are not named. A run that
answers in this way ended by itself, whatever limit its row states.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from assay.errors import InputError
from assay.json_values import replace_surrogates
from assay.subjects.loaders._actions import FINISH, TextAction, parse_action
from assay.subjects.loaders._rows import QUERY_FIELDS, name_of, rest_of, system_of, text_field
from assay.subjects.loaders._steps import StepBuilder
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.run_ending import ending_by_row
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LABEL: Final = re.compile(
    r"^[ \t]{0,8}(Question|Thought|Action Input|Action|Observation|Final Answer)[ \t]{0,4}\d{0,4}[ \t]{0,4}[:：]",
    re.MULTILINE,
)
_THOUGHT: Final = re.compile(r"^[ \t]{0,8}Thought[ \t]{0,4}\d{0,4}[ \t]{0,4}[:：]", re.MULTILINE)
_ACTION: Final = re.compile(r"^[ \t]{0,8}Action[ \t]{0,4}\d{0,4}[ \t]{0,4}[:：]", re.MULTILINE)
_CALL: Final = re.compile(r"\s{0,8}([A-Za-z_][\w.\-]{0,80})\s{0,4}[\[(](.*)[\])]\s*\Z", re.DOTALL)
_TRANSCRIPT: Final = ("transcript", "trajectory", "trace", "scratchpad", "text")


def looks_like_react(text: str) -> bool:
    """Return whether lines near the top begin with the labels of a thought and of an action."""
    head = text[:20_000]
    return (
        _THOUGHT.search(head) is not None
        and _ACTION.search(head) is not None
        and not head.lstrip().startswith("# ")
    )


def has_actions(text: str) -> bool:
    """Return whether a message of an agent has a thought and an action, each with its label."""
    return _THOUGHT.search(text) is not None and _ACTION.search(text) is not None


def read_react(
    text: str,
    builder: StepBuilder,
    *,
    observed: bool = False,
    preamble: Callable[[str], None] | None = None,
) -> tuple[str, str | None]:
    """Put the steps into ``builder``; return the question and the answer.

    With ``observed`` the text is one message of an agent whose observations come in messages of their own: one that it
    writes itself stays reasoning. ``preamble`` takes what stands before the first label, in place of the question.
    """
    question, answer = "", None
    pending: str | None = None
    for label, body in _parts(text):
        if label == "Question" and preamble is not None:
            preamble(body)
            continue
        if pending is not None and label != "Action Input":
            builder.call(pending, "")
            pending = None
        if label == "Question" and not builder.steps and not question:
            question = body
        elif label == "Thought":
            builder.think(body)
        elif label == "Action":
            call = _CALL.match(body)
            action = None if call else _text_action(body)
            if call is not None and call.group(1).lower() in FINISH:
                answer = call.group(2).strip()
            elif call is not None:
                builder.call(call.group(1), call.group(2).strip())
            elif action is None:
                pending = body or "unknown"
            elif action.name.lower() in FINISH:
                answer = (
                    action.arguments
                    if isinstance(action.arguments, str)
                    else str(action.arguments.get("text", ""))
                )
            else:
                builder.call(action.name, action.arguments)
        elif label == "Action Input":
            builder.call(pending or "unknown", body.strip("\"'"))
            pending = None
        elif label == "Observation":
            if observed:
                builder.think(f"Observation: {body}")
            else:
                builder.respond(body)
        elif label == "Final Answer":
            answer = body
    if pending is not None:
        builder.call(pending, "")
    return question, answer


def _text_action(body: str) -> TextAction | None:
    """Return an action with arguments in the same line ("Type [7]; words", JSON), or None for a name alone."""
    if "{" in body[:12] or ";" in body or "\n" not in body.strip():
        action = parse_action(body)
        return action if action.arguments or action.name.lower() in FINISH else None
    return None


def _parts(text: str) -> Iterator[tuple[str, str]]:
    matches = list(_LABEL.finditer(text))
    if matches and text[: matches[0].start()].strip():
        yield "Question", text[: matches[0].start()].strip()
    for match, following in zip(matches, [*matches[1:], None], strict=True):
        yield match.group(1), text[match.end() : following.start() if following else len(text)].strip()


def sniff(row: Any) -> bool:
    """Return whether a row has a transcript that is ReAct text."""
    return isinstance(row, dict) and any(
        isinstance(row.get(name), str) and looks_like_react(row[name]) for name in _TRANSCRIPT
    )


def load(row: dict[str, Any], origin: InputContext) -> Iterator[Trajectory]:
    """Yield the trajectory in one row."""
    text = text_field(
        row, "transcript", origin, tuple(name for name in _TRANSCRIPT if isinstance(row.get(name), str))
    )
    if text is None:
        raise InputError(
            "the row has no transcript",
            hint='fields={"transcript": "NAME"} names it',
            cli_hint="--field transcript=NAME names it",
        )
    builder = StepBuilder()
    question, answer = read_react(replace_surrogates(text), builder)
    if not builder.steps and answer is None:
        raise InputError("a transcript without Thought or Action lines")
    ending = ending_by_row(row)
    yield Trajectory(
        text_field(row, "query", origin, QUERY_FIELDS) or question or origin.query or "",
        builder.steps,
        answer=answer,
        path=origin.path,
        id=name_of(row, origin),
        system=system_of(row, origin),
        ending=ending if answer is None or ending is None or ending.kind != "cut_off" else None,
        meta=rest_of(row, _TRANSCRIPT),
    )


LOADER = SubjectLoader(
    name="react",
    what="rows with a ReAct transcript (Thought, Action, Observation)",
    takes="row",
    sniff=sniff,
    load=load,
    rank=22,
)
