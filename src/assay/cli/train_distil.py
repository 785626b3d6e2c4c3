"""``assay train distil``: data for training a judge, from teachers, planted failures and people."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from assay.cli.arguments import ADVANCED, JUDGE, SUBJECTS, argument, option
from assay.cli.batch_files import BatchArguments
from assay.cli.commands import command
from assay.cli.judge_options import MODEL_FREE, PairwiseArguments, settings_of
from assay.cli.options import RowArguments, columns_for, field_names, json_text, painter_for, query_text
from assay.cli.outputs import ANY_FILE, BENCHMARK, OutputPath, opened
from assay.errors import EngineError, InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.cli.judge_session import JudgeSession
    from assay.judges.case_judge import CaseJudge
    from assay.judges.judgment import Judgment
    from assay.runs.unbound_judge import UnboundJudge
    from assay.subjects.case import Case
    from assay.training.data_set import DataManifest
    from assay.training.examples import TrainingExample
    from assay.training.teachers import FilterReport

_KINDS: Final = ("teachers", "planted", "people", "rules")
_SHARES: Final = 3


class DistilArguments(
    BatchArguments, PairwiseArguments, RowArguments, without=("repetitions", "early_stop", "no_swap")
):
    """What the command line of ``assay train distil`` says."""

    paths: tuple[str, ...] = argument("REPORTS...", required=False)
    judge: str = "rules"
    teachers: tuple[str, ...] = option(
        "A teacher, as MODEL or STRATEGY@MODEL; or rules, whose verdicts are marked as weak labels. Repeatable.",
        "JUDGE",
        flags="--teacher",
        group=JUDGE,
    )
    bench: tuple[str, ...] = option(
        "Take planted failures from this benchmark, as `assay bench build` wrote it. Repeatable.",
        "DIR",
        type=BENCHMARK,
        group=SUBJECTS,
    )
    labels: tuple[str, ...] = option(
        "Take people's preferences from this file of labels. Repeatable.",
        "FILE",
        type=ANY_FILE,
        group=SUBJECTS,
    )
    never: tuple[str, ...] = option(
        "Leave out every pair of this benchmark or file of labels, because judges are tested on it. Repeatable.",
        "PATH",
        flags="--held-out",
        group=SUBJECTS,
    )
    mix: str | None = option(
        "Proportions of the sources, such as teachers=2,planted=1,people=1. [all there are]",
        "A=N,B=N",
        group=ADVANCED,
    )
    shares: str = option(
        "Shares of training, validation and test.", "A,B,C", default="80,10,10", group=ADVANCED
    )
    short: int | None = option(
        "Of planted failures, take only the paragraphs that differ, up to this many characters.",
        "N",
        type=click.IntRange(min=40),
        group=ADVANCED,
    )
    max_length: int = option(
        "Longest prompt with its reply, in tokens; longer pairs are left out and counted.",
        "N",
        default=40_960,
        type=click.IntRange(min=64),
        group=ADVANCED,
    )
    too_long: Literal["leave-out", "cut"] = option(
        "What becomes of longer pairs; cut: whole sections at the end go, never one in which two versions differ.",
        default="leave-out",
        group=ADVANCED,
    )
    tokenizer: str | None = option(
        "Count tokens by the tokenizer of this model, a folder or a name on the Hub. [an estimate]",
        "MODEL",
        group=ADVANCED,
    )
    licences: tuple[str, ...] = option(
        "Licence of a source, for the data card. Repeatable.",
        "SOURCE=TEXT",
        flags="--licence",
        group=ADVANCED,
    )
    limit: int | None = option(
        "Judge only the first N pairs, as a cheap test.", "N", type=click.IntRange(min=1), group=SUBJECTS
    )
    dry_run: bool = option("Show the plan (calls, tokens, cost) and send nothing.", flags="-n --dry-run")
    output: str | None = option(
        "Folder of the data set; it is created, and an older data set in it is replaced.",
        "DIR",
        flags="-o --output",
        type=OutputPath("manifest.json", "card.md"),
    )
    format: Literal["text", "json"]


@command(
    DistilArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 no example, a cap was reached, or a model failed; 130 interrupted. What "
    "was finished is kept, and the same command continues from there.",
)
def distil(args: DistilArguments) -> int:
    """Make a data set for training a judge of pairs.

    \b
    assay train distil reports.jsonl --teacher logicjudge@openai/gpt-5 --teacher logicjudge@gemini/gemini-2.5-pro -o data
    assay train distil --bench bench --short 600 -o data
    assay train distil reports.jsonl --teacher logicjudge@openai/gpt-5 --labels people.jsonl --held-out test-bench -o data

    Every two reports on one question are a pair. All teachers judge all pairs in both orders, as in any run: replies are kept
    in the ledger, caps hold, and batch files work. A pair stays if all teachers agree and their verdict turns with
    the order; the reply is that of one teacher, drawn by --seed. Questions, and near-duplicates of them, are in one split only.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    if not (args.paths or args.bench or args.labels):
        raise UsageError("name reports with --teacher, or a benchmark with --bench, or labels with --labels")
    if bool(args.paths) != bool(args.teachers):
        raise UsageError("reports need a --teacher, and a teacher needs reports")
    if args.output is None and not args.dry_run:
        raise UsageError("-o names the folder of the data set")
    if "rules" in args.teachers and len(args.teachers) > 1:
        raise UsageError("rules give weak labels, which do not mix with those of models; make two data sets")
    free = [name for name in args.teachers if name in MODEL_FREE and name != "rules"]
    if free:
        raise UsageError(f"{free[0]} knows nothing of quality, so it cannot teach")
    _shares(args)
    _ratios(args)
    if not args.paths:
        if args.dry_run:
            click.echo("no calls: there is no teacher")
            return 0
        return _finish(args, _others(args), None)
    return asyncio.run(_distil(args))


async def _distil(args: DistilArguments) -> int:
    from assay.cli.judge_session import open_judge_session
    from assay.judges.settings import split_judge
    from assay.runs.unbound_judge import judge_of

    cases = pairs_of(args)
    models = [] if args.teachers == ("rules",) else [split_judge(name).model for name in args.teachers]
    models += [args.generator] if args.generator else []
    if args.ledger == "none" and models:
        raise UsageError("teachers' replies are taken from the ledger; leave out --ledger none")
    async with open_judge_session(args, "distil", models=models) as session:
        teachers = [
            judge_of(name) if name in MODEL_FREE else session.judge(name, _settings(args, name))
            for name in args.teachers
        ]
        if args.dry_run:
            return await _plan(args, session, teachers, cases)
        found = await session.watch(_taught(args, session, teachers, cases))
        if session.files is not None:
            await session.files.close()
            session.files.report(session.run.progress.pending)
        else:
            session.report_usage()
        code = session.exit_code(none=found is None and not session.run.progress.pending)
        if code or found is None:
            return code
    examples, report = found
    sources = _others(args)
    sources["rules" if args.teachers == ("rules",) else "teachers"] = examples
    return _finish(args, sources, report)


def pairs_of(args: DistilArguments) -> list[Case]:
    """Return every two reports on one question as a case.

    Raises:
        InputError: There are none.
    """
    from assay.subjects.case import Case
    from assay.subjects.reading import read_subjects

    groups: defaultdict[str, list[Any]] = defaultdict(list)
    for item in read_subjects(
        args.paths, query=query_text(args.query), fields=field_names(args.field), format=args.input_format
    ):
        if isinstance(item, InputError):
            click.echo(f"assay: left out: {item.cli_message}", err=True)
        else:
            groups[" ".join((item.query or item.id or "").split())].append(item)
    cases = [
        Case(a, b, query=a.query, mode="compare")
        for name, items in groups.items()
        if name
        for a, b in combinations(items, 2)
        if a.source != b.source
    ]
    if not cases:
        raise InputError(
            "no two reports answer one question",
            where=args.paths[0],
            hint="rows need a field query, or --query",
        )
    return cases[: args.limit]


async def _taught(
    args: DistilArguments,
    session: JudgeSession,
    teachers: Sequence[UnboundJudge | CaseJudge],
    cases: Sequence[Case],
) -> tuple[list[TrainingExample], FilterReport] | None:
    """Return what the teachers agree on, with the reply of one of them for each pair; None while replies are awaited."""
    import msgspec

    from assay.judges.model_judge import ModelJudge
    from assay.training.teachers import agreed_pairs, example_of

    judgments: dict[int, Judgment] = {}
    problem = await session.run.judge(cases, list(teachers), judgments.__setitem__)
    if problem is not None:
        raise problem
    if session.run.progress.pending:
        return None
    wide = len(teachers)
    judged = [
        (
            case,
            [
                _both_orders(judgments[place])
                for place in range(at * wide, (at + 1) * wide)
                if place in judgments
            ],
        )
        for at, case in enumerate(cases)
    ]
    agreed, report = agreed_pairs(
        ((case, given) for case, given in judged if len(given) == wide), seed=args.seed or 0
    )
    examples = []
    for pair in agreed:
        judge = await session.run.bound(teachers[pair.teacher], pair.case)
        if isinstance(judge, ModelJudge):
            # Every call is in the ledger: nothing is asked again.
            examples.append(example_of(pair, *await judge.answer(pair.case)))
        else:
            weak = example_of(pair, judge_rubric(args), ())
            examples.append(msgspec.structs.replace(weak, provenance="rules", criteria={}, dimensions={}))
    return examples, report


def _both_orders(judgment: Judgment) -> Judgment:
    """Return a judgment with the verdict of a judge that does not depend on the order in both orders."""
    import msgspec

    if judgment.by_order is not None or judgment.preference is None:
        return judgment
    orders = dict.fromkeys(("AB", "BA"), judgment.preference)
    return msgspec.structs.replace(judgment, by_order=orders)


def judge_rubric(args: DistilArguments) -> Any:
    """Return the rubric whose prompts the judge will be trained on."""
    from assay.rubrics.loader import load_rubric

    name = args.rubric or "reportlogic"
    return load_rubric("reportlogic" if name == "reportlogic-instance" else name)


def _settings(args: DistilArguments, teacher: str) -> Any:
    return settings_of(dataclasses.replace(args, judge=teacher), mode="compare")


async def _plan(
    args: DistilArguments,
    session: JudgeSession,
    teachers: Sequence[UnboundJudge | CaseJudge],
    cases: Sequence[Case],
) -> int:
    from assay.judges.model_judge import ModelJudge
    from assay.models.prices import price_of
    from assay.present.runs import plan_text
    from assay.runs.estimate import ASSUMED, CasePlan, estimate_plan
    from assay.runs.plan import Survey

    bound = [await session.run.bound(teacher, cases[0]) for teacher in teachers]
    models = [judge for judge in bound if isinstance(judge, ModelJudge)]
    open_session = session.run.session
    prices = {
        judge.model.id: price_of(judge.model.id, open_session.settings(judge.model.id).price)
        for judge in models
    }
    ledger = open_session.ledger
    known = ledger.finished() if ledger is not None and not args.fresh else set()
    estimates = await estimate_plan(CasePlan(models, cases), known, prices)
    subjects = {id(subject) for case in cases for subject in case.subjects}
    survey = Survey(subjects=len(subjects), cases=len(cases), judgments=[item.planned for item in estimates])
    with opened(None) as stream:
        stream.write(plan_text(survey, estimates, ASSUMED, painter_for(args.color)))
    return 0


def _others(args: DistilArguments) -> dict[str, Sequence[TrainingExample]]:
    """Return the examples that need no teacher, by provenance."""
    from assay.training.sources import labelled_in, planted_in

    found: dict[str, Sequence[TrainingExample]] = {}
    if args.bench:
        found["planted"] = [item for folder in args.bench for item in planted_in(folder, args.short)]
    if args.labels:
        found["people"] = [item for path in args.labels for item in labelled_in(path)]
    return found


def _finish(
    args: DistilArguments, sources: dict[str, Sequence[TrainingExample]], report: FilterReport | None
) -> int:
    import msgspec

    from assay.models.tokens import estimate_tokens
    from assay.present.training import data_card, data_text
    from assay.strategies.prompt_folders import prompt_folders
    from assay.strategies.prompts import Prompts
    from assay.strategies.registry import find_strategy
    from assay.training.data_set import CARD, DataSettings, write_data_set
    from assay.training.prompting import JudgePrompt
    from assay.training.sources import tested_in

    assert args.output is not None
    if report is not None and not any(sources.values()):
        raise EngineError(
            f"no pair is left: of {report.pairs}, {report.no_verdict} have no verdict, on "
            f"{report.not_unanimous} teachers disagree, and {report.not_consistent} depend on the order"
        )
    count: Callable[[str], int] = estimate_tokens
    if args.tokenizer is not None:
        from assay.training.libraries import token_counter

        count = token_counter(args.tokenizer)
    never = [item for path in args.never for item in tested_in(path)]
    prompt = JudgePrompt(
        find_strategy("logicjudge"), judge_rubric(args), Prompts(prompt_folders(args.prompts))
    )
    settings = DataSettings(
        ratios=_ratios(args),
        shares=_shares(args),
        seed=args.seed or 0,
        max_length=args.max_length,
        cut=args.too_long == "cut",
        count=count,
        counted_by=args.tokenizer or "estimate",
        licences=field_names(args.licences) if args.licences else {},
    )
    filters = None if report is None else msgspec.to_builtins(report)
    folder = Path(args.output)
    manifest: DataManifest = write_data_set(folder, sources, prompt, settings, never=never, filters=filters)
    (folder / CARD).write_text(data_card(manifest), "utf-8")
    with opened(None) as stream:
        if args.format == "json":
            stream.write(json_text(manifest) + "\n")
        else:
            stream.write(data_text(manifest, painter_for(args.color), columns_for(stream)))
    if not args.quiet:
        click.echo(f"written to {folder} ({folder / CARD} describes it)", err=True)
    return 0


def _ratios(args: DistilArguments) -> dict[str, float]:
    ratios: dict[str, float] = {}
    for part in (args.mix or "").split(","):
        if not part.strip():
            continue
        name, _, number = part.partition("=")
        try:
            ratios[name.strip()] = float(number)
        except ValueError:
            raise UsageError(f"--mix {args.mix}: write it as teachers=2,planted=1") from None
    if unknown := sorted(set(ratios) - set(_KINDS)):
        raise UsageError(f"--mix: {unknown[0]!r} is not one of {', '.join(_KINDS)}")
    return ratios


def _shares(args: DistilArguments) -> tuple[float, float, float]:
    try:
        parts = [float(part) for part in args.shares.split(",")]
    except ValueError:
        parts = []
    if len(parts) != _SHARES or min(parts) < 0 or parts[0] <= 0:
        raise UsageError(f"--shares {args.shares}: write three numbers, such as 80,10,10")
    first, second, third = (part / sum(parts) for part in parts)
    return first, second, third
