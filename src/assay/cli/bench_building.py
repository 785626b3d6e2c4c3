"""What ``assay bench build`` does: subjects read, failures put in, a folder written, what came of it told."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from assay.cli.authoring import AuthorAsked, run_authoring
from assay.cli.options import columns_for, field_names, painter_for, query_text
from assay.errors import AssayError, EngineError, InputError, UsageError
from assay.interventions.artefacts import measure_artefacts
from assay.interventions.building import BuiltBenchmark, build, build_by_model
from assay.interventions.candidates import by_model
from assay.interventions.instances import INSTANCES, write_instances
from assay.interventions.manifest import manifest_of, write_manifest
from assay.interventions.registry import find_operators
from assay.present.bench import built_text
from assay.present.numbers import plural, titled
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.cli.authoring import Authoring
    from assay.interventions.base import Operator
    from assay.subjects.subject import Subject

# Levels, whether their subjects are reports, and what those are called.
_LEVELS: Final = (("process", False, "trajectories"), ("outcome", True, "reports"))


class BuildAsked(AuthorAsked, frozen=True, kw_only=True):
    """What was asked of ``assay bench build``."""

    paths: tuple[str, ...]
    output: str
    model: str = ""
    types: str = "failures"
    per_type: int = 20
    editor: str = "rules"
    limit: int | None = None
    field: tuple[str, ...] = ()
    input_format: str | None = None
    query: str | None = None
    format: str = "text"
    color: str = "auto"


def run_build(asked: BuildAsked) -> int:
    """Build, and give the exit code."""
    operators = find_operators(name for name in asked.types.split(",") if name.strip())
    folder = Path(asked.output)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"-o {asked.output} is a file; name a folder")
    inside = [path for path in asked.paths if Path(path).resolve() == folder.resolve()]
    if inside:
        raise UsageError(f"-o {asked.output} is what is read; name another folder")
    if asked.editor == "rules":
        if asked.requests is not None or asked.responses:
            raise UsageError("--requests and --responses are for a model; --editor rules asks none")
        subjects, unread = _read(asked, operators)
        built = build(subjects, operators, per_type=asked.per_type, seed=asked.seed or 0)
        return _finish(asked, operators, built, unread)
    # A judge is named by strategy and model, and of those only the model writes.
    model = asked.editor.rpartition("@")[2]
    return run_authoring(
        msgspec.structs.replace(asked, model=model), lambda authoring: _by_model(asked, operators, authoring)
    )


async def _by_model(asked: BuildAsked, operators: list[Operator], authoring: Authoring) -> int:
    author = await authoring.author(authoring.asked.model)
    subjects, unread = _read(asked, operators)
    seed = asked.seed or 0

    async def edit(operator: Operator, subject: Any, screen: Any) -> Any:
        return await by_model(author, operator, subject, screen, seed=seed)

    built = await build_by_model(
        subjects, operators, edit, per_type=asked.per_type, seed=seed, each=authoring.each
    )
    if authoring.pending:
        # Replies are yet to come: a benchmark now would lack them.
        return 0
    return _finish(asked, operators, built, unread)


def _read(asked: BuildAsked, operators: Sequence[Operator]) -> tuple[list[Subject], int]:
    """The subjects, and how many could not be read; those are told, and types that none of them is for."""
    from assay.subjects.reading import read_subjects  # noqa: PLC0415 - loads the parser

    subjects: list[Subject] = []
    unread = 0
    for item in islice(_stream(asked, read_subjects), asked.limit):
        if isinstance(item, InputError):
            click.echo(f"assay: {item}", err=True)
            unread += 1
        else:
            subjects.append(item)
    if not subjects:
        raise InputError("there is nothing to build from: no report and no trajectory could be read")
    kinds = {isinstance(subject, Report) for subject in subjects}
    for level, is_report, wanted in _LEVELS:
        if is_report not in kinds and any(operator.level == level for operator in operators):
            click.echo(f"assay: types of level {level} need {wanted}, and there are none here", err=True)
    return subjects, unread


def _stream(asked: BuildAsked, read: Any) -> Iterator[Any]:
    yield from read(
        asked.paths,
        query=query_text(asked.query),
        fields=field_names(asked.field),
        format=asked.input_format,
    )


def _nothing(built: BuiltBenchmark) -> AssayError:
    """Why nothing came of it."""
    reasons: Counter[str] = Counter()
    for refused in built.refused.values():
        reasons.update(refused)
    if reasons and set(reasons) == {"model_failed"}:
        return EngineError(
            f"nothing came of it: no reply came to any of {plural(reasons.total(), 'request')} for an edit "
            "(assay models check shows what the endpoint says)"
        )
    if reasons:
        told = ", ".join(f"{number:,} {titled(reason)}" for reason, number in reasons.most_common(4))
        return InputError(
            f"nothing came of it: {plural(reasons.total(), 'edit')} refused: {told}",
            hint="a larger model, or --editor rules",
        )
    return InputError(
        "nothing came of it: no subject offers a place for any of these types",
        hint="longer reports, or trajectories with several steps, offer more; --types names others",
    )


def _finish(asked: BuildAsked, operators: list[Operator], built: BuiltBenchmark, unread: int) -> int:
    if not built.instances:
        raise _nothing(built)
    artefacts = measure_artefacts(built.instances)
    manifest = manifest_of(
        built,
        artefacts,
        types=[operator.name for operator in operators],
        per_type=asked.per_type,
        seed=asked.seed or 0,
        editor=asked.editor,
    )
    folder = Path(asked.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_instances(folder / INSTANCES, built.instances)
        write_manifest(folder, manifest)
    except OSError as error:
        raise UsageError(f"-o {asked.output} cannot be written: {error.strerror or error}") from error
    if asked.format == "json":
        click.echo(msgspec.json.encode(manifest).decode())
    else:
        painter = painter_for(asked.color)
        text = built_text(manifest, str(folder), painter=painter, columns=columns_for(sys.stdout))
        click.echo(text, nl=False)
    return 2 if unread else 0
