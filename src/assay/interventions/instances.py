"""A benchmark of judges on disk: ``instances.jsonl``, a pair a line (``assay.bench/1``), and a manifest beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.interventions.applying import Site
from assay.interventions.base import Kind, Level, Subject
from assay.subjects.report import Report
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

__all__ = [
    "INSTANCES",
    "SCHEMA",
    "Instance",
    "Side",
    "read_instances",
    "side_of",
    "subject_of_side",
    "write_instances",
]

SCHEMA: Final = "assay.bench/1"
INSTANCES: Final = "instances.jsonl"
Side = dict[str, Any]


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """A reference and what was made of it, with what is wrong and where.

    Attributes:
        id: Its own.
        group: Shared by all instances of one reference.
        level: Whether the two are reports or trajectories.
        module: Of the taxonomy.
        category: Of the taxonomy.
        type: Name of the operator.
        query: The question they answer; may be empty.
        reference: ``{"report": text}`` or ``{"trajectory": {…}}``.
        perturbed: The same with the failure.
        site: Where, in ``perturbed``.
        editor: ``"rules"``, or the model.
        kind: What a good judge does about it (see `assay.interventions.base.Kind`).
        dimension: Which of the eight a targeted attack hurts.
        reference_site: The same place in ``reference``.
        pattern: Which of the operator's ways.
        note: What was done.
        language: Of the reference.
        source: Name of the reference where it came from.
        system: Who wrote the reference, where that is known.
        schema: ``assay.bench/1``.
    """

    id: str
    group: str
    level: Level
    module: str
    category: str
    type: str
    query: str
    reference: Side
    perturbed: Side
    site: Site
    editor: str
    kind: Kind = "failure"
    dimension: str | None = None
    reference_site: Site | None = None
    pattern: str = ""
    note: str = ""
    language: str = "en"
    source: str = ""
    system: str | None = None
    schema: Literal["assay.bench/1"] = SCHEMA

    def to_dict(self) -> dict[str, Any]:
        """The contract as plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}

    def subject(self, side: Literal["reference", "perturbed"]) -> Subject:
        """One of the two, to be judged; it is named by the instance, and says not which it is."""
        return subject_of_side(getattr(self, side), query=self.query, name=self.id)


def side_of(subject: Subject) -> Side:
    """A subject as it stands in a benchmark."""
    if isinstance(subject, Trajectory):
        return {"trajectory": subject.to_dict()}
    return {"report": subject.source}


def subject_of_side(side: Side, *, query: str, name: str) -> Subject:
    """The subject of one side of an instance.

    Raises:
        InputError: It is neither a report nor a trajectory.
    """
    text = side.get("report")
    if isinstance(text, str):
        return Report(text, query=query or None, id=name)
    data = side.get("trajectory")
    if not isinstance(data, dict) or not isinstance(data.get("steps"), list):
        raise InputError('it is neither {"report": text} nor {"trajectory": {…}}', where=name)
    steps = [
        RawStep(
            step.get("reasoning") or "",
            [
                RawCall(call.get("name", ""), call.get("arguments", {}), call.get("response"))
                for call in step.get("tool_calls") or ()
            ],
        )
        for step in data["steps"]
    ]
    return Trajectory(
        data.get("query") or query, steps, answer=data.get("answer"), tools=data.get("tools"), id=name
    )


def read_instances(folder: str | Path, *, limit: int | None = None) -> list[Instance]:
    """The instances of a benchmark, or of the file itself.

    Args:
        folder: Of the benchmark.
        limit: Only the first so many.

    Raises:
        InputError: There is no such file, or a line is no instance; the message names it.
    """
    path = Path(folder)
    path = path / INSTANCES if path.is_dir() or not path.exists() else path
    if not path.is_file():
        raise InputError("there is no benchmark here", where=str(path), hint="assay bench build makes one")
    found: list[Instance] = []
    seen: set[str] = set()
    for number, line in enumerate(_lines(path), start=1):
        if limit is not None and len(found) >= limit:
            break
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            instance = msgspec.json.decode(line, type=Instance)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(f"no instance of {SCHEMA}: {error}", where=where) from error
        if instance.id in seen:
            raise InputError(f"a second instance with id {instance.id!r}", where=where)
        seen.add(instance.id)
        found.append(instance)
    if not found:
        raise InputError("the benchmark is empty", where=str(path))
    return found


def write_instances(path: Path, instances: Iterable[Instance]) -> int:
    """Write them, a line each; how many."""
    count = 0
    with path.open("wb") as stream:
        for instance in instances:
            stream.write(msgspec.json.encode(instance.to_dict()) + b"\n")
            count += 1
    return count


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        yield from stream
