"""The record ``assay.compliance/1``: tables of many grades as plain data, coverage beside every figure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.judges.grade_record import Grading
from assay.measures.correlation import Correlation
from assay.measures.describe import Description
from assay.measures.intervals import Estimate
from assay.measures.shares import FailureShare
from assay.suites.compliance.marks import FailureRule

SCHEMA: Final = "assay.compliance/1"


class CriterionCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """How much of what was asked has a verdict.

    Attributes:
        reports: Reports graded.
        complete: Those of them with a verdict on every criterion.
        criteria: Criteria asked, over all reports.
        verdicts: Those of them that have a verdict.
        without: Why the others have none: status and number.
    """

    reports: int = 0
    complete: int = 0
    criteria: int = 0
    verdicts: int = 0
    without: dict[str, int] = {}

    @property
    def share(self) -> float | None:
        """Verdicts of criteria."""
        return self.verdicts / self.criteria if self.criteria else None


class CitationCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Citation marks of a system's reports, and how many of them the checks find no fault with.

    Attributes:
        reports: Reports whose citations were counted.
        marks: Mean number a report.
        accuracy: Mean over reports that cite of the share that is sound.
        pooled: Sound marks of all marks, reports put together.
    """

    reports: int = 0
    marks: Estimate = Estimate()
    accuracy: Estimate = Estimate()
    pooled: float | None = None


class SystemRow(msgspec.Struct, frozen=True, kw_only=True):
    """A system. Compliance is by grading: over complete reports, and, as ``partly``, over what has a verdict."""

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
    """Failures on one axis; ``system`` None is all of them together. ``rate`` is failures of verdicts."""

    system: str | None
    grading: Grading
    axis: str
    share: FailureShare
    rate: Estimate
    criteria: int
    verdicts: int


class ImportanceRow(msgspec.Struct, frozen=True, kw_only=True):
    """How often mandatory or optional criteria of an axis fail; ``axis`` None is all of them together."""

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
    """Length against compliance: ``over`` one system, all "pooled", or all "within" systems, their means taken off."""

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
    """Two systems over the tasks both are graded on in full, the first the better one.

    Attributes:
        a: The first.
        b: The second.
        grading: Of the compliance.
        tasks: Tasks compared.
        left_out: Tasks that at least one of them has and that could not be compared.
        difference: Mean of a - b.
        p: Of the paired t test.
        p_holm: The same, adjusted for the number of pairs.
        smallest: Least difference these tasks could tell from none.
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
    """An axis in the rubrics: tasks it occurs in, criteria, mandatory ones, ones of negative weight."""

    axis: str
    tasks: int
    criteria: int
    mandatory: int
    negative: int


class RubricCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """What the rubrics ask: criteria and axes a task."""

    tasks: int
    criteria: Description
    axes: Description
    all_axes: int
    by_axis: tuple[RubricAxis, ...]


class PromptRow(msgspec.Struct, frozen=True, kw_only=True):
    """Words of the prompts in one subset; ``by`` is "all", "domain" or an axis of complexity."""

    by: str
    subset: str
    words: Description


class Compliance(msgspec.Struct, frozen=True, kw_only=True):
    """All tables.

    Attributes:
        by: What the groups called systems are.
        failure_rule: What counts as the failure of a criterion of negative weight.
        gradings: Those that there are figures for.
        judges: Judge and version of the grades.
        rubrics: Names of their rubrics.
        tasks: Tasks graded.
        notes: What a reader must know before comparing figures.
        method: How each table is made.
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
        """As plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}
