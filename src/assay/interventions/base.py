"""What an operator is: one kind of failure or attack, with an editor by rule and what a model editor is told.

OPERATOR = Operator(
    name="reversed_claim",
    title="Reversed claim",
    kind="failure",
    level="outcome",
    module="output",
    category="faithfulness",
    definition="A claim says the opposite of what its source says.",
    rule=candidates,
    sites=places,
    ask="Turn one claim of the passage into its opposite. Keep length, tone and citations.",
)

A rule looks at a whole subject and yields revisions of it, each complete by itself; whoever builds a benchmark takes one
of them. It draws from the generator it is given and from nothing else, so that a seed gives the same benchmark again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec

from assay.subjects.trajectory import RawStep

Level = Literal["outcome", "process"]
# "failure": the reference must win. "targeted": so must it, on one dimension. "bias" and "manipulation": nothing of
# substance differs, and the attacked text must not win.
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
    """Replaces ``source[start:end]`` of a report by a text. Offsets are of the reference, in code points."""

    start: int
    end: int
    text: str


class TextRevision(msgspec.Struct, frozen=True, kw_only=True):
    """A report revised.

    Attributes:
        edits: One for a failure or a targeted attack; several, in order and apart from each other, where a surface
            attack works on the whole text. An edit may not be empty on both sides.
        pattern: Which of the operator's ways this is, such as ``"flip-direction"``.
        note: What was done, in a few English words for the person who checks it: "rose → fell".
    """

    edits: tuple[Edit, ...]
    pattern: str
    note: str = ""


class StepRevision(msgspec.Struct, frozen=True, kw_only=True):
    """A trajectory with one step revised.

    Attributes:
        index: Of the step, from 0.
        step: What stands there now. Name and arguments of one call may differ together, and its response where the
            tool is another; else one part differs.
        pattern: Which of the operator's ways this is.
        note: What was done, for the person who checks it.
    """

    index: int
    step: RawStep
    pattern: str
    note: str = ""


Revision: TypeAlias = TextRevision | StepRevision


class EditSite(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model editor may work: a passage of a report, or a part of a step.

    Attributes:
        start: Of the passage, in the report's source.
        end: Its end, exclusive.
        step: Index of the step, from 0; None for a report.
        part: Which part of it is rewritten.
        call: Which of its calls, where the part is one of a call.
        hint: What to do here in particular, for the prompt, worded by `assay.interventions.hints`; often empty.
    """

    start: int = 0
    end: int = 0
    step: int | None = None
    part: StepPart = "reasoning"
    call: int = 0
    hint: str = ""


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of failure or attack.

    Attributes:
        name: Key in benchmarks and on the command line; no two operators share one.
        title: For people; the paper's name where there is a paper.
        title_zh: The same in Chinese, for prompts.
        kind: What a good judge does about it (see `Kind`).
        level: Whether it works on reports or on trajectories.
        module: Of the taxonomy.
        category: Of the taxonomy.
        definition: What the failure is, in one or two sentences of our own, for editors, annotators and tables.
        definition_zh: The same in Chinese, for prompts.
        rule: Yields revisions of a subject, none where it offers no chance; the most natural first, but varied by the
            generator, different patterns mixed.
        borrow: Yields revisions made with words of other subjects, which answer other questions; asked before ``rule``.
            Takes the subject, the generator, and the others.
        sites: Yields places for a model editor, likewise.
        ask: What a model editor is told beyond the definition.
        ask_zh: The same in Chinese.
        check: Says why a revised subject does not have the failure, or why the reference has it at that place already;
            None where all is well. Takes reference, revised subject, revision. For what a model wrote and for rules alike.
        dimension: Of ReportLogic's eight, which a targeted attack is to hurt.
        codes: Checks that find this failure: a reference in which one fires at the site is not used.
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
    rule: Callable[[Any, Random], Iterable[Any]]
    borrow: Callable[[Any, Random, Sequence[Any]], Iterable[Any]] | None = None
    sites: Callable[[Any, Random], Iterable[EditSite]] | None = None
    ask: str = ""
    ask_zh: str = ""
    check: Callable[[Any, Any, Any], str | None] | None = None
    dimension: str | None = None
    codes: tuple[str, ...] = ()
    source: str = "reflect, table 3"
