"""What every contender is given, and how it reports: one JSON line with seconds of CPU and wall.

A first, tiny run loads whatever a contender loads late and is counted as start-up; the second is measured.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

Work = dict[str, Any]


def measured(run: Callable[[Work], Awaitable[int]]) -> None:
    """Run the work named on the command line: base_url, model, concurrency, items (query, report, criteria)."""
    work: Work = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    first = work["items"][0]
    tiny = {**work, "items": [{**first, "report": "A report.", "criteria": first["criteria"][:1]}]}

    async def main() -> dict[str, float]:
        await run(tiny)
        startup, cpu, wall = time.process_time(), time.process_time(), time.perf_counter()
        judgments = await run(work)
        return {
            "judgments": judgments,
            "cpu": time.process_time() - cpu,
            "wall": time.perf_counter() - wall,
            "startup_cpu": startup,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }

    print(json.dumps(asyncio.run(main())))
