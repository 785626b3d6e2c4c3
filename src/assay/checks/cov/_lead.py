"""Where to report what a report lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.subjects.report import Report
    from assay.subjects.span import Span


def lead(report: Report) -> Span:
    """Return the span for findings about missing content: the title, or else the first sentence.

    The report must have a sentence.
    """
    first = report.sentences[0].span
    titled = [s for s in report.sections[1:2] if s.span.start <= first.start]
    return titled[0].title_span if titled else first
