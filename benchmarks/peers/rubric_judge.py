"""rubric (The LLM Data Company), its per-criterion grader with the official OpenAI client, as its README shows.

Two things favour it: one client is shared by all calls, and it goes over aiohttp, the client's fastest transport.
"""

from __future__ import annotations

import asyncio

from common import Work, measured
from openai import AsyncOpenAI, DefaultAioHttpClient
from rubric import PerCriterionOutput, Rubric
from rubric.autograders import PerCriterionGrader

SCHEMA = {"name": "criterion_output", "schema": PerCriterionOutput.model_json_schema()}


async def run(work: Work) -> int:
    gate = asyncio.Semaphore(work["concurrency"])
    client = AsyncOpenAI(
        api_key="none", base_url=work["base_url"], http_client=DefaultAioHttpClient(timeout=120)
    )

    async def generate(system_prompt: str, user_prompt: str, **_: object) -> PerCriterionOutput:
        async with gate:
            response = await client.chat.completions.create(
                model=work["model"],
                messages=[
                    {"role": "system", "content": system_prompt},
                    {"role": "user", "content": user_prompt},
                ],
                response_format={"type": "json_schema", "json_schema": SCHEMA},
                max_tokens=400,
                temperature=0.0,
            )
        return PerCriterionOutput.model_validate_json(response.choices[0].message.content or "{}")

    grader = PerCriterionGrader(generate_fn=generate)

    async def grade(item: dict) -> int:
        rubric = Rubric.from_dict([{"weight": 1.0, "requirement": text} for text in item["criteria"]])
        result = await rubric.grade(query=item["query"], to_grade=item["report"], autograder=grader)
        return len(result.report or [])

    return sum(await asyncio.gather(*(grade(item) for item in work["items"])))


measured(run)
