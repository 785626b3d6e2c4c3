"""The cases of a leaderboard: every two systems on each task."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import msgspec

from assay.errors import UsageError
from assay.subjects.case import Case
from assay.subjects.subjects import round_robin

if TYPE_CHECKING:
    from assay.meta.leaderboard.subject_index import SubjectIndex
    from assay.subjects.subject import Subject


class SystemPairs(msgspec.Struct, frozen=True):
    """Pairs of subjects of two systems on one task.

    Attributes:
        cases: A case for each pair, with ids, systems, task and domain as metadata.
        by: Field that identifies tasks: ``query``, or ``id`` if no two systems share a query.
        alone: Number of subjects whose task no other system has.
    """

    cases: tuple[Case, ...]
    by: Literal["query", "id"]
    alone: int


def system_pairs(subjects: Iterable[Subject], index: SubjectIndex) -> SystemPairs:
    """Return every pair of subjects of two systems on the same task.

    Args:
        subjects: The subjects; the index must know them, and gives their systems and domains.
        index: What is known of the subjects.

    Raises:
        UsageError: There are fewer than two systems, or no task has two of them.
    """
    known = []
    for item in subjects:
        entry = index.find(item.path or "") or index.describe(item)
        known.append(item.replace(system=entry.system, id=entry.id or item.id))
    systems = sorted({item.system for item in known if item.system})
    if len(systems) < 2:
        of = f"all of {systems[0]!r}" if systems else "of no system"
        raise UsageError(
            f"{len(known):,} subjects, {of}: a leaderboard takes two systems or more",
            hint="give rows a `system`, or each system a file of its own",
            cli_hint="a `system` in the rows, a file for each system, or --systems",
        )
    for by in ("query", "id"):
        try:
            cases = round_robin((item for item in known if item.system), by=by)
        except UsageError:
            continue
        cases = [case for case in cases if case.subjects[0].system != case.subjects[1].system]
        if cases:
            paired = {id(item) for case in cases for item in case.subjects}
            return SystemPairs(
                tuple(_with_domain(case, index) for case in cases), by, len(known) - len(paired)
            )
    raise UsageError(
        "no two systems have a report on the same task; reports are matched by query, or else by id"
    )


def _with_domain(case: Case, index: SubjectIndex) -> Case:
    entries = [index.find(item.path or "") or index.describe(item) for item in case.subjects]
    domain = next((entry.domain for entry in entries if entry.domain), None)
    if domain is None:
        return case
    return Case(*case.subjects, metadata={**case.metadata, "domain": domain})
