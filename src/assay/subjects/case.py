"""A case: one thing to judge.

Case("report.md", query="How fast will heat pumps spread?")      # scored
Case(draft, revision)                                            # compared
Case(*candidates, mode="rank")                                   # ranked
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Final, Literal, get_args

from assay.errors import UsageError
from assay.frozen import frozen, thawed
from assay.given import require, require_mapping
from assay.record import Record
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import Trajectory
from assay.suggest import did_you_mean

Mode = Literal["score", "compare", "rank"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)


class Case(Record):
    """One thing to judge: one subject to score, two to compare, or more to rank. Frozen.

    Args:
        *subjects: Reports or trajectories, or paths of files that hold one each. A text is ``Report(text)``.
        query: The question that they answer; by default the first that a subject carries.
        reference: A reference answer, for strategies that compare with one.
        id: Its name in results; by default the names of the subjects.
        mode: What to do with them; by default what their number says.
        metadata: Columns of its own for results, such as the domain of the task.

    Raises:
        UsageError: There is no subject, or the mode does not fit their number.
        InputError: A file cannot be read.
    """

    __slots__ = ("id", "metadata", "mode", "query", "reference", "subjects")

    subjects: tuple[Subject, ...]
    mode: Mode
    query: str | None
    reference: str | None
    id: str | None
    metadata: Mapping[str, Any]

    def __init__(
        self,
        *subjects: Subject | str | PathLike[str],
        query: str | None = None,
        reference: str | None = None,
        id: str | None = None,  # noqa: A002 - the field's own name for it
        mode: Mode | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        for name, value in (("query", query), ("reference", reference), ("id", id)):
            require(value, (str, type(None)), f"the {name} of a case is a text")
        found = tuple(map(_subject, subjects))
        usual: Mode = "score" if len(found) == 1 else "compare" if len(found) == 2 else "rank"
        chosen = usual if mode is None else mode
        _check(found, chosen)
        put = object.__setattr__
        put(self, "subjects", found)
        put(self, "mode", chosen)
        put(self, "query", query or next((item.query for item in found if item.query), None))
        put(self, "reference", reference)
        put(self, "id", id)
        put(self, "metadata", frozen(require_mapping(metadata, "metadata")))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a case is frozen; make another one with another {name}")

    __delattr__ = __setattr__  # type: ignore[assignment]

    @property
    def name(self) -> str:
        """Its id, or the names of its subjects joined by `` | ``."""
        if self.id:
            return self.id
        labels = {"score": ("subject",), "compare": ("A", "B")}.get(self.mode)
        numbers = tuple(str(i + 1) for i in range(len(self.subjects)))
        return " | ".join(
            item.path or item.id or label
            for item, label in zip(self.subjects, labels or numbers, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return names and texts of the subjects, query, reference and metadata."""
        return {
            "id": self.id,
            "mode": self.mode,
            "query": self.query,
            "reference": self.reference,
            "subjects": [
                {"path": item.path, "id": item.id, "system": item.system, "source": item.source}
                for item in self.subjects
            ],
            "metadata": thawed(self.metadata),
        }

    def summary_line(self) -> str:
        """Return mode and name."""
        return f"{self.mode} {self.name}"


def cases_of(items: Iterable[Case | Subject | str | PathLike[str]]) -> list[Case]:
    """Return each item as a case; a subject or a path is a case that is scored."""
    return [item if isinstance(item, Case) else Case(item) for item in items]


def _subject(item: Subject | str | PathLike[str]) -> Subject:
    if isinstance(item, Report | Trajectory):
        return item
    if isinstance(item, str | PathLike):
        from assay.subjects.reading import read_one  # noqa: PLC0415 - reading knows every loader

        return read_one(item)
    raise UsageError(f"a subject is a Report, a Trajectory or the path of one, not {type(item).__name__}")


def _check(subjects: tuple[Subject, ...], mode: str) -> None:
    if mode not in MODES:
        raise UsageError(f"mode is {mode!r}; {did_you_mean(mode, MODES)}")
    count = len(subjects)
    if not count:
        raise UsageError("a case needs a subject")
    needed = {"score": count == 1, "compare": count == 2, "rank": count >= 2}
    if not needed[mode]:
        takes = {"score": "one subject", "compare": "two subjects", "rank": "two subjects or more"}[mode]
        raise UsageError(f"mode {mode!r} takes {takes}, not {count}")
    if len({type(item) for item in subjects}) > 1:
        raise UsageError("some subjects are reports and some trajectories; a case has one kind")
