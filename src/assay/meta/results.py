"""Results of an evaluation run: all conditions, the contrasts between them, and the folder that keeps them.

The folder holds ``run.json`` (benchmark, time, version), ``trials.jsonl`` (from which everything else is computed) and
``result.json`` (the results, for readers without Assay).
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
    """The run that results come from.

    Attributes:
        id: Id of the run, as in the ledger.
        bench: Folder of the benchmark.
        instances: Number of instances.
        created: Unix time.
        assay: Version of Assay.
        fingerprint: Hash of the instance ids; equal for runs on the same instances.
        status: ``done``, or the reason for an early end: ``interrupted``, ``stopped`` (by a cap), ``failed``.
    """

    id: str = ""
    bench: str = ""
    instances: int = 0
    created: float = 0.0
    assay: str = ""
    fingerprint: str = ""
    status: Ended = "done"


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """All results of a run.

    Attributes:
        origin: The run.
        detections: Results by condition, requested conditions first.
        contrasts: Paired differences between conditions.
        trials: Trials by condition.
    """

    origin: RunOrigin
    detections: tuple[Detection, ...]
    contrasts: tuple[ConditionContrast, ...]
    trials: tuple[tuple[Trial, ...], ...]

    @property
    def asked(self) -> list[Detection]:
        """Results of the requested conditions; all if there are only baselines."""
        return [item for item in self.detections if not item.condition.beside] or list(self.detections)

    @property
    def beside(self) -> list[Detection]:
        """Results of the baselines."""
        return [item for item in self.detections if item.condition.beside]

    def to_dict(self) -> dict[str, Any]:
        """Return ``assay.bench-result/1`` for one requested condition, ``assay.bench-results/1`` for several."""
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
    """Compute all results from trials."""
    by_condition: list[list[Trial]] = [[] for _ in conditions]
    for trial in trials:
        by_condition[trial.condition].append(trial)
    return Results(
        origin=origin,
        detections=tuple(
            detection_of(condition, own) for condition, own in zip(conditions, by_condition, strict=True)
        ),
        contrasts=tuple(contrasts_of(conditions, by_condition)),
        trials=tuple(map(tuple, by_condition)),
    )


def save_results(folder: Path, results: Results) -> None:
    """Write results to a folder, which is created.

    Raises:
        OSError: The folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    conditions = [item.condition for item in results.detections]
    write_trials(folder / TRIALS, conditions, (trial for own in results.trials for trial in own))
    (folder / RUN).write_bytes(msgspec.json.format(msgspec.json.encode(results.origin), indent=2) + b"\n")
    (folder / RESULT).write_bytes(
        msgspec.json.format(msgspec.json.encode(results.to_dict()), indent=2) + b"\n"
    )


def files_of_run(folder: str | Path) -> list[Path]:
    """Return the folder and files of a run, which no output may overwrite."""
    return [Path(folder), *(Path(folder) / name for name in (TRIALS, RUN, RESULT))]


def load_results(folder: str | Path) -> Results:
    """Compute the results of a folder anew from its trials.

    Raises:
        InputError: The folder holds no trials, or its record is malformed.
    """
    conditions, trials = read_trials(folder)
    path = Path(folder) / RUN
    origin = RunOrigin()
    if path.is_file():
        try:
            origin = msgspec.json.decode(read_text(path), type=RunOrigin)
        except msgspec.MsgspecError as error:
            raise InputError(f"not a record of a run: {error}", where=str(path)) from error
    return results_of(conditions, trials, origin)
