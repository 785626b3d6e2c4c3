"""What reading a subject will take: a rehearsal with a model that sends nothing and names as many faults as it may."""

from __future__ import annotations

import asyncio
import json
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.checks.fault_types import REPORT_FAULTS, RUN_FAULTS
from assay.generation.author import Author
from assay.models.base import Reply, Request
from assay.models.tokens import estimate_request, estimate_tokens
from assay.reviews.citations import check_citations
from assay.reviews.reviewing import review
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.reviews.faults import Depth
    from assay.strategies.prompts import Prompts
    from assay.subjects.parts import SourceTexts
    from assay.subjects.subject import Subject
    from assay.subjects.trajectory import Trajectory

# Strong models name as many faults as a pass has room for; so the rehearsal does. Tokens that are written for each.
_FAULT_TOKENS: Final = 190
_VERDICT_TOKENS: Final = 70


class ReviewPlan(msgspec.Struct, frozen=True):
    """What reading takes, in tokens as estimated.

    Attributes:
        calls: Number of calls.
        prompt_tokens: Tokens of all prompts.
        shared_tokens: Those of them that an earlier prompt began with, so that a cache has them.
        reply_tokens: Tokens of all replies.
    """

    calls: int = 0
    prompt_tokens: int = 0
    shared_tokens: int = 0
    reply_tokens: int = 0

    def __add__(self, other: ReviewPlan) -> ReviewPlan:
        return ReviewPlan(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.shared_tokens + other.shared_tokens,
            self.reply_tokens + other.reply_tokens,
        )


class _Rehearsal:
    id = "rehearsal/reader"

    def __init__(self, subject: Subject) -> None:
        self.plan = ReviewPlan()
        self._seen: set[str] = set()
        self._quotes = cycle(_quotes(subject))
        self._types = cycle(
            [item.key for item in (REPORT_FAULTS if isinstance(subject, Report) else RUN_FAULTS)]
        )

    async def complete(self, request: Request) -> Reply:
        system, user = request.messages[0], request.messages[1]
        lead = estimate_tokens(system.content) + estimate_tokens(user.lead)
        shared = lead if any(seen.startswith(user.lead) for seen in self._seen) else 0
        self._seen.add(user.lead)
        fields = (request.schema or {}).get("properties", {})
        written = 300
        answer: dict[str, Any] = {}
        if "faults" in fields:
            most = fields["faults"]["maxItems"]
            properties = fields["faults"]["items"]["properties"]
            answer = {"faults": [self._fault(properties) for _ in range(most)]}
            written = most * _FAULT_TOKENS
        elif "verdicts" in fields:
            count = fields["verdicts"]["maxItems"]
            answer = {
                "verdicts": [
                    {"number": n + 1, "reason": "", "verdict": "stands", "weight": "serious", "same_as": 0}
                    for n in range(count)
                ]
            }
            written = count * _VERDICT_TOKENS
        elif "citations" in fields:
            count = fields["citations"]["maxItems"]
            answer = {
                "citations": [
                    {"number": n + 1, "quote": "", "verdict": "not_there", "reason": ""} for n in range(count)
                ]
            }
            written = count * _VERDICT_TOKENS
        elif "outcome" in fields:
            place = "message" if "message" in fields else "step"
            answer = {"outcome": "", "candidates": [], place: 1, "agent": "", "reason": ""}
            answer = {key: value for key, value in answer.items() if key in fields}
        self.plan += ReviewPlan(1, estimate_request(request), shared, written)
        return Reply(text=json.dumps(answer))

    async def close(self) -> None:
        return None

    def _fault(self, fields: dict[str, Any]) -> dict[str, Any]:
        values = {
            "step": 1, "message": 1, "quote": next(self._quotes), "type": next(self._types), "problem": "x" * 200,
            "other": "", "missing": "", "repair": "source", "text": "", "weight": "serious",
        }  # fmt: skip
        return {key: value for key, value in values.items() if key in fields}


def _quotes(subject: Subject) -> Iterator[str]:
    """Return sentences from all over the text, as a reader would quote them."""
    if not isinstance(subject, Report) or not subject.sentences:
        return iter([subject.source[:60]])
    sentences = subject.sentences
    stride = max(1, len(sentences) * 7 // 13)
    return islice(
        (subject.text(sentences[n * stride % len(sentences)].span)[:160] for n in range(len(sentences))), 200
    )


def rehearse(
    subject: Subject,
    prompts: Prompts,
    *,
    depth: Depth = "standard",
    sources: SourceTexts | None = None,
    trajectory: Trajectory | None = None,
) -> ReviewPlan:
    """Return what reading a subject takes at most, with as many faults as each pass has room for.

    Args:
        subject: What would be read.
        prompts: The templates.
        depth: How thoroughly.
        sources: Texts of the cited sources, if citations are checked too.
        trajectory: The run in which a report was written, if it is read against that.
    """
    model = _Rehearsal(subject)
    author = Author(model, prompts, retries=0)

    async def work() -> None:
        await review(author, subject, depth=depth, trajectory=trajectory)
        if sources is not None and isinstance(subject, Report):
            await check_citations(subject, sources, author)

    asyncio.run(work())
    return model.plan
