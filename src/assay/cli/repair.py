"""``assay repair``: makes the repairs that readers proposed."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.arguments import argument, option
from assay.cli.author_session import OptionalAuthorArguments
from assay.cli.commands import command
from assay.cli.options import OutputArguments, QueryArguments, columns_for, query_text, wants_color
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.audits.result import Audit
    from assay.present.display import Painter
    from assay.reviews.repairing import RepairedReport
    from assay.subjects.report import Report


class RepairArguments(QueryArguments, OptionalAuthorArguments, OutputArguments, without=("format",)):
    """What the command line of ``assay repair`` says."""

    file: str = argument()
    findings: str = option(
        "Audit of the report: the output of assay audit --format json.", "FILE", required=True
    )
    accept: str | None = option(
        "Numbers of the findings to repair, as --list shows them, separated by commas. [all]", "NUMBERS"
    )
    list_: bool = option("List the repairs, and change nothing.", flags="--list")


@command(
    RepairArguments,
    epilog="Exit codes: 0 done; 2 bad usage, or the report is not the one that was audited; 3 a model failed.",
)
def repair(args: RepairArguments) -> int:
    """Make the repairs that the readers of a report proposed, show the difference, and audit again.

    \b
    assay audit report.md --model openai/gpt-5-mini --format json -o audit.json
    assay repair report.md --findings audit.json --list
    assay repair report.md --findings audit.json --accept 1,4 -o report.repaired.md

    A repair never brings in a figure, a name, an address or a citation that the report does not have. Where only a source can help,
    the text stays as it is, and what is needed is listed. With --model, that model reads the new text again.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from assay.present.display import Painter
    from assay.reviews.repairing import repaired
    from assay.subjects.reading import read_report

    report = read_report(args.file, query_text(args.query))
    before = _audit_of(args.findings, report)
    painter = Painter(wants_color(args.color))
    if args.list_:
        _list(before, report, painter)
        return 0
    result = repaired(report, before.findings, _numbers(args.accept, len(before.findings)))
    for number, why in result.left:
        click.echo(f"assay: finding {number} ({before.findings[number - 1].name}) is left: {why}", err=True)
    click.echo(_difference(args.file, report.source, result.text, painter), nl=False)
    if not result.made:
        click.echo("assay: nothing was changed", err=True)
        return 0
    if args.output is not None:
        Path(args.output).write_text(result.text, "utf-8")
    return _again(args, before, report, result)


def _audit_of(path: str, report: Report) -> Audit:
    """Return the audit of this report.

    Raises:
        InputError: The file has none, or the report has changed since.
    """
    from assay.audits.fingerprints import fingerprints
    from assay.audits.result import Audit
    from assay.rows import read_rows

    audits = [Audit.from_dict(row) for _, row in read_rows(Path(path))]
    own = [
        item for item in audits if fingerprints(report, item.findings) == item.fingerprints and item.findings
    ]
    if not own:
        raise InputError(
            f"has no audit of {report.path} as it is now",
            where=path,
            hint="audit it again with --format json",
        )
    return own[0]


def _numbers(text: str | None, most: int) -> frozenset[int] | None:
    if text is None:
        return None
    numbers = frozenset(int(part) for part in text.replace(" ", "").split(",") if part.isdigit())
    if not numbers or max(numbers) > most or not all(part.strip().isdigit() for part in text.split(",")):
        raise UsageError(f"--accept {text}: write numbers from 1 to {most}, separated by commas")
    return numbers


def _list(audit: Audit, report: Report, painter: Painter) -> None:
    from assay.present.display import visible
    from assay.reviews.repairing import edit_of

    for number, finding in enumerate(audit.findings, 1):
        if finding.reading is None or finding.reading.repair is None:
            continue
        click.echo(
            f"{number}  {painter(finding.name, 'bold')}  line {finding.span.line}  {visible(finding.message)}"
        )
        edit = edit_of(report, finding)
        if isinstance(edit, str):
            click.echo(painter(f"   {visible(edit)}", "dim"))
            continue
        if edit.end > edit.start:
            click.echo(painter(f"   - {visible(report.source[edit.start : edit.end])}", "error"))
        if edit.text.strip():
            click.echo(painter(f"   + {visible(edit.text.strip())}", "good"))


def _difference(name: str, old: str, new: str, painter: Painter) -> str:
    from assay.present.display import visible

    lines = difflib.unified_diff(
        old.splitlines(), new.splitlines(), name, f"{name} (repaired)", lineterm="", n=1
    )
    styles = {"+": "good", "-": "error"}
    return "".join(
        f"{painter(visible(line), styles[line[0]]) if line[:1] in styles else visible(line)}\n"  # type: ignore[arg-type]
        for line in lines
    )


def _again(args: RepairArguments, before: Audit, report: Report, result: RepairedReport) -> int:
    """Audit the new text, and say what became of the findings."""
    from assay.audits.audit import audit
    from assay.audits.reviewed import with_review
    from assay.cli.author_session import AuthorSession, run_author_session
    from assay.present.display import Painter
    from assay.present.interface import interface
    from assay.present.text import findings_text, headline

    new = report.replace(source=result.text)
    after = audit(new)

    def say(found: Audit) -> None:
        old, now = set(before.fingerprints), set(found.fingerprints)
        fresh = tuple(
            f for f, mark in zip(found.findings, found.fingerprints, strict=True) if mark not in old
        )
        # Without a model nobody has looked for what readers had found.
        again = [
            mark
            for finding, mark in zip(before.findings, before.fingerprints, strict=True)
            if args.model or finding.reading is None
        ]
        unread = len(before.findings) - len(again)
        click.echo(
            f"assay: {len(result.made)} repaired, {len(result.left)} left; "
            f"{sum(mark in now for mark in again)} of {len(again)} findings{'' if args.model else ' by rule'} are still "
            f"there, {len(fresh)} new"
            + (f"; {unread} by readers not looked for again (--model does)" if unread else ""),
            err=True,
        )
        if fresh:
            import msgspec

            shown = msgspec.structs.replace(
                found,
                findings=fresh,
                fingerprints=tuple(m for m in found.fingerprints if m not in old),
                dimensions={},
            )
            look = {"painter": Painter(wants_color(args.color)), "say": interface(found.summary.language)}
            click.echo(findings_text(shown, columns=columns_for(sys.stderr), **look), err=True, nl=False)  # type: ignore[arg-type]
            click.echo(headline(found, **look), err=True, nl=False)  # type: ignore[arg-type]

    if not args.model:
        say(after)
        return 0

    async def work(session: AuthorSession) -> int:
        from assay.reviews.reviewing import review

        read = await review(await session.author(max_tokens=8_192), new)
        say(with_review(after, read))
        for problem in read.problems:
            click.echo(f"assay: {problem}", err=True)
        return 3 if set(read.failed) >= set(read.passes) else 0

    return run_author_session(args, work)
