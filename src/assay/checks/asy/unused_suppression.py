"""A suppression comment that suppresses nothing.

``<!-- assay: ignore NUM001 -->`` suppresses the findings of a check for one block, ``ignore-file`` for the whole report.
If the text has changed and nothing is left to suppress, the comment may hide future findings; if it names no code or an
unknown one, it has no effect. Delete or correct it.

Known problems: if the check runs alone, it only finds comments that can never work. Comments with nothing to suppress are
only found if the other checks run too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.checks.base import Check, Context, Example, Hit
from assay.checks.suppress import find_suppressions, problem_with

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report


def run(report: Report, _context: Context) -> Iterator[Hit]:
    """Yield a finding for each comment that names no check or an unknown one."""
    for suppression in find_suppressions(report):
        problem = problem_with(suppression)
        if problem is not None:
            yield Hit(suppression.span, problem, confidence=1.0)


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
