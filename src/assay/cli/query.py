"""``assay query``: what a model says of questions before anybody writes a report on them.

Each subcommand lives in a file of its own and loads when it is called.
"""

from __future__ import annotations

import importlib
from typing import Final

import click

from assay.cli.options import color_option, format_option

__all__ = ["SUBCOMMANDS", "query"]

# Where each subcommand lives, and its one line of help.
SUBCOMMANDS: Final[dict[str, tuple[str, str]]] = {
    "category": ("assay.cli.query_category:category", "Sort finance questions into categories."),
    "complexity": ("assay.cli.query_complexity:complexity", "Label how complex questions are."),
    "list": ("assay.cli.query:list_", "List the questions that suites bring."),
    "suitable": ("assay.cli.query_suitable:suitable", "Say which questions call for a report."),
}


class _Group(click.Group):
    """Loads its subcommands when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in SUBCOMMANDS:
            return None
        module, _, name = SUBCOMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in SUBCOMMANDS:
            from assay.rubrics.fields import near  # noqa: PLC0415

            ctx.fail(f"`assay query` has no subcommand {args[0]!r}; {near(args[0], sorted(SUBCOMMANDS))}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUBCOMMANDS[name][1]) for name in sorted(SUBCOMMANDS)])


@click.group(cls=_Group, short_help="Filter and label research questions by a model.")
def query() -> None:
    """Filter and label research questions by a model; list those that suites bring.

    \b
    assay query suitable "Why did lithium prices fall?" --model openai/gpt-5-mini
    assay query complexity questions.jsonl --model openai/gpt-5-mini -o labels.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"


@click.command(short_help="List the questions that suites bring.")
@click.argument("suite", required=False)
@format_option("text", "jsonl")
@color_option
def list_(suite: str | None, *, format: str, color: str) -> None:  # noqa: A002 - the option's name
    """List the questions that suites bring, or those of one SUITE."""
    from assay.cli.query_list import show_questions  # noqa: PLC0415 - loads the suites

    show_questions(suite, form=format, color=color)
