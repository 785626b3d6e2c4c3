"""Audits a second over `assay serve`, and how long the slowest wait.

    python benchmarks/service_load.py [REPORTS.jsonl] [--seconds 20]

Starts the service on this machine with one worker a core, and asks with 1, 8, 32 and 128 callers at once, each sending the
next report when its last audit has come. The callers share the cores with the service.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import re
import subprocess
import sys
import time
from pathlib import Path

import aiohttp
import numpy as np

from assay.subjects.reading import read_subjects
from assay.subjects.report import Report

EXAMPLES = Path(__file__).parents[1] / "examples"


async def load(
    port: int, bodies: list[dict[str, str]], callers: int, seconds: float
) -> tuple[list[float], int]:
    """Return the seconds of each audit and the number of refusals."""
    waits: list[float] = []
    refused = 0
    turn = itertools.cycle(bodies)
    until = time.perf_counter() + seconds

    async def call(session: aiohttp.ClientSession) -> None:
        nonlocal refused
        while time.perf_counter() < until:
            started = time.perf_counter()
            async with session.post(f"http://127.0.0.1:{port}/v1/audit", json=next(turn)) as reply:
                await reply.read()
            if reply.status == 503:
                refused += 1
                await asyncio.sleep(0.2)
            else:
                assert reply.status == 200, reply.status
                waits.append(time.perf_counter() - started)

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(call(session) for _ in range(callers)))
    return waits, refused


def main() -> None:
    """Print a line for each number of callers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("reports", nargs="?", default=str(EXAMPLES / "heat-pumps"))
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    reports = [item for item in read_subjects([options.reports]) if isinstance(item, Report)]
    bodies = [{"report": item.source, "question": item.query or ""} for item in reports]
    print(f"{len(bodies)} reports, {np.median([item.words for item in reports]):.0f} words in the middle")
    command = [sys.executable, "-m", "assay", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        match = re.search(r":(\d+)/", server.stderr.readline())
        assert match is not None
        try:
            for callers in (1, 8, 32, 128):
                waits, refused = asyncio.run(load(int(match[1]), bodies, callers, options.seconds))
                middle, late = np.percentile(waits, [50, 95]) * 1000
                rate = len(waits) / options.seconds
                print(
                    f"{callers:4} callers: {rate:6.1f} audits/s, p50 {middle:6.0f} ms, p95 {late:6.0f} ms, {refused} refused"
                )
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
