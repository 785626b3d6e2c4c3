"""Systems, tasks, domains and styles of subjects, by the names under which judgments refer to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError
from assay.meta.leaderboard.comparisons import TextStyle
from assay.rows import read_rows
from assay.subjects.reading import read_subjects
from assay.subjects.reference_answers import id_of
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
    """A subject with its system, task, domain and style, as far as they are known."""

    system: str | None = None
    id: str | None = None
    task: str | None = None
    domain: str | None = None
    style: TextStyle | None = None


class SubjectIndex:
    """Finds subjects by name; a name that several subjects share finds none.

    Args:
        tasks: Tasks by id, for their domains.
    """

    def __init__(self, tasks: Mapping[str, GradedTask] | None = None) -> None:
        self._tasks = dict(tasks or {})
        self._by_query = {_plain(task.query): task for task in self._tasks.values() if task.query}
        self._read: dict[str, ComparedSubject | None] = {}
        self._listed: dict[str, ComparedSubject] = {}
        self.unread: list[InputError] = []

    def domain(self, task: str | None, query: str | None = None) -> str | None:
        """Return the domain of a task, found by its id or query."""
        if not self._tasks:
            return None
        match = self._tasks.get(task) if task else None
        if match is None and query:
            match = self._by_query.get(_plain(query))
        return match.domain if match else None

    def add_reports(self, paths: Iterable[str]) -> None:
        """Add reports and trajectories; errors of unreadable ones are collected in ``unread``."""
        for subject in read_subjects(list(paths)):
            if isinstance(subject, InputError):
                self.unread.append(subject)
            else:
                self.add(subject, self.describe(subject))

    def describe(self, subject: Subject) -> ComparedSubject:
        """Return what a subject says about itself.

        If it names no system, the system is the name of its file; for a file with a single report, that of its folder.
        """
        query = subject.query or None
        name = id_of(subject)
        return ComparedSubject(
            system=subject.system or _system_of_path(subject.path),
            id=name,
            task=_plain(query) if query else name,
            domain=domain_of(subject.meta) or self.domain(name, query),
            style=text_style(subject),
        )

    def add(self, subject: Subject, described: ComparedSubject) -> None:
        """Make a subject known by its path, its file's name, its id, and its system with its id."""
        path = subject.path or ""
        names = {path, Path(path).name, id_of(subject), f"{described.system}/{described.id}"} - {""}
        for name in names:
            self._read[name] = described if self._read.get(name, described) is described else None

    def add_table(self, path: str) -> None:
        """Add a table of subjects: CSV or JSON Lines with subject, system, task and domain.

        Raises:
            InputError: The table cannot be read, or a row lacks a subject or a system.
        """
        for where, row in object_rows(Path(path)):
            subject, system = first_text(row, _SUBJECTS), first_text(row, _SYSTEMS)
            if subject is None or system is None:
                missing = "subject" if subject is None else "system"
                columns = ", ".join(map(str, list(row)[:8]))
                raise InputError(
                    f"has no {missing}; its fields are {columns}",
                    where=where,
                    hint="give subject and system, and task and domain if known",
                )
            self._listed[subject] = ComparedSubject(
                system=system, task=first_text(row, _TASKS), domain=domain_of(row)
            )

    def find(self, name: str, system: str | None = None) -> ComparedSubject | None:
        """Return the subject of a name, or of a name and a system if the name is ambiguous."""
        if not self._read and not self._listed:
            return None
        listed = next((self._listed[key] for key in _spellings(name) if key in self._listed), None)
        keys = (*([f"{system}/{name}"] if system else []), *_spellings(name))
        read = next((subject for key in keys if (subject := self._read.get(key)) is not None), None)
        if listed is None or read is None:
            return listed or read
        return msgspec.structs.replace(
            read,
            system=listed.system,
            task=listed.task or read.task,
            domain=listed.domain or read.domain,
        )


def text_style(subject: Subject) -> TextStyle | None:
    """Return the style of a report; None for a trajectory."""
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
    """Return the domain that a row names, if any."""
    return first_text(row, _DOMAINS)


def first_text(row: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    """Return the first of several fields that holds a text or a whole number."""
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
        raise InputError("is not a JSON object", where=where)
    return row


def _spellings(name: str) -> tuple[str, ...]:
    """Return the name, its last part, and that part without its ending."""
    last = Path(name).name if "\0" not in name else name
    return (name, last, last if _ROW.search(last) else last.partition(".")[0])


def _system_of_path(path: str | None) -> str | None:
    if path is None:
        return None
    file = Path(_ROW.sub("", path))
    if _ROW.search(path):
        return file.name.removesuffix(".gz").rpartition(".")[0] or file.name
    return file.parent.name or None


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())
