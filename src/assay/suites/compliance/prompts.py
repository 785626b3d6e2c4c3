"""Tasks of the grades: prompts, domains and complexity (ResearchRubrics, appendix D.1, table 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError
from assay.measures.describe import describe
from assay.rows import read_rows
from assay.suites.compliance.marks import in_order
from assay.suites.compliance.record import PromptRow
from assay.text.words import count_words

if TYPE_CHECKING:
    from pathlib import Path

_IDS: Final = ("sample_id", "id", "task_id", "task")
_QUERIES: Final = ("prompt", "query", "question")
_DOMAINS: Final = ("domain", "topic")
_LEVELS: Final = ("conceptual_breadth", "logical_nesting", "exploration")


class GradedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task with its query, domain and complexity."""

    id: str
    query: str | None = None
    domain: str | None = None
    complexity: dict[str, str] = {}


def read_tasks(path: Path) -> dict[str, GradedTask]:
    """Read tasks by id from a file with the fields of the public data sets.

    Raises:
        InputError: The file cannot be read, or a line is not a task.
    """
    tasks: dict[str, GradedTask] = {}
    for where, row in read_rows(path):
        task = _task(row, where)
        if task.id in tasks:
            raise InputError(f"task {task.id!r} occurs twice", where=where)
        tasks[task.id] = task
    return tasks


def _task(row: Any, where: str) -> GradedTask:
    name = _first(row, _IDS) if isinstance(row, dict) else None
    if not isinstance(row, dict) or name is None:
        raise InputError("no task: it has no id", where=where, hint=f"one of {', '.join(_IDS)}")
    return GradedTask(
        id=name,
        query=_first(row, _QUERIES),
        domain=_first(row, _DOMAINS),
        complexity={key: str(row[key]) for key in _LEVELS if row.get(key) is not None},
    )


def _first(row: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((str(row[key]) for key in keys if row.get(key) is not None), None)


def prompt_rows(tasks: Mapping[str, GradedTask]) -> Iterator[PromptRow]:
    """Describe the lengths of prompts: all, by domain, and by each axis of complexity."""
    known = [task for task in tasks.values() if task.query]
    if not known:
        return
    words = {task.id: float(count_words(task.query or "")) for task in known}
    yield PromptRow(by="all", subset="all", words=describe(list(words.values()), floor=0))
    for by in ("domain", *_LEVELS):
        subsets: dict[str, list[float]] = {}
        for task in known:
            name = task.domain if by == "domain" else task.complexity.get(by)
            if name:
                subsets.setdefault(name, []).append(words[task.id])
        for name in in_order(subsets):
            yield PromptRow(by=by, subset=name, words=describe(subsets[name], floor=0))
