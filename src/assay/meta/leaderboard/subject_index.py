"""SubjectIndex wrote what: systems, tasks, domains and styles of subjects, by the names that judgments call them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError
from assay.meta.leaderboard.comparisons import TextStyle
from assay.rows import read_rows
from assay.runs.experiment_subjects import id_of
from assay.subjects.reading import read_subjects
from assay.subjects.report import Report

if TYPE_CHECKING:
    from assay.subjects.subject import Subject
    from assay.suites.compliance.prompts import GradedTask

_SUBJECTS: Final = ("subject", "path", "file", "report", "id")
_SYSTEMS: Final = ("system", "model", "agent")
_TASKS: Final = ("task", "task_id", "query_id", "question_id", "query", "question", "prompt")
_DOMAINS: Final = ("domain", "topic", "category")
_ROW = re.compile(r"(?::\d+|\[\d+\])$")
_BOLD = re.compile(r"\*\*(?=\S)[^*\n]+?\*\*|__(?=\S)[^_\n]+?__")


class ComparedSubject(msgspec.Struct, frozen=True, kw_only=True):
    """A subject: its system, its task, its domain, its style, as far as they are known."""

    system: str | None = None
    id: str | None = None
    task: str | None = None
    domain: str | None = None
    facts: TextStyle | None = None


class SubjectIndex:
    """Finds entrants by name. A name that several go by finds none of them.

    Args:
        tasks: Tasks by id, for domains.
    """

    def __init__(self, tasks: Mapping[str, GradedTask] | None = None) -> None:
        self._tasks = dict(tasks or {})
        self._by_query = {_plain(task.query): task for task in self._tasks.values() if task.query}
        self._found: dict[str, ComparedSubject | None] = {}
        self._given: dict[str, ComparedSubject] = {}
        self.unread: list[InputError] = []

    def domain(self, task: str | None, query: str | None = None) -> str | None:
        """The domain of a task, by its id or its question."""
        if not self._tasks:
            return None
        task_found = self._tasks.get(task) if task else None
        if task_found is None and query:
            task_found = self._by_query.get(_plain(query))
        return task_found.domain if task_found else None

    def add_reports(self, paths: Iterable[str]) -> None:
        """Learn what reports and trajectories say of themselves. What cannot be read is set aside in ``unread``."""
        for subject in read_subjects(list(paths)):
            if isinstance(subject, InputError):
                self.unread.append(subject)
            else:
                self.add(subject, self.entrant(subject))

    def entrant(self, subject: Subject) -> ComparedSubject:
        """What a subject says of itself."""
        return describe_subject(subject, self)

    def add(self, subject: Subject, entrant: ComparedSubject) -> None:
        """Have it found by its path, its file's name, its id, and its system and id."""
        path = subject.path or ""
        names = {path, Path(path).name, id_of(subject), f"{entrant.system}/{entrant.id}"} - {""}
        for name in names:
            self._found[name] = entrant if self._found.get(name, entrant) is entrant else None

    def add_table(self, path: str) -> None:
        """Learn from a table of subjects: CSV or JSON Lines with subject, system, task, domain.

        Raises:
            InputError: It cannot be read, or a row names no subject or no system.
        """
        for where, row in object_rows(Path(path)):
            subject, system = first_text(row, _SUBJECTS), first_text(row, _SYSTEMS)
            if subject is None or system is None:
                missing = "subject" if subject is None else "system"
                have = ", ".join(map(str, list(row)[:8]))
                raise InputError(
                    f"names no {missing}; it has {have}",
                    where=where,
                    hint="a row is subject, system, and task and domain where they are known",
                )
            self._given[subject] = ComparedSubject(
                system=system, task=first_text(row, _TASKS), domain=domain_of(row)
            )

    def find(self, name: str, system: str | None = None) -> ComparedSubject | None:
        """The entrant of a name; of a name and a system where the name alone is not enough."""
        given = next((self._given[key] for key in _spellings(name) if key in self._given), None)
        found = None
        for key in (*([f"{system}/{name}"] if system else []), *_spellings(name)):
            found = self._found.get(key)
            if found is not None:
                break
        if given is None or found is None:
            return given or found
        return msgspec.structs.replace(
            found,
            system=given.system,
            task=given.task or found.task,
            domain=given.domain or found.domain,
        )


def describe_subject(subject: Subject, who: SubjectIndex) -> ComparedSubject:
    """What a subject says of itself; its system is its file's name, or for a file of one report its folder's, where it names none."""
    query = subject.query or None
    name = id_of(subject)
    return ComparedSubject(
        system=subject.system or _file_system(subject.path),
        id=name,
        task=_plain(query) if query else name,
        domain=domain_of(subject.meta) or who.domain(name, query),
        facts=text_style(subject),
    )


def text_style(subject: Subject) -> TextStyle | None:
    """The style of a report; None for a trajectory."""
    if not isinstance(subject, Report):
        return None
    return TextStyle(
        words=subject.words,
        headings=sum(block.kind == "heading" for block in subject.blocks),
        citations=len(subject.citations),
        bold=sum(1 for _ in _BOLD.finditer(subject.source)),
        items=sum(block.kind == "item" for block in subject.blocks),
    )


def domain_of(row: Mapping[str, Any]) -> str | None:
    """The domain a row names, if it does."""
    return first_text(row, _DOMAINS)


def first_text(row: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    """The first of several fields that holds a word or a whole number."""
    if not row:
        return None
    for key in keys:
        value = row.get(key)
        if value is None:
            continue
        if isinstance(value, str):
            if stripped := value.strip():
                return stripped
        elif isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def object_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a CSV, JSON Lines or JSON file, each with its place.

    Raises:
        InputError: The file cannot be read, or a row is not an object.
    """
    for where, row in read_rows(path):
        yield where, _object(row, where)


def _object(row: Any, where: str) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise InputError("a row is a JSON object, and this is none", where=where)
    return row


def _spellings(name: str) -> tuple[str, ...]:
    """The name, its last part, and that without its ending."""
    last = Path(name).name if "\0" not in name else name
    return (name, last, last if _ROW.search(last) else last.partition(".")[0])


def _file_system(path: str | None) -> str | None:
    if path is None:
        return None
    place = Path(_ROW.sub("", path))
    if _ROW.search(path):
        return place.name.removesuffix(".gz").rpartition(".")[0] or place.name
    return place.parent.name or None


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())
