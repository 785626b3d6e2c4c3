"""Comparisons as columns: a million of them take some tens of megabytes and are ready to be counted.

The verdict on a dimension is a margin from -1 (the second won) to 1 (the first won), no verdict, or not asked for. A
margin of 0 is a tie, and one of a half a half win: a win in one order and a tie in the other. No verdict and not asked
for differ: a judge that was asked and gave no verdict lowers the coverage; a judge that was not asked does not.
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
HALF_WIN: Final = 0.5
HALF_LOSS: Final = -0.5
NO_VERDICT: Final = 2
UNASKED: Final = 3
OVERALL: Final = "overall"


class TextStyle(msgspec.Struct, frozen=True):
    """Length and formatting of a text.

    Attributes:
        words: Number of words; of characters for Chinese.
        headings: Number of headings.
        citations: Number of citation marks and links.
        bold: Number of bold passages.
        items: Number of list items.
    """

    words: int
    headings: int
    citations: int
    bold: int
    items: int


class Comparisons(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Comparisons of two systems, as columns of equal length.

    Attributes:
        systems: Names of the systems, to which the columns refer by index.
        tasks: Number of tasks.
        domains: Names of the domains; empty if none are known.
        first: Index of the first system.
        second: Index of the second system.
        task: Index of the task; a comparison without a task is a task of its own.
        domain: Index of the domain, -1 if unknown.
        verdicts: Codes by dimension: a margin for the first, `NO_VERDICT` or `UNASKED`.
        styles: Styles of texts.
        style_first: Index of the first text's style, -1 if unknown.
        style_second: Index of the second text's style, -1 if unknown.
        judges: Number of comparisons by judge.
        rubrics: Number of comparisons by rubric.
        unknown_tasks: Number of comparisons without a task.
    """

    systems: tuple[str, ...]
    tasks: int
    domains: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    task: NDArray[np.int64]
    domain: NDArray[np.int64]
    verdicts: dict[str, NDArray[np.float32]]
    styles: tuple[TextStyle, ...] = ()
    style_first: NDArray[np.int64]
    style_second: NDArray[np.int64]
    judges: dict[str, int] = {}
    rubrics: dict[str, int] = {}
    unknown_tasks: int = 0

    def __len__(self) -> int:
        return len(self.first)


class ComparisonsBuilder:
    """Collects comparisons one by one."""

    def __init__(self) -> None:
        self._systems: dict[str, int] = {}
        self._tasks: dict[str, int] = {}
        self._domains: dict[str, int] = {}
        self._groups: dict[tuple[str, str], int] = {}
        self._asked: list[set[str]] = []
        self._style_index: dict[int, int] = {}
        self._styles: list[TextStyle] = []
        self._columns = {name: array("i") for name in ("a", "b", "task", "domain", "group", "x", "y")}
        self._verdicts: dict[str, array[float]] = {}

    def __len__(self) -> int:
        return len(self._columns["a"])

    def add(
        self,
        systems: tuple[str, str],
        verdicts: Mapping[str, float],
        *,
        task: str | None = None,
        domain: str | None = None,
        judge: str = "",
        rubric: str | None = None,
        styles: tuple[TextStyle | None, TextStyle | None] = (None, None),
    ) -> None:
        """Add a comparison of two systems, with a margin by dimension, or `NO_VERDICT`."""
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
        self._asked[group].update(verdicts)
        columns["group"].append(group)
        for name, style in zip("xy", styles, strict=True):
            columns[name].append(-1 if style is None else self._index_of(style))
        for key, value in verdicts.items():
            column = self._verdicts.setdefault(key, array("f"))
            column.extend([UNASKED] * (at - len(column)))
            column.append(value)

    def _index_of(self, style: TextStyle) -> int:
        key = id(style)
        if key not in self._style_index:
            self._style_index[key] = len(self._styles)
            # The reference keeps the id from being reused.
            self._styles.append(style)
        return self._style_index[key]

    def build(self) -> Comparisons:
        """Return all comparisons; names are sorted, so that results do not depend on the order of additions."""
        columns = {name: np.array(column, dtype=np.int64) for name, column in self._columns.items()}
        n = len(self)
        systems, system_place = _sorted(self._systems)
        tasks, task_place = _sorted(self._tasks)
        domains, domain_place = _sorted(self._domains)
        task = _placed(columns["task"], task_place)
        alone = task < 0
        task[alone] = len(tasks) + np.arange(int(alone.sum()))
        verdicts: dict[str, Any] = {}
        for key in self._verdicts:
            column = np.full(n, UNASKED, dtype=np.float32)
            column[: len(self._verdicts[key])] = self._verdicts[key]
            asked = np.array([key in group for group in self._asked])
            if n:
                column[(column == UNASKED) & asked[columns["group"]]] = NO_VERDICT
            verdicts[key] = column
        counts = np.bincount(columns["group"], minlength=len(self._groups))
        judges: dict[str, int] = {}
        rubrics: dict[str, int] = {}
        for (judge, rubric), number in self._groups.items():
            for counter, name in ((judges, judge), (rubrics, rubric)):
                if name:
                    counter[name] = counter.get(name, 0) + int(counts[number])
        return Comparisons(
            systems=systems,
            tasks=len(tasks) + int(alone.sum()),
            domains=domains,
            first=_placed(columns["a"], system_place),
            second=_placed(columns["b"], system_place),
            task=task,
            domain=_placed(columns["domain"], domain_place),
            verdicts=verdicts,
            styles=tuple(self._styles),
            style_first=columns["x"],
            style_second=columns["y"],
            judges=dict(sorted(judges.items())),
            rubrics=dict(sorted(rubrics.items())),
            unknown_tasks=int(alone.sum()),
        )


def _sorted(numbers: Mapping[str, int]) -> tuple[tuple[str, ...], Any]:
    """Return the names in order, and the new index for each old one."""
    names = tuple(sorted(numbers))
    place = np.empty(len(names), dtype=np.int64)
    for new, name in enumerate(names):
        place[numbers[name]] = new
    return names, place


def _placed(column: Any, place: Any) -> Any:
    """Map old indices to new ones; -1 stays."""
    mapped = np.full(len(column), -1, dtype=np.int64)
    known = column >= 0
    mapped[known] = place[column[known]] if len(place) else -1
    return mapped
