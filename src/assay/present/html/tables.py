"""Pages of tables: sections with how figures are computed, charts, and the numbers beneath them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from assay.present.chart import Chart
from assay.present.html.frame import render
from assay.present.table import Table, TableSet

_KEYS: Final = (("t", "light or dark"), ("?", "these keys"))


class PageFigure(msgspec.Struct, frozen=True):
    """A chart with its title and what it shows."""

    title: str
    caption: str
    chart: Chart


class PageSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a page.

    Attributes:
        key: Its anchor.
        title: Heading.
        methods: How the figures are computed.
        figures: Charts.
        tables: Numbers, each to unfold.
        open: Whether the tables are unfolded at first.
    """

    key: str
    title: str
    methods: Sequence[str] = ()
    figures: Sequence[PageFigure] = ()
    tables: Sequence[Table] = ()
    open: bool = True


def charts_in(sections: Iterable[PageSection]) -> list[Chart]:
    """Return the charts of sections in their order."""
    return [figure.chart for section in sections for figure in section.figures]


def sections_of(
    tables: TableSet,
    plan: Sequence[tuple[str, str, Sequence[str]]],
    figures: Mapping[str, Callable[[], Iterable[PageFigure]]],
    *,
    opened: Sequence[str],
) -> list[PageSection]:
    """Return the sections of a page that have tables.

    Args:
        tables: All tables.
        plan: Key, title and tables of each section; ``strata`` is also ``strata-domain``.
        figures: What draws the charts of a section.
        opened: Sections whose tables are unfolded at first.
    """
    sections = []
    for key, title, families in plan:
        mine = [table for table in tables.tables if table.key.partition("-")[0] in families]
        if mine:
            methods = dict.fromkeys(table.method for table in mine)
            sections.append(
                PageSection(
                    key=key,
                    title=title,
                    methods=[tables.methods[method] for method in methods],
                    figures=list(figures[key]()) if key in figures else [],
                    tables=mine,
                    open=key in opened,
                )
            )
    return sections


def tables_page(
    tables: TableSet,
    sections: Sequence[PageSection],
    *,
    title: str,
    crumb: str,
    foot: str,
    rubrics: Sequence[str] = (),
) -> str:
    """Return a page that needs nothing beside itself."""
    return plain_page(
        "tables.html.j2",
        title=title,
        crumb=crumb,
        facts=tables.facts,
        judges=tables.judges,
        rubrics=rubrics,
        notes=[*tables.notes, *(note for table in tables.tables for note in table.notes)],
        sections=sections,
        foot=foot,
    )


def plain_page(template: str, *, home: str | None = None, **context: Any) -> str:
    """Return a page without findings to step through; ``home`` is the address of what is above it."""
    return render(template, home=home, keys=_KEYS, **context)
