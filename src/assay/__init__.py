"""Assay judges deep-research reports and agent trajectories, and puts the judges themselves on trial.

from assay import Report, audit

result = audit(Report.read("report.md", query="How fast will heat pumps spread?"))
for finding in result.findings:
    print(finding.code, finding.message)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay._version import __version__

if TYPE_CHECKING:
    from assay.audits.audit import audit
    from assay.audits.compare import compare
    from assay.audits.result import Audit
    from assay.checks.base import Check, Finding
    from assay.errors import AssayError, InputError, MissingExtraError, ModelError, UsageError
    from assay.judges.judgment import Judgment, Quote, Verdict
    from assay.judges.judgments import Judgments
    from assay.judges.ranking import Ranking
    from assay.judges.settings import JudgeSettings
    from assay.logic.graph import LogicGraph
    from assay.logic.rule_graph import build_graph
    from assay.rubrics.loader import load_rubric
    from assay.runs.bound_judge import open_judge
    from assay.subjects.reading import read_subjects
    from assay.subjects.report import Report
    from assay.subjects.span import Span
    from assay.subjects.trajectory import Trajectory

__all__ = [
    "AssayError",
    "Audit",
    "Check",
    "Finding",
    "InputError",
    "JudgeSettings",
    "Judgment",
    "Judgments",
    "LogicGraph",
    "MissingExtraError",
    "ModelError",
    "Quote",
    "Ranking",
    "Report",
    "Span",
    "Trajectory",
    "UsageError",
    "Verdict",
    "__version__",
    "audit",
    "build_graph",
    "compare",
    "load_rubric",
    "open_judge",
    "read_subjects",
]

# Names load with their modules when first used, so that `import assay` and `assay --help` cost nothing.
_HOMES = {
    "AssayError": "assay.errors",
    "Audit": "assay.audits.result",
    "Check": "assay.checks.base",
    "Finding": "assay.checks.base",
    "InputError": "assay.errors",
    "JudgeSettings": "assay.judges.settings",
    "Judgment": "assay.judges.judgment",
    "Judgments": "assay.judges.judgments",
    "Verdict": "assay.judges.judgment",
    "Quote": "assay.judges.judgment",
    "LogicGraph": "assay.logic.graph",
    "MissingExtraError": "assay.errors",
    "ModelError": "assay.errors",
    "Ranking": "assay.judges.ranking",
    "Report": "assay.subjects.report",
    "Span": "assay.subjects.span",
    "Trajectory": "assay.subjects.trajectory",
    "UsageError": "assay.errors",
    "audit": "assay.audits.audit",
    "build_graph": "assay.logic.rule_graph",
    "compare": "assay.audits.compare",
    "load_rubric": "assay.rubrics.loader",
    "open_judge": "assay.runs.bound_judge",
    "read_subjects": "assay.subjects.reading",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        from assay.deprecated import old_name  # noqa: PLC0415 - only for names that are not current

        return old_name(name)
    import importlib  # noqa: PLC0415 - only when a name is asked for

    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
