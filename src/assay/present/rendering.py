"""What a worker makes of an audit, small enough to travel: the text to write, and the row of the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from assay.present.display import Painter
from assay.present.interface import Choice, interface_for
from assay.present.ranking import AuditRow, row_of

if TYPE_CHECKING:
    from assay.audits.result import Audit
    from assay.checks.config import FailOn

Format = Literal["text", "json", "sarif", "junit", "html"]


class OutputOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How audits are to be shown.

    Attributes:
        format: One of `Format`.
        color: Whether text is coloured.
        columns: Width of text.
        quiet: Leave single findings out of text.
        fail_on: Which findings are failures in JUnit.
        home: Address of the index page, for HTML in a folder.
        language: Language of everything but the report: that of the report with ``auto``.
    """

    format: Format = "text"
    color: bool = False
    columns: int = 100
    quiet: bool = False
    fail_on: FailOn = "error"
    home: str | None = None
    language: Choice = "auto"


class Rendered(msgspec.Struct, frozen=True):
    """One audit as written. ``closing`` is what follows when it is the only one."""

    body: str
    row: AuditRow
    closing: str = ""


def render_audit(options: OutputOptions, audit: Audit) -> Rendered:
    """An audit in the format asked for."""
    say = interface_for(options.language, audit.summary.language)
    # Each format is imported where it is used: a worker that writes JSON needs no template engine.
    if options.format == "json":
        from assay.present.lines import json_line  # noqa: PLC0415

        return Rendered(json_line(audit), row_of(audit))
    if options.format == "sarif":
        from assay.present.sarif import sarif_results  # noqa: PLC0415

        return Rendered(sarif_results(audit), row_of(audit))
    if options.format == "junit":
        from assay.present.junit import junit_suite  # noqa: PLC0415

        return Rendered(junit_suite(audit, fail_on=options.fail_on), row_of(audit))
    if options.format == "html":
        from assay.present.html.page import audit_page, title_of  # noqa: PLC0415

        return Rendered(audit_page(audit, home=options.home, say=say), row_of(audit, title=title_of(audit)))
    from assay.present.text import findings_text, scores_text, totals_line  # noqa: PLC0415

    painter = Painter(options.color)
    body = "" if options.quiet else findings_text(audit, painter=painter, columns=options.columns, say=say)
    closing = (
        f"{scores_text(audit, painter=painter, say=say)}\n{totals_line(audit, painter=painter, say=say)}"
    )
    return Rendered(body, row_of(audit), closing)
