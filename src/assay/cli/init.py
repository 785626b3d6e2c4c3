"""``assay init``: a commented settings file."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import click

from assay.cli.arguments import Arguments, argument, option
from assay.cli.commands import command
from assay.errors import InputError, UsageError

TEMPLATE: Final = """\
# Settings of Assay, for this folder and those below it. The same keys may stand in pyproject.toml under [tool.assay].
# Options on the command line override variables (ASSAY_AUDIT_..., ASSAY_LEDGER), which override this file.

# ---- `assay audit` ----

# Checks to run: codes, families, names, or "ALL". [every check that is on by default]
# select = ["NUM", "CIT", "broken-pair"]

# Checks to leave out. The more specific selector wins: select = ["NUM001"] beats ignore = ["NUM"].
# ignore = ["EXP"]

# The least severity of a finding that makes the exit code 1: error, warning, info, never.
# fail-on = "error"

# Findings with less confidence than this (0 to 1) are left out.
# min-confidence = 0.5

# Whether comments in a report may suppress findings (<!-- assay: ignore NUM001 -->). Say false for reports that you
# do not trust, because the text could silence its own audit.
# inline = true

# The question for reports that do not carry their own.
# query = "How fast will heat pumps spread?"

# A folder with the texts of cited sources, for checks that compare a claim with its source.
# sources = "sources"

# ---- Judges with a model: `assay judge`, `compare`, `rank`, `run` ----

# Where calls and judgments are kept: a file, relative to this one, or postgresql://USER@HOST/NAME.
# ledger = ".assay/ledger.sqlite"

# A folder of your own prompts, or several; `assay strategies show NAME --raw` prints one to start from.
# prompts = "prompts"

# Tables follow; keys without a table must stand above.

# ---- Tables of `assay audit` ----

# Checks to leave out in some files; globs are relative to this file.
# [per-file]
# "drafts/**" = { ignore = ["STR", "EXP"] }

# Options of single checks.
# [options.QUA004]
# words = 600
# [options.COH005]
# known = ["SMR", "PPA"]

# ---- Tables of models ----

# One model, by its id in quotes. Keys belong in variables (OPENAI_API_KEY) or in a file .env, never here.
# [models."openai/gpt-5-mini"]
# concurrency = 64
# rpm = 500
# tpm = 200000
# timeout = 300
# max-attempts = 6
# max-tokens = 4096
# reasoning-effort = "low"
# price = { input = 0.25, cached = 0.025, output = 2 }

# All models of a provider, known or new; the models of this one are lab/NAME.
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
    completion: Literal["bash", "zsh", "fish"] | None = option(
        "Print the completion script for this shell instead, and write no file."
    )


@command(InitArguments)
def init(args: InitArguments) -> None:
    """Write a commented assay.toml into FOLDER (here, by default).

    \b
    bash   assay init --completion bash > ~/.local/share/bash-completion/completions/assay
    zsh    assay init --completion zsh > "${fpath[1]}/_assay"
    fish   assay init --completion fish > ~/.config/fish/completions/assay.fish
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    if args.completion is not None:
        click.echo(_completion(args.completion))
        return
    path = Path(args.folder or ".") / "assay.toml"
    if path.exists() and not args.force:
        raise UsageError(f"{path} exists already; --force replaces it")
    try:
        path.write_text(TEMPLATE, "utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
    click.echo(f"wrote {path}")


def _completion(shell: str) -> str:
    from click.shell_completion import get_completion_class

    from assay.cli.main import root

    kind = get_completion_class(shell)
    assert kind is not None  # the option offers only shells that click knows
    template = kind(root, {}, "assay", "_ASSAY_COMPLETE")
    # `source()` would first ask the shell for its version, but the script does not depend on it.
    return template.source_template % template.source_vars()
