"""The verdict alone, without any reasoning (No-CoT of the paper)."""

from assay.strategies.base import Strategy

STRATEGY = Strategy(
    name="direct",
    summary="The verdict alone, no reasoning.",
    source="cot-judges, section 3.3, No-CoT",
)
