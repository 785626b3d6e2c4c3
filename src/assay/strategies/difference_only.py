"""List the differences, then judge: the comparative strategy without its other parts (ablation A2)."""

from assay.strategies.base import Field, Strategy

STRATEGY = Strategy(
    name="difference_only",
    summary="List the differences from the reference (or between the documents), then the verdict.",
    source="cot-judges, appendix E, A2",
    fields=(Field("differences", "the differences", "差异", many=True),),
    needs_reference=frozenset({"score"}),
)
