"""Charts as files of their own: SVG, and PNG and PDF made from it by vl-convert (extra ``charts``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from assay.errors import MissingExtraError, UsageError
from assay.present.chart import Chart

ChartFormat = Literal["svg", "png", "pdf"]
# Pixels of a PNG for each unit of the drawing.
_SCALE: Final = 2.0


def chart_bytes(chart: Chart, kind: ChartFormat) -> bytes:
    """Return a chart as the content of a file.

    Raises:
        MissingExtraError: PNG or PDF is asked for, and vl-convert is not installed.
    """
    svg = chart.file()
    if kind == "svg":
        return svg.encode()
    try:
        import vl_convert  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError(f"a chart as {kind.upper()}", "charts") from error
    return bytes(vl_convert.svg_to_png(svg, scale=_SCALE) if kind == "png" else vl_convert.svg_to_pdf(svg))


def write_charts(charts: Sequence[Chart], path: str | Path, kind: ChartFormat) -> list[Path]:
    """Write each chart to a file beside ``path``: ``board.png`` becomes ``board-ratings.png`` and so on.

    One chart alone is written to ``path`` itself. Nothing is written unless all can be drawn.

    Returns:
        The files.

    Raises:
        UsageError: There are no charts.
        MissingExtraError: PNG or PDF is asked for, and vl-convert is not installed.
    """
    if not charts:
        raise UsageError("this result has no charts: too little was measured")
    place = Path(path)
    ending = place.suffix or f".{kind}"
    files = (
        [place]
        if len(charts) == 1
        else [place.with_name(f"{place.stem}-{chart.key}{ending}") for chart in charts]
    )
    made = [chart_bytes(chart, kind) for chart in charts]
    for file, content in zip(files, made, strict=True):
        file.write_bytes(content)
    return files
