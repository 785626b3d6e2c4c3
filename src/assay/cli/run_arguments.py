"""The options of ``assay run``."""

from __future__ import annotations

from typing import Final, Literal

import click

from assay.cli.arguments import ADVANCED, argument, option
from assay.cli.options import OutputArguments, SpendingArguments
from assay.cli.outputs import OutputPath

_SUITE: Final = "Without an experiment file"


class RunArguments(SpendingArguments, OutputArguments):
    """What the command line of ``assay run`` says."""

    paths: tuple[str, ...] = argument("EXPERIMENT | REPORT...", required=False)
    suites: tuple[str, ...] = option(
        "Run a published suite on REPORTs, without an experiment file; `assay run suites` lists them. Repeatable.",
        "NAME",
        flags="--suite",
        group=_SUITE,
    )
    judges: tuple[str, ...] = option(
        "The judge, as MODEL or STRATEGY@MODEL; or rules, if the suite can do without a model. Repeatable.",
        "JUDGE",
        flags="--judge",
        group=_SUITE,
    )
    rubric: str | None = option("A rubric instead of the suite's own.", "NAME|FILE", group=_SUITE)
    query: str | None = option("The question that the reports answer.", "TEXT|@FILE", group=_SUITE)
    fields: tuple[str, ...] = option(
        "Names of the fields of rows. Repeatable.", "A=B", flags="--field", group=ADVANCED
    )
    skip: bool = option("Leave out reports that cannot be read or judged.", group=ADVANCED)
    save: str | None = option(
        "Also write the experiment to this file, for `assay run batch`.",
        "FILE",
        type=OutputPath(),
        group=_SUITE,
    )
    weights: tuple[str, ...] = option(
        "Suite finresearch: weight of a dimension in the final score; the others keep 0.1, and all are scaled to sum to 1. "
        "Repeatable.",
        "DIMENSION=W",
        flags="--weight",
        group=ADVANCED,
    )
    graph: Literal["model", "rules"] | None = option(
        "Suite finresearch: what builds the argument graph, the judge's model or rules. [model]",
        group=ADVANCED,
    )
    reference_system: str | None = option(
        "Suite finresearch: compare every other system with this one, such as expert; rows name theirs in `system`.",
        "NAME",
        group=ADVANCED,
    )
    dry_run: bool = option("Show the plan (calls, tokens, cost) and send nothing.", flags="-n --dry-run")
    limit: int | None = option(
        "Judge only the first N subjects, as a cheap test. With --suite: of each REPORT.",
        "N",
        type=click.IntRange(min=1),
    )
    warming: Literal["auto", "wait", "fill", "off"] = option(
        "When the first call about a document is sent before its other calls, so that these find it in the prefix cache. "
        "wait: always; fill: only while there is other work; off: never; auto: always, once the endpoint is seen to cache.",
        default="auto",
        group=ADVANCED,
    )
    seed: int | None = option("Random seed of every judge.", group=ADVANCED)
    engine: Literal["local", "ray"] = option(
        "What makes the judgments: this process, or workers on Ray, on this machine or on the cluster of RAY_ADDRESS.",
        default="local",
        group=ADVANCED,
    )
    workers: int = option(
        "With --engine ray: number of workers, which divide the limits of each model; 0 for one for each CPU.",
        "N",
        type=click.IntRange(min=0),
        default=0,
        group=ADVANCED,
    )
    format: Literal["text", "json", "csv"]
    schema: bool = option("Print the JSON schema of experiment files.", group=ADVANCED)
    init: bool = option("Print a commented experiment to start from.")
