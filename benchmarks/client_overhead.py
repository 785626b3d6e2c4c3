"""What a call costs in the client's process: ours against a bare aiohttp loop with the json module, in one run.

python benchmarks/client_overhead.py --calls 3000 --concurrency 128 --latency 0.1
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import aiohttp
import msgspec

from assay.models.base import Message, Request, Sampling
from assay.models.endpoint import Endpoint, EndpointModel
from assay.models.providers import Provider
from assay.models.settings import ModelSettings

SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 1, "maximum": 5}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
SYSTEM = "You judge reports. Answer with JSON as asked."
# About 2,000 words, some of them not ASCII, as in real reports.
REPORT = (
    "Heat pumps reached 38 % of new installations in 2024 – up from 21 % – though the grid’s limits remain. "
    * 130
)


def prompt(i: int) -> str:
    return f"\n\nCriterion {i}: does the report name its sources?"


async def bare(url: str, calls: int, concurrency: int) -> None:
    gate = asyncio.Semaphore(concurrency)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(i: int) -> None:
            body = {
                "model": "mock",
                "messages": [
                    {"role": "system", "content": SYSTEM},
                    {"role": "user", "content": REPORT + prompt(i)},
                ],
                "temperature": 0.0,
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "reply", "schema": SCHEMA},
                },
            }
            async with gate, session.post(f"{url}/chat/completions", json=body) as response:
                data = json.loads(await response.read())
                assert data["choices"][0]["message"]["content"]

        await asyncio.gather(*(one(i) for i in range(calls)))


async def floor(url: str, calls: int, concurrency: int) -> None:
    """The least there is: the same bytes each time, an answer that nobody reads."""
    body = msgspec.json.encode(
        {
            "model": "mock",
            "messages": [
                {"role": "system", "content": SYSTEM},
                {"role": "user", "content": REPORT + prompt(0)},
            ],
            "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}},
        }
    )
    headers = {"Content-Type": "application/json"}
    gate = asyncio.Semaphore(concurrency)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one() -> None:
            async with gate, session.post(f"{url}/chat/completions", data=body, headers=headers) as response:
                await response.read()

        await asyncio.gather(*(one() for _ in range(calls)))


async def ours(url: str, calls: int, concurrency: int) -> None:
    endpoint = Endpoint(provider=Provider(name="mock", key=False), base_url=url, name="mock")
    model = EndpointModel("mock/mock", endpoint, ModelSettings(concurrency=concurrency))

    async def one(i: int) -> None:
        request = Request(
            model="mock/mock",
            messages=(Message("system", SYSTEM), Message("user", prompt(i), REPORT)),
            sampling=Sampling(),
            schema=SCHEMA,
        )
        reply = await model.complete(request)
        assert reply.text

    await asyncio.gather(*(one(i) for i in range(calls)))
    await model.close()


def measure(call, *arguments) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(call(*arguments))
    return (time.process_time() - cpu) * 1e3 / arguments[1], time.perf_counter() - wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--concurrency", type=int, default=128)
    parser.add_argument("--latency", type=float, default=0.1)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    server = subprocess.Popen(
        [
            sys.executable,
            str(Path(__file__).with_name("mock_server.py")),
            "--latency",
            str(arguments.latency),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = json.loads(server.stdout.readline())["base_url"]
        figures: dict[str, list[float]] = {"bytes only": [], "bare aiohttp": [], "assay": []}
        walls: dict[str, float] = {}
        for _ in range(arguments.rounds):
            for name, call in (("bytes only", floor), ("bare aiohttp", bare), ("assay", ours)):
                cpu, walls[name] = measure(call, url, arguments.calls, arguments.concurrency)
                figures[name].append(cpu)
    finally:
        server.terminate()
        server.wait()
    usual = statistics.median(figures["bare aiohttp"])
    for name, values in figures.items():
        middle = statistics.median(values)
        print(
            f"{name:14} {middle:.3f} ms CPU a call (of {', '.join(f'{value:.3f}' for value in values)}), "
            f"{middle / usual:.2f} of the bare loop, wall {walls[name]:.2f} s"
        )


if __name__ == "__main__":
    main()
