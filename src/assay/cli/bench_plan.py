"""``assay bench plan``: from a pilot, how many cases, repetitions and orders an evaluation takes, and what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.commands import command
from assay.cli.options import Amount, ColorArguments, painter_for


class PlanArguments(ColorArguments):
    """What the command line of ``assay bench plan`` says."""

    pilot: str = argument("PILOT", type=click.Path(exists=True))
    difference: float | None = option(
        "Difference to be found: in accuracy for judges (0.1 is ten points), in mean score for systems. [that of the pilot]",
        "D",
        type=Amount(0, None),
    )
    power: float = option("Probability of finding it.", default=0.9, type=Amount(0, 1))
    level: float = option("Probability of finding one that is not there.", default=0.05, type=Amount(0, 1))
    format: Literal["text", "json"] = option("Output format.", flags="-f --format", default="text")


@command(PlanArguments)
def plan(args: PlanArguments) -> None:
    """Plan an evaluation from a PILOT: the folder of a small `bench run` of two judges, or judgments of two systems.

    \b
    assay bench run bench --judge direct@openai/gpt-5-mini --judge panel@openai/gpt-5-mini --repetitions 3 --limit 2
    assay bench plan bench/trials/RUN
    assay bench plan judgments.jsonl --difference 0.3

    Shows for each way of judging how many cases tell the two apart, and what that costs. Repeat the pilot's judgments
    (`--repetitions 3`) to see what repetitions would save.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import msgspec

    from assay.meta.judgment_files import read_judgments
    from assay.meta.planning import plan_judges, plan_systems
    from assay.meta.results import BenchmarkResult
    from assay.present.plan import plan_text

    if Path(args.pilot).is_dir():
        plans = plan_judges(
            BenchmarkResult.load(args.pilot), difference=args.difference, power=args.power, level=args.level
        )
    else:
        plans = plan_systems(
            read_judgments([args.pilot]), difference=args.difference, power=args.power, level=args.level
        )
    if args.format == "json":
        click.echo(msgspec.json.encode([item.to_dict() for item in plans]).decode())
    else:
        click.echo(plan_text(plans, power=args.power, painter=painter_for(args.color)), nl=False)
