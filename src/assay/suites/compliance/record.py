"""The record ``assay.compliance/1``: tables of many grades, with coverage for every figure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.judges.compliance import Grading
from assay.measures.correlation import Correlation
from assay.measures.describe import Description
from assay.measures.intervals import Estimate
from assay.measures.shares import FailureShare
from assay.suites.compliance.marks import FailureRule

SCHEMA: Final = "assay.compliance/1"


class CriterionCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """How many criteria have a verdict.

    Attributes:
        reports: Number of graded reports.
        complete: Number of reports with a verdict on every criterion.
        criteria: Number of criteria, over all reports.
        verdicts: Number of criteria with a verdict.
        without: Number of criteria without a verdict, by status.
    """

    reports: int = 0
    complete: int = 0
    criteria: int = 0
    verdicts: int = 0
    without: dict[str, int] = {}

    @property
    def share(self) -> float | None:
        """Share of criteria with a verdict."""
        return self.verdicts / self.criteria if self.criteria else None


class CitationCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Citation marks of a system's reports, and how many have no finding.

    Attributes:
        reports: Number of reports whose citations were counted.
        marks: Mean number of marks in a report.
        accuracy: Mean share of marks without a finding, over reports with citations.
        pooled: Share of marks without a finding, over all reports together.
    """

    reports: int = 0
    marks: Estimate = Estimate()
    accuracy: Estimate = Estimate()
    pooled: float | None = None


class SystemRow(msgspec.Struct, frozen=True, kw_only=True):
    """A system, with compliance by grading: over complete reports, and (``partly``) over criteria with a verdict."""

    system: str
    tasks: int
    coverage: CriterionCoverage
    compliance: dict[Grading, Estimate]
    partly: dict[Grading, Estimate]
    words: Description
    tokens: Description
    citations: CitationCounts
    not_graded: tuple[str, ...] = ()


class FailureRow(msgspec.Struct, frozen=True, kw_only=True):
    """Failures on one axis; ``system`` is None for all systems, and ``rate`` is the share of verdicts that fail."""

    system: str | None
    grading: Grading
    axis: str
    share: FailureShare
    rate: Estimate
    criteria: int
    verdicts: int


class ImportanceRow(msgspec.Struct, frozen=True, kw_only=True):
    """Failure rate of the mandatory or optional criteria of an axis; ``axis`` is None for all axes."""

    system: str | None
    grading: Grading
    axis: str | None
    mandatory: bool
    rate: Estimate
    failures: int
    criteria: int
    verdicts: int


class StratumRow(msgspec.Struct, frozen=True, kw_only=True):
    """Compliance on the tasks of one domain or level of complexity."""

    system: str
    by: str
    stratum: str
    tasks: int
    compliance: dict[Grading, Estimate]
    coverage: CriterionCoverage


class HeatRow(msgspec.Struct, frozen=True, kw_only=True):
    """Failures on one axis in one domain, over all systems."""

    grading: Grading
    domain: str
    axis: str
    share: Estimate
    rate: Estimate
    failures: int
    criteria: int
    verdicts: int


class LengthRow(msgspec.Struct, frozen=True, kw_only=True):
    """Correlation of length and compliance, ``over`` one "system", all "pooled", or "within" systems."""

    over: str
    system: str | None
    measure: str
    grading: Grading
    reports: int
    pearson: Correlation
    spearman: Correlation


class LengthPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A report in the plot of length against compliance."""

    system: str
    task: str
    words: int
    tokens: int
    compliance: dict[Grading, float | None]


class PairRow(msgspec.Struct, frozen=True, kw_only=True):
    """Two systems on the tasks on which both are graded in full, the better one first.

    Attributes:
        a: Name of the first system.
        b: Name of the second system.
        grading: Grading of the compliance.
        tasks: Number of compared tasks.
        left_out: Number of tasks that only one of them has, or that are incomplete.
        difference: Mean of a - b.
        p: p value of the paired t test.
        p_holm: p value with Holm's correction over all pairs.
        smallest: Smallest difference that these tasks could show to be significant.
    """

    a: str
    b: str
    grading: Grading
    tasks: int
    left_out: int
    difference: Estimate
    p: float | None
    p_holm: float | None
    smallest: float | None


class RubricAxis(msgspec.Struct, frozen=True, kw_only=True):
    """An axis in the rubrics: numbers of tasks, criteria, mandatory criteria and criteria of negative weight."""

    axis: str
    tasks: int
    criteria: int
    mandatory: int
    negative: int


class RubricCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """Criteria and axes of the rubrics, by task."""

    tasks: int
    criteria: Description
    axes: Description
    all_axes: int
    by_axis: tuple[RubricAxis, ...]


class PromptRow(msgspec.Struct, frozen=True, kw_only=True):
    """Lengths of the prompts of one subset; ``by`` is "all", "domain" or an axis of complexity."""

    by: str
    subset: str
    words: Description


class Compliance(msgspec.Struct, frozen=True, kw_only=True):
    """All compliance tables.

    Attributes:
        by: Property by which grades are grouped into systems.
        failure_rule: What counts as failure of a criterion of negative weight.
        gradings: Gradings with figures.
        judges: Judges of the grades, with versions.
        rubrics: Names of the rubrics.
        tasks: Number of graded tasks.
        notes: Caveats for readers.
        method: Methods by table.
    """

    by: str
    failure_rule: FailureRule
    gradings: tuple[Grading, ...]
    judges: tuple[str, ...]
    rubrics: tuple[str, ...]
    tasks: int
    coverage: CriterionCoverage
    systems: tuple[SystemRow, ...]
    pairs: tuple[PairRow, ...]
    failures: tuple[FailureRow, ...]
    importance: tuple[ImportanceRow, ...]
    strata: tuple[StratumRow, ...]
    heat: tuple[HeatRow, ...]
    lengths: tuple[LengthRow, ...]
    points: tuple[LengthPoint, ...]
    rubric: RubricCoverage
    prompts: tuple[PromptRow, ...]
    notes: tuple[str, ...]
    method: dict[str, str]
    schema: str = SCHEMA

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}
