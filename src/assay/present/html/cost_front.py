"""What accuracy costs: judges or conditions by tokens and accuracy, with the front that none beats in both (REFLECT, figure 5b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.measures.pareto import pareto_front
from assay.present.charts import Dot, scatter
from assay.present.html.card_sections import rate_range
from assay.present.html.tables import PageFigure, PageSection
from assay.present.numbers import NONE, percent
from assay.present.table import table_of
from assay.text.amounts import money, tokens

if TYPE_CHECKING:
    from markupsafe import Markup

    from assay.meta.results import BenchmarkResult

_TITLE: Final = "What accuracy costs"
_LETTERS: Final = 26


def cost_front(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[PageSection]:
    """Yield the section of a page; nothing for fewer than two judges that ask a model.

    Args:
        shown: Results (``assay.bench-result/1``).
        names: A name for each.
    """
    rows = _rows(shown, names)
    if len(rows) < 2:
        return
    yield PageSection(
        key="front",
        title=_TITLE,
        methods=["A judge is on the front if no other one is at least as accurate for as few tokens."],
        figures=[PageFigure(_TITLE, "", _chart(rows))],
        tables=[
            table_of(
                rows,
                [
                    ("", lambda row: f"{row['letter']} {row['name']}"),
                    ("detects", lambda row: f"{percent(row['accuracy'])} %"),
                    ("95 %", lambda row: rate_range(row["rate"])),
                    ("tokens per instance", lambda row: tokens(row["tokens"])),
                    ("per detected failure", lambda row: NONE if row["cost"] is None else money(row["cost"])),
                    ("on the front", lambda row: "yes" if row["front"] else "no"),
                ],
            )
        ],
    )


def front_svg(results: BenchmarkResult) -> str | None:
    """Return the chart alone, as a file; None for fewer than two judges that ask a model."""
    rows = _rows([item.to_dict() for item in results.detections], results.names)
    if len(rows) < 2:
        return None
    chart = str(_chart(rows)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    at = chart.index(">") + 1
    return f"{chart[:at]}<style>{_STYLE}</style>{chart[at:]}\n"


# The page's style sheet is not there for a file of its own.
_STYLE: Final = (
    "text{font:11px sans-serif;fill:#222}.ax{stroke:#ccc;fill:none}.tick{fill:#555}"
    "path:not(.ax){fill:#2a6f97;stroke:none}.s1{fill:#c1666b!important}"
)


def _rows(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    rows = [
        {
            "name": name,
            "accuracy": item["accuracy"]["value"],
            "rate": item["accuracy"],
            "tokens": item["usage"]["tokens_per_instance"],
            "cost": item["usage"]["cost_per_correct"],
        }
        for name, item in zip(names, shown, strict=True)
        if item["usage"]["tokens_per_instance"] and item["accuracy"]["value"] is not None
    ]
    front = pareto_front([(row["accuracy"], row["tokens"]) for row in rows], ("max", "min"))
    # Names are too long for a chart; letters join it to the table.
    return [
        {**row, "front": on, "letter": chr(ord("A") + at) if at < _LETTERS else str(at + 1)}
        for at, (row, on) in enumerate(zip(rows, front, strict=True))
    ]


def _chart(rows: Sequence[Mapping[str, Any]]) -> Markup:
    dots = [
        Dot(
            x=row["tokens"],
            y=row["accuracy"],
            label=row["letter"],
            series=0 if row["front"] else 1,
            about=f"{row['letter']} {row['name']}: {percent(row['accuracy'])} % for {tokens(row['tokens'])} tokens an instance",
        )
        for row in rows
    ]
    return scatter(
        dots,
        names=["on the front", "beaten in both"],
        key="front",
        title=_TITLE,
        x="tokens per instance",
        y="failures detected",
    )
