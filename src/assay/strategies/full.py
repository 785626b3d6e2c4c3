"""Free reasoning, step by step, then the verdict (Full-CoT of the paper)."""

from typing import Final

from assay.strategies.base import Field, Strategy

# Strategies of several calls ask for it before a verdict too: the paper builds them on this one.
REASONING: Final = Field("reasoning", "your reasoning, step by step", "逐步的推理过程")

STRATEGY = Strategy(
    name="full",
    summary="Free step-by-step reasoning on every criterion, then the verdict.",
    source="cot-judges, section 3.3, Full-CoT",
    fields=(REASONING,),
)
