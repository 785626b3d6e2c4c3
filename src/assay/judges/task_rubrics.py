"""Each subject by the rubric of its own task: found by its id, its file's name, or the query it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from assay.errors import UsageError
from assay.judges.identity import name_of
from assay.judges.rubric_source import ResolvedRubric
from assay.rubrics.rubric import Rubric
from assay.rubrics.tasks import RubricSet, RubricTask, plain_query
from assay.strategies.base import Mode

if TYPE_CHECKING:
    from assay.subjects.subject import Subject


class TaskRubrics:
    """Rubrics by task, as a `RubricSource`.

    A subject's task is the one of its id, of its file's name (``<id>.md``), or of its query, word for word. A set of one
    task without a query is for everything; one with a query, for everything that does not say it answers another.

    Args:
        tasks: Tasks and their rubrics.
    """

    def __init__(self, tasks: RubricSet) -> None:
        self.tasks = tasks

    @property
    def name(self) -> str:
        """What results call it."""
        return self.tasks.name

    @property
    def version(self) -> str:
        """Hash of all rubrics: a judge by task is another judge when one of them changes."""
        return self.tasks.version

    @property
    def typical(self) -> Rubric:
        """The first task's rubric."""
        return next(iter(self.tasks.tasks.values())).rubric

    def task(self, subjects: Sequence[Subject], *, query: str | None = None) -> RubricTask:
        """The task that all of these answer.

        Args:
            subjects: What is judged: one, or several answers to one question.
            query: The question they answer, where it is known.

        Raises:
            UsageError: There is none for them, or not the same for all.
        """
        asked = self.tasks.by_query(query) if query else None
        found: dict[str, tuple[RubricTask, Subject]] = {}
        for subject in subjects:
            named = next(filter(None, self._named(subject)), None)
            if named is not None and asked is not None and asked.id != named.id:
                raise UsageError(
                    f"{name_of(subject)}: its name is that of task {named.id!r}, and its query that of task "
                    f"{asked.id!r}; which rubric is meant? (rename it, or mend its query)"
                )
            if named is not None:
                found.setdefault(named.id, (named, subject))
        if len(found) > 1:
            (one, first), (other, second) = list(found.values())[:2]
            raise UsageError(
                f"{name_of(first)} answers task {one.id!r} and {name_of(second)} task {other.id!r}; "
                "compare answers to one question"
            )
        if found:
            return next(iter(found.values()))[0]
        if asked is not None:
            return asked
        only = self.tasks.only
        if only is not None and (
            not only.query or not query or plain_query(query) == plain_query(only.query)
        ):
            return only
        raise self._unknown(subjects[0], query)

    def check(self, mode: Mode, subjects: Sequence[Subject], *, query: str | None = None) -> None:  # noqa: ARG002
        """Refuse what there is no rubric for.

        Raises:
            UsageError: There is none; the message says for what there is.
        """
        self.task(subjects, query=query)

    def known(self, mode: Mode, subjects: Sequence[Subject], *, query: str | None = None) -> Rubric:  # noqa: ARG002
        """The rubric: no model need be asked for it. Raises as `task`."""
        return self.task(subjects, query=query).rubric

    async def rubric(
        self,
        mode: Mode,  # noqa: ARG002 - the protocol's signature
        subjects: Sequence[Subject],
        *,
        query: str | None = None,
        language: Literal["en", "zh"] = "en",  # noqa: ARG002
    ) -> ResolvedRubric:
        """The rubric for these. Raises as `task`."""
        return ResolvedRubric(self.task(subjects, query=query).rubric)

    def _named(self, subject: Subject) -> Iterator[RubricTask | None]:
        if subject.id:
            yield self.tasks.tasks.get(subject.id)
        if subject.path:
            yield self.tasks.by_path(subject.path)
        if subject.id:
            # Some rows are named after the file of their report.
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
