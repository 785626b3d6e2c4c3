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
    from assay import metrics, testing
    from assay.audits.audit import AuditOptions, audit
    from assay.audits.baseline import ReportChange
    from assay.audits.many import AuditChanges, Audits, Findings, audit_many
    from assay.audits.result import (
        Audit,
        LocatedFinding,
        Nothing,
        ReportAudit,
        ReportSummary,
        TrajectoryAudit,
        TrajectorySummary,
        Unchecked,
    )
    from assay.checks.base import Check, Context, Example, Finding, Hit, LocatedSpan
    from assay.checks.function_check import check
    from assay.errors import AssayError, InputError, MissingExtraError, ModelError, UsageError
    from assay.interventions.artefacts import Artefacts
    from assay.interventions.base import Edit
    from assay.interventions.instances import Instance
    from assay.interventions.perturbation import perturbation
    from assay.judges.judgment import Judgment, Quote, Verdict
    from assay.judges.judgments import Judgments
    from assay.judges.ranking import Ranking
    from assay.judges.settings import JudgeSettings
    from assay.logic.graph import Edge, LogicGraph, Metrics, Node
    from assay.logic.rule_graph import build_graph
    from assay.logic.scores import RuleScores
    from assay.measures.intervals import Estimate
    from assay.meta.agreement import agree
    from assay.meta.agreement_record import Agreement
    from assay.meta.benchmark import Benchmark
    from assay.meta.labels.label_set import Labels, read_labels
    from assay.meta.leaderboard.build import leaderboard
    from assay.meta.leaderboard.record import Leaderboard
    from assay.meta.published_verdicts import read_verdicts
    from assay.meta.result_comparison import compare_results
    from assay.meta.results import BenchmarkResult
    from assay.meta.stability import Stability, stability
    from assay.models.scripted import ScriptedModel
    from assay.models.settings import ModelSettings
    from assay.record import Record, Records
    from assay.registry import register
    from assay.rubrics.lint import RubricFinding
    from assay.rubrics.loader import load_rubric
    from assay.rubrics.rubric import Criterion, Rubric
    from assay.rubrics.scale import Choice, Scale
    from assay.runs.budget import Budget
    from assay.runs.judge import Judge
    from assay.runs.review_run import areview, review
    from assay.runs.run_settings import Progress, RunSettings
    from assay.runs.running import arun, astream, run
    from assay.strategies.own_strategy import strategy
    from assay.subjects.case import Case, Mode
    from assay.subjects.loaders.base import SubjectLoader
    from assay.subjects.loaders.function_loader import loader
    from assay.subjects.report import Report
    from assay.subjects.span import Span
    from assay.subjects.subject import Subject
    from assay.subjects.subjects import Subjects, read, round_robin
    from assay.subjects.trajectory import Trajectory

__all__ = [
    "Agreement",
    "Artefacts",
    "AssayError",
    "Audit",
    "AuditChanges",
    "AuditOptions",
    "Audits",
    "Benchmark",
    "BenchmarkResult",
    "Budget",
    "Case",
    "Check",
    "Choice",
    "Context",
    "Criterion",
    "Edge",
    "Edit",
    "Estimate",
    "Example",
    "Finding",
    "Findings",
    "Hit",
    "InputError",
    "Instance",
    "Judge",
    "JudgeSettings",
    "Judgment",
    "Judgments",
    "Labels",
    "Leaderboard",
    "LocatedFinding",
    "LocatedSpan",
    "LogicGraph",
    "Metrics",
    "MissingExtraError",
    "Mode",
    "ModelError",
    "ModelSettings",
    "Node",
    "Nothing",
    "Progress",
    "Quote",
    "Ranking",
    "Record",
    "Records",
    "Report",
    "ReportAudit",
    "ReportChange",
    "ReportSummary",
    "Rubric",
    "RubricFinding",
    "RuleScores",
    "RunSettings",
    "Scale",
    "ScriptedModel",
    "Span",
    "Stability",
    "Subject",
    "SubjectLoader",
    "Subjects",
    "Trajectory",
    "TrajectoryAudit",
    "TrajectorySummary",
    "Unchecked",
    "UsageError",
    "Verdict",
    "__version__",
    "agree",
    "areview",
    "arun",
    "astream",
    "audit",
    "audit_many",
    "build_graph",
    "check",
    "compare_results",
    "leaderboard",
    "load_rubric",
    "loader",
    "metrics",
    "perturbation",
    "read",
    "read_labels",
    "read_verdicts",
    "register",
    "review",
    "round_robin",
    "run",
    "stability",
    "strategy",
    "testing",
]

# Names load with their modules when first used, so that `import assay` and `assay --help` cost nothing.
_HOMES = {
    "Agreement": "assay.meta.agreement_record",
    "Artefacts": "assay.interventions.artefacts",
    "AssayError": "assay.errors",
    "Audit": "assay.audits.result",
    "AuditChanges": "assay.audits.many",
    "AuditOptions": "assay.audits.audit",
    "Audits": "assay.audits.many",
    "Benchmark": "assay.meta.benchmark",
    "BenchmarkResult": "assay.meta.results",
    "Budget": "assay.runs.budget",
    "Case": "assay.subjects.case",
    "Check": "assay.checks.base",
    "Choice": "assay.rubrics.scale",
    "Context": "assay.checks.base",
    "Criterion": "assay.rubrics.rubric",
    "Edge": "assay.logic.graph",
    "Edit": "assay.interventions.base",
    "Estimate": "assay.measures.intervals",
    "Example": "assay.checks.base",
    "Finding": "assay.checks.base",
    "Findings": "assay.audits.many",
    "Hit": "assay.checks.base",
    "InputError": "assay.errors",
    "Instance": "assay.interventions.instances",
    "Judge": "assay.runs.judge",
    "JudgeSettings": "assay.judges.settings",
    "Judgment": "assay.judges.judgment",
    "Judgments": "assay.judges.judgments",
    "Labels": "assay.meta.labels.label_set",
    "Leaderboard": "assay.meta.leaderboard.record",
    "LocatedFinding": "assay.audits.result",
    "LocatedSpan": "assay.checks.base",
    "LogicGraph": "assay.logic.graph",
    "Metrics": "assay.logic.graph",
    "MissingExtraError": "assay.errors",
    "Mode": "assay.subjects.case",
    "ModelError": "assay.errors",
    "ModelSettings": "assay.models.settings",
    "Node": "assay.logic.graph",
    "Nothing": "assay.audits.result",
    "Progress": "assay.runs.run_settings",
    "Quote": "assay.judges.judgment",
    "Ranking": "assay.judges.ranking",
    "Record": "assay.record",
    "Records": "assay.record",
    "Report": "assay.subjects.report",
    "ReportAudit": "assay.audits.result",
    "ReportChange": "assay.audits.baseline",
    "ReportSummary": "assay.audits.result",
    "Rubric": "assay.rubrics.rubric",
    "RubricFinding": "assay.rubrics.lint",
    "RuleScores": "assay.logic.scores",
    "RunSettings": "assay.runs.run_settings",
    "Scale": "assay.rubrics.scale",
    "ScriptedModel": "assay.models.scripted",
    "Span": "assay.subjects.span",
    "Stability": "assay.meta.stability",
    "Subject": "assay.subjects.subject",
    "SubjectLoader": "assay.subjects.loaders.base",
    "Subjects": "assay.subjects.subjects",
    "Trajectory": "assay.subjects.trajectory",
    "TrajectoryAudit": "assay.audits.result",
    "TrajectorySummary": "assay.audits.result",
    "Unchecked": "assay.audits.result",
    "UsageError": "assay.errors",
    "Verdict": "assay.judges.judgment",
    "agree": "assay.meta.agreement",
    "areview": "assay.runs.review_run",
    "arun": "assay.runs.running",
    "astream": "assay.runs.running",
    "audit": "assay.audits.audit",
    "audit_many": "assay.audits.many",
    "build_graph": "assay.logic.rule_graph",
    "check": "assay.checks.function_check",
    "compare_results": "assay.meta.result_comparison",
    "leaderboard": "assay.meta.leaderboard.build",
    "load_rubric": "assay.rubrics.loader",
    "loader": "assay.subjects.loaders.function_loader",
    "metrics": "assay.metrics",
    "testing": "assay.testing",
    "perturbation": "assay.interventions.perturbation",
    "read": "assay.subjects.subjects",
    "read_labels": "assay.meta.labels.label_set",
    "read_verdicts": "assay.meta.published_verdicts",
    "register": "assay.registry",
    "review": "assay.runs.review_run",
    "round_robin": "assay.subjects.subjects",
    "run": "assay.runs.running",
    "stability": "assay.meta.stability",
    "strategy": "assay.strategies.own_strategy",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        from assay.deprecated import old_name  # noqa: PLC0415 - only for names that are not current

        return old_name(name)
    import importlib  # noqa: PLC0415 - only when a name is asked for

    module = importlib.import_module(home)
    # Some names are modules, such as `assay.metrics`.
    value = module if home == f"{__name__}.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
