"""Tables as Markdown, with words of others made harmless."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from assay.present.display import visible


class _Table(Protocol):
    """What is shown of a table; ``left``: how many of its first columns hold words."""

    @property
    def key(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def heads(self) -> Sequence[str]: ...
    @property
    def left(self) -> int: ...
    @property
    def rows(self) -> Sequence[Sequence[str]]: ...


def markdown_cell(text: str) -> str:
    """Words of others in a line of Markdown: no markup, no HTML, no end of the cell."""
    return re.sub(r"([\\|*_`\[\]<>#])", r"\\\1", visible(text))


def markdown_tables(
    tables: Iterable[_Table], methods: Mapping[str, str], only: Collection[str] = ()
) -> Iterator[str]:
    """Lines of tables under headings, each method once, after the first table made by it.

    Args:
        tables: In order.
        methods: How each is made, by its key.
        only: Keys of those wanted; all where there are none.
    """
    said: set[str] = set()
    for table in tables:
        if only and table.key not in only:
            continue
        yield from ("", f"## {markdown_cell(table.title)}", "")
        yield "| " + " | ".join(map(markdown_cell, table.heads)) + " |"
        yield "|" + "".join("---|" if at < table.left else "---:|" for at in range(len(table.heads)))
        for row in table.rows:
            cells = (markdown_cell(cell) if at < table.left else cell for at, cell in enumerate(row))
            yield "| " + " | ".join(cells) + " |"
        if table.method not in said:
            said.add(table.method)
            yield from ("", methods[table.method])
