"""Every system against every other on each task, judged on the spot by a judge that asks no model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import msgspec

from assay.audits.audit import find
from assay.checks.registry import all_checks
from assay.errors import InputError, UsageError
from assay.judges.model_free_comparison import compare_subjects
from assay.judges.settings import MODEL_FREE
from assay.meta.leaderboard.comparison_files import verdicts
from assay.runs.experiment_subjects import SubjectEntry, SubjectStore
from assay.subjects.reading import read_subjects

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.meta.leaderboard.comparisons import ComparisonsBuilder
    from assay.meta.leaderboard.subject_index import ComparedSubject, SubjectIndex


class RoundRobin(msgspec.Struct):
    """What a contest was made of.

    Attributes:
        subjects: Read.
        tasks: With reports of two systems or more.
        alone: Subjects of tasks that no other system has.
        on: What tasks are told by.
        unread: What could not be read.
    """

    subjects: int = 0
    tasks: int = 0
    alone: int = 0
    on: str = "query"
    unread: list[InputError] = []


def play_round_robin(
    builder: ComparisonsBuilder,
    who: SubjectIndex,
    paths: Iterable[str],
    *,
    judge: str = "rules",
    limit: int | None = None,
    tie: float | None = None,
    kept: Callable[[Judgment, dict[str, str]], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
    check: Callable[[list[InputError]], None] | None = None,
) -> RoundRobin:
    """Judge all pairs of systems on each task into ``builder``.

    Args:
        builder: Takes the comparisons.
        who: Learns who the subjects are; knows domains.
        paths: Reports or trajectories, as `read_subjects` takes them.
        judge: ``rules``, ``length`` or ``random``.
        limit: Most subjects of each path.
        tie: Margins of dimensions within this are ties; the judge's own rule where None.
        kept: Told of every judgment, with what joins it to others.
        progress: Told how many of how many tasks are done.
        check: Shown what could not be read, before anything is judged; may raise.

    Raises:
        UsageError: An unknown judge, no two systems, or no task that two of them share.
    """
    if judge not in MODEL_FREE:
        raise UsageError(f"no judge is called {judge!r}; without a model there are {', '.join(MODEL_FREE)}")
    found = RoundRobin(unread=[])
    shelf = SubjectStore()
    try:
        entrants = _shelve(shelf, who, paths, limit, found)
        if check is not None:
            check(found.unread)
        systems = sorted({item.system for item in entrants if item.system})
        if len(systems) < 2:
            of = f"all of {systems[0]!r}" if systems else "of no system"
            raise UsageError(
                f"{found.subjects:,} subjects, {of}: a leaderboard takes two systems or more (a `system` in the rows, a file "
                "for each system, or --systems)"
            )
        groups = _groups(entrants, found)
        checks = all_checks()
        for number, members in enumerate(groups):
            subjects = {at: shelf[at].subject for at in members}
            memo: dict[int, Any] = {}
            look = partial(_look, memo=memo, checks=list(checks.values()))
            for one, two in combinations(members, 2):
                if entrants[one].system == entrants[two].system:
                    continue
                judgment = compare_subjects(
                    subjects[one], subjects[two], judge=judge, find=look, checks=checks
                )
                sides = entrants[one], entrants[two]
                builder.add(
                    (sides[0].system or "", sides[1].system or ""),
                    verdicts(judgment.to_dict(), tie),
                    task=sides[0].task,
                    domain=sides[0].domain or sides[1].domain,
                    judge=judgment.judge,
                    rubric=judgment.rubric,
                    facts=(sides[0].facts, sides[1].facts),
                )
                if kept is not None:
                    kept(judgment, dict(_tags(judgment, *sides)))
            if progress is not None:
                progress(number + 1, len(groups))
    finally:
        shelf.close()
    return found


def _shelve(
    shelf: SubjectStore, who: SubjectIndex, paths: Iterable[str], limit: int | None, found: RoundRobin
) -> list[ComparedSubject]:
    entrants: list[ComparedSubject] = []
    for path in paths:
        for subject in islice(read_subjects(path), limit):
            if isinstance(subject, InputError):
                found.unread.append(subject)
                continue
            who.add(subject, who.entrant(subject))
            # By way of its name, so that a table of subjects has the last word.
            entrant = who.find(subject.path or "") or who.entrant(subject)
            shelf.add(SubjectEntry(subject, entrant.id or "", entrant.system, subject.query, None))
            entrants.append(entrant)
    found.subjects = len(entrants)
    return entrants


def _groups(entrants: list[ComparedSubject], found: RoundRobin) -> list[list[int]]:
    """Subjects of each task; by the question, or by the id where no question is shared."""
    for on in ("query", "id"):
        groups: dict[str, list[int]] = {}
        for at, item in enumerate(entrants):
            key = item.task if on == "query" else item.id
            if key is not None and item.system is not None:
                groups.setdefault(key, []).append(at)
        good = [members for members in groups.values() if len({entrants[at].system for at in members}) > 1]
        if good:
            found.on, found.tasks = on, len(good)
            found.alone = len(entrants) - sum(map(len, good))
            if on == "id":
                for members in good:
                    for at in members:
                        entrants[at] = msgspec.structs.replace(entrants[at], task=entrants[at].id)
            elif all(entrants[at].task == entrants[at].id for members in good for at in members):
                found.on = "id"
            return good
    raise UsageError(
        "no two systems have a report on the same task; reports are matched by their query, or else by their id"
    )


def _look(subject: Any, *, memo: dict[int, Any], checks: list[Any]) -> Any:
    """The findings of a subject, looked for once: it meets several others."""
    key = id(subject)
    if key not in memo:
        memo[key] = find(subject, checks=checks)
    return memo[key]


def _tags(judgment: Judgment, one: ComparedSubject, two: ComparedSubject) -> Iterator[tuple[str, str]]:
    """What an export of a run says beside a judgment."""
    yield "judge", judgment.judge
    yield "mode", "pair"
    for side, item in (("a", one), ("b", two)):
        if item.id:
            yield f"id_{side}", item.id
        yield f"system_{side}", item.system or ""
    if one.task:
        yield "task", one.task
    domain = one.domain or two.domain
    if domain:
        yield "domain", domain
