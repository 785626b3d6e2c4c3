"""What was opened: ledgers, audits, benchmarks, evaluation runs, files of judgments, and pages written before.

An address in the browser names an item by its number and a page by its place in a list, never by a path: nothing that was
not opened can be reached.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from assay.audits.result import SCHEMA as AUDIT
from assay.audits.result import Audit
from assay.errors import AssayError, InputError
from assay.interventions.instances import DISPUTED, INSTANCES
from assay.judges.judgment import Judgment
from assay.judges.judgment_format import SCHEMA as JUDGMENT
from assay.meta.trials import TRIALS
from assay.rows import read_rows
from assay.runs.ledger import Ledger, open_ledger
from assay.runs.records import RunHead
from assay.web.judgment_heads import ROW_PART, JudgmentHead, head_of, part_of

if TYPE_CHECKING:
    from assay.meta.benchmark import Benchmark
    from assay.meta.results import BenchmarkResult
    from assay.subjects.subject import Subject

_SQLITE: Final = b"SQLite format 3\0"
_PAGES: Final = (".html", ".htm")
# Files and folders below an opened folder that are looked at.
_MOST: Final = 5000
_DEEPEST: Final = 4


class OpenedLedger:
    """A ledger, read from several threads, one at a time."""

    kind: Final = "ledger"

    def __init__(self, where: str) -> None:
        self.where = where
        self.lock = threading.RLock()
        self.ledger = open_ledger(where, read_only=True)

    @property
    def title(self) -> str:
        """Its name in lists."""
        return self.ledger.where

    def runs(self) -> list[RunHead]:
        """Return its runs, newest first."""
        with self.lock:
            return self.ledger.runs()

    def coverage(self, run: str) -> dict[str, int]:
        """Return the number of judgments of a run by status."""
        with self.lock:
            return self.ledger.coverage(run)

    def source(self, run: str) -> LedgerRun:
        """Return where the judgments of a run come from, over a connection of its own."""
        return LedgerRun(self.where, run)

    def close(self) -> None:
        """Close the ledger."""
        self.ledger.close()


class LedgerRun:
    """The judgments of one run, read for an index."""

    def __init__(self, where: str, run: str) -> None:
        self._where = where
        self._run = run

    def _open(self) -> Ledger:
        return open_ledger(self._where, read_only=True)

    def rows(self) -> dict[str, int]:
        """Return the row of each judgment by key."""
        with self._open() as ledger:
            return ledger.judgment_ids(self._run)

    def heads(self, keys: Iterable[str] | None = None, after: str = "") -> Iterator[JudgmentHead]:
        """Yield the judgments by key."""
        with self._open() as ledger:
            for key, row, part in ledger.partial_judgments(self._run, ROW_PART, after=after, keys=keys):
                yield head_of(key, row, part)


class OpenedJudgments:
    """A file of judgments, which has no calls."""

    kind: Final = "judgments"

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def title(self) -> str:
        """Its name in lists."""
        return str(self.path)

    @cached_property
    def judgments(self) -> dict[str, Judgment]:
        """The judgments by their line."""
        found = (Judgment.from_dict(row) for _, row in read_rows(self.path))
        return {f"{number:07d}": item for number, item in enumerate(found, start=1)}

    def coverage(self, _run: str) -> dict[str, int]:
        """Return the number of judgments by status."""
        return dict(Counter(item.status for item in self.judgments.values()))

    def rows(self) -> dict[str, int]:
        """See `HeadSource`."""
        return {key: int(key) for key in self.judgments}

    def heads(self, keys: Iterable[str] | None = None) -> Iterator[JudgmentHead]:
        """See `HeadSource`."""
        for key in sorted(self.judgments if keys is None else keys):
            item = self.judgments[key]
            tags = {str(name): str(value) for name, value in item.metadata.items()}
            yield head_of(key, int(key), part_of(item, tags))


class OpenedAudits:
    """Audits from JSON that `assay audit --format json` wrote."""

    kind: Final = "audits"

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def title(self) -> str:
        """Its name in lists."""
        return str(self.path)

    @cached_property
    def audits(self) -> Sequence[Audit]:
        """The audits; their subjects have names and no text."""
        return [Audit.from_dict(row) for _, row in read_rows(self.path)]

    def with_text(self, number: int) -> Audit:
        """Return an audit with its text, if that is still in the file that it was read from.

        Only files below the folder of the audits, or below the working directory, are read.
        """
        audit = self.audits[number]
        subject = self._subject(audit.summary.path or "")
        if subject is None or subject.language != audit.summary.language:
            return audit
        if any(finding.span.end > len(subject.source) for finding in audit.findings):
            return audit  # the file has changed since
        return msgspec.structs.replace(audit, subject=subject, fingerprints=audit.fingerprints)

    def _subject(self, name: str) -> Subject | None:
        from assay.subjects.reading import read_subjects  # noqa: PLC0415 - knows every loader

        file, colon, line = name.rpartition(":")
        row = colon == ":" and line.isdigit()
        for root in (self.path.parent, Path()):
            place = (root / (file if row else name)).resolve()
            if not name or not place.is_relative_to(root.resolve()) or not place.is_file():
                continue
            for subject in islice(read_subjects(str(place)), int(line) if row else 1):
                if not isinstance(subject, Exception) and (
                    not row or (subject.path or "").rpartition(":")[2] == line
                ):
                    return subject
        return None


class OpenedBenchmark:
    """A benchmark of judges: instances, before and after."""

    kind: Final = "benchmark"

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def title(self) -> str:
        """Its name in lists."""
        return str(self.path)

    @cached_property
    def benchmark(self) -> Benchmark:
        """The instances."""
        from assay.meta.benchmark import Benchmark  # noqa: PLC0415 - knows every operator

        return Benchmark.load(self.path)


class OpenedTrials:
    """An evaluation run, kept by `assay bench run`: the page of its judges."""

    kind: Final = "trials"

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def title(self) -> str:
        """Its name in lists."""
        return str(self.path)

    @cached_property
    def results(self) -> BenchmarkResult:
        """The results."""
        from assay.meta.results import BenchmarkResult  # noqa: PLC0415 - knows every metric

        return BenchmarkResult.load(self.path)


class OpenedPages:
    """Pages that Assay wrote earlier: a file, or the HTML files of a folder."""

    kind: Final = "pages"

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        self.path = path
        # By name, as links between them are; the first is shown first.
        self.files = {file.name: file for file in files}

    @property
    def title(self) -> str:
        """Its name in lists."""
        return str(self.path)


OpenedItem = OpenedLedger | OpenedJudgments | OpenedAudits | OpenedBenchmark | OpenedTrials | OpenedPages


def open_items(paths: Iterable[str]) -> list[OpenedItem]:
    """Open ledgers, files and folders.

    Raises:
        InputError: One is not there, or holds nothing that can be shown.
    """
    items: list[OpenedItem] = []
    for path in paths:
        found = list(_opened(path))
        if not found:
            raise InputError(
                "holds nothing to view",
                where=path,
                hint="open a ledger, JSON or pages of `assay audit`, or a folder of `assay bench`",
            )
        items += found
    return items


def _opened(path: str) -> Iterator[OpenedItem]:
    place = Path(path)
    if "://" in path or _is_database(place):
        yield OpenedLedger(path)
    elif place.is_dir():
        yield from _in_folder(place, 0)
    elif not place.exists():
        raise InputError("there is no such file or folder", where=path)
    elif place.suffix.lower() in _PAGES:
        yield OpenedPages(place, [place])
    else:
        yield from _in_file(place)


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False


def _in_file(path: Path) -> Iterator[OpenedItem]:
    try:
        row = next((row for _, row in read_rows(path)), None)
    except AssayError:
        return
    schema = row.get("schema") if isinstance(row, dict) else None
    if schema == AUDIT:
        yield OpenedAudits(path)
    elif schema == JUDGMENT:
        yield OpenedJudgments(path)


def _in_folder(folder: Path, depth: int) -> Iterator[OpenedItem]:
    """Yield what a folder and those below it hold; links are not followed out of it."""
    if (folder / INSTANCES).is_file() or (folder / DISPUTED).is_file():
        yield OpenedBenchmark(folder)
    if (folder / TRIALS).is_file():
        yield OpenedTrials(folder)
    entries = sorted(islice(folder.iterdir(), _MOST))
    pages = [entry for entry in entries if entry.suffix.lower() in _PAGES and _is_own_file(entry)]
    if pages:
        yield OpenedPages(folder, sorted(pages, key=lambda page: (page.stem != "index", page.name)))
    for entry in entries:
        if entry.is_symlink():
            continue
        if entry.is_dir() and depth < _DEEPEST and (not entry.name.startswith(".") or entry.name == ".assay"):
            yield from _in_folder(entry, depth + 1)
        elif entry.is_file() and _is_database(entry):
            try:
                yield OpenedLedger(str(entry))
            except AssayError:
                continue  # another program's database
        elif entry.suffix in (".json", ".jsonl") and _is_own_file(entry):
            yield from _in_file(entry)


def _is_own_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
