"""``assay completion``: completion scripts for shells."""

from __future__ import annotations

from typing import Literal

import click
from click.shell_completion import get_completion_class

from assay.cli.arguments import Arguments, argument
from assay.cli.commands import command


class CompletionArguments(Arguments):
    """What the command line of ``assay completion`` says."""

    shell: Literal["bash", "zsh", "fish"] = argument()


@command(CompletionArguments)
def completion(args: CompletionArguments) -> None:
    """Print the completion script for a shell.

    \b
    bash   assay completion bash > ~/.local/share/bash-completion/completions/assay
    zsh    assay completion zsh > "${fpath[1]}/_assay"
    fish   assay completion fish > ~/.config/fish/completions/assay.fish
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.main import root

    kind = get_completion_class(args.shell)
    if kind is None:
        raise click.UsageError(f"no completion for {args.shell}")
    template = kind(root, {}, "assay", "_ASSAY_COMPLETE")
    # `source()` would first ask the args.shell for its version, but the script does not depend on it.
    click.echo(template.source_template % template.source_vars())
