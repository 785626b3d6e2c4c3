"""Pictures of a graph: well-formed, complete, and safe whatever the report says."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import Report
from assay.checks.base import LocatedSpan
from assay.logic.graph import Edge, LogicGraph, Node
from assay.logic.metrics import measure
from assay.logic.rule_graph import build_graph
from assay.present.display import width
from assay.present.graph import (
    FORMATS,
    render,
    to_dot,
    to_fragment,
    to_html,
    to_json,
    to_mermaid,
    to_svg,
    to_text,
)
from assay.present.graph.tree import rows
from assay.present.interface import interface
from assay.present.wrapping import filled
from assay.text.tidy import tidy

EVIL = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '"; } digraph x { a [label="',
    "back\\slash \\N \\",
    ']] --> x; click n0 href "javascript:alert(1)"',
    "%%{init: {'securityLevel': 'loose'}}%% # &amp; `md`",
    "]]></style><style>*{display:none}",
    "\x1b[2J\x1b]0;title\x07 \u202egnihtyna\u202c \u200bhidden",
    "</details></ul></svg><b>",
    "\ud800 lone",
]


def node(name: str, text: str, kind: str = "argument") -> Node:
    return Node(name, kind, text, LocatedSpan(3, 9, 1, 4), None if kind == "evidence" else "supported")  # type: ignore[arg-type]


def graph(nodes: list[Node], edges: list[tuple[str, str]], roots: list[str]) -> LogicGraph:
    links = [Edge(a, b) for a, b in edges]
    return LogicGraph(tuple(nodes), tuple(links), tuple(roots), measure(nodes, links, roots))


def small() -> LogicGraph:
    nodes = [
        node("a1", "A claim"),
        node("a2", "Another"),
        node("a3", "A third"),
        node("e1", "A fact", "evidence"),
    ]
    return graph(nodes, [("a1", "a2"), ("a1", "a3"), ("a2", "e1"), ("a3", "e1")], ["a1"])


def evil() -> LogicGraph:
    nodes = [node(f"n{i}", text, "evidence" if i % 2 else "argument") for i, text in enumerate(EVIL)]
    nodes.append(node('id"<&\\', "an id nobody vouches for"))
    names = [n.id for n in nodes]
    return graph(nodes, [(names[0], name) for name in names[1:]], [names[0]])


def wide(n: int) -> LogicGraph:
    nodes = [node("r", "The root of it all")]
    nodes += [node(f"c{i}", f"Child {i} says something of some length about the matter") for i in range(n)]
    return graph(nodes, [("r", f"c{i}") for i in range(n)], ["r"])


class Reader(HTMLParser):
    """Collects tags, and checks that they nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_text() -> None:
    assert to_text(small(), width=60).splitlines()[3:] == [
        "● a1 A claim",
        "├─ ● a2 Another",
        "│  └─ ▪ e1 A fact",
        "└─ ● a3 A third",
        "   └─ ▪ e1 ↑ see above",
    ]


def disputed() -> LogicGraph:
    nodes = [node("a1", "A claim"), node("a2", "An objection"), node("a3", "It does not bear on the claim")]
    nodes.append(Node("e1", "evidence", "total assets rose 9%", None, None, "Norway"))
    edges = (Edge("a1", "a2", "rebuts"), Edge("a2", "a3", "undercuts"), Edge("a1", "e1"))
    return LogicGraph(tuple(nodes), edges, ("a1",), measure(nodes, edges, ("a1",)))


def test_attacks_and_contexts_are_shown_in_every_format() -> None:
    assert to_text(disputed(), width=60).splitlines()[3:] == [
        "● a1 A claim",
        "├─ ✗ ● a2 An objection",
        "│  └─ ↯ ● a3 It does not bear on the claim",
        "└─ ▪ e1 Norway › total assets rose 9%",
    ]
    assert "✗ rebuts   ↯ undercuts" in to_text(disputed())
    assert "✗" not in to_text(small())
    assert '"a1" -> "a2" [color="#b3261e" fontcolor="#b3261e" fontsize=10 label="rebutted by"];' in to_dot(
        disputed()
    )
    assert "n1 -. undercut by .-x n2" in to_mermaid(disputed())
    assert "n0 --> n3" in to_mermaid(disputed())
    for picture in (to_svg(disputed()), to_svg(disputed(), say=interface("zh"))):
        ET.fromstring(picture)
        assert picture.count('<path class="rebuts"') == picture.count('<path class="undercuts"') == 1
    page = to_html(disputed(), say=interface("zh"))
    assert 'title="反驳">✗</span>' in page
    assert '<span class="context">Norway › </span>' in page
    assert [edge["relation"] for edge in json.loads(to_json(disputed()))["edges"]] == [
        "rebuts",
        "undercuts",
        "supports",
    ]


def test_text_wraps_under_the_words() -> None:
    lines = to_text(wide(2), width=40).splitlines()[3:]
    assert lines[1] == "├─ ● c0 Child 0 says something of some"
    assert lines[2] == "│       length about the matter"
    assert all(width(line) <= 40 for line in lines)


def test_text_carries_no_control_characters() -> None:
    out = to_text(evil())
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]", out)
    assert "gnihtyna" in out


def test_json_is_the_contract() -> None:
    span = {
        "type": ["object", "null"],
        "required": ["start", "end", "line", "column"],
        "properties": {key: {"type": "integer"} for key in ("start", "end", "line", "column")},
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "required": ["schema", "nodes", "edges", "roots", "metrics"],
        "additionalProperties": False,
        "properties": {
            "schema": {"const": "assay.logic/2"},
            "nodes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["id", "kind", "text", "span", "support", "context"],
                    "additionalProperties": False,
                    "properties": {
                        "id": {"type": "string"},
                        "kind": {"enum": ["argument", "evidence"]},
                        "text": {"type": "string"},
                        "span": span,
                        "support": {"enum": ["supported", "partial", "unsupported", None]},
                        "context": {"type": "string"},
                    },
                },
            },
            "edges": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["parent", "child", "relation"],
                    "additionalProperties": False,
                    "properties": {
                        "parent": {"type": "string"},
                        "child": {"type": "string"},
                        "relation": {"enum": ["supports", "rebuts", "undercuts"]},
                    },
                },
            },
            "roots": {"type": "array", "items": {"type": "string"}},
            "metrics": {
                "type": "object",
                "required": ["nodes", "evidence", "max_depth", "mean_leaf_depth", "mean_children"],
                "maxProperties": 5,
            },
        },
    }
    for g in (
        small(),
        build_graph(Report("")),
        build_graph(Report("# A\n\nCosts are clearly too high. They rose 9%.\n")),
    ):
        data = json.loads(to_json(g))
        jsonschema.validate(data, schema)
        assert next(iter(data)) == "schema"
    assert json.loads(to_json(small()))["edges"][0] == {"parent": "a1", "child": "a2", "relation": "supports"}


def test_json_of_text_that_is_no_unicode() -> None:
    # A lone surrogate cannot be written as UTF-8; it is replaced, and nothing else is.
    texts = [n["text"] for n in json.loads(to_json(evil()))["nodes"]]
    assert texts[:-1] == [text.replace("\ud800", "\ufffd") for text in EVIL]


def test_dot_quotes_everything() -> None:
    out = to_dot(evil())
    # Once quoted strings are gone, only the grammar is left.
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", out)
    assert bare.count("digraph") == 1
    assert bare.count("{") == bare.count("}") == 1
    assert "label=" in bare
    assert "script" not in bare
    assert len(re.findall(r"->", bare)) == len(evil().edges)


def test_mermaid_escapes_everything() -> None:
    out = to_mermaid(evil())
    labels = re.findall(r'^  n\d+[(\[]"(.*)"[)\]]:::\w+$', out, re.MULTILINE)
    assert len(labels) == len(evil().nodes)
    for label in labels:
        rest = re.sub(r"#\d+;", "", label)
        assert not re.search(r"[\"<>&%`{}()\[\];#]", rest)
    assert "click" not in re.sub(r'"[^"]*"', "", out)
    assert out.count(" --> ") == len(evil().edges)


def test_svg_is_well_formed_and_inert() -> None:
    for g in (small(), evil(), wide(3), wide(40), build_graph(Report(""))):
        root = ET.fromstring(to_svg(g))
        tags = {element.tag.split("}")[1] for element in root.iter()}
        assert tags <= {"svg", "title", "style", "rect", "text", "tspan", "path", "g"}
        for element in root.iter():
            assert not any(name.startswith("on") or "href" in name for name in element.attrib)


def test_svg_holds_all_words_in_titles() -> None:
    titles = " ".join(
        e.text or "" for e in ET.fromstring(to_svg(wide(40))).iter("{http://www.w3.org/2000/svg}title")
    )
    for n in wide(40).nodes:
        assert n.text in titles


def test_svg_never_grows_sideways() -> None:
    for n in (1, 4, 12, 100):
        width = float(ET.fromstring(to_svg(wide(n))).attrib["width"])
        assert width <= 1400
    chain = graph(
        [node(f"k{i}", "deep") for i in range(80)], [(f"k{i}", f"k{i + 1}") for i in range(79)], ["k0"]
    )
    assert float(ET.fromstring(to_svg(chain)).attrib["width"]) <= 1400


def boxes(g: LogicGraph) -> list[tuple[float, float, float, float]]:
    found = ET.fromstring(to_svg(g)).iter("{http://www.w3.org/2000/svg}rect")
    return [
        tuple(float(r.attrib[k]) for k in ("x", "y", "width", "height")) for r in found if "x" in r.attrib
    ]


@pytest.mark.parametrize("n", [1, 3, 5, 30])
def test_svg_boxes_do_not_overlap(n: int) -> None:
    placed = boxes(wide(n))
    assert len(placed) == n + 1
    for i, (x, y, w, h) in enumerate(placed):
        for x2, y2, w2, h2 in placed[i + 1 :]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_html_nests_and_runs_nothing() -> None:
    for g in (small(), evil(), wide(40), build_graph(Report(""))):
        reader = Reader()
        reader.feed(to_html(g))
        reader.close()
        assert reader.open == []
        assert set(reader.seen) <= {
            "html", "head", "meta", "title", "style", "body", "h1", "div", "p", "br", "ul", "li", "details", "summary",
            "span", "a",
        }  # fmt: skip
        assert not any(name.startswith("on") for name, _ in reader.attributes)
        assert all((value or "").startswith("#") for name, value in reader.attributes if name == "href")
    assert "default-src 'none'" in to_html(small())


def test_fragment_is_the_tree() -> None:
    nodes = [node(name, f"Words of {name}") for name in "abcdef"]
    g = graph(nodes, [("a", "b"), ("b", "c"), ("a", "d"), ("d", "e")], ["a", "f"])
    out = to_fragment(g, prefix="")
    # Well-formed, so it can be read as XML: the items under each item are the node's children.
    root = ET.fromstring(out.replace("<br>", "<br/>").replace(" open>", ">"))
    tree = {
        item.attrib["id"]: [child.attrib["id"] for child in item.findall("details/ul/li")]
        for item in root.iter("li")
    }
    assert tree == {"a": ["b", "d"], "b": ["c"], "c": [], "d": ["e"], "e": [], "f": []}
    assert [item.attrib["id"] for item in root.findall("ul/li")] == ["a", "f"]


def test_fragment_links_shared_nodes_and_places() -> None:
    out = to_fragment(small(), prefix="arg-")
    assert out.count('id="arg-e1"') == 1
    assert out.count('href="#arg-e1"') == 1
    assert 'data-start="3" data-end="9"' in out
    assert out.count("<details") == 3


def test_every_format_takes_every_graph() -> None:
    cyclic = LogicGraph(
        (node("a", "one"), node("b", "two"), node("c", "three")),
        (Edge("a", "b"), Edge("b", "a"), Edge("a", "gone")),
        ("gone",),
        small().metrics,
    )
    for form in FORMATS:
        for g in (small(), cyclic, build_graph(Report(""))):
            assert render(g, form)
    assert {row.node.id for row in rows(cyclic)} == {"a", "b", "c"}


def test_a_deep_chain_is_no_recursion() -> None:
    n = 3000
    g = graph([node(f"k{i}", "x") for i in range(n)], [(f"k{i}", f"k{i + 1}") for i in range(n - 1)], ["k0"])
    assert sum(1 for _ in rows(g)) == n
    assert to_svg(g)
    assert to_fragment(g)


def test_tidy() -> None:
    assert tidy("银行业 : 增长 12% , 明显") == "银行业: 增长 12%, 明显"
    assert tidy("a\x1b[1m b\u202e c") == "a [1m b c"


# The first width of a wide character loads tables.
@settings(deadline=None)
@given(st.text(max_size=80), st.integers(4, 40))
def test_wrap_keeps_words_and_width(text: str, room: int) -> None:
    line = tidy(text)
    out = filled(line, room)
    assert "".join("".join(out).split()) == "".join(line.split())
    # Closing marks may hang over by their own width.
    assert all(width(part.rstrip("，。；：！？、）】》」』”’")) <= room for part in out)


@given(st.text(max_size=60))
def test_any_words_are_safe_everywhere(text: str) -> None:
    g = graph([node("a", text or "x"), node("b", text + "y", "evidence")], [("a", "b")], ["a"])
    ET.fromstring(to_svg(g))
    reader = Reader()
    reader.feed(to_fragment(g))
    assert reader.open == []
    assert to_dot(g).count("\n") == 9
    assert to_mermaid(g).count("\n") == 9
    assert to_text(g)
    assert to_json(g)
