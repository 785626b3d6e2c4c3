"""What ``assay judge`` does: subjects read, checked before anything is spent, judged in order, shown, an exit code."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, TextIO

import click
import msgspec

from assay.cli.asking import Asking, opened_asking
from assay.cli.judge_options import MODEL_FREE, reference_text, refuse_said, settings_of
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectsAsked, read_all
from assay.errors import UsageError
from assay.judges.identity import name_of
from assay.present.display import Painter
from assay.present.judgment_rows import table_text
from assay.present.judgments import judgment_rows, judgment_text, without_verdict
from assay.present.numbers import plural
from assay.runs.model_free_backend import ModelFreeBackend
from assay.runs.recording_judge import RecordedJudgment, RecordingJudge, RepetitionSet, in_order

if TYPE_CHECKING:
    from assay.judges.settings import JudgeSettings
    from assay.subjects.subject import Subject


# Subjects under way beyond the calls that fit, so that a slow one holds up nobody.
_AHEAD: Final = 16


class ScoreAsked(SubjectsAsked, frozen=True, kw_only=True):
    """What was asked of ``assay judge``."""

    verbose: bool = False


class _Shown:
    """Writes judgments as they come, or keeps them for the table."""

    def __init__(self, asked: ScoreAsked, stream: TextIO, subjects: int) -> None:
        self.asked = asked
        self.stream = stream
        self.painter = Painter(wants_color(asked.color, stream))
        self.columns = columns_for(stream)
        self.many = subjects > 1
        self.found: dict[str, list[RepetitionSet]] = {}
        self.any = False

    def add(self, repeated: RepetitionSet, yardstick: str) -> None:
        """One subject was judged."""
        rubric = repeated.rubric
        self.any = self.any or not all(without_verdict(item) for item in repeated.trials.judgments)
        if self.asked.format != "text":
            for row in judgment_rows(repeated, rubric):
                self.stream.write(msgspec.json.encode(row).decode() + "\n")
            self.stream.flush()
            return
        if not self.many or self.asked.verbose:
            text = judgment_text(repeated, rubric, painter=self.painter, columns=self.columns)
            self.stream.write(text + ("\n" if self.many else ""))
            self.stream.flush()
        self.found.setdefault(yardstick, []).append(repeated)

    def end(self, planned: int) -> None:
        """The tables: one a rubric; and how many of those planned are in none, for the means leave them out."""
        if not self.many or self.asked.format != "text":
            return
        for number, (yardstick, found) in enumerate(self.found.items()):
            self.stream.write("\n" if number else "")
            self.stream.write(table_text(found, yardstick, painter=self.painter, columns=self.columns))
        left = planned - sum(map(len, self.found.values()))
        if left and self.found:
            text = f"{left:,} of {plural(planned, 'subject')} not judged yet"
            self.stream.write(self.painter(text, "warning") + "\n")


def run_judge(asked: ScoreAsked) -> int:
    """Judge, and give the exit code."""
    if asked.judge in MODEL_FREE:
        refuse_said(asked)
        return _without_model(asked)
    settings = settings_of(asked, mode="score")
    return asyncio.run(_judge(asked, settings))


def _without_model(asked: ScoreAsked) -> int:
    judge = ModelFreeBackend(asked.judge)
    subjects, unread = read_all(asked)
    with opened(asked.output) as stream:
        shown = _Shown(asked, stream, len(subjects))
        for subject in subjects:
            judgment = judge.score(subject)
            shown.add(RepetitionSet((subject,), (RecordedJudgment("", "", 0, judgment, ()),), 1), "")
        shown.end(len(subjects))
    return 2 if unread else 0


async def _judge(asked: ScoreAsked, settings: JudgeSettings) -> int:
    subjects, unread = read_all(asked)
    if not subjects:
        return 2
    reference = reference_text(asked.reference)
    async with opened_asking(asked, settings, "judge") as asking:
        # Everything is looked at before anything is spent.
        fitting, unfit = await _checked(asking, subjects, reference)
        with opened(asked.output) as stream:
            shown = _Shown(asked, stream, len(subjects))
            asking.progress.planned = len(fitting) * settings.trials
            await asking.watch(_each(asking, fitting, reference, shown))
            shown.end(len(fitting))
        asking.tell()
        return asking.end(none=not shown.any) or (2 if unread or unfit else 0)


async def _checked(
    asking: Asking, subjects: list[Subject], reference: str | None
) -> tuple[list[tuple[Subject, RecordingJudge]], int]:
    """Those that can be judged, with their judge, and how many cannot.

    Raises:
        UsageError: None of them can.
    """
    fitting: list[tuple[Subject, RecordingJudge]] = []
    problems: list[str] = []
    for subject in subjects:
        maker = await asking.maker([subject])
        try:
            maker.check("score", [subject], reference=reference)
        except UsageError as error:
            problems.append(str(error) if len(subjects) == 1 else f"{name_of(subject)}: {error}")
        else:
            fitting.append((subject, maker))
    if not fitting:
        more = f" (and so are {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise UsageError(f"nothing was sent: {problems[0]}{more}")
    for problem in problems:
        click.echo(f"assay: left out: {problem}", err=True)
    return fitting, len(problems)


async def _each(
    asking: Asking, fitting: list[tuple[Subject, RecordingJudge]], reference: str | None, shown: _Shown
) -> None:
    async def one(subject: Subject, maker: RecordingJudge) -> tuple[RepetitionSet, str]:
        repeated = await maker.repeat("score", [subject], reference=reference, seen=asking.progress.seen)
        return repeated, maker.judge.rubric_name

    makes = (partial(one, subject, maker) for subject, maker in fitting)
    async for repeated, yardstick in in_order(makes, width=asking.session.slots + _AHEAD):
        shown.add(repeated, yardstick)
