"""``assay grades``: tables of many grades."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from assay.cli.commands import command
from assay.cli.options import color_option, columns_for, format_option, output_option, wants_color
from assay.cli.outputs import opened

if TYPE_CHECKING:
    from assay.suites.compliance.grade_files import SourcedGrade
    from assay.suites.compliance.record import Compliance


class GradesAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of ``assay grades``."""

    files: tuple[str, ...]
    by: Any
    tasks: str | None
    negatives: Any
    skip: bool
    table: tuple[str, ...]
    format: str
    output: str | None
    color: str


@command(
    epilog="Exit codes: 0 done; 2 bad usage or input.",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--by",
    type=click.Choice(["system", "judge", "system-judge", "file"]),
    default="system",
    show_default=True,
    help="What to group the figures by. A grade without a system belongs to the system named after its file.",
)
@click.option(
    "--tasks",
    metavar="JSONL",
    help="JSONL of tasks (id, prompt, domain, complexity), which give prompt lengths and missing strata.",
)
@click.option(
    "--negatives",
    type=click.Choice(["harm", "verdict"]),
    default="harm",
    show_default=True,
    help="When a criterion of negative weight fails: harm: if it is met; verdict: if it is not (as in the paper's code).",
)
@click.option(
    "--skip-unreadable", "skip", is_flag=True, help="Leave out lines that are not grades, and say which."
)
@click.option(
    "--table",
    multiple=True,
    metavar="NAME",
    help="Show only this table, in text, Markdown and LaTeX. Repeatable.",
)
@format_option("text", "json", "html", "csv", "markdown", "latex")
@output_option
@color_option
def grades(**options: Any) -> int:
    """Make tables of grades that `assay grade` wrote: FILE is JSONL of assay.grade/1, a folder of such, or several.

    Compliance of each system with its interval, differences between systems over the tasks they share, shares and rates
    of failures by axis, mandatory and optional criteria, domains and complexity, length, citations. No model is asked.

    \b
    assay grades grades/
    assay grades a.jsonl b.jsonl --format html -o compliance.html
    assay grades grades/ --tasks tasks.jsonl --format json
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    asked = GradesAsked(**options)
    record = _record(asked)
    if asked.table and asked.format not in ("text", "markdown", "latex"):
        raise click.UsageError(
            f"--table is for text, markdown and latex; --format {asked.format} has them all"
        )
    from assay.present.compliance import tables_of

    # Checked before the output is opened, so that a misspelt table does not empty a file.
    tables_of(record).chosen(asked.table)
    with opened(asked.output) as stream:
        color = wants_color(asked.color, stream)
        stream.write(_shown(record, asked, columns=columns_for(stream), color=color))
    return 0


def _record(asked: GradesAsked) -> Compliance:
    from assay.errors import InputError
    from assay.suites.compliance.build import compliance_tables
    from assay.suites.compliance.grade_files import read_grades
    from assay.suites.compliance.prompts import read_tasks

    tasks = read_tasks(Path(asked.tasks)) if asked.tasks else {}
    good: list[SourcedGrade] = []
    bad: list[InputError] = []
    for item in read_grades(asked.files):
        if isinstance(item, InputError):
            bad.append(item)
        else:
            good.append(item)
    if bad and not asked.skip:
        more = f"; {len(bad) - 1:,} more lines like it" if len(bad) > 1 else ""
        raise InputError(
            f"{bad[0].problem}{more}", where=bad[0].where, hint="--skip-unreadable goes on without such lines"
        )
    return compliance_tables(
        good, by=asked.by, rule=asked.negatives, tasks=tasks, unread=[str(error) for error in bad]
    )


def _shown(record: Compliance, asked: GradesAsked, *, columns: int, color: bool) -> str:
    if asked.format == "json":
        return msgspec.json.encode(record.to_dict()).decode() + "\n"
    if asked.format == "html":
        from assay.present.html.compliance import compliance_page

        return compliance_page(record)
    if asked.format == "csv":
        from assay.present.compliance_csv import compliance_csv

        return compliance_csv(record)
    from assay.present.compliance import tables_of
    from assay.present.markup import set_latex, set_markdown

    if asked.format == "markdown":
        return set_markdown(tables_of(record), asked.table)
    if asked.format == "latex":
        return set_latex(tables_of(record), asked.table)
    from assay.present.display import Painter
    from assay.present.terminal import set_text

    return set_text(tables_of(record), Painter(color), columns, asked.table)
