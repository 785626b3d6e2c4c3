"""Actions and observations that agents write as text.

Action: Type [7]; climate data                 a browser agent's call
Action: {"action": "search", "action_input": …}
I clicked 'Tickets'. Here is a screenshot of … a narrated action and what it brought
Address: https://… / Title: … / Viewport …     a page as a text browser shows it
exitcode: 0 (execution succeeded)              what a code executor returns
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec

FINISH: Final = frozenset(
    {
        "finish",
        "answer",
        "submit",
        "stop",
        "final_answer",
        "final answer",
        "done",
        "finished",
        "send_msg_to_user",
    }
)

_BRACKET: Final = re.compile(
    r"([A-Za-z_][\w.\- ]{0,40}?)\s{0,4}[\[(]([^\])]{0,2000})[\])]\s{0,4}(?:[;,]\s{0,4}(.*))?\Z", re.DOTALL
)
_PLAIN: Final = re.compile(
    r"([A-Za-z_][\w.\-]{0,40}(?: [A-Za-z_]\w{0,20})?)\s{0,4}(?:[;:]\s{0,4}(.*))?\Z", re.DOTALL
)
_NARRATED: Final = re.compile(
    r"I (typed|clicked|scrolled|visited|opened|navigated|searched|pressed|hovered|selected|downloaded|went|slept|waited"
    r"|entered|refreshed|closed)\b((?:[^\n]|\n(?!\n)){0,800}?)(?:\.?\n\n|\.(?=[ \t]+[A-Z])|\Z)"
)
_QUOTED: Final = re.compile(r"'((?:[^']|'(?=\w)){1,400})'|\"([^\"]{1,400})\"|(https?://[^\s'\",]{3,400})")
_SEARCHES: Final = re.compile(r"search bar|search box|\bsearch\b", re.IGNORECASE)
_RESULTS_PAGE: Final = re.compile(
    r"https?://(?:www\.)?(?:bing|google|duckduckgo|baidu|sogou|search\.brave|search\.yahoo)\.[a-z.]{2,6}/"
    r"(?:search|html|s|web)?\?",
    re.IGNORECASE,
)
_PAGE: Final = re.compile(
    r"\s{0,20}Address:[ \t]{0,4}(\S[^\n]{0,1000})\n(?=[^\n]{0,400}\n?(?:Title|Viewport)|Title:|Viewport)"
)
_RAN: Final = re.compile(
    r"\s{0,20}(?:exit ?code:\s{0,3}-?\d|The script ran\b|Code output:"
    r"|(?:Code )?[Ee]xecution (?:result|output|succeeded|failed)"
    r"|No code block|There is no code|\*{0,2}(?:stdout|stderr)\*{0,2}:)",
)
_SCREEN: Final = re.compile(
    r"\s{0,20}(?:Here is a screenshot of|(?:#+ )?Observation\b|The web browser is open to)"
)
_CODE: Final = re.compile(r"```[ \t]{0,4}([\w+#-]{0,20})[^\n]{0,200}\n(.*?)(?:\n```|\Z)", re.DOTALL)
_LANGUAGES: Final = frozenset(
    {"python", "py", "python3", "sh", "bash", "shell", "javascript", "js", "sql", "r"}
)


class TextAction(msgspec.Struct):
    """An action read from a text: the tool's name and its arguments; ``rest`` is what the text says after it."""

    name: str
    arguments: dict[str, Any] | str
    rest: str = ""


def parse_action(body: str) -> TextAction:
    """Return the action that a line after ``Action:`` names. Never fails; an unknown form is a name alone."""
    body = body.strip().strip("`").strip()
    first = body.removeprefix("json").lstrip()
    if first.startswith("{"):
        try:
            data = json.loads(first[: first.rfind("}") + 1], strict=False)
        except (ValueError, RecursionError):
            data = None
        if isinstance(data, dict):
            name = next(
                (data[key] for key in ("action", "name", "tool") if isinstance(data.get(key), str)), "unknown"
            )
            for key in ("action_input", "arguments", "args", "parameters", "input", "action_args"):
                if key in data:
                    value = data[key]
                    return TextAction(name, value if isinstance(value, dict) else str(value))
            return TextAction(name, {key: value for key, value in data.items() if value != name})
    match = _BRACKET.match(body)
    if match is not None:
        target, text = match.group(2).strip(), (match.group(3) or "").strip()
        return TextAction(match.group(1).strip(), {"target": target, "text": text} if text else target)
    match = _PLAIN.match(body)
    if match is not None:
        return TextAction(match.group(1).strip(), (match.group(2) or "").strip())
    return TextAction(body.split("\n", 1)[0][:80] or "unknown", "")


def narrated_action(text: str) -> TextAction | None:
    """Return the action that a text tells in the first person before showing what it brought, or None."""
    text = text.lstrip()
    match = _NARRATED.match(text)
    rest = text[match.end() :].strip() if match else ""
    if match is None or not rest:
        return None
    verb, told = match.group(1), match.group(2)
    values = [a or b or c for a, b, c in _QUOTED.findall(told)]
    if verb in ("typed", "entered", "searched") and values:
        if (
            verb == "searched"
            or _SEARCHES.search(told.rpartition(values[0])[2])
            or _RESULTS_PAGE.search(rest[:1500])
        ):
            return TextAction("web_search", {"query": values[0]}, rest)
        return TextAction(
            "type", {"text": values[0], **({"target": values[1]} if len(values) > 1 else {})}, rest
        )
    name = {"clicked": "click", "scrolled": "scroll", "typed": "type", "entered": "type"}.get(verb)
    if verb in ("visited", "opened", "navigated", "went") and values:
        return TextAction("visit", {"url" if "://" in values[0] else "target": values[0]}, rest)
    return TextAction(name or verb, {"target": values[0]} if values else told.strip(), rest)


def observed_page(text: str) -> TextAction | None:
    """Return the look-up behind a page as a text browser shows it (``Address:``, ``Title:``), or None."""
    match = _PAGE.match(text)
    if match is None:
        return None
    address = match.group(1).strip()
    engine, _, query = address.partition(":")
    if not query.startswith("//") and query.strip() and engine.isalpha() and engine.lower() != "file":
        return TextAction("web_search", {"query": query.strip()}, text)
    return TextAction("visit", {"url": address}, text)


def is_observation(text: str) -> bool:
    """Return whether a message is what an executor or a browser shows, not what an agent says."""
    return bool(_RAN.match(text) or _SCREEN.match(text) or _PAGE.match(text))


def is_execution(text: str) -> bool:
    """Return whether a message is what a code executor returns."""
    return _RAN.match(text) is not None


def code_blocks(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return a text without its runnable code blocks, and these as (language, code)."""
    found: list[tuple[str, str]] = []

    def take(match: re.Match[str]) -> str:
        language = match.group(1).lower()
        if language not in _LANGUAGES:
            return match.group()
        found.append(
            (
                {"py": "python", "python3": "python", "bash": "sh", "shell": "sh"}.get(language, language),
                match.group(2),
            )
        )
        return ""

    return _CODE.sub(take, text).strip(), found
