"""A scripted model and questions of every form, for the tests of strategies."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from assay.models.base import Reply, Request, Sampling
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scale import Scale
from assay.strategies.asker import Asker, run_strategy
from assay.strategies.base import Answer, Document, Question
from assay.strategies.prompts import Prompts
from assay.strategies.registry import find_strategy

SCALE = Scale(
    low=1, high=5, anchors={"1": "very poor", "5": "excellent"}, anchors_zh={"1": "很差", "5": "优秀"}
)
CRITERIA = (
    Criterion(
        key="support",
        asks="Is every claim that matters backed by a source that says so?",
        asks_zh="每一项重要论断是否都有切实的来源支持？",
    ),
    Criterion(
        key="coherence",
        asks="Does each part of the argument follow from the one before it?",
        asks_zh="论证的各部分是否环环相扣？",
    ),
    Criterion(key="limits", asks="Are the limits of the findings named?", asks_zh="是否说明了结论的局限？"),
)
TEXTS = ("The pump pays back in nine years.", "The pump never pays back.", "It depends on the house.")
QUERY = "Is a heat pump worth it?"
REFERENCE = "Nine years, says the audit of 2023."
PROMPTS = Prompts()


def plain(schema: dict[str, Any], **texts: str) -> Any:
    """The first answer on offer; a text is named after its key."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {
            key: (
                texts.get(key, f"the {key} of it")
                if part.get("type") == "string" and "enum" not in part
                else plain(part, **texts)
            )
            for key, part in schema["properties"].items()
        }
    if schema["type"] == "array":
        items = schema["items"]
        return list(items["enum"]) if "enum" in items else ["an entry of it"]
    return False if schema["type"] == "boolean" else schema["minimum"]


def prose(request: Request) -> str:
    return f"(prose after {len(request.messages[-1].text)})"


class Scripted:
    """Answers by a function of how many calls came before and the request; plainly where it says None."""

    id = "test/scripted"

    def __init__(
        self,
        script: Callable[[int, Request], Reply | str | None] | None = None,
        prose: Callable[[Request], str] = prose,
    ) -> None:
        self.script = script
        self.prose = prose
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        count = len(self.requests)
        self.requests.append(request)
        said = self.script(count, request) if self.script else None
        if isinstance(said, Reply):
            return said
        if said is None:
            said = self.prose(request) if request.schema is None else json.dumps(plain(request.schema))
        return Reply(text=said)

    async def close(self) -> None:
        pass


def ask(
    name: str,
    question: Question,
    script: Callable[[int, Request], Reply | str | None] | None = None,
    *,
    prompts: Prompts = PROMPTS,
    retries: int = 0,
    max_tokens: int | None = None,
    **options: Any,
) -> tuple[Answer, list[Request]]:
    """Ask by a strategy; the answer and what the model was sent."""
    strategy = find_strategy(name)
    form = strategy.plain
    model = Scripted(script) if form is None else Scripted(script, lambda _: form(question))
    sampling = Sampling(max_tokens=max_tokens)
    asker = Asker(question, strategy, model, prompts, sampling=sampling, options=options, retries=retries)
    return asyncio.run(run_strategy(asker, strategy)), model.requests


def question(
    mode: str = "score",
    *,
    criteria: int = 1,
    language: str = "en",
    reference: str | None = None,
    texts: tuple[str, ...] = TEXTS,
    **more: Any,
) -> Question:
    labels = {"score": ("",), "compare": ("A", "B"), "rank": ("1", "2", "3")}[mode]
    kind = more.pop("kind", "report")
    asked = more.pop("criteria_asked", CRITERIA[:criteria])
    fields: dict[str, Any] = {
        "documents": tuple(Document(label, text, kind) for label, text in zip(labels, texts, strict=False)),
        "rubric": Rubric(name="r", criteria=asked if asked[0] not in CRITERIA else CRITERIA, scale=SCALE),
        "criteria": asked,
        "query": QUERY,
        **more,
    }
    return Question(mode=mode, language=language, reference=reference, **fields)  # type: ignore[arg-type]
