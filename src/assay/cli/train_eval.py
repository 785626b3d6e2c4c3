"""``assay train eval``: trained models, their base and other judges on the same test."""

from __future__ import annotations

import dataclasses
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from assay.cli.arguments import ADVANCED, JUDGE, argument, option
from assay.cli.commands import command
from assay.cli.judge_options import MODEL_FREE, PairwiseArguments, settings_of
from assay.cli.options import columns_for, json_text, wants_color
from assay.cli.outputs import ANY_FILE, OutputPath, opened
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.training.evaluation import JudgeMeasures, ReplyRecord
    from assay.training.examples import TrainingExample


_NO_NAME: Final = re.compile(r"[^\w.-]+")


class EvalArguments(
    PairwiseArguments, without=("query", "repetitions", "early_stop", "no_swap", "reference")
):
    """What the command line of ``assay train eval`` says."""

    data: str = argument("DATA", type=ANY_FILE)
    models: tuple[str, ...] = option(
        "A model on this machine: the folder of a stage, a folder of safetensors, a GGUF file, or a name on the Hub; NAME= "
        "before it names it in results. Repeatable.",
        "[NAME=]MODEL",
        flags="--model",
    )
    judge: str = "rules"
    judges: tuple[str, ...] = option(
        "Any other judge on the same pairs, such as rules, length, random or STRATEGY@MODEL. Repeatable.",
        "JUDGE",
        flags="--judge",
        group=JUDGE,
    )
    split: Literal["test", "validation"] = option("The split.", default="test")
    limit: int | None = option("Only the first N pairs, as a cheap test.", "N", type=click.IntRange(min=1))
    new_tokens: int = option(
        "Longest reply of a model on this machine, in tokens.",
        "N",
        default=1024,
        type=click.IntRange(min=1),
        group=ADVANCED,
    )
    batch: int = option(
        "Prompts that a model on this machine answers together.",
        "N",
        default=4,
        type=click.IntRange(min=1),
        group=ADVANCED,
    )
    precision: Literal["bfloat16", "float32"] = option(
        "Numbers of models on this machine.", default="float32", group=ADVANCED
    )
    replies: str | None = option(
        "Folder in which replies of models on this machine are kept; those that are there are not made again.",
        "DIR",
        type=OutputPath(),
    )
    format: Literal["text", "json", "markdown"]


@command(
    EvalArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 a cap was reached, or a model failed; 130 interrupted.",
)
def evaluate(args: EvalArguments) -> int:
    """Put models and judges to the same test: the pairs of DATA that no training has seen.

    \b
    assay train eval data --model base=Qwen/Qwen3-1.7B --model sft --model grpo --judge rules --judge length
    assay train eval data --model grpo --judge logicjudge@openai/gpt-5-mini --max-usd 1

    Shows how many replies can be read, agreement in both orders, decisions by dimension, and whether verdicts turn with the
    order. Attacks and detection by type at length: `assay train serve`, then `assay bench run`.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    if not (args.models or args.judges):
        raise UsageError("name a --model or a --judge")
    examples = _examples(args)
    measures = [_of_model(args, model, examples) for model in args.models]
    code = 0
    if args.judges:
        code, others = asyncio.run(_of_judges(args, examples))
        measures += others
    if measures:
        _show(args, measures)
    return code


def _examples(args: EvalArguments) -> list[TrainingExample]:
    from assay.training.examples import read_examples

    path = Path(args.data) / "examples" / f"{args.split}.jsonl"
    if not path.is_file():
        raise InputError(
            f"has no examples/{args.split}.jsonl", where=args.data, hint="assay train distil writes it"
        )
    found = list(read_examples(path))[: args.limit]
    if not found:
        raise InputError(
            "holds no pairs", where=str(path), hint="--shares of assay train distil gives it some"
        )
    return found


def _of_model(args: EvalArguments, named: str, examples: Sequence[TrainingExample]) -> JudgeMeasures:
    import msgspec

    from assay.training.evaluation import measured, read_replies, records_of_model
    from assay.training.generation import LocalGenerator
    from assay.training.preparation import read_rows_of
    from assay.training.trainers import MODEL

    name, sign, path = named.partition("=")
    path = path if sign else named
    inside = Path(path) / MODEL
    groups = {item.id: (item.group or item.id, item.kind) for item in examples}
    rows = [row for row in read_rows_of(args.data, "grpo", args.split) if row["id"] in groups]
    model = str(inside) if inside.is_dir() else path
    kept = None if args.replies is None else Path(args.replies) / f"{_kept_as(args, name, model)}.jsonl"
    known = {} if kept is None else read_replies(kept)

    def keep(records: Sequence[ReplyRecord]) -> None:
        if kept is not None:
            with kept.open("ab") as stream:
                stream.writelines(msgspec.json.encode(item) + b"\n" for item in records)
        if not args.quiet:
            click.echo(".", nl=False, err=True)

    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
    generator = LocalGenerator(model, precision=args.precision)
    records = records_of_model(
        generator,
        rows,
        groups,
        max_new_tokens=args.new_tokens,
        batch=args.batch,
        known=known,
        keep=keep,
        clock=time.monotonic,
    )
    if not args.quiet:
        click.echo("", err=True)
    return measured(name, records)


def _kept_as(args: EvalArguments, name: str, model: str) -> str:
    """Return the name of a file of replies: another model, other data or another limit have another one."""
    import hashlib

    weights = [model] if model.endswith(".gguf") else sorted(map(str, Path(model).glob("*.safetensors")))
    facts = [str((Path(file).stat().st_size, Path(file).stat().st_mtime_ns)) for file in weights]
    data = Path(args.data) / "grpo" / f"{args.split}.jsonl"
    parts = [
        model,
        *facts,
        str(args.new_tokens),
        args.precision,
        data.read_text("utf-8") if data.is_file() else "",
    ]
    digest = hashlib.blake2b("\x00".join(parts).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{_NO_NAME.sub('_', name)}-{digest}"


async def _of_judges(
    args: EvalArguments, examples: Sequence[TrainingExample]
) -> tuple[int, list[JudgeMeasures]]:
    from assay.cli.judge_session import open_judge_session
    from assay.judges.judgment import Judgment
    from assay.runs.unbound_judge import judge_of
    from assay.subjects.case import Case
    from assay.subjects.report import Report
    from assay.training.evaluation import measured, records_of_judgments

    cases = [
        Case(Report(item.a), Report(item.b), query=item.query or None, id=item.id, mode="compare")
        for item in examples
    ]
    async with open_judge_session(args, "train-eval") as session:
        judges = [
            judge_of(name)
            if name in MODEL_FREE
            else session.judge(name, settings_of(dataclasses.replace(args, judge=name), mode="compare"))
            for name in args.judges
        ]
        found: dict[int, Judgment] = {}

        async def work() -> bool:
            problem = await session.run.judge(cases, judges, found.__setitem__)
            if problem is not None:
                raise problem
            return True

        await session.watch(work())
        session.report_usage()
        code = session.exit_code(none=not found)
    wide = len(judges)
    return code, [
        measured(
            name, records_of_judgments(examples, [found.get(row * wide + at) for row in range(len(cases))])
        )
        for at, name in enumerate(args.judges)
    ]


def _show(args: EvalArguments, measures: list[JudgeMeasures]) -> None:
    from assay.present.display import Painter
    from assay.present.training_results import results_markdown, results_text
    from assay.training.evaluation import TrainingEvaluation

    result: Any = TrainingEvaluation(data=args.data, split=args.split, judges=measures)
    with opened(args.output) as stream:
        if args.format == "json":
            stream.write(json_text(result) + "\n")
        elif args.format == "markdown":
            stream.write(results_markdown(result))
        else:
            painter = Painter(wants_color(args.color, stream))
            stream.write(results_text(result, painter, columns_for(stream)))
