"""``assay bench build``: a benchmark of judges from reports and trajectories."""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
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
from assay.errors import AssayError, EngineError, InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.cli.author_session import AuthorSession
    from assay.interventions.base import Operator
    from assay.interventions.building import BuiltBenchmark
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

    Each instance differs from its reference in one place. Filters drop changes that show that the text was edited. The
    summary shows how often the damaged copy can be told by its length or style alone. instances.jsonl holds
    assay.bench/1; bench.json describes how the benchmark was built.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.interventions.building import build
    from assay.interventions.registry import find_operators

    operators = find_operators(name for name in args.types.split(",") if name.strip())
    folder = Path(args.output)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"-o {args.output} is a file; name a folder")
    inside = [path for path in args.paths if Path(path).resolve() == folder.resolve()]
    if inside:
        raise UsageError(f"-o {args.output} is the folder to read; name another one")
    if args.editor == "rules":
        if args.requests is not None or args.responses:
            raise UsageError("--requests and --responses need a model, and --editor rules asks none")
        subjects, unread = _read(args, operators)
        built = build(subjects, operators, per_type=args.per_type, seed=args.seed or 0)
        return _finish(args, operators, built, unread)
    # Of STRATEGY@MODEL, only the model writes.
    model = args.editor.rpartition("@")[2]
    return run_author_session(
        dataclasses.replace(args, model=model), lambda session: _by_model(args, operators, session)
    )


async def _by_model(args: BuildArguments, operators: list[Operator], session: AuthorSession) -> int:
    from assay.interventions.building import build_by_model
    from assay.interventions.candidates import by_model

    author = await session.author(session.args.model)
    subjects, unread = _read(args, operators)
    seed = args.seed or 0

    async def edit(operator: Operator, subject: Any, screen: Any) -> Any:
        return await by_model(author, operator, subject, screen, seed=seed)

    built = await build_by_model(
        subjects, operators, edit, per_type=args.per_type, seed=seed, each=session.each
    )
    if session.pending:
        # Replies are still missing, so the benchmark would be incomplete.
        return 0
    return _finish(args, operators, built, unread)


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


def _nothing_built(built: BuiltBenchmark) -> AssayError:
    """Return an error that says why no instance could be built."""
    from assay.present.numbers import plural, titled

    reasons: Counter[str] = Counter()
    for refused in built.refused.values():
        reasons.update(refused)
    if reasons and set(reasons) == {"model_failed"}:
        return EngineError(
            f"no instance was built: no reply came to any of {plural(reasons.total(), 'request')} for an edit "
            "(assay models check shows what the endpoint says)"
        )
    if reasons:
        summary = ", ".join(f"{number:,} {titled(reason)}" for reason, number in reasons.most_common(4))
        return InputError(
            f"no instance was built: {plural(reasons.total(), 'edit')} refused: {summary}",
            hint="use a larger model, or --editor rules",
        )
    return InputError(
        "no instance was built: no subject offers a place for any of these types",
        hint="use longer reports or trajectories, or other --types",
    )


def _finish(args: BuildArguments, operators: list[Operator], built: BuiltBenchmark, unread: int) -> int:
    import msgspec

    from assay.interventions.artefacts import measure_artefacts
    from assay.interventions.instances import INSTANCES, write_instances
    from assay.interventions.manifest import manifest_of, write_manifest
    from assay.present.bench import built_text

    if not built.instances:
        raise _nothing_built(built)
    artefacts = measure_artefacts(built.instances)
    manifest = manifest_of(
        built,
        artefacts,
        types=[operator.name for operator in operators],
        per_type=args.per_type,
        seed=args.seed or 0,
        editor=args.editor,
    )
    folder = Path(args.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_instances(folder / INSTANCES, built.instances)
        write_manifest(folder, manifest)
    except OSError as error:
        raise UsageError(f"-o {args.output} cannot be written: {error.strerror or error}") from error
    if args.format == "json":
        click.echo(msgspec.json.encode(manifest).decode())
    else:
        painter = painter_for(args.color)
        text = built_text(manifest, str(folder), painter=painter, columns=columns_for(sys.stdout))
        click.echo(text, nl=False)
    return 2 if unread else 0
