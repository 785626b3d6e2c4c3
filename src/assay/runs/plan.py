"""The plan of a run: all judgments that an experiment asks for, as a stream.

The order is by case, then by judge, then by repetition. Calls that share a document are thus neighbours, which suits
prefix caches, and only one document and the tasks in progress are in memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import AssayError, InputError, UsageError
from assay.judges.identity import address_of, name_of
from assay.judges.model_judge import ModelJudge
from assay.runs.experiment_subjects import ExperimentSubjects, SubjectEntry, SubjectStore
from assay.runs.tasks import JudgmentTask, RepetitionSeries, tasks_of
from assay.subjects.case import Case, Mode

if TYPE_CHECKING:
    from assay.runs.experiment import Experiment

# Problems that are named; further ones are counted.
_NAMED_PROBLEMS: Final = 5


class PlannedJudge(msgspec.Struct, frozen=True, eq=False):
    """A judge of the plan (a `CaseJudge`), its label, what it is used for, and whether its model caches prefixes."""

    judge: Any
    label: str
    modes: tuple[Mode, ...]
    caches: bool = False
    suite: str = ""

    @property
    def title(self) -> str:
        """Its label and rubric, for tables."""
        rubric = self.judge.rubric_name
        return f"{self.label} · {rubric}" if rubric else self.label


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
        _unlike(self.judges)

    def survey(self) -> Survey:
        """Read the whole plan once.

        Raises:
            UsageError: There is nothing to judge, or groups name unknown subjects.
        """
        survey = Survey(judgments=[0] * len(self.judges))
        digest = hashlib.blake2b(digest_size=6)
        for planned in self.judges:
            judge = planned.judge
            early_stop = getattr(judge, "early_stop", False)
            described = (judge.version, planned.label, planned.modes, judge.repetitions, early_stop)
            digest.update(msgspec.json.encode(described))
        for case in self._cases(survey):
            survey.cases += 1
            digest.update(address_of(case))
            digest.update(msgspec.json.encode(case.metadata))
            for index, planned in enumerate(self.judges):
                if case.mode not in planned.modes:
                    continue
                problem = self._problem(planned, case)
                if problem is None:
                    survey.judgments[index] += planned.judge.repetitions
                else:
                    survey.unfit += planned.judge.repetitions
                    if len(survey.problems) < _NAMED_PROBLEMS and problem not in survey.problems:
                        survey.problems.append(problem)
        if not survey.cases and not survey.problems:
            raise UsageError("the experiment has no subjects")
        survey.digest = digest.hexdigest()
        return survey

    def cases(self) -> Iterator[Case]:
        """Yield the cases in order; unreadable subjects are left out (see `survey`)."""
        return self._cases(None)

    def fitting(self, share: tuple[int, int] | None = None) -> Iterator[tuple[int, PlannedJudge, Case]]:
        """Yield each case with each judge that can judge it, and the judge's index.

        Args:
            share: Number of a share, from 0, and how many there are: only cases that fall to it by their content. Equal
                cases fall to the same share.
        """
        for case in self.cases():
            if share is not None and int.from_bytes(address_of(case)[:4], "big") % share[1] != share[0]:
                continue
            for index, planned in enumerate(self.judges):
                if case.mode in planned.modes and self._problem(planned, case) is None:
                    yield index, planned, case

    def tasks(self, share: tuple[int, int] | None = None) -> Iterator[JudgmentTask | RepetitionSeries]:
        """Yield the judgments as tasks; of one share, see `fitting`."""
        for _, planned, case in self.fitting(share):
            repetitions = self.judgments(planned, case)
            if isinstance(repetitions, RepetitionSeries):
                yield repetitions
            else:
                yield from repetitions

    def judgments(self, planned: PlannedJudge, case: Case) -> Sequence[JudgmentTask] | RepetitionSeries:
        """Return the repetitions of one judge on one case."""
        tags = {"judge": planned.label, "rubric": planned.judge.rubric_name or "", "mode": case.mode}
        tags.update((key, str(value)) for key, value in case.metadata.items())
        if planned.suite:
            tags["suite"] = planned.suite
        return tasks_of(planned.judge, case, tags)

    def _problem(self, planned: PlannedJudge, case: Case) -> str | None:
        """Return why a judge cannot judge a case, or None."""
        try:
            planned.judge.check(case)
        except AssayError as error:
            names = " and ".join(name_of(subject) for subject in case.subjects[:2])
            return f"{names}{' …' if len(case.subjects) > 2 else ''}: {error.cli_message}"
        return None

    def _cases(self, survey: Survey | None) -> Iterator[Case]:
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

    def _pairs(self, shelf: SubjectStore) -> Iterator[Case]:
        for grouping in self.experiment.compare:
            if grouping.members:
                pairs = [[shelf.named(name, grouping.place) for name in grouping.members]]
            else:
                pairs = shelf.groups(grouping.on, grouping.systems, grouping.place)
            for members in pairs:
                for a, b in combinations(members, 2):
                    yield _together("compare", (shelf[a], shelf[b]), ("a", "b"))

    def _sets(self, shelf: SubjectStore) -> Iterator[Case]:
        for grouping in self.experiment.rank:
            if grouping.members:
                sets = [[shelf.named(name, grouping.place) for name in grouping.members]]
            else:
                sets = shelf.groups(grouping.on, grouping.systems, grouping.place)
            for members in sets:
                entries = tuple(shelf[index] for index in members)
                yield _together("rank", entries, tuple(str(i + 1) for i in range(len(entries))))


def _alone(entry: SubjectEntry) -> Case:
    metadata = {"id": entry.id}
    if entry.system is not None:
        metadata["system"] = entry.system
    return Case(entry.subject, query=entry.query, reference=entry.reference, metadata=metadata)


def _together(mode: Mode, entries: tuple[SubjectEntry, ...], sides: tuple[str, ...]) -> Case:
    metadata: dict[str, str] = {}
    for side, entry in zip(sides, entries, strict=True):
        metadata[f"id_{side}"] = entry.id
        if entry.system is not None:
            metadata[f"system_{side}"] = entry.system
    query = next((entry.query for entry in entries if entry.query), None)
    reference = next((entry.reference for entry in entries if entry.reference), None)
    subjects = (entry.subject for entry in entries)
    return Case(*subjects, query=query, reference=reference, mode=mode, metadata=metadata)


def model_judges(judges: Iterable[Any]) -> list[ModelJudge]:
    """Return the judges that ask a model, members of ensembles included, each once."""
    found: list[ModelJudge] = []
    for judge in judges:
        more = [judge] if isinstance(judge, ModelJudge) else model_judges(getattr(judge, "judges", ()))
        found += [item for item in more if not any(item is other for other in found)]
    return found


def _unlike(planned: Sequence[PlannedJudge]) -> None:
    """Refuse judges with equal labels and rubrics."""
    names: dict[tuple[str, str], PlannedJudge] = {}
    for item in planned:
        key = (item.label, item.judge.rubric_name or "")
        other = names.setdefault(key, item)
        if other is not item and set(other.modes) & set(item.modes):
            raise UsageError(f"two judges are called {item.title!r}; give one of them another label")
