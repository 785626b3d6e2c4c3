"""One or two sentences on the whole, then the verdict (Brief-CoT of the paper)."""

from assay.strategies.base import Field, Strategy

STRATEGY = Strategy(
    name="brief",
    summary="One or two sentences, then the verdict.",
    source="cot-judges, section 3.3, Brief-CoT",
    fields=(
        Field(
            "assessment",
            "one or two short sentences that sum up what decides",
            "一两句短话，概括决定性的理由",
        ),
    ),
)
