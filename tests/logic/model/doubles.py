"""Models that play a reader of arguments: one that knows the truth, and some that lie."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from assay import Report
from assay.checks.base import LocatedSpan
from assay.generation.author import Author
from assay.logic.graph import Edge, LogicGraph, Node
from assay.logic.metrics import measure
from assay.models.base import Reply, Request, Sampling, Usage
from assay.models.tokens import estimate_request
from assay.strategies.prompts import Prompts

_SHOWN = re.compile(r"^S(\d+)\| (?:[-#|]+ )?(.*?)(?: ⟦[^⟧]*⟧)?$", re.MULTILINE)
_CLAIM = re.compile(r"^C(\d+)\| (?:\(.*?\) |（.*?） )?(.*)$", re.MULTILINE)
_PAIR = re.compile(
    r"^P(\d+)\| (?:first: |第一：)[(（].*?[)）] ?(.*?) \| (?:second: |第二：)[(（].*?[)）] ?(.*)$",
    re.MULTILINE,
)
KINDS = ("nodes", "claims", "pairs", "verdicts")


def kind_of(request: Request) -> str:
    """Which of the four questions a request asks."""
    assert request.schema is not None
    return next(kind for kind in KINDS if kind in request.schema["properties"])


def prompt_of(request: Request) -> str:
    return request.messages[1].content


class Double:
    """A model made of functions, one for each question; it keeps what it was asked."""

    id = "test/double"

    def __init__(self, **answers: Callable[[str], Any]) -> None:
        self.answers = answers
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        said = self.answers[kind_of(request)](prompt_of(request))
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return Reply(text=text, usage=Usage(1, estimate_request(request), 0, len(text) // 4, 0.0))

    async def close(self) -> None:
        pass

    def asked(self, kind: str) -> list[Request]:
        return [request for request in self.requests if kind_of(request) == kind]


def author(model: Any, retries: int = 1) -> Author:
    return Author(model, Prompts(), sampling=Sampling(temperature=0.0, max_tokens=4096), retries=retries)


def squeezed(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


class Ideal(Double):
    """Answers from a graph it knows: all nodes of the lines it is shown, all edges between what it is shown."""

    def __init__(self, truth: LogicGraph, *, copies: bool = False) -> None:
        super().__init__(nodes=self._nodes, claims=self._claims, pairs=self._pairs, verdicts=self._verdicts)
        self.truth = truth
        self.copies = copies
        self.words = {squeezed(node.text): node for node in truth.nodes}
        self.above: dict[str, list[str]] = {}
        for edge in truth.edges:
            self.above.setdefault(edge.child, []).append(edge.parent)

    def _nearest(self, node: str, shown: Iterable[str]) -> list[str]:
        """The nearest ancestors among those shown."""
        among, out, seen = set(shown), list[str](), {node}
        stack = self.above.get(node, [])[::-1]
        while stack:
            at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            if at in among:
                out.append(at)
            else:
                stack.extend(self.above.get(at, []))
        return out

    def _nodes(self, prompt: str) -> Any:
        lines = [(int(number), squeezed(text), text) for number, text in _SHOWN.findall(prompt)]
        shown: dict[str, tuple[int, str]] = {}
        for number, key, text in lines:
            node = self.words.get(key)
            if node is not None:
                shown[node.id] = (number, text if self.copies else "")
                continue
            # A node that is a part of its line.
            for words, other in self.words.items():
                if len(words) > 12 and words in key:
                    shown.setdefault(other.id, (number, other.text))
        ids = {name: i for i, name in enumerate(shown, 1)}
        kinds = {node.id: node.kind for node in self.truth.nodes}
        return {
            "nodes": [
                {
                    "id": ids[name],
                    "kind": kinds[name],
                    "lines": [line],
                    "text": text,
                    "supports": [ids[parent] for parent in self._nearest(name, shown)],
                }
                for name, (line, text) in shown.items()
            ]
        }

    def _find(self, text: str) -> str | None:
        key = squeezed(text.rstrip("…"))
        node = self.words.get(key)
        if node is None:
            node = next((node for words, node in self.words.items() if words.startswith(key)), None)
        return node.id if node else None

    def _claims(self, prompt: str) -> Any:
        shown = {int(number): self._find(text) for number, text in _CLAIM.findall(prompt)}
        numbers = {name: number for number, name in shown.items() if name}
        rows = [
            {
                "claim": number,
                "same_as": 0,
                "supports": [numbers[parent] for parent in self._nearest(name, numbers)] if name else [],
            }
            for number, name in shown.items()
        ]
        core = [row["claim"] for row in rows if not row["supports"]]
        # Those with most beneath them first.
        size = {name: sum(1 for edge in self.truth.edges if edge.parent == name) for name in numbers}
        core.sort(key=lambda number: -size.get(shown[number] or "", 0))
        return {"core": core[:3], "claims": rows}

    def _pairs(self, prompt: str) -> Any:
        out = []
        for number, first, second in _PAIR.findall(prompt):
            a, b = self._find(first), self._find(second)
            relation = "neither"
            if a and b and b in self.above.get(a, []):
                relation = "first_supports_second"
            elif a and b and a in self.above.get(b, []):
                relation = "second_supports_first"
            out.append({"pair": int(number), "relation": relation})
        return {"pairs": out}

    def _verdicts(self, prompt: str) -> Any:
        found = ((int(number), self._find(text)) for number, text in _CLAIM.findall(prompt))
        held = {node.id: node.support for node in self.truth.nodes}
        return {
            "verdicts": [
                {"claim": number, "why": "as given", "support": held.get(name or "") or "supported"}
                for number, name in found
            ]
        }


class Planted:
    """A report written around a graph: chapters with a claim each, under it claims with their evidence, and filler.

    Evidence of one chapter that also carries a claim of another repeats that claim's figure: what cross-links go by.
    """

    def __init__(self, words: int, *, language: str = "en") -> None:
        self.language = language
        self._nodes: list[tuple[str, str, str]] = []
        self._edges: list[tuple[str, str]] = []
        self._parts: list[str] = []
        self._size = 0
        self._build(words)
        source = "".join(self._parts)
        self.report = Report(source, query="Which technology should the region build first?")
        place = self.report.lines.place
        nodes = []
        for name, kind, text in self._nodes:
            start = source.index(text)
            assert source.count(text) == 1
            support = "supported" if kind == "argument" else None
            span = LocatedSpan(start, start + len(text), *place(start))
            nodes.append(Node(name, kind, text, span, support))  # type: ignore[arg-type]
        edges = [Edge(*edge) for edge in self._edges]
        self.truth = LogicGraph(tuple(nodes), tuple(edges), ("thesis",), measure(nodes, edges, ("thesis",)))

    def _say(self, name: str, kind: str, text: str, *parents: str) -> None:
        self._nodes.append((name, kind, text))
        self._edges.extend((parent, name) for parent in parents)
        self._parts.append(text + ("" if self.language == "zh" else " "))
        self._size += len(text) if self.language == "zh" else len(text.split())

    def _build(self, words: int) -> None:
        zh = self.language == "zh"
        self._parts.append(
            "# 区域能源报告\n\n## 结论\n\n" if zh else "# Power for the region\n\n## Summary\n\n"
        )
        self._say(
            "thesis",
            "argument",
            "本地区应当最先建设海上风电。" if zh else "The region should build offshore wind first.",
        )
        chapter = 0
        while self._size < words:
            chapter += 1
            c = f"c{chapter}"
            self._parts.append(f"\n\n## 第{chapter}章\n\n" if zh else f"\n\n## Chapter {chapter}\n\n")
            self._say(
                c,
                "argument",
                f"第{chapter}号港口完全能够承担建设任务。"
                if zh
                else f"Harbour number {chapter} is clearly ready to carry the building programme.",
                "thesis",
            )
            for section in range(1, 6):
                if self._size >= words:
                    break
                s = f"{c}.{section}"
                figure = chapter * 1000 + section * 17
                self._parts.append(f"\n\n### {chapter}.{section}\n\n")
                cost = f"{figure}.5" if section == 1 else "…"
                at = f"，降至{cost}万元" if section == 1 else ""
                to = f", to ${cost} million" if section == 1 else ""
                self._say(
                    s,
                    "argument",
                    f"第{chapter}号港口的第{section}类成本因此明显下降{at}。"
                    if zh
                    else f"Costs of type {section} at harbour {chapter} have therefore fallen decisively{to}.",
                    c,
                )
                for i in range(1, 4):
                    parents = [s]
                    if i == 1 and section == 1 and chapter > 1:
                        # Carries the chapter before as well.
                        parents.append(f"c{chapter - 1}.1")
                    before = (chapter - 1) * 1000 + 17 if len(parents) > 1 else figure + i
                    self._say(
                        f"{s}.e{i}",
                        "evidence",
                        f"调查{chapter}-{section}-{i}显示，港口成本为{before}.5万元。"
                        if zh
                        else f"Survey {chapter}-{section}-{i} of harbour costs measured ${before}.5 million for the quay walls.",
                        *parents,
                    )
                filler = (
                    "下文还将介绍一些背景情况，读者可以自行参考。" * 4
                    if zh
                    else "There is more to be told about the place and about its people, which we do not need here. "
                    * 5
                )
                self._parts.append(filler)
                self._size += len(filler) if zh else len(filler.split())
