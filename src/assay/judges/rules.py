"""The rules judge for single reports: findings and measured features by dimension, to tell two texts apart.

The numbers are internal: they enter the comparison of two texts (`assay.judges.rules_pairs`), and nothing shows them as
the quality of one, because they do not follow it (``docs/explanation/how-good-is-it.md``). A dimension has a base, measured on the text
as a share from 0 to 1 that does not grow with length, headings, labels or hedges as such; it has none if there is
nothing to measure, and no constant takes its place. The findings of the dimension discount it, weighed against the
amount of content (distinct content terms), not against length.

Dimensions: ReportLogic, section 3.1. The measures are ours.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import msgspec

from assay.judges.report_features import MEASURES, ReportFacts
from assay.rubrics.dimensions import DIMENSION_KEYS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.checks.base import Finding
    from assay.subjects.report import Report

_SEVERITY: Final = {"error": 1.0, "warning": 0.5, "info": 0.15}
# Up to this many distinct terms findings count fully; a report with more content errs more often.
_TERMS_OF_A_USUAL_REPORT: Final = 600
_DISCOUNT: Final = 0.18


class MeasuredDimension(msgspec.Struct, frozen=True):
    """What the rules measure of one dimension.

    Attributes:
        base: Share measured on the text, 0 to 1; None if there is nothing to measure.
        discount: Factor for the findings of the dimension, 0 to 1; 1 without findings.
        features: What the base is made of, by name.
    """

    base: float | None
    discount: float
    features: dict[str, float] = {}

    def ahead_of(self, other: MeasuredDimension) -> float:
        """Return how far this text is ahead of another, -1 to 1. Bases count only if both texts have one."""
        if self.base is None or other.base is None:
            return self.discount - other.discount
        return self.base * self.discount - other.base * other.discount


def finding_weight(finding: Finding) -> float:
    """Return the weight of a finding: its severity times its confidence, 0 to 1."""
    return _SEVERITY[finding.severity] * finding.confidence


def measure_report(report: Report, findings: Sequence[Finding]) -> dict[str, MeasuredDimension]:
    """Return the eight dimensions in order."""
    facts = ReportFacts.of(report)
    scale = max(1.0, math.sqrt(len(facts.terms) / _TERMS_OF_A_USUAL_REPORT))
    burden = dict.fromkeys(DIMENSION_KEYS, 0.0)
    for finding in findings:
        if finding.dimension is not None:
            burden[finding.dimension] += finding_weight(finding)
    out: dict[str, MeasuredDimension] = {}
    for key in DIMENSION_KEYS:
        measure = MEASURES.get(key)
        base, features = measure(facts) if measure is not None else (None, {})
        out[key] = MeasuredDimension(
            None if base is None else min(1.0, max(0.0, base)),
            math.exp(-_DISCOUNT * burden[key] / scale),
            features,
        )
    return out


def standing(dimensions: Mapping[str, MeasuredDimension]) -> float:
    """Return one number from 0 to 1 to tell a text from its copy: the mean of the measured bases, discounted by all findings."""
    bases = [item.base for item in dimensions.values() if item.base is not None]
    discount = math.prod(item.discount for item in dimensions.values()) ** (1 / max(1, len(dimensions)))
    return discount * (sum(bases) / len(bases) if bases else 1.0)
