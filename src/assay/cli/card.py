"""``assay card``, ``assay gate`` and ``assay drift``: what a judge is worth, whether that is enough, whether it still is."""

from __future__ import annotations

import click

from assay.cli.commands import command
from assay.cli.judge_options import model_options
from assay.cli.options import color_option, format_option, output_option
from assay.cli.outputs import RUN_FOLDER, OutputPath


@command(short_help="Make a card of a judge: what it sees, what fools it.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=RUN_FOLDER)
@click.option(
    "--condition", metavar="N|NAME", help="Which condition of the run: its number from 1, or a judge."
)
@click.option(
    "--agreement", metavar="FILE", help="Agreement with people: what `assay agree --format json` wrote."
)
@format_option("html", "json")
@output_option
def card(**options: object) -> int:
    """Make one page about a judge from RUN, a folder that `assay bench run` kept; of several, a page that compares them.

    \b
    assay card bench/trials/RUN -o card.html
    assay card bench/trials/ONE bench/trials/TWO -o judges.html
    assay agree judgments.jsonl labels.jsonl --format json -o agreement.json
    assay card bench/trials/RUN --agreement agreement.json -o card.html
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.carding import CardAsked, run_card  # noqa: PLC0415

    return run_card(CardAsked(**options))  # type: ignore[arg-type]


@command(
    short_help="Hold a judge to bounds, for a build server.",
    epilog="Exit codes: 0 every bound is kept; 1 one is not, or what it is about is not known; 2 bad usage or input.",
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=RUN_FOLDER)
@click.option(
    "--min", "least", multiple=True, metavar="NAME=N", help="A measure must be at least so large. Repeatable."
)
@click.option(
    "--max", "most", multiple=True, metavar="NAME=N", help="A measure must be at most so large. Repeatable."
)
@click.option(
    "--sure", is_flag=True, help="The end of the 95 % interval must keep the bound, not the value alone."
)
@format_option("text", "json")
@color_option
def gate(**options: object) -> int:
    """Hold judges to bounds: RUN is a folder of `assay bench run`, or JSON that it or `assay agree` wrote.

    \b
    assay gate bench/trials/RUN --min detection=0.7 --max asr.length=0.1 --min coverage=0.98
    assay gate agreement.json --min quadratic_kappa=0.6 --sure
    assay gate bench/trials/RUN                         lists the measures there are
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.carding import GateAsked, run_gate  # noqa: PLC0415

    return run_gate(GateAsked(**options))  # type: ignore[arg-type]


@command(
    short_help="Judge a kept run again: has the judge changed?",
    epilog="Exit codes: 0 nothing but noise; 1 it has drifted; 2 bad usage or input; 3 no verdict, or a model failed.",
)
@click.argument("run_folder", metavar="RUN", type=RUN_FOLDER)
@click.option(
    "--judge", metavar="STRATEGY@MODEL", help="Another judge than the run's, such as its new version."
)
@click.option("--limit", type=click.IntRange(min=1), help="Only so many of each type.")
@click.option(
    "--save",
    metavar="FOLDER",
    type=OutputPath(*RUN_FOLDER.reads),
    help="Where the new run is kept; it is not, if this is left out.",
)
@model_options(pairs=True)
@format_option("text", "json")
@output_option
@color_option
def drift(**options: object) -> int:
    """Judge the instances of RUN again, as they were judged then, and say what has changed.

    \b
    assay drift bench/trials/RUN                        every call is asked anew, for the model may have changed
    assay drift bench/trials/RUN --limit 3              a small sentinel set, cheap enough for every night
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.drifting import DriftAsked, run_drift  # noqa: PLC0415

    return run_drift(DriftAsked(**options))  # type: ignore[arg-type]
