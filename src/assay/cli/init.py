"""``assay init``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from assay.errors import InputError, UsageError

__all__ = ["TEMPLATE", "init"]

TEMPLATE: Final = """\
# Settings of `assay audit`, for this folder and those below it. The same keys may stand in pyproject.toml under
# [tool.assay]. An option on the command line wins over a variable (ASSAY_AUDIT_...), and that over this file.

# What to run: codes, families, names, or "ALL". Without it, every check that is on by default.
# select = ["NUM", "CIT", "broken-pair"]

# What to leave out. The closer selector wins: select = ["NUM001"] beats ignore = ["NUM"].
# ignore = ["EXP"]

# The least severity that makes the command end with exit code 1: error, warning, info, never.
# fail-on = "error"

# Findings less sure than this (0 to 1) are left out.
# min-confidence = 0.5

# May comments in a report take findings back (<!-- assay: ignore NUM001 -->)? For reports that you do not trust,
# no: the judged text could silence its judge.
# inline = true

# The question that reports answer, where they do not carry their own.
# query = "How fast will heat pumps spread?"

# A folder with the texts of cited sources, for checks that compare a claim with its source.
# sources = "sources"

# What to leave out in some files; globs are relative to this file.
# [per-file]
# "drafts/**" = { ignore = ["STR", "EXP"] }

# Options of single checks.
# [options.EXP004]
# words = 60
# [options.COH005]
# known = ["SMR", "PPA"]
"""


@click.command(short_help="Write a commented assay.toml to start from.")
@click.argument("folder", default=".", type=click.Path(file_okay=False))
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def init(folder: str, *, force: bool) -> None:
    """Write a commented assay.toml into FOLDER (here, by default)."""
    path = Path(folder) / "assay.toml"
    if path.exists() and not force:
        raise UsageError(f"{path} is there already; --force replaces it")
    try:
        path.write_text(TEMPLATE, "utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
    click.echo(f"wrote {path}")
