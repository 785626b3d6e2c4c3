"""``assay judge``: each subject judged by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TextIO

from assay.cli.arguments import OUTPUT, option
from assay.cli.commands import command
from assay.cli.judge_options import (
    MODEL_FREE,
    ScoringArguments,
    refuse_model_options,
    settings_of,
)
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectArguments, read_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judges.judgment import Judgment
    from assay.rubrics.rubric import Rubric
    from assay.subjects.subject import Subject


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
    return asyncio.run(_judge(args))


class JudgmentWriter:
    """Writes each judgment when it is ready, and keeps it for the table."""

    def __init__(self, args: JudgeCommandArguments, stream: TextIO, subjects: Sequence[Subject]) -> None:
        from assay.present.display import Painter

        self.args = args
        self.stream = stream
        self.painter = Painter(wants_color(args.color, stream))
        self.columns = columns_for(stream)
        self.subjects = subjects
        self.many = len(subjects) > 1
        self.by_rubric: dict[str | None, list[tuple[Judgment, Subject, Rubric | None]]] = {}
        self.any = False

    def add(self, judgment: Judgment, subject: Subject, rubric: Rubric | None) -> None:
        """Write the judgment of one subject."""
        import msgspec

        from assay.present.judgments import judgment_rows, judgment_text, without_verdict

        self.any = self.any or not without_verdict(judgment)
        if self.args.format != "text":
            for row in judgment_rows(judgment):
                self.stream.write(msgspec.json.encode(row).decode() + "\n")
        elif not self.many or self.args.verbose:
            text = judgment_text(judgment, subject, rubric, painter=self.painter, columns=self.columns)
            self.stream.write(text + ("\n" if self.many else ""))
        self.stream.flush()
        self.by_rubric.setdefault(judgment.rubric, []).append((judgment, subject, rubric))

    def end(self, planned: int) -> None:
        """Write one table for each rubric, and how many subjects are missing from them."""
        from assay.present.interface import interface_of
        from assay.present.judgment_table import table_text
        from assay.text.amounts import plural

        if not self.many or self.args.format != "text":
            return
        for number, (rubric_name, found) in enumerate(self.by_rubric.items()):
            self.stream.write("\n" if number else "")
            judgments, subjects, rubrics = zip(*found, strict=True)
            text = table_text(
                judgments,
                rubrics,
                rubric_name or "",
                say=interface_of(subjects),
                painter=self.painter,
                columns=self.columns,
            )
            self.stream.write(text)
        left = planned - sum(map(len, self.by_rubric.values()))
        if left and self.by_rubric:
            text = f"{left:,} of {plural(planned, 'subject')} not judged yet"
            self.stream.write(self.painter(text, "warning") + "\n")


def _without_model(args: JudgeCommandArguments) -> int:
    from assay.runs.running import run

    subjects, unread = read_all(args)
    with opened(args.output) as stream:
        writer = JudgmentWriter(args, stream, subjects)
        for subject, judgment in zip(subjects, run(subjects, args.judge, progress=False), strict=True):
            writer.add(judgment, subject, None)
        writer.end(len(subjects))
    return 2 if unread else 0


async def _judge(args: JudgeCommandArguments) -> int:
    from assay.cli.judge_session import open_judge_session
    from assay.judges.model_judge import ModelJudge
    from assay.subjects.case import Case
    from assay.subjects.reference_answers import ReferenceAnswers

    settings = settings_of(args, mode="score")
    subjects, unread = read_all(args)
    if not subjects:
        return 2
    answers = ReferenceAnswers.read(args.reference)
    async with open_judge_session(args, "judge") as session:
        judge = session.judge(args.judge, settings)
        cases = await session.fitting(judge, [Case(item, reference=answers.of(item)) for item in subjects])
        bound = {type(case.subjects[0]): await session.run.bound(judge, case) for case in cases}
        with opened(args.output) as stream:
            writer = JudgmentWriter(args, stream, subjects)

            def write(place: int, judgment: Judgment) -> None:
                (subject,) = cases[place].subjects
                by = bound[type(subject)]
                writer.add(
                    judgment, subject, by.rubric_for(cases[place]) if isinstance(by, ModelJudge) else None
                )

            await session.judge_in_order([(judge, dict(enumerate(cases)))], write)
            writer.end(len(cases))
        session.report_usage()
        return session.exit_code(none=not writer.any) or (2 if unread or session.left_out else 0)
