"""Tables as data: one model for every result, which the writers turn into text, Markdown, CSV, HTML and LaTeX.

A result has one function that makes its tables; how a table looks is a matter of the writers in
`assay.present.terminal` and `assay.present.markup`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, Self, TypeVar

import msgspec

from assay.errors import UsageError
from assay.present.display import Style
from assay.suggest import did_you_mean

T = TypeVar("T")
Align = Literal["l", "r", "p"]
# A heading and the function that gives its cell; or several headings and the function that gives all their cells.
Column = tuple[str | Sequence[str], Callable[[T], str | Sequence[str]]]


# Cells that say nothing where others have a figure.
NOTHING: Final = ("", "0")


class StyledText(str):
    """A cell with a style, for writers that have colours; to the others it is its text."""

    __slots__ = ("style",)
    style: Style

    def __new__(cls, text: str, style: Style) -> Self:
        """Make a cell of ``text`` in ``style``."""
        cell = super().__new__(cls, text)
        cell.style = style
        return cell


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of texts.

    Attributes:
        heads: Column headings.
        rows: Cells, as many in each row as there are headings.
        align: One letter a column, from the left; columns without a letter hold numbers. ``l``: words. ``p``: words
            that are cut at their beginning, as paths are. ``r``: numbers, aligned to the right and never cut.
        key: Name by which the table is asked for.
        title: Heading for people.
        method: Key of the text that says how the figures are computed.
        notes: Lines below the table.
        spare: Number of columns, from the right, that text leaves out first on a narrow terminal.
        total: Whether the last row sums up the others.
        omit: Cells that say nothing: text leaves out a column that holds nothing else.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str = "l"
    key: str = ""
    title: str = ""
    method: str = ""
    notes: Sequence[str] = ()
    spare: int = 0
    total: bool = False
    omit: Sequence[str] = ()

    def alignment(self, at: int) -> Align:
        """Return how a column is aligned."""
        letter = self.align[at : at + 1]
        return "l" if letter == "l" else "p" if letter == "p" else "r"

    @property
    def left(self) -> int:
        """Number of columns from the left that hold words."""
        return len(self.align) - len(self.align.lstrip("lp"))


def table_of(
    items: Iterable[T],
    columns: Sequence[Column[T]],
    *,
    align: str = "l",
    key: str = "",
    title: str = "",
    method: str = "",
    spare: int = 0,
    notes: Sequence[str] = (),
    total: bool = False,
    omit: Sequence[str] = (),
) -> Table:
    """Make a table with a row for each item; a column is its heading and the function that gives its cell."""
    return Table(
        heads=[name for head, _ in columns for name in _several(head)],
        rows=[[text for _, cell in columns for text in _several(cell(item))] for item in items],
        align=align,
        key=key,
        title=title,
        method=method,
        spare=spare,
        notes=notes,
        total=total,
        omit=omit,
    )


def _several(cells: str | Sequence[str]) -> Sequence[str]:
    return [cells] if isinstance(cells, str) else cells


class TableSet(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of one result with what stands around them.

    Attributes:
        title: Name of the whole.
        facts: What was read: numbers, and what they count.
        judges: Names of the judges behind the figures.
        notes: What a reader must know before comparing.
        tables: The tables, in the order of the page.
        methods: How figures are computed, by the tables' ``method``.
        name_methods: Whether text puts the name of a method before its explanation.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    judges: Sequence[str]
    notes: Sequence[str]
    tables: Sequence[Table]
    methods: Mapping[str, str]
    name_methods: bool = False

    def headline(self) -> str:
        """Return what was read, on one line."""
        return " · ".join(map(" ".join, self.facts))

    def chosen(self, names: Sequence[str]) -> list[Table]:
        """Return the tables with these names, all of them if there are no names; ``strata`` is also ``strata-domain``.

        Raises:
            UsageError: No table has one of the names.
        """
        keys = [table.key for table in self.tables]
        for name in names:
            if not any(_named(key, name) for key in keys):
                raise UsageError(f"no table is called {name!r} here; {did_you_mean(name, keys)}")
        return [table for table in self.tables if not names or any(_named(table.key, name) for name in names)]


def _named(key: str, name: str) -> bool:
    return key == name or key.startswith(f"{name}-")
