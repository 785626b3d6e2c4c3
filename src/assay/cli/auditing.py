"""What ``assay audit`` does: settings, a stream of audits, a writer, an exit code."""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click
import msgspec

from assay.audits.audit import audit_many
from assay.checks.config import FailOn, Settings, load_settings
from assay.checks.selection import require_known
from assay.cli.options import columns_for, field_names, query_text, wants_color
from assay.cli.outputs import inputs_of_command, opened
from assay.cli.progress import progress
from assay.errors import AssayError, EngineError, UsageError
from assay.present.interface import Choice
from assay.present.rendering import Format, OutputOptions, Rendered, render_audit
from assay.present.words import SEVERITIES, split_row
from assay.present.writers import Writer, is_folder, open_writer
from assay.settings import find_settings
from assay.subjects.loaders.base import DEFAULT_MAX_BYTES
from assay.subjects.reading import read_subjects, read_trajectory
from assay.subjects.sources import SourceFolder
from assay.subjects.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked on the command line; None and empty where nothing was said."""

    paths: tuple[str, ...]
    query: str | None = None
    sources: str | None = None
    trajectory: str | None = None
    format: Format = "text"
    output: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: FailOn | None = None
    jobs: int = 1
    field: tuple[str, ...] = ()
    input_format: str | None = None
    min_confidence: float | None = None
    limit: int | None = None
    max_bytes: int | None = None
    config: str | None = None
    isolated: bool = False
    inline: bool | None = None
    quiet: bool = False
    verbose: bool = False
    color: str = "auto"
    language: Choice = "auto"


class _Tally:
    """What has happened so far, for the exit code."""

    def __init__(self, fail_on: FailOn) -> None:
        self.failing = SEVERITIES[: SEVERITIES.index(fail_on) + 1] if fail_on != "never" else ()
        self.audited = 0
        self.unread = 0
        self.failed = 0
        self.gate = False

    def add(self, rendered: Rendered) -> None:
        row = rendered.row
        numbers = {"error": row.errors, "warning": row.warnings, "info": row.infos}
        self.audited += 1
        self.gate = self.gate or any(numbers[level] for level in self.failing)

    def problem(self, error: AssayError) -> None:
        if isinstance(error, EngineError):
            self.failed += 1
        else:
            self.unread += 1

    @property
    def exit_code(self) -> int:
        """A failed check outweighs all; then the gate; a bad row only where the gate holds or nothing was read."""
        if self.failed:
            return 3
        if not self.audited:
            return 2
        if self.gate:
            return 1
        return 2 if self.unread else 0


def run(request: Request) -> int:
    """Audit, write, and return the exit code."""
    if not request.paths:
        raise UsageError(
            "nothing to audit: give a file, a folder, a glob, or - for stdin (see `assay audit --help`)"
        )
    settings, origin = _settings(request)
    folder = request.output if request.format == "html" and is_folder(request.output) else None
    if request.output and not folder and Path(request.output).is_dir():
        raise UsageError(f"-o {request.output} is a folder; only --format html writes to one")
    inputs = inputs_of_command()
    if settings.sources is not None:
        inputs.add(path for path in Path(settings.sources).rglob("*") if path.is_file())
    context = _context(settings, request)
    tally = _Tally(settings.fail_on)
    began = time.perf_counter()
    with opened(None if folder else request.output) as stream:
        look = OutputOptions(
            format=request.format,
            color=wants_color(request.color, stream),
            columns=columns_for(stream),
            quiet=request.quiet,
            fail_on=settings.fail_on,
            home="index.html" if folder else None,
            language=request.language,
        )
        subjects: Iterator[Subject | AssayError] = read_subjects(
            request.paths,
            query=settings.query,
            fields=field_names(request.field),
            format=request.input_format,
            max_bytes=request.max_bytes or DEFAULT_MAX_BYTES,
        )
        if request.limit is not None:
            subjects = islice(subjects, request.limit)
        results = _results(subjects, settings, partial(render_audit, look), _jobs(request.jobs), context)
        # Findings that scroll by on the terminal are progress enough.
        busy = not request.quiet and (folder is not None or request.output is not None or not stream.isatty())
        with progress(request.paths, request.limit, enabled=busy) as tick:
            _write(
                open_writer(look, None if folder else stream, folder, check=inputs.refuse),
                results,
                tally,
                tick,
            )
    if request.verbose:
        _tell(settings, origin, tally, time.perf_counter() - began)
    return tally.exit_code


def _write(writer: Writer, results: Iterable[Rendered | AssayError], tally: _Tally, tick: Any) -> None:
    try:
        for result in results:
            if isinstance(result, AssayError):
                tally.problem(result)
                writer.problem(result)
                click.echo(f"assay: {result}", err=True)
            else:
                tally.add(result)
                writer.add(result)
            tick()
    except BrokenPipeError:
        raise
    except BaseException:
        # Interrupted or failed: what was finished is closed properly before the reason is told.
        writer.end()
        raise
    writer.end()


def _results(
    subjects: Iterator[Subject | AssayError],
    settings: Settings,
    then: Any,
    jobs: int,
    context: dict[str, Any],
) -> Iterator[Rendered | AssayError]:
    common = {**context, "inline": settings.inline, "min_confidence": settings.min_confidence}
    if settings.options:
        common["options"] = settings.options
    if not settings.per_file:
        yield from audit_many(subjects, then, jobs=jobs, checks=settings.checks(), **common)
        return
    last: tuple[Any, ...] = settings.checks()

    def checks_of(subject: Subject | AssayError) -> tuple[str, ...]:
        nonlocal last
        if not isinstance(subject, AssayError):
            last = settings.checks(split_row(subject.path)[0] if subject.path else None)
        return tuple(check.code for check in last)

    # Files in a row that the same checks look at go through together.
    for _, group in groupby(subjects, key=checks_of):
        yield from audit_many(group, then, jobs=jobs, checks=last, **common)


def _settings(request: Request) -> tuple[Settings, str | None]:
    """Settings from the nearest file, with what was asked laid over them."""
    path: Path | None = None
    if request.config is not None:
        path = Path(request.config)
    elif not request.isolated:
        path = find_settings(Path.cwd())
    settings = load_settings(path) if path is not None else Settings()
    asked: dict[str, Any] = {}
    for name in ("select", "ignore"):
        labels = tuple(part for value in getattr(request, name) for part in value.replace(",", " ").split())
        if labels:
            require_known(labels, where=f"--{name}")
            asked[name] = labels
    for name in ("fail_on", "min_confidence", "inline", "sources"):
        value = getattr(request, name)
        if value is not None:
            asked[name] = value
    if request.query is not None:
        asked["query"] = query_text(request.query)
    return msgspec.structs.replace(settings, **asked), str(path) if path else None


def _context(settings: Settings, request: Request) -> dict[str, Any]:
    context: dict[str, Any] = {}
    if settings.sources is not None:
        context["sources"] = SourceFolder(settings.sources)
    if request.trajectory is not None:
        context["trajectory"] = read_trajectory(request.trajectory)
    return context


def _jobs(asked: int) -> int:
    return (
        asked or len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else asked or os.cpu_count() or 1
    )


def _tell(settings: Settings, origin: str | None, tally: _Tally, seconds: float) -> None:
    stream: TextIO = sys.stderr
    click.echo(f"settings: {origin or 'none found'}; {len(settings.checks())} checks", file=stream)
    rate = f", {tally.audited / seconds:,.0f} a second" if seconds > 0 else ""
    click.echo(
        f"audited {tally.audited:,} in {seconds:.1f} s{rate}; could not read {tally.unread:,}", file=stream
    )
