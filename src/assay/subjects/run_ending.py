"""How a run ended: with an answer, without one, cut off by a limit, or by an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Mapping

_PHRASES: Final = PhraseFile("assay.subjects", "trajectories")

EndingKind = Literal["answered", "gave_up", "cut_off", "crashed", "open"]

_LIMIT: Final = _PHRASES.pattern("<<run_ending_limit.en>>|<<run_ending_limit.zh>>", flags=re.IGNORECASE)
_GIVES_UP: Final = _PHRASES.pattern(
    r"\b(?:<<run_ending_gives_up.en>>)\b|<<run_ending_gives_up.zh>>", flags=re.IGNORECASE
)
# The last line of a Python traceback, at the start of its line: "openai.APIConnectionError: Connection error."
_TRACEBACK: Final = re.compile(r"^Traceback \(most recent call last\):", re.MULTILINE)
_EXCEPTION: Final = re.compile(
    r"^(?:[a-z_]\w{0,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)\b[^\n]{0,300}", re.MULTILINE
)
# Fields of a row in which frameworks note why a run stopped.
_STATED: Final = (
    "termination",
    "termination_reason",
    "stop_reason",
    "finish_reason",
    "exit_status",
    "limit",
    "outcome",
)
# An answer longer than this says more than that there is none.
_SHORT: Final = 600


class RunEnding(msgspec.Struct, frozen=True):
    """How a run ended. ``detail`` is the log's own word for it, or empty.

    ``answered`` and ``gave_up`` have an answer, the latter one that says there is none; ``cut_off`` is a limit on
    turns, tokens, calls or time; ``crashed`` an error that ended the run; ``open`` a log that just stops. A run that
    was cut off or crashed may still have an answer.
    """

    kind: EndingKind
    detail: str = ""


def ending_by_answer(answer: str | None) -> RunEnding:
    """Return how a run ended as far as its answer tells."""
    if answer is None or not answer.strip():
        return RunEnding("open")
    if len(answer) <= _SHORT and (match := _GIVES_UP.search(answer)) is not None:
        return RunEnding("gave_up", match.group())
    return RunEnding("answered")


def ending_by_row(row: Mapping[str, Any]) -> RunEnding | None:
    """Return the ending that the fields of a row state, or None if they state no limit and no error."""
    error = row.get("error")
    if isinstance(error, dict):
        error = error.get("message") or error.get("error")
    if isinstance(error, str) and error.strip():
        return RunEnding("crashed", _first_line(error))
    for name in _STATED:
        value = row.get(name)
        if isinstance(value, dict):
            value = value.get("type")
            if name == "limit" and isinstance(value, str):
                return RunEnding("cut_off", f"{value} limit")
        if isinstance(value, str) and (stated := ending_by_word(value)) is not None:
            return stated
    return None


def ending_by_word(text: str) -> RunEnding | None:
    """Return the ending that a short statement names ("max_turns", "length", "error"), or None."""
    text = text.strip()
    if len(text) > 300:
        return None
    if _LIMIT.search(text):
        return RunEnding("cut_off", _first_line(text))
    if re.search(
        r"\b(?:error|exception|crash(?:ed)?|failed|failure)\b", text.replace("_", " "), re.IGNORECASE
    ):
        return RunEnding("crashed", _first_line(text))
    return None


def crash_in(text: str) -> tuple[int, str] | None:
    """Return where the traceback of a crash begins in the log of a run, and the exception's line; None without one."""
    opened = _TRACEBACK.search(text)
    if opened is None:
        return None
    named = list(_EXCEPTION.finditer(text, opened.end()))
    return opened.start(), named[-1].group().strip() if named else "Traceback"


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:200]
