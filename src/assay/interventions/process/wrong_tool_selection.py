"""Wrong tool selection: a call uses the wrong tool, such as one that reads a page before a page was found.

The other tool is one that was offered, or belongs to the family of those in use. Its arguments are adapted, so that the
call runs and only the tool's capability is wrong. The response is what that tool would return; if that cannot be a list
of search results, it says that the page does not exist, or that a word is not on the open page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from assay.interventions.base import EditSite, Operator, StepRevision, step_site
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import asking_calls, context, leaves_of, mixed, words_of
from assay.interventions.process._entities import holds
from assay.interventions.process._failed_visits import absent_pages, reported
from assay.interventions.process._steps import changed, with_call
from assay.subjects.atoms import find_names, terms
from assay.subjects.tool_calls import addresses, failure, kind
from assay.text.bilingual import listed
from assay.text.phrases import PhraseFile
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.trajectory import Step, ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "wrong_tool_selection")

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
_FIND: Final = re.compile(
    r"\bfind (?:out )?(?:the |its |his |her |their |which |what |where |when )?([^.,;\n]{3,80})",
    re.IGNORECASE,
)
# Words of a plan that nobody would search a page for.
_PLAIN: Final = frozenset("answer first name one both same names information page find search next".split())
_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "search": {"query": [""]},
    "visit": {"url": [""], "goal": ""},
    "lookup": {"keyword": ""},
    "code": {"code": ""},
}
# A page that was read, or a line of one: a search does not return that.
_PAGE_READ: Final = re.compile(r"^\s*(?:The useful information in|\((?:Result|结果) ?\d)")
_LISTED: Final = re.compile(r"^\s*A Google search for|found \d+ results|^## Web Results", re.MULTILINE)
_QUESTION: Final = _PHRASES.pattern(
    r"(?:<<question>>)\b",
    flags=re.IGNORECASE,
)


def _rule(trajectory: Trajectory, draw: Random) -> Iterator[StepRevision]:
    found: list[StepRevision] = []
    for step in trajectory.steps:
        for number, call in enumerate(step.tool_calls):
            for name in _others(trajectory, call):
                for arguments, response, pattern in _adapted(trajectory, step, call, name, draw):
                    now = call.response if response is None else response
                    if _why_not(trajectory, step.index, call, name, arguments, response=now) is not None:
                        continue
                    made = with_call(step, number, name=name, arguments=arguments, response=response)
                    note = f"{call.name} → {name}"
                    found.append(StepRevision(index=step.index, step=made, pattern=pattern, note=note))
    draw.shuffle(found)
    # If the next thought builds on the response, the response cannot have been empty.
    found.sort(key=lambda item: _built_on(trajectory, item.index))
    yield from mixed(found, draw)


def _built_on(trajectory: Trajectory, index: int) -> bool:
    """Return whether the next thought uses several words that come only from the step's responses."""
    if index + 1 >= len(trajectory.steps):
        return False
    brought = "\n".join(call.response or "" for call in trajectory.steps[index].tool_calls)
    new = terms(trajectory.steps[index + 1].reasoning) - terms(context(trajectory, index))
    return len(new & terms(brought)) > 2


def _others(trajectory: Trajectory, call: ToolCall) -> list[str]:
    """Return the tools that could have been called instead: those offered, or those in use if no offer is recorded."""
    if trajectory.tools is not None:
        names = list(trajectory.tools)
    else:
        names = [other.name for other in trajectory.tool_calls]
        if isinstance(call.arguments, str):
            # The three actions of ReAct; the last one ends a run and is not a tool.
            names += {"search": ["Lookup"], "lookup": ["Search"]}.get(kind(call), [])
        if call.name.islower():
            names = [name.lower() for name in names]
    return [name for name in dict.fromkeys(names) if _ability(name) != _ability(call.name)]


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

    return kind(ToolCall(name, {}, None, Span(0, 0), None, ""))


def _adapted(
    trajectory: Trajectory, step: Step, call: ToolCall, name: str, draw: Random
) -> Iterator[tuple[dict[str, Any] | str, str | None, str]]:
    """Yield arguments for another tool, its response if that differs, and the pattern."""
    here, there = _kind_of(call.name), _kind_of(name)
    asked = [leaf.text for leaf in leaves_of(call.arguments) if not leaf.address and len(leaf.text) > 1]
    if there == "visit" and asked:
        yield from _visited(trajectory, call, name, asked, draw)
    elif _ability(name).startswith("search:") or (here == there == "search"):
        yield call.arguments, None, "wrong-index"
    elif there == "lookup" and asked:
        nothing = _not_on_page(trajectory, name)
        yield _filled(trajectory, name, call, [asked[0]]), nothing, "lookup-without-page"
        detail = _detail(step.reasoning, asked[0])
        if detail:
            yield _filled(trajectory, name, call, [detail]), nothing, "lookup-of-detail"
    elif there == "search" and here == "lookup" and asked:
        yield _filled(trajectory, name, call, [asked[0]]), None, "search-for-passage"
    elif there == "search" and here == "visit":
        titles = [title for address in addresses(call) if (title := _title_of(address))]
        if titles:
            yield _filled(trajectory, name, call, titles[:2]), None, "search-for-title"
    elif there == "search" and here == "code":
        need = _detail(step.reasoning, "") or trajectory.query.rstrip("?")
        yield _filled(trajectory, name, call, [need]), None, "search-for-result"
    elif there == "code" and asked:
        topic = asked[0].replace('"', "'")
        code = f'topic = "{topic}"\nprint(topic, len(topic.split()))'
        yield _filled(trajectory, name, call, [code]), None, "code-for-facts"


def _not_on_page(trajectory: Trajectory, name: str) -> str:
    """Return the tool's message that a word is not on the page.

    It is worded as elsewhere in the trajectory or, if it never occurs there, as in ReAct.
    """
    return next(
        (
            call.response
            for call in trajectory.tool_calls
            if call.name == name and call.response and len(call.response) < 80 and failure(call) is not None
        ),
        "No Results",
    )


def _visited(
    trajectory: Trajectory, call: ToolCall, name: str, asked: list[str], draw: Random
) -> Iterator[tuple[dict[str, Any] | str, str | None, str]]:
    """Yield visits, in place of a search, to pages that no search found and that do not exist."""
    for _ in range(2):
        pages = absent_pages(asked, draw)
        if not pages:
            return
        # A goal is the search as it stands: shortened, it would dangle.
        wanted = draw.choice(asked)
        goal = wanted if _QUESTION.match(wanted) else draw.choice(_PHRASES["goals"].en).format(wanted)
        arguments = _filled(trajectory, name, call, [page.address for page in pages], goal=goal)
        listed = isinstance(arguments, dict) and any(isinstance(value, list) for value in arguments.values())
        summarised = isinstance(arguments, dict) and goal in arguments.values()
        yield arguments, reported(pages if listed else pages[:1], goal, as_summary=summarised), "no-such-page"


def _detail(reasoning: str, known: str) -> str | None:
    """Return the key word of a plan: "find the year the band disbanded" gives "disbanded"."""
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


def _title_of(address: str) -> str | None:
    parts = [part for part in unquote(urlsplit(address).path).split("/") if part]
    title = re.sub(r"\.\w{2,5}$", "", parts[-1]) if parts else ""
    title = " ".join(re.split(r"[_\-+]+", title)).strip()
    return title if len(title) > 3 and re.search(r"[^\W\d]{3}", title) else None


def _filled(
    trajectory: Trajectory, name: str, call: ToolCall, texts: list[str], goal: str = ""
) -> dict[str, Any] | str:
    """Return arguments of a tool with texts filled in, modelled on its other calls or on calls of similar tools."""
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
    """Return the page that is open when a step's calls are made, or None if there is none."""
    for step in reversed(trajectory.steps[:index]):
        for call in reversed(step.tool_calls):
            if call.response and failure(call) is None:
                return call.response
    return None


def _why_not(
    trajectory: Trajectory,
    index: int,
    call: ToolCall,
    name: str,
    arguments: dict[str, Any] | str,
    *,
    response: str | None,
) -> str | None:
    """Return why a call is not a wrong choice of tool, or None if it is."""
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
    if model is not None and isinstance(model, str) != isinstance(arguments, str):
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
        if re.search(r"(?:duckduckgo|bing|google)\.\w+/", "\n".join(given)):
            return "a search engine's address searches as well"
        if _LISTED.search(response or ""):
            return "what comes back is a list of search results, and a page was read"
        if response != call.response and (answer := _answered(trajectory, response or "", said)):
            return f"the page has what was looked for: {answer}"
    if there == "lookup":
        page = _page_before(trajectory, index)
        if page is not None and any(holds(page, text) for text in said):
            return "the page that is open has it; looking it up there may be right"
        if response and len(response) > 80 and not _PAGE_READ.match(response):
            return "what comes back is a page, and a word was looked up"
    if _kind_of(call.name) == "lookup" and there == "search":
        page = _page_before(trajectory, index)
        if page is None or not any(holds(page, leaf.text) for leaf in leaves_of(call.arguments)):
            return "no page is open that has it; a search may be right"
    if _kind_of(call.name) == "visit" and there == "search" and not addresses(call):
        return "the reference visits no page"
    if there == "search" and _PAGE_READ.search(response or ""):
        return "what comes back is a page that was read, and a search was made"
    return None


def _answered(trajectory: Trajectory, response: str, said: list[str]) -> str | None:
    """Return a name of the answer that the response contains and neither query nor call does, or None."""
    known = f"{trajectory.query} {' '.join(said)}"
    for name in find_names((trajectory.answer or "")[:400]):
        for atom in name.atoms:
            if len(atom) > 3 and not holds(known, atom) and holds(response, atom):
                return atom
    return None


def _check(reference: Trajectory, perturbed: Trajectory, revision: StepRevision) -> str | None:
    change = changed(reference, perturbed)
    if change is None or change.index != revision.index:
        return "the two differ in more than one place"
    if change.call is None or "name" not in change.parts:
        return "the same tool is called"
    old = reference.steps[change.index].tool_calls[change.call]
    new = perturbed.steps[change.index].tool_calls[change.call]
    return _why_not(reference, change.index, old, new.name, new.arguments, response=new.response)


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    sites = [
        step_site(
            step=step.index, part="name", call=number, hint=place_hint("other_tools", tools=listed(others))
        )
        for step in trajectory.steps
        for number, call in asking_calls(step)
        if (others := _others(trajectory, call)) and len(call.argument_text) <= 2500
    ]
    draw.shuffle(sites)
    yield from sites


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
    rule=_rule,
    sites=_sites,
    ask=(
        "Let the step call another of the tools that are offered, one whose capability does not meet what "
        "the reasoning needs there. Write arguments that this tool accepts, in the form in which it is "
        "called elsewhere, about the same matter. The call must be well-formed; the reasoning and the "
        "response stay."
    ),
    ask_zh=(
        "让这一步改用另一个可用的工具，而该工具的功能不能满足推理此处的需要。参数要符合该工具的格式（与别处的调用一致），内容仍针对同一件事。"
        "调用本身必须格式正确；推理和返回结果保持不变。"
    ),
    check=_check,
    codes=("TRJ015",),
)
