"""``assay bench run``: judges put to a benchmark."""

from __future__ import annotations

import click

from assay.cli.commands import command
from assay.cli.judge_options import model_options
from assay.cli.options import color_option, format_option, output_option
from assay.cli.outputs import BENCHMARK, RUN_FOLDER, OutputPath

_RUBRICS = "Yardsticks, with commas between: usual (as fits the subject), none, or names and files. Several are compared. [usual]"


@command(
    short_help="Put judges to a benchmark: what they see, what they miss.",
    epilog="Exit codes: 0 done, even where some gave no verdict – how many did stands beside; 2 bad usage or input; 3 no "
    "verdict at all, a cap was reached, or something Assay relies on failed; 130 interrupted. What was finished is kept, "
    "and the same command goes on from there.",
)
@click.argument("folder", metavar="DIR", type=BENCHMARK)
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="STRATEGY@MODEL",
    help="Who is on trial, such as direct@openai/gpt-5-mini; or rules. Repeatable. [rules]",
)
@click.option(
    "--interface",
    "interfaces",
    multiple=True,
    type=click.Choice(["pointwise", "pairwise", "ranking"]),
    help="Each by itself, two side by side, or several. Repeatable. [pointwise]",
)
@click.option(
    "--granularity",
    "grain",
    type=click.Choice(["holistic", "fine", "both"]),
    default="holistic",
    show_default=True,
    help="The whole, or the part that was revised with what comes before it; pointwise.",
)
@click.option(
    "--cot",
    type=click.Choice(["as-named", "yes", "no", "both"]),
    default="as-named",
    show_default=True,
    help="Reasoning before the verdict: strategy full in place of direct, or direct in place of any.",
)
@click.option(
    "--candidates",
    type=click.IntRange(2, 20),
    default=4,
    show_default=True,
    metavar="N",
    help="Subjects of a ranking, the reference with them.",
)
@click.option("--types", metavar="A,B", help="Only these types: names, or groups as of `assay bench types`.")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many of each type: a cheap trial.")
@click.option("--localise", is_flag=True, help="Ask the model where the fault is: one call more an instance.")
@click.option("--alone", is_flag=True, help="Leave out the rules, length and random judges beside it.")
@click.option(
    "--save",
    metavar="FOLDER",
    type=OutputPath(*RUN_FOLDER.reads),
    help="Where the run is kept. [DIR/trials/ID]",
)
@click.option("--no-save", is_flag=True, help="Keep no folder of the run.")
@model_options(pairs=True, rubric=_RUBRICS)
@format_option("text", "json")
@output_option
@color_option
def run(**options: object) -> int:
    """Put judges to the benchmark in DIR, and show what each sees, by type of failure.

    \b
    assay bench run bench --judge rules
    assay bench run bench --judge direct@openai/gpt-5-mini --limit 5 --max-usd 1
    assay bench run bench --judge full@vllm/my-model --interface pairwise --interface pointwise
    assay bench run bench --judge direct@openai/gpt-5-mini --granularity both --rubric usual,none --cot both

    A judge is right where it prefers the reference: strictly, and in both orders of a pair. The rules judge, the longer
    one and a coin toss run beside it. json is assay.bench-result/1.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.bench_conditions import RunAsked  # noqa: PLC0415 - loads what judging needs
    from assay.cli.bench_running import run_bench  # noqa: PLC0415

    return run_bench(RunAsked(judge="rules", **options))  # type: ignore[arg-type]
