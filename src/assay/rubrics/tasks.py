"""Tasks with their own rubrics: a query, a rubric, a domain and levels of complexity."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Final

import msgspec

from assay.errors import InputError
from assay.rubrics.rubric import Rubric
from assay.suggest import closest

SCHEMA: Final = "assay.rubric-task/1"

# ResearchRubrics, tables 1 and 7.
LEVELS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "conceptual_breadth": ("simple", "moderate", "high"),
        "logical_nesting": ("shallow", "intermediate", "deep"),
        "exploration": ("low", "medium", "high"),
    }
)
# ResearchRubrics, table 11.
DOMAINS: Final = (
    "AI & ML",
    "STEM",
    "General Consumer Research",
    "Technical Documentation",
    "Hypotheticals & Philosophy",
    "Historical Analysis",
    "Business Planning & Research",
    "Creative Writing",
    "Current Events",
    "Other",
)
_MOST_SHOWN: Final = 3


class Complexity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How hard a task is, in three ways; a level is empty if it is not known (ResearchRubrics, tables 1 and 7).

    Attributes:
        conceptual_breadth: How many topics and sources it draws together: simple, moderate, high.
        logical_nesting: How many steps rest on one another: shallow, intermediate, deep.
        exploration: How much of the goal is left open: low, medium, high.
    """

    conceptual_breadth: str = ""
    logical_nesting: str = ""
    exploration: str = ""


class RubricTask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One task and the rubric its answers are graded by.

    Attributes:
        id: Name that reports are matched by, also as the name of a file without its suffix.
        rubric: Rubric that answers are graded by.
        query: The question; empty if the rubric fits any question.
        domain: The field it belongs to.
        complexity: Levels of complexity.
        notes: All other fields of its row.
    """

    id: str
    rubric: Rubric
    query: str = ""
    domain: str = ""
    complexity: Complexity = Complexity()
    notes: dict[str, Any] = {}


class RubricSet(msgspec.Struct, frozen=True, dict=True):
    """Tasks by id, in the order of their file."""

    name: str
    tasks: dict[str, RubricTask]

    @classmethod
    def of(cls, name: str, tasks: Iterable[RubricTask]) -> RubricSet:
        """Return a set of tasks.

        Raises:
            InputError: There are none, or two have the same id.
        """
        found: dict[str, RubricTask] = {}
        for task in tasks:
            if task.id in found:
                raise InputError(f"two tasks have the id {task.id!r}", where=name)
            found[task.id] = task
        if not found:
            raise InputError("holds no rubric", where=name)
        return cls(name, found)

    @property
    def only(self) -> RubricTask | None:
        """The task of a set of one."""
        return next(iter(self.tasks.values())) if len(self.tasks) == 1 else None

    @cached_property
    def version(self) -> str:
        """Hash of all rubrics and of what finds them, 12 hex digits.

        The order of tasks and the set's name do not matter.
        """
        rows = [(key, task.query, task.rubric.version) for key, task in sorted(self.tasks.items())]
        return hashlib.blake2b(msgspec.json.encode(rows), digest_size=6).hexdigest()

    def find(self, wanted: str) -> RubricTask | None:
        """Return the task of this id, of a file named after it, or with this very query; None if there is none.

        A query that several tasks share finds no task.
        """
        if wanted in self.tasks:
            return self.tasks[wanted]
        return self.by_path(wanted) or self.by_query(wanted)

    def by_path(self, path: str) -> RubricTask | None:
        """Return the task that a file is named after: ``reports/<id>.md``."""
        name = PurePath(path.replace("\\", "/")).name
        while name not in self.tasks and "." in name.lstrip("."):
            name = name.rpartition(".")[0]
        return self.tasks.get(name)

    def by_query(self, query: str) -> RubricTask | None:
        """Return the only task with this query, white space aside."""
        found = self._by_query.get(plain_query(query), ())
        return found[0] if len(found) == 1 else None

    def nearest(self, name: str) -> str:
        """Return the known ids for an error message, those that resemble ``name`` first."""
        ids = list(self.tasks)
        alike = closest(name, ids, n=_MOST_SHOWN, cutoff=0.7)
        if alike:
            return f"did you mean {' or '.join(map(repr, alike))}?"
        more = f" and {len(ids) - _MOST_SHOWN} more" if len(ids) > _MOST_SHOWN else ""
        return f"there are {', '.join(ids[:_MOST_SHOWN])}{more}"

    @cached_property
    def _by_query(self) -> dict[str, list[RubricTask]]:
        found: dict[str, list[RubricTask]] = {}
        for task in self.tasks.values():
            if task.query:
                found.setdefault(plain_query(task.query), []).append(task)
        return found


def plain_query(query: str) -> str:
    """Return a query with its white space folded, for comparisons."""
    return " ".join(query.split())
