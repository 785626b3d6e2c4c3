"""``assay leaderboard``: systems ranked by pairwise verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from assay.cli.arguments import ADVANCED, JUDGE, SUBJECTS, argument, option
from assay.cli.chart_output import CHARTS, check_charts, write_chart_files
from assay.cli.commands import command
from assay.cli.judge_options import MODEL_FREE
from assay.cli.options import Amount, OutputArguments, SpendingArguments, columns_for, wants_color
from assay.cli.outputs import OutputPath, opened
from assay.errors import EngineError, InputError, UsageError
from assay.record import encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.judges.judgment import Judgment
    from assay.judges.judgments import Judgments
    from assay.measures.intervals import Estimate
    from assay.meta.leaderboard.record import Leaderboard
    from assay.meta.leaderboard.subject_index import SubjectIndex
    from assay.subjects.subject import Subject


class LeaderboardArguments(SpendingArguments, OutputArguments):
    """What the command line of ``assay leaderboard`` says."""

    paths: tuple[str, ...] = argument("[PATH]…", required=False)
    judge: str | None = option(
        "Read PATHs as reports, and compare all systems on each task by this judge: rules, length, random, a model, or "
        "STRATEGY@MODEL.",
        "JUDGE",
        group=JUDGE,
    )
    runs: tuple[str, ...] = option(
        "Use the judgments of this run. Repeatable.", "RUN", flags="--run", group=SUBJECTS
    )
    reports: tuple[str, ...] = option(
        "The reports that were judged, which give systems, tasks, and the style to hold constant. Repeatable.",
        "PATH",
        group=SUBJECTS,
    )
    systems: str | None = option(
        "CSV or JSONL file that maps each subject to its system, and optionally to a task and a domain.",
        "FILE",
        group=ADVANCED,
    )
    tasks: str | None = option("JSONL of tasks: id, query, and domain or topic.", "JSONL", group=ADVANCED)
    grades: tuple[str, ...] = option(
        "Grades of `assay grade`, to show compliance beside the ranks. Repeatable.", "PATH", group=ADVANCED
    )
    by: str | None = option("Dimension to rank by.  [default: overall]", "DIMENSION")
    domain: str | None = option("Only tasks of this domain.", "NAME")
    judged_by: str | None = option("Only judgments of this judge.", "JUDGE", group=ADVANCED)
    tie_margin: float | None = option(
        "Largest margin of a dimension that counts as a tie.  [default: 0; the judge's own for rules and length]",
        "X",
        type=Amount(min=0, max=1),
        group=ADVANCED,
    )
    limit: int | None = option(
        "With --judge: only the first N reports of each PATH.",
        "N",
        type=click.IntRange(min=1),
        group=SUBJECTS,
    )
    save: str | None = option(
        "With --judge: write the judgments to this file, as JSONL.", "FILE", type=OutputPath(), group=ADVANCED
    )
    draws: int = option(
        "Draws of the bootstrap over tasks.",
        default=1000,
        type=click.IntRange(min=100, max=100_000),
        group=ADVANCED,
    )
    seed: int = option("Seed of the bootstrap.", default=0, type=click.IntRange(min=0), group=ADVANCED)
    anyway: bool = option(
        "With --judge rules: rank also systems whose citation marks were not understood.", group=ADVANCED
    )
    skip: bool = option(
        "Leave out reports that cannot be read, and say so.", flags="--skip-unreadable", group=ADVANCED
    )
    table: tuple[str, ...] = option(
        "Show only this table, in text and Markdown. Repeatable.", "NAME", group=ADVANCED
    )
    format: Literal["text", "json", "html", "csv", "markdown", "latex", "svg", "png", "pdf"]


@command(
    LeaderboardArguments,
    epilog="Exit codes: 0 done; 2 bad usage or input; 3 a cap was reached, or something Assay relies on failed; 130 interrupted. "
    "What was judged is kept, and the same command continues from there.",
)
def leaderboard(args: LeaderboardArguments) -> int:
    """Rank systems by pairwise verdicts on what they wrote: win rates by dimension and domain, ratings with intervals,
    ranks, which systems can be told apart, and all of it with style held constant.

    PATH is a file of judgments (assay.judgment/2, or rows of model_a, model_b, winner; JSONL, JSON, CSV), or a folder that
    `assay log export` wrote. With --judge, PATH is reports.

    \b
    assay leaderboard a.jsonl b.jsonl c.jsonl --judge rules
    assay leaderboard a.jsonl b.jsonl c.jsonl --judge openai/gpt-5-mini --max-usd 5
    assay leaderboard --run reportlogic --reports a.jsonl --reports b.jsonl
    assay leaderboard battles.csv --format html -o board.html
    """  # noqa: D205, D301 - click reads the backspace as "do not wrap"
    from assay.meta.leaderboard.build import leaderboard_by_index
    from assay.meta.leaderboard.subject_index import SubjectIndex
    from assay.present.leaderboard import tables_of

    _check(args)
    who = SubjectIndex(_tasks(args))
    if args.systems is not None:
        who.add_table(args.systems)
    who.add_reports(args.reports)
    _refuse(args, who.unread)
    notes = [_unread(who.unread)] if who.unread else []
    judged = _compared(args, who, notes) if args.judge is not None else None
    board = leaderboard_by_index(
        _read(args) if judged is None else judged,
        who,
        by=args.by,
        domain=args.domain,
        judge=args.judged_by,
        tie_margin=args.tie_margin,
        draws=args.draws,
        seed=args.seed,
        compliance=_compliance(args),
        notes=notes,
    )
    # Checked before the output is opened, so that a misspelt table does not empty a file.
    tables_of(board).chosen(args.table)
    if args.format in CHARTS:
        from assay.present.html.leaderboard import leaderboard_sections
        from assay.present.html.tables import charts_in

        write_chart_files(charts_in(leaderboard_sections(board)), args.output, args.format)
        return _ended(judged)
    with opened(args.output) as stream:
        color = wants_color(args.color, stream)
        stream.write(_shown(board, args, columns=columns_for(stream), color=color))
    return _ended(judged)


def _ended(judged: Judgments | None) -> int:
    if judged is not None and judged.errors:
        click.echo(f"assay: {judged.errors[0]}; the same command continues from there", err=True)
        return EngineError.exit_code
    return 0


def _check(args: LeaderboardArguments) -> None:
    check_charts(args.format, args.output)
    if args.judge is not None and not args.paths:
        raise UsageError("--judge needs reports: `assay leaderboard a.jsonl b.jsonl --judge rules`")
    if not args.paths and not args.runs:
        raise UsageError("nothing to read: name files of judgments, --run RUN, or reports with --judge rules")
    if args.judge is not None and (args.runs or args.judged_by):
        raise UsageError("--judge compares reports; --run and --judged-by read existing judgments")
    if args.anyway and args.judge != "rules":
        raise UsageError("--anyway is for --judge rules")
    for flag in ("save", "limit", "max_usd", "max_total_tokens", "concurrency", "fresh"):
        if getattr(args, flag) not in (None, False) and args.judge is None:
            raise UsageError(f"--{flag.replace('_', '-')} is for --judge")
    if args.ledger is not None and not args.runs and args.judge is None:
        raise UsageError("--ledger is the ledger of --run or of --judge")
    if args.table and args.format not in ("text", "markdown", "latex"):
        raise UsageError(f"--table is for text, markdown and latex; --format {args.format} has them all")


def _tasks(args: LeaderboardArguments) -> dict[str, Any]:
    if args.tasks is None:
        return {}
    from assay.suites.compliance.prompts import read_tasks

    return read_tasks(Path(args.tasks))


def _read_subjects(args: LeaderboardArguments, who: SubjectIndex, notes: list[str]) -> list[Subject]:
    """Return the subjects to compare, which the index then knows; what readers must know is added to ``notes``."""
    from assay.judges.identity import label_of
    from assay.judges.judgeable import WORDINGS, why_nothing
    from assay.judges.readability import refuse_unreadable, unreadable_systems
    from assay.judges.validity import quality_note
    from assay.subjects.subjects import read

    parts = [read(path, limit=args.limit, on_error="keep") for path in args.paths]
    unread = [error for part in parts for error in part.errors if isinstance(error, InputError)]
    _refuse(args, unread)
    subjects = [subject for part in parts for subject in part]
    for subject in subjects:
        who.add(subject, who.describe(subject))
    if args.judge == "rules":
        if not args.anyway:
            refuse_unreadable(unreadable_systems(subjects))
        notes.append(quality_note().text("en"))
        reasons = [(subject, why_nothing(subject)) for subject in subjects]
        nothing = [f"{label_of(subject)}: {WORDINGS[why].text('en')}" for subject, why in reasons if why]
        if nothing:
            more = f"; and {len(nothing) - 5:,} more" if len(nothing) > 5 else ""
            notes.append(
                f"Nothing to judge in {len(nothing):,} of {len(subjects):,}, which lose every comparison: "
                + ("; ".join(nothing[:5]) + more)
            )
    if unread:
        notes.append(_unread(unread))
    return subjects


def _compared(args: LeaderboardArguments, who: SubjectIndex, notes: list[str]) -> Judgments:
    """Return the judgments of every pair of systems on each task."""
    from assay.meta.leaderboard.system_pairs import system_pairs
    from assay.runs.budget import Budget
    from assay.runs.ledger_location import ledger_location
    from assay.runs.run_settings import RunSettings
    from assay.runs.running import run

    subjects = _read_subjects(args, who, notes)
    pairs = system_pairs(subjects, who)
    if pairs.by == "id":
        notes.append("Reports are matched by their id, as no two systems share a question")
    if pairs.alone:
        notes.append(
            f"{pairs.alone:,} of {len(subjects):,} reports are of tasks that no other system has, and are left out"
        )
    ledger = ledger_location(args.ledger)
    settings = RunSettings(
        # Judges without a model cost nothing, so nothing of theirs is kept.
        ledger=None if ledger == "none" or args.judge in MODEL_FREE else ledger,
        fresh=args.fresh,
        budget=Budget(usd=args.max_usd, tokens=args.max_total_tokens),
        max_concurrency=args.concurrency,
        progress=False if args.quiet else None,
    )
    judgments = run(pairs.cases, args.judge or "rules", settings=settings)
    if args.save is not None:
        with opened(args.save) as stream:
            stream.writelines(encode(judgment.to_dict()).decode() + "\n" for judgment in judgments)
    if judgments.errors:
        if not judgments:
            raise judgments.errors[0]
        notes.append(
            f"{len(judgments):,} of {len(pairs.cases):,} comparisons were judged before the run ended: "
            f"{judgments.errors[0]}"
        )
    return judgments


def _refuse(args: LeaderboardArguments, unread: list[InputError]) -> None:
    if unread and not args.skip:
        more = f"; {len(unread) - 1:,} more like it" if len(unread) > 1 else ""
        raise InputError(
            f"{unread[0].problem}{more}",
            where=unread[0].where,
            hint=unread[0].cli_hint or unread[0].hint or "--skip-unreadable goes on without",
        )


def _unread(unread: list[InputError]) -> str:
    return f"{len(unread):,} reports could not be read, the first: {unread[0].cli_message}"


def _read(args: LeaderboardArguments) -> Iterator[Judgment]:
    """Yield the judgments of runs and files."""
    import msgspec

    from assay.meta.judgment_files import read_judgments

    if args.runs:
        from assay.runs.ledger import open_ledger
        from assay.runs.ledger_location import ledger_location

        with open_ledger(ledger_location(args.ledger), read_only=True) as kept:
            for name in dict.fromkeys(args.runs):
                for row in kept.judgments(kept.run(name).id):
                    yield msgspec.structs.replace(
                        row.judgment, metadata={**row.judgment.metadata, **row.tags}
                    )
    yield from read_judgments(args.paths)


def _compliance(args: LeaderboardArguments) -> dict[str, Estimate]:
    """Return the compliance of each system, as of `assay.suites.compliance`."""
    if not args.grades:
        return {}
    from assay.suites.compliance.build import compliance_tables
    from assay.suites.compliance.grade_files import read_grades

    good = []
    for item in read_grades(args.grades):
        if isinstance(item, InputError):
            if not args.skip:
                raise item
            continue
        good.append(item)
    record = compliance_tables(good, by="system")
    main: Any = "ternary" if "ternary" in record.gradings else "binary"
    return {row.system: row.compliance[main] for row in record.systems}


def _shown(board: Leaderboard, args: LeaderboardArguments, *, columns: int, color: bool) -> str:
    from assay.present.leaderboard import tables_of

    if args.format == "json":
        return encode(board.to_dict()).decode() + "\n"
    if args.format == "html":
        from assay.present.html.leaderboard import leaderboard_page

        return leaderboard_page(board)
    from assay.present.leaderboard import leaderboard_csv
    from assay.present.markup import set_latex, set_markdown

    if args.format == "csv":
        return leaderboard_csv(board)
    if args.format == "markdown":
        return set_markdown(tables_of(board), args.table)
    if args.format == "latex":
        return set_latex(tables_of(board), args.table)
    from assay.present.display import Painter
    from assay.present.terminal import set_text

    return set_text(tables_of(board), Painter(color), columns, args.table)
