"""``assay run``: an experiment with its plan, its display, its signals and the table at the end."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import time
from typing import TYPE_CHECKING, Any, Final

import click

from assay.cli.commands import command
from assay.cli.options import painter_for
from assay.cli.outputs import ledger_files, opened, refuse_overwrite
from assay.cli.run_arguments import RunArguments
from assay.errors import AssayError, EngineError, InputError, LedgerError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.runs.experiment import Experiment
    from assay.runs.ledger import Ledger
    from assay.runs.records import RunStatus
    from assay.runs.run_options import RunOptions
    from assay.runs.runner import Run
    from assay.runs.summary import JudgeSummary

_CODES: Final[dict[RunStatus, int]] = {"done": 0, "stopped": 3, "failed": 3, "interrupted": 130, "running": 3}


@command(
    RunArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input, a wrong key or an unknown model; 3 a cap was reached, or something "
    "Assay relies on failed; 130 interrupted. What was finished is kept, and the same command continues from there.",
)
def run(args: RunArguments) -> int:
    """Run an experiment described in a YAML or JSON file: judges × subjects × rubrics × repetitions.

    \b
    assay run --init > experiment.yaml
    assay run experiment.yaml --dry-run       what it will take
    assay run experiment.yaml --limit 5       a cheap test
    assay run experiment.yaml                 again after a stop: it continues from there
    assay run --suite reportlogic reports.jsonl --judge openai/gpt-5-mini

    Every call is stored in the ledger before its answer is used, so answers you already have are never paid for again.
    -o writes the judgments, one JSON object a line; `assay log export` writes answers and calls too.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    import msgspec

    from assay.runs.experiment_format import experiment_schema
    from assay.runs.ledger_location import ledger_location

    if args.schema or args.init:
        from importlib.resources import files

        with opened(args.output) as stream:
            if args.schema:
                stream.write(msgspec.json.format(msgspec.json.encode(experiment_schema())).decode() + "\n")
            else:
                stream.write((files("assay.runs") / "experiment.example.yaml").read_text("utf-8"))
        return 0
    experiment = _experiment(args)
    where = args.ledger or own_ledger(experiment) or ledger_location()
    choices = _choices(args, experiment, where)
    refuse_overwrite(args.output, [*files_of(experiment), *ledger_files(where)])
    return asyncio.run(
        _plan(args, experiment, choices, where) if args.dry_run else _run(args, experiment, choices, where)
    )


def _experiment(args: RunArguments) -> Experiment:
    """Return the experiment of the file, or the one that --suite describes."""
    from assay.runs.experiment_file import load_experiment

    if args.suites:
        from assay.cli.suite_run import suite_experiment

        return suite_experiment(args)
    given = {
        "--judge": args.judges,
        "--rubric": args.rubric,
        "--query": args.query,
        "--field": args.fields,
        "--skip": args.skip,
        "--save": args.save,
        "--weight": args.weights,
        "--graph": args.graph,
    }
    misplaced = [name for name, value in given.items() if value]
    if misplaced:
        raise UsageError(f"{', '.join(misplaced)}: only with --suite; an experiment file says that itself")
    if not args.paths:
        raise UsageError(
            "no experiment: `assay run experiment.yaml`; `assay run --init` prints one to start from"
        )
    if len(args.paths) > 1:
        raise UsageError(
            f"an experiment is one file, and {len(args.paths)} are named; name subjects in it, or use --suite"
        )
    return load_experiment(args.paths[0])


async def _plan(args: RunArguments, experiment: Experiment, choices: RunOptions, where: str) -> int:
    import msgspec

    from assay.present.runs import plan_text
    from assay.runs.estimate import ASSUMED
    from assay.runs.ledger import open_ledger
    from assay.runs.runner import estimated

    with contextlib.ExitStack() as stack:
        ledger = stack.enter_context(open_ledger(where, read_only=True)) if exists(where) else None
        survey, estimates = await estimated(experiment, ledger, choices)
    with opened(args.output) as stream:
        if args.format == "json":
            data = {
                "schema": "assay.plan/1",
                "name": experiment.name,
                "subjects": survey.subjects,
                "targets": survey.cases,
                "judgments": survey.total,
                "judges": [msgspec.to_builtins(item) for item in estimates],
                "assumed": ASSUMED,
                "problems": survey.problems,
            }
            stream.write(msgspec.json.encode(data).decode() + "\n")
        else:
            stream.write(plan_text(survey, estimates, ASSUMED, painter_for(args.color)))
    return 2 if survey.problems and experiment.problems == "stop" else 0


async def _run(args: RunArguments, experiment: Experiment, choices: RunOptions, where: str) -> int:
    from assay.cli.judge_session import warn_of_drafts
    from assay.cli.suite_results import check_reference
    from assay.runs.ledger import open_ledger
    from assay.runs.plan import model_judges
    from assay.runs.progress_display import reporting
    from assay.runs.runner import opened_run

    make_room(where)
    began = time.monotonic()
    with open_ledger(where) as ledger:
        async with opened_run(experiment, ledger, choices) as run:
            for problem in run.survey.problems:
                click.echo(f"assay: left out: {problem}", err=True)
            check_reference(run, args.reference_system, args.format)
            judges = model_judges(planned.judge for planned in run.plan.judges)
            for rubric in {judge.rubric.version: judge.rubric for judge in judges}.values():
                warn_of_drafts(rubric)
            try:
                with signals(run):
                    shown = False if args.quiet else None
                    with reporting(
                        shown, run.progress, lambda: run.session, stopping=lambda: run.stopping, logs=True
                    ):
                        await run.go()
            except AssayError as error:
                # A ledger that failed says itself what is kept.
                kept = f"; {_kept(run)}" if run.progress.done and not isinstance(error, LedgerError) else ""
                click.echo(f"assay: {error.cli_message}{kept}", err=True)
                return error.exit_code
            found = _report_run(args, run, ledger, where, time.monotonic() - began)
            if run.status == "done" and found and not any(item.statuses.get("ok") for item in found):
                click.echo("assay: no judge gave a verdict; `assay log show` shows the replies", err=True)
                return EngineError.exit_code
            return _CODES[run.status]


def _report_run(
    args: RunArguments, run: Run, ledger: Ledger, where: str, seconds: float
) -> list[JudgeSummary]:
    """Write results to stdout and a summary to stderr; return the results."""
    import msgspec

    from assay.cli.suite_results import suite_scores, write_csv, write_scores
    from assay.present.runs import summary_text
    from assay.runs.ledger_location import ledger_location
    from assay.runs.summary import summarize
    from assay.text.amounts import clock

    found = summarize(ledger.judgments(run.id))
    scores = suite_scores(run, ledger)
    table = args.output if args.format == "csv" else None
    if args.output is not None and table is None:
        from assay.runs.export import export

        export(ledger, run.id, "jsonl", args.output, table="judgments")
    with opened(table) as stream:
        if args.format == "json":
            data = _result(run, found, seconds)
            if scores:
                data["finresearch"] = [item.to_dict(args.reference_system) for item in scores]
            stream.write(msgspec.json.encode(data).decode() + "\n")
        elif args.format == "csv":
            write_csv(scores, stream)
        else:
            write_scores(scores, stream, reference=args.reference_system, color=args.color)
            stream.write(summary_text(found, painter_for(args.color)))
    progress = run.progress
    paid = str(run.session.spending.spent)
    there = f", {progress.recalled:,} were there" if progress.recalled else ""
    click.echo(f"{run.id}: {progress.made:,} judgments made{there}; {paid}; {clock(seconds)}", err=True)
    again = _again()
    if run.status == "stopped":
        click.echo(
            f"assay: {run.session.spending.reached}; {_kept(run)}. `{again}` continues once the cap is raised",
            err=True,
        )
    elif run.status == "interrupted":
        click.echo(f"assay: interrupted; {_kept(run)}. `{again}` continues from there", err=True)
    elif progress.statuses["failed"]:
        click.echo(f"{progress.statuses['failed']:,} failed; `{again}` tries them again", err=True)
    if args.output is not None:
        click.echo(f"{'judgments' if table is None else 'scores'}: {args.output}", err=True)
    elif not args.quiet:
        place = "" if where == ledger_location() else f" --ledger {shlex.quote(where)}"
        click.echo(f"everything: assay log export {run.id} -o FOLDER{place}", err=True)
    return found


def _result(run: Run, found: list[JudgeSummary], seconds: float) -> dict[str, Any]:
    import msgspec

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
    """End the run properly on Ctrl-C or SIGTERM; a second signal ends it at once."""
    import asyncio
    import signal

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


def _choices(args: RunArguments, experiment: Experiment, where: str) -> RunOptions:
    from assay.models.settings import ModelSettings
    from assay.runs.budget import Budget
    from assay.runs.run_options import RunOptions

    budget = None
    if args.max_usd is not None or args.max_total_tokens is not None:
        own = experiment.budget
        budget = Budget(
            usd=own.usd if args.max_usd is None else args.max_usd,
            tokens=own.tokens if args.max_total_tokens is None else args.max_total_tokens,
        )
    return RunOptions(
        fresh=args.fresh,
        # With a suite, the limit applies to each path; see `assay.cli.suite_run`.
        limit=None if args.suites else args.limit,
        budget=budget,
        warming=args.warming,
        models=None if args.concurrency is None else ModelSettings(concurrency=args.concurrency),
        seed=args.seed,
        engine=args.engine,
        workers=args.workers,
        ledger=where,
    )


def own_ledger(experiment: Experiment) -> str | None:
    """Return the ledger that an experiment names, relative to the working directory."""
    where = experiment.ledger
    return where if where is None or "://" in where or where == ":memory:" else experiment.at(where)


def files_of(experiment: Experiment) -> list[str]:
    """Return the files, folders and patterns that an experiment names, relative to the working directory."""
    named = [
        path for source in experiment.subjects for path in (*source.path, source.reference, source.query)
    ]
    named += [experiment.query, experiment.reference, *experiment.prompts]
    named += [rubric for spec in experiment.judges for rubric in spec.rubrics]
    named += [spec.model.partition("/")[2] for spec in experiment.judges]
    return [experiment.at(path.removeprefix("@")) for path in named if path]


def exists(where: str) -> bool:
    """Return whether the ledger exists; a database server counts as existing until it is asked."""
    return "://" in where or os.path.exists(where)  # noqa: PTH110 - it may be no path


def make_room(where: str) -> None:
    """Create the folder of a ledger that does not exist yet."""
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
    """Return the command that continues the run: this one, without --fresh."""
    return shlex.join(["assay", *(word for word in sys.argv[1:] if word != "--fresh")])
