"""How a run shows its progress: live in terminals and notebooks, as lines in a log, or through the caller's function."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from assay.models.base import Usage
from assay.runs.run_settings import Progress
from assay.text.amounts import clock

if TYPE_CHECKING:
    from assay.runs.engine import RunProgress
    from assay.runs.session import Session

# Seconds between two drawings, short enough to look live; between two lines of a log; and before anything is shown.
_LIVE: Final = 0.25
_LINES: Final = 5.0
_SOON: Final = 1.0


@contextlib.contextmanager
def reporting(
    wanted: bool | Callable[[Progress], Any] | None,
    progress: RunProgress,
    session: Callable[[], Session | None],
    *,
    stopping: Callable[[], bool] = lambda: False,
    logs: bool = False,
) -> Iterator[None]:
    """Report the progress while the block runs, and once at its end.

    Args:
        wanted: A function that receives it, whether to show it, or None: in terminals and notebooks.
        progress: How far the work is.
        session: Returns what asks the models, once it is open.
        stopping: Whether the work is being stopped.
        logs: Whether to write a line now and then where nothing live can be shown.
    """
    live = sys.stderr.isatty() or "ipykernel" in sys.modules
    display: _Caller | _Log | _Live
    if callable(wanted):
        display = _Caller(lambda: wanted(_snapshot(progress, session())))
    elif wanted is False or not (live or logs or wanted):
        yield
        return
    else:
        lines = _Lines(progress, session, stopping)
        display = _Live(lines) if live or wanted else _Log(lines)
    drawing = asyncio.create_task(_draw(display))
    try:
        yield
    finally:
        drawing.cancel()
        display.end()


async def _draw(display: _Caller | _Log | _Live) -> None:
    await asyncio.sleep(display.delay)
    while True:
        display.show()
        await asyncio.sleep(display.every)


def _snapshot(progress: RunProgress, session: Session | None) -> Progress:
    return Progress(
        planned=progress.planned or 0,
        done=progress.done,
        made=progress.made,
        recalled=progress.recalled,
        failed=progress.made - progress.statuses["ok"],
        usage=session.spending.spent if session is not None else Usage(),
        seconds=time.monotonic() - progress.began,
        seconds_left=progress.seconds_left,
    )


class _Caller:
    """Progress for a function of the caller."""

    delay = 0.0
    every = 0.1

    def __init__(self, show: Callable[[], Any]) -> None:
        self.show = self.end = show


class _Lines:
    """The two lines that every display shows: how far the work is, and its usage so far."""

    def __init__(
        self, progress: RunProgress, session: Callable[[], Session | None], stopping: Callable[[], bool]
    ) -> None:
        self.progress = progress
        self._session = session
        self._stopping = stopping

    def texts(self) -> tuple[str, str]:
        """Return both lines."""
        progress, session = self.progress, self._session()
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
        calls = []
        if session is not None:
            retries = session.spending.retries
            calls = [str(session.spending.spent), *([f"{retries:,} retries"] if retries else [])]
            calls.append(f"{session.active:,} in flight")
        return " · ".join(parts), " · ".join(calls)


class _Log:
    """Progress for logs: a line every few seconds if anything has changed."""

    delay = every = _LINES

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines
        self._last = ""

    def show(self) -> None:
        """Write a line."""
        line = " · ".join(self._lines.texts())
        if line != self._last:
            self._last = line
            print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)  # noqa: T201 - the display

    end = show


class _Live:
    """Progress for terminals and notebooks; work that ends at once shows none."""

    delay = _SOON
    every = _LIVE

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines
        self._live: Any = None

    def show(self) -> None:
        """Draw both lines and a bar."""
        if self._live is None:
            from rich import progress as bars  # noqa: PLC0415 - only where something is shown
            from rich.console import Console  # noqa: PLC0415
            from rich.live import Live  # noqa: PLC0415

            percent = bars.TextColumn("{task.percentage:>3.0f}%")
            self._bar = bars.Progress(bars.BarColumn(bar_width=None), percent, expand=True)
            self._task = self._bar.add_task("", total=self._lines.progress.planned)
            self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(self._picture(), refresh=True)

    def end(self) -> None:
        """Remove them."""
        if self._live is not None:
            self._live.stop()

    def _picture(self) -> Any:
        from rich.console import Group  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        progress = self._lines.progress
        self._bar.update(self._task, completed=progress.done, total=progress.planned)
        first, second = self._lines.texts()
        return Group(self._bar, Text(first, no_wrap=True), Text(second, style="dim", no_wrap=True))
