"""``assay grade``: the options. What they do is in `assay.cli.grading`."""

from __future__ import annotations

import click

from assay.cli.authoring import batch_options
from assay.cli.commands import command
from assay.cli.judge_options import model_options
from assay.cli.options import color_option, format_option, output_option, query_option


@command(
    short_help="Grade reports by weighted criteria, with evidence.",
    epilog="Exit codes: 0 done, even where some criteria have no verdict – how many have stands beside the score; 2 bad "
    "usage, or something could not be read or graded (the rest goes on); 3 no verdict at all, a cap was reached, or "
    "something Assay relies on failed; 130 interrupted. What was answered is kept, and the same command goes on from there.",
)
@click.argument("paths", nargs=-1, required=True, metavar="REPORT...")
@click.option(
    "--judge",
    required=True,
    metavar="MODEL|STRATEGY@MODEL",
    help="Who grades, such as openai/gpt-5-mini; a model alone is asked by strategy grader.",
)
@click.option(
    "--grading",
    type=click.Choice(["ternary", "binary"]),
    default="ternary",
    show_default=True,
    help="Whether a criterion can be met by half.",
)
@click.option("--chunks", is_flag=True, help="Read the report part by part even where it fits the model.")
@click.option("--domain", metavar="NAME", help="Of the task, where its rubric does not say.")
@query_option
@model_options(
    score=True, rubric="The criteria: a rubric's file or name, a file of tasks, or hf:OWNER/NAME. Required."
)
@batch_options
@click.option("--limit", type=click.IntRange(min=1), help="Grade only the first so many: a cheap trial.")
@click.option(
    "--field", multiple=True, metavar="A=B", help="Field names of rows: report=article, query=prompt."
)
@click.option("--input-format", metavar="NAME", help="How to read the input, instead of recognising it.")
@click.option("-v", "--verbose", is_flag=True, help="Several reports: each in full before the summary.")
@format_option("text", "json", "jsonl")
@output_option
@color_option
def grade(**options: object) -> int:
    """Grade each REPORT by the criteria of --rubric, one verdict each, and put them together by their weights.

    \b
    assay grade report.md --rubric criteria.yaml --judge openai/gpt-5-mini
    assay grade reports/ --rubric tasks.jsonl --judge openai/gpt-5-mini --per-call 25
    assay grade report.md --rubric criteria.yaml --judge direct@local/smollm2-135m --grading binary
    assay grade reports/ --rubric tasks.jsonl --judge openai/gpt-5 --requests out.jsonl     a batch, nothing sent

    A rubric is a file of criteria with weights from -5 to 5, or a file of tasks that each have one (ResearchRubrics);
    reports find theirs by their file's name. One criterion is asked a call unless --per-call says otherwise. A report that
    does not fit the model is read part by part. json and jsonl are one grade a line (assay.grade/1).
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.grading import GradeAsked, run_grade  # noqa: PLC0415 - loads what judging needs

    return run_grade(GradeAsked(**options))  # type: ignore[arg-type]
