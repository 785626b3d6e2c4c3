"""``assay lab score``: reports scored by a suite's judge or by rules, with systems side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO

import click

from assay.cli.arguments import ADVANCED, JUDGE, OUTPUT, argument, option
from assay.cli.batch_files import BatchArguments, BatchFiles, needs_ledger
from assay.cli.commands import command
from assay.cli.judge_options import (
    MODEL_FREE,
    ScoringArguments,
    reference_text,
    refuse_model_options,
    settings_of,
)
from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.cli.subjects import SubjectArguments, read_all
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.judge_session import JudgeSession
    from assay.judges.settings import JudgeSettings
    from assay.runs.ledger import Ledger
    from assay.runs.recording_judge import RecordingJudge
    from assay.subjects.report import Report
    from assay.suites.finresearch.results import ScoredReport

SCHEMA: Final = "assay.finresearch/1"
_RULES: Final = "rules"
# Reports in progress beyond the calls in flight, so that a slow one does not hold up the others.
_AHEAD: Final = 16

_SUITE: Final = "finresearch"


class ScoreArguments(BatchArguments, SubjectArguments, ScoringArguments):
    """What the command line of ``assay lab score`` says."""

    paths: tuple[str, ...] = argument("REPORT...")
    suite: str = option(
        "The published scoring system to use.", "NAME", flags="--system", default=_SUITE, group=ADVANCED
    )
    graph: Literal["model", "rules"] | None = option(
        "What builds the argument graph: the judge's model, or rules. [model]", group=ADVANCED
    )
    weights: tuple[str, ...] = option(
        "Weight of a dimension in the final score; the others keep 0.1, and all are scaled to sum to 1. Repeatable.",
        "DIMENSION=W",
        flags="--weight",
        group=ADVANCED,
    )
    reference_system: str | None = option(
        "Compare every other system with this one, such as expert; rows name theirs in `system`.", "NAME"
    )
    rubric: str | None = option(
        "A rubric with other wording for the six rated dimensions. [finresearch]", "NAME|FILE", group=JUDGE
    )
    verbose: bool = option(
        "Several reports: show each in full before the tables.", flags="-v --verbose", group=OUTPUT
    )
    format: Literal["text", "json", "jsonl", "csv"]

    @property
    def shares(self) -> dict[str, float]:
        """Return the weights that are given.

        Raises:
            UsageError: One is not written as a weight.
        """
        from assay.suites.finresearch.dimensions import check_weights

        shares: dict[str, float] = {}
        for pair in self.weights:
            key, sign, text = pair.partition("=")
            try:
                shares[key.strip()] = float(text)
            except ValueError:
                sign = ""
            if not sign:
                raise UsageError(
                    f"--weight {pair}: write it as DIMENSION=NUMBER, such as logic_consistency=0.3"
                )
        check_weights(shares)
        return shares


@command(
    ScoreArguments,
    epilog="Exit codes: 0 done, even if some reports have no final score (their number is shown beside the means); 2 bad "
    "usage, or something could not be read or scored (the rest goes on); 3 no score at all, a cap was reached, or "
    "something Assay relies on failed; 130 interrupted. What was finished is kept, and the same command continues from there.",
)
def score(args: ScoreArguments) -> int:
    """Score each REPORT on FinResearchBench's ten dimensions: four computed, six rated by a model; and the final score.

    \b
    assay lab score report.md --judge brief@openai/gpt-5-mini
    assay lab score report.md --judge rules                        the four computed ones, no model
    assay lab score ours.jsonl experts.jsonl --judge brief@vllm/my-model --reference-system expert
    assay lab score reports/ --judge brief@openai/gpt-5-mini --requests round1.jsonl

    The model first extracts the report's argument, and sees it when it rates. There is a final score only if all ten
    dimensions have one. The format json writes one object, jsonl and csv one report a line.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    import msgspec

    from assay.suites.registry import find_suite

    if args.suite != _SUITE:
        find_suite(args.suite)  # refuses an unknown name and offers the nearest
        raise UsageError(
            f"--system {args.suite}: `assay lab score` scores by finresearch; `assay run suites` shows how to run others"
        )
    shares = args.shares
    if args.judge == _RULES:
        return _by_rules(args)
    if args.judge in MODEL_FREE:
        raise UsageError(f"no judge of FinResearchBench is called {args.judge!r}; name a model, or rules")
    settings = settings_of(args, mode="score")
    own = {**settings.options, "weights": shares} if shares else dict(settings.options)
    if args.graph is not None:
        own["graph"] = args.graph
    return asyncio.run(_by_model(args, msgspec.structs.replace(settings, options=own)))


class ScoreProgress:
    """The scored reports, and the number that wait for replies of a batch."""

    def __init__(self) -> None:
        self.rows: list[ScoredReport] = []
        self.waiting = 0


def _by_rules(args: ScoreArguments) -> int:
    """Score the four computed dimensions from the graph that rules build; there is no final score."""
    from assay.judges.identity import name_of
    from assay.logic.rule_graph import build_graph
    from assay.suites.finresearch.dimensions import DIMENSION_KEYS
    from assay.suites.finresearch.judge import rule_part
    from assay.suites.finresearch.results import ScoredReport

    refuse_model_options(args)
    given = {
        "--graph": args.graph == "model",
        "--weight": args.weights,
        "--requests": args.requests,
        "--responses": args.responses,
    }
    vain = [name for name, value in given.items() if value]
    if vain:
        raise UsageError(
            f"judge 'rules' asks no model and has no final score; {', '.join(vain)} would do nothing"
        )
    reports, left_out = _reports(args)
    rows = []
    for report in reports:
        part = rule_part(report, build_graph(report))
        values = {key: float(value) for key, value in part.answer.values.items()}
        rows.append(
            ScoredReport(
                report=name_of(report),
                id=report.id,
                system=report.system,
                query=report.query,
                scores={key: values[key] for key in DIMENSION_KEYS if key in values},
                graph="rules",
                basis=part.answer.rationale,
            )
        )
    note = "no final score: the other six dimensions are rated by a model (--judge STRATEGY@MODEL)"
    _show(args, rows, judge="rules", version="", note=note)
    return 2 if left_out else 0


async def _by_model(args: ScoreArguments, settings: JudgeSettings) -> int:
    from assay.cli.judge_session import open_judge_session
    from assay.judges.settings import split_judge
    from assay.present.numbers import plural
    from assay.rubrics.loader import load_rubric
    from assay.runs.ledger_location import ledger_location
    from assay.suites.finresearch.dimensions import DIMENSION_KEYS, RULE_DERIVED
    from assay.suites.registry import find_suite

    reports, left_out = _reports(args)
    if not reports:
        return 2
    reference = reference_text(args.reference)
    suite = find_suite(_SUITE)
    model = split_judge(args.judge).model

    def in_rounds(ledger: Ledger) -> BatchFiles:
        return BatchFiles(ledger, [model], requests=args.requests, responses=args.responses)

    batch = args.requests is not None or bool(args.responses)
    if batch:
        needs_ledger(ledger_location(args.ledger))
    async with open_judge_session(args, settings, "score", in_rounds=in_rounds if batch else None) as session:
        judge = await session.backend.judge(
            args.judge,
            rubric=load_rubric(args.rubric or suite.rubric),
            settings=settings,
            make=suite.make,
        )
        recorder = session.add(judge, _SUITE)
        fitting = _fitting(recorder, reports, reference)
        session.progress.planned = len(fitting) * settings.trials
        found = ScoreProgress()
        await session.watch(_each(session, recorder, fitting, reference, found))
        rows = found.rows
        if rows:
            _show(args, rows, judge=judge.name, version=judge.version, weights=args.shares)
        left = len(fitting) - len(rows)
        if left and not args.quiet:
            waits = "waits for replies" if left == 1 else "wait for replies"
            why = waits if found.waiting == left else "not scored yet"
            click.echo(f"{left:,} of {plural(len(fitting), 'report')} {why}", err=True)
        if session.files is not None:
            session.files.close()
            if not args.quiet:
                session.files.report(found.waiting)
        else:
            session.report_usage()
        # Computed dimensions do not depend on the model.
        # No verdict is needed to see that there are no visuals.
        rated_keys = set(DIMENSION_KEYS) - {*RULE_DERIVED, "visual_linguistic_synergy"}
        rated = any(row.scores.keys() & rated_keys for row in rows)
        return session.exit_code(none=not rated and not found.waiting) or (
            2 if left_out or len(fitting) < len(reports) else 0
        )


async def _each(
    session: JudgeSession,
    recorder: RecordingJudge,
    reports: Sequence[Report],
    reference: str | None,
    found: ScoreProgress,
) -> None:
    from assay.models.base import PendingCall
    from assay.runs.recording_judge import in_order
    from assay.suites.finresearch.results import scored

    async def one(report: Report) -> ScoredReport | None:
        try:
            repeated = await recorder.repeat(
                "score", [report], reference=reference, on_judgment=session.progress.seen
            )
        except PendingCall:
            return None
        judgment = repeated.trials.judgment
        parts = [part for made in repeated.judgments for part in made.parts]
        return scored(report, judgment, parts)

    async for row in in_order(
        (partial(one, report) for report in reports), width=session.backend.slots + _AHEAD
    ):
        if row is None:
            found.waiting += 1
        else:
            found.rows.append(row)


def _reports(args: ScoreArguments) -> tuple[list[Report], int]:
    """Return the reports, and the number of inputs that are not reports or could not be read."""
    from assay.subjects.report import Report
    from assay.suggest import did_you_mean

    subjects, unread = read_all(args)
    reports = [item for item in subjects if isinstance(item, Report)]
    others = len(subjects) - len(reports)
    if others:
        click.echo(f"assay: left out: {_trajectories(others)}", err=True)
    if not reports and others:
        raise UsageError(
            "nothing was scored: FinResearchBench scores reports, and the input has only trajectories"
        )
    names = {report.system for report in reports}
    wanted = args.reference_system
    if reports and wanted is not None and wanted not in names:
        named = [name for name in names if name is not None]
        there = (
            did_you_mean(wanted, sorted(named))
            if named
            else "no report names its system (field `system` of a row)"
        )
        raise UsageError(f"--reference-system: no report is by {wanted!r}; {there}")
    return reports, unread + others


def _trajectories(number: int) -> str:
    return (
        "1 trajectory; reports are scored" if number == 1 else f"{number:,} trajectories; reports are scored"
    )


def _fitting(recorder: RecordingJudge, reports: Sequence[Report], reference: str | None) -> list[Report]:
    """Return the reports that the judge can be asked about.

    Raises:
        UsageError: None of them can.
    """
    from assay.judges.identity import name_of

    fitting, problems = [], []
    for report in reports:
        try:
            recorder.check("score", [report], reference=reference)
        except UsageError as error:
            problems.append(
                error.cli_message if len(reports) == 1 else f"{name_of(report)}: {error.cli_message}"
            )
        else:
            fitting.append(report)
    if not fitting:
        more = f" (and so are {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise UsageError(f"nothing was sent: {problems[0]}{more}")
    for problem in problems:
        click.echo(f"assay: left out: {problem}", err=True)
    return fitting


def _show(
    args: ScoreArguments,
    rows: Sequence[ScoredReport],
    *,
    judge: str,
    version: str,
    note: str = "",
    weights: dict[str, float] | None = None,
) -> None:
    """Write the results in the chosen format."""
    import msgspec

    from assay.suites.finresearch.dimensions import check_weights
    from assay.suites.finresearch.results import against, by_system

    systems = by_system(rows)
    beside = against(rows, args.reference_system) if args.reference_system else []
    with opened(args.output) as stream:
        if args.format == "json":
            data = {
                "schema": SCHEMA,
                "judge": judge,
                "judge_version": version,
                "weights": check_weights(weights or {}),
                "note": note,
                "reports": rows,
                "systems": systems,
                "comparisons": beside,
            }
            stream.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")
        elif args.format == "jsonl":
            for row in rows:
                layout = {
                    "schema": SCHEMA,
                    "judge": judge,
                    "judge_version": version,
                    **msgspec.to_builtins(row),
                }
                stream.write(msgspec.json.encode(layout).decode() + "\n")
        elif args.format == "csv":
            _csv(rows, stream)
        else:
            _text(args, rows, systems, beside, stream, judge=judge, note=note)


def _text(
    args: ScoreArguments,
    rows: Sequence[ScoredReport],
    systems: Sequence[Any],
    beside: Sequence[Any],
    stream: TextIO,
    *,
    judge: str,
    note: str,
) -> None:
    from assay.present.display import Painter
    from assay.present.finresearch import against_text, report_text, reports_text, systems_text
    from assay.suites.finresearch.dimensions import RULE_DERIVED
    from assay.suites.finresearch.results import KEYS

    layout: dict[str, Any] = {
        "painter": Painter(wants_color(args.color, stream)),
        "columns": columns_for(stream),
        "keys": RULE_DERIVED if judge == _RULES else KEYS,
    }
    painter = layout["painter"]
    stream.write(painter(f"FinResearchBench · {judge}", "dim") + "\n")
    if len(rows) == 1 or args.verbose:
        stream.writelines(report_text(row, **layout) + ("\n" if len(rows) > 1 else "") for row in rows)
    if len(rows) > 1:
        stream.write(reports_text(rows, **layout))
        if len(systems) > 1 or systems[0].system is not None:
            stream.write("\n" + systems_text(systems, **layout))
    stream.writelines("\n" + against_text(item, **layout) for item in beside)
    if note:
        stream.write(painter(note, "warning") + "\n")


def _csv(rows: Sequence[ScoredReport], stream: TextIO) -> None:
    """Write one report a line; a missing score is an empty cell."""
    import csv

    from assay.suites.finresearch.dimensions import DIMENSION_KEYS

    out = csv.writer(stream, lineterminator="\n")
    out.writerow(["report", "id", "system", "query", "status", "graph", "final", *DIMENSION_KEYS])
    for row in rows:
        values = [row.final, *(row.scores.get(key) for key in DIMENSION_KEYS)]
        cells = ["" if value is None else f"{value:.6g}" for value in values]
        out.writerow(
            [row.report, row.id or "", row.system or "", row.query or "", row.status, row.graph, *cells]
        )
