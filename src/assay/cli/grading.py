"""What ``assay grade`` does: reports and their criteria put together, judged whole or in parts, shown as grades."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TextIO

import click
import msgspec

from assay.cli.asking import Asking, opened_asking
from assay.cli.batch_rounds import BatchFiles, needs_ledger
from assay.cli.judge_options import MODEL_FREE, reference_text, settings_of
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectsAsked, read_all
from assay.errors import UsageError
from assay.judges.grades import gradable, grade_of, graded_together
from assay.judges.identity import name_of, query_of
from assay.judges.judge import JudgeResult
from assay.judges.settings import JudgeSettings, split_judge
from assay.judges.task_rubrics import TaskRubrics
from assay.models.base import PendingCall
from assay.present.display import Painter
from assay.present.grades import grade_text, summary_text
from assay.present.numbers import plural
from assay.rubrics.rubric import Rubric
from assay.rubrics.tasks import RubricSet
from assay.runs.ledger_location import ledger_location
from assay.runs.recording_judge import RecordingJudge, in_order
from assay.runs.rubric_lookup import find_rubric
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.judges.grade_record import Grade, Grading
    from assay.rubrics.tasks import RubricTask
    from assay.runs.ledger import Ledger
    from assay.subjects.subject import Subject


_STRATEGY: Final = "grader"
# Reports under way beyond the calls that fit, so that a slow one holds up nobody.
_AHEAD: Final = 16
# Tokens of an entry: reasons, passages, what is missing. So many criteria in one reply take so many times that.
_PER_ENTRY: Final = 300


class GradeAsked(SubjectsAsked, frozen=True, kw_only=True):
    """What was asked of ``assay grade``."""

    grading: Literal["ternary", "binary"] = "ternary"
    chunks: bool = False
    domain: str | None = None
    requests: str | None = None
    responses: tuple[str, ...] = ()
    verbose: bool = False


class _Yardstick(msgspec.Struct, frozen=True):
    """The criteria, as they are asked: one rubric for all, or one a task."""

    found: Rubric | TaskRubrics

    def of(self, report: Report, query: str | None) -> tuple[Rubric, RubricTask | None]:
        """A report's rubric and task. Raises UsageError where there is none for it."""
        if isinstance(self.found, Rubric):
            return self.found, None
        task = self.found.task([report], query=query)
        return task.rubric, task

    @property
    def most(self) -> int:
        """Criteria of the longest rubric."""
        if isinstance(self.found, Rubric):
            return len(self.found.criteria)
        return max(len(task.rubric.criteria) for task in self.found.tasks.tasks.values())


class _Fit(msgspec.Struct, frozen=True):
    """A report that can be graded: by which criteria, and by whom."""

    report: Report
    rubric: Rubric
    task: RubricTask | None
    maker: RecordingJudge


class _Shown:
    """Writes grades as they come, and the summary."""

    def __init__(self, asked: GradeAsked, stream: TextIO, reports: int) -> None:
        self.asked = asked
        self.stream = stream
        self.painter = Painter(wants_color(asked.color, stream))
        self.columns = columns_for(stream)
        self.plain = not _can_show(stream, "✔◐✘")
        self.many = reports > 1
        self.grades: list[Grade] = []
        self.pending = 0

    @property
    def any(self) -> bool:
        """Whether there is any verdict."""
        return any(item.score is not None for grade in self.grades for item in grade.criteria)

    def add(self, grade: Grade, report: Report) -> None:
        """One report was graded."""
        self.grades.append(grade)
        if self.asked.format != "text":
            self.stream.write(msgspec.json.encode(grade.to_dict()).decode() + "\n")
        elif not self.many or self.asked.verbose:
            text = grade_text(grade, report, painter=self.painter, columns=self.columns, plain=self.plain)
            self.stream.write(text + ("\n" if self.many else ""))
        self.stream.flush()

    def end(self) -> None:
        """The summary of several."""
        if self.many and self.asked.format == "text" and self.grades:
            self.stream.write(summary_text(self.grades, painter=self.painter, columns=self.columns))


def run_grade(asked: GradeAsked) -> int:
    """Grade, and give the exit code.

    Raises:
        AssayError: Nothing can be graded; the message says why.
    """
    asked = _checked(asked)
    yardstick = _yardstick(asked)
    return asyncio.run(_grade(asked, settings_of(asked, mode="score"), yardstick))


def _checked(asked: GradeAsked) -> GradeAsked:
    judge = asked.judge.strip()
    if judge in MODEL_FREE:
        raise UsageError(
            f"judge {judge!r} asks no model and knows no criteria: it has the eight dimensions of `assay audit`; name a"
            " model, such as --judge openai/gpt-5-mini"
        )
    if asked.rubric is None:
        raise UsageError("name the criteria with --rubric: a file, a built-in rubric, or a file of tasks")
    if asked.granularity == "fine":
        raise UsageError("a criterion is about the whole report; --chunks reads it part by part")
    if asked.requests is not None or asked.responses:
        needs_ledger(ledger_location(asked.ledger))
        if asked.trials > 1 and asked.early_stop:
            raise UsageError("a batch asks all trials at once; leave out --early-stop")
    name = judge if "@" in judge else f"{_STRATEGY}@{judge}"
    return msgspec.structs.replace(asked, judge=name)


def _yardstick(asked: GradeAsked) -> _Yardstick:
    grading: Grading = asked.grading
    found = find_rubric(asked.rubric or "")
    if isinstance(found, Rubric):
        return _Yardstick(gradable(found, grading))
    if not isinstance(found, TaskRubrics):
        raise UsageError(
            f"{asked.rubric} holds rubrics for pairs of reports, written by a model; grades need weighted criteria"
        )
    tasks = [
        msgspec.structs.replace(task, rubric=gradable(task.rubric, grading))
        for task in found.tasks.tasks.values()
    ]
    return _Yardstick(TaskRubrics(RubricSet.of(found.tasks.name, tasks)))


async def _grade(asked: GradeAsked, settings: JudgeSettings, yardstick: _Yardstick) -> int:
    subjects, unread = read_all(asked)
    if not subjects:
        return 2
    reference = reference_text(asked.reference)
    model = split_judge(asked.judge)[1]

    def in_rounds(ledger: Ledger) -> BatchFiles:
        return BatchFiles(ledger, [model], requests=asked.requests, responses=asked.responses)

    batch = asked.requests is not None or bool(asked.responses)
    async with opened_asking(asked, settings, "grade", in_rounds=in_rounds if batch else None) as asking:
        # Everything is looked at before anything is spent.
        fitting, unfit = await _fitting(asking, asked, yardstick, subjects, reference)
        with opened(asked.output) as stream:
            shown = _Shown(asked, stream, len(subjects))
            asking.progress.planned = len(fitting) * settings.trials
            await asking.watch(_each(asking, asked.domain, fitting, reference, shown))
            shown.end()
        if asking.files is not None:
            asking.files.close()
            if not asked.quiet:
                asking.files.tell(shown.pending)
        else:
            asking.tell()
        none = not shown.any and not shown.pending
        return asking.end(none=none) or (2 if unread or unfit else 0)


async def _fitting(
    asking: Asking,
    asked: GradeAsked,
    yardstick: _Yardstick,
    subjects: list[Subject],
    reference: str | None,
) -> tuple[list[_Fit], int]:
    """Those that can be graded, and how many cannot.

    Raises:
        UsageError: None of them can.
    """
    fits: list[_Fit] = []
    problems: list[str] = []
    for subject in subjects:
        try:
            report = _report(subject)
            rubric, task = yardstick.of(report, query_of([report], None))
            maker = await _maker(asking, asked, yardstick, report, reference)
        except UsageError as error:
            problems.append(str(error))
        else:
            fits.append(_Fit(report, rubric, task, maker))
    if not fits:
        more = f" (and {plural(len(problems) - 1, 'more report')} likewise)" if len(problems) > 1 else ""
        raise UsageError(f"nothing was sent: {problems[0]}{more}")
    for problem in problems:
        click.echo(f"assay: left out: {problem}", err=True)
    return fits, len(problems)


def _report(subject: Subject) -> Report:
    if not isinstance(subject, Report):
        raise UsageError(f"{name_of(subject)} is a trajectory; grades are of reports")
    return subject


async def _maker(
    asking: Asking, asked: GradeAsked, yardstick: _Yardstick, report: Report, reference: str | None
) -> RecordingJudge:
    """Who grades a report: as a whole where it fits the model, else part by part."""
    parts = asked.chunks or asked.granularity == "synthesis"
    if not parts:
        whole = await _judge(asking, yardstick, "holistic")
        whole.judge.check("score", [report], reference=reference)
        questions = whole.judge.questions("score", [report], reference=reference)
        try:
            asking.session.check_window(whole.judge, questions)
        except UsageError:
            window = asking.session.window(whole.judge.model.id)
            click.echo(
                f"assay: {name_of(report)} does not fit {whole.judge.model.id} ({window:,} tokens): it is read part by"
                " part, and each criterion judged from the passages found",
                err=True,
            )
        else:
            return whole
    maker = await _judge(asking, yardstick, "synthesis")
    maker.check("score", [report], reference=reference)
    return maker


async def _judge(
    asking: Asking, yardstick: _Yardstick, granularity: Literal["holistic", "synthesis"]
) -> RecordingJudge:
    """The judge of this command that reads reports so."""
    name = f"grade/{granularity}"
    maker = asking.adopted(name)
    if maker is not None:
        return maker
    settings = msgspec.structs.replace(asking.settings, granularity=granularity)
    opened_model = await asking.session.open(split_judge(asking.asked.judge)[1])
    if asking.asked.max_tokens is None and opened_model.settings.max_tokens is None:
        together = settings.per_call if settings.per_call is not None else _together(yardstick)
        plural = min(together or yardstick.most, yardstick.most)
        settings = msgspec.structs.replace(settings, max_tokens=max(settings.max_tokens, plural * _PER_ENTRY))
    judge = await asking.session.judge(asking.asked.judge, rubric=yardstick.found, settings=settings)
    return asking.adopt(judge, name)


def _together(yardstick: _Yardstick) -> int:
    """Criteria a call where nothing is said: all (0), or one."""
    found = yardstick.found
    rubric = found if isinstance(found, Rubric) else found.typical
    return 0 if rubric.ask == "together" else 1


async def _each(
    asking: Asking, domain: str | None, fits: list[_Fit], reference: str | None, shown: _Shown
) -> None:

    async def one(fit: _Fit) -> Grade | None:
        try:
            repeated = await fit.maker.repeat(
                "score", [fit.report], reference=reference, seen=asking.progress.seen
            )
        except PendingCall:
            return None
        grades = [
            grade_of(
                JudgeResult(made.judgment, made.parts),
                fit.report,
                fit.rubric,
                judge_version=made.version,
                task=fit.task,
            )
            for made in repeated.made
        ]
        grade = graded_together(grades)
        return grade if grade.domain else msgspec.structs.replace(grade, domain=domain)

    async def paired(fit: _Fit) -> tuple[_Fit, Grade | None]:
        return fit, await one(fit)

    makes = (partial(paired, fit) for fit in fits)
    async for fit, grade in in_order(makes, width=asking.session.slots + _AHEAD):
        if grade is None:
            shown.pending += 1
        else:
            shown.add(grade, fit.report)


def _can_show(stream: TextIO, marks: str) -> bool:
    try:
        marks.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
