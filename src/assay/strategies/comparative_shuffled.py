"""The comparative strategy with its four parts in another order (ablation A4).

Errors, rationale, approach, differences: the order of the paper. It uses the template of `comparative`, because
    nothing but
the order may differ.
"""

from assay.strategies.base import Strategy
from assay.strategies.comparative import APPROACH, DIFFERENCES, ERRORS, RATIONALE

STRATEGY = Strategy(
    name="comparative_shuffled",
    summary="Comparative with its parts in another order: errors, rationale, approach, differences.",
    source="cot-judges, appendix E, A4",
    fields=(ERRORS, RATIONALE, APPROACH, DIFFERENCES),
    needs_reference=frozenset({"score"}),
    template="comparative.jinja",
)
