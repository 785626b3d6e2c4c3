"""A benchmark of judges on disk: ``instances.jsonl``, one pair a line (``assay.bench/1``), beside a manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.interventions.applying import Site
from assay.interventions.base import Kind, Level
from assay.interventions.second_reading import SecondReading
from assay.record import Record
from assay.rows import text_lines
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.trajectory import RawCall, RawStep, Trajectory

SCHEMA: Final = "assay.bench/1"
INSTANCES: Final = "instances.jsonl"
# Instances that the second reader did not accept, for people to decide.
DISPUTED: Final = "disputed.jsonl"
# Revisions and places that did not become instances, with the reason.
REFUSED: Final = "refused.jsonl"
# Both sides are the same text on purpose: the instance tests the order in which they are shown.
IDENTICAL: Final = frozenset({"position"})
Side = dict[str, Any]


class _CallData(msgspec.Struct):
    name: str = ""
    arguments: dict[str, Any] | str = {}
    response: str | None = None


class _StepData(msgspec.Struct):
    reasoning: str | None = None
    tool_calls: list[_CallData] | None = None


class _TrajectoryData(msgspec.Struct):
    """The fields that `subject_of_side` requires of a trajectory."""

    steps: list[_StepData]
    query: str | None = None
    answer: str | None = None
    tools: list[str] | None = None


class Instance(Record, msgspec.Struct, frozen=True, kw_only=True):
    """A reference and its perturbed copy, with what is wrong and where.

    Attributes:
        id: Unique id of the instance.
        group: Id shared by all instances of one reference.
        level: Whether the two are reports or trajectories.
        module: Module of the taxonomy.
        category: Category of the taxonomy.
        type: Name of the operator.
        query: Question that both answer; may be empty.
        reference: ``{"report": text}`` or ``{"trajectory": {…}}``.
        perturbed: The same with the failure.
        site: Site of the failure in ``perturbed``.
        editor: ``"rules"``, or the model that wrote the revision.
        kind: What a good judge does about it (see `assay.interventions.base.Kind`).
        dimension: The dimension, of ReportLogic's eight, that a targeted attack hurts.
        reference_site: The corresponding site in ``reference``.
        other_sites: Further sites in ``perturbed``, of a failure that takes several passages.
        second_reading: What a second reader says of it; None if no model was asked.
        accepted_by: ``people`` if annotators call it valid, which outweighs the second reader; None otherwise.
        pattern: The way in which the operator revised the subject.
        note: The change in a few words.
        language: Language of the reference.
        source: Name of the reference in its own source.
        system: System that wrote the reference, if known.
        answer: A reference answer to the question, for strategies that compare with one; None without one.
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
    other_sites: tuple[Site, ...] = ()
    second_reading: SecondReading | None = None
    accepted_by: Literal["people"] | None = None
    pattern: str = ""
    note: str = ""
    language: str = "en"
    source: str = ""
    system: str | None = None
    answer: str | None = None
    schema: Literal["assay.bench/1"] = SCHEMA

    def summary_line(self) -> str:
        """Return id and change."""
        return f"{self.id}: {self.note}"

    def subject(self, side: Literal["reference", "perturbed"]) -> Subject:
        """Return one side as a subject to judge; its id names the instance and does not reveal the side."""
        return subject_of_side(getattr(self, side), query=self.query, name=self.id)


def side_of(subject: Subject) -> Side:
    """Return a subject in the form it has in a benchmark."""
    if isinstance(subject, Trajectory):
        # Without its name: the instance has one of its own, and the name of the agent would help a judge.
        return {"trajectory": {k: v for k, v in subject.to_dict().items() if k not in ("id", "system")}}
    return {"report": subject.source}


def size_of_side(side: Side) -> int:
    """Return the number of characters of one side: of the report, or of the trajectory as JSON."""
    report = side.get("report")
    return len(report) if isinstance(report, str) else len(msgspec.json.encode(side.get("trajectory")))


def subject_of_side(side: Side, *, query: str, name: str) -> Subject:
    """Return one side of an instance as a subject.

    Raises:
        InputError: The side is neither a report nor a trajectory.
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
            step.get("agent"),
        )
        for step in data["steps"]
    ]
    return Trajectory(
        data.get("query") or query, steps, answer=data.get("answer"), tools=data.get("tools"), id=name
    )


def read_instances(folder: str | Path, *, limit: int | None = None) -> list[Instance]:
    """Read the instances of a benchmark.

    Args:
        folder: Folder of the benchmark, or the file itself.
        limit: Number of instances to read; None for all.

    Raises:
        InputError: The file does not exist, or a line is not an instance; the message names the line.
    """
    path = Path(folder)
    path = path / INSTANCES if path.is_dir() or not path.exists() else path
    if not path.is_file():
        raise InputError("no benchmark is here", where=str(path), hint="assay bench build makes one")
    instances: list[Instance] = []
    seen: set[str] = set()
    groups: dict[str, bytes] = {}
    for where, line in text_lines(path):
        if limit is not None and len(instances) >= limit:
            break
        try:
            instance = msgspec.json.decode(line, type=Instance)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(f"not an instance of {SCHEMA}: {error}", where=where) from error
        wrong = _wrong(instance)
        if wrong is not None:
            raise InputError(f"{instance.id}: {wrong}" if instance.id else wrong, where=where)
        if instance.id in seen:
            raise InputError(f"the id {instance.id!r} is used twice", where=where)
        # A reference is judged once for all pairs of its group, so they must agree on it.
        shared = hashlib.blake2b(msgspec.json.encode((instance.query, instance.reference))).digest()
        if groups.setdefault(instance.group, shared) != shared:
            raise InputError(
                (f"{instance.id}: query or reference differs from earlier pairs of group {instance.group!r}"),
                where=where,
            )
        seen.add(instance.id)
        instances.append(instance)
    if not instances:
        raise InputError("the benchmark is empty", where=str(path))
    return instances


def read_disputed(folder: str | Path) -> list[Instance]:
    """Read the instances of a benchmark that the second reader did not accept; none if the folder keeps none.

    Raises:
        InputError: A line is not an instance; the message names it.
    """
    path = Path(folder) / DISPUTED
    return read_instances(path) if path.is_file() and path.stat().st_size else []


def write_instances(path: Path, instances: Iterable[Instance]) -> int:
    """Write instances, one per line, and return their number."""
    count = 0
    with path.open("wb") as stream:
        for instance in instances:
            stream.write(msgspec.json.encode(instance.to_dict()) + b"\n")
            count += 1
    return count


def _wrong(instance: Instance) -> str | None:
    """Return why a pair is not valid, or None if it is: benchmarks may be edited by hand or made elsewhere."""
    empty = [name for name in ("id", "group", "type") if not getattr(instance, name).strip()]
    if empty:
        return f"{empty[0]} is empty"
    forms = {}
    for name in ("reference", "perturbed"):
        forms[name] = _form(getattr(instance, name))
        if forms[name] is None:
            return f'{name} is neither {{"report": text}} nor {{"trajectory": {{"steps": […]}}}}'
        if forms[name] == "trajectory":
            try:
                msgspec.convert(getattr(instance, name)["trajectory"], _TrajectoryData)
            except msgspec.ValidationError as error:
                return f"{name} is not a trajectory: {error}"
    if forms["reference"] != forms["perturbed"]:
        return f"the reference is a {forms['reference']}, but perturbed is a {forms['perturbed']}"
    form = str(forms["perturbed"])
    level = {"report": "outcome", "trajectory": "process"}[form]
    if instance.level != level:
        return f"level is {instance.level}, but a {form} has level {level}"
    if instance.type not in IDENTICAL and instance.reference == instance.perturbed:
        return "reference and perturbed are the same: there is nothing to find"
    for name, site, side in (
        ("site", instance.site, instance.perturbed),
        ("reference_site", instance.reference_site, instance.reference),
    ):
        wrong = None if site is None else _misplaced(site, side)
        if wrong is not None:
            return f"{name} {wrong}"
    return None


def _form(side: Side) -> str | None:
    if isinstance(side.get("report"), str):
        return "report"
    data = side.get("trajectory")
    return "trajectory" if isinstance(data, dict) and isinstance(data.get("steps"), list) else None


def _misplaced(site: Site, side: Side) -> str | None:
    """Return why a site does not exist, or None if it does."""
    if _form(side) == "report":
        length = len(side["report"])
        if site.kind != "span" or site.start is None or site.end is None:
            return "must be a span with start and end, because this is a report"
        if not 0 <= site.start <= site.end <= length:
            return f"is {site.start} to {site.end}, outside the report's {length:,} characters"
        return None
    steps = len(side["trajectory"]["steps"])
    if site.kind != "step" or site.index is None:
        return "must be a step with its index, because this is a trajectory"
    if not 0 <= site.index < steps:
        return f"is step {site.index}, but the trajectory has {steps} (counted from 0)"
    return None
