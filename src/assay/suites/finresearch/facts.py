"""Facts about a report for its judge: the argument graph and the visuals, in a few lines each.

Section 3.1.4 of the paper judges with the logic tree as intermediate information. The text stands between the report
and the criteria, so that calls about one report share a prefix.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from assay.generation.base import Assignment
from assay.logic.metrics import children_of

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph
    from assay.strategies.prompts import Prompts
    from assay.suites.finresearch.visuals import Visual, Visuals

ASSIGNMENT: Final = Assignment(
    name="finresearch-facts",
    summary="The argument graph and the visuals of a report, for the six dimensions a model rates.",
    template=str(Path(__file__).with_name("facts.jinja")),
    source="FinResearchBench, section 3.1.4",
)
# Largest number of nodes to show; a larger graph is cut from the bottom.
_LINES: Final = 120
_TEXT: Final = 180
_VISUALS: Final = 40
_MARKS: Final = {"partial": "partly supported", "unsupported": "unsupported"}
_MARKS_ZH: Final = {"partial": "支持不足", "unsupported": "没有支持"}
_ATTACKS: Final = {"rebuts": "rebuts it", "undercuts": "undercuts it"}
_ATTACKS_ZH: Final = {"rebuts": "反驳上述论点", "undercuts": "削弱上述依据"}


def facts_text(
    prompts: Prompts,
    graph: LogicGraph,
    visuals: Visuals,
    language: Literal["en", "zh"],
    *,
    by_rule: bool = False,
) -> str:
    """Render the facts, with everything from the report inside fences.

    Args:
        prompts: Prompt templates.
        graph: Argument graph of the report.
        visuals: Tables and figures of the report.
        language: Language of the prompt.
        by_rule: Whether rules built the graph, which are often wrong about support.
    """
    lines, left = outline(graph, language)
    weak = {
        mark: [node.id for node in graph.nodes if node.kind == "argument" and node.support == mark]
        for mark in _MARKS
    }
    return prompts.page(
        ASSIGNMENT.template,
        "facts",
        language,
        {
            "outline": "\n".join(lines),
            "left": left,
            "by_rule": by_rule,
            "roots": len(graph.roots),
            "partial": weak["partial"],
            "unsupported": weak["unsupported"],
            "evidence": sum(node.kind == "evidence" for node in graph.nodes),
            "arguments": sum(node.kind == "argument" for node in graph.nodes),
            "tables": visuals.tables,
            "figures": visuals.figures,
            "mentioned": visuals.mentioned,
            "visuals": "\n".join(_visual(item, language) for item in visuals.items[:_VISUALS]),
            "absent": "\n".join(visuals.absent[:_VISUALS]),
        },
    ).strip()


def outline(graph: LogicGraph, language: str = "en") -> tuple[list[str], int]:
    """Return the graph as indented lines, core claims first, and the number of omitted nodes.

    A node under several claims is written out once and then named by its id. A large graph loses its lowest levels.
    """
    nodes = {node.id: node for node in graph.nodes}
    below = children_of(graph.edges)
    attacks = _ATTACKS_ZH if language == "zh" else _ATTACKS
    against = {(edge.parent, edge.child): attacks.get(edge.relation, "") for edge in graph.edges}
    shown: set[str] = set()
    level = [root for root in graph.roots if root in nodes]
    while level and len(shown) < _LINES:
        # In the order of the report, so that an oversized level is cut at its end.
        fresh = [name for name in dict.fromkeys(level) if name not in shown][: _LINES - len(shown)]
        shown.update(fresh)
        level = [child for name in fresh for child in below.get(name, ())]
    marks = _MARKS_ZH if language == "zh" else _MARKS
    lines: list[str] = []
    written: set[str] = set()
    stack = [(root, "", 0) for root in reversed(graph.roots) if root in shown]
    while stack:
        name, above, depth = stack.pop()
        signs = [against.get((above, name), "")]
        if name in written:
            lines.append(f"{'  ' * depth}{name}{_brackets(signs)}")
            continue
        written.add(name)
        node = nodes[name]
        text = " ".join((f"{node.context} › {node.text}" if node.context else node.text).split())
        text = text if len(text) <= _TEXT else text[: _TEXT - 1] + "…"
        signs.append(marks.get(node.support or "", ""))
        lines.append(f"{'  ' * depth}{name}{_brackets(signs)} {text}")
        stack += [(child, name, depth + 1) for child in reversed(below.get(name, ())) if child in shown]
    return lines, len(nodes) - len(written)


def _brackets(signs: list[str]) -> str:
    return "".join(f" [{sign}]" for sign in signs if sign)


def _visual(item: Visual, language: str) -> str:
    chinese = language == "zh"
    kinds = {"table": "表格", "image": "图片", "diagram": "图示"} if chinese else {}
    head = f"{kinds.get(item.kind, item.kind)}"
    if item.size:
        size = item.size.replace(" rows", " 行").replace(", ", "、").replace(" columns", " 列")
        head += f"（{size}）" if chinese else f" ({item.size})"
    title = item.title or ("（无标题）" if chinese else "(no caption)")
    parts = [f"{head}{'：' if chinese else ': '}{title}"]
    if chinese:
        parts.append(f"正文提及 {item.mentions} 次")
        if item.numbers:
            parts.append(f"表中 {item.numbers} 个数字有 {item.shared} 个见于正文")
        return "；".join(parts)
    times = {0: "not mentioned in the text", 1: "mentioned once"}
    parts.append(times.get(item.mentions, f"mentioned {item.mentions} times"))
    if item.numbers:
        parts.append(f"{item.shared} of its {item.numbers} numbers stand in the text too")
    return "; ".join(parts)
