"""``assay bench run``: judges evaluated on a benchmark, under every condition that the command line names."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.bench_conditions import BenchRunArguments, asked_models, setups_from, useless_options
from assay.cli.commands import command
from assay.cli.judge_options import MODEL_FREE
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.errors import EngineError, InputError, UsageError

if TYPE_CHECKING:
    from assay.meta.benchmark import Benchmark
    from assay.meta.benchmark_run import BenchmarkRun
    from assay.meta.conditions import JudgeSetup
    from assay.meta.results import BenchmarkResult


@command(
    BenchRunArguments,
    epilog="Exit codes: 0 done, even if some cases have no verdict (their number is shown); 2 bad usage or input; 3 no "
    "verdict at all, a cap was reached, or something Assay relies on failed; 130 interrupted. What was finished is kept, "
    "and the same command continues from there.",
)
def run(args: BenchRunArguments) -> int:
    """Evaluate judges on the benchmark in DIR, and show what each detects, by type of failure.

    \b
    assay bench run bench --judge rules
    assay bench run bench --judge direct@openai/gpt-5-mini --limit 5 --max-usd 1
    assay bench run bench --judge full@vllm/my-model --interface pairwise --interface pointwise
    assay bench run bench --judge direct@openai/gpt-5-mini --judge full@openai/gpt-5-mini --rubric usual --rubric none

    With --requests FILE nothing is sent: the calls go to a batch file, and the same command with --responses FILE takes in the
    replies, until the results can be shown.

    A judge is right if it prefers the reference: strictly, and in both orders of a pair. Judges that follow rules, prefer
    the longer text or choose at random run beside it. The format json is assay.bench-result/1.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.meta.benchmark import Benchmark
    from assay.subjects.reference_answers import read_reference_answers

    check_save(None if args.no_save else args.save)
    benchmark = Benchmark.load(args.folder).filter(types=args.types, per_type=args.limit)
    if args.reference is not None:
        benchmark = benchmark.with_answers(read_reference_answers(args.reference))
    code, results = evaluate(args, benchmark, setups_from(args))
    if results is not None:
        _show(args, results)
    return code


def check_save(save: str | None) -> None:
    """Refuse a folder that cannot be created or written, before anything is spent.

    Raises:
        UsageError: A file is in its place or on its path, or it is closed to writing.
    """
    if save is None:
        return
    path = Path(save)
    if not save.strip():
        raise UsageError("--save is empty; name a folder")
    for place in (path, *path.parents):
        if place.exists():
            if not place.is_dir():
                raise UsageError(f"--save {save}: {place} is a file; name a folder")
            if not os.access(place, os.W_OK | os.X_OK):
                raise UsageError(f"--save {save}: nothing can be written in {place}; name another folder")
            return


def evaluate(
    args: BenchRunArguments, benchmark: Benchmark, setups: Sequence[JudgeSetup]
) -> tuple[int, BenchmarkResult | None]:
    """Evaluate judges; return the exit code, and the results if there are any."""
    import asyncio

    from assay.meta.benchmark_run import BenchmarkRun
    from assay.runs.run_settings import RunSettings
    from assay.runs.running import OpenRun

    live = not args.quiet and sys.stderr.isatty()
    run = BenchmarkRun(
        benchmark,
        setups,
        candidates=args.candidates,
        localise=args.localise,
        until=args.until,
        warn=lambda text: click.echo(f"assay: {text}", err=True),
    )
    if any(item.asks_model for item in setups):
        return asyncio.run(_with_models(args, benchmark, run))
    useless = useless_options(args)
    if useless:
        raise UsageError(f"no judge here asks a model; {', '.join(useless)} would do nothing")
    if live:
        click.echo("judging …", nl=False, err=True)

    async def work() -> str:
        async with OpenRun(RunSettings(progress=False), "bench") as opened:
            await run.make(opened)
            return opened.row.id

    run_id = asyncio.run(work())
    if live:
        click.echo("\r\x1b[2K", nl=False, err=True)
    return 0, run.result(benchmark.folder, run=run_id)


async def _with_models(
    args: BenchRunArguments, benchmark: Benchmark, run: BenchmarkRun
) -> tuple[int, BenchmarkResult | None]:
    from assay.cli.judge_session import open_judge_session, warn_of_drafts

    run.on_judge = lambda judge: warn_of_drafts(judge.rubric)
    async with open_judge_session(args, "bench", models=asked_models(run.setups)) as session:
        await session.watch(run.make(session.run))
        if session.files is not None:
            await session.files.close()
            if not args.quiet:
                session.files.report(run.pending)
            if run.pending:
                # A result of the replies so far would look like that of a finished run.
                return session.exit_code(none=False), None
        results = run.result(benchmark.folder, run=session.run.row.id, status=session.run.status)
        if session.files is None:
            session.report_usage()
        judged = any(item.coverage for item in results.asked if item.condition.judge not in MODEL_FREE)
        return session.exit_code(none=not judged), results if run.trials else None


def _show(args: BenchRunArguments, results: BenchmarkResult) -> None:
    import msgspec

    from assay.present.bench import results_text
    from assay.present.display import Painter
    from assay.present.judge_tables import result_tables, results_csv
    from assay.present.markup import set_latex, set_markdown

    if not args.no_save:
        _keep(args, results)
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(msgspec.json.encode(results.to_dict()).decode() + "\n")
        elif args.format == "csv":
            stream.write(results_csv(results))
        elif args.format != "text":
            write = set_markdown if args.format == "markdown" else set_latex
            stream.write(write(result_tables(results)))
        else:
            painter = Painter(wants_color(args.color, stream))
            stream.write(results_text(results, painter=painter, columns=columns_for(stream)))


def _keep(args: BenchRunArguments, results: BenchmarkResult) -> None:
    """Keep the run; if its default folder cannot be written, only report it."""
    base = Path(args.folder)
    usual = (base if base.is_dir() else base.parent) / "trials" / results.origin.id
    folder = Path(args.save) if args.save else usual
    older = _older_run(folder, results)
    try:
        results.save(folder)
    except InputError as error:
        if args.save:
            raise EngineError(f"--save {args.save} {error.problem}") from error
        click.echo(f"assay: the run could not be kept: {error}", err=True)
        return
    if older:
        click.echo(f"assay: replaced {older} in {folder}", err=True)
    if not args.quiet:
        click.echo(f"kept in {folder} (assay bench card {folder})", err=True)


def _older_run(folder: Path, results: BenchmarkResult) -> str:
    """Return what run a folder holds, in words; empty if there is none, or it is the one that now goes on."""
    import msgspec

    from assay.meta.results import RUN, RunOrigin

    try:
        older = msgspec.json.decode((folder / RUN).read_bytes(), type=RunOrigin)
    except (OSError, msgspec.MsgspecError):
        return ""
    if older.id == results.origin.id:
        return ""
    other = older.fingerprint != results.origin.fingerprint
    return f"the run {older.id} on other instances ({older.bench})" if other else f"the run {older.id}"
