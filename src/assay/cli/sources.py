"""``assay sources``: fetch what reports cite, and check whether it says what it is cited for."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import ADVANCED, LIMITS, SUBJECTS, argument, option
from assay.cli.author_session import OptionalAuthorArguments, run_author_session
from assay.cli.commands import command, group
from assay.cli.options import (
    Amount,
    OutputArguments,
    RowArguments,
    columns_for,
    field_names,
    json_text,
    painter_for,
    wants_color,
)
from assay.cli.outputs import OutputPath, opened
from assay.errors import AssayError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assay.cli.author_session import AuthorSession
    from assay.fetching.snapshots import Snapshot, SnapshotFolder
    from assay.reviews.citations import CitationCheck
    from assay.subjects.report import Report


@group()
def sources() -> None:
    """Fetch the sources that reports cite, and check whether they say what they are cited for.

    \b
    assay sources fetch reports/ -o pages/
    assay sources check reports/ --sources pages/ --model openai/gpt-5-mini
    assay audit report.md --sources pages/
    """  # noqa: D301 - click reads the backspace as "do not wrap"


class FetchArguments(RowArguments, OutputArguments, without=("color",)):
    """What the command line of ``assay sources fetch`` says."""

    paths: tuple[str, ...] = argument("PATH...")
    output: str | None = option(
        "Folder of snapshots; what it has already is not fetched again.",
        "DIR",
        flags="-o --output",
        required=True,
        type=OutputPath(),
    )
    format: Literal["text", "json"]
    again: bool = option("Fetch again what gave no text.", flags="--again")
    per_host: int = option(
        "Requests in flight to one host.", "N", default=2, type=click.IntRange(min=1), group=LIMITS
    )
    delay: float = option(
        "Seconds between two requests to a host.", default=0.5, type=Amount(0), group=LIMITS
    )
    timeout: float = option("Seconds for one page.", default=30.0, type=Amount(1), group=LIMITS)
    max_bytes: int = option(
        "Largest page, in bytes on the wire.",
        default=10_000_000,
        type=click.IntRange(min=1_000),
        group=LIMITS,
    )
    allow_private: bool = option(
        "Also fetch from this machine and its network.", flags="--allow-private", group=ADVANCED
    )
    quiet: bool = option("Show no progress.", flags="-q --quiet", group=ADVANCED)


@command(
    FetchArguments, epilog="Exit codes: 0 done, whatever could be had; 2 bad usage or input; 130 interrupted."
)
def fetch(args: FetchArguments) -> int:
    """Fetch the sources that the reports in PATH cite, and keep their texts with time, status and hash.

    Sites are asked politely: few requests at a time, with pauses, as their robots.txt allows. Only http and https, and no
    addresses of this machine or its network. What could not be had is listed with the reason. Needs `pip install
    'assay[fetch]'`.

    \b
    assay sources fetch reports/ -o pages/
    assay sources fetch runs.jsonl --field report=article -o pages/ --again
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    import asyncio

    from assay.fetching.addresses import cited_addresses
    from assay.fetching.fetcher import FetchLimits, fetch_all
    from assay.fetching.snapshots import SnapshotFolder
    from assay.fetching.texts import require_readers

    require_readers()
    folder = SnapshotFolder(args.output or "")
    cited = cited_addresses(_reports(args.paths, args))
    known = {name: folder.get(url) for name, url in cited.items()}
    wanted = [
        url
        for name, url in cited.items()
        if (kept := known[name]) is None or (args.again and kept.outcome != "ok")
    ]
    limits = FetchLimits(
        per_host=args.per_host, delay=args.delay, timeout=args.timeout, wire_bytes=args.max_bytes,
        allow_private=args.allow_private,
    )  # fmt: skip
    try:
        with _progress(len(wanted), quiet=args.quiet) as tick:

            def done(snapshot: Snapshot, text: str | None) -> None:
                folder.put(snapshot, text)
                tick()

            asyncio.run(fetch_all(wanted, limits, done=done))
    finally:
        folder.tidy()
    _tell(args, folder, list(cited.values()), len(wanted))
    return 0


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """Draw a progress bar if stderr is a terminal; yield the function to call after each page."""
    import sys

    if quiet or not total or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("fetching", total=total)
        yield lambda: bar.advance(task)


def _tell(args: FetchArguments, folder: SnapshotFolder, urls: Sequence[str], fetched: int) -> None:
    found = [snapshot for url in urls if (snapshot := folder.get(url)) is not None]
    if args.format == "json":
        import msgspec

        click.echo(json_text(msgspec.to_builtins(found)))
        return
    counts = Counter(item.outcome for item in found)
    click.echo(f"{len(urls)} addresses, {fetched} fetched now, {counts['ok']} with a text, in {folder.path}")
    painter = painter_for("auto")
    for item in found:
        if item.outcome != "ok":
            click.echo(
                f"  {painter(item.outcome, 'warning')}  {_shown(item.url)}  {painter(_shown(item.why), 'dim')}"
            )


def _shown(text: str) -> str:
    from assay.present.display import visible

    return visible(text)


def _reports(paths: tuple[str, ...], args: RowArguments) -> list[Report]:
    """Return the reports at some paths.

    Raises:
        InputError: One cannot be read, or there are none.
    """
    from assay.subjects.reading import read_subjects
    from assay.subjects.report import Report

    found: list[Report] = []
    for item in read_subjects(paths, fields=field_names(args.field), format=args.input_format):
        if isinstance(item, AssayError):
            raise item
        if isinstance(item, Report):
            found.append(item)
    if not found:
        raise InputError("holds no reports", where=", ".join(paths))
    return found


class CheckArguments(RowArguments, OptionalAuthorArguments, OutputArguments):
    """What the command line of ``assay sources check`` says."""

    paths: tuple[str, ...] = argument("PATH...")
    sources: str | None = option(
        "Folder with the texts of cited sources.", "DIR", required=True, group=SUBJECTS
    )
    format: Literal["text", "json"]


@command(
    CheckArguments, epilog="Exit codes: 0 done; 2 bad usage or input; 3 a model failed or a cap was reached."
)
def check(args: CheckArguments) -> int:
    """Check each claim of the reports in PATH against the sources that are cited for it.

    A pair of claim and source gets one of: supports, partly, contradicts, not there, not available; with the words of the
    source that decide. Rules decide where figures and words do; with --model, that model reads the rest, and its quotes are looked
    up in the source. Without --model the rest is undecided.

    Citation accuracy is the share of supported pairs among those that were checked, effective citations their number in a
    report (DeepResearch Bench, FACT).

    \b
    assay sources check reports/ --sources pages/ --model openai/gpt-5-mini --format json > citations.jsonl
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.reviews.citations import check_citations
    from assay.subjects.sources import SourceFolder

    reports = _reports(args.paths, args)
    texts = SourceFolder(args.sources or "")
    if not args.model:
        import asyncio

        async def by_rule() -> list[CitationCheck]:
            return [await check_citations(report, texts) for report in reports]

        _write(args, asyncio.run(by_rule()))
        return 0

    async def work(session: AuthorSession) -> int:
        author = await session.author(max_tokens=4_096)

        async def one(report: Report) -> CitationCheck:
            return await check_citations(report, texts, author)

        done = [item for item in await session.each(reports, one) if item is not None]
        _write(args, done)
        problems = [problem for item in done for problem in item.problems]
        for problem in problems:
            click.echo(f"assay: {_shown(problem)}", err=True)
        return 3 if problems else 0

    return run_author_session(args, work)


def _write(args: CheckArguments, checks: Sequence[CitationCheck]) -> None:
    import msgspec

    from assay.present.citations import citations_text
    from assay.present.display import Painter

    with opened(args.output) as stream:
        if args.format == "json":
            for item in checks:
                stream.write(msgspec.json.encode(item.to_dict()).decode() + "\n")
            return
        painter = Painter(wants_color(args.color, stream))
        stream.write(citations_text(checks, painter=painter, columns=columns_for(stream)))
