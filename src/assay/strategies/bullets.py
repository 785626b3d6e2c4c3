"""A terse line for each criterion, then the verdict (Bullet-point of the paper).

With a single criterion there is a line for each point that bears on it, as in the paper's prompt for its data set
with one score (appendix H.2).
"""

from assay.strategies.base import Field, Strategy

STRATEGY = Strategy(
    name="bullets",
    summary="One terse line for each criterion, then the verdict.",
    source="cot-judges, section 3.3, Bullet-point",
    fields=(Field("bullets", "the lines", "逐条列出的要点", many=True),),
)
