"""``assay judge``: each subject judged by itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TextIO

import click

from assay.cli.arguments import OUTPUT, option
from assay.cli.commands import command
from assay.cli.judge_options import (
    MODEL_FREE,
    ScoringArguments,
    reference_text,
    refuse_model_options,
    settings_of,
)
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectArguments, read_all
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.cli.judge_session import JudgeSession
    from assay.judges.settings import JudgeSettings
    from assay.runs.recording_judge import RecordingJudge, RepetitionSet
    from assay.subjects.subject import Subject

# Subjects in progress beyond the calls in flight, so that a slow one does not hold up the others.
_AHEAD: Final = 16


class JudgeCommandArguments(SubjectArguments, ScoringArguments):
    """What the command line of ``assay judge`` says."""

    verbose: bool = option(
        "Several subjects: show each in full before the table.", flags="-v --verbose", group=OUTPUT
    )
    format: Literal["text", "json", "jsonl"]


@command(
    JudgeCommandArguments,
    epilog="Exit codes: 0 done, even if some subjects have no verdict (their number is shown beside the scores); 2 bad usage, "
    "or something could not be read or judged (the rest goes on); 3 no verdict at all, a cap was reached, or something "
    "Assay relies on failed; 130 interrupted. What was finished is kept, and the same command continues from there.",
)
def judge(args: JudgeCommandArguments) -> int:
    """Judge each FILE by itself: a report, a trajectory, a folder, a glob, a JSONL stream, or - for stdin.

    \b
    assay judge report.md --judge direct@openai/gpt-5-mini
    assay judge report.md --judge comparative@deepseek/deepseek-chat --reference good.md
    assay judge runs.jsonl --judge quote@vllm/my-model --rubric reflect-report --format json > judgments.jsonl
    assay judge report.md --judge direct@scripted/random      a rehearsal: no key, no network, random verdicts

    Every call is stored in the ledger before its answer is used, so answers you already have are never paid for again.
    The formats json and jsonl both write one judgment a line (assay.judgment/2).
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    if args.judge in MODEL_FREE:
        refuse_model_options(args)
        return _without_model(args)
    settings = settings_of(args, mode="score")
    return asyncio.run(_judge(args, settings))


class JudgmentWriter:
    """Writes each judgment when it is ready, and keeps it for the table."""

    def __init__(self, args: JudgeCommandArguments, stream: TextIO, subjects: int) -> None:
        from assay.present.display import Painter

        self.args = args
        self.stream = stream
        self.painter = Painter(wants_color(args.color, stream))
        self.columns = columns_for(stream)
        self.many = subjects > 1
        self.by_rubric: dict[str, list[RepetitionSet]] = {}
        self.any = False

    def add(self, repeated: RepetitionSet, rubric_name: str) -> None:
        """Write the judgment of one subject."""
        import msgspec

        from assay.present.judgments import judgment_rows, judgment_text, without_verdict

        rubric = repeated.rubric
        self.any = self.any or not all(without_verdict(item) for item in repeated.trials.judgments)
        if self.args.format != "text":
            for row in judgment_rows(repeated, rubric):
                self.stream.write(msgspec.json.encode(row).decode() + "\n")
            self.stream.flush()
            return
        if not self.many or self.args.verbose:
            text = judgment_text(repeated, rubric, painter=self.painter, columns=self.columns)
            self.stream.write(text + ("\n" if self.many else ""))
            self.stream.flush()
        self.by_rubric.setdefault(rubric_name, []).append(repeated)

    def end(self, planned: int) -> None:
        """Write one table for each rubric, and how many subjects are missing from them."""
        from assay.present.judgment_table import table_text
        from assay.present.numbers import plural

        if not self.many or self.args.format != "text":
            return
        for number, (rubric_name, found) in enumerate(self.by_rubric.items()):
            self.stream.write("\n" if number else "")
            self.stream.write(table_text(found, rubric_name, painter=self.painter, columns=self.columns))
        left = planned - sum(map(len, self.by_rubric.values()))
        if left and self.by_rubric:
            text = f"{left:,} of {plural(planned, 'subject')} not judged yet"
            self.stream.write(self.painter(text, "warning") + "\n")


def _without_model(args: JudgeCommandArguments) -> int:
    from assay.runs.recording_judge import RecordedJudgment, RepetitionSet
    from assay.runs.running import run

    subjects, unread = read_all(args)
    with opened(args.output) as stream:
        writer = JudgmentWriter(args, stream, len(subjects))
        for subject, judgment in zip(subjects, run(subjects, args.judge, progress=False), strict=True):
            writer.add(RepetitionSet((subject,), (RecordedJudgment("", "", 0, judgment, ()),), 1), "")
        writer.end(len(subjects))
    return 2 if unread else 0


async def _judge(args: JudgeCommandArguments, settings: JudgeSettings) -> int:
    from assay.cli.judge_session import open_judge_session

    subjects, unread = read_all(args)
    if not subjects:
        return 2
    reference = reference_text(args.reference)
    async with open_judge_session(args, settings, "judge") as session:
        # Every subject is checked before anything is spent.
        fitting, unfit = await _checked(session, subjects, reference)
        with opened(args.output) as stream:
            writer = JudgmentWriter(args, stream, len(subjects))
            session.progress.planned = len(fitting) * settings.trials
            await session.watch(_each(session, fitting, reference, writer))
            writer.end(len(fitting))
        session.report_usage()
        return session.exit_code(none=not writer.any) or (2 if unread or unfit else 0)


async def _checked(
    session: JudgeSession, subjects: list[Subject], reference: str | None
) -> tuple[list[tuple[Subject, RecordingJudge]], int]:
    """Return the subjects that can be judged, with their judges, and the number of those that cannot.

    Raises:
        UsageError: None can be judged.
    """
    from assay.judges.identity import name_of

    fitting: list[tuple[Subject, RecordingJudge]] = []
    problems: list[str] = []
    for subject in subjects:
        recorder = await session.judge_for([subject])
        try:
            recorder.check("score", [subject], reference=reference)
        except UsageError as error:
            problems.append(
                error.cli_message if len(subjects) == 1 else f"{name_of(subject)}: {error.cli_message}"
            )
        else:
            fitting.append((subject, recorder))
    if not fitting:
        more = f" (and so are {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise UsageError(f"nothing was sent: {problems[0]}{more}")
    for problem in problems:
        click.echo(f"assay: left out: {problem}", err=True)
    return fitting, len(problems)


async def _each(
    session: JudgeSession,
    fitting: list[tuple[Subject, RecordingJudge]],
    reference: str | None,
    writer: JudgmentWriter,
) -> None:
    from assay.runs.recording_judge import in_order

    async def one(subject: Subject, recorder: RecordingJudge) -> tuple[RepetitionSet, str]:
        repeated = await recorder.repeat(
            "score", [subject], reference=reference, on_judgment=session.progress.seen
        )
        return repeated, recorder.judge.rubric_name

    jobs = (partial(one, subject, recorder) for subject, recorder in fitting)
    async for repeated, rubric_name in in_order(jobs, width=session.backend.slots + _AHEAD):
        writer.add(repeated, rubric_name)
