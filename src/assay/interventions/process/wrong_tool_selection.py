"""Wrong tool selection: a call uses the wrong tool, such as one that reads a page before a page was found.

The other tool is one that was offered, or belongs to the family of those in use. Its arguments are adapted, so that the
call runs and only the tool's capability is wrong. The response is what that tool would return; if that cannot be a list
of search results, it says that the page does not exist, or that a word is not on the open page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.base import EditSite, Operator
from assay.interventions.hints import place_hint
from assay.interventions.process._call_sites import call_sites, no_open_call
from assay.interventions.process._changed_calls import changed_call
from assay.subjects.atoms import fold
from assay.subjects.tool_calls import kind
from assay.text.bilingual import listed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import StepRevision
    from assay.subjects.trajectory import Step, ToolCall, Trajectory


# Search tools with different targets, called alike in every other respect.
_SCOPES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("scholar", re.compile(r"scholar|arxiv|pubmed|paper|academic|论文|学术", re.IGNORECASE)),
    ("news", re.compile(r"news|新闻", re.IGNORECASE)),
    ("image", re.compile(r"image|photo|图片", re.IGNORECASE)),
    ("video", re.compile(r"video|youtube|视频", re.IGNORECASE)),
    ("map", re.compile(r"map|place|geo|地图", re.IGNORECASE)),
    ("shop", re.compile(r"shop|product|price|购物", re.IGNORECASE)),
    ("local", re.compile(r"file|local|memory|database|knowledge_base|文件", re.IGNORECASE)),
)


_SHELLS: Final = ("sh", "zsh", "cmd", "powershell")
# Tools that work on an open page.
_ON_PAGE: Final = re.compile(r"click|scroll|hover|^type$|find_in|ctrl_?f|page_(?:up|down)", re.IGNORECASE)


def _others(trajectory: Trajectory, step: Step, call: ToolCall) -> list[str]:
    """Return the tools that could have been called instead: those offered, or those in use if no offer is recorded.

    Where several agents work, each has tools of its own. A tool that works on an open page needs one.
    """
    if trajectory.tools is not None:
        names = list(trajectory.tools)
    else:
        names = [other.name for at in trajectory.steps if at.agent == step.agent for other in at.tool_calls]
        if isinstance(call.arguments, str):
            # The three actions of ReAct; the last one ends a run and is not a tool.
            names += {"search": ["Lookup"], "lookup": ["Search"]}.get(kind(call), [])
        if call.name.islower():
            names = [name.lower() for name in names]
    used = {other.name.lower() for other in trajectory.tool_calls}
    opened = any(other.response for at in trajectory.steps[: step.index] for other in at.tool_calls)
    # How a tool is called stands nowhere if it never was.
    return [
        name
        for name in {name.lower(): name for name in names}.values()
        if _ability(name) != _ability(call.name)
        and (name.lower() in used or isinstance(call.arguments, str))
        and (opened or not _ON_PAGE.search(name))
    ]


def _ability(name: str) -> str:
    """Return the capability of a tool: its kind and, for a search, what it searches."""
    group = _kind_of(name)
    if group in ("search", "other"):
        for scope, pattern in _SCOPES:
            if pattern.search(name):
                return f"search:{scope}"
    return group


def _kind_of(name: str) -> str:
    from assay.subjects.span import Span  # noqa: PLC0415 - to ask a check's function about a name alone
    from assay.subjects.trajectory import ToolCall  # noqa: PLC0415

    if name.lower() in _SHELLS:
        return "code"
    return kind(ToolCall(name, {}, None, Span(0, 0), None, ""))


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    def hint(step: Step, call: ToolCall) -> str | None:
        others = _others(trajectory, step, call)
        return place_hint("other_tools", tools=listed(others)) if others else None

    yield from call_sites(trajectory, draw, "name", hint)


def _check(reference: Trajectory, revised: Trajectory, revision: StepRevision) -> str | None:
    """Return why a call does not use another of the tools that there are, or None if it does."""
    pair = changed_call(reference, revised, revision)
    if pair is None or fold(pair[0].name) == fold(pair[1].name):
        return "the tool is the same"
    before, after = pair
    known = {*(reference.tools or ()), *(call.name for call in reference.tool_calls)}
    if isinstance(before.arguments, dict) and after.name not in known:
        return f"no tool {after.name!r} is offered"
    keys = [
        set(call.arguments)
        for call in reference.tool_calls
        if call.name == after.name and isinstance(call.arguments, dict)
    ]
    if keys and isinstance(after.arguments, dict) and not any(own & set(after.arguments) for own in keys):
        return f"{after.name} is called with other arguments elsewhere"
    return None


OPERATOR = Operator(
    name="wrong_tool_selection",
    title="Wrong Tool Selection",
    title_zh="工具选择错误",
    level="process",
    module="tool",
    category="structure",
    definition=(
        "A step calls a tool that cannot do what is needed there, while another one that is offered could: "
        "it reads a page where one has yet to be found, or looks for a word on a page that is not about "
        "the matter."
    ),
    definition_zh="某一步调用的工具做不到此处所需的事，而可用的另一个工具可以：例如尚未找到网页就去读取网页，或在与所问无关的页面上查找词语。",
    sites=_sites,
    unfit=no_open_call,
    ask=(
        "Let the step call another of the tools that are offered, one whose capability does not meet what "
        "the reasoning needs there. Write arguments that this tool accepts, in the form in which it is "
        "called elsewhere, about the same matter. The call must be well-formed and the reasoning stays; the response "
        "becomes what that tool would return, and the next thought takes it as it is."
    ),
    ask_zh=(
        "让这一步改用另一个可用的工具，而该工具的功能不能满足推理此处的需要。参数要符合该工具的格式（与别处的调用一致），内容仍针对同一件事。"
        "调用本身必须格式正确，此步的推理不变；返回内容改成该工具会返回的结果，下一步的思考据此而写。"
    ),
    check=_check,
    codes=("TRJ015",),
)
