"""What a worker makes of an audit, small enough to be sent: the text to write, and the row of the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from assay.present.display import Painter
from assay.present.interface import Choice, interface_for
from assay.present.ranking import AuditRow, row_of
from assay.present.words import name_of

if TYPE_CHECKING:
    from assay.audits.baseline import ReportChange
    from assay.audits.result import Audit
    from assay.checks.config import FailOn

Format = Literal["text", "json", "sarif", "junit", "html"]


class OutputOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How audits are shown.

    Attributes:
        format: One of `Format`.
        color: Whether text is coloured.
        columns: Width of text.
        quiet: Whether text leaves out single findings.
        fail_on: Least severity of a failure in JUnit.
        baseline: Path of an earlier audit to compare with.
        partial: Whether only some of the reports are audited, so that none counts as missing since the baseline.
        home: Address of the index page, for HTML in a folder.
        language: Language of everything but the report; ``auto`` is that of the report.
    """

    format: Format = "text"
    color: bool = False
    columns: int = 100
    quiet: bool = False
    fail_on: FailOn = "error"
    baseline: str | None = None
    partial: bool = False
    home: str | None = None
    language: Choice = "auto"


class Rendered(msgspec.Struct, frozen=True):
    """One audit as text to write. ``closing`` follows if it is the only one; ``change`` says what a baseline shows."""

    body: str
    row: AuditRow
    closing: str = ""
    change: ReportChange | None = None


def render_audit(options: OutputOptions, audit: Audit) -> Rendered:
    """Return an audit in the format that the options ask for."""
    change = _change(options, audit)
    rendered = _render(options, audit, change)
    return rendered if change is None else msgspec.structs.replace(rendered, change=change)


def _change(options: OutputOptions, audit: Audit) -> ReportChange | None:
    if options.baseline is None:
        return None
    from assay.audits.baseline import change_of, read_baseline  # noqa: PLC0415 - only where one is asked for

    return change_of(audit, audit.fingerprints, read_baseline(options.baseline), name_of(audit))


def _render(options: OutputOptions, audit: Audit, change: ReportChange | None) -> Rendered:
    say = interface_for(options.language, audit.summary.language)
    # Each format is imported where it is used: a worker that writes JSON needs no template engine.
    if options.format == "json":
        return Rendered(json_line(audit, change), row_of(audit))
    if options.format == "sarif":
        from assay.present.sarif import sarif_results  # noqa: PLC0415

        return Rendered(sarif_results(audit, change), row_of(audit))
    if options.format == "junit":
        from assay.present.junit import junit_suite  # noqa: PLC0415

        return Rendered(junit_suite(audit, fail_on=options.fail_on, change=change), row_of(audit))
    if options.format == "html":
        from assay.present.html.page import audit_page, title_of  # noqa: PLC0415

        return Rendered(
            audit_page(audit, home=options.home, change=change, say=say), row_of(audit, title=title_of(audit))
        )
    from assay.present.text import findings_text, headline, overview_text  # noqa: PLC0415

    painter = Painter(options.color)
    shown = audit
    if change is not None:
        # What was there before is known; only what is new is told in full.
        shown = msgspec.structs.replace(audit, findings=tuple(audit.findings[i] for i in change.new))
    body = "" if options.quiet else findings_text(shown, painter=painter, columns=options.columns, say=say)
    overview = overview_text(audit, painter=painter, columns=options.columns, say=say)
    closing = f"{overview}\n{headline(audit, painter=painter, say=say)}"
    return Rendered(body, row_of(audit), closing)


def json_line(audit: Audit, change: ReportChange | None = None) -> str:
    """Return the contract ``assay.audit/2`` on one line, with its line break; with ``baseline`` if it was compared."""
    data = audit.to_dict()
    if change is not None:
        data["baseline"] = {
            "change": change.change,
            "new": list(change.new),
            "gone": msgspec.to_builtins(change.gone),
            "unchanged": change.unchanged,
            "losses": msgspec.to_builtins(change.losses),
        }
    return msgspec.json.encode(data).decode() + "\n"
