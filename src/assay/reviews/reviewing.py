"""Reading a report or a run for faults: the passes, then a second reader who doubts each fault."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.checks.fault_types import FAULT_TYPES, REPORT_FAULTS, RUN_FAULTS
from assay.errors import UsageError
from assay.models.base import Usage
from assay.reviews.decisive import find_decisive
from assay.reviews.faults import DEPTHS, Depth, Review, TextFault
from assay.reviews.gathering import all_of
from assay.reviews.merging import merged
from assay.reviews.passes import BATCH, Found, Pass, judge_faults, read_once
from assay.reviews.run_text import shown_run
from assay.reviews.windows import Window, edges, windows_of
from assay.strategies.base import Document, PromptMaterial
from assay.subjects.report import Report
from assay.subjects.span import Span
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.subjects.subject import Subject

# Most faults in one reply.
_MOST: Final = 10
_MOST_OF_PART: Final = 5
_MOST_OF_RUN: Final = 15


async def review(
    author: Author,
    subject: Subject,
    *,
    sceptic: Author | None = None,
    depth: Depth = "standard",
    trajectory: Trajectory | None = None,
) -> Review:
    """Read one report or run for faults.

    Args:
        author: The reader.
        subject: What is read.
        sceptic: The second reader; the same model by default.
        depth: "quick": the whole only; "standard": also part by part; "thorough": in smaller parts, and each fault
            is looked at by itself.
        trajectory: The run in which a report was written; its statements are then looked for in what tools returned.

    Raises:
        UsageError: There is no such depth.
    """
    if depth not in DEPTHS:
        raise UsageError(f"there is no depth {depth!r}", hint=f"one of {', '.join(DEPTHS)}")
    reader = _ReviewWork(author, sceptic or author, depth)
    if isinstance(subject, Report):
        return await reader.report(subject, trajectory)
    return await reader.run(subject)


class _ReviewWork:
    def __init__(self, author: Author, sceptic: Author, depth: Depth) -> None:
        self.author = author
        self.sceptic = sceptic
        self.depth = depth
        self.problems: list[str] = []
        self.usage = Usage()
        self.unread = 0
        self.passes: list[str] = []
        self.failed: list[str] = []

    async def report(self, report: Report, run: Trajectory | None) -> Review:
        groups = [
            (window, _material(report, window), _report_passes(report, window))
            for window in windows_of(report, self.depth)
        ]
        if run is not None:
            groups.append(_origins(report, run))
        found = await all_of(
            read_once(self.author, reading) for _, _, readings in groups for reading in readings
        )
        self.passes = [reading.name for _, _, readings in groups for reading in readings]
        faults, unlocated, repeated = self._take(found)
        doubted: list[tuple[list[TextFault], PromptMaterial]] = []
        left = faults
        # The second reader of a fault sees what the first saw; what lies in no window goes to the first.
        for window, material, readings in reversed(groups):
            own = [fault for fault in left if _found_in(fault, window, readings)]
            left = [fault for fault in left if fault not in own]
            doubted.append((own, material))
        doubted[-1][0].extend(left)
        noun = "报告" if report.language == "zh" else "report"
        judged, again = await self._doubt(report.source, doubted, noun)
        return self._review(judged, unlocated, repeated + again)

    async def run(self, run: Trajectory) -> Review:
        shown = shown_run(run)
        language: Any = "zh" if run.language == "zh" else "en"
        material = PromptMaterial(
            documents=(Document("", shown.text, "trajectory"),),
            query=run.query if shown.messages else None,
            language=language,
        )
        if not shown.places:
            return self._review([], 0, 0)
        reading = Pass(
            name="run", block="run_faults", source=run.source, within=Span(0, len(run.source)),
            material=material, types=RUN_FAULTS, most=_MOST_OF_RUN, run=shown,
        )  # fmt: skip
        self.passes = ["run", "decisive"]
        (found,), (decisive,) = await _both(
            [read_once(self.author, reading)], [find_decisive(self.author, shown, material)]
        )
        faults, unlocated, repeated = self._take([found])
        self.usage += decisive.usage
        if decisive.problem is not None:
            self.failed.append("decisive")
            self.problems.append(decisive.problem)
        judged, again = await self._doubt(
            run.source, [(faults, material)], "run" if language == "en" else "执行轨迹"
        )
        return self._review(judged, unlocated, repeated + again, decisive=decisive.mistake)

    def _take(self, found: Iterable[Found]) -> tuple[list[TextFault], int, int]:
        listed: list[TextFault] = []
        unlocated = 0
        for item in found:
            self.usage += item.usage
            unlocated += item.unlocated
            self.unread += item.unread
            listed += item.faults
            if item.problem is not None:
                self.failed.append(item.problem.partition(":")[0])
                self.problems.append(item.problem)
        faults, repeated = merged(listed)
        return faults, unlocated, repeated

    async def _doubt(
        self, source: str, groups: Sequence[tuple[list[TextFault], PromptMaterial]], noun: str
    ) -> tuple[list[TextFault], int]:
        batches = [(part, material) for faults, material in groups for part in self._batches(faults)]
        replies = await all_of(
            judge_faults(self.sceptic, part, source=source, material=material, types=FAULT_TYPES, noun=noun)
            for part, material in batches
        )
        judged: list[TextFault] = []
        repeated = 0
        for faults, again, written in replies:
            judged += faults
            repeated += again
            self.usage += written.usage
            if written.status != "ok":
                self.problems.append(f"second reader: {written.problem}")
        judged.sort(key=lambda fault: (fault.span.start, fault.span.end))
        return judged, repeated

    def _batches(self, faults: Sequence[TextFault]) -> list[Sequence[TextFault]]:
        if not faults:
            return []
        size = 1 if self.depth == "thorough" else -(-len(faults) // -(-len(faults) // BATCH))
        return [faults[at : at + size] for at in range(0, len(faults), size)]

    def _review(self, faults: Sequence[TextFault], unlocated: int, repeated: int, **more: Any) -> Review:
        return Review(
            faults=tuple(faults),
            depth=self.depth,
            model=self.author.model.id,
            sceptic=self.sceptic.model.id,
            passes=tuple(self.passes),
            unlocated=unlocated,
            unread=self.unread,
            repeated=repeated,
            failed=tuple(self.failed),
            problems=tuple(self.problems),
            usage=self.usage,
            **more,
        )


def _material(report: Report, window: Window) -> PromptMaterial:
    return PromptMaterial(
        documents=(Document("", window.text, "chunk" if window.context else "report"),),
        query=report.query,
        context=window.context,
        language="zh" if report.language == "zh" else "en",
    )


def _found_in(fault: TextFault, window: Window, readings: Sequence[Pass]) -> bool:
    names = {reading.name for reading in readings}
    return window.span.start <= fault.span.start < window.span.end and bool(names & set(fault.passes))


def _origins(report: Report, run: Trajectory) -> tuple[Window, PromptMaterial, list[Pass]]:
    """Return the pass that looks for a report's statements in the run, with what it is shown."""
    text = shown_run(run).text
    whole = Span(0, len(report.source))
    window = Window(whole, report.source, (text,), ())
    material = PromptMaterial(
        documents=(Document("", report.source, "report"),),
        query=report.query,
        context=(text,),
        language="zh" if report.language == "zh" else "en",
    )
    reading = Pass(
        name="origins", block="origins", source=report.source, within=whole, material=material,
        types=REPORT_FAULTS, most=_MOST, beside=run.source,
    )  # fmt: skip
    return window, material, [reading]


def _report_passes(report: Report, window: Window) -> list[Pass]:
    material = _material(report, window)

    def reading(name: str, block: str, within: Span, most: int, **variables: Any) -> Pass:
        return Pass(
            name=name, block=block, source=report.source, within=within, material=material,
            types=REPORT_FAULTS, most=most, variables=variables, beside=report.query or "",
        )  # fmt: skip

    passes = [
        reading("argument", "whole_argument", window.span, _MOST, window=bool(window.context)),
        reading("facts", "whole_facts", window.span, _MOST, window=bool(window.context)),
    ]
    for number, part in enumerate(window.parts, 1):
        first, last = edges(report, part)
        passes.append(reading(f"part {number}", "part", part, _MOST_OF_PART, first=first, last=last))
    return passes


async def _both(one: Sequence[Awaitable[Any]], two: Sequence[Awaitable[Any]]) -> tuple[list[Any], list[Any]]:
    done = await all_of([*one, *two])
    return done[: len(one)], done[len(one) :]
