"""A suppression comment that suppresses nothing.

``<!-- assay: ignore NUM001 -->`` takes the findings of a check back for one block, ``ignore-file`` for the whole
report. When the text has changed and nothing is left to suppress, when the comment names no code, or names one that
does not exist, it only hides future findings or promises what it does not do. Delete it or mend it.

Known problems: run on its own the check sees only comments that can never work; those that merely have nothing to
suppress are seen when the other checks have run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.checks.base import Check, Context, Example, RawFinding
from assay.checks.suppress import find_suppressions, problem_with

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report


def run(report: Report, _context: Context) -> Iterator[RawFinding]:
    """Comments that name nothing or name what does not exist."""
    for suppression in find_suppressions(report):
        problem = problem_with(suppression)
        if problem is not None:
            yield RawFinding(suppression.span, problem, confidence=1.0)


CHECK = Check(
    code="ASY001",
    name="unused-suppression",
    severity="info",
    summary="a suppression comment that suppresses nothing",
    run=run,
    bad=(
        Example("Sales grew.\n\n<!-- assay: ignore NUM9999 -->\nCosts fell by 3%.\n"),
        Example("<!-- assay: ignore -->\n销售额增长了3%。\n"),
    ),
    good=(
        Example("Sales grew.\n\n<!-- assay: ignore ASY001 -->\nCosts fell by 3%.\n"),
        Example("```html\n<!-- assay: ignore NUM9999 -->\n```\n\nThat is how a finding is suppressed.\n"),
    ),
)
