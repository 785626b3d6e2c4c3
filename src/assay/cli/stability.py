"""``assay stability``: the options. What they do is in `assay.cli.agreeing`."""

from __future__ import annotations

import click

from assay.cli.agree import join_options
from assay.cli.commands import command
from assay.cli.options import color_option, format_option, output_option


@command(
    short_help="Say how steady judges are over repeated judgments.",
    epilog="Exit codes: 0 done; 2 bad usage or input, or nothing that was judged twice.",
)
@click.argument("judgments", nargs=-1, required=True, metavar="JUDGMENTS…")
@click.option(
    "--labels", metavar="FILE", help="What people said: agreement beside stability, and the front of both."
)
@click.option(
    "--scores-of", default="overall", show_default=True, metavar="NAME", help="Which of the judges' scores."
)
@click.option(
    "--tasks",
    type=click.IntRange(min=1),
    metavar="N",
    help="Tasks that two systems will be compared on, for the noise floor. [as many as were judged]",
)
@join_options
@format_option("text", "json")
@output_option
@color_option
def stability(**options: object) -> int:
    """Say how steady judges are: JUDGMENTS are JSONL in which the same judge judged the same several times.

    Variance of scores over trials, flip rate, where the spread comes from (subjects, judges, trials), and the noise floor:
    the smallest difference between two systems that means anything. With --labels, who is on the front of agreement and
    stability, and at how many tokens.

    \b
    assay judge reports.jsonl --judge direct@M --trials 5 --format json > judgments.jsonl
    assay stability judgments.jsonl
    assay stability *.jsonl --labels labels.csv --tasks 50
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.agreeing import StabilityAsked, run_stability  # noqa: PLC0415 - loads numpy

    return run_stability(StabilityAsked(**options))  # type: ignore[arg-type]
