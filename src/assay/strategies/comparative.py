"""Compare first, then judge by the comparison (Comparative of the paper; A0 of its ablations).

A single document is compared with a reference answer. Two or more documents are compared with the reference if
there is one, and with each other if there is none: the paper has single solutions only, which leaves nothing but
the ground truth.
"""

from typing import Final

from assay.strategies.base import Field, Strategy

APPROACH: Final = Field(
    "approach",
    "how each goes about it, and whether the approaches match: yes, partly or no",
    "各自的思路，以及思路是否一致：是、部分或否",
)
DIFFERENCES: Final = Field(
    "differences",
    "the differences in reasoning or results that matter",
    "推理或结果上的重要差异",
    many=True,
)
ERRORS: Final = Field(
    "errors",
    "errors and gaps of what is judged that its counterpart does not have",
    "评审对象有、而比较对象没有的错误和缺漏",
    many=True,
)
RATIONALE: Final = Field("rationale", "what follows from that for each criterion", "由此对每项标准得出的判断")

STRATEGY = Strategy(
    name="comparative",
    summary="Compare with the reference (or with each other): approach, differences, errors, rationale.",
    source="cot-judges, section 3.3, Comparative; A0 of appendix E",
    fields=(APPROACH, DIFFERENCES, ERRORS, RATIONALE),
    needs_reference=frozenset({"score"}),
)
