"""Three fixed stages: sum up, check the steps that matter, decide (Structured-CoT of the paper)."""

from assay.strategies.base import Field, Strategy

STRATEGY = Strategy(
    name="structured",
    summary="Sum up, check the key steps, decide; then the verdict.",
    source="cot-judges, section 3.3, Structured-CoT",
    fields=(
        Field(
            "summary", "two or three sentences: what is attempted, and how", "两三句话：要做什么，怎么做的"
        ),
        Field(
            "checks",
            "the two to four steps or claims that most depends on, each with whether it holds and why",
            "最关键的两到四个步骤或论断，逐一说明是否成立及原因",
            many=True,
        ),
        Field("decision", "what follows, one line for each criterion", "由此得出的判断，每项标准一行"),
    ),
)
