"""The rules judge for reports: eight scores from findings and measured features, without a model.

Each score is a base between 0 and 1, measured on the text, times a discount for the findings of that dimension. The
measures do not grow with length, headings, labels or hedges as such: they are shares, except for a count of
distinct sources that stops at eight. Findings are weighed against the amount of content (distinct content terms),
not against length.

Dimensions: ReportLogic, section 3.1. The measures are ours.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import msgspec

from assay.judges.report_features import MEASURES, ReportFacts
from assay.rubrics.dimensions import DIMENSION_KEYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.checks.base import Finding
    from assay.subjects.report import Report

_SEVERITY: Final = {"error": 1.0, "warning": 0.5, "info": 0.15}
# Up to this many distinct terms findings count fully; a report with more content errs more often.
_TERMS_OF_A_USUAL_REPORT: Final = 600
_DISCOUNT: Final = 0.18


class DimensionScore(msgspec.Struct, frozen=True):
    """A score from 0 to 1 and its origin: indices of findings, and measured features of the text by name."""

    score: float
    findings: tuple[int, ...] = ()
    features: dict[str, float] = {}


def finding_weight(finding: Finding) -> float:
    """Return the weight of a finding: its severity times its confidence, 0 to 1."""
    return _SEVERITY[finding.severity] * finding.confidence


def score_report(report: Report, findings: Sequence[Finding]) -> dict[str, DimensionScore]:
    """Return the eight dimensions in order, each from 0 to 1 with the findings and features behind it."""
    facts = ReportFacts.of(report)
    scale = max(1.0, math.sqrt(len(facts.terms) / _TERMS_OF_A_USUAL_REPORT))
    out: dict[str, DimensionScore] = {}
    for key in DIMENSION_KEYS:
        own = tuple(i for i, finding in enumerate(findings) if finding.dimension == key)
        base, features = MEASURES[key](facts)
        burden = sum(finding_weight(findings[i]) for i in own) / scale
        discount = math.exp(-_DISCOUNT * burden)
        score = min(1.0, max(0.0, base)) * discount
        out[key] = DimensionScore(score, own, {**features, "finding_discount": discount})
    return out
