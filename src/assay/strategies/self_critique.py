"""A first assessment, an attack on it, and what survives (Self-Critique of the paper)."""

from assay.strategies.base import Field, Strategy

STRATEGY = Strategy(
    name="self_critique",
    summary="Assess, challenge the assessment as too harsh or too lenient, settle; then the verdict.",
    source="cot-judges, section 3.3, Self-critique",
    fields=(
        Field("assessment", "a quick assessment and the verdict you lean to", "快速评估，以及你倾向的结论"),
        Field(
            "challenge",
            "the best objections to it, from both sides",
            "对这一评估最有力的质疑，正反两方面都要有",
        ),
        Field("settled", "what stands after them", "经质疑后仍然成立的判断"),
    ),
)
