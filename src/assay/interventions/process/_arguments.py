"""The texts in a call's arguments with their paths, and copies of the arguments with one text replaced."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.frozen import thawed
from assay.subjects.tool_calls import kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Step, ToolCall, Trajectory

Path = tuple[str | int, ...]
_URL: Final = re.compile(r"^\s{0,4}(?:https?://|www\.)\S{3,}\s{0,4}$", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")


class ArgumentText(msgspec.Struct, frozen=True):
    """A text in a call's arguments.

    Attributes:
        path: Keys and indices that lead to it.
        text: The text; a number as it is printed.
        address: Whether it is a URL.
    """

    path: Path
    text: str
    address: bool


def leaves_of(arguments: Any, path: Path = ()) -> list[ArgumentText]:
    """Return every text and number in arguments, each with its path."""
    if isinstance(arguments, bool) or arguments is None:
        return []
    if isinstance(arguments, str | int | float):
        text = str(arguments)
        return [ArgumentText(path, text, _URL.match(text) is not None)]
    found: list[ArgumentText] = []
    if isinstance(arguments, dict):
        for key, value in arguments.items():
            found += leaves_of(value, (*path, str(key)))
    elif isinstance(arguments, list):
        for index, value in enumerate(arguments):
            found += leaves_of(value, (*path, index))
    return found


def with_leaf(arguments: Any, path: Path, text: str) -> Any:
    """Return a copy of arguments with another text at a path; an integer stays an integer if the text is one."""
    if not path:
        return text
    made = thawed(arguments)
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    old = holder[path[-1]]
    holder[path[-1]] = int(text) if isinstance(old, int) and text.lstrip("-").isdigit() else text
    return made


def same_shape(before: Any, after: Any) -> bool:
    """Return whether two sets of arguments have the same keys, types and lengths throughout."""
    if isinstance(before, dict) and isinstance(after, dict):
        return list(before) == list(after) and all(same_shape(before[key], after[key]) for key in before)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(same_shape, before, after))
    return type(before) is type(after)


def changed_leaves(before: Any, after: Any) -> list[tuple[ArgumentText, ArgumentText]]:
    """Return the pairs of texts that differ between two sets of arguments; empty if their shapes differ."""
    if not same_shape(before, after):
        return []
    pairs = zip(leaves_of(before), leaves_of(after), strict=True)
    return [(old, new) for old, new in pairs if old.text != new.text]


def words_of(text: str) -> list[str]:
    """Return the words of a text; a run of Chinese characters counts as one word."""
    return _WORD.findall(text)


def context(trajectory: Trajectory, index: int) -> str:
    """Return what the agent knew when it made a step's calls: the query, its reasoning so far, earlier responses."""
    parts = [trajectory.query]
    for step in trajectory.steps[: index + 1]:
        parts.append(step.reasoning)
        if step.index < index:
            parts += [call.response or "" for call in step.tool_calls]
    return "\n".join(parts)


def said_by(trajectory: Trajectory, index: int) -> str:
    """Return the text that determines a step's calls: the query and the step's own reasoning."""
    return f"{trajectory.query}\n{trajectory.steps[index].reasoning}"


def asking_calls(step: Step) -> list[tuple[int, ToolCall]]:
    """Return the calls of a step that have a text argument in words, each with its number."""
    return [
        (number, call)
        for number, call in enumerate(step.tool_calls)
        if kind(call) != "code"
        and any(not leaf.address and len(leaf.text) > 1 for leaf in leaves_of(call.arguments))
    ]


def mixed(
    candidates: Iterable[StepRevision], draw: Random, *, each: int = 4, last: frozenset[str] = frozenset()
) -> Iterator[StepRevision]:
    """Yield candidates in turns of one per pattern; within a pattern they keep their order.

    Args:
        candidates: All candidates.
        draw: Random generator that decides the order of the patterns.
        each: Greatest number per pattern.
        last: Patterns that come after the others in each turn.
    """
    groups: dict[str, list[StepRevision]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.pattern, []).append(candidate)
    order = list(groups.values())
    draw.shuffle(order)
    order.sort(key=lambda group: group[0].pattern in last)
    for turn in range(each):
        for group in order:
            if turn < len(group):
                yield group[turn]
