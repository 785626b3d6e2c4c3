"""Rubrics: what a subject is judged by – criteria, scales, and how scores are aggregated."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import msgspec

from assay.errors import UsageError
from assay.frozen import EMPTY, freeze
from assay.record import Record, Records
from assay.rubrics.keys import KEY, slug
from assay.rubrics.scale import Choice, Scale
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from assay.rubrics.lint import RubricFinding

SCHEMA = "assay.rubric/1"
Target = Literal["report", "trajectory", "chunk", "step"]
# How the overall score comes from the criteria; "none": there is none.
Aggregate = Literal["mean", "sum", "compliance", "none"]
AGGREGATES: Final[tuple[Aggregate, ...]] = get_args(Aggregate)

PAIR_SCALE = Scale(
    choices=(
        Choice(label="A>B", value=1.0, means="A is better", means_zh="A 更好"),
        Choice(label="A<B", value=-1.0, means="B is better", means_zh="B 更好"),
        Choice(
            label="tie",
            value=0.0,
            means="neither is better, or by too little to matter",
            means_zh="不分高下，或差别小到无关紧要",
        ),
    )
)


class Criterion(
    Record, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
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
    notes: dict[str, Any] = EMPTY

    def __post_init__(self) -> None:
        if not isinstance(self.asks, str):
            raise UsageError(f"a criterion asks a text, not {type(self.asks).__name__}")
        if not KEY.fullmatch(self.key):
            offer = f"; write {better}" if (better := slug(self.key)) else ""
            raise UsageError(
                f"the key of a criterion is {self.key!r}; it must be lower-case ASCII words joined by underscores, "
                f"at most 64 characters{offer}"
            )
        if not math.isfinite(self.weight):
            raise UsageError(f"the weight of criterion {self.key!r} is {self.weight!r}; it must be a number")
        freeze(self, "notes")

    def summary_line(self) -> str:
        """Return key, weight and question."""
        return f"{self.key} ({self.weight:+g}): {self.asks if len(self.asks) < 60 else self.asks[:59] + '…'}"

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.title or self.key.replace("_", " ")

    @property
    def is_draft(self) -> bool:
        """Whether a model wrote it and nobody has reviewed it yet (``draft: true`` in its notes)."""
        return self.notes.get("draft") is True


class Rubric(
    Record,
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    dict=True,
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

    def __post_init__(self) -> None:
        items: tuple[object, ...] = tuple(self.criteria)
        wrong = next((item for item in items if not isinstance(item, Criterion)), None)
        if wrong is not None:
            raise UsageError(
                f"a criterion of rubric {self.name!r} is {type(wrong).__name__}, not a Criterion",
                hint="Rubric.of makes a rubric from texts",
            )
        if not isinstance(self.scale, Scale):
            raise UsageError(f"the scale of rubric {self.name!r} is {type(self.scale).__name__}, not a Scale")
        if self.aggregate not in AGGREGATES:
            raise UsageError(
                f"aggregate is {self.aggregate!r}; {did_you_mean(str(self.aggregate), AGGREGATES)}"
            )
        keys = [item.key for item in self.criteria]
        if len(set(keys)) < len(keys):
            again = next(key for key in keys if keys.count(key) > 1)
            raise UsageError(f"two criteria of rubric {self.name!r} are called {again!r}")
        msgspec.structs.force_setattr(self, "criteria", items)

    @classmethod
    def of(
        cls,
        criteria: Mapping[str, float] | Iterable[str | Criterion],
        *,
        scale: str | Scale = "ternary",
        aggregate: Aggregate = "compliance",
        name: str | None = None,
    ) -> Rubric:
        """Return a rubric of weighted texts: ``Rubric.of({"States the revenue.": 5, "Invents a source.": -5})``.

        Args:
            criteria: Texts with their weights, or texts (of weight 1) and criteria. Keys are made from the texts.
            scale: The possible verdicts, or the name of a scale: ``ternary`` is met, partly met, not met.
            aggregate: How the overall score is computed; ``compliance`` is 1 if all that is wanted is met and nothing
                unwanted is.
            name: Its name in results.

        Raises:
            UsageError: There is no scale of that name.
            InputError: There are no criteria, or one has no text or a weight of 0.
        """
        from assay.rubrics.rubric_file import rubric_of  # noqa: PLC0415 - the file format makes rubrics

        return rubric_of(criteria, scale=scale, aggregate=aggregate, name=name)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Rubric:
        """Return a built-in or registered rubric by name, or one from a YAML or JSON file.

        Raises:
            UsageError: The name is neither that of a rubric nor of a file.
            InputError: The file is not a rubric; the message names the place, the value, and what would fit.
        """
        from assay.rubrics.loader import load_rubric  # noqa: PLC0415 - the loader makes rubrics

        return load_rubric(path if isinstance(path, str) else Path(path))

    def to_dict(self) -> dict[str, Any]:
        """Return the rubric in its published format, ``assay.rubric/1``."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        data.pop("schema", None)
        return {"schema": self.schema, **data}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rubric:
        """Return the rubric that `to_dict` wrote, or one in the short form of files.

        Raises:
            InputError: The data is not a rubric; the message names the place inside.
        """
        from assay.rubrics.rubric_file import parse_rubric  # noqa: PLC0415 - the file format makes rubrics

        return parse_rubric(dict(data))

    def lint(self) -> Records[RubricFinding]:
        """Return flaws of its wording, weights and scales that judges stumble over."""
        from assay.rubrics.lint import lint  # noqa: PLC0415 - the linter knows rubrics

        return Records(lint(self))

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each criterion."""
        fields = ("key", "weight", "title", "asks")
        return {name: [getattr(item, name) for item in self.criteria] for name in fields}

    def summary_line(self) -> str:
        """Return name, number of criteria and version."""
        count = len(self.criteria)
        return f"{self.name}, {count} {'criterion' if count == 1 else 'criteria'}, version {self.version}"

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

    def share(self, overall: float) -> float | None:
        """Return an overall score as a share of what the rubric allows: 0 for the least, 1 for the most.

        Compliance is such a share already, below 0 if more unwanted than wanted things are met. None if no scale has
        numbers, or there is no overall score.
        """
        if self.aggregate == "compliance":
            return overall
        ends: list[float | None] = []
        for best in (False, True):
            scores = {}
            for item in self.criteria:
                span = self.scale_of(item).span
                if span is None:
                    return None
                scores[item.key] = span[(item.weight > 0) == best]
            ends.append(self.overall(scores))
        low, high = ends
        return None if low is None or high is None or low == high else (overall - low) / (high - low)

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
