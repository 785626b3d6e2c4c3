"""Rubrics: what a subject is judged by – criteria, scales, and how scores are aggregated."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any, Literal

import msgspec

from assay.rubrics.scale import Choice, Scale

SCHEMA = "assay.rubric/1"
Target = Literal["report", "trajectory", "chunk", "step"]
# How the overall score comes from the criteria; "none": there is none.
Aggregate = Literal["mean", "sum", "compliance", "none"]

PAIR_SCALE = Scale(
    choices=(
        Choice(label="A>B", value=1.0, means="A is better", means_zh="A 更好"),
        Choice(label="A<B", value=-1.0, means="B is better", means_zh="B 更好"),
        Choice(label="tie", value=0.0, means="neither is better", means_zh="不分高下"),
    )
)


class Criterion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One item of a rubric.

    Attributes:
        key: Its name in results: lower-case words joined by underscores.
        asks: The question, in the words the judge reads.
        asks_zh: The same in Chinese; ``asks`` if there is none.
        title: Its name for people; made from the key if there is none.
        weight: Its weight in the overall score; negative if meeting it is bad.
        scale: Its own scale, if it differs from the rubric's.
        notes: For people: source, axis, whatever else belongs to it. Not shown to the judge.
    """

    key: str
    asks: str
    asks_zh: str = ""
    title: str = ""
    weight: float = 1.0
    scale: Scale | None = None
    notes: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.title or self.key.replace("_", " ")

    @property
    def is_draft(self) -> bool:
        """Whether a model wrote it and nobody has reviewed it yet (``draft: true`` in its notes)."""
        return self.notes.get("draft") is True


class Rubric(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True
):
    """Criteria, their scales, and the way to an overall score.

    Attributes:
        name: Its name on the command line.
        criteria: The criteria, in order.
        scale: Scale of the criteria.
        pair_scale: Scale of the criteria when two subjects are compared.
        title: Its name for people.
        source: Where it comes from.
        about: What it is for; shown to the judge before the criteria.
        about_zh: The same in Chinese.
        targets: Kinds of subjects it is made for; empty for any.
        aggregate: How the overall score is computed from the criteria.
        ask: Whether all criteria are asked in one call, or each in a call of its own.
        schema: The format's version.
    """

    name: str
    criteria: tuple[Criterion, ...]
    scale: Scale
    pair_scale: Scale = PAIR_SCALE
    title: str = ""
    source: str = ""
    about: str = ""
    about_zh: str = ""
    targets: tuple[Target, ...] = ()
    aggregate: Aggregate = "mean"
    ask: Literal["together", "each"] = "together"
    schema: str = SCHEMA

    def scale_of(self, criterion: Criterion) -> Scale:
        """Return the scale a criterion is answered on."""
        return criterion.scale or self.scale

    @property
    def drafts(self) -> tuple[Criterion, ...]:
        """Criteria that are drafts, in order."""
        return tuple(item for item in self.criteria if item.is_draft)

    @cached_property
    def version(self) -> str:
        """Hash of everything that a verdict or a score depends on, 12 hex digits."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=6).hexdigest()

    def overall(self, scores: dict[str, float]) -> float | None:
        """Return the overall score, or None unless every criterion has a score.

        ``mean`` is the weighted mean, Σ w·s / Σ |w|; ``sum`` the weighted sum; ``compliance`` Σ w·s over the sum of the
        positive weights alone, so that all that is wanted and nothing unwanted makes 1 (ResearchRubrics, equation 1).
        """
        if self.aggregate == "none" or any(item.key not in scores for item in self.criteria):
            return None
        total = sum(item.weight * scores[item.key] for item in self.criteria)
        if self.aggregate == "sum":
            return total
        if self.aggregate == "compliance":
            weight = sum(item.weight for item in self.criteria if item.weight > 0)
        else:
            weight = sum(abs(item.weight) for item in self.criteria)
        return total / weight if weight else None
