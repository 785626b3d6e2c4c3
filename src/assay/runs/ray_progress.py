"""What the workers of a run on Ray report, and its sum."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from assay.models.base import Usage

if TYPE_CHECKING:
    from assay.runs.budget import Spending
    from assay.runs.engine import RunProgress


class ShareReport(msgspec.Struct, frozen=True, kw_only=True):
    """How far a worker is. ``life`` names its process, so that a restart is noticed."""

    life: str
    made: int = 0
    recalled: int = 0
    skipped: int = 0
    halted: int = 0
    statuses: dict[str, int] = {}
    spent: Usage = Usage()
    retries: int = 0
    wasted_requests: int = 0
    reached: str | None = None
    problem: Any = None


class Tally:
    """What the workers report, summed. A worker that was started again counts what its earlier lives had made."""

    def __init__(self, total: int) -> None:
        self._now: list[ShareReport | None] = [None] * total
        self._before: list[list[ShareReport]] = [[] for _ in range(total)]

    @property
    def reached(self) -> list[str | None]:
        """The caps that workers met."""
        return [report.reached for report in self._now if report is not None]

    def add(self, index: int, report: ShareReport) -> str | None:
        """Take a report; return the life of the worker that ended before it, if one did."""
        before = self._now[index]
        self._now[index] = report
        if before is None or before.life == report.life:
            return None
        self._before[index].append(before)
        return before.life

    def write(self, progress: RunProgress, spending: Spending) -> None:
        """Write the sums."""
        made = recalled = skipped = halted = 0
        statuses: Counter[str] = Counter()
        spent, retries, wasted = Usage(), 0, 0
        for now, before in zip(self._now, self._before, strict=True):
            lives = [*before, *([now] if now is not None else [])]
            earlier = sum(life.made for life in before)
            made += sum(life.made for life in lives)
            # What an earlier life made is found again by the next one.
            recalled += max(0, (now.recalled if now is not None else 0) - earlier)
            skipped += now.skipped if now is not None else 0
            halted += now.halted if now is not None else 0
            for life in lives:
                statuses.update(life.statuses)
                spent, retries, wasted = (
                    spent + life.spent,
                    retries + life.retries,
                    wasted + life.wasted_requests,
                )
        progress.made, progress.recalled, progress.skipped, progress.halted = made, recalled, skipped, halted
        progress.statuses = statuses
        spending.spent, spending.retries, spending.wasted_requests = spent, retries, wasted
