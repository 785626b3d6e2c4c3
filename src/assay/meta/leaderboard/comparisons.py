"""Verdicts on pairs as columns: a million of them in some tens of megabytes, ready to be counted.

A verdict of a dimension is one of five: for the first, for the second, a tie, none, or not asked for. The last two differ:
a judge that was asked and gave no verdict lowers the coverage of what it did say; one that never was, does not.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIN: Final = 1
LOSS: Final = -1
TIE: Final = 0
NO_VERDICT: Final = 2
UNASKED: Final = 3
OVERALL: Final = "overall"


class TextStyle(msgspec.Struct, frozen=True):
    """The style of a text: how long it is and how it is dressed.

    Attributes:
        words: Words; characters of Chinese.
        headings: Headings.
        citations: Citation marks and links.
        bold: Bold passages.
        items: List items.
    """

    words: int
    headings: int
    citations: int
    bold: int
    items: int


class Comparisons(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Comparisons of two systems each, as columns of one length.

    Attributes:
        systems: Names, in order; columns have their numbers.
        tasks: How many tasks there are.
        domains: Names of domains; empty where none are known.
        first: System of the one side.
        second: Of the other.
        task: Number of the task. A comparison of an unknown task is one of its own.
        domain: Number of its domain, -1 where it is not known.
        outcomes: By dimension what was said: `WIN` for the first, `LOSS`, `TIE`, `NO_VERDICT`, `UNASKED`.
        facts: Styles of texts.
        style_first: Which of them is of the first; -1 where it is not known.
        style_second: Of the second.
        judges: Comparisons by judge.
        rubrics: Comparisons by rubric.
        unknown_tasks: Comparisons whose task nobody named.
    """

    systems: tuple[str, ...]
    tasks: int
    domains: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    task: NDArray[np.int64]
    domain: NDArray[np.int64]
    outcomes: dict[str, NDArray[np.int8]]
    facts: tuple[TextStyle, ...] = ()
    style_first: NDArray[np.int64]
    style_second: NDArray[np.int64]
    judges: dict[str, int] = {}
    rubrics: dict[str, int] = {}
    unknown_tasks: int = 0

    def __len__(self) -> int:
        return len(self.first)


class ComparisonsBuilder:
    """Takes comparisons one by one."""

    def __init__(self) -> None:
        self._systems: dict[str, int] = {}
        self._tasks: dict[str, int] = {}
        self._domains: dict[str, int] = {}
        self._groups: dict[tuple[str, str], int] = {}
        self._asked: list[set[str]] = []
        self._facts: dict[int, int] = {}
        self._kept: list[TextStyle] = []
        self._columns = {name: array("i") for name in ("a", "b", "task", "domain", "group", "x", "y")}
        self._said: dict[str, array[int]] = {}
        self._judged: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._columns["a"])

    def add(
        self,
        systems: tuple[str, str],
        said: Mapping[str, int],
        *,
        task: str | None = None,
        domain: str | None = None,
        judge: str = "",
        rubric: str | None = None,
        facts: tuple[TextStyle | None, TextStyle | None] = (None, None),
    ) -> None:
        """A comparison: of whom, and by dimension what was said (`WIN`, `LOSS`, `TIE` or `NO_VERDICT`)."""
        columns = self._columns
        at = len(columns["a"])
        for name, system in zip("ab", systems, strict=True):
            columns[name].append(self._systems.setdefault(system, len(self._systems)))
        columns["task"].append(-1 if task is None else self._tasks.setdefault(task, len(self._tasks)))
        columns["domain"].append(
            -1 if domain is None else self._domains.setdefault(domain, len(self._domains))
        )
        group = self._groups.setdefault((judge, rubric or ""), len(self._groups))
        if group == len(self._asked):
            self._asked.append(set())
        self._asked[group].update(said)
        columns["group"].append(group)
        for name, found in zip("xy", facts, strict=True):
            columns[name].append(-1 if found is None else self._fact(found))
        for key, value in said.items():
            column = self._said.setdefault(key, array("b"))
            column.extend([UNASKED] * (at - len(column)))
            column.append(value)

    def _fact(self, facts: TextStyle) -> int:
        key = id(facts)
        if key not in self._facts:
            self._facts[key] = len(self._kept)
            # Kept as well, so that no other takes its identity.
            self._kept.append(facts)
        return self._facts[key]

    def build(self) -> Comparisons:
        """All of them; names in order, so that nothing depends on the order in which they came."""
        columns = {name: np.array(column, dtype=np.int64) for name, column in self._columns.items()}
        n = len(self)
        systems, system_place = _sorted(self._systems)
        tasks, task_place = _sorted(self._tasks)
        domains, domain_place = _sorted(self._domains)
        task = _placed(columns["task"], task_place)
        alone = task < 0
        task[alone] = len(tasks) + np.arange(int(alone.sum()))
        outcomes: dict[str, Any] = {}
        for key in self._said:
            column = np.full(n, UNASKED, dtype=np.int8)
            column[: len(self._said[key])] = self._said[key]
            asked = np.array([key in group for group in self._asked])
            if n:
                column[(column == UNASKED) & asked[columns["group"]]] = NO_VERDICT
            outcomes[key] = column
        counts = np.bincount(columns["group"], minlength=len(self._groups))
        judges: dict[str, int] = {}
        rubrics: dict[str, int] = {}
        for (judge, rubric), number in self._groups.items():
            for found, name in ((judges, judge), (rubrics, rubric)):
                if name:
                    found[name] = found.get(name, 0) + int(counts[number])
        return Comparisons(
            systems=systems,
            tasks=len(tasks) + int(alone.sum()),
            domains=domains,
            first=_placed(columns["a"], system_place),
            second=_placed(columns["b"], system_place),
            task=task,
            domain=_placed(columns["domain"], domain_place),
            outcomes=outcomes,
            facts=tuple(self._kept),
            style_first=columns["x"],
            style_second=columns["y"],
            judges=dict(sorted(judges.items())),
            rubrics=dict(sorted(rubrics.items())),
            unknown_tasks=int(alone.sum()),
        )


def _sorted(numbers: Mapping[str, int]) -> tuple[tuple[str, ...], Any]:
    """Names in order, and for each old number the new one."""
    names = tuple(sorted(numbers))
    place = np.empty(len(names), dtype=np.int64)
    for new, name in enumerate(names):
        place[numbers[name]] = new
    return names, place


def _placed(column: Any, place: Any) -> Any:
    """New numbers for old ones; -1 stays."""
    found = np.full(len(column), -1, dtype=np.int64)
    known = column >= 0
    found[known] = place[column[known]] if len(place) else -1
    return found
