"""``assay grade``: reports and their weighted criteria, judged as a whole or in parts, and written as judgments."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final, Literal, TextIO

import click

from assay.cli.arguments import ADVANCED, JUDGE, OUTPUT, argument, option
from assay.cli.batch_files import BatchArguments
from assay.cli.commands import command
from assay.cli.judge_options import MODEL_FREE, ScoringArguments, settings_of
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectArguments, read_all
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.cli.judge_session import JudgeSession
    from assay.judges.compliance import Grading
    from assay.judges.judgment import Judgment
    from assay.judges.settings import JudgeSettings
    from assay.judges.task_rubrics import TaskRubrics
    from assay.rubrics.rubric import Rubric
    from assay.rubrics.tasks import RubricTask
    from assay.runs.unbound_judge import UnboundJudge
    from assay.subjects.case import Case
    from assay.subjects.reference_answers import ReferenceAnswers
    from assay.subjects.report import Report
    from assay.subjects.subject import Subject

_STRATEGY: Final = "grader"
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
    """A report that can be graded, with its criteria and whether it is read part by part."""

    case: Case
    report: Report
    rubric: Rubric
    task: RubricTask | None
    parts: bool


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
    from assay.judges.grades import graded, load_citation_checks
    from assay.judges.settings import split_judge
    from assay.subjects.reference_answers import ReferenceAnswers

    subjects, unread = read_all(args)
    if not subjects:
        return 2
    answers = ReferenceAnswers.read(args.reference)
    load_citation_checks()
    async with open_judge_session(args, "grade", models=[split_judge(args.judge).model]) as session:
        # Every subject is checked before anything is spent.
        judges = await _judges(session, settings, grading_rubric)
        fitting = await _fitting(session, judges, grading_rubric, subjects, answers)
        with opened(args.output) as stream:
            writer = GradeWriter(args, stream, len(subjects))

            def write(place: int, judgment: Judgment) -> None:
                fit = fitting[place]
                grade = graded(judgment, fit.report, fit.rubric, task=fit.task, domain=args.domain)
                writer.add(grade, fit.report)

            groups = [
                (judge, {place: fit.case for place, fit in enumerate(fitting) if fit.parts == parts})
                for parts, judge in judges.items()
            ]
            await session.judge_in_order(groups, write)
            writer.end()
        pending = len(fitting) - len(writer.grades) if session.run.progress.pending else 0
        if session.files is not None:
            await session.files.close()
            if not args.quiet:
                session.files.report(pending)
        else:
            session.report_usage()
        none = not writer.any and not pending
        return session.exit_code(none=none) or (2 if unread or session.left_out else 0)


async def _judges(
    session: JudgeSession, settings: JudgeSettings, grading_rubric: GradingRubric
) -> dict[bool, UnboundJudge]:
    """Return the judge that reads a report as a whole (False) and the one that reads it part by part (True)."""
    import msgspec

    from assay.judges.settings import split_judge

    opened_model = await session.run.session.open(split_judge(session.args.judge).model)
    if session.args.max_tokens is None and opened_model.settings.max_tokens is None:
        together = settings.per_call if settings.per_call is not None else _together(grading_rubric)
        number = min(together or grading_rubric.most, grading_rubric.most)
        settings = msgspec.structs.replace(settings, max_tokens=max(settings.max_tokens, number * _PER_ENTRY))
    return {
        parts: session.judge(
            session.args.judge,
            msgspec.structs.replace(settings, granularity="synthesis" if parts else "holistic"),
            grading_rubric.found,
        )
        for parts in (False, True)
    }


async def _fitting(
    session: JudgeSession,
    judges: Mapping[bool, UnboundJudge],
    grading_rubric: GradingRubric,
    subjects: list[Subject],
    answers: ReferenceAnswers,
) -> list[GradableReport]:
    """Return the reports that can be graded.

    Raises:
        UsageError: None can be graded.
    """
    from assay.judges.identity import query_of
    from assay.subjects.case import Case

    fitting: list[GradableReport] = []
    problems: list[str] = []
    for subject in subjects:
        try:
            report = _report(subject)
            rubric, task = grading_rubric.of(report, query_of([report], None))
            case = Case(report, reference=answers.of(report))
            fitting.append(GradableReport(case, report, rubric, task, await _in_parts(session, judges, case)))
        except UsageError as error:
            problems.append(error.cli_message)
    session.leave_out(problems, none=not fitting)
    return fitting


def _report(subject: Subject) -> Report:
    from assay.judges.identity import name_of
    from assay.subjects.report import Report

    if not isinstance(subject, Report):
        raise UsageError(f"{name_of(subject)} is a trajectory, and only reports can be graded")
    return subject


async def _in_parts(session: JudgeSession, judges: Mapping[bool, UnboundJudge], case: Case) -> bool:
    """Return whether a report is read part by part: if that is asked for, or it exceeds the context window.

    Raises:
        UsageError: It cannot be graded either way.
    """
    from assay.judges.context_window import TooLongError
    from assay.judges.model_judge import ModelJudge

    args = session.args
    if not (getattr(args, "chunks", False) or args.granularity == "synthesis"):
        whole = await session.bound(judges[False], case)
        try:
            whole.check(case)
        except TooLongError:
            assert isinstance(whole, ModelJudge)
            click.echo(
                f"assay: {case.name} does not fit {whole.model.id} ({whole.window:,} tokens): it is read part by"
                " part, and each criterion judged from the passages found",
                err=True,
            )
        else:
            return False
    (await session.bound(judges[True], case)).check(case)
    return True


def _together(grading_rubric: GradingRubric) -> int:
    """Return the default number of criteria in one call: 0 for all, or 1."""
    from assay.rubrics.rubric import Rubric

    found = grading_rubric.found
    rubric = found if isinstance(found, Rubric) else found.typical
    return 0 if rubric.ask == "together" else 1


def _can_show(stream: TextIO, marks: str) -> bool:
    try:
        marks.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
