"""``assay score``: the options. What they do is in `assay.cli.scoring`."""

from __future__ import annotations

import click

from assay.cli.authoring import batch_options
from assay.cli.commands import command
from assay.cli.judge_options import judge_option, model_options
from assay.cli.options import color_option, format_option, output_option, query_option


@command(
    short_help="Score finance reports on ten dimensions, with a final score.",
    epilog="Exit codes: 0 done, even where some gave no final score – how many did stands beside the means; 2 bad usage, or "
    "something could not be read or scored (the rest goes on); 3 no score at all, a cap was reached, or something Assay "
    "relies on failed; 130 interrupted. What was finished is kept, and the same command goes on from there.",
)
@click.argument("paths", nargs=-1, required=True, metavar="REPORT...")
@click.option(
    "--system",
    "suite",
    metavar="NAME",
    default="finresearch",
    show_default=True,
    help="By which published way to score.",
)
@judge_option()
@click.option(
    "--graph",
    type=click.Choice(["model", "rules"]),
    help="Who builds the argument graph: the judge's model, or rules. [model]",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="DIMENSION=W",
    help="Another weight in the final score; the others stay at 0.1, and all are scaled to 1.",
)
@click.option(
    "--reference-system",
    metavar="NAME",
    help="Set every other system beside this one, such as expert; rows name theirs in `system`.",
)
@query_option
@model_options(score=True, rubric="Other words for the six rated dimensions. [finresearch]")
@batch_options
@click.option("--limit", type=click.IntRange(min=1), help="Score only the first so many: a cheap trial.")
@click.option(
    "--field", multiple=True, metavar="A=B", help="Field names of rows: report=article, query=prompt."
)
@click.option("--input-format", metavar="NAME", help="How to read the input, instead of recognising it.")
@click.option("-v", "--verbose", is_flag=True, help="Several reports: each in full before the tables.")
@format_option("text", "json", "jsonl", "csv")
@output_option
@color_option
def score(**options: object) -> int:
    """Score each REPORT on FinResearchBench's ten dimensions: four computed, six rated by a model; and the final score.

    \b
    assay score report.md --judge brief@openai/gpt-5-mini
    assay score report.md --judge rules                        the four computed ones, no model
    assay score ours.jsonl experts.jsonl --judge brief@vllm/my-model --reference-system expert
    assay score reports/ --judge brief@openai/gpt-5-mini --requests round1.jsonl

    The model reads the report's argument first and is shown it when it rates. A final score is there only if all ten
    dimensions are. json is everything in one object, jsonl and csv one report a line.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.scoring import ScoringAsked, run_score  # noqa: PLC0415 - loads what judging needs

    return run_score(ScoringAsked(**options))  # type: ignore[arg-type]
