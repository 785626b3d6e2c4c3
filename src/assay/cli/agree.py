"""``assay agree``: the options. What they do is in `assay.cli.agreeing`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from assay.cli.commands import command
from assay.cli.options import Amount, color_option, format_option, output_option

F = TypeVar("F", bound=Callable[..., Any])


def join_options(function: F) -> F:
    """Options that say how judgments and labels are put together."""
    for option in reversed(
        (
            click.option(
                "--subjects",
                multiple=True,
                metavar="FILE",
                help="What was judged, so that labels may name it by id, or id:system; gives language and tasks.",
            ),
            click.option(
                "--labels-format", metavar="NAME", help="How to read the labels; `assay labels list`."
            ),
            click.option(
                "--field", multiple=True, metavar="A=B", help="Fields of labels: score=rating, rater=worker."
            ),
            click.option("--rater", default="human", metavar="NAME", help="Of labels that name none."),
            click.option(
                "--only-rater", "raters", multiple=True, metavar="NAME", help="Only labels of this rater."
            ),
            click.option(
                "--kind",
                type=click.Choice(["preference", "score", "verdict"]),
                help="Of labels, where a file has several; else that of most.",
            ),
            click.option(
                "--dimension",
                "called",
                multiple=True,
                metavar="A=B",
                help="Labels' dimension A is the judge's B.",
            ),
            click.option(
                "--rescale",
                metavar="LOW:HIGH=LOW:HIGH",
                multiple=True,
                help="From judges' scale to that of the labels, such as 1:5=0:1; for judges whose scores lie on it.",
            ),
        )
    ):
        function = option(function)
    return function


@command(
    short_help="Compare judgments with what people said, with intervals.",
    epilog="Exit codes: 0 done; 2 bad usage or input, or nothing that both judged.",
)
@click.argument("judgments", nargs=-1, required=True, metavar="JUDGMENTS… LABELS")
@join_options
@click.option("--by", metavar="A,B", default="", help="Strata: domain,language,dimension – or all.")
@click.option(
    "--trials",
    type=click.Choice(["together", "each"]),
    help="Several trials: their mean or majority, or each by itself. [scores together, else each]",
)
@click.option(
    "--calibrate",
    type=click.Choice(["isotonic", "thresholds", "linear"]),
    help="Fit a map from scores to labels, and say what it buys out of sample.",
)
@click.option(
    "--half-width",
    type=Amount(min=0, min_open=True, max=1),
    metavar="W",
    help="Say how many labels intervals of ±W would take.",
)
@format_option("text", "json")
@output_option
@color_option
def agree(**options: object) -> int:
    """Compare JUDGMENTS, JSONL of one judge or several, with LABELS of people, in any format of `assay labels list`.

    Preferences: agreement accuracy (right in both orders), accuracy, κ, α, AC1, macro-F1. Scores: weighted κ, correlations,
    mean absolute difference, exact and within a step. Verdicts: accuracy, F1 of each class. Each with its coverage and a
    95 % interval over tasks; judges are tested against each other, and people against people.

    \b
    assay agree judgments.jsonl labels.csv
    assay agree judgments.jsonl labels.csv --subjects reports.jsonl --by domain,language
    assay agree a.jsonl b.jsonl labels.jsonl --calibrate isotonic --half-width 0.05
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.agreeing import AgreeAsked, run_agree  # noqa: PLC0415 - loads numpy

    paths: tuple[str, ...] = options.pop("judgments")  # type: ignore[assignment]
    if len(paths) < 2:
        raise click.UsageError(
            "name the judgments, then the labels: assay agree judgments.jsonl labels.jsonl"
        )
    return run_agree(AgreeAsked(judgments=paths[:-1], labels=paths[-1], **options))  # type: ignore[arg-type]
