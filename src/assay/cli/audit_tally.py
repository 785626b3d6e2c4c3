"""What has happened in a run of ``assay audit``: the counts, the exit code that follows, and what stderr says of it."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.errors import AssayError, EngineError

if TYPE_CHECKING:
    from assay.audits.baseline import ReportChange
    from assay.checks.config import FailOn
    from assay.present.rendering import Rendered


class AuditTally:
    """Counts of what has happened so far, from which the exit code follows."""

    def __init__(self, fail_on: FailOn) -> None:
        from assay.audits.result import failing_severities

        self.failing = failing_severities(fail_on)
        self.only_new = fail_on.startswith("new:")
        self.audited = 0
        self.unread = 0
        self.failed = 0
        self.errors = 0
        self.kinds: Counter[str] = Counter()
        self.began = time.time()
        self.gate = False
        self.changes: list[ReportChange] = []

    def add(self, rendered: Rendered) -> None:
        """Count an audit."""
        row = rendered.row
        numbers = {"error": row.errors, "warning": row.warnings, "info": row.infos}
        self.audited += 1
        self.errors += row.errors
        self.kinds[row.kind] += 1
        if rendered.change is not None:
            self.changes.append(rendered.change)
        if self.only_new and rendered.change is not None:
            self.gate = self.gate or rendered.change.fails(self.failing)
        else:
            self.gate = self.gate or any(numbers[level] for level in self.failing)

    def missing(self, baseline: str) -> None:
        """Count the reports that only the baseline has."""
        from assay.audits.baseline import missing_reports, read_baseline

        if self.only_new:
            lost = missing_reports(self.changes, read_baseline(baseline))
            self.gate = self.gate or any(change.fails(self.failing) for change in lost)

    def problem(self, error: AssayError) -> None:
        """Count something that could not be audited."""
        if isinstance(error, EngineError):
            self.failed += 1
        else:
            self.unread += 1

    @property
    def exit_code(self) -> int:
        """Return 3 if a check failed, else 1 for severe findings, else 2 if something could not be read."""
        if self.failed:
            return 3
        if not self.audited:
            return 2
        if self.gate:
            return 1
        return 2 if self.unread else 0


def report_written(output: str, folder: str | None, tally: AuditTally, fail_on: str) -> None:
    """Say on stderr what was written and why the exit code is not 0."""
    from assay.present.writers import older_pages
    from assay.text.amounts import counted

    reason = {
        1: f"findings, --fail-on {fail_on}",
        2: f"could not read {tally.unread:,}",
        3: f"a check failed on {tally.failed:,}",
    }.get(tally.exit_code)
    parts = [
        *(" ".join(counted(number, kind)) for kind, number in tally.kinds.items()),
        " ".join(counted(tally.errors, "error")),
    ]
    ending = f"; exit code {tally.exit_code}: {reason}" if reason else ""
    older = older_pages(Path(folder), tally.began) if folder else 0
    note = f"; {' '.join(counted(older, 'page'))} in {folder} from earlier audits" if older else ""
    where = str(Path(folder) / "index.html") if folder else output
    click.echo(f"wrote {where} ({', '.join(parts)}{ending}){note}", err=True)
