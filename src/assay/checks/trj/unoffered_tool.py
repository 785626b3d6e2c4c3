"""A call to a tool that was not offered, or to one that cannot do what the call asks.

The tool's name is not among those offered; or a page reader gets a question instead of an address, a search engine
nothing but an address, or a code runner prose. Such a call fails, or answers a question that the agent did not have.

Known problems: names are compared without case and prefix (``functions.search``). If the transcript does not list the
tools offered, only the arguments are checked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.wording import FilledWording, Wording, series
from assay.subjects.tool_calls import addresses, kind, leaves, questions
from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.trajectory import ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.checks", "trj")
_WORDS: Final = WordSets(_PHRASES)

_PLACE: Final = re.compile(
    r"^[\w\-]+(?:\.[\w\-]+)+(?:/\S*)?$|^(?:[/.~]|\w+:)\S+$|^\S+\.\w{2,5}$|^[\w\-.:/]*\d[\w\-.:/]*$"
)
_CODE: Final = re.compile(
    r"[=(){}\[\];]|\bimport\b|\bprint\b|\bdef\b|\bSELECT\b|\d\s*[-+*/^%]\s*\d|^\s*[a-z]+\s+-", re.IGNORECASE
)

_NOT_OFFERED: Final = Wording(
    en="Calls “{tool}”, but the tools offered are {tools}", zh="调用了“{tool}”，但可用的工具只有{tools}"
)
_NO_ADDRESS: Final = Wording(
    en="{tool} reads a page, but gets no address: “{argument}”",
    zh="{tool} 用于读取网页，参数却不是网址：“{argument}”",
)
_ONLY_ADDRESS: Final = Wording(
    en="{tool} searches, but gets only an address: “{argument}”",
    zh="{tool} 用于检索，参数却只有网址：“{argument}”",
)
_NO_CODE: Final = Wording(
    en="{tool} runs code, but gets a sentence: “{argument}”",
    zh="{tool} 用于运行代码，参数却是一句话：“{argument}”",
)


def run(trajectory: Trajectory, _context: Context) -> Iterator[RawFinding]:
    """Yield a finding for each call whose tool was not offered or whose arguments do not suit the tool."""
    offered = {_bare(name): name for name in trajectory.tools or ()}
    for call in trajectory.tool_calls:
        name = _bare(call.name)
        if name in _WORDS.unoffered_tool_frame:
            continue
        if offered and name not in offered:
            listed = series(sorted(offered.values())[:8])
            yield RawFinding(call.span, _NOT_OFFERED(tool=call.name, tools=listed), confidence=0.95)
            continue
        problem = _misfit(call)
        if problem is not None:
            yield RawFinding(call.span, problem, confidence=0.85)


def _bare(name: str) -> str:
    return name.rpartition(".")[2].rpartition("/")[2].strip().lower().replace("-", "_")


def _misfit(call: ToolCall) -> FilledWording | None:
    what = kind(call)
    texts = [leaf.strip() for leaf in leaves(call.arguments) if leaf.strip()]
    if not texts:
        return None
    if what == "visit" and not addresses(call):
        if any(_PLACE.match(text) for text in texts) or "search" in call.name.lower():
            return None
        if max(len(text.split()) for text in texts) < 2 and texts[0].isascii():
            return None
        return _NO_ADDRESS(tool=call.name, argument=_short(texts[0]))
    if what == "search" and addresses(call) and not any(len(text) > 3 for text in questions(call)):
        return _ONLY_ADDRESS(tool=call.name, argument=_short(texts[0]))
    if what == "code" and all(not _CODE.search(text) and len(text.split()) >= 4 for text in texts):
        return _NO_CODE(tool=call.name, argument=_short(texts[0]))
    return None


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


CHECK = Check(
    code="TRJ006",
    name="unoffered-tool",
    severity="error",
    summary="A call to a tool that was not offered, or that cannot do what is asked",
    run=run,
    bad=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "q", "tools": ["search", "visit"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "r", "tool_calls": [{"name": "image_generator", "arguments": '
            '{"prompt": "a map"}, "response": null}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "q", "tools": ["search", "visit"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "r", "tool_calls": [{"name": "visit", "arguments": {"url": ["sales of '
            'heat pumps in Norway 2023"]}, "response": null}]}]}'
        ),
        Example(
            '{"schema": "assay.trajectory/1", "query": "q", "tools": ["search", "visit"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "r", "tool_calls": [{"name": "search", "arguments": {"query": '
            '"https://example.org/heat-pumps/2023.html"}, "response": null}]}]}'
        ),
    ),
    good=(
        Example(
            '{"schema": "assay.trajectory/1", "query": "q", "tools": ["search", "visit"], "answer": null, "steps": ['
            '{"index": 0, "reasoning": "r", "tool_calls": [{"name": "functions.search", "arguments": '
            '{"query": "heat pump sales Norway"}, "response": "…"},'
            '{"name": "visit", "arguments": {"url": ["https://example.org/a"], "goal": "sales in 2023"}, '
            '"response": "…"}]}]}'
        ),
    ),
    failure="wrong_tool_selection",
    subject="trajectory",
)
