"""A judge put to a benchmark: its condition, what it said on each instance, and the folder that keeps both.

A folder of a trial run holds ``trials.jsonl`` – a line an instance and condition – and ``result.json``, made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.models.base import Usage
from assay.rows import text_lines

TRIALS: Final = "trials.jsonl"
# Which of the two a judge preferred. None: no verdict.
PreferredSide = Literal["reference", "perturbed", "tie"]
Interface = Literal["pointwise", "pairwise", "ranking"]
# What a margin of a dimension must reach to be a verdict. Where both orders were asked, both must have said it.
ONE_ORDER: Final = 0.02
_BOTH_ORDERS: Final = 0.75


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """Who judged, and how.

    Attributes:
        judge: ``STRATEGY@MODEL``, or ``rules``, ``length``, ``random``.
        version: Of the judge; of Assay, where it asks no model.
        interface: How the two were put to it.
        granularity: Whether it saw the whole or the part that was revised.
        rubric: By which yardstick, as it was asked for: ``"usual"`` is what fits the subject, ``"overall"`` is none. None
            where it asks no model.
        rubrics: Names of the yardsticks it came to, joined by ``+``.
        reasoning: Whether it reasons before its verdict; None where it asks no model.
        trials: How often each was judged.
        beside: Whether it was not asked for, but put there to compare with.
        settings: Of the judge, where they are not the usual ones.
    """

    judge: str
    version: str = ""
    interface: Interface = "pointwise"
    granularity: str = "holistic"
    rubric: str | None = None
    rubrics: str = ""
    reasoning: bool | None = None
    trials: int = 1
    beside: bool = False
    settings: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """For tables: what sets it apart, short."""
        parts = [self.judge, self.interface]
        if self.rubric is not None:
            named = {"overall": "no rubric", "usual": "usual rubric"}.get(self.rubric, self.rubric)
            parts += [self.granularity, named]
        return " · ".join(parts)


class FailureLocalisation(msgspec.Struct, frozen=True, kw_only=True):
    """How well a judge pointed at the place, in the revised subject alone.

    Attributes:
        by: What it was read from: quotes of a rationale, findings, the lowest of all parts, or an answer to the question
            where it is.
        first: Whether the first place it named is the one (for a step, exactly; for a span, an overlap).
        any: Whether one of all places it named is.
        overlap: Characters shared over characters covered by either, of the first place; 0 to 1. None for a step.
        places: How many it named.
    """

    by: Literal["quotes", "findings", "parts", "asked"]
    first: bool
    any: bool
    overlap: float | None = None
    places: int = 1


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """What one judge, under one condition, said on one instance.

    Attributes:
        instance: Its id.
        group: Its reference.
        kind: Failure or attack.
        level: Of the instance.
        module: Of the instance.
        category: Of the instance.
        type: Of the instance.
        language: Of the instance.
        condition: Index of the condition.
        said: Whom the judge preferred; None without a verdict.
        correct: Whether that is right, by the rule of the kind; None without a verdict.
        gap: Pointwise: score of the reference less that of the revised. Pairwise: the margin, -1 to 1, positive for the
            reference. None where there is none.
        by_order: Pairwise with both orders: what it said with the reference first (``reference_first``), and second.
        dimensions: Gap or margin by dimension of the rubric.
        reference: Score of the reference, pointwise.
        perturbed: Score of the revised.
        repeats: Score gaps or preferences of each trial, where there are several: what stability is made of.
        pointed: Whether it pointed at the place; None where it named none, or was not asked.
        status: Of the worse judgment.
        problem: Why there is no verdict.
        chars: Length of the revised less that of the reference, in characters.
        usage: Of the judgments this rests on; what several instances share is counted with the first of them.
        keys: Of those judgments in the ledger.
        excerpt: What the judge gave as its reason, cut short.
        dimension: Which of the eight the instance hurts, for a targeted attack.
        pattern: Of the instance.
        set: In a ranking, of which set of candidates it was one.
        best: Whether the reference was chosen in that set; None without a choice being possible.
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


def least_margin(*, both_orders: bool) -> float:
    """What a margin of a dimension must reach to be a verdict, -1 to 1."""
    return _BOTH_ORDERS if both_orders else ONE_ORDER


def write_trials(path: Path, conditions: Iterable[Condition], trials: Iterable[Trial]) -> None:
    """Write conditions, then trials, a line each."""
    with path.open("wb") as stream:
        for condition in conditions:
            stream.write(msgspec.json.encode({"condition": msgspec.to_builtins(condition)}) + b"\n")
        for trial in trials:
            stream.write(msgspec.json.encode(trial) + b"\n")


def read_trials(folder: str | Path) -> tuple[list[Condition], list[Trial]]:
    """Conditions and trials of a folder.

    Raises:
        InputError: There is no such file, or a line is neither.
    """
    path = Path(folder)
    path = path / TRIALS if path.is_dir() else path
    if not path.is_file():
        raise InputError(
            "there are no trials of a judge here", where=str(path), hint="assay bench run makes them"
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
            raise InputError(f"this is no trial of a judge: {error}", where=where) from error
    if not conditions or any(not 0 <= trial.condition < len(conditions) for trial in trials):
        raise InputError("trials of a condition that is not there", where=str(path))
    return conditions, trials
