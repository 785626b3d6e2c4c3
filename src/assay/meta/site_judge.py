"""A judge that sees one part of a subject and what precedes it: fine-grained judging (REFLECT, section 3.1).

The perturbed part is judged in the reference and in the perturbed copy. The text before it is the same in both, so
that the two prompts differ only in that part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from assay.errors import UsageError
from assay.judges.identity import address_of
from assay.judges.judge import Judge
from assay.judges.units import units_of

if TYPE_CHECKING:
    from assay.interventions.applying import Site
    from assay.judges.questions import JudgmentQuestion
    from assay.judges.synthesis import ReportReading
    from assay.rubrics.rubric import Rubric
    from assay.subjects.case import Mode
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


class SiteJudge(Judge):
    """Judges only the part of a subject that `focus` marked."""

    def key(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
    ) -> str:
        """Return the content address of the judgment of the marked part."""
        address = address_of(mode, subjects, query=query, reference=reference)
        digest = hashlib.blake2b(address + _marked(subjects).encode(), digest_size=16).digest()
        return self.keys(digest, (trial,))[0]

    def questions(
        self,
        mode: Mode,
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        reference: str | None = None,
        trial: int = 0,
        rubric: Rubric | None = None,
        reading: ReportReading | None = None,
    ) -> list[JudgmentQuestion]:
        """Return the questions about the marked part."""
        asked: dict[str, Any] = {"query": query, "reference": reference, "trial": trial}
        everything = super().questions(mode, subjects, **asked, rubric=rubric, reading=reading)
        part = _marked(subjects)
        return [item for item in everything if item.unit == part]


def _marked(subjects: Sequence[Subject]) -> str:
    memo: dict[Any, Any] = subjects[0].memo
    return str(memo[_KEY])
