"""``assay run``: the options. What they do is in `assay.cli.running`."""

from __future__ import annotations

import click

from assay.cli.commands import command
from assay.cli.options import color_option, format_option, output_option
from assay.cli.outputs import OutputPath


@command(
    short_help="Run an experiment: many judges, many subjects, resumable.",
    epilog="Exit codes: 0 done; 2 bad usage or input, a wrong key or an unknown model; 3 a cap was reached, or something "
    "Assay relies on failed; 130 interrupted. What was finished is kept, and the same command goes on from there.",
)
@click.argument("paths", nargs=-1, metavar="EXPERIMENT | REPORT...")
@click.option(
    "--suite",
    "suites",
    multiple=True,
    metavar="NAME",
    help="Run a published suite on REPORTs, without a file; `assay suites` lists them. Repeatable.",
)
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="JUDGE",
    help="With --suite: MODEL or STRATEGY@MODEL. Repeatable.",
)
@click.option("--rubric", metavar="NAME|FILE", help="With --suite: the yardstick, instead of the suite's.")
@click.option("--query", metavar="TEXT|@FILE", help="With --suite: the question reports answer.")
@click.option("--field", "fields", multiple=True, metavar="A=B", help="With --suite: names of row fields.")
@click.option("--skip", is_flag=True, help="With --suite: leave out reports that cannot be read or judged.")
@click.option(
    "--save",
    metavar="FILE",
    type=OutputPath(),
    help="With --suite: write the experiment there, too, for `assay batch`.",
)
@click.option("-n", "--dry-run", is_flag=True, help="Show the plan – calls, tokens, cost – and send nothing.")
@click.option("--fresh", is_flag=True, help="Ask everything again; earlier replies stay in the ledger.")
@click.option(
    "--ledger",
    metavar="WHERE",
    help="A file, or postgresql://…; else `ledger` of the experiment, ASSAY_LEDGER, assay.toml, .assay/ledger.sqlite.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="Judge only so many subjects: a cheap trial. With --suite: of each REPORT.",
)
@click.option("--max-usd", type=click.FloatRange(min=0), help="Stop before the run has cost more.")
@click.option("--max-total-tokens", type=click.IntRange(min=1), help="Stop before the run has used more.")
@click.option("-j", "--concurrency", type=click.IntRange(min=1), help="Calls under way, for each model.")
@click.option(
    "--warming",
    type=click.Choice(["auto", "wait", "fill", "off"]),
    default="auto",
    show_default=True,
    help="Whether a document's first call goes ahead so that a prefix cache has it for the others: always, while there "
    "is other work, never; auto: always, once the endpoint is seen to cache.",
)
@click.option("--seed", type=int, help="The seed of all judges.")
@format_option("text", "json")
@output_option
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of experiment files.")
@click.option("--init", is_flag=True, help="Print a commented experiment to start from.")
@color_option
def run(**options: object) -> int:
    """Run an experiment: judges × subjects × rubrics × trials, as a YAML or JSON file says.

    \b
    assay run --init > experiment.yaml
    assay run experiment.yaml --dry-run       what it will take
    assay run experiment.yaml --limit 5       a cheap trial
    assay run experiment.yaml                 again after a stop: it goes on from there
    assay run --suite reportlogic reports.jsonl --judge openai/gpt-5-mini

    Every call is kept in the ledger before its answer is used, so nothing is paid twice. -o writes the judgments, one
    JSON object a line; `assay runs export` writes answers and calls too.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.running import Asked, run_experiment  # noqa: PLC0415 - loads what runs need

    return run_experiment(Asked(**options))  # type: ignore[arg-type]
