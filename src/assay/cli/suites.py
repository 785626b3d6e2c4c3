"""``assay run suites``: published scoring methods, and where their results agree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import argument
from assay.cli.commands import command, group
from assay.cli.options import (
    FormatArguments,
    LedgerArguments,
    OutputArguments,
    columns_for,
    json_text,
    painter_for,
)
from assay.cli.outputs import opened

if TYPE_CHECKING:
    from assay.suites.base import Suite


class SuitesArguments(FormatArguments):
    """What the command line of ``assay run suites`` says."""

    format: Literal["text", "json"]


@group()
def suites() -> None:
    """List the suites: published scoring methods for reports, each with the defaults of its paper.

    \b
    assay run --suite reportlogic reports/*.jsonl --judge openai/gpt-5-mini
    assay run --suite researchrubrics reports --judge M --rubric tasks.jsonl
    assay run suites agree RUN RUN      where their results agree and differ
    """  # noqa: D301 - click reads the backspace as "do not wrap"


@command(SuitesArguments, name="list")
def list_(args: SuitesArguments) -> None:
    """List the suites, with what each does and where it was published."""
    from assay.suites.registry import all_suites

    found = list(all_suites().values())
    if args.format == "json":
        click.echo(json_text([_as_dict(item) for item in found]))
        return
    from assay.present.wrapping import wrapped

    paint = painter_for(args.color)
    for number, item in enumerate(found):
        click.echo(("\n" if number else "") + f"{paint(item.name, 'bold')}  {item.title}")
        click.echo("\n".join(wrapped(item.summary, columns_for(sys.stdout), "    ")))
        doing = {"score": "scores each report", "compare": "compares pairs", "rank": "ranks sets"}
        does = ", ".join(doing[mode] for mode in item.modes)
        rubric = item.rubric or "yours (--rubric)"
        click.echo(paint(f"    {does}; strategy {item.strategy}; rubric {rubric}", "dim"))
        click.echo(paint(f"    {item.source}", "dim"))


class SuiteAgreeArguments(LedgerArguments, OutputArguments):
    """What the command line of ``assay run suites agree`` says."""

    runs: tuple[str, ...] = argument("RUN...")
    format: Literal["text", "json", "html"]


@command(SuiteAgreeArguments)
def agree(args: SuiteAgreeArguments) -> None:
    """Join the results of RUNs on report and system, and show where their suites agree and differ.

    A suite (or a rubric) with its judge is one condition. Each condition ranks the systems; rank correlations show how
    far two conditions agree about systems and about single reports, and the reports on which they differ most are named.
    """
    from itertools import chain

    from assay.errors import UsageError
    from assay.runs.judgment_join import join_judgments
    from assay.runs.ledger import open_ledger
    from assay.runs.ledger_location import ledger_location
    from assay.suites.concordance import compare_rubrics

    with open_ledger(ledger_location(args.ledger), read_only=True) as kept:
        ids = [kept.run(name).id for name in args.runs]
        scored, compared = join_judgments(
            chain.from_iterable(kept.judgments(name) for name in dict.fromkeys(ids))
        )
    if not scored and not compared:
        raise UsageError(
            f"nothing in {', '.join(ids)} can be joined: judgments must say which system wrote each report"
            " (rows with a `system`, or `system:` beside the path in the experiment)"
        )
    found = compare_rubrics(scored, compared)
    with opened(args.output) as stream:
        if args.format == "json":
            import msgspec

            stream.write(msgspec.json.encode(found).decode() + "\n")
        elif args.format == "html":
            from assay.present.html.suites import suites_page

            stream.write(suites_page(found, runs=ids))
        else:
            from assay.present.suites import concordance_text

            stream.write(concordance_text(found, painter_for(args.color)))


def _as_dict(suite: Suite) -> dict[str, object]:
    import msgspec

    return {
        "name": suite.name,
        "title": suite.title,
        "summary": suite.summary,
        "source": suite.source,
        "modes": list(suite.modes),
        "strategy": suite.strategy,
        "rubric": suite.rubric or None,
        "settings": msgspec.to_builtins(suite.settings),
    }
