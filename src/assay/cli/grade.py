"""``assay grade``: reports and their weighted criteria, judged as a whole or in parts, and written as judgments."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TextIO

import click

from assay.cli.arguments import ADVANCED, JUDGE, OUTPUT, argument, option
from assay.cli.batch_files import BatchArguments, BatchFiles, needs_ledger
from assay.cli.commands import command
from assay.cli.judge_options import MODEL_FREE, ScoringArguments, reference_text, settings_of
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectArguments, read_all
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.cli.judge_session import JudgeSession
    from assay.judges.compliance import Grading
    from assay.judges.judgment import Judgment
    from assay.judges.settings import JudgeSettings
    from assay.judges.task_rubrics import TaskRubrics
    from assay.rubrics.rubric import Rubric
    from assay.rubrics.tasks import RubricTask
    from assay.runs.ledger import Ledger
    from assay.runs.recording_judge import RecordingJudge
    from assay.subjects.report import Report
    from assay.subjects.subject import Subject

_STRATEGY: Final = "grader"
# Reports in progress beyond the calls in flight, so that a slow one does not hold up the others.
_AHEAD: Final = 16
# Tokens that the reply takes for each criterion: reasons, passages, what is missing.
_PER_ENTRY: Final = 300


class GradeArguments(BatchArguments, SubjectArguments, ScoringArguments):
    """What the command line of ``assay grade`` says."""

    paths: tuple[str, ...] = argument("REPORT...")
    judge: str = option(
        "The judge, such as openai/gpt-5-mini; a model alone is asked with strategy grader.",
        "MODEL|STRATEGY@MODEL",
        required=True,
        group=JUDGE,
    )
    rubric: str | None = option(
        "The criteria: a rubric's file or name, a file of tasks, or hf:OWNER/NAME. Required.",
        "NAME|FILE",
        group=JUDGE,
    )
    grading: Literal["ternary", "binary"] = option(
        "Whether a criterion can be partly met (ternary) or not (binary).", default="ternary", group=JUDGE
    )
    chunks: bool = option(
        "Read the report part by part even if it fits the model's context window.", group=ADVANCED
    )
    domain: str | None = option("Domain of the task, if its rubric does not say it.", "NAME", group=ADVANCED)
    verbose: bool = option(
        "Several reports: show each in full before the summary.", flags="-v --verbose", group=OUTPUT
    )
    format: Literal["text", "json", "jsonl"]


@command(
    GradeArguments,
    epilog="Exit codes: 0 done, even if some criteria have no verdict (coverage is shown beside the score); 2 bad "
    "usage, or something could not be read or graded (the rest goes on); 3 no verdict at all, a cap was reached, or "
    "something Assay relies on failed; 130 interrupted. What was answered is kept, and the same command continues from there.",
)
def grade(args: GradeArguments) -> int:
    """Grade each REPORT against the criteria of --rubric, one verdict each, and combine them by their weights.

    \b
    assay grade report.md --rubric criteria.yaml --judge openai/gpt-5-mini
    assay grade reports/ --rubric tasks.jsonl --judge openai/gpt-5-mini --per-call 25
    assay grade report.md --rubric criteria.yaml --judge direct@local/smollm2-135m --grading binary
    assay grade reports/ --rubric tasks.jsonl --judge openai/gpt-5 --requests out.jsonl     a batch, nothing sent

    A rubric is a file of criteria with weights from -5 to 5, or a file of tasks that each have one (ResearchRubrics);
    reports find theirs by their file's name. Each call asks about one criterion unless --per-call says otherwise. A
    report that does not fit the model is read part by part. The formats json and jsonl both write one grade a line
    (assay.judgment/2).
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    args = _checked(args)
    grading_rubric = _grading_rubric(args)
    return asyncio.run(_grade(args, settings_of(args, mode="score"), grading_rubric))


@dataclasses.dataclass(frozen=True)
class GradingRubric:
    """The criteria to grade by: one rubric for all reports, or one for each task."""

    found: Rubric | TaskRubrics

    def of(self, report: Report, query: str | None) -> tuple[Rubric, RubricTask | None]:
        """Return a report's rubric and task; raise UsageError if there is none."""
        from assay.rubrics.rubric import Rubric

        if isinstance(self.found, Rubric):
            return self.found, None
        task = self.found.task([report], query=query)
        return task.rubric, task

    @property
    def most(self) -> int:
        """Number of criteria in the longest rubric."""
        from assay.rubrics.rubric import Rubric

        if isinstance(self.found, Rubric):
            return len(self.found.criteria)
        return max(len(task.rubric.criteria) for task in self.found.tasks.tasks.values())


@dataclasses.dataclass(frozen=True)
class GradableReport:
    """A report that can be graded, with its criteria and its judge."""

    report: Report
    rubric: Rubric
    task: RubricTask | None
    recorder: RecordingJudge


class GradeWriter:
    """Writes each grade when it is ready, and the summary at the end."""

    def __init__(self, args: GradeArguments, stream: TextIO, reports: int) -> None:
        from assay.present.display import Painter

        self.args = args
        self.stream = stream
        self.painter = Painter(wants_color(args.color, stream))
        self.columns = columns_for(stream)
        self.plain = not _can_show(stream, "✔◐✘")
        self.many = reports > 1
        self.grades: list[Judgment] = []
        self.pending = 0

    @property
    def any(self) -> bool:
        """Whether any criterion has a verdict."""
        return any(item.score is not None for grade in self.grades for item in grade.verdicts)

    def add(self, grade: Judgment, report: Report) -> None:
        """Write the grade of one report."""
        import msgspec

        from assay.present.grades import grade_text

        self.grades.append(grade)
        if self.args.format != "text":
            self.stream.write(msgspec.json.encode(grade.to_dict()).decode() + "\n")
        elif not self.many or self.args.verbose:
            text = grade_text(grade, report, painter=self.painter, columns=self.columns, plain=self.plain)
            self.stream.write(text + ("\n" if self.many else ""))
        self.stream.flush()

    def end(self) -> None:
        """Write the summary of several reports."""
        from assay.present.grades import summary_text

        if self.many and self.args.format == "text" and self.grades:
            self.stream.write(summary_text(self.grades, painter=self.painter, columns=self.columns))


def _checked(args: GradeArguments) -> GradeArguments:
    from assay.judges.settings import split_judge
    from assay.runs.ledger_location import ledger_location

    judge = args.judge.strip()
    if judge in MODEL_FREE:
        raise UsageError(
            f"judge {judge!r} uses no model and cannot judge by criteria; it only scores the eight dimensions of"
            " `assay audit`. Name a model, such as --judge openai/gpt-5-mini"
        )
    if args.rubric is None:
        raise UsageError("name the criteria with --rubric: a file, a built-in rubric, or a file of tasks")
    if args.granularity == "fine":
        raise UsageError(
            "criteria apply to the whole report, so --granularity fine is not possible; use --chunks to read it part by part"
        )
    if args.requests is not None or args.responses:
        needs_ledger(ledger_location(args.ledger))
        if args.repetitions > 1 and args.early_stop:
            raise UsageError("a batch sends all repetitions at once; leave out --early-stop")
    return dataclasses.replace(args, judge=split_judge(judge, usual=_STRATEGY).spec)


def _grading_rubric(args: GradeArguments) -> GradingRubric:
    import msgspec

    from assay.judges.grades import gradable
    from assay.judges.task_rubrics import TaskRubrics
    from assay.rubrics.rubric import Rubric
    from assay.rubrics.tasks import RubricSet
    from assay.runs.rubric_lookup import find_rubric

    grading: Grading = args.grading
    found = find_rubric(args.rubric or "")
    if isinstance(found, Rubric):
        return GradingRubric(gradable(found, grading))
    if not isinstance(found, TaskRubrics):
        raise UsageError(
            f"{args.rubric} holds rubrics for pairs of reports, written by a model; grades need weighted criteria"
        )
    tasks = [
        msgspec.structs.replace(task, rubric=gradable(task.rubric, grading))
        for task in found.tasks.tasks.values()
    ]
    return GradingRubric(TaskRubrics(RubricSet.of(found.tasks.name, tasks)))


async def _grade(args: GradeArguments, settings: JudgeSettings, grading_rubric: GradingRubric) -> int:
    from assay.cli.judge_session import open_judge_session
    from assay.judges.settings import split_judge

    subjects, unread = read_all(args)
    if not subjects:
        return 2
    reference = reference_text(args.reference)
    model = split_judge(args.judge).model

    def in_rounds(ledger: Ledger) -> BatchFiles:
        return BatchFiles(ledger, [model], requests=args.requests, responses=args.responses)

    batch = args.requests is not None or bool(args.responses)
    async with open_judge_session(args, settings, "grade", in_rounds=in_rounds if batch else None) as session:
        # Every subject is checked before anything is spent.
        fitting, unfit = await _fitting(session, args, grading_rubric, subjects, reference)
        with opened(args.output) as stream:
            writer = GradeWriter(args, stream, len(subjects))
            session.progress.planned = len(fitting) * settings.trials
            await session.watch(_each(session, args.domain, fitting, reference, writer))
            writer.end()
        if session.files is not None:
            session.files.close()
            if not args.quiet:
                session.files.report(writer.pending)
        else:
            session.report_usage()
        none = not writer.any and not writer.pending
        return session.exit_code(none=none) or (2 if unread or unfit else 0)


async def _fitting(
    session: JudgeSession,
    args: GradeArguments,
    grading_rubric: GradingRubric,
    subjects: list[Subject],
    reference: str | None,
) -> tuple[list[GradableReport], int]:
    """Return the reports that can be graded, and the number of those that cannot.

    Raises:
        UsageError: None can be graded.
    """
    from assay.judges.identity import query_of
    from assay.present.numbers import plural

    gradable_reports: list[GradableReport] = []
    problems: list[str] = []
    for subject in subjects:
        try:
            report = _report(subject)
            rubric, task = grading_rubric.of(report, query_of([report], None))
            recorder = await _recorder(session, args, grading_rubric, report, reference)
        except UsageError as error:
            problems.append(error.cli_message)
        else:
            gradable_reports.append(GradableReport(report, rubric, task, recorder))
    if not gradable_reports:
        more = f" (and {plural(len(problems) - 1, 'more report')} likewise)" if len(problems) > 1 else ""
        raise UsageError(f"nothing was sent: {problems[0]}{more}")
    for problem in problems:
        click.echo(f"assay: left out: {problem}", err=True)
    return gradable_reports, len(problems)


def _report(subject: Subject) -> Report:
    from assay.judges.identity import name_of
    from assay.subjects.report import Report

    if not isinstance(subject, Report):
        raise UsageError(f"{name_of(subject)} is a trajectory, and only reports can be graded")
    return subject


async def _recorder(
    session: JudgeSession,
    args: GradeArguments,
    grading_rubric: GradingRubric,
    report: Report,
    reference: str | None,
) -> RecordingJudge:
    """Return the judge of a report: it reads the whole report if that fits the context window, else part by part."""
    from assay.judges.context_window import TooLongError
    from assay.judges.identity import name_of
    from assay.subjects.case import Case

    parts = args.chunks or args.granularity == "synthesis"
    if not parts:
        whole = await _judge(session, grading_rubric, "holistic")
        try:
            whole.judge.check(Case(report, reference=reference))
        except TooLongError:
            window = whole.judge.window
            click.echo(
                f"assay: {name_of(report)} does not fit {whole.judge.model.id} ({window:,} tokens): it is read part by"
                " part, and each criterion judged from the passages found",
                err=True,
            )
        else:
            return whole
    recorder = await _judge(session, grading_rubric, "synthesis")
    recorder.check("score", [report], reference=reference)
    return recorder


async def _judge(
    session: JudgeSession, grading_rubric: GradingRubric, granularity: Literal["holistic", "synthesis"]
) -> RecordingJudge:
    """Return the judge that reads reports at this granularity, creating it on first use."""
    import msgspec

    from assay.judges.settings import split_judge

    name = f"grade/{granularity}"
    recorder = session.get(name)
    if recorder is not None:
        return recorder
    settings = msgspec.structs.replace(session.settings, granularity=granularity)
    opened_model = await session.backend.open(split_judge(session.args.judge).model)
    if session.args.max_tokens is None and opened_model.settings.max_tokens is None:
        together = settings.per_call if settings.per_call is not None else _together(grading_rubric)
        number = min(together or grading_rubric.most, grading_rubric.most)
        settings = msgspec.structs.replace(settings, max_tokens=max(settings.max_tokens, number * _PER_ENTRY))
    judge = await session.backend.judge(session.args.judge, rubric=grading_rubric.found, settings=settings)
    return session.add(judge, name)


def _together(grading_rubric: GradingRubric) -> int:
    """Return the default number of criteria in one call: 0 for all, or 1."""
    from assay.rubrics.rubric import Rubric

    found = grading_rubric.found
    rubric = found if isinstance(found, Rubric) else found.typical
    return 0 if rubric.ask == "together" else 1


async def _each(
    session: JudgeSession,
    domain: str | None,
    gradable_reports: list[GradableReport],
    reference: str | None,
    writer: GradeWriter,
) -> None:
    from assay.judges.grades import graded
    from assay.models.base import PendingCall
    from assay.runs.recording_judge import in_order

    async def one(fit: GradableReport) -> Judgment | None:
        try:
            repeated = await fit.recorder.repeat(
                "score", [fit.report], reference=reference, on_judgment=session.progress.seen
            )
        except PendingCall:
            return None
        return graded(repeated.trials.judgment, fit.report, fit.rubric, task=fit.task, domain=domain)

    async def paired(fit: GradableReport) -> tuple[GradableReport, Judgment | None]:
        return fit, await one(fit)

    jobs = (partial(paired, fit) for fit in gradable_reports)
    async for fit, grade in in_order(jobs, width=session.backend.slots + _AHEAD):
        if grade is None:
            writer.pending += 1
        else:
            writer.add(grade, fit.report)


def _can_show(stream: TextIO, marks: str) -> bool:
    try:
        marks.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
