"""``assay logic``."""

from __future__ import annotations

import click

from assay.cli.options import (
    format_option,
    opened,
    output_option,
    query_option,
    query_text,
    spare_inputs,
)

__all__ = ["logic"]


@click.command(short_help="Show the argument of a report: claims and what supports them.")
@click.argument("file")
@format_option("text", "json", "dot", "mermaid", "svg", "html")
@query_option
@output_option
def logic(file: str, *, format: str, query: str | None, output: str | None) -> None:  # noqa: A002
    """Show the argument of the report in FILE: core claims, the claims under them, the evidence at the bottom."""
    from assay.logic.extract import build_graph  # noqa: PLC0415 - loads the parser
    from assay.logic.render import render  # noqa: PLC0415
    from assay.subjects.reading import read_report  # noqa: PLC0415

    spare_inputs(output, [file])
    graph = build_graph(read_report(file, query_text(query)))
    with opened(output) as stream:
        stream.write(render(graph, format))
