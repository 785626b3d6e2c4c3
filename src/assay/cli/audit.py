"""``assay audit``: the options. What they do is in `assay.cli.auditing`."""

from __future__ import annotations

from typing import Final

import click

from assay.cli.commands import command
from assay.cli.options import (
    Amount,
    color_option,
    format_option,
    language_option,
    output_option,
    query_option,
)

_SIZES: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def _size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:  # noqa: ARG001 - click's
    """A number of bytes: ``500000``, ``64M``."""
    if value is None:
        return None
    text = value.strip().lower().removesuffix("b").removesuffix("i")
    unit = _SIZES.get(text[-1:], 1)
    digits = text[:-1] if unit > 1 else text
    if not digits.isascii() or not digits.isdigit() or int(digits) == 0:
        raise click.BadParameter(f"{value!r} is no size; write 500000, 64M or 1G")
    return int(digits) * unit


@command(
    short_help="Audit reports and trajectories: findings, argument, scores.",
    epilog="Exit codes: 0 done; 1 findings at or above --fail-on; 2 bad usage, or something could not be read; 3 a check "
    "failed; 130 interrupted. Where rows of a stream cannot be read the rest goes on, and 1 wins over 2 unless nothing "
    "could be read.",
)
@click.argument("paths", nargs=-1, metavar="PATH...")
@query_option
@click.option("--sources", metavar="DIR", help="Folder with the texts of cited sources.")
@click.option("--trajectory", metavar="FILE", help="The run that produced the report.")
@format_option("text", "json", "sarif", "junit", "html")
@output_option
@click.option(
    "--select", multiple=True, metavar="CODES", help="Run only these: codes, families, names; with commas."
)
@click.option("--ignore", multiple=True, metavar="CODES", help="Leave these out.")
@click.option(
    "--fail-on", type=click.Choice(["error", "warning", "info", "never"]), help="When to end with 1. [error]"
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Processes; 0 for all cores.",
)
@click.option(
    "--field", multiple=True, metavar="A=B", help="Field names of rows: report=article, query=prompt."
)
@click.option(
    "--input-format",
    metavar="NAME",
    help="How to read the input, instead of recognising it; a wrong name lists them.",
)
@click.option("--min-confidence", type=Amount(0, 1), help="Leave out findings less sure than this.")
@click.option("--limit", type=click.IntRange(min=1), help="Stop after so many reports.")
@click.option("--max-bytes", metavar="BYTES", callback=_size, help="The most one report may have. [32M]")
@click.option(
    "--config", metavar="FILE", help="Settings, instead of the nearest assay.toml or pyproject.toml."
)
@click.option("--isolated", is_flag=True, help="Read no settings file.")
@click.option(
    "--inline/--no-inline",
    default=None,
    help="Obey <!-- assay: ignore CODE --> in reports; not for untrusted ones.",
)
@click.option("-q", "--quiet", is_flag=True, help="Only the summary; no progress.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Say on stderr which settings and checks are used, and how fast."
)
@language_option
@color_option
def audit(**options: object) -> int:
    """Audit reports and trajectories: findings, argument, scores. No model, no network.

    PATH is a Markdown or text file, a folder, a glob, a JSONL stream of reports, a trajectory in any known format, or -
    for stdin. PDF, DOCX and HTML need `pip install 'assay[docs]'`.

    \b
    assay audit report.md --query @query.txt
    assay audit runs.jsonl --field report=article --format json -j 0 > audits.jsonl
    assay audit reports/ --format html -o site --fail-on never
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.auditing import Request, run  # noqa: PLC0415 - loads every check

    return run(Request(**options))  # type: ignore[arg-type]
