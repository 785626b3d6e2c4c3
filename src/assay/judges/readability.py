"""Whether the marks of a report's citations were understood. What is not understood must not be ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import UsageError
from assay.judges.identity import label_of
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assay.subjects.subject import Subject


def unreadable_systems(subjects: Iterable[Subject]) -> dict[str, int]:
    """Return the systems (or the names of reports without one) whose marks were not read, with the number of marks."""
    marks: dict[str, int] = {}
    for subject in subjects:
        if isinstance(subject, Report) and not subject.citations_readable:
            name = subject.system or label_of(subject)
            unknown = sum(group.count for group in subject.unread_marks if group.kind == "unknown")
            marks[name] = marks.get(name, 0) + unknown
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
            "reports",
            cli_hint="--anyway ranks them nevertheless",
        )
