"""``assay logic``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from assay.cli.authoring import author_options
from assay.cli.commands import command
from assay.cli.options import (
    columns_for,
    format_option,
    language_option,
    output_option,
    query_option,
    query_text,
)
from assay.cli.outputs import opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.logic.graph import LogicGraph
    from assay.present.interface import Choice
    from assay.subjects.report import Report

# Options that say something without a model too.
_ALWAYS = frozenset(("file", "format", "query", "output", "support", "language"))


@command(short_help="Show the argument of a report: claims and what supports them.")
@click.argument("file")
@format_option("text", "json", "dot", "mermaid", "svg", "html")
@query_option
@click.option(
    "--support/--no-support",
    default=True,
    show_default=True,
    help="With --model: have it check each claim for support by what stands under it.",
)
@language_option
@output_option
@partial(author_options, required=False)
@click.pass_context
def logic(
    context: click.Context,
    /,
    *,
    file: str,
    format: str,  # noqa: A002 - the option's name
    query: str | None,
    output: str | None,
    support: bool,
    language: Choice,
    **asked: Any,
) -> None:
    """Show the argument of the report in FILE: core claims, the claims under them, the evidence at the bottom.

    By rules, or with --model as that model reads it: by section and merged, so that a report may be short or long.
    Each node is held against the report, and those that do not stand in it are dropped.
    """
    from assay.subjects.reading import read_report  # noqa: PLC0415 - loads the parser

    if asked["model"] is None:
        _refuse_alone(context)
    report = read_report(file, query_text(query))
    write = partial(_write, form=format, output=output, language=language)
    if asked["model"] is None:
        from assay.logic.rule_graph import build_graph  # noqa: PLC0415

        write(build_graph(report))
        return
    context.exit(_by_model(report, write, support=support, asked=asked))


def _refuse_alone(context: click.Context) -> None:
    """Options of a model without one would be passed over in silence.

    Raises:
        UsageError: There are some.
    """
    from click.core import ParameterSource  # noqa: PLC0415

    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and ((name not in _ALWAYS and name != "model") or name == "support"):
            flag = max(parameter.opts, key=len)
            raise click.UsageError(f"{flag} goes with --model; without one the graph is built by rules.")


def _by_model(
    report: Report, write: Callable[[LogicGraph], None], *, support: bool, asked: dict[str, Any]
) -> int:
    from assay.cli.authoring import AuthorAsked, Authoring, run_authoring  # noqa: PLC0415
    from assay.logic.model import ExtractionSettings, extract_graph  # noqa: PLC0415

    told = AuthorAsked(**asked)

    async def work(authoring: Authoring) -> int:
        author = await authoring.author()
        window = authoring.session.window(told.model)
        settings = ExtractionSettings().within(window, author.sampling.max_tokens or 0)
        extraction = await extract_graph(author, report, support=support, settings=settings)
        write(extraction.graph)
        if not told.quiet:
            for problem in extraction.problems:
                click.echo(f"assay: {problem}", err=True)
            click.echo(extraction.summary(), err=True)
        return 3 if extraction.fallback and extraction.steps and _all_failed(extraction.steps) else 0

    return run_authoring(told, work)


def _all_failed(steps: Any) -> bool:
    return all(step.written.status == "failed" for step in steps)


def _write(graph: LogicGraph, *, form: str, output: str | None, language: Choice) -> None:
    from assay.present.graph import render  # noqa: PLC0415

    with opened(output) as stream:
        stream.write(render(graph, form, language, width=columns_for(stream)))
