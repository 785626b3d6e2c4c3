"""A judge that sees one part of a subject and what precedes it: fine-grained judging (REFLECT, section 3.1).

The perturbed part is judged in the reference and in the perturbed copy. The text before it is the same in both, so
that the two prompts differ only in that part.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from assay.errors import UsageError
from assay.judges.identity import address_of, key_of
from assay.judges.model_judge import ModelJudge
from assay.judges.units import units_of

if TYPE_CHECKING:
    from assay.interventions.applying import Site
    from assay.judges.questions import JudgmentQuestion
    from assay.judges.synthesis import ReportReading
    from assay.rubrics.rubric import Rubric
    from assay.subjects.case import Case
    from assay.subjects.subject import Subject


_KEY: Final = "assay.meta.site"


def focus(subject: Subject, site: Site) -> str:
    """Mark the part of a subject that holds a site, for `SiteJudge`, and return its id.

    Raises:
        UsageError: No part of the subject holds the site.
    """
    units = units_of(subject, "fine")
    if site.kind == "step":
        parts = [unit.id for unit in units if unit.id == f"step:{site.index}"]
    else:
        at = site.start or 0
        parts = [
            unit.id for unit in units for _, source, length in unit.pieces if source <= at < source + length
        ]
        # Text between chunks (blank lines, the reference list) belongs to the chunk before it.
        before = [unit.id for unit in units if unit.pieces and unit.pieces[0][1] <= at]
        parts = parts or before[-1:] or [unit.id for unit in units[:1]]
    if not parts:
        raise UsageError(f"the subject has no part at {site}")
    subject.memo[_KEY] = parts[0]
    return parts[0]


class SiteJudge(ModelJudge):
    """Judges only the part of a subject that `focus` marked."""

    def key(self, case: Case, repetition: int = 0) -> str:
        """Return the content address of the judgment of the marked part."""
        digest = hashlib.blake2b(address_of(case) + _marked(case).encode(), digest_size=16).digest()
        return key_of(self.version, case, repetition, digest)

    def questions(
        self,
        case: Case,
        repetition: int = 0,
        *,
        rubric: Rubric | None = None,
        reading: ReportReading | None = None,
    ) -> list[JudgmentQuestion]:
        """Return the questions about the marked part."""
        everything = super().questions(case, repetition, rubric=rubric, reading=reading)
        part = _marked(case)
        return [item for item in everything if item.unit == part]


def _marked(case: Case) -> str:
    memo: dict[Any, Any] = case.subjects[0].memo
    return str(memo[_KEY])
