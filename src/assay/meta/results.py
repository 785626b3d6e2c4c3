"""Results of a benchmark: every condition, what sets them apart, and the folder that keeps them.

A folder holds ``run.json`` – which benchmark, when, by which Assay –, ``trials.jsonl``, of which everything else is made,
and ``result.json``, that for whoever has no Assay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from assay.errors import InputError
from assay.meta.contrasts import ConditionContrast, contrasts_of
from assay.meta.detection import detection_of
from assay.meta.detection_record import Detection
from assay.meta.trials import TRIALS, Condition, Trial, read_trials, write_trials
from assay.rows import read_text

RUN: Final = "run.json"
RESULT: Final = "result.json"
_SCHEMA: Final = "assay.bench-results/1"
Ended = Literal["done", "interrupted", "stopped", "failed"]


class RunOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """Where results come from.

    Attributes:
        id: Of the run; in the ledger too, where a model was asked.
        bench: Folder of the benchmark.
        instances: How many were put.
        created: Unix time.
        assay: Version.
        fingerprint: Hash of the ids of the instances: results with the same one are of the same instances.
        status: ``done``; or how it ended before all instances were put: ``interrupted``, ``stopped`` by a cap, ``failed``.
    """

    id: str = ""
    bench: str = ""
    instances: int = 0
    created: float = 0.0
    assay: str = ""
    fingerprint: str = ""
    status: Ended = "done"


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a run.

    Attributes:
        origin: Where it comes from.
        detections: By condition, those asked for first.
        contrasts: Paired differences between them.
        trials: By condition.
    """

    origin: RunOrigin
    detections: tuple[Detection, ...]
    contrasts: tuple[ConditionContrast, ...]
    trials: tuple[tuple[Trial, ...], ...]

    @property
    def asked(self) -> list[Detection]:
        """Conditions that were asked for; all, where none was put beside them."""
        return [item for item in self.detections if not item.condition.beside] or list(self.detections)

    @property
    def beside(self) -> list[Detection]:
        """Judges put there to compare with."""
        return [item for item in self.detections if item.condition.beside]

    def to_dict(self) -> dict[str, Any]:
        """``assay.bench-result/1`` of the one condition asked for, or ``assay.bench-results/1`` of several."""
        more: dict[str, Any] = {
            "beside": [item.to_dict() for item in self.beside],
            "contrasts": [item.to_dict() for item in self.contrasts],
            "conditions": [item.condition.name for item in self.detections],
            "origin": msgspec.to_builtins(self.origin),
        }
        asked = self.asked
        if len(asked) == 1:
            return {**asked[0].to_dict(), **more}
        return {"schema": _SCHEMA, "results": [item.to_dict() for item in asked], **more}


def results_of(conditions: Sequence[Condition], trials: Iterable[Trial], origin: RunOrigin) -> Results:
    """Everything made of trials."""
    by_condition: list[list[Trial]] = [[] for _ in conditions]
    for trial in trials:
        by_condition[trial.condition].append(trial)
    return Results(
        origin=origin,
        detections=tuple(
            detection_of(condition, found) for condition, found in zip(conditions, by_condition, strict=True)
        ),
        contrasts=tuple(contrasts_of(conditions, by_condition)),
        trials=tuple(map(tuple, by_condition)),
    )


def save_results(folder: Path, results: Results) -> None:
    """Keep them in a folder, which is made.

    Raises:
        OSError: It cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    conditions = [item.condition for item in results.detections]
    write_trials(folder / TRIALS, conditions, (trial for found in results.trials for trial in found))
    (folder / RUN).write_bytes(msgspec.json.format(msgspec.json.encode(results.origin), indent=2) + b"\n")
    (folder / RESULT).write_bytes(
        msgspec.json.format(msgspec.json.encode(results.to_dict()), indent=2) + b"\n"
    )


def files_of_run(folder: str | Path) -> list[Path]:
    """What a run is kept in: not to be written over by what is made of it."""
    return [Path(folder), *(Path(folder) / name for name in (TRIALS, RUN, RESULT))]


def load_results(folder: str | Path) -> Results:
    """Results of a folder, made anew of its trials.

    Raises:
        InputError: There are none.
    """
    conditions, trials = read_trials(folder)
    path = Path(folder) / RUN
    origin = RunOrigin()
    if path.is_file():
        try:
            origin = msgspec.json.decode(read_text(path), type=RunOrigin)
        except msgspec.MsgspecError as error:
            raise InputError(f"this is no record of a run: {error}", where=str(path)) from error
    return results_of(conditions, trials, origin)
