"""A run that is going, as server-sent events: progress, rate, cost so far, and failures as they come."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from starlette.responses import Response, StreamingResponse

from assay.runs.records import RunRow
from assay.web.judgment_index import HeadFilter
from assay.web.opened import OpenedLedger
from assay.web.run_tables import RunTables, run_of_word

if TYPE_CHECKING:
    from starlette.requests import Request

_EVERY: Final = 1.0
_FAILURES: Final = 5
# The rate is the mean over this many events.
_SECONDS: Final = 15


async def run_events(request: Request) -> Response:
    """Stream the state of a run until it is over or the page is closed."""
    items, number = request.app.state.items, request.path_params["item"]
    item = items[number] if 0 <= number < len(items) else None
    if not isinstance(item, OpenedLedger):
        return Response("There is no such run.", 404, media_type="text/plain")
    run = run_of_word(request.path_params["run"])
    tables: RunTables = request.app.state.tables

    async def events() -> AsyncIterator[str]:
        seen: deque[tuple[float, int]] = deque(maxlen=_SECONDS)
        while not await request.is_disconnected():
            state = await anyio.to_thread.run_sync(lambda: run_state(item, number, run, tables))
            seen.append((time.monotonic(), state["done"]))
            (start, first), (end, last) = seen[0], seen[-1]
            state["rate"] = (last - first) / (end - start) if end > start else 0.0
            yield f"event: state\ndata: {json.dumps(state)}\n\n"
            if not state["live"]:
                return
            await asyncio.sleep(_EVERY)

    return StreamingResponse(events(), media_type="text/event-stream")


def run_state(item: OpenedLedger, number: int, run: str, tables: RunTables) -> dict[str, Any]:
    """Return how far a run is, what it has cost, and the failures that came last."""
    with item.lock:
        row = item.ledger.run(run)
        counts = item.ledger.coverage(row.id)
    done = sum(counts.values())
    state = tables.prepare(number, item, row.id)
    name = tables.name(number, row.id)
    failures: list[dict[str, str]] = []
    totals: dict[str, Any] = {"tokens": 0, "cost": None}
    if state.ready.is_set():
        for status in ("failed", "refused", "unparsed"):
            rows = tables.index.page(
                name, HeadFilter(status=status, sort="at", down=True), None, _FAILURES
            ).rows
            failures += [
                {
                    "key": head.key,
                    "subject": head.subject,
                    "judge": head.judge,
                    "status": status,
                    "problem": head.problem,
                }
                for head in rows
            ]
        totals = tables.index.totals(name)
    planned = planned_of(row)
    return {
        "status": row.status,
        "live": row.status in ("running", "waiting"),
        "done": done,
        "planned": max(planned, done),
        "counts": counts,
        "seconds": time.time() - row.created,
        "failures": failures[:_FAILURES],
        **totals,
    }


def planned_of(row: RunRow) -> int:
    """Return the number of judgments that a run planned; 0 if its plan does not say."""
    judgments = row.plan.get("judgments")
    if not isinstance(judgments, list):
        return 0
    return sum(int(item.get("planned") or 0) for item in judgments if isinstance(item, dict))
