"""Audits of many subjects."""

from __future__ import annotations

import inspect
import os
import pickle
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any, ClassVar, Final, Unpack

import msgspec

from assay.audits.audit import AuditOptions, audit, audit_stream, common_language
from assay.audits.baseline import ReportChange, baseline_of, change_of, missing_reports
from assay.audits.result import FINDING_COLUMNS, Audit, LocatedFinding
from assay.checks.selection import checks_of
from assay.errors import AssayError, UsageError
from assay.judges.identity import label_of
from assay.record import SHOWN_ROWS, Records, columns_of, html_table
from assay.subjects.report import Report
from assay.subjects.subject import Subject
from assay.subjects.subjects import Subjects, read
from assay.subjects.trajectory import Trajectory

# With fewer characters in all, starting processes and sending audits back costs more than a second core brings.
_WORTH_PROCESSES: Final = 1_000_000
_MOST_PROCESSES: Final = 16
# Names under which the command line, and other tools, know what is `checks` here.
_OF_CHECKS: Final = ("select", "ignore", "check", "codes", "rules")


class Findings(Records[LocatedFinding]):
    """Findings of many audits, each with the names of its subject and the words it flags."""

    item_type: ClassVar[type[Any]] = LocatedFinding
    noun: ClassVar[str] = "finding"
    empty_columns: ClassVar[tuple[str, ...]] = FINDING_COLUMNS

    def _repr_html_(self) -> str:
        return _html(self, ("id", "system", "severity", "code", "line", "message", "excerpt"))


class AuditChanges(Records[ReportChange]):
    """What changed in each report since an earlier audit."""

    item_type: ClassVar[type[Any]] = ReportChange
    noun: ClassVar[str] = "report"


class Audits(Records[Audit]):
    """Audits of many subjects, in their order; ``errors`` has what failed."""

    item_type: ClassVar[type[Any]] = Audit
    noun: ClassVar[str] = "audit"

    @property
    def findings(self) -> Findings:
        """All findings, in order."""
        return Findings(finding for item in self for finding in item.located_findings)

    def changes_since(self, earlier: Iterable[Audit] | str | PathLike[str]) -> AuditChanges:
        """Return what changed in each report since an earlier audit of the same reports.

        Reports are found again by id and system, or else by path; findings by their code and the words they flag.
        Reports that only the earlier audits have come last: they are ``missing``, which is a loss and an error.

        Args:
            earlier: The earlier audits, or a file that `save` wrote.

        Raises:
            InputError: The file cannot be read, or there are no earlier audits.
        """
        baseline = baseline_of(Audits.load(earlier) if isinstance(earlier, str | PathLike) else earlier)
        changes = [change_of(item, item.fingerprints, baseline, label_of(item.subject)) for item in self]
        return AuditChanges([*changes, *missing_reports(changes, baseline)])

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each audit: names, sizes, and the number of findings of each severity."""
        return columns_of([_row(item) for item in self])

    def _repr_html_(self) -> str:
        return _html(self, ("id", "system", "language", "words", "errors", "warnings", "infos", "status"))


def audit_many(
    subjects: Iterable[Subject | str | PathLike[str]],
    *,
    jobs: int | None = None,
    progress: bool | Callable[[int, int], None] | None = None,
    **settings: Unpack[AuditOptions],
) -> Audits:
    """Audit many reports or trajectories. No model, no network.

    Args:
        subjects: The subjects, or paths of files and folders.
        jobs: Processes. None takes one, or all cores if there is enough text to be worth it.
        progress: A function that is called with the number done and the total after each, or True for a line on
            stderr.
        settings: As for `audit`: ``checks``, ``sources``, ``trajectory``, ``options``, ``inline``, ``min_confidence`` and
            ``language``. Without ``language``, messages about subjects in several languages are in English.

    Returns:
        The audits in order; a subject on which a check failed is in ``errors`` instead.

    Raises:
        UsageError: An argument is wrong.
        InputError: A file cannot be read.
        TypeError: There is no such argument.
    """
    for name in settings.keys() - AuditOptions.__annotations__.keys():
        hint = "; checks= selects checks, as in checks=['NUM', '-NUM004']" if name in _OF_CHECKS else ""
        raise TypeError(f"audit_many() got an unexpected keyword argument {name!r}{hint}")
    checks = settings.get("checks")
    if checks is not None:
        settings["checks"] = checks_of(checks)
    items = _subjects(subjects)
    if settings.get("language") is None:
        settings["language"] = common_language(items)
    jobs = _jobs(items, jobs, settings)
    tick = _ticker(progress)
    audits: list[Audit] = []
    errors: list[AssayError] = []
    then = _same if jobs == 1 else _light
    for number, (subject, result) in enumerate(
        zip(items, audit_stream(items, then, jobs=jobs, **settings), strict=True), 1
    ):
        if isinstance(result, AssayError):
            errors.append(result)
        elif jobs == 1:
            audits.append(result)
        else:
            msgspec.structs.force_setattr(result, "subject", subject)
            audits.append(result)
        tick(number, len(items))
    return Audits(audits, errors=errors)


# What help() and a notebook show: the arguments of `audit` one by one.
vars(audit_many)["__signature__"] = inspect.signature(audit_many).replace(
    parameters=[
        *list(inspect.signature(audit_many).parameters.values())[:-1],
        *list(inspect.signature(audit).parameters.values())[1:],
    ]
)


def _subjects(subjects: Iterable[Subject | str | PathLike[str]]) -> Subjects:
    if isinstance(subjects, str | PathLike):
        return read(subjects)
    if isinstance(subjects, Report | Trajectory):
        raise UsageError("audit_many takes several subjects", hint="audit takes one")
    items: list[Subject] = []
    for item in subjects:
        items.extend([item] if isinstance(item, Report | Trajectory) else read(item))
    return Subjects(items)


def _jobs(subjects: Subjects, jobs: int | None, settings: Mapping[str, Any]) -> int:
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs is {jobs}; it must be at least 1")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if jobs is None:
        size = sum(len(item.source) for item in subjects)
        jobs = min(cores, _MOST_PROCESSES) if size >= _WORTH_PROCESSES else 1
    # More processes than cores only take turns.
    jobs = min(jobs, cores)
    if jobs > 1:
        try:
            pickle.loads(pickle.dumps(dict(settings)))  # noqa: S301 - our own
        except Exception:  # noqa: BLE001 - whatever a check of a notebook raises, it cannot travel to a process
            return 1
    return jobs


def _same(audit: Audit) -> Audit:
    return audit


def _light(audit: Audit) -> Audit:
    """Return the audit without its subject, which the caller has and which is most of what would travel."""
    subject: Subject = Report("") if isinstance(audit.subject, Report) else Trajectory("", ())
    return msgspec.structs.replace(audit, subject=subject)


def _ticker(progress: bool | Callable[[int, int], None] | None) -> Callable[[int, int], None]:
    if callable(progress):
        return progress
    if not progress:
        return lambda _done, _total: None

    def show(done: int, total: int) -> None:
        import sys  # noqa: PLC0415 - only for a line on stderr

        sys.stderr.write(f"\r{done:,} of {total:,} audited" + ("\n" if done == total else ""))

    return show


def _html(items: Records[Any], names: tuple[str, ...]) -> str:
    """Return the columns that fit on a screen; the path stands for subjects that have no id."""
    columns = items[:SHOWN_ROWS].to_columns()
    if any(name is None for name in columns.get("id", ())):
        names = ("path", *names[1:])
    shown = {name: columns.get(name, []) for name in names}
    return html_table(shown, caption=items.summary_line(), total=len(items))


def _row(audit: Audit) -> dict[str, Any]:
    summary = msgspec.to_builtins(audit.summary)
    names = {name: summary.pop(name) for name in ("id", "system", "path", "language", "words")}
    counts = {f"{key}s": number for key, number in audit.counts.items()}
    return {**names, **counts, "status": "ok" if audit.nothing is None else "nothing_to_judge", **summary}
