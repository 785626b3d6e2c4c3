"""The units in which a judge is shown a subject: the whole, or single parts with the context they need.

holistic        the report; the trajectory
fine            a report's chunks, each with the outline and the end of the text before it;
                a trajectory's steps, each with all earlier steps (REFLECT, section 3.1 and appendix C.1)
synthesis       a report in large parts, read for what bears on the criteria, which are then judged
                (`assay.judges.synthesis`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.subjects.report import Report
from assay.subjects.span import Span
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.rubrics.rubric import Target
    from assay.subjects.subject import Subject
    from assay.subjects.trajectory import Step


Granularity = Literal["holistic", "fine", "synthesis"]
# Characters of a chunk: a few paragraphs, enough to judge an argument.
_CHUNK: Final = 2400
_CHUNK_CJK: Final = 900
# Characters shown of the text before a chunk.
_BEFORE: Final = 400


class SubjectUnit(msgspec.Struct, frozen=True):
    """A part of a subject as it is shown.

    Attributes:
        id: ``""`` for the whole, ``"chunk:3"``, ``"step:12"`` (from 0).
        kind: Kind of the part.
        text: The text shown.
        context: Texts shown before the part that are not judged themselves.
        pieces: Origin of the text: start in the text, start in the subject's source, length.
    """

    id: str
    kind: Target
    text: str
    context: tuple[str, ...] = ()
    pieces: tuple[tuple[int, int, int], ...] = ()

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the range of a passage in the subject's source; None if none of the passage comes from there.

        A passage across labels is located from its first to its last character that comes from the source.
        """
        places = [
            (source + max(start, at) - at, source + min(end, at + length) - at)
            for at, source, length in self.pieces
            if start < at + length and at < end
        ]
        return (places[0][0], places[-1][1]) if places else None


def whole(subject: Subject) -> SubjectUnit:
    """Return the whole subject as one unit."""
    if isinstance(subject, Report):
        return SubjectUnit("", "report", subject.source, (), ((0, 0, len(subject.source)),))
    writer = ExcerptWriter(subject.source)
    for step in subject.steps:
        _write_step(writer, step)
    if subject.answer is not None and subject.answer_span is not None:
        writer.line("Final answer:")
        writer.passage(subject.answer_span)
    elif not subject.steps:
        writer.line("(nothing happened)")
    else:
        writer.line("(the run ended without an answer)")
    return SubjectUnit("", "trajectory", writer.text, (), tuple(writer.pieces))


def units_of(subject: Subject, granularity: Granularity) -> list[SubjectUnit]:
    """Return the units that a subject is judged in, in order; there is at least one."""
    if granularity != "fine":
        return [whole(subject)]
    if isinstance(subject, Report):
        return list(_chunks(subject))
    return list(_steps(subject)) or [whole(subject)]


def _steps(trajectory: Trajectory) -> Iterator[SubjectUnit]:
    before: list[str] = []
    for step in trajectory.steps:
        writer = ExcerptWriter(trajectory.source)
        _write_step(writer, step)
        yield SubjectUnit(f"step:{step.index}", "step", writer.text, tuple(before), tuple(writer.pieces))
        # Separate context texts: the prompt for a step begins with the prompt for the one before it.
        before.append(writer.text)


def outline_of(report: Report) -> str:
    """Return the headings of a report, one per line and indented, without that of the references."""
    return "\n".join(
        f"{'  ' * (section.level - 1)}- {section.title}"
        for section in report.sections
        if section.title and not section.is_references
    )


def _chunks(report: Report) -> Iterator[SubjectUnit]:
    limit = _CHUNK_CJK if report.language == "zh" else _CHUNK
    outline = outline_of(report)
    for index, span in enumerate(_cut(report, limit)):
        context = [outline] if outline else []
        before = report.source[max(0, span.start - _BEFORE) : span.start].strip()
        if before:
            context.append(f"… {before}" if span.start > _BEFORE else before)
        yield SubjectUnit(
            f"chunk:{index}",
            "chunk",
            report.source[span.start : span.end],
            tuple(context),
            ((0, span.start, span.end - span.start),),
        )


def _cut(report: Report, limit: int) -> list[Span]:
    """Return spans that cover all judged text and are not far over the limit.

    They are cut between blocks, and headings stay with the text that follows.
    """
    starts = [
        block.span.start
        for block in report.blocks
        if block.kind != "reference" and report.source[block.span.start : block.span.end].strip()
    ]
    headings = {block.span.start for block in report.blocks if block.kind == "heading"}
    end = max((block.span.end for block in report.blocks if block.kind != "reference"), default=0)
    if not starts:
        return [Span(0, len(report.source))]
    spans: list[Span] = []
    begin = starts[0]
    last = begin
    for start in starts[1:]:
        # A heading opens a chunk if enough text precedes it; so does any block that would make the chunk too long.
        full = start - begin >= (limit // 2 if start in headings else limit)
        if full and last not in headings:
            spans.append(Span(begin, start))
            begin = start
        last = start
    spans.append(Span(begin, end))
    return [piece for span in spans for piece in _halves(span, limit * 3)]


def _halves(span: Span, limit: int) -> list[Span]:
    """Split an overlong block into pieces by length alone."""
    if span.end - span.start <= limit:
        return [span]
    return [Span(start, min(start + limit, span.end)) for start in range(span.start, span.end, limit)]


class ExcerptWriter:
    """Composes a text of labels and passages of a source, and records where each passage comes from."""

    def __init__(self, source: str) -> None:
        self.pieces: list[tuple[int, int, int]] = []
        self._source = source
        self._texts: list[str] = []
        self._size = 0

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._texts).rstrip("\n")

    def line(self, text: str) -> None:
        """Add a line that is not part of the source."""
        self._add(f"{text}\n")

    def gap(self) -> None:
        """Add an empty line, except at the beginning and directly after a line break."""
        if self._texts and self._texts[-1] != "\n":
            self._add("\n")

    def passage(self, span: Span, mark: str = "") -> None:
        """Add a passage of the source, after a mark."""
        self._add(mark)
        self.pieces.append((self._size, span.start, span.end - span.start))
        self._add(self._source[span.start : span.end])
        self._add("\n")

    def _add(self, text: str) -> None:
        self._texts.append(text)
        self._size += len(text)


def _write_step(writer: ExcerptWriter, step: Step) -> None:
    writer.line(f"Step {step.index + 1}")
    if step.reasoning.strip():
        writer.line("Thought:")
        writer.passage(step.reasoning_span)
    for call in step.tool_calls:
        writer.line("Call:")
        writer.passage(call.span)
        writer.line("Response:" if call.response_span else "(no response)")
        if call.response_span:
            writer.passage(call.response_span)
    writer.line("")


def labels_of(count: int, mode: str) -> Sequence[str]:
    """Return the labels of documents in a prompt: A and B for a pair, 1 to n for a ranking, none for a single one."""
    if mode == "score":
        return ("",) * count
    return ("A", "B")[:count] if mode == "compare" else tuple(str(i + 1) for i in range(count))
