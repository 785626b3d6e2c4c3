"""A round robin: every system against every other on each task, judged without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import msgspec

from assay.audits.audit import find
from assay.checks.registry import all_checks
from assay.errors import InputError, UsageError
from assay.judges.identity import label_of
from assay.judges.judgeable import WORDINGS, why_nothing
from assay.judges.model_free_comparison import compare_subjects
from assay.judges.readability import unreadable_systems
from assay.judges.settings import MODEL_FREE
from assay.runs.experiment_subjects import SubjectEntry, SubjectStore
from assay.subjects.reading import read_subjects

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.meta.leaderboard.subject_index import ComparedSubject, SubjectIndex


class RoundRobin(msgspec.Struct):
    """What a round robin consisted of.

    Attributes:
        subjects: Number of subjects.
        tasks: Number of tasks with reports of at least two systems.
        alone: Number of subjects whose task no other system has.
        on: Field that identifies tasks: ``query`` or ``id``.
        unread: Errors of subjects that could not be read.
        marks: Systems whose citation marks were not understood, with the number of marks.
        nothing: Names of subjects with nothing to judge, with the reason.
    """

    subjects: int = 0
    tasks: int = 0
    alone: int = 0
    on: str = "query"
    unread: list[InputError] = []
    marks: dict[str, int] = {}
    nothing: list[str] = []


def play_round_robin(
    index: SubjectIndex,
    paths: Iterable[str],
    *,
    judge: str = "rules",
    limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    check: Callable[[RoundRobin], None] | None = None,
) -> tuple[RoundRobin, Iterator[Judgment]]:
    """Return what is compared, and the judgments of all pairs of systems on each task, made one by one.

    Args:
        index: Index of the subjects, to which these are added.
        paths: Reports or trajectories, as for `read_subjects`.
        judge: ``rules``, ``length`` or ``random``.
        limit: Largest number of subjects from each path.
        progress: Called with the number of finished tasks and of all tasks.
        check: Called with what was read before anything is judged; may raise.

    Raises:
        UsageError: The judge is unknown, there are fewer than two systems, or no task has two of them.
    """
    if judge not in MODEL_FREE:
        raise UsageError(f"no judge is called {judge!r}; without a model there are {', '.join(MODEL_FREE)}")
    played = RoundRobin()
    store = SubjectStore()
    try:
        entries = _store(store, index, paths, limit, played)
        if check is not None:
            check(played)
        _refuse_single(entries, played)
        groups = _tasks(entries, played)
    except BaseException:
        store.close()
        raise
    return played, _judged(judge, store, entries, groups, progress)


def _refuse_single(entries: list[ComparedSubject], played: RoundRobin) -> None:
    systems = sorted({item.system for item in entries if item.system})
    if len(systems) < 2:
        of = f"all of {systems[0]!r}" if systems else "of no system"
        raise UsageError(
            f"{played.subjects:,} subjects, {of}: a leaderboard takes two systems or more",
            hint="give rows a `system`, or each system a file of its own",
            cli_hint="a `system` in the rows, a file for each system, or --systems",
        )


def _judged(
    judge: str,
    store: SubjectStore,
    entries: list[ComparedSubject],
    groups: list[list[int]],
    progress: Callable[[int, int], None] | None,
) -> Iterator[Judgment]:
    try:
        for number, members in enumerate(groups, 1):
            for judgment, one, two in _judge_task(judge, store, entries, members):
                yield msgspec.structs.replace(judgment, metadata=dict(_tags(judgment, one, two)))
            if progress is not None:
                progress(number, len(groups))
    finally:
        store.close()


def _store(
    store: SubjectStore, index: SubjectIndex, paths: Iterable[str], limit: int | None, played: RoundRobin
) -> list[ComparedSubject]:
    entries: list[ComparedSubject] = []
    for path in paths:
        for subject in islice(read_subjects(path), limit):
            if isinstance(subject, InputError):
                played.unread.append(subject)
                continue
            index.add(subject, index.describe(subject))
            # Found by name, so that a table of subjects overrides what the subject says about itself.
            entry = index.find(subject.path or "") or index.describe(subject)
            why = why_nothing(subject)
            if why is not None:
                played.nothing.append(f"{label_of(subject)}: {WORDINGS[why].text('en')}")
            for name, number in unreadable_systems([subject]).items():
                played.marks[name] = played.marks.get(name, 0) + number
            store.add(SubjectEntry(subject, entry.id or "", entry.system, subject.query, None))
            entries.append(entry)
    played.subjects = len(entries)
    return entries


def _tasks(entries: list[ComparedSubject], played: RoundRobin) -> list[list[int]]:
    """Group subjects by query, or by id if no two systems share a query."""
    for on in ("query", "id"):
        groups: dict[str, list[int]] = {}
        for at, item in enumerate(entries):
            key = item.task if on == "query" else item.id
            if key is not None and item.system is not None:
                groups.setdefault(key, []).append(at)
        shared = [members for members in groups.values() if len({entries[at].system for at in members}) > 1]
        if shared:
            played.on, played.tasks = on, len(shared)
            played.alone = len(entries) - sum(map(len, shared))
            if on == "id":
                for members in shared:
                    for at in members:
                        entries[at] = msgspec.structs.replace(entries[at], task=entries[at].id)
            elif all(entries[at].task == entries[at].id for members in shared for at in members):
                played.on = "id"
            return shared
    raise UsageError(
        "no two systems have a report on the same task; reports are matched by query, or else by id"
    )


def _judge_task(
    judge: str, store: SubjectStore, entries: list[ComparedSubject], members: list[int]
) -> Iterator[tuple[Judgment, ComparedSubject, ComparedSubject]]:
    """Compare the subjects of one task; the findings of each are computed once."""
    checks = all_checks()
    subjects = {at: store[at].subject for at in members}
    memo: dict[int, Any] = {}

    def findings(subject: Any) -> Any:
        key = id(subject)
        if key not in memo:
            memo[key] = find(subject, checks=list(checks.values()))
        return memo[key]

    for one, two in combinations(members, 2):
        if entries[one].system != entries[two].system:
            judgment = compare_subjects(
                subjects[one], subjects[two], judge=judge, find=findings, checks=checks
            )
            yield judgment, entries[one], entries[two]


def _tags(judgment: Judgment, one: ComparedSubject, two: ComparedSubject) -> Iterator[tuple[str, str]]:
    """Yield the tags that an export of a run gives to a judgment."""
    yield "judge", judgment.judge
    yield "mode", "compare"
    for side, item in (("a", one), ("b", two)):
        if item.id:
            yield f"id_{side}", item.id
        yield f"system_{side}", item.system or ""
    if one.task:
        yield "task", one.task
    domain = one.domain or two.domain
    if domain:
        yield "domain", domain
