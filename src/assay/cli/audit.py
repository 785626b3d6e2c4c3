"""``assay audit``: settings, a stream of audits, a writer, an exit code."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO, TypeVar

import click

from assay.cli.arguments import ADVANCED, OUTPUT, SUBJECTS, argument, option
from assay.cli.audit_review import ReadingArguments, refuse_reading_options, reviewed, show_plan
from assay.cli.audit_stream import audited, processes
from assay.cli.audit_tally import AuditTally, report_written
from assay.cli.commands import command
from assay.cli.options import (
    Amount,
    OutputArguments,
    QueryArguments,
    RowArguments,
    columns_for,
    field_names,
    query_text,
    wants_color,
)
from assay.cli.outputs import inputs_of_command, opened
from assay.errors import AssayError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assay.audits.result import Audit
    from assay.checks.config import CheckSettings, FailOn
    from assay.present.rendering import Rendered
    from assay.present.writers import Writer
    from assay.subjects.subject import Subject

T = TypeVar("T")
_ROWS: Final = (".jsonl", ".ndjson")
# So many subjects are read before the first audit, to see whether they are in one language.
_PEEKED: Final = 64
# Larger files are not counted, because that would take too long.
_COUNTED: Final = 1 << 30

_SIZES: Final = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


class _Size(click.ParamType[int]):
    """A number of bytes: ``500000``, ``64M``."""

    name = "bytes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        text = str(value).strip().lower().removesuffix("b").removesuffix("i")
        unit = _SIZES.get(text[-1:], 1)
        digits = text[:-1] if unit > 1 else text
        if not digits.isascii() or not digits.isdigit() or int(digits) == 0:
            self.fail(f"{value!r} is not a size; write 500000, 64M or 1G", param, ctx)
        return int(digits) * unit


class AuditArguments(QueryArguments, RowArguments, ReadingArguments, OutputArguments):
    """What the command line of ``assay audit`` says; None and empty where it says nothing."""

    paths: tuple[str, ...] = argument("PATH...", required=False)
    live: Literal["otlp"] | None = option(
        "Listen for OpenTelemetry traces on this machine, and audit each run as it ends.",
        flags="--from",
        group=ADVANCED,
    )
    port: int | None = option(
        "With --from: port to listen on.  [default: 4318]", type=click.IntRange(0, 65535), group=ADVANCED
    )
    sources: str | None = option("Folder with the texts of cited sources.", "DIR", group=SUBJECTS)
    trajectory: str | None = option("The trajectory that produced the report.", "FILE", group=SUBJECTS)
    format: Literal["text", "json", "sarif", "junit", "html"]
    select: tuple[str, ...] = option(
        "Run only these checks: codes, families or names, separated by commas; with --model also what readers name (RDR). "
        "Repeatable.",
        "CODES",
    )
    ignore: tuple[str, ...] = option("Leave these checks out. Repeatable.", "CODES")
    fail_on: Literal["error", "warning", "info", "never", "new:error", "new:warning", "new:info"] | None = (
        option(
            "Least severity of a finding that makes the exit code 1; with new: only of findings that the baseline does not "
            "have, and of what reports lost; a missing report is an error. [error]"
        )
    )
    baseline: str | None = option("Earlier audit to compare with: the output of --format json.", "FILE")
    jobs: int = option(
        "Processes to use; 0 for all cores.",
        flags="-j --jobs",
        default=1,
        type=click.IntRange(min=0),
        group=ADVANCED,
    )
    engine: Literal["local", "ray"] = option(
        "Where the rules run: processes of this machine, or --jobs workers on Ray.",
        default="local",
        group=ADVANCED,
    )
    min_confidence: float | None = option(
        "Leave out findings with less confidence than this.", type=Amount(0, 1), group=ADVANCED
    )
    language: Literal["auto", "en", "zh"] = option(
        "Language of messages; auto: that of the report, and English for reports in different languages.",
        default="auto",
        group=OUTPUT,
    )
    limit: int | None = option("Stop after N reports.", "N", type=click.IntRange(min=1), group=ADVANCED)
    max_bytes: int | None = option("Largest size of one report. [32M]", "BYTES", type=_Size(), group=ADVANCED)
    config: str | None = option(
        "Settings file to use instead of the nearest assay.toml or pyproject.toml.", "FILE", group=ADVANCED
    )
    isolated: bool = option("Read no settings file.", group=ADVANCED)
    inline: bool | None = option(
        "Obey <!-- assay: ignore CODE --> in reports; not for untrusted ones.",
        flags="--inline/--no-inline",
        group=ADVANCED,
    )
    quiet: bool = option("Show only the summary, and no progress.", flags="-q --quiet", group=OUTPUT)
    verbose: bool = option(
        "Show on stderr which settings and checks are used, and the speed.",
        flags="-v --verbose",
        group=ADVANCED,
    )


@command(
    AuditArguments,
    epilog="Exit codes: 0 done; 1 findings at or above --fail-on; 2 bad usage, or something could not be read; 3 a check or "
    "a model failed; 130 interrupted. If rows of a stream cannot be read, the rest goes on, and 1 takes precedence over 2 unless "
    "nothing could be read.",
)
def audit(args: AuditArguments) -> int:
    """Audit reports and trajectories: findings and argument. Without --model by rules alone: no model, no network.

    PATH is a Markdown or text file, a folder, a glob, a JSONL stream of reports, a trajectory in any known format, or -
    for stdin. PDF, DOCX and HTML need `pip install 'assay[docs]'`.

    \b
    assay audit report.md --query @query.txt
    assay audit report.md --model openai/gpt-5-mini --format html -o report.html
    assay audit runs.jsonl --field report=article --format json -j 0 > audits.jsonl
    assay audit reports/ --format html -o site --fail-on never
    assay audit --from otlp                          each run that an agent on this machine traces, as it ends
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.present.rendering import OutputOptions, render_audit
    from assay.present.writers import is_folder, open_writer

    _check(args)
    settings, origin = _settings(args)
    folder = args.output if args.format == "html" and is_folder(args.output) else None
    if args.output and not folder and Path(args.output).is_dir():
        raise UsageError(f"-o {args.output} is a folder; only --format html writes to one")
    if args.dry_run:
        return show_plan(args, _subjects(args, settings), **_beside(_context(settings, args)))
    inputs = inputs_of_command()
    if settings.sources is not None:
        inputs.add(path for path in Path(settings.sources).rglob("*") if path.is_file())
    _check_baseline(args.baseline, settings.fail_on)
    if args.baseline is not None:
        inputs.add([Path(args.baseline)])
    context = _context(settings, args)
    tally = AuditTally(settings.fail_on)
    began = time.perf_counter()
    subjects = _subjects(args, settings)
    language = args.language
    # Runs that agents send come one by one; the first is not to wait for others.
    if language == "auto" and folder is None and args.live is None:
        subjects, language = _one_language(subjects)
        context |= {} if language == "auto" else {"language": language}
    with opened(None if folder else args.output, keep=True) as stream:
        look = OutputOptions(
            format=args.format,
            language=language,
            color=wants_color(args.color, stream),
            columns=columns_for(stream),
            quiet=args.quiet,
            fail_on=settings.fail_on,
            baseline=args.baseline,
            partial=args.limit is not None,
            home="index.html" if folder else None,
        )
        # A progress bar would disturb findings that scroll by on the terminal.
        busy = not args.quiet and (folder is not None or args.output is not None or not stream.isatty())
        with progress(args.paths, args.limit, enabled=busy) as tick:

            def write(results: Iterable[Rendered | AssayError]) -> None:
                target = None if folder else stream
                _write(open_writer(look, target, folder, check=inputs.refuse), results, tally, tick)

            render = partial(render_audit, look)
            waits = False
            if args.model:
                audits = audited(subjects, settings, _itself, 1, context)
                waits = reviewed(args, audits, render, write, settings, **_beside(context))
            else:
                ray = args.engine == "ray"
                write(audited(subjects, settings, render, processes(args.jobs), context, ray=ray))
        if args.baseline is not None and args.limit is None:
            tally.missing(args.baseline)
    if args.output not in (None, "-") and tally.audited and not args.quiet:
        report_written(args.output or "", folder, tally, settings.fail_on)
    if args.verbose:
        _report_settings(settings, origin, tally, time.perf_counter() - began)
    # A listener to which nothing was sent is no failure.
    idle = args.live is not None and not tally.audited and not tally.unread
    return 0 if waits or idle else tally.exit_code


def _check(args: AuditArguments) -> None:
    if args.live is not None and args.paths:
        raise UsageError(f"--from {args.live} audits what agents send; it takes no files")
    if args.port is not None and args.live is None:
        raise UsageError("--port is for --from otlp")
    if not args.paths and args.live is None:
        raise UsageError(
            "nothing to audit: give a file, a folder, a glob, or - for stdin (see `assay audit --help`)"
        )
    if not args.model:
        refuse_reading_options(args)


def _subjects(args: AuditArguments, settings: CheckSettings) -> Iterator[Subject | AssayError]:
    """Return what is to be audited, or why it cannot be read."""
    from assay.subjects.loaders.base import DEFAULT_MAX_BYTES
    from assay.subjects.reading import read_subjects

    if args.live is not None:
        from assay.services.otlp_listener import PORT, otlp_runs

        runs = otlp_runs(
            PORT if args.port is None else args.port,
            max_bytes=args.max_bytes or DEFAULT_MAX_BYTES,
            tell=lambda line: click.echo(f"assay: {line}", err=True),
        )
        return runs if args.limit is None else islice(runs, args.limit)
    found = read_subjects(
        args.paths,
        query=settings.query,
        fields=field_names(args.field),
        format=args.input_format,
        max_bytes=args.max_bytes or DEFAULT_MAX_BYTES,
    )
    return found if args.limit is None else islice(found, args.limit)


def _itself(audit: Audit) -> Audit:
    return audit


def _one_language(
    subjects: Iterator[Subject | AssayError],
) -> tuple[Iterator[Subject | AssayError], Literal["auto", "en"]]:
    """Return the subjects, and English if the first of them are in different languages.

    A page of a site is about one report and keeps its language; any other output has one language for all.
    """
    from assay.audits.audit import common_language

    first = list(islice(subjects, _PEEKED))
    language = common_language([item for item in first if not isinstance(item, Exception)])
    return chain(first, subjects), "en" if language == "en" else "auto"


def _write(writer: Writer, results: Iterable[Rendered | AssayError], tally: AuditTally, tick: Any) -> None:
    try:
        for result in results:
            if isinstance(result, AssayError):
                tally.problem(result)
                writer.problem(result)
                click.echo(f"assay: {result.cli_message}", err=True)
            else:
                tally.add(result)
                writer.add(result)
            tick()
    except BrokenPipeError:
        raise
    except BaseException:
        # Interrupted or failed: complete the output before the reason is reported.
        writer.end()
        raise
    writer.end()


def _settings(args: AuditArguments) -> tuple[CheckSettings, str | None]:
    """Settings from the nearest file, overridden by the command line."""
    import msgspec

    from assay.checks.config import CheckSettings, load_settings
    from assay.checks.selection import require_known
    from assay.settings import find_settings

    path: Path | None = None
    if args.config is not None:
        path = Path(args.config)
    elif not args.isolated:
        path = find_settings(Path.cwd())
    settings = load_settings(path) if path is not None else CheckSettings()
    changes: dict[str, Any] = {}
    for name in ("select", "ignore"):
        labels = tuple(part for value in getattr(args, name) for part in value.replace(",", " ").split())
        if labels:
            require_known(labels, where=f"--{name}")
            changes[name] = labels
    for name in ("fail_on", "min_confidence", "inline", "sources"):
        value = getattr(args, name)
        if value is not None:
            changes[name] = value
    if args.query is not None:
        changes["query"] = query_text(args.query)
    return msgspec.structs.replace(settings, **changes), str(path) if path else None


def _check_baseline(baseline: str | None, fail_on: FailOn) -> None:
    """Read the baseline before the first audit, so that a wrong one is told at once."""
    if baseline is not None:
        from assay.audits.baseline import read_baseline

        read_baseline(baseline)
    elif fail_on.startswith("new:"):
        raise UsageError(f"--fail-on {fail_on} needs --baseline FILE, the earlier audit to compare with")


def _beside(context: dict[str, Any]) -> dict[str, Any]:
    """Return what a model reads beside the report: its run and its sources."""
    return {name: context.get(name) for name in ("trajectory", "sources")}


def _context(settings: CheckSettings, args: AuditArguments) -> dict[str, Any]:
    from assay.subjects.reading import read_trajectory
    from assay.subjects.sources import SourceFolder

    context: dict[str, Any] = {}
    if settings.sources is not None:
        context["sources"] = SourceFolder(settings.sources)
    if args.trajectory is not None:
        context["trajectory"] = read_trajectory(args.trajectory)
    if args.language != "auto":
        context["language"] = args.language
    return context


def _report_settings(settings: CheckSettings, origin: str | None, tally: AuditTally, seconds: float) -> None:
    stream: TextIO = sys.stderr
    click.echo(f"settings: {origin or 'none found'}; {len(settings.checks())} checks", file=stream)
    rate = f", {tally.audited / seconds:,.0f} a second" if seconds > 0 else ""
    click.echo(
        f"audited {tally.audited:,} in {seconds:.1f} s{rate}; could not read {tally.unread:,}", file=stream
    )


@contextmanager
def progress(paths: Iterable[str], limit: int | None, *, enabled: bool) -> Iterator[Callable[[], None]]:
    """Draw a progress bar if stderr is a terminal; yield the function to call after each report."""
    if not enabled or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    total = _expected(paths)
    if limit is not None:
        total = limit if total is None else min(total, limit)
    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("audit", total=total)
        yield lambda: bar.advance(task)


def _expected(paths: Iterable[str]) -> int | None:
    """Return how many reports there will be, or None if counting them would take long."""
    total = 0
    for name in paths:
        path = Path(name)
        if not path.is_file():
            return None
        if path.suffix.lower() not in _ROWS:
            total += 1
        elif path.stat().st_size > _COUNTED:
            return None
        else:
            with path.open("rb") as stream:
                total += sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b""))
    return total
