"""Charts of a result as files: what `--format svg`, `png` and `pdf` do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.present.chart import Chart

CHARTS = ("svg", "png", "pdf")


def check_charts(kind: str, output: str | None) -> None:
    """Refuse to write pictures to a terminal, before anything is computed.

    Raises:
        UsageError: Charts are asked for, and no file is named.
    """
    if kind in CHARTS and output is None:
        raise UsageError(
            f"--format {kind} writes a file for each chart: name them with -o, as -o board.{kind}"
        )


def write_chart_files(charts: Iterable[Chart], output: str | None, kind: Any) -> None:
    """Write charts, and say on stderr which files they are."""
    from assay.present.chart_files import write_charts

    check_charts(kind, output)
    files = write_charts(list(charts), output or "", kind)
    click.echo(f"assay: wrote {', '.join(map(str, files))}", err=True)
