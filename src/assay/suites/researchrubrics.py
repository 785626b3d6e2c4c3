"""ResearchRubrics: reports graded by weighted criteria that people wrote for each task."""

from assay.judges.settings import JudgeSettings
from assay.suites.base import Suite

SUITE = Suite(
    name="researchrubrics",
    title="ResearchRubrics",
    summary="Reports graded by weighted criteria of their task: compliance, failures, mandatory or not.",
    source="ResearchRubrics, sections 3 and 4",
    modes=("score",),
    strategy="grader",
    settings=JudgeSettings(per_call=1),
)
