"""A judgment of a model judge together with the answers that it combines, as tests look at them."""

import asyncio
from types import SimpleNamespace

from assay.judges.model_judge import ModelJudge
from assay.subjects.case import Case


async def outcome_of(judge: ModelJudge, case: Case) -> SimpleNamespace:
    """Return judgment and answers of one case."""
    rubric, parts = await judge.answer(case)
    return SimpleNamespace(judgment=judge.combine(case, 0, rubric, parts), parts=parts)


def judged(judge: ModelJudge, *subjects, **inputs) -> SimpleNamespace:
    """Return judgment and answers of one case, made here and now."""
    return asyncio.run(outcome_of(judge, Case(*subjects, **inputs)))
