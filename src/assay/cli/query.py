"""``assay query``: what a model says of questions before anybody writes a report on them.

Each subcommand lives in a file of its own and loads when it is called.
"""

from __future__ import annotations

from typing import Final

import click

from assay.cli.commands import LazyGroup, command, group
from assay.cli.options import color_option, format_option

# Where each subcommand lives, and its one line of help.
SUBCOMMANDS: Final[dict[str, tuple[str, str]]] = {
    "category": ("assay.cli.query_category:category", "Sort finance questions into categories."),
    "complexity": ("assay.cli.query_complexity:complexity", "Label how complex questions are."),
    "list": ("assay.cli.query:list_", "List the questions that suites bring."),
    "suitable": ("assay.cli.query_suitable:suitable", "Say which questions call for a report."),
}


class _Group(LazyGroup):
    """Loads its subcommands when they are called."""

    places = SUBCOMMANDS
    called = "subcommand of `assay query`"


@group(cls=_Group, short_help="Filter and label research questions by a model.")
def query() -> None:
    """Filter and label research questions by a model; list those that suites bring.

    \b
    assay query suitable "Why did lithium prices fall?" --model openai/gpt-5-mini
    assay query complexity questions.jsonl --model openai/gpt-5-mini -o labels.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"


@command(short_help="List the questions that suites bring.")
@click.argument("suite", required=False)
@format_option("text", "jsonl")
@color_option
def list_(suite: str | None, *, format: str, color: str) -> None:  # noqa: A002 - the option's name
    """List the questions that suites bring, or those of one SUITE."""
    from assay.cli.query_list import show_questions  # noqa: PLC0415 - loads the suites

    show_questions(suite, form=format, color=color)
