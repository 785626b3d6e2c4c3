"""``assay bench run``: judges evaluated on a benchmark, under every condition that the command line names."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from assay._version import __version__
from assay.cli.bench_conditions import (
    BenchRunArguments,
    NamedCondition,
    conditions_of,
    judge_settings,
    useless_options,
)
from assay.cli.commands import command
from assay.cli.judge_options import MODEL_FREE
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.errors import EngineError, InputError, UsageError

if TYPE_CHECKING:
    from assay.cli.judge_session import JudgeSession
    from assay.interventions.instances import Instance
    from assay.judges.units import Granularity
    from assay.meta.evaluation import Localiser
    from assay.meta.results import BenchmarkResult, Ended, RunOrigin
    from assay.meta.trials import Condition, FailureLocalisation, Trial
    from assay.models.base import Usage
    from assay.runs.recording_judge import RecordingJudge

_AHEAD: Final = 8


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
    assay bench run bench --judge direct@openai/gpt-5-mini --granularity both --rubric usual,none --cot both

    A judge is right if it prefers the reference: strictly, and in both orders of a pair. Judges that follow rules, prefer
    the longer text or choose at random run beside it. The format json is assay.bench-result/1.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.cli.bench_check import chosen_instances

    check_save(None if args.no_save else args.save)
    if args.reference is not None:
        raise UsageError(
            "a benchmark has many questions, so one --reference does not fit; use a comparing strategy with"
            " --interface pairwise"
        )
    instances = chosen_instances(args.folder, args.types, args.limit)
    wanted = conditions_of(args)
    code, results = _evaluate(args, instances, wanted)
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


def evaluate_again(args: BenchRunArguments, ids: Collection[str]) -> tuple[int, BenchmarkResult | None]:
    """Evaluate the first condition on some instances; return the exit code and the results, if there are any."""
    from assay.cli.bench_check import chosen_instances

    instances = [item for item in chosen_instances(args.folder, args.types, args.limit) if item.id in ids]
    return _evaluate(args, instances, conditions_of(args)[:1])


def _evaluate(
    args: BenchRunArguments, instances: list[Instance], wanted: list[NamedCondition]
) -> tuple[int, BenchmarkResult | None]:
    import asyncio

    asks = [item for item in wanted if not item.free]
    if not asks:
        useless = useless_options(args)
        if useless:
            raise UsageError(f"no judge here asks a model; {', '.join(useless)} would do nothing")
        return 0, _without_models(args, instances, wanted)
    # Wrong options are refused before anything is spent.
    for item in asks:
        judge_settings(args, item.condition)
    return asyncio.run(_with_models(args, instances, wanted))


def _without_models(
    args: BenchRunArguments, instances: list[Instance], wanted: list[NamedCondition]
) -> BenchmarkResult:
    import asyncio

    from assay.meta.results import BenchmarkResult
    from assay.runs.recording_judge import new_run

    trials: list[Trial] = []

    async def work() -> None:
        for at, item in enumerate(wanted):
            await _model_free(args, instances, item, at, trials)

    asyncio.run(work())
    run = new_run("bench", {})
    return BenchmarkResult.of([item.condition for item in wanted], trials, _origin(args, instances, run.id))


async def _model_free(
    args: BenchRunArguments, instances: list[Instance], item: NamedCondition, at: int, trials: list[Trial]
) -> None:
    from assay.meta.evaluation import evaluate
    from assay.meta.judge_under_test import JudgeUnderTest
    from assay.runs.model_free_backend import ModelFreeBackend

    judge = JudgeUnderTest(ModelFreeBackend(item.condition.judge))
    live = not args.quiet and sys.stderr.isatty()
    own = evaluate(
        instances,
        judge,
        interface=item.condition.interface,
        condition=at,
        candidates=args.candidates,
    )
    count = 0
    async for trial in own:
        trials.append(trial)
        count += 1
        if live and count % 10 == 0:
            click.echo(f"\r\x1b[2K{item.condition.name}: {count:,} of {len(instances):,}", nl=False, err=True)
    if live:
        click.echo("\r\x1b[2K", nl=False, err=True)


async def _with_models(
    args: BenchRunArguments, instances: list[Instance], wanted: list[NamedCondition]
) -> tuple[int, BenchmarkResult | None]:
    from assay.cli.judge_session import open_judge_session

    trials: list[Trial] = []
    conditions = [item.condition for item in wanted]
    first = next(item for item in wanted if not item.free)
    async with open_judge_session(
        dataclasses.replace(args, judge=first.condition.judge),
        judge_settings(args, first.condition),
        "bench",
    ) as session:
        session.progress.planned = sum(
            _planned(instances, item.condition, args) for item in wanted if not item.free
        )

        async def work() -> bool:
            for at, item in enumerate(wanted):
                if item.free:
                    await _model_free(args, instances, item, at, trials)
                else:
                    await _evaluate_condition(
                        session, args, instances, item, at=at, trials=trials, conditions=conditions
                    )
            return True

        await session.watch(work())
        origin = _origin(args, instances, session.run.id, status=_status(session))
        results = _results(conditions, trials, origin)
        session.report_usage()
        judged = any(item.coverage for item in results.asked if item.condition.judge not in MODEL_FREE)
        return session.exit_code(none=not judged), results if trials else None


def _status(session: JudgeSession) -> Ended:
    """Return how the run ended."""
    if session.interrupted:
        return "interrupted"
    if session.error is None:
        return "done"
    return "stopped" if session.backend.spending.reached else "failed"


def _results(conditions: list[Condition], trials: list[Trial], origin: RunOrigin) -> BenchmarkResult:
    """Return the results without baseline judges that were never run."""
    import msgspec

    from assay.meta.results import BenchmarkResult

    put_to = {trial.condition for trial in trials}
    kept = [at for at, item in enumerate(conditions) if at in put_to or not item.beside]
    places = {at: place for place, at in enumerate(kept)}
    own = [msgspec.structs.replace(trial, condition=places[trial.condition]) for trial in trials]
    return BenchmarkResult.of([conditions[at] for at in kept], own, origin)


async def _evaluate_condition(
    session: JudgeSession,
    args: BenchRunArguments,
    instances: list[Instance],
    item: NamedCondition,
    *,
    at: int,
    trials: list[Trial],
    conditions: list[Condition],
) -> None:
    """Evaluate one condition, and record the judge's version, which is known once the judge is bound to a model."""
    import msgspec

    from assay.judges.default_rubrics import DEFAULT_RUBRICS
    from assay.meta.evaluation import evaluate
    from assay.meta.judge_under_test import JudgeUnderTest
    from assay.meta.site_judge import SiteJudge
    from assay.subjects.report import Report
    from assay.subjects.trajectory import Trajectory

    condition = item.condition
    settings = judge_settings(args, condition)
    fine = condition.granularity == "fine"
    kinds = {"outcome": Report, "process": Trajectory}
    recorders: dict[type, RecordingJudge] = {}
    # A surface attack changes the whole text, so it has no part to judge.
    fitting = [item for item in instances if not fine or item.kind in ("failure", "targeted")]
    for level in dict.fromkeys(instance.level for instance in fitting):
        kind = kinds[level]
        grain: Granularity = "fine" if fine else "holistic"
        rubric = DEFAULT_RUBRICS[kind, grain] if item.rubric == "usual" else item.rubric
        more: dict[str, Any] = {"make": SiteJudge} if fine else {}
        judge = await session.backend.judge(condition.judge, rubric=rubric, settings=settings, **more)
        recorder = session.add(judge, f"{condition.name} {level} {at}")
        own = [instance for instance in fitting if instance.level == level]
        problem = _unfit(recorder, own[0], condition.interface, fine)
        if problem is not None:
            click.echo(f"assay: left out: {len(own)} of level {level}: {problem}", err=True)
            fitting = [instance for instance in fitting if instance.level != level]
            continue
        recorders[kind] = recorder
    if not recorders:
        raise UsageError(f"nothing was sent: {condition.name} cannot judge any of these instances")
    judge_under_test = JudgeUnderTest(
        lambda subject: recorders[type(subject)], both_orders=settings.swap, seen=session.progress.seen
    )
    versions = "+".join(dict.fromkeys(recorder.judge.version for recorder in recorders.values()))
    rubrics = "+".join(dict.fromkeys(recorder.judge.rubric_name for recorder in recorders.values()))
    recorded: dict[str, Any] = msgspec.to_builtins(settings)
    if condition.interface == "ranking":
        recorded["candidates"] = args.candidates
    # Recorded before anything is sent, so that it is there even if the run ends early.
    conditions[at] = msgspec.structs.replace(condition, version=versions, rubrics=rubrics, settings=recorded)
    made = evaluate(
        fitting,
        judge_under_test,
        interface=condition.interface,
        condition=at,
        fine=fine,
        candidates=args.candidates,
        width=session.backend.slots + _AHEAD,
        localiser=await _localiser(session, condition) if args.localise else None,
    )
    async for trial in made:
        trials.append(trial)


def _unfit(recorder: RecordingJudge, instance: Instance, interface: str, fine: bool) -> str | None:
    """Return why these instances cannot be judged this way, or None; only the first is checked, before anything is sent."""
    from assay.meta.site_judge import focus

    subject = instance.subject("perturbed")
    try:
        if interface == "pointwise":
            if fine:
                focus(subject, instance.site)
            recorder.check("score", [subject])
        else:
            recorder.check("compare", [subject, subject])
    except UsageError as error:
        return error.cli_message
    return None


async def _localiser(session: JudgeSession, condition: Condition) -> Localiser:
    from assay.generation.fault_location import locate_fault
    from assay.judges.settings import split_judge
    from assay.judges.units import whole
    from assay.meta.localisation import localise_reply
    from assay.subjects.report import Report

    author = await session.backend.author(split_judge(condition.judge).model)

    async def ask(instance: Instance, subject: Any) -> tuple[FailureLocalisation | None, Usage]:
        text = whole(subject).text
        steps = None if isinstance(subject, Report) else len(subject.steps)
        named, written = await locate_fault(
            author, text, query=instance.query or None, language=instance.language, steps=steps
        )
        found = None if named is None else localise_reply(subject, instance.site, named)
        return found, written.usage

    return ask


def _planned(instances: list[Instance], condition: Condition, args: BenchRunArguments) -> int:
    """Return the number of judgments that a condition takes."""
    from assay.meta.evaluation import candidate_sets

    if condition.interface == "pairwise":
        return len(instances) * condition.trials
    if condition.interface == "ranking":
        return len(candidate_sets(instances, args.candidates)) * condition.trials
    references = (
        len(instances) if condition.granularity == "fine" else len({item.group for item in instances})
    )
    return (len(instances) + references) * condition.trials


def _origin(
    args: BenchRunArguments, instances: list[Instance], run: str, *, status: Ended = "done"
) -> RunOrigin:
    from assay.meta.results import RunOrigin

    digest = hashlib.blake2b(digest_size=6)
    for instance in instances:
        digest.update(instance.id.encode())
    return RunOrigin(
        id=run,
        bench=args.folder,
        instances=len(instances),
        created=time.time(),
        assay=__version__,
        fingerprint=digest.hexdigest(),
        status=status,
    )


def _show(args: BenchRunArguments, results: BenchmarkResult) -> None:
    import msgspec

    from assay.present.bench import results_text
    from assay.present.display import Painter

    if not args.no_save:
        _keep(args, results)
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(msgspec.json.encode(results.to_dict()).decode() + "\n")
        else:
            painter = Painter(wants_color(args.color, stream))
            stream.write(results_text(results, painter=painter, columns=columns_for(stream)))


def _keep(args: BenchRunArguments, results: BenchmarkResult) -> None:
    """Keep the run; if its default folder cannot be written, only report it."""
    base = Path(args.folder)
    usual = (base if base.is_dir() else base.parent) / "trials" / results.origin.id
    folder = Path(args.save) if args.save else usual
    try:
        results.save(folder)
    except InputError as error:
        if args.save:
            raise EngineError(f"--save {args.save} {error.problem}") from error
        click.echo(f"assay: the run could not be kept: {error}", err=True)
        return
    if not args.quiet:
        click.echo(f"kept in {folder} (assay bench card {folder})", err=True)
