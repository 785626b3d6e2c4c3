"""Writers of a stream of audits; each knows what stands before, between and after them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TextIO

import msgspec

from assay.errors import InputError, UsageError
from assay.present.display import Painter
from assay.present.interface import interface_for, main_language
from assay.present.ranking import ranking_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.audits.baseline import ReportChange
    from assay.errors import AssayError
    from assay.present.ranking import AuditRow
    from assay.present.rendering import OutputOptions, Rendered


class Writer(Protocol):
    """Writes audits as they come. ``end`` is called once, also if the run was cut short."""

    def add(self, rendered: Rendered) -> None:
        """Write one audit."""

    def problem(self, error: AssayError) -> None:
        """Note an input that could not be audited."""

    def end(self) -> None:
        """Write what comes last."""


def is_folder(output: str | None) -> bool:
    """Return whether HTML goes to a folder of pages with an index: any ``-o`` that is not named like a page."""
    return output is not None and not re.search(r"\.html?$", output, re.IGNORECASE)


def older_pages(folder: Path, began: float) -> int:
    """Return how many pages of Assay a folder holds that were written before a time (seconds since the epoch)."""
    # File systems round times; no audit writes the pages of another within two seconds before it.
    old = [page for page in folder.glob("*.html") if page.stat().st_mtime < began - 2]
    return sum('name="generator" content="assay' in _head(page) for page in old)


def _head(page: Path) -> str:
    with page.open(encoding="utf-8", errors="replace") as stream:
        return stream.read(2000)


def open_writer(
    options: OutputOptions,
    stream: TextIO | None,
    folder: str | None,
    check: Callable[[Path], None] | None = None,
) -> Writer:
    """Return the writer of a format.

    Args:
        options: Format and appearance.
        stream: Where to write; None when ``folder`` is given.
        folder: Folder for HTML pages.
        check: Called with the path of each page before it is written; raises if the page may not be replaced.

    Raises:
        InputError: The folder cannot be made.
    """
    if folder is not None:
        return _HtmlFolder(Path(folder), options, check)
    if stream is None:
        raise UsageError("there is nowhere to write to")
    if options.format == "html":
        return _HtmlPage(stream)
    if options.format == "text":
        return _TextWriter(stream, options)
    if options.format == "sarif":
        return _SarifLog(stream, options)
    if options.format == "junit":
        return _JUnitSuites(stream, options)
    if options.baseline is not None:
        return _ComparedStream(stream, options)
    return _StreamWriter(stream)


class _Changes:
    """What changed since the baseline, as the audits come; at the end with the reports that are missing."""

    def __init__(self, options: OutputOptions) -> None:
        self.options = options
        self.changes: list[ReportChange] = []

    def note(self, rendered: Rendered) -> None:
        if rendered.change is not None:
            self.changes.append(rendered.change)

    def missing(self) -> list[ReportChange]:
        from assay.audits.baseline import missing_reports, read_baseline  # noqa: PLC0415 - only with a baseline

        if self.options.baseline is None or self.options.partial:
            return []
        return missing_reports(self.changes, read_baseline(self.options.baseline))

    def all(self) -> list[ReportChange]:
        return [*self.changes, *self.missing()]


class _StreamWriter:
    """Writes each audit as it comes; problems stand on stderr, since the stream holds results only."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def add(self, rendered: Rendered) -> None:
        self.stream.write(rendered.body)
        # Who reads the stream gets each audit as it is made, also where runs come in one by one.
        self.stream.flush()

    def problem(self, error: AssayError) -> None:
        """Do nothing: the message is on stderr."""

    def end(self) -> None:
        self.stream.flush()


class _ComparedStream(_StreamWriter):
    """Audits as JSON; the last line compares them all with the baseline."""

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        super().__init__(stream)
        self.baseline = options.baseline or ""
        self.changes = _Changes(options)

    def add(self, rendered: Rendered) -> None:
        super().add(rendered)
        self.changes.note(rendered)

    def end(self) -> None:
        from assay.present.baseline import changes_json  # noqa: PLC0415 - brings numpy

        self.stream.write(changes_json(self.changes.all(), self.baseline))
        super().end()


class _TextWriter(_StreamWriter):
    """Findings as they come; then the overview of the one, or the table of the many."""

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        super().__init__(stream)
        self.options = options
        self.rows: list[AuditRow] = []
        self.changes = _Changes(options)
        self.closing = ""

    def add(self, rendered: Rendered) -> None:
        super().add(rendered)
        self.rows.append(rendered.row)
        self.closing = rendered.closing
        self.changes.note(rendered)

    def end(self) -> None:
        if len(self.rows) == 1:
            self.stream.write(self.closing)
        elif self.rows:
            say = interface_for(self.options.language, main_language([row.language for row in self.rows]))
            painter = Painter(self.options.color)
            self.stream.write(ranking_text(self.rows, painter=painter, columns=self.options.columns, say=say))
        if self.options.baseline is not None:
            self._compare()
        super().end()

    def _compare(self) -> None:
        from assay.present.baseline import changes_text  # noqa: PLC0415 - brings numpy

        say = interface_for(self.options.language, main_language([row.language for row in self.rows]))
        painter, columns = Painter(self.options.color), self.options.columns
        self.stream.write(changes_text(self.changes.all(), painter=painter, columns=columns, say=say))


class _SarifLog(_StreamWriter):
    """One log for all; kept valid when the run is cut short."""

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        from assay.present.sarif import sarif_head  # noqa: PLC0415 - knows all checks

        super().__init__(stream)
        self.changes = _Changes(options)
        self.problems: list[str] = []
        self.nothing: list[str] = []
        self.separator = "\n"
        stream.write(sarif_head())

    def add(self, rendered: Rendered) -> None:
        row = rendered.row
        self.changes.note(rendered)
        if rendered.change is not None:
            for loss in rendered.change.losses:
                self.nothing.append(f"{row.name} ({row.place}): {loss.kind} {loss.before} → {loss.after}")
        if row.nothing is not None:
            self.nothing.append(f"{row.name} ({row.place}): nothing to judge: {row.nothing}")
        if rendered.body:
            self.stream.write(self.separator + rendered.body)
            self.separator = ",\n"

    def problem(self, error: AssayError) -> None:
        self.problems.append(error.cli_message)

    def end(self) -> None:
        from assay.present.sarif import sarif_tail  # noqa: PLC0415

        missing = [f"{change.name}: missing since the baseline" for change in self.changes.missing()]
        self.stream.write(sarif_tail(self.problems, [*self.nothing, *missing]))
        super().end()


class _JUnitSuites(_StreamWriter):
    """A suite for each audit."""

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        from assay.present.junit import junit_head  # noqa: PLC0415

        super().__init__(stream)
        self.changes = _Changes(options)
        stream.write(junit_head())

    def add(self, rendered: Rendered) -> None:
        super().add(rendered)
        self.changes.note(rendered)

    def problem(self, error: AssayError) -> None:
        from assay.present.junit import junit_problem  # noqa: PLC0415

        where = error.where or "input"
        self.stream.write(junit_problem(where, error.cli_message))

    def end(self) -> None:
        from assay.present.junit import junit_missing, junit_tail  # noqa: PLC0415

        self.stream.writelines(junit_missing(change) for change in self.changes.missing())
        self.stream.write(junit_tail())
        super().end()


class _HtmlPage(_StreamWriter):
    """One page. A second audit does not fit on it."""

    held = ""

    def add(self, rendered: Rendered) -> None:
        if self.held:
            self.held = ""
            raise UsageError("there is more than one report: give `-o FOLDER` for a page each and an index")
        self.held = rendered.body

    def end(self) -> None:
        self.stream.write(self.held)
        super().end()


class _HtmlFolder:
    """A folder: a page for each audit as it comes, and at the end the index."""

    def __init__(
        self, folder: Path, options: OutputOptions, check: Callable[[Path], None] | None = None
    ) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", where=str(folder)) from error
        self.folder = folder
        self.language = options.language
        self.baseline = options.baseline
        self.changes = _Changes(options)
        self.check = check
        self.rows: list[AuditRow] = []
        self.problems: list[str] = []
        self.taken: set[str] = set()

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        if self.check is not None:
            self.check(path)
        try:
            path.write_text(text, "utf-8", errors="replace")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error

    def add(self, rendered: Rendered) -> None:
        from assay.present.html.index import page_name  # noqa: PLC0415 - brings the template engine

        name = page_name(rendered.row.name, self.taken)
        self._write(name, rendered.body)
        self.rows.append(msgspec.structs.replace(rendered.row, page=name))
        self.changes.note(rendered)

    def problem(self, error: AssayError) -> None:
        self.problems.append(error.cli_message)

    def end(self) -> None:
        from assay.present.html.index import index_page  # noqa: PLC0415

        say = interface_for(self.language, main_language([row.language for row in self.rows]))
        compared = None
        if self.baseline is not None:
            from assay.present.baseline import change_tables, summary_line  # noqa: PLC0415 - brings numpy

            changes = self.changes.all()
            compared = (summary_line(changes, say), change_tables(changes, say))
        page = index_page(self.rows, problems=self.problems, compared=compared, say=say)
        self._write("index.html", page)
