"""ReportLogic: judges which of two reports argues better, overall and on eight dimensions, by its own rubric."""

from __future__ import annotations

from typing import Final

from assay.judges.settings import JudgeSettings
from assay.suites.base import Suite

SUITE: Final = Suite(
    name="reportlogic",
    title="ReportLogic",
    summary="Pairs compared on eight dimensions of logic, by a rubric written for each pair.",
    source="reportlogic, sections 3 to 5, appendices A and B.3",
    modes=("compare",),
    strategy="logicjudge",
    rubric="reportlogic-instance",
    # The paper's longest reply of a judge (appendix B.3).
    settings=JudgeSettings(max_tokens=4096),
)
