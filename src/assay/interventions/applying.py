"""Applies a revision to a subject and says where the two differ. Everything else stays the same, to the character."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from assay.interventions.base import Edit, StepRevision, TextRevision
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.interventions.base import Revision
    from assay.subjects.subject import Subject


class Site(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a text was revised: a span of a report, or a step of a trajectory (counted from 0)."""

    kind: Literal["span", "step"]
    start: int | None = None
    end: int | None = None
    index: int | None = None


@dataclass(frozen=True)
class AppliedRevision:
    """A revised subject. Where it differs is computed when asked for, because it takes reading the revised text.

    Attributes:
        reference: The subject as it was.
        subject: The revised subject.
        revision: What was revised.
    """

    reference: Any
    subject: Any
    revision: Revision

    @property
    def site(self) -> Site:
        """The sentences that the first edit touched, or the step, in the revised subject."""
        return self._sites[0]

    @property
    def other_sites(self) -> tuple[Site, ...]:
        """The sentences that further edits touched, in the revised subject."""
        return tuple(dict.fromkeys(site for site in self._sites[1:] if site != self._sites[0]))

    @cached_property
    def reference_site(self) -> Site:
        """The site that corresponds to `site` in the reference."""
        if isinstance(self.revision, StepRevision):
            return self.site
        first = self.revision.edits[0]
        return sentence_site(self.reference, first.start, first.end)

    @cached_property
    def _sites(self) -> list[Site]:
        if isinstance(self.revision, StepRevision):
            return [Site(kind="step", index=self.revision.index)]
        sites, shift = list[Site](), 0
        for edit in self.revision.edits:
            sites.append(sentence_site(self.subject, edit.start + shift, edit.start + shift + len(edit.text)))
            shift += len(edit.text) - (edit.end - edit.start)
        return sites


def apply(subject: Subject, revision: Revision) -> AppliedRevision:
    """Apply a revision to a subject.

    Raises:
        TypeError: The revision is for the other kind of subject.
        ValueError: The revision does not fit: its offsets are outside the text or out of order, or there is no such
            step.
    """
    if isinstance(revision, StepRevision):
        if not isinstance(subject, Trajectory):
            raise TypeError("a step revision needs a trajectory; the subject is a report")
        return _stepped(subject, revision)
    if not isinstance(subject, Report):
        raise TypeError("a text revision needs a report; the subject is a trajectory")
    return _edited(subject, revision)


def raw_step(step: Step) -> RawStep:
    """Return a step in the raw form from which a trajectory is built."""
    calls = [RawCall(call.name, call.arguments, call.response) for call in step.tool_calls]
    return RawStep(step.reasoning, calls, step.agent)


def sentence_site(report: Report, start: int, end: int) -> Site:
    """Return the site of the sentences that a span touches, or of its block if it touches no sentence.

    The site is never empty.
    """
    low, high = start, end
    for offset in (start, max(start, end - 1)):
        sentence = report.sentence_at(offset)
        block = report.block_at(offset)
        span = sentence.span if sentence is not None else block.span if block is not None else None
        if span is not None:
            low, high = min(low, span.start), max(high, span.end)
    if low == high:
        # Something was removed at the start or end of a block; the site is the text beside the gap.
        before = report.sentence_at(max(0, low - 1)) or report.sentence_at(max(0, low - 3))
        low, high = (before.span.start, before.span.end) if before is not None else (max(0, low - 1), high)
    return Site(kind="span", start=low, end=high)


def _stepped(subject: Trajectory, revision: StepRevision) -> AppliedRevision:
    if not 0 <= revision.index < len(subject.steps):
        raise ValueError(f"there is no step {revision.index} of {len(subject.steps)}")
    steps = [raw_step(step) for step in subject.steps]
    steps[revision.index] = revision.step
    for number, step in revision.following:
        if not 0 <= number < len(steps) or number == revision.index:
            raise ValueError(f"step {number} cannot follow step {revision.index} of {len(steps)}")
        steps[number] = step
    revised = Trajectory(
        subject.query,
        steps,
        answer=subject.answer,
        tools=subject.tools,
        id=subject.id,
        system=subject.system,
        ending=subject.stated_ending,
    )
    return AppliedRevision(subject, revised, revision)


def _edited(subject: Report, revision: TextRevision) -> AppliedRevision:
    source = revised_text(subject.source, revision.edits)
    revised = Report(
        source, query=subject.query, id=subject.id, system=subject.system, markdown=subject.markdown
    )
    return AppliedRevision(subject, revised, revision)


def revised_text(source: str, edits: Sequence[Edit]) -> str:
    """Return a text with edits applied.

    Raises:
        ValueError: There are no edits, or they are out of order, overlap, or lie outside the text.
    """
    if not edits:
        raise ValueError("a revision without an edit")
    pieces: list[str] = []
    at = 0
    for edit in edits:
        if not at <= edit.start <= edit.end <= len(source):
            raise ValueError(f"an edit of {edit.start} to {edit.end} after one that ends at {at}")
        pieces += [source[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, source[at:]])
