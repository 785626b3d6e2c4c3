"""How a run shows its progress: a bar in terminals and notebooks, or a function of the caller."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from assay.runs.run_settings import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.runs.budget import Spending
    from assay.runs.engine import RunProgress

# Seconds between two reports, and before a bar appears.
_EVERY: Final = 0.1
_SOON: Final = 1.0


@contextlib.contextmanager
def reporting(
    wanted: bool | Callable[[Progress], Any] | None, progress: RunProgress, spending: Spending
) -> Iterator[None]:
    """Report the progress while the block runs, and once at its end."""
    shows = wanted is True or (wanted is None and (sys.stderr.isatty() or "ipykernel" in sys.modules))
    if not callable(wanted) and not shows:
        yield
        return
    report, close = _bar()
    if callable(wanted):
        report = wanted
    drawing = asyncio.create_task(_draw(report, progress, spending, 0.0 if callable(wanted) else _SOON))
    try:
        yield
    finally:
        drawing.cancel()
        if callable(wanted):
            report(_snapshot(progress, spending))
        close()


async def _draw(
    report: Callable[[Progress], Any], progress: RunProgress, spending: Spending, delay: float
) -> None:
    await asyncio.sleep(delay)
    while True:
        report(_snapshot(progress, spending))
        await asyncio.sleep(_EVERY)


def _snapshot(progress: RunProgress, spending: Spending) -> Progress:
    return Progress(
        planned=progress.planned or 0,
        done=progress.done,
        made=progress.made,
        recalled=progress.recalled,
        failed=progress.made - progress.statuses["ok"],
        usage=spending.spent,
        seconds=time.monotonic() - progress.began,
        seconds_left=progress.seconds_left,
    )


def _bar() -> tuple[Callable[[Progress], Any], Callable[[], None]]:
    """Return a function that shows a bar from its first call on, and one that removes it."""
    lines: list[Any] = []

    def show(progress: Progress) -> None:
        if not lines:
            bar = _rich_bar()
            bar.start()
            lines.extend((bar, bar.add_task("", total=progress.planned)))
        cost = progress.usage.cost_usd
        parts = [f"{progress.failed:,} without a verdict"] if progress.failed else []
        parts += [f"${cost:.2f}"] if cost else []
        lines[0].update(lines[1], completed=progress.done, description=" · ".join(parts))

    def close() -> None:
        if lines:
            lines[0].stop()

    return show, close


def _rich_bar() -> Any:
    from rich import progress as bars  # noqa: PLC0415 - only where something is shown
    from rich.console import Console  # noqa: PLC0415

    return bars.Progress(
        bars.TextColumn("judging"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.description}"),
        console=Console(stderr=True),
        transient=True,
    )
