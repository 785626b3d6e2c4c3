"""What accuracy costs: judges or conditions by tokens and accuracy, with the front that none beats in both (REFLECT, figure 5b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.measures.pareto import pareto_front
from assay.present.charts import Dot, scatter
from assay.present.html.card_sections import estimate, rate_range
from assay.present.html.tables import PageFigure, PageSection
from assay.present.numbers import NONE, between, percent
from assay.present.table import table_of
from assay.text.amounts import money, tokens

if TYPE_CHECKING:
    from assay.present.chart import Chart

_TITLE: Final = "What accuracy costs"


def cost_front(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[PageSection]:
    """Yield the section of a page; nothing for fewer than two judges that ask a model.

    Args:
        shown: Results (``assay.bench-result/1``).
        names: A name for each, with the letter of the page before it: "B full@openai/gpt-5".
    """
    rows = _rows(shown, names)
    if len(rows) < 2:
        return
    yield PageSection(
        key="front",
        title=_TITLE,
        methods=[
            "A judge is on the front if no other one is at least as accurate for as few tokens.",
            "Lines are 95 % intervals clustered by reference; the front rests on the values alone.",
        ],
        figures=[PageFigure(_TITLE, "", _chart(rows))],
        tables=[
            table_of(
                rows,
                [
                    ("judge", lambda row: row["name"]),
                    ("detects", lambda row: f"{percent(row['accuracy'])} %"),
                    ("95 %", lambda row: rate_range(row["rate"])),
                    ("of", lambda row: f"{row['rate']['n']}"),
                    ("tokens per instance", lambda row: tokens(row["tokens"])),
                    (
                        "US$ per detected failure",
                        lambda row: NONE if row["cost"] is None else money(row["cost"]),
                    ),
                    ("on the front", lambda row: "yes" if row["front"] else "no"),
                ],
                title="In numbers",
            )
        ],
    )


def _rows(shown: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    rows = [
        {
            "name": name,
            # Names are too long for a chart; the page's letters join it to the tables.
            "letter": name.partition(" ")[0],
            "accuracy": item["accuracy"]["value"],
            "rate": item["accuracy"],
            "tokens": item["usage"]["tokens_per_instance"],
            "cost": item["usage"]["cost_per_correct"],
        }
        for name, item in zip(names, shown, strict=True)
        if item["usage"]["tokens_per_instance"] and item["accuracy"]["value"] is not None
    ]
    front = pareto_front([(row["accuracy"], row["tokens"]) for row in rows], ("max", "min"))
    return [{**row, "front": on} for row, on in zip(rows, front, strict=True)]


def _chart(rows: Sequence[Mapping[str, Any]]) -> Chart:
    dots = [
        Dot(
            x=row["tokens"],
            y=row["accuracy"],
            low=row["rate"].get("low"),
            high=row["rate"].get("high"),
            label=row["letter"],
            series=0 if row["front"] else 1,
            about=_about(row),
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


def _about(row: Mapping[str, Any]) -> str:
    """Return what a dot shows: ``B full@openai/gpt-5: 75 % (62–85) of 48 for 900 tokens an instance``."""
    ends = between(estimate(row["rate"]))
    shown = f"{percent(row['accuracy'])} %" + (f" ({ends})" if ends else "")
    return f"{row['name']}: {shown} of {row['rate']['n']} for {tokens(row['tokens'])} tokens an instance"
