"""A fault that a reader found, and the review of one subject: all that was found, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from assay.checks.base import Repair, RepairKind
from assay.models.base import Usage
from assay.subjects.span import Span

Depth = Literal["quick", "standard", "thorough"]
DEPTHS: Final[tuple[Depth, ...]] = ("quick", "standard", "thorough")
Weight = Literal["grave", "serious", "minor"]
WEIGHTS: Final[tuple[Weight, ...]] = ("grave", "serious", "minor")
# "unread": no second reader has looked at it, as its request failed.
Verdict = Literal["stands", "arguable", "falls", "unread"]
REPAIRS: Final[tuple[RepairKind, ...]] = ("replace", "insert", "source", "delete")


class TextFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of a report or a run.

    Attributes:
        type: Key of its type.
        weight: How much it matters.
        problem: What is wrong.
        span: The words at which it shows, in the subject's source.
        other: The place that it conflicts with, if there is one.
        missing: The sentence or the evidence that would close the gap; empty if there is none.
        repair: The smallest repair.
        step: Index of the step, for a run.
        message: Number of the message, from 0, for a run that is a log of messages.
        passes: The passes that found it.
        verdict: What the second reader says.
        reason: Why.
    """

    type: str
    weight: Weight
    problem: str
    span: Span
    other: Span | None = None
    missing: str = ""
    repair: Repair | None = None
    step: int | None = None
    message: int | None = None
    passes: tuple[str, ...] = ()
    verdict: Verdict = "unread"
    reason: str = ""


class DecisiveMistake(msgspec.Struct, frozen=True):
    """The mistake of a run without which it would have succeeded.

    Attributes:
        step: Index of the step; None if it is the task or the answer.
        message: Number of the message in the log, from 0, where the log is one of messages; otherwise None.
        agent: Who made it, where the log names its agents.
        reason: What was wrong.
    """

    step: int | None
    message: int | None
    agent: str | None
    reason: str


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """What the readers of one subject found.

    Attributes:
        faults: All faults that could be located, in the order of the text, whatever the second reader says.
        depth: How thoroughly it was read.
        model: The reader.
        sceptic: The second reader.
        passes: Names of the passes.
        unlocated: Faults dropped because their quote is not in the text.
        unread: Faults dropped because they went beyond the number asked for, or were not in the form asked for.
        repeated: Faults that were another again.
        decisive: The decisive mistake of a run.
        failed: The passes whose requests failed.
        problems: What failed, and why.
        usage: Tokens and cost.
    """

    faults: tuple[TextFault, ...] = ()
    depth: Depth = "standard"
    model: str = ""
    sceptic: str = ""
    passes: tuple[str, ...] = ()
    unlocated: int = 0
    unread: int = 0
    repeated: int = 0
    decisive: DecisiveMistake | None = None
    failed: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    usage: Usage = Usage()

    @property
    def standing(self) -> tuple[TextFault, ...]:
        """The faults that the second reader lets stand."""
        return tuple(fault for fault in self.faults if fault.verdict == "stands")

    @property
    def withheld(self) -> tuple[TextFault, ...]:
        """The faults that are not shown: arguable, refuted, or not looked at a second time."""
        return tuple(fault for fault in self.faults if fault.verdict != "stands")

    def to_dict(self) -> dict[str, Any]:
        """Return the review as plain data; faults that stand are findings of the audit and are left out."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        del data["faults"]
        return {"found": len(self.faults), **data, "withheld": msgspec.to_builtins(self.withheld)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Review:
        """Return the review that `to_dict` wrote, with the faults that were withheld."""
        rest = {key: value for key, value in data.items() if key not in ("found", "withheld")}
        return msgspec.convert({**rest, "faults": data["withheld"]}, cls)
