"""Judging a report that is too long for one prompt: it is read part by part, and judged from what was gathered.

1. The report is cut between blocks into large parts; nothing is left out.
2. Each part is read for what bears on the criteria (`assay.generation.gather`); its quotes are located in the part.
3. Each criterion is judged once, by the judge's own strategy, from the passages of all parts and the report's
outline.

If a part could not be read for a criterion, its content is unknown: the criterion has no verdict, and is not judged
from the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from assay.generation.base import answer_of
from assay.generation.gathered_passages import (
    CRITERIA_PER_CALL,
    GATHER,
    CriterionPassages,
    GatheredPassages,
    gather_passages,
)
from assay.judges.judgment import worst_status
from assay.judges.parts import JudgmentPart
from assay.judges.units import ExcerptWriter, SubjectUnit, outline_of
from assay.strategies.base import Answer, Document, PromptMaterial
from assay.subjects.span import Span

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.rubrics.rubric import Criterion, Rubric
    from assay.strategies.prompts import Prompts
    from assay.subjects.report import Report

    Language = Literal["en", "zh"]

# Characters of a part if none are given and the context window is unknown.
CHUNK_CHARS: Final = 30_000
# A Chinese character takes about as many tokens as this many letters.
_CJK: Final = 3
# Letters per token, a low estimate; and tokens of the task, its criteria and the outline.
_PER_TOKEN: Final = 3
_AROUND: Final = 1500
_FEWEST: Final = 1_000


class ReportReading(msgspec.Struct, frozen=True):
    """A report that was read part by part.

    Attributes:
        units: Its parts.
        found: What was gathered, with the number of the part (from 0), in the order of the parts.
        parts: The calls that read it, for the judgment's record.
        unread: Answers without a verdict for criteria that could not be read, by key.
    """

    units: tuple[SubjectUnit, ...]
    found: tuple[tuple[int, CriterionPassages], ...]
    parts: tuple[JudgmentPart, ...]
    unread: Mapping[str, Answer]


def part_chars(window: int, reply: int) -> int:
    """Return the maximum number of characters of a part, given a model's context window and reply length in tokens.

    It never exceeds the default, because models overlook passages in texts that are too long.
    """
    return max(_FEWEST, min(CHUNK_CHARS, (window - reply - _AROUND) * _PER_TOKEN))


def parts_of(report: Report, chars: int | None = None) -> list[SubjectUnit]:
    """Return the parts, which together hold all of the text, references included.

    Each has at most ``chars`` characters, a Chinese one counting three. Parts end between blocks, before a heading
    if that leaves at least half a part; a block that is too long is cut at a space.
    """
    limit = max(1, (chars or CHUNK_CHARS) // (_CJK if report.language == "zh" else 1))
    source = report.source
    headings = {block.span.start for block in report.blocks if block.kind == "heading"}
    starts = sorted({block.span.start for block in report.blocks} - {0})
    cuts = [0]
    block = heading = 0  # the last positions where a part might end
    for start in [*starts, len(source)]:
        while start - cuts[-1] > limit:
            begin = cuts[-1]
            if heading - begin >= max(1, limit // 2):
                cuts.append(heading)
            else:
                cuts.append(block if block > begin else _space(source, begin, limit))
        block = start
        if start in headings:
            heading = start
    if cuts[-1] < len(source):
        cuts.append(len(source))
    spans = [(a, b) for a, b in pairwise(cuts) if source[a:b].strip()]
    outline = outline_of(report)
    context = (outline,) if outline else ()
    return [
        SubjectUnit(f"part:{index}", "chunk", source[a:b], context, ((0, a, b - a),))
        for index, (a, b) in enumerate(spans or [(0, len(source))])
    ]


def _space(source: str, start: int, limit: int) -> int:
    """Return where to cut a block that is too long: at a line break or space in the last quarter, else anywhere."""
    end = start + limit
    for mark in ("\n", " "):
        at = source.rfind(mark, start + limit * 3 // 4, end)
        if at > start:
            return at + 1
    return end


async def read_parts(
    author: Author,
    units: Sequence[SubjectUnit],
    criteria: Sequence[Criterion],
    *,
    query: str | None,
    language: Language,
    draw: int = 0,
) -> ReportReading:
    """Read every part for every criterion.

    Raises:
        PendingCall: In a round of batch files, once all questions were asked.
    """
    groups = [
        criteria[start : start + CRITERIA_PER_CALL] for start in range(0, len(criteria), CRITERIA_PER_CALL)
    ]
    readings = [(number, unit, group) for number, unit in enumerate(units) for group in groups]
    results = await asyncio.gather(
        *(
            gather_passages(
                author,
                unit.text,
                group,
                PromptMaterial(
                    documents=(Document("", unit.text, unit.kind),),
                    query=query,
                    context=unit.context,
                    language=language,
                ),
                draw=draw,
            )
            for _, unit, group in readings
        ),
        return_exceptions=True,
    )
    gathered: list[GatheredPassages] = []
    for item in results:
        if isinstance(item, BaseException):
            raise item
        gathered.append(item)
    passages: list[tuple[int, CriterionPassages]] = []
    parts: list[JudgmentPart] = []
    failed: dict[str, list[tuple[int, GatheredPassages]]] = {}
    for (number, unit, group), one in zip(readings, gathered, strict=True):
        parts.append(_part(unit, one))
        passages += [(number, item) for item in one.passages]
        if one.written.status != "ok":
            for criterion in group:
                failed.setdefault(criterion.key, []).append((number, one))
    unread = {key: _unread(items, len(units)) for key, items in failed.items()}
    return ReportReading(tuple(units), tuple(passages), tuple(parts), unread)


def _part(unit: SubjectUnit, one: GatheredPassages) -> JudgmentPart:
    answer = answer_of(one.written)
    if one.invented:
        what = "1 passage that stands" if one.invented == 1 else f"{one.invented} passages that stand"
        note = f"part {int(unit.id.partition(':')[2]) + 1} was said to hold {what} nowhere in it: left out"
        answer = msgspec.structs.replace(answer, notes=(*answer.notes, note))
    return JudgmentPart(unit.id, "", (), answer)


def _unread(items: Sequence[tuple[int, GatheredPassages]], count: int) -> Answer:
    number, first = items[0]
    more = f" (and {len(items) - 1} more)" if len(items) > 1 else ""
    return Answer(
        status=worst_status(one.written.status for _, one in items),
        problem=f"part {number + 1} of {count}{more} could not be read for it: {first.written.problem}",
    )


def collected(
    report: Report,
    reading: ReportReading,
    criteria: Sequence[Criterion],
    prompts: Prompts,
    language: Language,
) -> SubjectUnit:
    """Return what the judge is shown in place of the report: the passages for these criteria, with their origin."""
    writer = ExcerptWriter(report.source)
    total = len(reading.units)

    def word(block: str, **variables: object) -> str:
        return prompts.page(GATHER.template, block, language, variables).strip()

    writer.line(word("opening", parts=total))
    for criterion in criteria:
        writer.gap()
        if len(criteria) > 1:
            asks = (criterion.asks_zh if language == "zh" else "") or criterion.asks
            writer.line(word("criterion", key=criterion.key, asks=asks))
        findings = [(number, item) for number, item in reading.found if item.criterion == criterion.key]
        if not findings:
            writer.line(word("nothing"))
        quoted: list[tuple[int, int]] = []
        for number, item in findings:
            writer.line(word("part", number=number + 1, parts=total))
            unit = reading.units[number]
            for start, end in sorted(item.places):
                place = unit.place(start, end)
                if place is not None and not any(a <= place[0] and place[1] <= b for a, b in quoted):
                    quoted.append(place)
                    writer.passage(Span(*place), mark="> ")
            if item.note:
                writer.line(word("note", note=item.note))
    outline = outline_of(report)
    return SubjectUnit("", "report", writer.text, (outline,) if outline else (), tuple(writer.pieces))


def shown_parts(
    report: Report,
    rubric: Rubric,
    batches: Sequence[tuple[Criterion, ...]],
    *,
    reading: ReportReading | None,
    chars: int | None,
    prompts: Prompts,
    language: Language,
) -> list[tuple[SubjectUnit, list[tuple[Criterion, ...]]]]:
    """Return what is shown for each set of criteria: the gathered passages and, before the reading, the parts to read."""
    if reading is None:
        every = rubric.criteria
        groups = [
            every[start : start + CRITERIA_PER_CALL] for start in range(0, len(every), CRITERIA_PER_CALL)
        ]
        units = parts_of(report, chars)
        reading = ReportReading(tuple(units), (), (), {})
        shown = [(unit, groups) for unit in units]
    else:
        shown = []
    for batch in batches:
        kept = tuple(item for item in batch if item.key not in reading.unread)
        if kept:
            shown.append((collected(report, reading, kept, prompts, language), [kept]))
    return shown
