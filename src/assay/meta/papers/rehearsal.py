"""What an exhibit would cost: the same run with random replies, which cost nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.meta.benchmark import Benchmark
from assay.models.base import Usage
from assay.models.prices import price_of
from assay.runs.run_settings import RunSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.meta.papers.exhibits import FromBenchmark

_STAND_IN: Final = "scripted/random"


class Rehearsal(msgspec.Struct, frozen=True, kw_only=True):
    """What one judge would take.

    Attributes:
        judge: Name of the judge.
        calls: Number of calls, without those that ask again after an unusable reply.
        input_tokens: Tokens of the prompts, by the stand-in's count.
        output_tokens: Tokens of the random replies; a judge that reasons writes more.
        cost_usd: Cost of both at the model's price without a prefix cache; None if the price is unknown.
    """

    judge: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


async def rehearse(
    make: FromBenchmark,
    benchmark: Benchmark,
    judges: Sequence[str],
    *,
    per_type: int | None,
    rubric: Sequence[str],
) -> list[Rehearsal]:
    """Run the conditions of an exhibit with random replies, and return what each judge would take.

    Args:
        make: How the exhibit is made.
        benchmark: The benchmark.
        judges: Names of judges; those without a model take nothing.
        per_type: Largest number of instances of each type; None for all.
        rubric: Rubrics in place of the exhibit's; empty for these.
    """
    chosen = benchmark.filter(per_type=per_type) if per_type else benchmark
    found = []
    for judge in judges:
        strategy, _, model = judge.rpartition("@")
        usage = Usage()
        if "/" in model:
            result = await chosen.arun(
                [f"{strategy}@{_STAND_IN}" if strategy else _STAND_IN],
                interface=list(make.interface),
                granularity=list(make.granularity),
                rubric=list(rubric or make.rubric),
                reasoning=None if make.reasoning is None else list(make.reasoning),
                baselines=False,
                settings=RunSettings(ledger=None, progress=False),
            )
            for item in result.asked:
                usage = usage + item.spent.usage
        price = price_of(model)
        cost = 0.0 if not usage.calls else None
        if usage.calls and price is not None:
            cost = price.cost(usage.input_tokens, 0, usage.output_tokens)
        found.append(
            Rehearsal(
                judge=judge,
                calls=usage.calls,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cost_usd=cost,
            )
        )
    return found
