"""The requests that a strategy makes for a question, found without a model: for plans, and for people to read.

Every reply is the plainest that fits: the first answer on offer, false, "(its reply)". So later requests hold
    placeholders
for earlier replies, and a flow that ends early if all is well does end early: these are the fewest calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from assay.models.base import Reply, Request, Sampling
from assay.strategies.asker import Asker, run_strategy
from assay.strategies.base import Answer, Question, Strategy
from assay.strategies.prompts import Prompts

# Stands for a reply in prose, and in later prompts for what they repeat of it.
PLACEHOLDER: Final = "(its reply)"


class _PlainModel:
    """A model that gives the plainest reply that fits, and keeps its requests."""

    def __init__(self, name: str, plain: str) -> None:
        self.id = name
        self._plain = plain
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        return Reply(
            text=self._plain
            if request.schema is None
            else msgspec.json.encode(_least(request.schema)).decode()
        )

    async def close(self) -> None:
        """Do nothing: nothing is open."""


async def dry_run(
    strategy: Strategy,
    question: Question,
    prompts: Prompts,
    *,
    model: str = "rehearsal/none",
    sampling: Sampling | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[list[Request], Answer]:
    """Return the fewest requests that a question takes, in order, and the answer that plain replies lead to.

    Raises:
        UsageError: The question lacks a reference that the strategy needs, or a template is faulty.
    """
    plain = PLACEHOLDER if strategy.plain is None else strategy.plain(question)
    model_ = _PlainModel(model, plain)
    asker = Asker(
        question, strategy, model_, prompts, sampling=sampling or Sampling(), options=options, retries=0
    )
    result = await run_strategy(asker, strategy)
    return model_.requests, result


def _least(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {name: _least(part) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        items, count = schema["items"], schema.get("minItems", 1)
        # A ranking: all labels, each once.
        return list(items["enum"]) if len(items.get("enum", ())) == count else [_least(items)] * count
    if kind == "boolean":
        return False
    return PLACEHOLDER if kind == "string" else schema.get("minimum", 0)
