"""Reference answers by task: from the subject's own row, from a table by id, or one text for all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from assay.errors import InputError
from assay.rows import read_rows
from assay.subjects.reading import read_report, read_subjects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assay.subjects.subject import Subject

_ROWS: Final = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".json")
# Fields of a reference answer, in order of precedence.
# Fields of a subject that hold its reference answer.
_OWN: Final = ("reference", "reference_answer")
_TEXTS: Final = (
    "reference",
    "reference_answer",
    "article",
    "report",
    "answer",
    "response",
    "text",
    "content",
    "output",
)


class ReferenceAnswers:
    """Reference answers of subjects.

    Args:
        answers: One text for all, or texts by id; nothing if only the subjects' own are used.
    """

    def __init__(self, answers: Mapping[str, str] | str | None = None) -> None:
        self._answers = answers

    @classmethod
    def read(cls, path: str | None) -> ReferenceAnswers:
        """Read answers from a JSONL or JSON file with one for each id, a folder of texts named by id, or one text.

        Raises:
            InputError: It cannot be read, is empty, or a row has no id or text.
        """
        answers = None if path is None else read_reference_answers(path)
        if isinstance(answers, str) and not answers.strip():
            raise InputError("the reference is empty", where=path)
        return cls(answers)

    def of(self, subject: Subject) -> str | None:
        """Return the reference answer of a subject: what was read, else its own; None if there is none."""
        return self.by_id(id_of(subject)) or own_reference(subject)

    def shared(self, subjects: Iterable[Subject]) -> str | None:
        """Return the reference answer of subjects that answer one question: the first that one of them has."""
        return next((text for subject in subjects if (text := self.of(subject)) is not None), None)

    def by_id(self, name: str) -> str | None:
        """Return the answer that was read for an id, or the one for all; None if there is none."""
        found = self._answers if isinstance(self._answers, str) else (self._answers or {}).get(name)
        return found if found and found.strip() else None


def own_reference(subject: Subject) -> str | None:
    """Return the reference answer that a subject's own row has, under ``reference`` or ``reference_answer``."""
    texts = (subject.meta.get(name) for name in _OWN)
    return next((text for text in texts if isinstance(text, str) and text.strip()), None)


def id_of(subject: Subject) -> str:
    """Return the name by which a subject is found: its id, or the name of its file."""
    if subject.id:
        return subject.id
    path = subject.path or "subject"
    row = path.rpartition(":")
    if row[2].isdigit():
        return path
    return Path(path).name.removesuffix(".gz").partition(".")[0] or path


def read_reference_answers(path: str) -> dict[str, str] | str:
    """Return reference answers by id, or one text for all if the file is not a table."""
    place = Path(path)
    if place.is_dir():
        references = {}
        for subject in read_subjects(path):
            if isinstance(subject, InputError):
                raise subject
            references[id_of(subject)] = subject.source
        return references
    if not place.name.lower().endswith(_ROWS):
        return read_report(path).source
    return dict(_reference_rows(place))


def _reference_rows(place: Path) -> Iterator[tuple[str, str]]:
    for where, row in read_rows(place):
        if (
            place.name.lower().endswith(".json")
            and isinstance(row, dict)
            and all(isinstance(value, str) for value in row.values())
            and "[" not in where.removeprefix(str(place))
        ):
            # A table from id to text.
            yield from row.items()
            return
        if not isinstance(row, dict) or not isinstance(row.get("id"), str | int):
            raise InputError(
                "has no 'id'", where=where, hint='a row of references is {"id": …, "reference": …}'
            )
        text = next((row[key] for key in _TEXTS if isinstance(row.get(key), str)), None)
        if text is None:
            raise InputError(f"has no text under {', '.join(_TEXTS[:4])} …", where=where)
        yield str(row["id"]), text
