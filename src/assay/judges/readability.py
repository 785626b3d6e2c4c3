"""Whether the marks of a report's citations were read. What is not understood must not be ranked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from assay.errors import UsageError
from assay.judges.identity import label_of
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assay.subjects.subject import Subject

# Fewer unread marks say nothing about a notation.
_FEW: Final = 3
# Shapes that only citations have: an escaped number, a private-use mark, a source number of a search tool.
_MARK: Final = re.compile(
    r"\\\[\d{1,3}\\?\]|\ue200[^\ue201]{0,200}\ue201|【\d{1,3}†[^】\n]{0,60}】|\bturn\d+search\d+"
)


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
            and not (
                report.reference_span
                and report.reference_span.start <= match.start() < report.reference_span.end
            )
        ]
    marks: list[str] = memo[key]
    return marks


def is_readable(report: Report) -> bool:
    """Whether the marks of a report were understood well enough to judge what rests on them."""
    unread = len(unread_marks(report))
    return unread < _FEW or 4 * unread <= len(report.citations)


def unreadable_systems(subjects: Iterable[Subject]) -> dict[str, int]:
    """Return the systems (or the names of reports without one) whose marks were not read, with the number of marks."""
    marks: dict[str, int] = {}
    for subject in subjects:
        if isinstance(subject, Report) and not is_readable(subject):
            name = subject.system or label_of(subject)
            marks[name] = marks.get(name, 0) + len(unread_marks(subject))
    return marks


def refuse_unreadable(marks: Mapping[str, int]) -> None:
    """Refuse to order reports whose citations were not read.

    Raises:
        UsageError: There is such a report; the message names the systems and how many marks were not understood.
    """
    if marks:
        named = ", ".join(f"{name} ({number:,})" for name, number in marks.items())
        raise UsageError(
            f"marks of citations that were not understood: {named}; an order by rules would judge the notation, not the "
            "reports (--anyway ranks them nevertheless)"
        )
