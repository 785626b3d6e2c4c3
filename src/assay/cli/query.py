"""``assay query``: what a model says about questions before anybody writes a report on them."""

from __future__ import annotations

from typing import Final

from assay.cli.commands import LazyGroup, group

# The module of each subcommand, and its line in the list.
SUBCOMMANDS: Final[dict[str, tuple[str, str]]] = {
    "category": ("query_category", "Sort finance questions into categories."),
    "complexity": ("query_labels", "Label how complex questions are."),
    "list": ("query_list", "List the questions that suites bring."),
    "suitable": ("query_labels", "Say which questions call for a report."),
}


class QueryGroup(LazyGroup):
    """The subcommands of ``assay query``."""

    places = SUBCOMMANDS
    called = "subcommand of `assay query`"


@group(cls=QueryGroup)
def query() -> None:
    """Filter and label research questions with a model; list those that suites bring.

    \b
    assay query suitable "Why did lithium prices fall?" --model openai/gpt-5-mini
    assay query complexity questions.jsonl --model openai/gpt-5-mini -o labels.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"
