"""Criteria for a question, drafted by a model for people to decide on.

The form is that of researchrubrics (sections 3.1 to 3.3, tables 2 and 8): 20 to 43 atomic criteria for a task, each
with a weight from -5 to 5 except 0, on one of six axes; some weights are negative, and their criteria describe
faults. In the paper, three experts write and review every rubric. A model's draft is not such a rubric, so each
criterion has ``draft: true`` until somebody has decided on it (`assay rubrics review`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.generation.author import Author
from assay.generation.base import Assignment, AuthorReply, flaw
from assay.rubrics.keys import made_keys
from assay.rubrics.lint import RubricFinding, lint
from assay.rubrics.rubric import Criterion, Rubric
from assay.rubrics.scales import load_scale
from assay.rubrics.weighted import AXES, MANDATORY
from assay.strategies.base import PromptMaterial
from assay.strategies.json_schema import choice, table, text
from assay.text.bilingual import Bilingual, listed

# Criteria for a task in the paper's figure 9.
LEAST: Final = 20
MOST: Final = 43
_WEIGHTS: Final = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
# Least axes of the six; a task of the paper touches 4.74 on average.
_AXES_WANTED: Final = 4
_SHORT: Final = 80

ASSIGNMENT: Final = Assignment(
    name="drafting",
    summary="Weighted criteria on six axes for a question, as drafts for people to decide on.",
    template=str(Path(__file__).with_name("drafting.jinja")),
    source="researchrubrics, sections 3.1 to 3.3, tables 2 and 8",
)


class RubricDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A rubric as it was drafted.

    Attributes:
        rubric: The criteria, all of them drafts; None if nothing usable was written.
        findings: Findings of `assay.rubrics.lint` in it.
        dropped: Criteria that were left out because another one asks the same.
        written: What the model wrote.
    """

    rubric: Rubric | None
    findings: tuple[RubricFinding, ...] = ()
    dropped: tuple[str, ...] = ()
    written: AuthorReply


async def draft_rubric(
    author: Author,
    query: str,
    *,
    language: Literal["en", "zh"] = "en",
    least: int = LEAST,
    most: int = MOST,
    name: str | None = None,
) -> RubricDraft:
    """Have criteria drafted for a question.

    Args:
        author: The model.
        query: The question.
        language: Language of the prompt and the criteria.
        least: Fewest criteria.
        most: Most criteria.
        name: Name of the rubric.
    """
    written = await author.data(
        ASSIGNMENT,
        schema=_schema(most),
        material=PromptMaterial(query=query, language=language),
        check=lambda value: draft_flaws(value["criteria"], least),
        least=least,
        most=most,
    )
    if written.status != "ok":
        return RubricDraft(rubric=None, written=written)
    rows = [row for row in written.value["criteria"] if row["criterion"].strip()]
    if not rows:
        empty = msgspec.structs.replace(written, status="unparsed", value=None, problem="it has no criterion")
        return RubricDraft(rubric=None, written=empty)
    rubric = _rubric(rows, query, author.model.id, name)
    rubric, dropped = _without_doubles(rubric)
    return RubricDraft(rubric=rubric, findings=tuple(lint(rubric)), dropped=dropped, written=written)


def draft_flaws(rows: Sequence[Any], least: int = LEAST) -> list[Bilingual]:
    """List the flaws of a draft as a whole, by rule.

    Args:
        rows: Its criteria as they were written.
        least: Fewest criteria.
    """
    flaws: list[Bilingual] = []
    texts = [" ".join(row["criterion"].split()) for row in rows]
    different = len({item.casefold().rstrip(".。") for item in texts if item})
    if different < least:
        name = "too_few_criteria" if different == len(rows) else "too_few_different"
        flaws.append(flaw(name, count=different, least=least))
    axes = {row["axis"] for row in rows}
    if len(axes) < _AXES_WANTED:
        missing = listed(axis for axis in AXES if axis not in axes)
        flaws.append(flaw("too_few_axes", count=len(axes), missing=missing))
    if not any(row["weight"] < 0 for row in rows):
        flaws.append(flaw("nothing_negative"))
    if not any(row["weight"] >= MANDATORY for row in rows):
        flaws.append(flaw("nothing_mandatory"))
    if len(rows) > 1 and len({row["weight"] for row in rows}) == 1:
        flaws.append(flaw("one_weight"))
    if any(not row["rationale"].strip() for row in rows):
        flaws.append(flaw("no_rationale"))
    return flaws


def _schema(most: int) -> dict[str, Any]:
    row = table(criterion=text(400), axis=choice(AXES), weight=choice(_WEIGHTS), rationale=text(240))
    return table(criteria={"type": "array", "minItems": 1, "maxItems": most, "items": row})


def _rubric(rows: Sequence[Any], query: str, model: str, name: str | None) -> Rubric:
    texts = [" ".join(row["criterion"].split()) for row in rows]
    criteria = tuple(
        Criterion(
            key=key,
            asks=asks,
            title=asks if len(asks) <= _SHORT else asks[:_SHORT].rstrip() + "…",
            weight=float(row["weight"]),
            notes={
                "axis": AXES[row["axis"]],
                "mandatory": abs(row["weight"]) >= MANDATORY,
                "rationale": " ".join(row["rationale"].split()),
                "draft": True,
                "by": model,
            },
        )
        for key, asks, row in zip(made_keys(texts), texts, rows, strict=True)
    )
    asked = " ".join(query.split())
    return Rubric(
        name=name or f"draft-{hashlib.blake2b(asked.encode(), digest_size=4).hexdigest()}",
        title=asked if len(asked) <= _SHORT else asked[:_SHORT].rstrip() + "…",
        source=f"drafted by {model} for the question: {asked}",
        criteria=criteria,
        scale=load_scale("ternary"),
        aggregate="compliance",
        ask="each",
    )


def _without_doubles(rubric: Rubric) -> tuple[Rubric, tuple[str, ...]]:
    """Return the rubric without criteria that the lint calls the same as an earlier one, and their texts."""
    double = {
        int(finding.place.removeprefix("criteria[").partition("]")[0])
        for finding in lint(rubric)
        if finding.code in ("RUB001", "RUB002")
    }
    kept = tuple(item for index, item in enumerate(rubric.criteria) if index not in double)
    dropped = tuple(item.asks for index, item in enumerate(rubric.criteria) if index in double)
    return msgspec.structs.replace(rubric, criteria=kept), dropped


def count_by_axis(rubric: Rubric) -> dict[str, int]:
    """Count the criteria by axis, in the usual order."""
    numbers = Counter(item.notes.get("axis") for item in rubric.criteria)
    return {title: numbers[title] for title in AXES.values() if numbers[title]}
