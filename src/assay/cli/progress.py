"""A progress bar on stderr, for long work on a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ROWS: Final = (".jsonl", ".ndjson")
# Counting the rows of a larger file would take longer than a first look at it should.
_COUNTED: Final = 1 << 30


@contextmanager
def progress(paths: Iterable[str], limit: int | None, *, enabled: bool) -> Iterator[Callable[[], None]]:
    """Gives a function to call after each report. Draws nothing where stderr is no terminal."""
    if not enabled or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 - only where something is drawn
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    total = _expected(paths)
    if limit is not None:
        total = limit if total is None else min(total, limit)
    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("audit", total=total)
        yield lambda: bar.advance(task)


def _expected(paths: Iterable[str]) -> int | None:
    """How many reports there will be; None where that cannot be told cheaply."""
    total = 0
    for name in paths:
        path = Path(name)
        if not path.is_file():
            return None
        if path.suffix.lower() not in _ROWS:
            total += 1
        elif path.stat().st_size > _COUNTED:
            return None
        else:
            with path.open("rb") as stream:
                total += sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b""))
    return total
