"""``assay logic``: the argument of a report."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.author_session import OptionalAuthorArguments
from assay.cli.commands import command
from assay.cli.options import LanguageArguments, OutputArguments, QueryArguments, columns_for, query_text
from assay.cli.outputs import opened

if TYPE_CHECKING:
    from assay.logic.graph import LogicGraph
    from assay.subjects.report import Report

# Options that need no model.
_ALWAYS = frozenset(("file", "format", "query", "output", "model", "language"))


class LogicArguments(QueryArguments, LanguageArguments, OptionalAuthorArguments, OutputArguments):
    """What the command line of ``assay logic`` says."""

    file: str = argument()
    format: Literal["text", "json", "dot", "mermaid", "svg", "html"]
    support: bool | None = option(
        "With --model: check each claim for support by what stands under it. [check]",
        flags="--support/--no-support",
    )


@command(LogicArguments)
def logic(args: LogicArguments) -> int:
    """Show the argument of the report in FILE: core claims, the claims under them, the evidence at the bottom.

    Rules build the graph. With --model that model builds it, section by section, however long the report is. Each node is checked against the report, and nodes that are not in it are dropped.
    """
    from assay.subjects.reading import read_report

    if not args.model:
        _refuse_model_options(args)
    report = read_report(args.file, query_text(args.query))
    if not args.model:
        from assay.logic.rule_graph import build_graph

        _write(build_graph(report), args)
        return 0
    return _by_model(report, args)


def _refuse_model_options(args: LogicArguments) -> None:
    """Refuse options of a model without one, rather than ignore them.

    Raises:
        UsageError: Some are given.
    """
    for field in dataclasses.fields(args):
        if field.name not in _ALWAYS and getattr(args, field.name) != field.default:
            flag = "--no-support" if field.name == "support" else f"--{field.name.replace('_', '-')}"
            raise click.UsageError(f"{flag} needs --model; without one, rules build the graph")


def _by_model(report: Report, args: LogicArguments) -> int:
    from assay.cli.author_session import AuthorSession, run_author_session
    from assay.logic.model import ExtractionSettings, extract_graph

    async def work(session: AuthorSession) -> int:
        author = await session.author()
        window = session.backend.window(args.model)
        settings = ExtractionSettings().within(window, author.sampling.max_tokens or 0)
        extraction = await extract_graph(author, report, support=args.support is not False, settings=settings)
        _write(extraction.graph, args)
        if not args.quiet:
            for problem in extraction.problems:
                click.echo(f"assay: {problem}", err=True)
            click.echo(extraction.summary(), err=True)
        return 3 if extraction.fallback and extraction.steps and _all_failed(extraction.steps) else 0

    return run_author_session(args, work)


def _all_failed(steps: Any) -> bool:
    return all(step.written.status == "failed" for step in steps)


def _write(graph: LogicGraph, args: LogicArguments) -> None:
    from assay.present.graph import render

    with opened(args.output) as stream:
        stream.write(render(graph, args.format, args.language, width=columns_for(stream)))
