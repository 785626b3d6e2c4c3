"""``assay init``: a commented settings file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from assay.cli.arguments import Arguments, argument, option
from assay.cli.commands import command
from assay.errors import InputError, UsageError

TEMPLATE: Final = """\
# Settings of Assay, for this folder and those below it. The same keys may stand in pyproject.toml under [tool.assay].
# An option on the command line wins over a variable (ASSAY_AUDIT_..., ASSAY_LEDGER), and that over this file.

# ---- `assay audit` ----

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

# ---- Judges with a model: `assay judge`, `compare`, `rank`, `run` ----

# Where calls and judgments are kept: a file, relative to this one, or postgresql://USER@HOST/NAME.
# ledger = ".assay/ledger.sqlite"

# A folder of your own prompts, or several; `assay prompts show NAME --raw` prints one to start from.
# prompts = "prompts"

# From here on tables: keys of their own stand above.

# ---- Tables of `assay audit` ----

# What to leave out in some files; globs are relative to this file.
# [per-file]
# "drafts/**" = { ignore = ["STR", "EXP"] }

# Options of single checks.
# [options.EXP004]
# words = 60
# [options.COH005]
# known = ["SMR", "PPA"]

# ---- Tables of models ----

# One model, by its id in quotes. Keys belong into variables (OPENAI_API_KEY) or into a file .env, never here.
# [models."openai/gpt-5-mini"]
# concurrency = 64
# rpm = 500
# tpm = 200000
# timeout = 300
# max-attempts = 6
# max-tokens = 4096
# reasoning-effort = "low"
# price = { input = 0.25, cached = 0.025, output = 2 }

# All models of a provider, known or new; this one's are then lab/NAME.
# [providers.lab]
# base-url = "https://llm.example.org/v1"
# key-env = "LAB_KEY"
# context = 32768
# caches = true
# headers = { X-Team = "${LAB_TEAM}" }
# body = { top_k = 20 }
"""


class InitArguments(Arguments):
    """What the command line of ``assay init`` says."""

    folder: str = argument(required=False)
    force: bool = option("Replace an existing file.")


@command(InitArguments)
def init(args: InitArguments) -> None:
    """Write a commented assay.toml into FOLDER (here, by default)."""
    path = Path(args.folder or ".") / "assay.toml"
    if path.exists() and not args.force:
        raise UsageError(f"{path} exists already; --force replaces it")
    try:
        path.write_text(TEMPLATE, "utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
    click.echo(f"wrote {path}")
