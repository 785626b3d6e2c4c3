"""``assay bench build``: a benchmark of judges from reports and trajectories."""

from __future__ import annotations

import dataclasses
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.author_session import AuthorArguments, run_author_session
from assay.cli.commands import command
from assay.cli.options import FormatArguments, columns_for, field_names, painter_for, query_text
from assay.cli.outputs import OutputPath
from assay.cli.subjects import SubjectArguments
from assay.errors import AssayError, InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.cli.author_session import AuthorSession
    from assay.interventions.base import Operator
    from assay.meta.benchmark import Benchmark
    from assay.subjects.subject import Subject

# Each level, whether its subjects are reports, and their name.
_LEVELS: Final = (("process", False, "trajectories"), ("outcome", True, "reports"))


class BuildArguments(SubjectArguments, AuthorArguments, FormatArguments, without=("model",)):
    """What the command line of ``assay bench build`` says."""

    paths: tuple[str, ...] = argument("PATH...")
    output: str = option(
        "Folder of the benchmark; it is created, and an older benchmark in it is replaced.",
        "DIR",
        flags="-o --output",
        type=OutputPath("instances.jsonl", "bench.json"),
        required=True,
    )
    types: str = option(
        "Types of failures and attacks: names, or failures, process, outcome, attacks, targeted, bias, manipulation, all.",
        "A,B",
        default="failures",
    )
    per_type: int = option("Instances of each type.", "N", default=20, type=click.IntRange(min=1))
    editor: str = option(
        "What writes the changes: rules, or a model such as openai/gpt-5-mini.",
        "rules|MODEL",
        default="rules",
    )
    validator: str | None = option(
        "Model that reads each instance a second time: only those it finds nothing against are kept, the others go to "
        "disputed.jsonl. [the editor, if it is a model; none for rules]",
        "MODEL|none",
    )
    seed: int | None = option("Seed of all random choices. [0]")
    model: str = ""
    format: Literal["text", "json"]


@command(
    BuildArguments,
    epilog="Exit codes: 0 done, even if a type has fewer instances than wanted, which is reported; 2 bad usage, nothing "
    "could be read, or no instance could be built; 3 a model failed.",
)
def build(args: BuildArguments) -> int:
    """Plant controlled failures in copies of the reports and trajectories of PATH, one in each copy, and record where.

    \b
    assay bench build reports.jsonl runs.jsonl -o bench
    assay bench build reports/ -o attacks --types attacks --per-type 30
    assay bench build reports/ -o bench --editor openai/gpt-5-mini --types fabrication,incoherence

    Rules plant the types that they plant well; the others need a model as editor. A second reading by a model keeps
    only instances whose failure is there, plausible, for the worse and alone; `assay bench queue --disputed` shows
    people the rest. The summary shows how often the damaged copy can be told by its length or style alone.
    instances.jsonl holds assay.bench/1; refused.jsonl says what was refused, and bench.json how it was built.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.meta.benchmark import Benchmark
    from assay.meta.benchmark_building import operators_of

    operators = operators_of(args.types)
    folder = Path(args.output)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"-o {args.output} is a file; name a folder")
    inside = [path for path in args.paths if Path(path).resolve() == folder.resolve()]
    if inside:
        raise UsageError(f"-o {args.output} is the folder to read; name another one")
    reader = args.validator if args.validator not in (None, "none") else None
    if args.editor == "rules" and reader is None:
        if args.requests is not None or args.responses:
            raise UsageError("--requests and --responses need a model, and none is named")
        subjects, unread = _read(args, operators)
        built = Benchmark.build(subjects, types=operators, per_type=args.per_type, seed=args.seed or 0)
        return _finish(args, built, unread)
    # Of STRATEGY@MODEL, only the model writes.
    writer = None if args.editor == "rules" else args.editor.rpartition("@")[2]
    if args.validator is None:
        reader = writer
    models = [name for name in (writer, reader) if name is not None]
    return run_author_session(
        dataclasses.replace(args, model=models[0]),
        lambda session: _by_model(args, operators, session, writer, reader),
        models=models[1:],
    )


async def _by_model(
    args: BuildArguments,
    operators: list[Operator],
    session: AuthorSession,
    writer: str | None,
    reader: str | None,
) -> int:
    from assay.meta.benchmark import build_by_author
    from assay.meta.benchmark_building import REPLY_CAP

    editor = await session.author(writer, max_tokens=REPLY_CAP) if writer else None
    validator = await session.author(reader, max_tokens=REPLY_CAP) if reader else None
    subjects, unread = _read(args, operators)
    try:
        built = await build_by_author(
            subjects,
            editor,
            validator,
            session.each,
            types=operators,
            per_type=args.per_type,
            seed=args.seed or 0,
        )
    except AssayError:
        if session.pending:
            return 0
        raise
    # Without the replies that are still missing, the benchmark would be incomplete.
    return 0 if session.pending else _finish(args, built, unread)


def _read(args: BuildArguments, operators: Sequence[Operator]) -> tuple[list[Subject], int]:
    """Return the subjects and the number of unreadable ones; report those, and types without any suitable subject."""
    from assay.subjects.reading import read_subjects
    from assay.subjects.report import Report

    subjects: list[Subject] = []
    unread = 0
    for item in islice(_stream(args, read_subjects), args.limit):
        if isinstance(item, InputError):
            click.echo(f"assay: {item.cli_message}", err=True)
            unread += 1
        else:
            subjects.append(item)
    if not subjects:
        raise InputError("nothing to build from: no report or trajectory could be read")
    kinds = {isinstance(subject, Report) for subject in subjects}
    for level, is_report, wanted in _LEVELS:
        if is_report not in kinds and any(operator.level == level for operator in operators):
            click.echo(f"assay: types of level {level} need {wanted}, and the input has none", err=True)
    return subjects, unread


def _stream(args: BuildArguments, read: Any) -> Iterator[Any]:
    yield from read(
        args.paths,
        query=query_text(args.query),
        fields=field_names(args.field),
        format=args.input_format,
    )


def _finish(args: BuildArguments, built: Benchmark, unread: int) -> int:
    import msgspec

    from assay.interventions.instances import INSTANCES
    from assay.present.bench import built_text

    assert built.manifest is not None
    manifest = msgspec.structs.replace(built.manifest, editor=args.editor)
    built.manifest = manifest
    older = (Path(args.output) / INSTANCES).is_file()
    try:
        built.save(args.output)
    except InputError as error:
        raise UsageError(f"-o {args.output} {error.problem}") from error
    if older:
        click.echo(f"assay: replaced the benchmark in {args.output}", err=True)
    if args.format == "json":
        click.echo(msgspec.json.encode(manifest).decode())
    else:
        painter = painter_for(args.color)
        text = built_text(manifest, args.output, painter=painter, columns=columns_for(sys.stdout))
        click.echo(text, nl=False)
    return 2 if unread else 0
