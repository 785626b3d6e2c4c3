"""Tool calls: of what kind they are, what they ask, whether they failed, what in a response is evidence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal

from assay.subjects.atoms import fold
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.subjects.trajectory import ToolCall

_PHRASES: Final = PhraseFile("assay.subjects", "trajectories")
_WORDS: Final = WordSets(_PHRASES)

Kind = Literal["search", "visit", "lookup", "code", "other"]

_KINDS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("code", _PHRASES.pattern("<<tool_calls_code>>", flags=re.IGNORECASE)),
    ("lookup", _PHRASES.pattern("<<tool_calls_lookup>>", flags=re.IGNORECASE)),
    ("search", _PHRASES.pattern("<<tool_calls_search>>", flags=re.IGNORECASE)),
    ("visit", _PHRASES.pattern("<<tool_calls_visit>>", flags=re.IGNORECASE)),
)
_NOTE: Final = _PHRASES.pattern("<<tool_calls_note.en>>", flags=re.IGNORECASE)
_ADDRESS: Final = re.compile(
    r"https?://[^\s\"'<>\])}，。]{3,2000}|\bwww\.[\w\-]+\.[^\s\"'<>\])}，。]{2,500}", re.IGNORECASE
)
# What a tool says when it has nothing. Looked for at the beginning: pages speak of errors too.
_FAILURE: Final = _PHRASES.pattern(
    "no (?:more )?(?:results?|matches|search results|relevant (?:results|information|documents)|"
    r"documents?|data|content)\b|could(?: not|n't) (?:be )?(?:<<tool_calls_failure.en>>)|(?:was|were) "
    r"not found|not found\b|unable to (?:<<tool_calls_failure_find.en>>)|failed to "
    r"(?:<<tool_calls_failure_find.en>>)|<<tool_calls_failure_visit.en>>|^\W{0,4}(?:error|exception|"
    r"traceback|fail(?:ed|ure))\b|<<tool_calls_failure_run.en>>|<<tool_calls_failure_webpage.en>>|"
    "<<tool_calls_failure_webpage.zh>>",
    flags=re.IGNORECASE,
)
_BLOCKED: Final = _PHRASES.pattern("<<tool_calls_blocked.en>>", flags=re.IGNORECASE)
_ECHO: Final = _PHRASES.pattern("<<tool_calls_echo.en>>|<<tool_calls_echo.zh>>", flags=re.IGNORECASE)

# A shorter response is a notice.
_SHORTEST: Final = 40
_LEFT_OUT: Final = re.compile(r"\bomitted\b.{0,30}$|^.{0,40}（?已省略|\[truncated\]\s*$", re.IGNORECASE)


def kind(call: ToolCall) -> Kind:
    """Return the kind of a call, judged by the name of its tool."""
    for name, pattern in _KINDS:
        if pattern.search(call.name):
            return name
    return "other"


def is_note(call: ToolCall) -> bool:
    """Return whether a call keeps notes, lists things to do, hands over files or moves the view: repeats are its nature."""
    return _NOTE.search(call.name) is not None


def leaves(value: Any) -> Iterator[str]:
    """Yield every string among arguments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)


def questions(call: ToolCall) -> list[str]:
    """Return the queries of a call without addresses; a batch gives one for each of its queries."""
    found = [_ADDRESS.sub(" ", leaf).strip() for leaf in leaves(call.arguments)]
    return [text for text in found if len(text) > 1]


def addresses(call: ToolCall) -> list[str]:
    """Return the URLs among a call's arguments."""
    return [match.rstrip(".,;") for leaf in leaves(call.arguments) for match in _ADDRESS.findall(leaf)]


def paging(call: ToolCall) -> tuple[tuple[str, str], ...]:
    """Return the arguments that ask for more of the same, such as page and offset."""
    if not isinstance(call.arguments, dict):
        return ()
    return tuple(
        sorted(
            (key, str(value))
            for key, value in _scalars(call.arguments)
            if key.lower() in _WORDS.tool_calls_paging
        )
    )


def _scalars(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in arguments.items():
        if isinstance(value, str | int | float):
            yield key, value


def folded(call: ToolCall) -> str:
    """Return the argument text of a call in a form for comparisons.

    Folded, without white space and quotation marks.
    """
    return " ".join(fold(call.argument_text.replace('"', " ").replace("“", " ").replace("”", " ")).split())


def failure(call: ToolCall) -> str | None:
    """Return the phrase that shows that a response brings nothing, ``"empty"`` for a blank one.

    None if it brings something.
    """
    if call.response is None:
        return None
    text = call.response.strip()
    if not text or text in ("[]", "{}", "null", "None", '""'):
        return "empty"
    # A long response that opens with the failure of one part still brings the others.
    limit = 160 if len(text) > 1500 else 300
    match = _FAILURE.search(text, 0, limit) or (_BLOCKED.search(text) if len(text) < 1500 else None)
    # A script that fails half-way has shown what it found before.
    if match is None or (len(text) > 2500 and kind(call) in ("search", "code")):
        return None
    return match.group()


def evidence(call: ToolCall) -> str:
    """Return the response with the echo of the call blanked out ("A search for '…' found 9 results").

    The length stays.
    """
    text = call.response or ""
    for leaf in leaves(call.arguments):
        if len(leaf) < 4:
            continue
        at = text.find(leaf)
        for _ in range(4):
            if at < 0:
                break
            before = text[max(0, at - 40) : at].rpartition("\n")[2]
            if _ECHO.search(before):
                text = text[:at] + " " * len(leaf) + text[at + len(leaf) :]
            at = text.find(leaf, at + len(leaf))
    return text


def reports(call: ToolCall) -> bool:
    """Return whether the response of a call is recorded and says something, so that it belongs to this call alone."""
    response = call.response or ""
    return len(response) >= _SHORTEST and failure(call) is None and not _LEFT_OUT.search(response)
