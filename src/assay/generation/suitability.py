"""Whether a question calls for a report: five criteria and seven hard constraints, judged one by one.

A question is accepted if it meets at least three of the criteria and none of the constraints (reportlogic, section
3 and figure 8, in our words). This rule decides from the model's single answers. The model is asked for its own
decision too: if the two differ, its answers contradict themselves, which is flagged, and the rule's decision
stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args

import msgspec

from assay.generation.author import Author
from assay.generation.base import Assignment, flaw
from assay.models.base import Usage
from assay.strategies.base import PromptMaterial, Status
from assay.strategies.json_schema import choice, flag, table, text
from assay.text.bilingual import Bilingual

Decision = Literal["ACCEPT", "REJECT"]
CRITERIA: Final = (
    "retrieval_dependence",
    "multi_source_synthesis",
    "decomposability",
    "complexity_openness",
    "long_form",
)
CONSTRAINTS: Final = (
    "harmful_content",
    "politics",
    "disparages_a_place",
    "closed_form",
    "personal_or_chat",
    "definitional",
    "too_short",
)
# "Multiple criteria", for example three: the paper's reading, and ours.
NEEDED: Final = 3

ASSIGNMENT: Final = Assignment(
    name="suitability",
    summary="Whether a question calls for a report: five criteria, seven hard constraints.",
    template=str(Path(__file__).with_name("suitability.jinja")),
    source="reportlogic, section 3 and figure 8",
)
_REASON: Final = 240
_SCHEMA: Final = table(
    criteria=table(**{name: table(reason=text(_REASON), met=flag()) for name in CRITERIA}),
    constraints=table(**{name: flag() for name in CONSTRAINTS}),
    reason=text(2 * _REASON),
    decision=choice(get_args(Decision)),
)


class CriterionVerdict(msgspec.Struct, frozen=True):
    """One criterion: whether it is met, and why."""

    met: bool
    reason: str


class Suitability(msgspec.Struct, frozen=True, kw_only=True):
    """The decision on a question.

    Attributes:
        query: The question.
        status: "ok", or why there is no decision.
        decision: The decision by the rule; None unless the status is "ok".
        reason: What decided by the rule.
        criteria: The five criteria, each with its reason.
        constraints: The hard constraints that hold.
        said: The model's own decision.
        said_reason: The model's reason for it.
        contradiction: Whether the two decisions differ.
        flaws: Flaws that the reply still has.
        problem: Why there is no decision.
        usage: Tokens and cost of all calls.
        calls: Keys of the calls in the ledger.
        reply: The raw reply.
    """

    query: str
    status: Status
    decision: Decision | None = None
    reason: str = ""
    criteria: dict[str, CriterionVerdict] = {}
    constraints: tuple[str, ...] = ()
    said: Decision | None = None
    said_reason: str = ""
    contradiction: bool = False
    flaws: tuple[str, ...] = ()
    problem: str | None = None
    usage: Usage = Usage()
    calls: tuple[str, ...] = ()
    reply: str = ""


def decide(criteria: Mapping[str, bool], constraints: Mapping[str, bool]) -> tuple[Decision, str]:
    """Return the decision by the rule, and what decided.

    Args:
        criteria: Which of `CRITERIA` are met.
        constraints: Which of `CONSTRAINTS` hold.
    """
    held = [name for name in CONSTRAINTS if constraints[name]]
    met = [name for name in CRITERIA if criteria[name]]
    if held:
        return "REJECT", f"hard constraint{'s' if len(held) > 1 else ''}: {', '.join(held)}"
    share = f"{len(met)} of {len(CRITERIA)} criteria met"
    if len(met) >= NEEDED:
        return "ACCEPT", f"{share}, no hard constraint"
    missed = ", ".join(name for name in CRITERIA if not criteria[name])
    return "REJECT", f"{share}, {NEEDED} are needed; not met: {missed}"


async def suitability(author: Author, query: str, *, language: Literal["en", "zh"] = "en") -> Suitability:
    """Have a model judge a question, and decide by the rule.

    Args:
        author: The model.
        query: The question.
        language: Language of the prompt.
    """
    written = await author.data(
        ASSIGNMENT,
        schema=_SCHEMA,
        material=PromptMaterial(query=query, language=language),
        check=_flaws,
    )
    shared: dict[str, Any] = {"usage": written.usage, "calls": written.calls, "reply": written.reply}
    if written.status != "ok":
        return Suitability(query=query, status=written.status, problem=written.problem, **shared)
    value = written.value
    criteria = {name: CriterionVerdict(item["met"], item["reason"].strip()) for name, item in _points(value)}
    decision, reason = decide({name: item.met for name, item in criteria.items()}, value["constraints"])
    return Suitability(
        query=query,
        status="ok",
        decision=decision,
        reason=reason,
        criteria=criteria,
        constraints=tuple(name for name in CONSTRAINTS if value["constraints"][name]),
        said=value["decision"],
        said_reason=value["reason"].strip(),
        contradiction=value["decision"] != decision,
        flaws=written.flaws,
        **shared,
    )


def _points(value: Any) -> list[tuple[str, Any]]:
    return [(name, value["criteria"][name]) for name in CRITERIA]


def _flaws(value: Any) -> list[Bilingual]:
    """List verdicts without a reason.

    A contradiction is not listed: a model that is told of it would change whichever answer is easier.
    """
    return [
        flaw("no_reason", where=f"criteria.{name}", key="reason")
        for name, item in _points(value)
        if not item["reason"].strip()
    ]
