"""How complex a question is: breadth, nesting and exploration, each by what can be counted.

Table 7 of researchrubrics defines the levels by counts: information sources and domains, reasoning steps that
depend on each other, factors that the question leaves open. So the model lists these, and the level follows from
their number. The model is asked for the label too, as the paper's annotators were; a difference between the two is
flagged.

We read the table as follows. "Clearly disjoint domains" make breadth high from three on, because the table's own
example of a moderate question joins two fields. No source and no step count as one: nothing takes less.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.generation.author import Author
from assay.generation.base import Assignment, flaw
from assay.models.base import Usage
from assay.rubrics.tasks import LEVELS
from assay.strategies.base import PromptMaterial, Status
from assay.strategies.json_schema import choice, table, text, texts
from assay.text.bilingual import Bilingual

Axis = Literal["conceptual_breadth", "logical_nesting", "exploration"]
AXES: Final[tuple[Axis, ...]] = ("conceptual_breadth", "logical_nesting", "exploration")
_MANY_SOURCES: Final = 5
_DISJOINT: Final = 3
_DEEP: Final = 4
_OPEN: Final = 3

ASSIGNMENT: Final = Assignment(
    name="complexity",
    summary="How complex a question is: breadth, nesting, exploration, by what can be counted.",
    template=str(Path(__file__).with_name("complexity.jinja")),
    source="researchrubrics, section 3.2 and table 7",
)
_MOST: Final = 12
_ITEM: Final = 120
_REASON: Final = 300
_FACTS: Final[dict[Axis, tuple[str, ...]]] = {
    "conceptual_breadth": ("domains", "sources"),
    "logical_nesting": ("steps",),
    "exploration": ("open_factors",),
}
_SCHEMA: Final = table(
    **{
        axis: table(
            **{fact: texts(_MOST, _ITEM) for fact in _FACTS[axis]},
            reason=text(_REASON),
            label=choice(LEVELS[axis]),
        )
        for axis in AXES
    }
)


class ComplexityLabel(msgspec.Struct, frozen=True, kw_only=True):
    """The label on one axis.

    Attributes:
        level: Level that follows from the counts.
        said: The model's own label.
        contradiction: Whether the two differ.
        reason: The model's reason.
        facts: What the model listed, by kind: domains, sources, steps, open_factors.
    """

    level: str
    said: str
    contradiction: bool
    reason: str
    facts: dict[str, tuple[str, ...]]

    def counts(self) -> dict[str, int]:
        """Return how many facts there are of each kind."""
        return {name: len(items) for name, items in self.facts.items()}


class QueryComplexity(msgspec.Struct, frozen=True, kw_only=True):
    """The labels of a question.

    Attributes:
        query: The question.
        status: "ok", or why there are no labels.
        labels: Label on each axis, in the order of `AXES`; empty unless the status is "ok".
        flaws: Flaws that the reply still has.
        problem: Why there are no labels.
        usage: Tokens and cost of all calls.
        calls: Keys of the calls in the ledger.
        reply: The raw reply.
    """

    query: str
    status: Status
    labels: dict[str, ComplexityLabel] = {}
    flaws: tuple[str, ...] = ()
    problem: str | None = None
    usage: Usage = Usage()
    calls: tuple[str, ...] = ()
    reply: str = ""

    @property
    def contradiction(self) -> bool:
        """Return whether any label differs from its level."""
        return any(label.contradiction for label in self.labels.values())


def breadth_level(sources: int, domains: int) -> str:
    """Return the conceptual breadth: one source and domain; up to five sources or two domains; or more."""
    if sources > _MANY_SOURCES or domains >= _DISJOINT:
        return "high"
    return "moderate" if sources > 1 or domains > 1 else "simple"


def nesting_level(steps: int) -> str:
    """Return the logical nesting: one step; two or three that depend on each other; four or more."""
    return "deep" if steps >= _DEEP else "intermediate" if steps > 1 else "shallow"


def exploration_level(open_factors: int) -> str:
    """Return the exploration: nothing left open; one or two factors; three or more."""
    return "high" if open_factors >= _OPEN else "medium" if open_factors else "low"


async def complexity(author: Author, query: str, *, language: Literal["en", "zh"] = "en") -> QueryComplexity:
    """Have a model list what makes a question complex, and derive the levels.

    Args:
        author: The model.
        query: The question.
        language: Language of the prompt.
    """
    written = await author.data(
        ASSIGNMENT, schema=_SCHEMA, material=PromptMaterial(query=query, language=language), check=_flaws
    )
    shared: dict[str, Any] = {"usage": written.usage, "calls": written.calls, "reply": written.reply}
    if written.status != "ok":
        return QueryComplexity(query=query, status=written.status, problem=written.problem, **shared)
    labels: dict[str, ComplexityLabel] = {axis: _label(axis, written.value[axis]) for axis in AXES}
    return QueryComplexity(query=query, status="ok", labels=labels, flaws=written.flaws, **shared)


def _label(axis: Axis, value: Any) -> ComplexityLabel:
    facts = {name: _distinct(value[name]) for name in _FACTS[axis]}
    if axis == "conceptual_breadth":
        level = breadth_level(len(facts["sources"]), len(facts["domains"]))
    elif axis == "logical_nesting":
        level = nesting_level(len(facts["steps"]))
    else:
        level = exploration_level(len(facts["open_factors"]))
    return ComplexityLabel(
        level=level,
        said=value["label"],
        contradiction=level != value["label"],
        reason=value["reason"].strip(),
        facts=facts,
    )


def _distinct(items: list[str]) -> tuple[str, ...]:
    """Return the items that say something, each once, so that repetitions are not counted."""
    distinct: dict[str, str] = {}
    for item in items:
        line = " ".join(item.split())
        if any(map(str.isalnum, line)):
            distinct.setdefault(line.casefold().rstrip(".。"), line)
    return tuple(distinct.values())


def _flaws(value: Any) -> list[Bilingual]:
    flaws = [
        flaw("no_reason", where=axis, key="reason") for axis in AXES if not value[axis]["reason"].strip()
    ]
    for axis in ("conceptual_breadth", "logical_nesting"):
        flaws += [
            flaw("empty_list", where=f"{axis}.{name}")
            for name in _FACTS[axis]
            if not _distinct(value[axis][name])
        ]
    for axis in AXES:
        for name in _FACTS[axis]:
            listed = [item for item in value[axis][name] if item.strip()]
            if len(listed) > len(_distinct(listed)):
                flaws.append(flaw("listed_twice", where=f"{axis}.{name}"))
    return flaws
