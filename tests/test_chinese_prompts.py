"""Chinese prompts hold no English but what a reply must repeat: keys, labels, marks."""

from __future__ import annotations

import asyncio
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml

import assay
from assay import Report
from assay.generation.author import Author
from assay.generation.complexity import complexity
from assay.generation.instance_rubric import write_instance_rubric
from assay.generation.query_expansion import expand_query
from assay.generation.report_writing import SourceDocument, write_report
from assay.generation.rubric_draft import draft_rubric
from assay.generation.suitability import suitability
from assay.interventions.candidates import by_model
from assay.interventions.registry import all_operators
from assay.interventions.screen import Screen
from assay.models.base import Reply, Request, Sampling
from assay.rubrics.loader import load_rubric
from assay.strategies.asker import Asker, run_strategy
from assay.strategies.base import Document, Question
from assay.strategies.prompts import Prompts
from assay.strategies.registry import all_strategies
from assay.subjects.case import MODES

EXAMPLES = Path(__file__).parents[1] / "examples" / "shanghai-reuse"
TEXTS = tuple((EXAMPLES / name).read_text("utf-8") for name in ("good.md", "middling.md", "flawed.md"))
QUERY = (EXAMPLES / "query.txt").read_text("utf-8").strip()

# What a prompt may hold that is English: texts between quotation marks are keys and labels, and a fence has its name.
ALLOWED = re.compile(
    r'"[^"\n]{1,40}"|<<[^<>\n]+>>|</?think>|https?://\S+|⟦[^⟧]*⟧|^\s*(?:- |\d+\. )?[a-z_]+(?=[（：])|\b[a-z]+_[a-z_]+\b',
    re.MULTILINE,
)
FENCED = re.compile(r"<<([A-Z0-9-]+ [0-9a-f]{12})>>\n.*?\n<<END \1>>", re.DOTALL)
ENGLISH = re.compile(r"[A-Za-z][a-z’']+(?:[ ,;:]+[A-Za-z][a-z’']*)+")


def english_in(text: str) -> list[str]:
    """Runs of English words in a prompt, outside of its material."""
    return ENGLISH.findall(ALLOWED.sub("•", FENCED.sub("•", text)))


class Recorder:
    """A model that fills a schema with Chinese, or says a sentence, and keeps the prompts it was given."""

    id = "test/recorder"

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.prompts: list[str] = []

    async def complete(self, request: Request) -> Reply:
        self.prompts.append(
            "\n".join(message.content for message in request.messages if message.role != "assistant")
        )
        if self.broken or request.schema is None:
            return Reply(text="这是一段没有格式的回复。")
        return Reply(text=json.dumps(filled(request.schema), ensure_ascii=False))

    async def close(self) -> None:
        pass


def filled(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {key: filled(part) for key, part in schema["properties"].items()}
    if schema["type"] == "array":
        items, count = schema["items"], schema.get("minItems", 1)
        return list(items["enum"]) if len(items.get("enum", ())) == count else [filled(items)] * count
    return {"boolean": False, "string": "示例文字"}.get(schema["type"], schema.get("minimum", 0))


def question(mode: str, count: int) -> Question:
    rubric = load_rubric("reportlogic")
    labels = {"score": ("",), "compare": ("A", "B"), "rank": ("1", "2", "3")}[mode]
    return Question(
        mode=mode,
        documents=tuple(Document(label, text) for label, text in zip(labels, TEXTS, strict=False)),
        rubric=rubric,
        criteria=rubric.criteria[:count],
        query=QUERY,
        reference=TEXTS[0],
        context=("前文。",),
        language="zh",
    )


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", sorted(all_strategies()))
@pytest.mark.parametrize("broken", [False, True])
def test_of_strategies(name: str, mode: str, count: int, broken: bool) -> None:
    strategy, model = all_strategies()[name], Recorder(broken=broken)
    asker = Asker(question(mode, count), strategy, model, Prompts(), sampling=Sampling(), retries=1)
    asyncio.run(run_strategy(asker, strategy))
    assert model.prompts
    for prompt in model.prompts:
        assert english_in(prompt) == []


WRITING = {
    "complexity": lambda author: complexity(author, QUERY, language="zh"),
    "suitability": lambda author: suitability(author, QUERY, language="zh"),
    "query_expansion": lambda author: expand_query(author, QUERY, language="zh"),
    "drafting": lambda author: draft_rubric(author, QUERY, language="zh"),
    "instance_rubric": lambda author: write_instance_rubric(
        author, QUERY, Report(TEXTS[0]), Report(TEXTS[1]), language="zh"
    ),
    "report_writing": lambda author: write_report(
        author, QUERY, [SourceDocument("d1", "上海的旧厂房改造。", "改造")], language="zh"
    ),
}


@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("name", sorted(WRITING))
def test_of_writing(name: str, broken: bool) -> None:
    model = Recorder(broken=broken)
    asyncio.run(WRITING[name](Author(model, Prompts(), retries=1)))
    assert model.prompts
    for prompt in model.prompts:
        assert english_in(prompt) == []


@pytest.mark.parametrize(
    "name", sorted(name for name, item in all_operators().items() if item.level == "outcome")
)
def test_of_editing(name: str) -> None:
    model = Recorder()
    report = Report(TEXTS[0], query=QUERY)
    asyncio.run(
        by_model(Author(model, Prompts(), retries=1), all_operators()[name], report, Screen(), seed=1)
    )
    for prompt in model.prompts:
        assert english_in(prompt) == []


TEMPLATES = sorted(Path(str(resources.files(assay))).rglob("*.zh.jinja"))
TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_words_of_templates(path: Path) -> None:
    assert english_in(TAGS.sub("•", path.read_text("utf-8"))) == []


FILES = [
    path
    for room in ("strategies", "generation", "interventions", "rubrics")
    for path in Path(str(resources.files(assay))).joinpath(room, "phrases").glob("*.yaml")
    if path.stem in ("problems", "flaws", "hints", "instance_flaw_messages")
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}/{path.name}")
def test_messages_fill_the_same_places_in_both_languages(path: Path) -> None:
    for name, wordings in yaml.safe_load(path.read_text("utf-8")).items():
        assert english_in(wordings["zh"]) == [], name
        if "en" in wordings:
            places = [sorted(set(re.findall(r"\{(\w+)\}", wordings[language]))) for language in ("en", "zh")]
            assert places[0] == places[1], name
