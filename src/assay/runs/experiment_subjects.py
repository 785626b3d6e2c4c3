"""The subjects of an experiment with their questions and reference answers: a stream that can be read repeatedly."""

from __future__ import annotations

import os
from collections import OrderedDict
from itertools import islice
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError, UsageError
from assay.subjects.reading import read_report, read_subjects
from assay.subjects.reference_answers import id_of, own_reference, read_reference_answers
from assay.subjects.report import Report
from assay.subjects.run_ending import RunEnding
from assay.subjects.trajectory import RawCall, RawStep, Trajectory
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.runs.experiment import Experiment, SubjectSource
    from assay.subjects.subject import Subject


_IN_MEMORY: Final = 64 << 20
_AT_HAND: Final = 32


class SubjectEntry(msgspec.Struct, frozen=True):
    """A subject with its id, system, question and reference."""

    subject: Any
    id: str
    system: str | None
    query: str | None
    reference: str | None


class ExperimentSubjects:
    """Reads an experiment's subjects.

    Args:
        experiment: The experiment.
        limit: Maximum subjects, instead of the experiment's limit.
    """

    def __init__(self, experiment: Experiment, *, limit: int | None = None) -> None:
        self._experiment = experiment
        self._limit = limit if limit is not None else experiment.limit
        base = str(experiment.base)
        self._prefix = "" if base == "." else os.path.join(base, "")  # noqa: PTH118 - keeps the last slash
        self._texts: dict[str, str] = {}
        self._references: dict[str, dict[str, str] | str] = {}

    def __iter__(self) -> Iterator[SubjectEntry | InputError]:
        """Yield every subject in order; an error takes the place of one that cannot be read."""
        return islice(self._all(), self._limit)

    def _all(self) -> Iterator[SubjectEntry | InputError]:
        for source in self._experiment.subjects:
            yield from islice(self._of(source), source.limit)

    def _of(self, source: SubjectSource) -> Iterator[SubjectEntry | InputError]:
        experiment = self._experiment
        query = self._query(source.query or experiment.query)
        reference = source.reference or experiment.reference
        wanted = set(source.ids)
        missing = set(source.ids)
        for path in source.path:
            if path == "-":
                raise UsageError(
                    "an experiment cannot read stdin, because a resumed run reads its subjects again; name files"
                )
        paths = [experiment.at(path) for path in source.path]
        for subject in read_subjects(paths, query=query, format=source.format, fields=source.fields):
            if isinstance(subject, InputError):
                yield subject
                continue
            # Paths are relative to the experiment, so that a moved folder gives the same judgments.
            at = (subject.path or "").removeprefix(self._prefix)
            subject = subject.replace(path=at or None)  # noqa: PLW2901 - the same subject under another path
            name = id_of(subject)
            if wanted:
                names = {name, at, Path(at).name}
                if not names & wanted:
                    continue
                missing -= names
            yield SubjectEntry(
                subject,
                name,
                subject.system or source.system,
                subject.query or None,
                own_reference(subject) if reference is None else self._reference(reference, name),
            )
        if missing and source.limit is None and self._limit is None:
            yield InputError(
                f"has no subject {', '.join(repr(name) for name in sorted(missing)[:5])}",
                where=", ".join(paths),
                hint="ids are those of the rows, paths, or names of files",
            )

    def _query(self, value: str | None) -> str | None:
        if value is None or not value.startswith("@"):
            return value
        if value not in self._texts:
            self._texts[value] = read_report(self._experiment.at(value[1:])).source.strip()
        return self._texts[value]

    def _reference(self, path: str, name: str) -> str | None:
        """Return the reference answer of a subject: from a file for all, or by its id."""
        if path not in self._references:
            self._references[path] = read_reference_answers(self._experiment.at(path))
        references = self._references[path]
        text = references if isinstance(references, str) else references.get(name)
        return text if text and text.strip() else None


class _PackedSubject(msgspec.Struct, frozen=True, omit_defaults=True):
    """A subject as it is stored: its source, without derived data."""

    path: str | None
    id: str | None
    system: str | None
    query: str | None
    source: str | None = None
    markdown: bool = True
    steps: list[RawStep] = []
    answer: str | None = None
    tools: list[str] | None = None
    ending: RunEnding | None = None


class SubjectStore:
    """Subjects that can be read in any order: in memory while they are few, otherwise in a temporary file."""

    def __init__(self) -> None:
        # Closed with the store; a context manager would have to span its whole life.
        self._file: IO[bytes] = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        self._places: list[tuple[int, int]] = []
        self._rest: list[tuple[str, str | None, str | None, str | None]] = []
        self._shared: dict[str, str] = {}
        self._near: OrderedDict[int, SubjectEntry] = OrderedDict()
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(_PackedSubject)

    def __len__(self) -> int:
        return len(self._places)

    def close(self) -> None:
        """Delete all of them."""
        self._file.close()

    def add(self, entry: SubjectEntry) -> int:
        """Store a subject and return its index."""
        data = self._encoder.encode(_pack(entry.subject))
        self._file.seek(0, os.SEEK_END)
        self._places.append((self._file.tell(), len(data)))
        self._file.write(data)
        # Many subjects share questions and references.
        query, reference = (
            None if text is None else self._shared.setdefault(text, text)
            for text in (entry.query, entry.reference)
        )
        self._rest.append((entry.id, entry.system, query, reference))
        return len(self._places) - 1

    def __getitem__(self, index: int) -> SubjectEntry:
        entry = self._near.get(index)
        if entry is None:
            start, length = self._places[index]
            self._file.seek(start)
            packed = self._decoder.decode(self._file.read(length))
            entry = self._near[index] = SubjectEntry(_unpack(packed), *self._rest[index])
            if len(self._near) > _AT_HAND:
                self._near.popitem(last=False)
        else:
            self._near.move_to_end(index)
        return entry

    def named(self, name: str, place: str) -> int:
        """Return the index of the subject with this id, path, or ``SYSTEM/ID``.

        Raises:
            UsageError: There is none, or several.
        """
        if not hasattr(self, "_names"):
            self._names: dict[str, list[int]] = {}
            for index in range(len(self)):
                entry = self[index]
                at = entry.subject.path or ""
                names = {entry.id, at, Path(at).name, f"{entry.system}/{entry.id}"} - {""}
                for item in names:
                    self._names.setdefault(item, []).append(index)
        matches = self._names.get(name, [])
        if not matches:
            raise UsageError(
                f"{place}: no subject is called {name!r}; {did_you_mean(name, list(self._names)[:2000])}"
            )
        if len(matches) > 1:
            paths = [self[index].subject.path or self[index].id for index in matches]
            raise UsageError(
                f"{place}: {len(matches)} subjects are called {name!r} ({', '.join(paths[:3])}); use a path or"
                " SYSTEM/ID"
            )
        return matches[0]

    def groups(self, on: str, systems: Sequence[str], place: str) -> list[list[int]]:
        """Return the indices of subjects that share the query or the id, in order.

        Args:
            on: What they share, ``query`` or ``id``.
            systems: Systems whose subjects are grouped, in this order; all if empty.
            place: Place of the grouping in the file, for messages.

        Raises:
            UsageError: A system has no subjects, or no two subjects share anything.
        """
        known = dict.fromkeys(system for _, system, _, _ in self._rest if system is not None)
        for system in systems:
            if system not in known:
                raise UsageError(
                    f"{place}: no subject is of the system {system!r}; {did_you_mean(system, known)}"
                )
        by_key: dict[str, list[int]] = {}
        for index, (name, made_by, query, _) in enumerate(self._rest):
            key = name if on == "id" else " ".join(query.split()) if query else None
            if key is not None and (not systems or made_by in systems):
                by_key.setdefault(key, []).append(index)
        if systems:
            rank = {system: at for at, system in enumerate(systems)}
            for members in by_key.values():
                members.sort(key=lambda index: rank[self._rest[index][1] or ""])
        groups = [members for members in by_key.values() if len(members) > 1]
        if not groups:
            raise UsageError(
                f"{place}: no two subjects have the same {on}"
                + (
                    "; give them a query, or use `on: id`"
                    if on == "query"
                    else "; `on: query` joins by question"
                )
            )
        return groups


def _pack(subject: Subject) -> _PackedSubject:
    if isinstance(subject, Report):
        return _PackedSubject(
            subject.path, subject.id, subject.system, subject.query, subject.source, subject.markdown
        )
    steps = [
        RawStep(
            step.reasoning,
            [RawCall(call.name, call.arguments, call.response) for call in step.tool_calls],
            step.agent,
        )
        for step in subject.steps
    ]
    tools = None if subject.tools is None else list(subject.tools)
    return _PackedSubject(
        subject.path,
        subject.id,
        subject.system,
        subject.query,
        steps=steps,
        answer=subject.answer,
        tools=tools,
        ending=subject.stated_ending,
    )


def _unpack(packed: _PackedSubject) -> Subject:
    common: dict[str, Any] = {"path": packed.path, "id": packed.id, "system": packed.system}
    if packed.source is not None:
        return Report(packed.source, query=packed.query, markdown=packed.markdown, **common)
    return Trajectory(
        packed.query or "",
        packed.steps,
        answer=packed.answer,
        tools=packed.tools,
        ending=packed.ending,
        **common,
    )
