"""What an operator is: one kind of failure or attack, with its editor by rule and its instructions for a model editor.

    OPERATOR = Operator(
        name="reversed_claim",
        title="Reversed claim",
        kind="failure",
        level="outcome",
        module="output",
        category="faithfulness",
        definition="A claim says the opposite of what its source says.",
        rule=candidates,
        sites=edit_sites,
        ask="Turn one claim of the passage into its opposite. Keep length, tone and citations.",
    )

A rule reads a whole subject and yields revisions of it, each complete in itself; the builder of a benchmark takes
one of them. A rule draws only from the generator it is given, so that the same seed gives the same benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec

from assay.subjects.trajectory import RawStep

Level = Literal["outcome", "process"]
# "failure": the reference must win. "targeted": the reference must win on one dimension. "bias" and "manipulation":
# the two do not differ in substance, and the attacked text must not win.
Kind = Literal["failure", "targeted", "bias", "manipulation"]
Module = Literal["reasoning", "tool", "output", "attack"]
Category = Literal[
    "structure",
    "analysis",
    "faithfulness",
    "groundedness",
    "relevance",
    "expression",
    "synthesis",
    "targeted",
    "bias",
    "manipulation",
]
StepPart = Literal["reasoning", "name", "arguments", "response"]


class Edit(msgspec.Struct, frozen=True):
    """Replaces ``source[start:end]`` of a report by a text. Offsets refer to the reference, in code points."""

    start: int
    end: int
    text: str


class TextRevision(msgspec.Struct, frozen=True, kw_only=True):
    """A revised report.

    Attributes:
        edits: One edit for a failure or a targeted attack; several for a surface attack that works on the whole
            text, in order and apart from each other. An edit replaces, inserts or removes something.
        pattern: The way in which the operator revised the text, such as ``"flip-direction"``.
        note: The change in a few English words for the person who checks it: "rose → fell".
    """

    edits: tuple[Edit, ...]
    pattern: str
    note: str = ""


class StepRevision(msgspec.Struct, frozen=True, kw_only=True):
    """A trajectory with one revised step, and with what must follow from it.

    Attributes:
        index: Number of the step that has the failure, from 0.
        step: The revised step. One part of it differs; if it is the name or the arguments of a call, the response may
            differ too.
        following: Later steps rewritten to fit, each with its number; most often none.
        pattern: The way in which the operator revised the step.
        note: The change in a few English words for the person who checks it.
    """

    index: int
    step: RawStep
    following: tuple[tuple[int, RawStep], ...] = ()
    pattern: str
    note: str = ""


Revision: TypeAlias = TextRevision | StepRevision


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A passage of a report, or a part of a step, that a model editor may rewrite.

    Attributes:
        start: Start of the passage in the report's source.
        end: End of the passage, exclusive.
        step: Number of the step, from 0; None for a report.
        part: The part of the step.
        call: Number of the call that has the part.
    """

    start: int = 0
    end: int = 0
    step: int | None = None
    part: StepPart = "reasoning"
    call: int = 0


class EditSite(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model editor may work.

    Attributes:
        places: The passages of a report or the parts of a step that get the failure, in order. The editor rewrites as
            many of them as the failure takes.
        following: Parts of the same step or of later ones, which may be rewritten to fit, and only for that.
        hint: What to do at this site in particular, for the prompt, worded by `assay.interventions.hints`; often
            empty.
    """

    places: tuple[Place, ...]
    following: tuple[Place, ...] = ()
    hint: str = ""


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of failure or attack. It has a rule, or sites for a model, or both.

    Attributes:
        name: Unique key in benchmarks and on the command line.
        title: Title for readers; the name used in the paper if there is one.
        title_zh: Chinese title, for prompts.
        kind: What a good judge does about it (see `Kind`).
        level: Whether it works on reports or on trajectories.
        module: Module of the taxonomy.
        category: Category of the taxonomy.
        definition: The failure in one or two sentences of our own, for editors, annotators and tables.
        definition_zh: Chinese definition, for prompts.
        rule: Function that yields revisions of a subject: the most natural first, varied by the generator, patterns
            mixed; none if the subject offers no chance. None if only a model can plant this type well: a rule is kept
            if two readers call at least 90 % of what it plants valid (``docs/explanation/how-good-is-it.md``).
        sites: Function that yields sites for a model editor: only places where an edit can pass. None if only a rule
            plants this type.
        unfit: Function that says why a subject offers no place at all, such as "it has no question", or None.
        ask: Instructions for a model editor beyond the definition.
        ask_zh: The same in Chinese.
        check: Function that takes reference, revised subject and revision, and returns why the failure cannot be
            there (or was there before), or None. It applies to revisions by rule and by model, and decides only what
            form can decide; whether the failure is there is for a second reader to say.
        growth: Least and greatest growth of the whole report, as shares of its length, if the attack consists in it.
        dimension: The dimension, of ReportLogic's eight, that a targeted attack is to hurt.
        against: What shows the failure beside the place itself, so that it is shown with it: what tools returned before the
            step, or passages of the report that speak of the same.
        codes: Checks that find this failure; a site with such a finding is not used.
        source: Paper and section.
    """

    name: str
    title: str
    title_zh: str = ""
    kind: Kind = "failure"
    level: Level
    module: Module
    category: Category
    definition: str
    definition_zh: str
    rule: Callable[[Any, Random], Iterable[Any]] | None = None
    sites: Callable[[Any, Random], Iterable[EditSite]] | None = None
    unfit: Callable[[Any], str | None] | None = None
    ask: str = ""
    ask_zh: str = ""
    check: Callable[[Any, Any, Any], str | None] | None = None
    growth: tuple[float, float] | None = None
    dimension: str | None = None
    against: Literal["responses", "report"] | None = None
    codes: tuple[str, ...] = ()
    source: str = "reflect, table 3"


def passage_site(*, start: int, end: int, hint: str = "") -> EditSite:
    """Return the site of one passage of a report."""
    return EditSite(places=(Place(start=start, end=end),), hint=hint)


def step_site(*, step: int, part: StepPart = "reasoning", call: int = 0, hint: str = "") -> EditSite:
    """Return the site of one part of a step."""
    return EditSite(places=(Place(step=step, part=part, call=call),), hint=hint)
