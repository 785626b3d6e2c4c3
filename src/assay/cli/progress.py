"""The live display of a command that asks models: redrawn on a terminal, or a line now and then in a log."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from assay.present.numbers import clock, usage_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from assay.runs.engine import RunProgress
    from assay.runs.session import Session

# Seconds between two drawings, short enough to look live; between two lines of a log; and before anything is shown.
_TERMINAL: Final = 0.25
_LINES: Final = 5.0
_SOON: Final = 1.0


class ProgressLines:
    """The two lines that every display shows: how far the work is, and its usage so far."""

    def __init__(self, progress: RunProgress, session: Session, stopping: Callable[[], bool]) -> None:
        self.progress = progress
        self._session = session
        self._stopping = stopping

    def lines(self) -> tuple[str, str]:
        """Return both lines."""
        progress, spending = self.progress, self._session.spending
        parts = [f"{progress.done:,}/{progress.planned:,}" if progress.planned else f"{progress.done:,}"]
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
        if self._stopping():
            parts.append("stopping; Ctrl-C again does not wait")
        elif left is not None and progress.done < (progress.planned or 0):
            parts.append(f"{clock(left)} left")
        calls = [usage_text(spending.spent)]
        if spending.retries:
            calls.append(f"{spending.retries:,} retries")
        calls.append(f"{self._session.active:,} in flight")
        return " · ".join(parts), " · ".join(calls)


@contextlib.asynccontextmanager
async def show_progress(
    progress: RunProgress,
    session: Session,
    *,
    stopping: Callable[[], bool],
    quiet: bool,
    logs: bool = True,
) -> AsyncIterator[None]:
    """Show the progress of work on stderr.

    Args:
        progress: How far the work is.
        session: What asks the models.
        stopping: Whether the work is being stopped.
        quiet: Show nothing.
        logs: Write lines if stderr is not a terminal.
    """
    terminal = sys.stderr.isatty()
    if quiet or not (terminal or logs):
        yield
        return
    shown = ProgressLines(progress, session, stopping)
    live = LiveProgress(shown) if terminal else LogProgress(shown)
    drawing = asyncio.create_task(live.draw())
    try:
        yield
    finally:
        drawing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await drawing
        live.end()


class LogProgress:
    """Progress for logs: a line every few seconds if anything has changed."""

    def __init__(self, shown: ProgressLines) -> None:
        self._shown = shown
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
        line = " · ".join(self._shown.lines())
        if line != self._last:
            self._last = line
            print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)  # noqa: T201 - the display


class LiveProgress:
    """Progress for a terminal; work that ends at once shows none."""

    def __init__(self, shown: ProgressLines) -> None:
        self._shown = shown
        self._live: Any = None

    async def draw(self) -> None:
        """Show the progress until cancelled."""
        await asyncio.sleep(_SOON)
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, Progress, TextColumn

        self._bar = Progress(BarColumn(bar_width=None), TextColumn("{task.percentage:>3.0f}%"), expand=True)
        self._task = self._bar.add_task("", total=self._shown.progress.planned)
        self._live = Live(self._picture(), console=Console(stderr=True), auto_refresh=False, transient=True)
        self._live.start()
        while True:
            self._live.update(self._picture(), refresh=True)
            await asyncio.sleep(_TERMINAL)

    def end(self) -> None:
        """Stop showing it."""
        if self._live is not None:
            self._live.stop()

    def _picture(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        progress = self._shown.progress
        self._bar.update(self._task, completed=progress.done, total=progress.planned)
        first, second = self._shown.lines()
        return Group(self._bar, Text(first, no_wrap=True), Text(second, style="dim", no_wrap=True))
