"""The comparative strategy told to evaluate instead of comparing, with the reference still in sight (ablation A1).

It tests whether pointing at the reference is what helps, so it needs a reference in every mode.
"""

from assay.strategies.base import Field, Strategy
from assay.subjects.case import MODES

STRATEGY = Strategy(
    name="comparative_no_compare",
    summary="Comparative that evaluates correctness; the reference is shown and not mentioned.",
    source="cot-judges, appendix E, A1",
    fields=(
        Field(
            "approach",
            "how it goes about it, and whether that is sound: yes, partly or no",
            "其思路，以及思路是否可靠：是、部分或否",
        ),
        Field("points", "the points of reasoning or results that matter", "推理或结果上的要点", many=True),
        Field("errors", "its errors and gaps", "其中的错误和缺漏", many=True),
        Field("rationale", "what follows from that for each criterion", "由此对每项标准得出的判断"),
    ),
    needs_reference=frozenset(MODES),
)
