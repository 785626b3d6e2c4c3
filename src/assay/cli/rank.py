"""``assay rank``: the options. What they do is in `assay.cli.ranking`."""

from __future__ import annotations

import click

from assay.cli.commands import command
from assay.cli.judge_options import judge_option, model_options
from assay.cli.options import color_option, format_option, output_option, query_option


@command(
    short_help="Put several reports or trajectories in order, best first.",
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 no verdict at all, a cap was reached, or something Assay relies on "
    "failed; 130 interrupted. What was finished is kept, and the same command goes on from there.",
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@judge_option()
@query_option
@click.option(
    "--method",
    type=click.Choice(["auto", "listwise", "tournament", "scores"]),
    default="auto",
    show_default=True,
    help="listwise: all in one prompt; tournament: by pairs; scores: each by itself; auto: listwise for up to five that fit "
    "the model's window, else a tournament.",
)
@model_options(pairs=True)
@click.option("--limit", type=click.IntRange(min=2), help="Rank only the first so many.")
@click.option(
    "--field", multiple=True, metavar="A=B", help="Field names of rows: report=article, query=prompt."
)
@click.option("--input-format", metavar="NAME", help="How to read the input, instead of recognising it.")
@format_option("text", "json")
@output_option
@color_option
def rank(**options: object) -> int:
    """Put the subjects in FILE... in order, best first. All are reports, or all trajectories, that answer one question.

    \b
    assay rank a.md b.md c.md --judge full@openai/gpt-5-mini
    assay rank answers/ --judge direct@vllm/my-model --method scores
    assay rank answers/ --judge rules                           no model

    Listwise, the candidates are shown in both orders. Of a tournament, up to eight all meet each other, each pair in both
    orders; more are sorted by about n·log n comparisons.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.ranking import RankAsked, run_rank  # noqa: PLC0415 - loads what judging needs

    return run_rank(RankAsked(**options))  # type: ignore[arg-type]
