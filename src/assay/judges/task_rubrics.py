"""Rubrics by task: each subject is judged by the rubric of its own task, found by id, file name or query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from assay.errors import UsageError
from assay.judges.identity import name_of
from assay.judges.rubric_source import ResolvedRubric
from assay.rubrics.rubric import Rubric
from assay.rubrics.tasks import RubricSet, RubricTask, plain_query

if TYPE_CHECKING:
    from assay.subjects.case import Case
    from assay.subjects.subject import Subject


class TaskRubrics:
    """Rubrics by task, as a `RubricSource`.

    A subject's task is the one with its id, its file's name (``<id>.md``), or its query, word for word. A set of a
    single task without a query applies to everything; with a query, to everything that does not carry another one.

    Args:
        tasks: Tasks and their rubrics.
    """

    def __init__(self, tasks: RubricSet) -> None:
        self.tasks = tasks

    @property
    def name(self) -> str:
        """Its name in results."""
        return self.tasks.name

    @property
    def version(self) -> str:
        """Hash of all rubrics: if one of them changes, the judge becomes another judge."""
        return self.tasks.version

    @property
    def typical(self) -> Rubric:
        """The first task's rubric."""
        return next(iter(self.tasks.tasks.values())).rubric

    def task(self, subjects: Sequence[Subject], *, query: str | None = None) -> RubricTask:
        """Return the task that all these subjects answer.

        Args:
            subjects: What is judged: one subject, or several answers to one question.
            query: Question that they answer, if known.

        Raises:
            UsageError: There is no such task, or the subjects answer different ones.
        """
        by_query = self.tasks.by_query(query) if query else None
        by_name: dict[str, tuple[RubricTask, Subject]] = {}
        for subject in subjects:
            named = next(filter(None, self._named(subject)), None)
            if named is not None and by_query is not None and by_query.id != named.id:
                raise UsageError(
                    f"{name_of(subject)}: its name is that of task {named.id!r}, and its query that of task "
                    f"{by_query.id!r}; rename it, or correct its query"
                )
            if named is not None:
                by_name.setdefault(named.id, (named, subject))
        if len(by_name) > 1:
            (one, first), (other, second) = list(by_name.values())[:2]
            raise UsageError(
                f"{name_of(first)} answers task {one.id!r} and {name_of(second)} task {other.id!r}; "
                "compare answers to the same question"
            )
        if by_name:
            return next(iter(by_name.values()))[0]
        if by_query is not None:
            return by_query
        only = self.tasks.only
        if only is not None and (
            not only.query or not query or plain_query(query) == plain_query(only.query)
        ):
            return only
        raise self._unknown(subjects[0], query)

    def check(self, case: Case) -> None:
        """Refuse subjects without a rubric.

        Raises:
            UsageError: There is none; the message says which tasks there are.
        """
        self.task(case.subjects, query=case.query)

    def known(self, case: Case) -> Rubric:
        """Return the rubric, which never needs a model. Raises the same errors as `task`."""
        return self.task(case.subjects, query=case.query).rubric

    async def rubric(
        self,
        case: Case,
        *,
        language: Literal["en", "zh"] = "en",  # noqa: ARG002 - the protocol's signature
    ) -> ResolvedRubric:
        """Return the rubric of a case. Raises the same errors as `task`."""
        return ResolvedRubric(self.known(case))

    def _named(self, subject: Subject) -> Iterator[RubricTask | None]:
        if subject.id:
            yield self.tasks.tasks.get(subject.id)
        if subject.path:
            yield self.tasks.by_path(subject.path)
        if subject.id:
            # Some rows have the file name of their report as id.
            yield self.tasks.by_path(subject.id)

    def _unknown(self, subject: Subject, query: str | None) -> UsageError:
        name = name_of(subject)
        tried = ["id" if subject.id else "", "file name" if subject.path else "", "query" if query else ""]
        by = ", ".join(filter(None, tried)) or "nothing: it has no id, no file and no query"
        stem = (subject.id or subject.path or "").replace("\\", "/").rpartition("/")[2].partition(".")[0]
        return UsageError(
            f"{self.name} has no rubric for {name} (looked up by {by}); {self.tasks.nearest(stem)} "
            "(name the report <id>.md, or give its query)"
        )
