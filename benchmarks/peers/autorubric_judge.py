"""autorubric, its criterion grader over LiteLLM, as its README shows."""

from __future__ import annotations

import asyncio

from autorubric import LLMConfig, Rubric
from autorubric.graders import CriterionGrader
from common import Work, measured


async def run(work: Work) -> int:
    config = LLMConfig(
        model="openai/" + work["model"],
        api_base=work["base_url"],
        api_key="none",
        max_parallel_requests=work["concurrency"],
        temperature=0.0,
        max_tokens=400,
    )
    grader = CriterionGrader(judge_model_config=config)

    async def grade(item: dict) -> int:
        rubric = Rubric.from_dict([{"weight": 1.0, "requirement": text} for text in item["criteria"]])
        result = await rubric.grade(to_grade=item["report"], grader=grader, query=item["query"])
        return len(result.report or [])

    return sum(await asyncio.gather(*(grade(item) for item in work["items"])))


measured(run)
