"""``assay bench drift``: whether a judge still gives the verdicts of an earlier evaluation run, with every call made anew."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.bench_conditions import BenchRunArguments, setups_from
from assay.cli.commands import command
from assay.cli.judge_options import MODEL_FREE
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import RUN_FOLDER, OutputPath, opened, refuse_overwrite
from assay.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.meta.drift import JudgeDrift

# Judge settings that have an option of the same name.
_KEPT: Final = ("temperature", "seed", "max_tokens", "language", "generator", "early_stop", "candidates")


class DriftArguments(
    BenchRunArguments,
    without=(
        "folder",
        "judges",
        "interfaces",
        "grain",
        "rubrics",
        "candidates",
        "types",
        "localise",
        "alone",
        "no_save",
        "requests",
        "responses",
    ),
):
    """What the command line of ``assay bench drift`` says."""

    run_folder: str = argument("RUN", type=RUN_FOLDER)
    judge: str = option(
        "Another judge than the run's, such as its new version.",
        "STRATEGY@MODEL",
        default="",
        show_default=False,
    )
    limit: int | None = option("Only the first N instances of each type.", "N", type=click.IntRange(min=1))
    save: str | None = option(
        "Folder in which to keep the new run, which is not kept otherwise.",
        "FOLDER",
        type=OutputPath(*RUN_FOLDER.reads),
    )
    rubric: str | None = option("Another rubric than the run's.", "NAME|FILE")
    format: Literal["text", "json"]
    folder: str = ""


@command(
    DriftArguments,
    epilog="Exit codes: 0 nothing but noise; 1 the judge has drifted; 2 bad usage or input; 3 no verdict, or a model failed.",
)
def drift(args: DriftArguments) -> int:
    """Judge the instances of RUN again, as they were judged then, and say what has changed.

    \b
    assay bench drift bench/trials/RUN                        every call is made anew, for the model may have changed
    assay bench drift bench/trials/RUN --limit 3              a small sentinel set, cheap enough for every night
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.bench_run import check_save, evaluate
    from assay.interventions.instances import INSTANCES
    from assay.meta.benchmark import Benchmark
    from assay.meta.drift import drift_of
    from assay.meta.results import BenchmarkResult

    check_save(args.save)
    results = BenchmarkResult.load(args.run_folder)
    old = results.asked[0]
    condition = old.condition
    then = results.trials[results.detections.index(old)]
    beside = Path(args.run_folder).resolve().parent.parent
    folder = str(beside) if (beside / INSTANCES).is_file() else results.origin.bench
    refuse_overwrite(args.output, [Path(folder) / INSTANCES])
    again = dataclasses.replace(
        _as_then(args, condition.settings),
        folder=folder,
        judge=args.judge or condition.judge,
        judges=(args.judge or condition.judge,),
        interfaces=(condition.interface,),
        grain=condition.granularity,
        rubrics=(args.rubric or condition.rubric or "usual",),
        repetitions=max(args.repetitions, condition.trials),
        alone=True,
        # The ledger would return the replies of the earlier run.
        fresh=(args.judge or condition.judge) not in MODEL_FREE,
        no_save=True,
    )
    if args.judge in MODEL_FREE or (not args.judge and condition.judge in MODEL_FREE):
        again = dataclasses.replace(
            again, rubrics=(args.rubric,) if args.rubric else (), repetitions=args.repetitions
        )
    judged = {trial.instance for trial in then}
    benchmark = Benchmark.load(folder).filter(lambda item: item.id in judged, per_type=args.limit)
    code, new = evaluate(again, benchmark, setups_from(again)[:1])
    if new is None:
        return code
    if not new.trials[0]:
        raise InputError("the benchmark does not have the instances of the run", where=folder)
    found = drift_of(condition, then, new.detections[0].condition, new.trials[0])
    _show(args, found)
    if args.save:
        new.save(args.save)
    return code or (1 if found.drifted else 0)


def _as_then(args: DriftArguments, settings: Mapping[str, Any]) -> DriftArguments:
    """Return the arguments, with the settings of the earlier run for options that are not given."""
    import msgspec

    usual = {field.name: field.default for field in dataclasses.fields(args)}
    changes: dict[str, Any] = {
        name: value
        for name, value in settings.items()
        if name in _KEPT and getattr(args, name) == usual[name]
    }
    if settings.get("swap") is False:
        changes["no_swap"] = True
    if not args.option:
        options = settings.get("options") or {}
        changes["option"] = tuple(
            f"{key}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
            for key, value in options.items()
        )
    return dataclasses.replace(args, **changes)


def _show(args: DriftArguments, found: JudgeDrift) -> None:
    import msgspec

    from assay.present.display import Painter
    from assay.present.gates import drift_text

    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(msgspec.json.encode(found.to_dict()).decode() + "\n")
        else:
            painter = Painter(wants_color(args.color, stream))
            stream.write(drift_text(found, painter=painter, columns=columns_for(stream)))
