"""Evaluation runs of judges: conditions, one trial for each instance, and the file ``trials.jsonl`` that keeps both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.frozen import FrozenFields
from assay.models.base import Usage
from assay.rows import text_lines

TRIALS: Final = "trials.jsonl"
# The side that a judge preferred; None stands for no verdict.
PreferredSide = Literal["reference", "perturbed", "tie"]
Interface = Literal["pointwise", "pairwise", "ranking"]
# Smallest margin of a dimension that counts as a verdict. With both orders shown, it takes a verdict in both.
ONE_ORDER: Final = 0.02
_BOTH_ORDERS: Final = 0.75
# Position of the last part that every condition with a rubric has.
_SAID_OF_ALL: Final = 3


class Condition(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """A judge and the way instances were shown to it.

    Attributes:
        judge: ``STRATEGY@MODEL``, or ``rules``, ``length``, ``random``, or the name of a judge of one's own.
        label: Name of the judge in tables and on cards; by default ``judge``.
        version: Version of the judge; that of Assay for a judge without a model.
        interface: How reference and perturbed copy were shown.
        granularity: ``holistic`` for the whole subject, ``fine`` for the perturbed part.
        rubric: Requested rubric: ``"usual"`` for the default of the subject, ``"overall"`` for no rubric; None for a
            judge without a model.
        rubrics: Names of the rubrics used, joined by ``+``.
        reasoning: Whether the judge reasons before its verdict; None for a judge without a model.
        defence: Whether the judge is told that nothing in the material is addressed to it.
        trials: Number of repetitions.
        beside: Whether this is a baseline rather than a requested condition.
        settings: Settings of the judge.
    """

    judge: str
    label: str = ""
    version: str = ""
    interface: Interface = "pointwise"
    granularity: str = "holistic"
    rubric: str | None = None
    rubrics: str = ""
    reasoning: bool | None = None
    defence: bool = True
    trials: int = 1
    beside: bool = False
    settings: dict[str, Any] = {}

    @property
    def title(self) -> str:
        """Name of the judge for readers."""
        return self.label or self.judge

    @property
    def parts(self) -> tuple[str, ...]:
        """What distinguishes conditions: judge, interface, and for a judge with a rubric granularity, rubric and defence."""
        if self.rubric is None:
            return self.title, self.interface
        # What the usual rubrics are is known once the judge has met the subjects.
        usual = f"rubric {self.rubrics}" if self.rubrics else "usual rubric"
        named = {"overall": "no rubric", "usual": usual}.get(self.rubric, self.rubric)
        return self.title, self.interface, self.granularity, named, *(() if self.defence else ("no defence",))

    @property
    def name(self) -> str:
        """A name for tables, which another condition may share (see `distinct_names`)."""
        return " · ".join(self.parts)


class FailureLocalisation(msgspec.Struct, frozen=True, kw_only=True):
    """How well a judge located the failure in the perturbed subject.

    Attributes:
        by: Source of the named places: quotes of a rationale, findings, the part with the lowest score, or a reply to
            the question where the failure is.
        first: Whether the first named place is correct (a step exactly, a span by overlap).
        any: Whether any named place is correct.
        native: Whether the first place, if it is not where the failure was planted, is a fault that the work has of its
            own, confirmed by a second look; None if nobody looked.
        overlap: Shared characters over characters in either span, for the first place; 0 to 1. None for a step.
        places: Number of named places.
    """

    by: Literal["quotes", "findings", "parts", "asked"]
    first: bool
    any: bool
    native: bool | None = None
    overlap: float | None = None
    places: int = 1


class Trial(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of one judge under one condition on one instance.

    Attributes:
        instance: Id of the instance.
        group: Id of its reference.
        kind: Kind of the instance: failure, or a kind of attack.
        level: Level of the instance.
        module: Module of the instance.
        category: Category of the instance.
        type: Type of the instance.
        language: Language of the instance.
        condition: Index of the condition.
        said: Preferred side; None without a verdict.
        correct: Whether the verdict is correct for the kind; None without a verdict.
        gap: Pointwise, the score of the reference minus that of the perturbed copy; pairwise, the margin, -1 to 1,
            positive for the reference. None without scores.
        by_order: Preferred side with the reference shown first (``reference_first``) and second, if both were shown.
        dimensions: Gap or margin by dimension of the rubric.
        reference: Score of the reference (pointwise and ranking).
        perturbed: Score of the perturbed copy (pointwise and ranking).
        repeats: Score gap or preference of each repetition, if there are several; the basis of ``noise``.
        pointed: Localisation of the failure; None if the judge named no place.
        status: Worst status of the judgments.
        problem: Reason for having no verdict.
        chars: Length of the perturbed copy minus that of the reference, in characters.
        usage: Usage of the judgments; shared judgments are counted with their first instance.
        keys: Keys of the judgments in the ledger.
        excerpt: Beginning of the judge's rationale.
        dimension: Dimension that a targeted attack hurts.
        pattern: Pattern of the instance.
        set: Id of the set of candidates (ranking).
        best: Whether the reference was ranked first in its set; None without a ranking.
    """

    instance: str
    group: str
    kind: str
    level: str
    module: str
    category: str
    type: str
    language: str
    condition: int = 0
    said: PreferredSide | None = None
    correct: bool | None = None
    gap: float | None = None
    by_order: dict[str, PreferredSide | None] | None = None
    dimensions: dict[str, float] = {}
    reference: float | None = None
    perturbed: float | None = None
    repeats: tuple[float | str | None, ...] = ()
    pointed: FailureLocalisation | None = None
    status: str = "ok"
    problem: str = ""
    chars: int = 0
    usage: Usage = Usage()
    keys: tuple[str, ...] = ()
    excerpt: str = ""
    dimension: str | None = None
    pattern: str = ""
    set: str = ""
    best: bool | None = None


def distinct_names(conditions: Sequence[Condition]) -> tuple[list[str], list[str]]:
    """Return a short name for each condition that no other one has, and the settings that all share.

    Names leave out what is shared. Judges of one name are told apart by what is behind a label, then by version, then
    by a number.
    """
    parts = [item.parts for item in conditions]
    shared = {
        at: found.pop()[0]
        for at in range(1, max(map(len, parts), default=0))
        # The last part is said of some only; it is shared if all that could have it do.
        if len(found := {own[at : at + 1] for own in parts if len(own) > min(at, _SAID_OF_ALL)}) == 1
    }
    names = [" · ".join(part for at, part in enumerate(own) if at not in shared) for own in parts]
    for details in (
        [item.judge if item.label else "" for item in conditions],
        [f"version {item.version[:6]}" if item.version else "" for item in conditions],
    ):
        for name in [name for name, count in Counter(names).items() if count > 1]:
            alike = [at for at, other in enumerate(names) if other == name]
            if len({details[at] for at in alike}) > 1:
                for at in alike:
                    names[at] = f"{name} ({details[at]})" if details[at] else name
    seen: Counter[str] = Counter()
    for at, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[at] = f"{name} ({seen[name]})"
    return names, list(shared.values())


def least_margin(*, both_orders: bool) -> float:
    """Return the smallest margin of a dimension that counts as a verdict."""
    return _BOTH_ORDERS if both_orders else ONE_ORDER


def write_trials(path: Path, conditions: Iterable[Condition], trials: Iterable[Trial]) -> None:
    """Write conditions, then trials, one on each line."""
    with path.open("wb") as stream:
        for condition in conditions:
            stream.write(msgspec.json.encode({"condition": msgspec.to_builtins(condition)}) + b"\n")
        for trial in trials:
            stream.write(msgspec.json.encode(trial) + b"\n")


def read_trials(folder: str | Path) -> tuple[list[Condition], list[Trial]]:
    """Read the conditions and trials of a folder or file.

    Raises:
        InputError: The file is missing, or a line is neither a condition nor a trial.
    """
    path = Path(folder)
    path = path / TRIALS if path.is_dir() else path
    if not path.is_file():
        raise InputError(
            "no trials of a judge",
            where=str(path),
            hint="BenchmarkResult.save writes them",
            cli_hint="`assay bench run` writes them",
        )
    conditions: list[Condition] = []
    trials: list[Trial] = []
    for where, line in text_lines(path):
        try:
            data: Mapping[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
            if "condition" in data and isinstance(data["condition"], dict):
                conditions.append(msgspec.convert(data["condition"], Condition))
            else:
                trials.append(msgspec.convert(data, Trial))
        except msgspec.MsgspecError as error:
            raise InputError(f"not a trial of a judge: {error}", where=where) from error
    if not conditions or any(not 0 <= trial.condition < len(conditions) for trial in trials):
        raise InputError("a trial refers to a condition that the file does not hold", where=str(path))
    return conditions, trials
