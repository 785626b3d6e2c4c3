"""``assay leaderboard``: the options. What it does is in `assay.cli.boarding`."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from assay.cli.commands import command
from assay.cli.options import Amount, color_option, format_option, output_option
from assay.cli.outputs import OutputPath


class LeaderboardAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of ``assay leaderboard``."""

    paths: tuple[str, ...]
    judge: str | None
    runs: tuple[str, ...]
    ledger: str | None
    reports: tuple[str, ...]
    systems: str | None
    tasks: str | None
    grades: tuple[str, ...]
    by: str | None
    domain: str | None
    judged_by: str | None
    tie_margin: float | None
    limit: int | None
    save: str | None
    draws: int
    seed: int
    skip: bool
    table: tuple[str, ...]
    format: str
    output: str | None
    color: str


@command(
    short_help="Rank systems by who won against whom, with intervals.",
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 something Assay relies on failed; 130 interrupted.",
)
@click.argument("paths", nargs=-1, metavar="[PATH]…")
@click.option(
    "--judge",
    metavar="NAME",
    help="PATHs are reports: compare all systems on each task by rules, length or random, which ask no model.",
)
@click.option("--run", "runs", multiple=True, metavar="RUN", help="Judgments of a run; may be given again.")
@click.option("--ledger", metavar="WHERE", help="The ledger of --run. [as for `assay runs`]")
@click.option(
    "--reports",
    multiple=True,
    metavar="PATH",
    help="What was judged: gives systems, tasks, and style to hold constant. May be given again.",
)
@click.option("--systems", metavar="FILE", help="CSV or JSONL of subject, system, and task, domain.")
@click.option("--tasks", metavar="JSONL", help="Tasks: id, query, and domain or topic.")
@click.option(
    "--grades", multiple=True, metavar="PATH", help="Grades of `assay grade`: sets compliance beside."
)
@click.option("--by", metavar="DIMENSION", help="What ranks.  [default: overall]")
@click.option("--domain", metavar="NAME", help="Only this domain.")
@click.option("--judged-by", metavar="JUDGE", help="Only judgments of this judge.")
@click.option(
    "--tie-margin",
    type=Amount(min=0, max=1),
    metavar="X",
    help="Margins of dimensions up to this are ties.  [default: 0; the judge's own for rules and length]",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="With --judge: most reports a PATH.")
@click.option(
    "--save", metavar="FILE", type=OutputPath(), help="With --judge: write its judgments there, as JSONL."
)
@click.option(
    "--draws",
    type=click.IntRange(min=100, max=100_000),
    default=1000,
    show_default=True,
    help="Of the bootstrap over tasks.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the bootstrap.")
@click.option(
    "--skip-unreadable", "skip", is_flag=True, help="Leave out reports that cannot be read, and say so."
)
@click.option(
    "--table",
    multiple=True,
    metavar="NAME",
    help="Only this table, of text, markdown and latex; may be given again.",
)
@format_option("text", "json", "html", "csv", "markdown", "latex")
@output_option
@color_option
def leaderboard(**options: Any) -> int:
    """Rank systems by pairwise verdicts on what they wrote: win rates by dimension and domain, ratings with intervals,
    ranks, who can be told from whom, and all of it with style held constant.

    PATH is a file of judgments (assay.judgment/1, or rows of model_a, model_b, winner; JSONL, JSON, CSV), or a folder that
    `assay runs export` wrote. With --judge, PATH is reports.

    \b
    assay leaderboard a.jsonl b.jsonl c.jsonl --judge rules
    assay run --suite reportlogic a.jsonl b.jsonl --judge openai/gpt-5-mini
    assay leaderboard --run reportlogic --reports a.jsonl --reports b.jsonl
    assay leaderboard battles.csv --format html -o board.html
    """  # noqa: D205, D301 - click reads the backspace as "do not wrap"
    asked = LeaderboardAsked(**options)
    from assay.cli.boarding import run_leaderboard  # noqa: PLC0415 - loads what judging needs

    return run_leaderboard(asked)
