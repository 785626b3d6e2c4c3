"""The options of ``assay run``."""

from __future__ import annotations

from typing import Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.options import OutputArguments
from assay.cli.outputs import OutputPath


class RunArguments(OutputArguments):
    """What the command line of ``assay run`` says."""

    paths: tuple[str, ...] = argument("EXPERIMENT | REPORT...", required=False)
    suites: tuple[str, ...] = option(
        "Run a published suite on REPORTs, without an experiment file; `assay run suites` lists them. Repeatable.",
        "NAME",
        flags="--suite",
    )
    judges: tuple[str, ...] = option(
        "With --suite: the judge, as MODEL or STRATEGY@MODEL. Repeatable.", "JUDGE", flags="--judge"
    )
    rubric: str | None = option("With --suite: a rubric instead of the suite's own.", "NAME|FILE")
    query: str | None = option("With --suite: the question that the reports answer.", "TEXT|@FILE")
    fields: tuple[str, ...] = option(
        "With --suite: names of the fields of rows. Repeatable.", "A=B", flags="--field"
    )
    skip: bool = option("With --suite: leave out reports that cannot be read or judged.")
    save: str | None = option(
        "With --suite: also write the experiment to this file, for `assay run batch`.",
        "FILE",
        type=OutputPath(),
    )
    dry_run: bool = option("Show the plan (calls, tokens, cost) and send nothing.", flags="-n --dry-run")
    fresh: bool = option("Ask everything again; earlier replies stay in the ledger.")
    ledger: str | None = option(
        "Ledger: a file, or postgresql://…; else `ledger` of the experiment, ASSAY_LEDGER, assay.toml, .assay/ledger.sqlite.",
        "WHERE",
    )
    limit: int | None = option(
        "Judge only the first N subjects, as a cheap test. With --suite: of each REPORT.",
        "N",
        type=click.IntRange(min=1),
    )
    max_usd: float | None = option(
        "Stop when the run has cost this much (US dollars).", type=click.FloatRange(min=0)
    )
    max_total_tokens: int | None = option(
        "Stop when the run has used this many tokens.", type=click.IntRange(min=1)
    )
    concurrency: int | None = option(
        "Maximum number of calls in flight for each model.",
        flags="-j --concurrency",
        type=click.IntRange(min=1),
    )
    warming: Literal["auto", "wait", "fill", "off"] = option(
        "When the first call about a document is sent before its other calls, so that these find it in the prefix cache. "
        "wait: always; fill: only while there is other work; off: never; auto: always, once the endpoint is seen to cache.",
        default="auto",
    )
    seed: int | None = option("Random seed of every judge.")
    format: Literal["text", "json"] = option("Output format.", flags="-f --format", default="text")
    quiet: bool = option("Show no progress.", flags="-q --quiet")
    schema: bool = option("Print the JSON schema of experiment files.")
    init: bool = option("Print a commented experiment to start from.")
