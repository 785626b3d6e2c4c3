"""Whether the marks of a report's citations were read. What is not understood must not be ranked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from assay.subjects.report import Report

# Shapes that only citations have: an escaped number, a private-use mark, a source number of a search tool.
_MARK: Final = re.compile(r"\\\[\d{1,3}\\?\]|\ue200[^\ue201]{0,200}\ue201|【\d{1,3}†[^】\n]{0,60}】|\bturn\d+search\d+")


def unread_marks(report: Report) -> list[str]:
    """Return the marks that look like citations and were not read as such, in order."""
    memo: dict[Any, Any] = report.memo
    key = "assay.judges.unread_marks"
    if key not in memo:
        read = {position for mark in report.citations for position in (mark.span.start, mark.span.end - 1)}
        memo[key] = [
            match.group()
            for match in _MARK.finditer(report.source)
            if not any(position in read for position in range(match.start(), match.end()))
            and not (report.reference_span and report.reference_span.start <= match.start() < report.reference_span.end)
        ]
    marks: list[str] = memo[key]
    return marks
