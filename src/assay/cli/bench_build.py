"""``assay bench build``: a benchmark of judges from reports and trajectories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.authoring import author_options
from assay.cli.commands import command
from assay.cli.options import color_option, format_option, query_option
from assay.cli.outputs import OutputPath

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])


def _author(function: F) -> F:
    return author_options(function, model=False)


@command(
    short_help="Build a benchmark: failures put into your own files.",
    epilog="Exit codes: 0 done, even where a type has fewer instances than wanted – that is told; 2 bad usage, nothing "
    "could be read, or nothing came of it; 3 a model failed.",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    type=OutputPath("instances.jsonl", "bench.json"),
    help="Folder of the benchmark; made, or overwritten.",
)
@click.option(
    "--types",
    default="failures",
    show_default=True,
    metavar="A,B",
    help="Which: names, or failures, process, outcome, attacks, targeted, bias, manipulation, all.",
)
@click.option(
    "--per-type", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="Of each type."
)
@click.option(
    "--editor",
    default="rules",
    show_default=True,
    metavar="rules|MODEL",
    help="Who puts them in: rules, or a model such as openai/gpt-5-mini.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Read only the first so many subjects.")
@click.option(
    "--field", multiple=True, metavar="A=B", help="Field names of rows: report=article, query=prompt."
)
@click.option("--input-format", metavar="NAME", help="How to read the input, instead of recognising it.")
@query_option
@_author
@format_option("text", "json")
@color_option
def build(**options: object) -> int:
    """Put controlled failures into the reports and trajectories of PATH, one in each copy, and say where.

    \b
    assay bench build reports.jsonl runs.jsonl -o bench
    assay bench build reports/ -o attacks --types attacks --per-type 30
    assay bench build reports/ -o bench --editor openai/gpt-5-mini --types fabrication,incoherence

    Each instance differs from its reference in one place. Filters throw out what shows that it was edited; how far
    detectors of length and of style get is told at the end. instances.jsonl holds assay.bench/1, bench.json how it was
    made.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.bench_building import BuildAsked, run_build  # noqa: PLC0415 - loads what building needs

    return run_build(BuildAsked(**options))  # type: ignore[arg-type]
