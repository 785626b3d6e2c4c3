"""The stream of audits behind ``assay audit``."""

from __future__ import annotations

import os
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.audits.result import Audit
    from assay.checks.config import CheckSettings
    from assay.subjects.subject import Subject

T = TypeVar("T")


def audited(
    subjects: Iterator[Subject | AssayError],
    settings: CheckSettings,
    then: Callable[[Audit], T],
    jobs: int,
    context: dict[str, Any],
    *,
    ray: bool = False,
) -> Iterator[T | AssayError]:
    """Yield what becomes of each audit, in order; files with other checks than their neighbours are handled too."""
    from assay.audits.audit import audit_stream
    from assay.present.words import split_row

    if ray:
        from assay.runs.ray_executor import RayExecutor

        with RayExecutor() as pool:
            yield from audited(subjects, settings, then, jobs, {**context, "pool": pool})
        return
    common = {**context, "inline": settings.inline, "min_confidence": settings.min_confidence}
    if settings.options:
        common["options"] = settings.options
    if not settings.per_file:
        yield from audit_stream(subjects, then, jobs=jobs, checks=settings.checks(), **common)
        return
    last: tuple[Any, ...] = settings.checks()

    def checks_of(subject: Subject | AssayError) -> tuple[str, ...]:
        nonlocal last
        if not isinstance(subject, AssayError):
            last = settings.checks(split_row(subject.path)[0] if subject.path else None)
        return tuple(check.code for check in last)

    # Consecutive files with the same checks are audited together.
    for _, group in groupby(subjects, key=checks_of):
        yield from audit_stream(group, then, jobs=jobs, checks=last, **common)


def processes(wanted: int) -> int:
    """Return the number of processes that an option asks for; 0 is one for each core."""
    return (
        wanted or len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else wanted or os.cpu_count() or 1
    )
