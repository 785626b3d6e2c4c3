"""The plan of a run: all judgments that an experiment asks for, as a stream.

The order is by case, then by judge, then by repetition. Calls that share a document are thus neighbours, which suits
prefix caches, and only one document and the tasks in progress are in memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from assay.errors import AssayError, InputError, UsageError
from assay.judges.identity import address_of, name_of
from assay.judges.judge import Judge
from assay.judges.repetitions import votes_needed
from assay.models.tokens import estimate_tokens
from assay.runs.engine import JudgmentTask, RepetitionSeries
from assay.runs.experiment_subjects import ExperimentSubjects, SubjectEntry, SubjectStore
from assay.subjects.case import Mode
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.runs.experiment import Experiment

# Tokens reserved for the task, the criteria and what templates add to the texts.
_TASK_TOKENS: Final = 1500
# Approximate characters of a part of a report.
_UNIT: Final = 2000
# Problems that are named; further ones are counted.
_NAMED_PROBLEMS: Final = 5


class PlannedJudge(msgspec.Struct, frozen=True, eq=False):
    """A judge of the plan: its label, what it is used for, and what is known about its model."""

    judge: Judge
    label: str
    modes: tuple[Mode, ...]
    window: int | None = None
    caches: bool = False
    suite: str = ""

    @property
    def title(self) -> str:
        """Its label and rubric, for tables."""
        return f"{self.label} · {self.judge.rubric_name}"


class PlannedCase(NamedTuple):
    """What is judged (one subject, a pair or a set), with the tags of its judgments."""

    mode: Mode
    subjects: tuple[Any, ...]
    query: str | None
    reference: str | None
    tags: dict[str, str]
    address: bytes

    @property
    def name(self) -> str:
        """Names of the subjects, for messages."""
        return " and ".join(name_of(subject) for subject in self.subjects[:2]) + (
            " …" if len(self.subjects) > 2 else ""
        )


class Survey(msgspec.Struct):
    """The result of one pass over the plan.

    Attributes:
        digest: Hash of the plan: of judges, repetitions and cases.
        subjects: Number of subjects.
        cases: Number of cases.
        judgments: Planned judgments by judge, in their order.
        problems: The first few problems.
        unfit: Number of subjects, or of their judgments, that are left out because of problems.
    """

    digest: str = ""
    subjects: int = 0
    cases: int = 0
    judgments: list[int] = []
    problems: list[str] = []
    unfit: int = 0

    @property
    def total(self) -> int:
        """All judgments."""
        return sum(self.judgments)


class Plan:
    """The cases of an experiment and their judges.

    Args:
        experiment: The experiment.
        planned: The judges, with open models.
        limit: Maximum subjects.
    """

    def __init__(
        self, experiment: Experiment, planned: Sequence[PlannedJudge], *, limit: int | None = None
    ) -> None:
        self.experiment = experiment
        self.judges = tuple(planned)
        self._material = ExperimentSubjects(experiment, limit=limit)
        self._fine: set[tuple[Any, ...]] = set()
        _unlike(self.judges)

    def survey(self) -> Survey:
        """Read the whole plan once.

        Raises:
            UsageError: There is nothing to judge, or groups name unknown subjects.
        """
        survey = Survey(judgments=[0] * len(self.judges))
        digest = hashlib.blake2b(digest_size=6)
        for planned in self.judges:
            settings = planned.judge.settings
            described = (
                planned.judge.version,
                planned.label,
                planned.modes,
                settings.trials,
                settings.early_stop,
            )
            digest.update(msgspec.json.encode(described))
        for case in self._cases(survey):
            survey.cases += 1
            digest.update(case.address)
            digest.update(msgspec.json.encode(case.tags))
            for index, planned in enumerate(self.judges):
                if case.mode not in planned.modes:
                    continue
                problem = self._problem(index, planned, case)
                if problem is None:
                    survey.judgments[index] += planned.judge.settings.trials
                else:
                    survey.unfit += planned.judge.settings.trials
                    if len(survey.problems) < _NAMED_PROBLEMS and problem not in survey.problems:
                        survey.problems.append(problem)
        if not survey.cases and not survey.problems:
            raise UsageError("the experiment has no subjects")
        survey.digest = digest.hexdigest()
        return survey

    def cases(self) -> Iterator[PlannedCase]:
        """Yield the cases in order; unreadable subjects are left out (see `survey`)."""
        return self._cases(None)

    def fitting(self) -> Iterator[tuple[int, PlannedJudge, PlannedCase]]:
        """Yield each case with each judge that can judge it, and the judge's index."""
        for case in self.cases():
            for index, planned in enumerate(self.judges):
                if case.mode in planned.modes and self._problem(index, planned, case) is None:
                    yield index, planned, case

    def tasks(self) -> Iterator[JudgmentTask | RepetitionSeries]:
        """Yield the judgments as tasks."""
        for _, planned, case in self.fitting():
            repetitions = self.judgments(planned, case)
            if isinstance(repetitions, RepetitionSeries):
                yield repetitions
            else:
                yield from repetitions

    def judgments(self, planned: PlannedJudge, case: PlannedCase) -> list[JudgmentTask] | RepetitionSeries:
        """Return the repetitions of one judge on one case."""
        tasks = _tasks(planned, case)
        if planned.judge.settings.early_stop and case.mode != "score" and len(tasks) > 1:
            return RepetitionSeries(tuple(tasks), partial(_needed, total=len(tasks)))
        return tasks

    def _problem(self, index: int, planned: PlannedJudge, case: PlannedCase) -> str | None:
        """Return why a judge cannot judge a case, or None. Requirements on a kind of subject are checked once."""
        kind = (index, case.mode, case.reference is None, *map(type, case.subjects))
        # A rubric source may have a rubric for one case and not for another.
        if kind not in self._fine or planned.judge.source is not None:
            try:
                planned.judge.check(case.mode, case.subjects, query=case.query, reference=case.reference)
            except AssayError as error:
                return f"{case.name}: {error}"
            self._fine.add(kind)
        return None if planned.window is None else _too_long(planned.judge, planned.window, case)

    def _cases(self, survey: Survey | None) -> Iterator[PlannedCase]:
        experiment = self.experiment
        score = "score" in experiment.modes
        if not experiment.compare and not experiment.rank:
            for entry in self._entries(survey):
                yield _alone(entry)
            return
        with closing(SubjectStore()) as shelf:
            for entry in self._entries(survey):
                if score:
                    yield _alone(entry)
                shelf.add(entry)
            yield from self._pairs(shelf)
            yield from self._sets(shelf)

    def _entries(self, survey: Survey | None) -> Iterator[SubjectEntry]:
        for entry in self._material:
            if not isinstance(entry, InputError):
                if survey is not None:
                    survey.subjects += 1
                yield entry
            elif survey is not None:
                survey.unfit += 1
                if len(survey.problems) < _NAMED_PROBLEMS:
                    survey.problems.append(str(entry))

    def _pairs(self, shelf: SubjectStore) -> Iterator[PlannedCase]:
        for grouping in self.experiment.compare:
            if grouping.members:
                pairs = [[shelf.named(name, grouping.place) for name in grouping.members]]
            else:
                pairs = shelf.groups(grouping.on, grouping.systems, grouping.place)
            for members in pairs:
                for a, b in combinations(members, 2):
                    yield _together("compare", (shelf[a], shelf[b]), ("a", "b"))

    def _sets(self, shelf: SubjectStore) -> Iterator[PlannedCase]:
        for grouping in self.experiment.rank:
            if grouping.members:
                sets = [[shelf.named(name, grouping.place) for name in grouping.members]]
            else:
                sets = shelf.groups(grouping.on, grouping.systems, grouping.place)
            for members in sets:
                entries = tuple(shelf[index] for index in members)
                yield _together("rank", entries, tuple(str(i + 1) for i in range(len(entries))))


def _alone(entry: SubjectEntry) -> PlannedCase:
    tags = {"id": entry.id}
    if entry.system is not None:
        tags["system"] = entry.system
    return _case("score", (entry.subject,), entry.query, entry.reference, tags)


def _together(mode: Mode, entries: tuple[SubjectEntry, ...], sides: tuple[str, ...]) -> PlannedCase:
    tags: dict[str, str] = {}
    for side, entry in zip(sides, entries, strict=True):
        tags[f"id_{side}"] = entry.id
        if entry.system is not None:
            tags[f"system_{side}"] = entry.system
    query = next((entry.query for entry in entries if entry.query), None)
    reference = next((entry.reference for entry in entries if entry.reference), None)
    return _case(mode, tuple(entry.subject for entry in entries), query, reference, tags)


def _case(
    mode: Mode, subjects: tuple[Any, ...], query: str | None, reference: str | None, tags: dict[str, str]
) -> PlannedCase:
    address = address_of(mode, subjects, query=query, reference=reference)
    return PlannedCase(mode, subjects, query, reference, tags, address)


def _tasks(planned: PlannedJudge, case: PlannedCase) -> list[JudgmentTask]:
    judge = planned.judge
    keys = judge.keys(case.address, range(judge.settings.trials))
    tags = {"judge": planned.label, "rubric": judge.rubric_name, "mode": case.mode, **case.tags}
    if planned.suite:
        tags["suite"] = planned.suite
    version = judge.version
    weight = _weight(judge, case)
    make = partial(judge.make, case.mode, case.subjects, query=case.query, reference=case.reference)
    return [
        JudgmentTask(key, version, trial, partial(make, trial=trial), tags, weight)
        for trial, key in enumerate(keys)
    ]


def _weight(judge: Judge, case: PlannedCase) -> int:
    """Return the approximate number of questions that a judgment asks at once, without splitting the subject."""
    if case.mode != "score":
        return 2 if judge.settings.swap else 1
    units = 1
    if judge.settings.granularity == "fine":
        subject = case.subjects[0]
        units = len(subject.steps) if isinstance(subject, Trajectory) else len(subject.source) // _UNIT
    return max(1, units) * len(judge.batches)


def _needed(judgments: Sequence[Judgment], *, total: int) -> int:
    """Return how many more repetitions are needed at least before the most frequent verdict can be settled."""
    votes: list[str | None] = []
    for judgment in judgments:
        choice = None if judgment.choice is None else str(judgment.choice)
        votes.append((judgment.preference or choice) if judgment.status == "ok" else None)
    return votes_needed(votes, total)


def _too_long(judge: Judge, window: int, case: PlannedCase) -> str | None:
    """Return why a case does not fit into the model's window, or None."""
    fine = judge.settings.granularity != "holistic"
    if fine and isinstance(case.subjects[0], Report):
        return None
    tokens = sum(_tokens(subject) for subject in case.subjects) + _TASK_TOKENS
    tokens += sum(estimate_tokens(text) for text in (case.query, case.reference) if text)
    if tokens <= window:
        return None
    parts = "judge it in parts (granularity: fine), or " if case.mode == "score" and not fine else ""
    mend = f"{parts}use a model with a larger window"
    return f"{case.name}: about {tokens:,} tokens with the question, and {judge.model.id} reads {window:,}; {mend}"


def _tokens(subject: Any) -> int:
    key = "assay.runs.tokens"
    memo = subject.memo
    if key not in memo:
        memo[key] = estimate_tokens(subject.source)
    count: int = memo[key]
    return count


def _unlike(planned: Sequence[PlannedJudge]) -> None:
    """Refuse judges with equal labels and rubrics."""
    names: dict[tuple[str, str], PlannedJudge] = {}
    for item in planned:
        key = (item.label, item.judge.rubric_name)
        other = names.setdefault(key, item)
        if other is not item and set(other.modes) & set(item.modes):
            raise UsageError(f"two judges are called {item.title!r}; give one of them another label")
