"""The floor: a loop that posts the same prompts and decodes the replies, and does nothing else."""

from __future__ import annotations

import asyncio
import json

import aiohttp
from common import Work, measured


async def run(work: Work) -> int:
    gate = asyncio.Semaphore(work["concurrency"])
    connector = aiohttp.TCPConnector(limit=0)
    url = work["base_url"] + "/chat/completions"
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask(report: str, criterion: str) -> str:
            body = {
                "model": work["model"],
                "messages": [{"role": "user", "content": f"{report}\n\nCriterion: {criterion}"}],
            }
            async with gate, session.post(url, json=body) as response:
                data = json.loads(await response.read())
            return data["choices"][0]["message"]["content"]

        replies = await asyncio.gather(
            *(ask(item["report"], criterion) for item in work["items"] for criterion in item["criteria"])
        )
    return len(replies)


measured(run)
