"""The live display of a run: a few lines that are redrawn on a terminal, or a line now and then in a log."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from assay.present.numbers import clock, usage_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from assay.runs.runner import Run

# Seconds between two drawings: short enough to look live, long enough to cost nothing.
_TERMINAL: Final = 0.25
_LINES: Final = 5.0


@contextlib.asynccontextmanager
async def show_progress(run: Run, *, quiet: bool) -> AsyncIterator[None]:
    """Show the progress of a run on stderr."""
    if quiet:
        yield
        return
    live = LiveProgress(run) if sys.stderr.isatty() else LogProgress(run)
    drawing = asyncio.create_task(live.draw())
    try:
        yield
    finally:
        drawing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await drawing
        live.end()


def progress_lines(run: Run) -> tuple[str, str]:
    """Return two lines: how far the run is, and its usage so far."""
    progress, session = run.progress, run.session
    planned = progress.planned or 0
    parts = [f"{progress.done:,}/{planned:,}"]
    if progress.recalled:
        parts.append(f"{progress.recalled:,} already there")
    if progress.made:
        rate = progress.rate
        parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{rate * 60:.1f}/min")
    for status in ("unparsed", "refused", "failed"):
        if progress.statuses[status]:
            parts.append(f"{progress.statuses[status]:,} {status}")
    if progress.pending:
        parts.append(f"{progress.pending:,} wait for replies")
    left = progress.seconds_left
    if run.stopping:
        parts.append("stopping; Ctrl-C again does not wait")
    elif left is not None and progress.done < planned:
        parts.append(f"{clock(left)} left")
    calls = [usage_text(session.spending.spent)]
    if session.spending.retries:
        calls.append(f"{session.spending.retries:,} retries")
    calls.append(f"{session.active:,} in flight")
    return " · ".join(parts), " · ".join(calls)


class LogProgress:
    """Progress for logs: a line every few seconds if anything has changed."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._last = ""

    async def draw(self) -> None:
        """Show the progress until cancelled."""
        while True:
            await asyncio.sleep(_LINES)
            self._print()

    def end(self) -> None:
        """Stop showing it."""
        self._print()

    def _print(self) -> None:
        line = " · ".join(progress_lines(self._run))
        if line != self._last:
            self._last = line
            print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)  # noqa: T201 - the display


class LiveProgress:
    """Progress for a terminal."""

    def __init__(self, run: Run) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, Progress, TextColumn

        self._run = run
        self._bar = Progress(BarColumn(bar_width=None), TextColumn("{task.percentage:>3.0f}%"), expand=True)
        self._task = self._bar.add_task("", total=run.progress.planned)
        self._live: Any = Live(
            self._picture(), console=Console(stderr=True), auto_refresh=False, transient=True
        )
        self._live.start()

    async def draw(self) -> None:
        """Show the progress until cancelled."""
        while True:
            await asyncio.sleep(_TERMINAL)
            self._live.update(self._picture(), refresh=True)

    def end(self) -> None:
        """Stop showing it."""
        self._live.stop()

    def _picture(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        self._bar.update(self._task, completed=self._run.progress.done)
        first, second = progress_lines(self._run)
        return Group(self._bar, Text(first, no_wrap=True), Text(second, style="dim", no_wrap=True))
