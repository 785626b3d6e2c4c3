"""What ``assay run`` does: the plan, the run with its display and its signals, the table at the end, an exit code."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import sys
import time
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from assay.cli.asking import warn_of_drafts
from assay.cli.options import painter_for
from assay.cli.outputs import ledger_files, opened, refuse_overwrite
from assay.cli.run_progress import shown
from assay.errors import AssayError, EngineError, InputError, UsageError
from assay.models.settings import ModelSettings
from assay.present.numbers import clock, usage_text
from assay.present.runs import plan_text, summary_text
from assay.runs.budget import Budget
from assay.runs.estimate import ASSUMED
from assay.runs.experiment_file import experiment_schema, load_experiment
from assay.runs.ledger import open_ledger
from assay.runs.ledger_location import ledger_location
from assay.runs.prefix_limiter import Warming
from assay.runs.runner import Run, RunOptions, estimated, opened_run
from assay.runs.summary import JudgeSummary, summarize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.runs.experiment import Experiment
    from assay.runs.ledger import Ledger
    from assay.runs.records import RunStatus

_CODES: Final[dict[RunStatus, int]] = {"done": 0, "stopped": 3, "failed": 3, "interrupted": 130, "running": 3}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked on the command line."""

    paths: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    rubric: str | None = None
    query: str | None = None
    fields: tuple[str, ...] = ()
    skip: bool = False
    save: str | None = None
    dry_run: bool = False
    fresh: bool = False
    ledger: str | None = None
    limit: int | None = None
    max_usd: float | None = None
    max_total_tokens: int | None = None
    concurrency: int | None = None
    warming: Warming = "auto"
    seed: int | None = None
    format: str = "text"
    output: str | None = None
    quiet: bool = False
    schema: bool = False
    init: bool = False
    color: str = "auto"


def run_experiment(asked: Asked) -> int:
    """Run, or show the plan, and give the exit code."""
    if asked.schema or asked.init:
        with opened(asked.output) as stream:
            if asked.schema:
                stream.write(msgspec.json.format(msgspec.json.encode(experiment_schema())).decode() + "\n")
            else:
                stream.write((files("assay.runs") / "experiment.example.yaml").read_text("utf-8"))
        return 0
    experiment = _experiment(asked)
    choices = _choices(asked, experiment)
    where = asked.ledger or own_ledger(experiment) or ledger_location()
    refuse_overwrite(asked.output, [*files_of(experiment), *ledger_files(where)])
    return asyncio.run(
        _plan(asked, experiment, choices, where) if asked.dry_run else _run(asked, experiment, choices, where)
    )


def _experiment(asked: Asked) -> Experiment:
    """What is run: the experiment of a file, or one made of the command line."""
    if asked.suites:
        from assay.cli.suite_run import suite_experiment  # noqa: PLC0415 - loads every suite

        return suite_experiment(asked)
    given = {
        "--judge": asked.judges,
        "--rubric": asked.rubric,
        "--query": asked.query,
        "--field": asked.fields,
        "--skip": asked.skip,
        "--save": asked.save,
    }
    said = [name for name, value in given.items() if value]
    if said:
        raise UsageError(f"{', '.join(said)}: for --suite; an experiment's file says that itself")
    if not asked.paths:
        raise UsageError(
            "no experiment: `assay run experiment.yaml`; `assay run --init` prints one to start from"
        )
    if len(asked.paths) > 1:
        raise UsageError(
            f"an experiment is one file, and {len(asked.paths)} are named; subjects stand in it, or come with --suite"
        )
    return load_experiment(asked.paths[0])


async def _plan(asked: Asked, experiment: Experiment, choices: RunOptions, where: str) -> int:
    with contextlib.ExitStack() as stack:
        ledger = stack.enter_context(open_ledger(where, read_only=True)) if exists(where) else None
        survey, estimates = await estimated(experiment, ledger, choices)
    with opened(asked.output) as stream:
        if asked.format == "json":
            data = {
                "schema": "assay.plan/1",
                "name": experiment.name,
                "subjects": survey.subjects,
                "targets": survey.targets,
                "judgments": survey.total,
                "judges": [msgspec.to_builtins(item) for item in estimates],
                "assumed": ASSUMED,
                "problems": survey.problems,
            }
            stream.write(msgspec.json.encode(data).decode() + "\n")
        else:
            stream.write(plan_text(survey, estimates, ASSUMED, painter_for(asked.color)))
    return 2 if survey.problems and experiment.problems == "stop" else 0


async def _run(asked: Asked, experiment: Experiment, choices: RunOptions, where: str) -> int:
    make_room(where)
    began = time.monotonic()
    with open_ledger(where) as ledger:
        async with opened_run(experiment, ledger, choices) as run:
            for problem in run.survey.problems:
                click.echo(f"assay: left out: {problem}", err=True)
            for rubric in {
                bound.judge.rubric.version: bound.judge.rubric for bound in run.plan.bound
            }.values():
                warn_of_drafts(rubric)
            try:
                with signals(run):
                    async with shown(run, quiet=asked.quiet):
                        await run.go()
            except AssayError as error:
                kept = f"; {_kept(run)}" if run.progress.done else ""
                click.echo(f"assay: {error}{kept}", err=True)
                return error.exit_code
            found = _tell(asked, run, ledger, where, time.monotonic() - began)
            if run.status == "done" and found and not any(item.statuses.get("ok") for item in found):
                click.echo("assay: no judge gave any verdict; `assay runs show` has the replies", err=True)
                return EngineError.exit_code
            return _CODES[run.status]


def _tell(asked: Asked, run: Run, ledger: Ledger, where: str, seconds: float) -> list[JudgeSummary]:
    """Results to stdout, what happened to stderr; gives the results."""
    found = summarize(ledger.judgments(run.id))
    if asked.output is not None:
        from assay.runs.export import export  # noqa: PLC0415

        export(ledger, run.id, "jsonl", asked.output, table="judgments")
    with opened(None) as stream:
        if asked.format == "json":
            stream.write(msgspec.json.encode(_result(run, found, seconds)).decode() + "\n")
        else:
            stream.write(summary_text(found, painter_for(asked.color)))
    progress = run.progress
    paid = usage_text(run.session.spending.spent)
    there = f", {progress.recalled:,} were there" if progress.recalled else ""
    click.echo(f"{run.id}: {progress.made:,} judgments made{there}; {paid}; {clock(seconds)}", err=True)
    again = _again()
    if run.status == "stopped":
        click.echo(
            f"assay: {run.session.spending.reached}; {_kept(run)}. `{again}` goes on once the cap is raised",
            err=True,
        )
    elif run.status == "interrupted":
        click.echo(f"assay: interrupted; {_kept(run)}. `{again}` goes on from there", err=True)
    elif progress.statuses["failed"]:
        click.echo(f"{progress.statuses['failed']:,} failed; `{again}` tries them again", err=True)
    if asked.output is not None:
        click.echo(f"judgments: {asked.output}", err=True)
    elif not asked.quiet:
        place = "" if where == ledger_location() else f" --ledger {shlex.quote(where)}"
        click.echo(f"all of it: assay runs export {run.id} -o FOLDER{place}", err=True)
    return found


def _result(run: Run, found: list[JudgeSummary], seconds: float) -> dict[str, Any]:
    progress, spending = run.progress, run.session.spending
    return {
        "schema": "assay.run/1",
        "run": run.id,
        "status": run.status,
        "planned": progress.planned,
        "made": progress.made,
        "recalled": progress.recalled,
        "skipped": progress.skipped,
        "judges": [msgspec.to_builtins(item) for item in found],
        "paid": msgspec.to_builtins(spending.spent),
        "paid_in_all": msgspec.to_builtins(spending.total),
        "retries": spending.retries,
        "seconds": round(seconds, 3),
    }


@contextlib.contextmanager
def signals(run: Run) -> Iterator[None]:
    """Ctrl-C, and a polite kill, end the run properly; a second one at once."""
    loop = asyncio.get_running_loop()
    caught = []
    for name in ("SIGINT", "SIGTERM"):
        # Not every system lets a loop handle signals.
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(getattr(signal, name), run.interrupt)
            caught.append(getattr(signal, name))
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)


def _choices(asked: Asked, experiment: Experiment) -> RunOptions:
    budget = None
    if asked.max_usd is not None or asked.max_total_tokens is not None:
        own = experiment.budget
        budget = Budget(
            usd=own.usd if asked.max_usd is None else asked.max_usd,
            tokens=own.tokens if asked.max_total_tokens is None else asked.max_total_tokens,
        )
    return RunOptions(
        fresh=asked.fresh,
        # With a suite, the limit is of each path; see `assay.cli.suite_run`.
        limit=None if asked.suites else asked.limit,
        budget=budget,
        warming=asked.warming,
        models=None if asked.concurrency is None else ModelSettings(concurrency=asked.concurrency),
        seed=asked.seed,
    )


def own_ledger(experiment: Experiment) -> str | None:
    """The ledger an experiment names, as seen from the working directory."""
    where = experiment.ledger
    return where if where is None or "://" in where or where == ":memory:" else experiment.at(where)


def files_of(experiment: Experiment) -> list[str]:
    """The files, folders and patterns that an experiment names, as seen from the working directory."""
    named = [
        path for source in experiment.subjects for path in (*source.path, source.reference, source.query)
    ]
    named += [experiment.query, experiment.reference, *experiment.prompts]
    named += [rubric for spec in experiment.judges for rubric in spec.rubrics]
    named += [spec.model.partition("/")[2] for spec in experiment.judges]
    return [experiment.at(path.removeprefix("@")) for path in named if path]


def exists(where: str) -> bool:
    """Whether there is a ledger to look at; of a database only a try can tell."""
    return "://" in where or os.path.exists(where)  # noqa: PTH110 - it may be no path


def make_room(where: str) -> None:
    """The folder of a ledger that is not there yet."""
    if "://" in where or where == ":memory:":
        return
    folder = os.path.dirname(where)  # noqa: PTH120
    try:
        os.makedirs(folder or ".", exist_ok=True)  # noqa: PTH103
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", where=folder) from error


def _kept(run: Run) -> str:
    progress = run.progress
    planned = f" of {progress.planned:,}" if progress.planned else ""
    return f"{progress.done:,}{planned} judgments and every answered call are kept"


def _again() -> str:
    """The command that goes on: this one, without asking afresh."""
    return shlex.join(["assay", *(word for word in sys.argv[1:] if word != "--fresh")])
