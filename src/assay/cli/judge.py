"""``assay judge``: the options. What they do is in `assay.cli.judging`."""

from __future__ import annotations

import click

from assay.cli.commands import command
from assay.cli.judge_options import judge_option, model_options
from assay.cli.options import color_option, format_option, output_option, query_option


@command(
    short_help="Judge reports and trajectories by a model: scores and reasons.",
    epilog="Exit codes: 0 done, even where some gave no verdict – how many did stands beside the scores; 2 bad usage, or "
    "something could not be read or judged (the rest goes on); 3 no verdict at all, a cap was reached, or something Assay "
    "relies on failed; 130 interrupted. What was finished is kept, and the same command goes on from there.",
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@judge_option()
@query_option
@model_options(score=True)
@click.option("--limit", type=click.IntRange(min=1), help="Judge only the first so many: a cheap trial.")
@click.option(
    "--field", multiple=True, metavar="A=B", help="Field names of rows: report=article, query=prompt."
)
@click.option("--input-format", metavar="NAME", help="How to read the input, instead of recognising it.")
@click.option("-v", "--verbose", is_flag=True, help="Several subjects: each in full before the table.")
@format_option("text", "json", "jsonl")
@output_option
@color_option
def judge(**options: object) -> int:
    """Judge each FILE by itself: a report, a trajectory, a folder, a glob, a JSONL stream, or - for stdin.

    \b
    assay judge report.md --judge direct@openai/gpt-5-mini
    assay judge report.md --judge comparative@deepseek/deepseek-chat --reference good.md
    assay judge runs.jsonl --judge quote@vllm/my-model --rubric reflect-report --format json > judgments.jsonl
    assay judge report.md --judge direct@scripted/random      a rehearsal: no key, no network, verdicts by chance

    Every call is kept in the ledger before its answer is used, so the same question is paid once. json is one judgment a
    line (assay.judgment/1), so is jsonl.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.judging import ScoreAsked, run_judge  # noqa: PLC0415 - loads what judging needs

    return run_judge(ScoreAsked(**options))  # type: ignore[arg-type]
