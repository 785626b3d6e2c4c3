"""A baseline: an earlier audit of the same reports, and what changed in each since then."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.audits.result import SEVERITIES
from assay.checks.base import Severity
from assay.checks.fault_types import READER_CODES
from assay.errors import InputError
from assay.record import Record
from assay.rows import read_rows

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from assay.audits.result import Audit

_ROW: Final = re.compile(r":\d+$|\[\d+\]$")
COMPARISON_SCHEMA: Final = "assay.audit-comparison/1"
LossKind = Literal["words", "sections", "citations", "references", "steps", "tool_calls", "nothing", "report"]
Change = Literal["better", "worse", "same", "added", "missing"]
# A report that lost more than the first share of its text or its sources is worse; more than the second, broken.
_LOSS: Final[dict[Severity, float]] = {"error": 0.4, "warning": 0.2}
# Smallest number before at which a loss says something.
_LEAST: Final[dict[LossKind, int]] = {
    "words": 100,
    "sections": 5,
    "citations": 10,
    "references": 10,
    "steps": 5,
    "tool_calls": 5,
}


class BaselineFinding(Record, msgspec.Struct, frozen=True):
    """A finding of the earlier audit."""

    code: str
    severity: Severity
    message: str
    fingerprint: str


class _Summary(msgspec.Struct, frozen=True):
    path: str | None = None
    id: str | None = None
    system: str | None = None
    words: int = 0
    sections: int = 0
    citations: int = 0
    references: int = 0
    steps: int = 0
    tool_calls: int = 0


class _AuditLine(msgspec.Struct, frozen=True):
    findings: tuple[BaselineFinding, ...]
    report: _Summary | None = None
    trajectory: _Summary | None = None
    status: str = "ok"


class BaselineReport(msgspec.Struct, frozen=True):
    """One report or trajectory of the earlier audit. ``index`` is its place in the baseline."""

    index: int
    name: str
    system: str | None
    nothing: bool
    sizes: dict[LossKind, int]
    findings: tuple[BaselineFinding, ...]

    @property
    def problems(self) -> int:
        """Number of errors and warnings."""
        return sum(finding.severity != "info" for finding in self.findings)


class Loss(Record, msgspec.Struct, frozen=True):
    """Something of which a report lost a large part: its number before and after.

    ``nothing``: there is no text left, and ``report``: the report itself is missing; their numbers are those of words.
    """

    kind: LossKind
    severity: Severity
    before: int
    after: int


class ReportChange(Record, msgspec.Struct, frozen=True):
    """What changed in a report since the baseline.

    Attributes:
        name: Name of the report.
        system: The agent that wrote it.
        change: ``better`` or ``worse`` by errors, and if their number is the same by warnings; ``worse`` with a loss;
            ``added`` if the baseline has no such report, and ``missing`` if only the baseline has it.
        index: Place in the baseline; None for ``added``.
        new: Indexes of the audit's findings that the baseline does not have.
        gone: Findings of the baseline that the audit does not have; none for ``missing``, where nothing was mended.
        unchanged: Number of findings in both.
        losses: What the report lost.
        words: Words before and after.
        problems: Errors and warnings before and after.
        severities: Severities of the new findings.
    """

    name: str
    system: str | None
    change: Change
    index: int | None
    new: tuple[int, ...]
    gone: tuple[BaselineFinding, ...]
    unchanged: int
    losses: tuple[Loss, ...]
    words: tuple[int, int]
    problems: tuple[int, int]
    severities: tuple[Severity, ...] = ()

    def summary_line(self) -> str:
        """Return name, change, and the numbers of new and gone findings."""
        return f"{self.name}, {self.change}, {len(self.new)} new, {len(self.gone)} gone"

    def fails(self, levels: Iterable[Severity]) -> bool:
        """Return whether a new finding or a loss has one of these severities."""
        return bool({*self.severities, *(loss.severity for loss in self.losses)} & set(levels))


class Baseline:
    """The reports of an earlier audit, found again by id and system, or else by path and row.

    Args:
        reports: The reports with their keys, those to trust most first.
        path: Where they were read from.
    """

    def __init__(self, reports: Iterable[tuple[BaselineReport, list[Hashable]]], path: str) -> None:
        self.path = path
        self.reports: list[BaselineReport] = []
        self._by_key: dict[Hashable, BaselineReport | None] = {}
        for report, keys in reports:
            self.reports.append(report)
            for key in keys:
                # Two reports under one key: the key names neither.
                self._by_key[key] = None if key in self._by_key else report

    def find(self, audit: Audit) -> BaselineReport | None:
        """Return the earlier state of an audited report, or None."""
        for key in _keys(audit.subject.path, audit.subject.id, audit.subject.system):
            found = self._by_key.get(key)
            if found is not None:
                return found
        return None


def read_baseline(path: str) -> Baseline:
    """Read saved audits (``Audits.save``, ``assay audit --format json``); once in each process unless they change.

    Raises:
        InputError: The file cannot be read, holds something else, or was written by an Assay without fingerprints.
    """
    file = Path(path)
    state = file.stat() if file.is_file() else None
    return _baseline_in(path, (state.st_mtime_ns, state.st_size) if state else None)


@lru_cache(maxsize=4)
def _baseline_in(path: str, state: tuple[int, int] | None) -> Baseline:  # noqa: ARG001 - a changed file is read again
    return Baseline(_reports(read_rows(path), path), path)


def baseline_of(audits: Iterable[Audit]) -> Baseline:
    """Return earlier audits as a baseline.

    Raises:
        InputError: There are none.
    """
    name = "the earlier audits"
    return Baseline(_reports(((name, msgspec.to_builtins(item.to_dict())) for item in audits), name), name)


def _reports(rows: Iterable[tuple[str, Any]], path: str) -> Iterator[tuple[BaselineReport, list[Hashable]]]:
    index = 0
    for where, row in rows:
        schema = row.get("schema") if isinstance(row, dict) else None
        if schema == COMPARISON_SCHEMA:
            continue
        if not isinstance(schema, str) or not schema.startswith("assay.audit/"):
            raise InputError(
                "not an audit",
                where=where,
                hint="Audit.save and Audits.save write a baseline",
                cli_hint="write the baseline with `assay audit … --format json`",
            )
        if schema == "assay.audit/1":
            raise InputError(
                "an audit of an older Assay, whose findings have no fingerprints",
                where=where,
                hint="audit again",
            )
        try:
            line = msgspec.convert(row, _AuditLine)
        except msgspec.ValidationError as error:
            raise InputError(f"a damaged audit: {error}", where=where, hint="audit again") from error
        summary = line.report or line.trajectory
        if summary is None:
            raise InputError("an audit without `report` or `trajectory`", where=where)
        name = " · ".join(part for part in (summary.id, summary.system) if part) or summary.path or where
        sizes = {kind: getattr(summary, kind) for kind in _LEAST}
        report = BaselineReport(
            index, name, summary.system, line.status == "nothing_to_judge", sizes, line.findings
        )
        yield report, _keys(summary.path, summary.id, summary.system)
        index += 1
    if not index:
        raise InputError("holds no audit", where=path)


def _keys(path: str | None, name: str | None, system: str | None) -> list[Hashable]:
    """Return the names under which a report may be found again, those to trust most first."""
    if name:
        return [("id", name, system)]
    if not path:
        return []
    keys: list[Hashable] = [("path", path), ("file", PurePath(path.replace("\\", "/")).name, system)]
    # Tonight's file of rows may have another name than last night's.
    return [*keys, ("row", row[0], system)] if (row := _ROW.search(path)) else keys


def change_of(audit: Audit, prints: tuple[str, ...], baseline: Baseline, name: str) -> ReportChange:
    """Return what changed in a report since the baseline.

    Args:
        audit: The audit of today.
        prints: Fingerprints of its findings.
        baseline: The earlier audit.
        name: Name of the report.
    """
    old = baseline.find(audit)
    words = audit.summary.words
    problems = sum(finding.severity != "info" for finding in audit.findings)
    if old is None:
        every = tuple(range(len(audit.findings)))
        severities = tuple(finding.severity for finding in audit.findings)
        return ReportChange(
            name, audit.subject.system, "added", None, every, (), 0, (), (0, words), (0, problems), severities
        )
    before = {finding.fingerprint for finding in old.findings}
    now = set(prints)
    new = tuple(i for i, mark in enumerate(prints) if mark not in before)
    # What a reader found is not gone where nobody has read again.
    looked_for = [f for f in old.findings if audit.review is not None or f.code not in READER_CODES]
    gone = tuple(finding for finding in looked_for if finding.fingerprint not in now)
    losses = tuple(_losses(old, audit))
    severities = tuple(audit.findings[i].severity for i in new)
    return ReportChange(
        name,
        audit.subject.system,
        _direction(severities, gone, losses),
        old.index,
        new,
        gone,
        len(prints) - len(new),
        losses,
        (old.sizes["words"], words),
        (old.problems, problems),
        severities,
    )


def missing_reports(changes: Iterable[ReportChange], baseline: Baseline) -> list[ReportChange]:
    """Return a change for each report of the baseline that none of the changes is about: a loss, and an error."""
    seen = {change.index for change in changes}
    return [_missing(old) for old in baseline.reports if old.index not in seen]


def _missing(old: BaselineReport) -> ReportChange:
    words = old.sizes["words"]
    loss = Loss("report", "error", words, 0)
    return ReportChange(
        old.name, old.system, "missing", old.index, (), (), 0, (loss,), (words, 0), (old.problems, 0)
    )


def renamed_reports(changes: Iterable[ReportChange]) -> list[tuple[str, str]]:
    """Return old and new names of reports that seem to be renamed: one missing, one added, and of the same size.

    Only pairs without any doubt: no other missing or added report has as many words, and as many errors and warnings.
    """
    by_size: dict[tuple[int, int], tuple[list[str], list[str]]] = {}
    for change in changes:
        if change.change in ("missing", "added"):
            at = int(change.change == "added")
            by_size.setdefault((change.words[at], change.problems[at]), ([], []))[at].append(change.name)
    return [(old[0], new[0]) for old, new in by_size.values() if len(old) == len(new) == 1]


def _losses(old: BaselineReport, audit: Audit) -> Iterator[Loss]:
    if audit.nothing is not None and not old.nothing:
        yield Loss("nothing", "error", old.sizes["words"], audit.summary.words)
        return
    for kind, least in _LEAST.items():
        before, after = old.sizes[kind], getattr(audit.summary, kind, 0)
        lost = 1 - after / before if before >= least else 0.0
        severity = next((level for level, share in _LOSS.items() if lost > share), None)
        if severity is not None:
            yield Loss(kind, severity, before, after)


def _direction(
    new: tuple[Severity, ...], gone: tuple[BaselineFinding, ...], losses: tuple[Loss, ...]
) -> Change:
    if losses:
        return "worse"
    for level in SEVERITIES[:2]:
        more = new.count(level) - sum(finding.severity == level for finding in gone)
        if more:
            return "worse" if more > 0 else "better"
    return "same"
