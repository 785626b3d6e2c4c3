"""What ``assay drift`` does: the condition of a kept run put again to the same instances, every call asked anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.cli.bench_conditions import RunAsked
from assay.cli.bench_running import check_save, put_again
from assay.cli.judge_options import MODEL_FREE
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened, refuse_overwrite
from assay.errors import InputError
from assay.interventions.instances import INSTANCES
from assay.meta.drift import drift_of
from assay.meta.results import load_results, save_results
from assay.present.display import Painter
from assay.present.gates import drift_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.meta.drift import JudgeDrift

# Settings of a judge that are options by the same name.
_KEPT: Final = ("temperature", "seed", "max_tokens", "language", "generator", "early_stop", "candidates")


class DriftAsked(RunAsked, frozen=True, kw_only=True):
    """What was asked of ``assay drift``."""

    run_folder: str
    judge: str | None = None  # type: ignore[assignment]
    folder: str = ""


def run_drift(asked: DriftAsked) -> int:
    """Judge again, and give the exit code."""
    check_save(asked.save)
    results = load_results(asked.run_folder)
    old = results.asked[0]
    condition = old.condition
    then = results.trials[results.detections.index(old)]
    beside = Path(asked.run_folder).resolve().parent.parent
    folder = str(beside) if (beside / INSTANCES).is_file() else results.origin.bench
    refuse_overwrite(asked.output, [Path(folder) / INSTANCES])
    again = msgspec.structs.replace(
        _as_then(asked, condition.settings),
        folder=folder,
        judge=asked.judge or condition.judge,
        judges=(asked.judge or condition.judge,),
        interfaces=(condition.interface,),
        grain=condition.granularity,
        rubric=asked.rubric or condition.rubric,
        trials=max(asked.trials, condition.trials),
        alone=True,
        # The ledger would give what the model said then.
        fresh=(asked.judge or condition.judge) not in MODEL_FREE,
        no_save=True,
    )
    if asked.judge in MODEL_FREE or (asked.judge is None and condition.judge in MODEL_FREE):
        again = msgspec.structs.replace(again, rubric=asked.rubric, trials=asked.trials)
    code, new = put_again(again, {trial.instance for trial in then})
    if new is None:
        return code
    if not new.trials[0]:
        raise InputError("the benchmark has none of the instances of the run", where=folder)
    found = drift_of(condition, then, new.detections[0].condition, new.trials[0])
    _show(asked, found)
    if asked.save:
        save_results(Path(asked.save), new)
    return code or (1 if found.drifted else 0)


def _as_then(asked: DriftAsked, settings: Mapping[str, Any]) -> DriftAsked:
    """What is asked, with the settings of the run wherever nothing else is said."""
    usual = DriftAsked(run_folder="")
    told: dict[str, Any] = {
        name: value
        for name, value in settings.items()
        if name in _KEPT and getattr(asked, name) == getattr(usual, name)
    }
    if settings.get("swap") is False:
        told["no_swap"] = True
    if not asked.option:
        options = settings.get("options") or {}
        told["option"] = tuple(
            f"{key}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
            for key, value in options.items()
        )
    return msgspec.structs.replace(asked, **told)


def _show(asked: DriftAsked, found: JudgeDrift) -> None:
    with opened(asked.output) as stream:
        if asked.format == "json":
            stream.write(msgspec.json.encode(found.to_dict()).decode() + "\n")
        else:
            painter = Painter(wants_color(asked.color, stream))
            stream.write(drift_text(found, painter=painter, columns=columns_for(stream)))
