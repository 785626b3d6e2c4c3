"""``assay compliance``: tables of many grades."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from assay.cli.arguments import argument, option
from assay.cli.chart_output import CHARTS, check_charts, write_chart_files
from assay.cli.commands import command
from assay.cli.options import OutputArguments, columns_for, wants_color
from assay.cli.outputs import opened

if TYPE_CHECKING:
    from assay.suites.compliance.grade_files import SourcedJudgment
    from assay.suites.compliance.record import Compliance


class ComplianceArguments(OutputArguments):
    """What the command line of ``assay compliance`` says."""

    files: tuple[str, ...] = argument("FILE…")
    by: Literal["system", "judge", "system-judge", "file"] = option(
        "What to group the figures by. A grade without a system belongs to the system named after its file.",
        default="system",
    )
    tasks: str | None = option(
        "File of tasks (id, prompt, domain, complexity); it adds prompt lengths, and strata that the grades lack.",
        "JSONL",
    )
    negatives: Literal["harm", "verdict"] = option(
        "When a criterion of negative weight fails. harm: if it is met; verdict: if it is not (as in the paper's code).",
        default="harm",
    )
    skip: bool = option("Leave out lines that are not grades, and say which.", flags="--skip-unreadable")
    table: tuple[str, ...] = option("Show only this table, in text, Markdown and LaTeX. Repeatable.", "NAME")
    format: Literal["text", "json", "html", "csv", "markdown", "latex", "svg", "png", "pdf"]


@command(ComplianceArguments, epilog="Exit codes: 0 done; 2 bad usage or input.")
def compliance(args: ComplianceArguments) -> int:
    """Make tables of grades that `assay grade` wrote: FILE is JSONL of judgments, or a folder of such files.

    Compliance of each system with its interval, differences between systems over the tasks they share, shares and rates
    of failures by axis, mandatory and optional criteria, domains and complexity, length, citations. No model is asked.

    \b
    assay compliance grades/
    assay compliance a.jsonl b.jsonl --format html -o compliance.html
    assay compliance grades/ --tasks tasks.jsonl --format json
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    check_charts(args.format, args.output)
    record = _record(args)
    if args.table and args.format not in ("text", "markdown", "latex"):
        raise click.UsageError(
            f"--table is for text, markdown and latex; --format {args.format} has them all"
        )
    from assay.present.compliance import tables_of

    # Checked before the output is opened, so that a misspelt table does not empty a file.
    tables_of(record).chosen(args.table)
    if args.format in CHARTS:
        from assay.present.html.compliance import compliance_sections
        from assay.present.html.tables import charts_in

        write_chart_files(charts_in(compliance_sections(record)), args.output, args.format)
        return 0
    with opened(args.output) as stream:
        color = wants_color(args.color, stream)
        stream.write(_shown(record, args, columns=columns_for(stream), color=color))
    return 0


def _record(args: ComplianceArguments) -> Compliance:
    from assay.errors import InputError
    from assay.suites.compliance.build import compliance_tables
    from assay.suites.compliance.grade_files import read_grades
    from assay.suites.compliance.prompts import read_tasks

    tasks = read_tasks(Path(args.tasks)) if args.tasks else {}
    good: list[SourcedJudgment] = []
    bad: list[InputError] = []
    for item in read_grades(args.files):
        if isinstance(item, InputError):
            bad.append(item)
        else:
            good.append(item)
    if bad and not args.skip:
        more = f"; {len(bad) - 1:,} more lines like it" if len(bad) > 1 else ""
        raise InputError(
            f"{bad[0].problem}{more}", where=bad[0].where, hint="--skip-unreadable leaves such lines out"
        )
    return compliance_tables(
        good, by=args.by, rule=args.negatives, tasks=tasks, unread=[error.cli_message for error in bad]
    )


def _shown(record: Compliance, args: ComplianceArguments, *, columns: int, color: bool) -> str:
    import msgspec

    if args.format == "json":
        return msgspec.json.encode(record.to_dict()).decode() + "\n"
    if args.format == "html":
        from assay.present.html.compliance import compliance_page

        return compliance_page(record)
    if args.format == "csv":
        from assay.present.compliance_csv import compliance_csv

        return compliance_csv(record)
    from assay.present.compliance import tables_of
    from assay.present.markup import set_latex, set_markdown

    if args.format == "markdown":
        return set_markdown(tables_of(record), args.table)
    if args.format == "latex":
        return set_latex(tables_of(record), args.table)
    from assay.present.display import Painter
    from assay.present.terminal import set_text

    return set_text(tables_of(record), Painter(color), columns, args.table)
