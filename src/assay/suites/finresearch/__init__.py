"""FinResearchBench: ten dimensions of a finance report, judged with its argument graph in view."""

from assay.suites.base import Suite
from assay.suites.finresearch.judge import OPTIONS, FinResearchJudge
from assay.suites.finresearch.rules import FinResearchRules

__all__ = ["SUITE"]

SUITE = Suite(
    name="finresearch",
    title="FinResearchBench",
    summary="Ten dimensions of a finance report: four computed, six rated with its argument graph in view.",
    source="FinResearchBench, sections 3.1.4, 3.2 and 4; tables 1 to 4",
    modes=("score",),
    strategy="brief",
    rubric="finresearch",
    options=OPTIONS,
    make=FinResearchJudge,
    by_rules=FinResearchRules,
)
