"""A call that uses the wrong tool, such as one that reads a page where a page had yet to be found.

The tool is another one that is offered, or of the family of those in use; its arguments are made to fit it, so that the
call runs and only its capability does not meet the need.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote, urlsplit

from assay.checks.trj._calls import addresses, failure, kind
from assay.checks.trj._words import find_names
from assay.interventions.base import Operator, Place, StepRevision
from assay.interventions.process._arguments import asking_calls, leaves_of, mixed, words_of
from assay.interventions.process._entities import holds
from assay.interventions.process._steps import changed, with_call
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Step, ToolCall, Trajectory

# Tools that search, but each something else; in every other respect they are called alike.
_SCOPES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("scholar", re.compile(r"scholar|arxiv|pubmed|paper|academic|论文|学术", re.IGNORECASE)),
    ("news", re.compile(r"news|新闻", re.IGNORECASE)),
    ("image", re.compile(r"image|photo|图片", re.IGNORECASE)),
    ("video", re.compile(r"video|youtube|视频", re.IGNORECASE)),
    ("map", re.compile(r"map|place|geo|地图", re.IGNORECASE)),
    ("shop", re.compile(r"shop|product|price|购物", re.IGNORECASE)),
    ("local", re.compile(r"file|local|memory|database|knowledge_base|文件", re.IGNORECASE)),
)
_FIND: Final = re.compile(
    r"\bfind (?:out )?(?:the |its |his |her |their |which |what |where |when )?([^.,;\n]{3,80})",
    re.IGNORECASE,
)
# Words of a plan that no page would be searched for.
_PLAIN: Final = frozenset("answer first name one both same names information page find search next".split())
_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "search": {"query": [""]},
    "visit": {"url": [""], "goal": ""},
    "lookup": {"keyword": ""},
    "code": {"code": ""},
}


def _rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    found: list[StepRevision] = []
    for step in trajectory.steps:
        for number, call in enumerate(step.tool_calls):
            for name in _others(trajectory, call):
                for arguments, pattern in _adapted(trajectory, step, call, name, draw):
                    if _why_not(trajectory, step.index, call, name, arguments) is not None:
                        continue
                    made = with_call(step, number, name=name, arguments=arguments)
                    note = f"{call.name} → {name}"
                    found.append(StepRevision(index=step.index, step=made, pattern=pattern, note=note))
    draw.shuffle(found)
    yield from mixed(found, draw)


def _others(trajectory: Trajectory, call: ToolCall) -> list[str]:
    """The tools that could have been called instead: offered, used, or of the family where nothing says what is offered."""
    if trajectory.tools is not None:
        names = list(trajectory.tools)
    else:
        names = [other.name for other in trajectory.tool_calls]
        if isinstance(call.arguments, str):
            # The three actions of ReAct; its last one ends a run and is no tool.
            names += {"search": ["Lookup"], "lookup": ["Search"]}.get(kind(call), [])
        else:
            names += {"search": ["visit"], "visit": ["search"], "lookup": ["search"], "code": ["search"]}.get(
                kind(call), []
            )
        if call.name.islower():
            names = [name.lower() for name in names]
    return [name for name in dict.fromkeys(names) if _ability(name) != _ability(call.name)]


def _ability(name: str) -> str:
    """What a tool does: its kind, and what a search looks through."""
    group = _kind_of(name)
    if group in ("search", "other"):
        for scope, pattern in _SCOPES:
            if pattern.search(name):
                return f"search:{scope}"
    return group


def _kind_of(name: str) -> str:
    from assay.subjects.span import Span  # noqa: PLC0415 - to ask a check's function about a name alone
    from assay.subjects.trajectory import ToolCall  # noqa: PLC0415

    return kind(ToolCall(name, {}, None, Span(0, 0), None, ""))


def _adapted(
    trajectory: Trajectory, step: Step, call: ToolCall, name: str, draw: Random
) -> Iterator[tuple[dict[str, Any] | str, str]]:
    """Arguments for another tool that say what this call said, each with its pattern."""
    here, there = _kind_of(call.name), _kind_of(name)
    asked = [leaf.text for leaf in leaves_of(call.arguments) if not leaf.address and len(leaf.text) > 1]
    if _ability(name).startswith("search:") or (here == there == "search"):
        yield call.arguments, "wrong-index"
    elif there == "lookup" and asked:
        yield _filled(trajectory, name, call, [asked[0]]), "lookup-without-page"
        detail = _detail(step.reasoning, asked[0])
        if detail:
            yield _filled(trajectory, name, call, [detail]), "lookup-of-detail"
    elif there == "search" and here == "lookup" and asked:
        yield _filled(trajectory, name, call, [asked[0]]), "search-for-passage"
    elif there == "search" and here == "visit":
        goals = [text for text in asked if len(text) > 8]
        if goals:
            yield _filled(trajectory, name, call, [_short(draw.choice(goals))]), "search-for-page"
        titles = [title for address in addresses(call) if (title := _title_of(address))]
        if titles:
            yield _filled(trajectory, name, call, titles[:2]), "search-for-title"
    elif there == "search" and here == "code":
        need = _detail(step.reasoning, "") or _short(trajectory.query)
        yield _filled(trajectory, name, call, [need]), "search-for-result"
    elif there == "visit" and asked:
        for address, pattern in _guessed(asked, draw):
            yield _filled(trajectory, name, call, [address], goal=_goal(trajectory, asked, draw)), pattern
    elif there == "code" and asked:
        topic = asked[0].replace('"', "'")
        yield (
            _filled(trajectory, name, call, [f'topic = "{topic}"\nprint(topic, len(topic.split()))']),
            "code-for-facts",
        )


def _detail(reasoning: str, known: str) -> str | None:
    """The word that a plan hangs on: "find the year the band disbanded" gives "disbanded"."""
    plans = list(_FIND.finditer(reasoning))
    if not plans:
        return None
    words = [
        word
        for word in words_of(plans[-1].group(1))
        if word.lower() not in STOPWORDS | _PLAIN
        and word.islower()
        and len(word) > 3
        and not holds(known, word)
    ]
    return words[-1] if words else None


def _short(text: str) -> str:
    """A goal as one would type it into a search box."""
    text = re.sub(
        r"^(?:to )?(?:find|get|extract|identify|determine|confirm|verify|check|locate)(?: out)?\s+(?:the |whether )?",
        "",
        text.strip(),
        flags=re.IGNORECASE,
    )
    cut = re.split(r"[.;?]\s|\n", text)[0]
    return " ".join(cut.split()[:14]).rstrip(" ,.?")


def _title_of(address: str) -> str | None:
    parts = [part for part in unquote(urlsplit(address).path).split("/") if part]
    title = re.sub(r"\.\w{2,5}$", "", parts[-1]) if parts else ""
    title = " ".join(re.split(r"[_\-+]+", title)).strip()
    return title if len(title) > 3 and re.search(r"[^\W\d]{3}", title) else None


def _guessed(asked: list[str], draw: Random) -> Iterator[tuple[str, str]]:
    """Addresses that nobody gave: a page of the name, or a search engine's own."""
    names = [
        name.text
        for text in asked
        for name in find_names(text)
        if len(words_of(name.text)) >= 2 and name.text.isascii() and len(name.text) < 50
    ]
    if names:
        name = draw.choice(names)
        page = quote(name.strip("\"'").replace(" ", "_"), safe="_(),'&")
        yield f"https://en.wikipedia.org/wiki/{page}", "page-never-found"
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        yield f"https://www.britannica.com/topic/{slug}", "page-never-found"
    engine = draw.choice(
        ("https://www.google.com/search?q=", "https://www.bing.com/search?q=", "https://duckduckgo.com/?q=")
    )
    yield engine + quote(draw.choice(asked).replace('"', "")).replace("%20", "+"), "visit-as-search"


def _goal(trajectory: Trajectory, asked: list[str], draw: Random) -> str:
    """What a page is to be read for, in words of the call, of the plan or of the question."""
    detail = _FIND.search(trajectory.query)
    goals = [*asked, _short(trajectory.query), *([detail.group(1)] if detail else [])]
    goal = draw.choice([text for text in goals if len(text) > 3]).strip()
    return goal[0].upper() + goal[1:]


def _filled(
    trajectory: Trajectory, name: str, call: ToolCall, texts: list[str], goal: str = ""
) -> dict[str, Any] | str:
    """Arguments of a tool as the trajectory calls it elsewhere, or as such tools are called, with texts put in."""
    model: Any = next((other.arguments for other in trajectory.tool_calls if other.name == name), None)
    if model is None:
        model = (
            call.arguments
            if isinstance(call.arguments, str)
            else _DEFAULTS.get(_kind_of(name), {"query": ""})
        )
    if isinstance(model, str):
        return texts[0]
    filled: dict[str, Any] = {}
    placed = False
    for key, value in model.items():
        purpose = re.search(r"goal|instruction|question|purpose|prompt", key, re.IGNORECASE)
        if purpose and goal:
            filled[key] = goal
        elif isinstance(value, list) and not placed:
            filled[key], placed = list(texts), True
        elif isinstance(value, str) and not placed:
            filled[key], placed = texts[0], True
        else:
            filled[key] = value
    return filled


def _page_before(trajectory: Trajectory, index: int) -> str | None:
    """The page that is open when a step's calls are made: the last response that brought one."""
    for step in reversed(trajectory.steps[:index]):
        for call in reversed(step.tool_calls):
            if call.response and failure(call) is None:
                return call.response
    return None


def _why_not(
    trajectory: Trajectory, index: int, call: ToolCall, name: str, arguments: dict[str, Any] | str
) -> str | None:
    """Why a call of another tool is not a wrong choice, or is no call at all."""
    if _ability(name) == _ability(call.name):
        return "the two tools do the same"
    offered = trajectory.tools
    if offered is not None and name not in offered:
        return f"no tool {name!r} is offered"
    if offered is not None and call.name not in offered:
        return "the tool of the reference was not offered either"
    leaves = leaves_of(arguments)
    if not leaves or not any(leaf.text.strip() for leaf in leaves):
        return "the call has no arguments"
    model = next((other.arguments for other in trajectory.tool_calls if other.name == name), None)
    if model is not None and type(model) is not type(arguments):
        return "the arguments are not of the kind that this tool takes"
    if isinstance(model, dict) and isinstance(arguments, dict) and not set(arguments) <= set(model):
        return "the tool has no such argument"
    there, said = _kind_of(name), [leaf.text for leaf in leaves]
    if there == "visit":
        given = [leaf.text for leaf in leaves if leaf.address]
        if not given:
            return "a page is visited without an address"
        before = "\n".join(
            f"{other.response or ''}\n{other.argument_text}"
            for step in trajectory.steps[:index]
            for other in step.tool_calls
        )
        if any(address in before or address in trajectory.query for address in given):
            return "the page had been found; it may well be read"
    if there == "lookup":
        page = _page_before(trajectory, index)
        if page is not None and any(holds(page, text) for text in said):
            return "the page that is open has it; looking it up there may be right"
    if _kind_of(call.name) == "lookup" and there == "search":
        page = _page_before(trajectory, index)
        if page is None or not any(holds(page, leaf.text) for leaf in leaves_of(call.arguments)):
            return "no page is open that has it; a search may be right"
    if _kind_of(call.name) == "visit" and there == "search" and not addresses(call):
        return "the reference visits no page"
    return None


def _check(reference: Trajectory, perturbed: Trajectory, revision: StepRevision) -> str | None:
    place = changed(reference, perturbed)
    if place is None or place.index != revision.index:
        return "the two differ in more than one place"
    if place.call is None or "name" not in place.parts:
        return "the same tool is called"
    if "response" in place.parts:
        return "the response differs too"
    old = reference.steps[place.index].tool_calls[place.call]
    new = perturbed.steps[place.index].tool_calls[place.call]
    return _why_not(reference, place.index, old, new.name, new.arguments)


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[Place]:
    places = [
        Place(step=step.index, part="name", call=number, hint=f"Other tools: {', '.join(others)}.")
        for step in trajectory.steps
        for number, call in asking_calls(step)
        if (others := _others(trajectory, call)) and len(call.argument_text) <= 2500
    ]
    draw.shuffle(places)
    yield from places


OPERATOR = Operator(
    name="wrong_tool_selection",
    title="Wrong Tool Selection",
    level="process",
    module="tool",
    category="structure",
    definition=(
        "A step calls a tool that cannot do what is needed there, while another one that is offered could: it reads a"
        " page where one has yet to be found, or looks for a word on a page that is not about the matter."
    ),
    definition_zh="某一步调用的工具做不到此处所需的事，而可用的另一个工具可以：例如尚未找到网页就去读取网页，或在与所问无关的页面上查找词语。",
    rule=_rule,
    sites=_sites,
    ask=(
        "Let the step call another of the tools that are offered, one whose capability does not meet what the reasoning"
        " needs there. Write arguments that this tool accepts, in the form in which it is called elsewhere, about the same"
        " matter. The call must be well-formed; the reasoning and the response stay."
    ),
    ask_zh=(
        "让这一步改用另一个可用的工具，而该工具的功能不能满足推理此处的需要。参数要符合该工具的格式（与别处的调用一致），内容仍针对同一件事。"
        "调用本身必须格式正确；推理和返回结果保持不变。"
    ),
    check=_check,
    codes=("TRJ006", "TRJ011"),
)
