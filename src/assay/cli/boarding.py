"""What ``assay leaderboard`` does: comparisons in, a board out."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.cli.options import columns_for, wants_color
from assay.cli.outputs import opened
from assay.errors import InputError, UsageError
from assay.judges.settings import MODEL_FREE
from assay.meta.leaderboard.build import build_leaderboard
from assay.meta.leaderboard.comparison_files import ComparisonReader
from assay.meta.leaderboard.comparisons import ComparisonsBuilder
from assay.meta.leaderboard.subject_index import SubjectIndex
from assay.present.leaderboard import tables_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.cli.leaderboard import LeaderboardAsked
    from assay.judges.judgment import Judgment
    from assay.measures.intervals import Estimate
    from assay.meta.leaderboard.record import Leaderboard


def run_leaderboard(asked: LeaderboardAsked) -> int:
    """Make the board, and give the exit code."""
    _check(asked)
    who = SubjectIndex(_tasks(asked))
    if asked.systems is not None:
        who.add_table(asked.systems)
    who.add_reports(asked.reports)
    builder = ComparisonsBuilder()
    notes = list(_contest(asked, builder, who) if asked.judge is not None else _read(asked, builder, who))
    _refuse(asked, who.unread)
    if who.unread:
        notes.append(_unread(who.unread))
    if not len(builder):
        raise UsageError("there is no comparison of two systems" + (f": {notes[0]}" if notes else ""))
    board = build_leaderboard(
        builder.build(),
        by=asked.by,
        domain=asked.domain,
        draws=asked.draws,
        seed=asked.seed,
        compliance=_compliance(asked),
        notes=notes,
    )
    # Before the output is opened, so that a misspelt table empties no file.
    tables_of(board).chosen(asked.table)
    with opened(asked.output) as stream:
        color = wants_color(asked.color, stream)
        stream.write(_shown(board, asked, columns=columns_for(stream), color=color))
    return 0


def _check(asked: LeaderboardAsked) -> None:
    if asked.judge is not None and asked.judge not in MODEL_FREE:
        raise UsageError(
            f"--judge {asked.judge}: here judges are those that ask no model ({', '.join(MODEL_FREE)}); for one that does, "
            "`assay run --suite reportlogic REPORTS… --judge MODEL`, then `assay leaderboard --run reportlogic`"
        )
    if asked.judge is not None and not asked.paths:
        raise UsageError("--judge needs reports: `assay leaderboard a.jsonl b.jsonl --judge rules`")
    if not asked.paths and not asked.runs:
        raise UsageError("nothing to read: name files of judgments, --run RUN, or reports with --judge rules")
    if asked.judge is not None and (asked.runs or asked.judged_by):
        raise UsageError(
            "--judge compares the reports named; --run and --judged-by are for judgments that are there"
        )
    if asked.output is not None and asked.output == asked.save:
        raise UsageError(f"-o and --save both name {asked.output}; one would write over the other")
    for option, value in (("--save", asked.save), ("--limit", asked.limit)):
        if value is not None and asked.judge is None:
            raise UsageError(f"{option} is for --judge")
    if asked.ledger is not None and not asked.runs:
        raise UsageError("--ledger is where --run is looked for; name a run")
    if asked.table and asked.format not in ("text", "markdown", "latex"):
        raise UsageError(f"--table is for text, markdown and latex; --format {asked.format} has them all")


def _tasks(asked: LeaderboardAsked) -> dict[str, Any]:
    if asked.tasks is None:
        return {}
    from assay.suites.compliance.prompts import read_tasks  # noqa: PLC0415 - loads numpy

    return read_tasks(Path(asked.tasks))


def _contest(asked: LeaderboardAsked, builder: ComparisonsBuilder, who: SubjectIndex) -> Iterator[str]:
    """Judge every pair; what is to be noted of it."""
    from assay.meta.leaderboard.round_robin import play_round_robin  # noqa: PLC0415 - loads every check

    with ExitStack() as stack:
        kept = None
        if asked.save is not None:
            kept = partial(_keep, stack.enter_context(opened(asked.save)))
        found = play_round_robin(
            builder,
            who,
            asked.paths,
            judge=asked.judge or "rules",
            limit=asked.limit,
            tie=asked.tie_margin,
            kept=kept,
            progress=_progress if sys.stderr.isatty() else None,
            check=partial(_refuse, asked),
        )
    if found.on == "id":
        yield "Reports are matched by their id: no question is shared by two systems"
    if found.alone:
        yield f"{found.alone:,} of {found.subjects:,} reports are of tasks that no other system has, and in no figure"
    if found.unread:
        yield _unread(found.unread)


def _keep(stream: Any, judgment: Judgment, tags: dict[str, str]) -> None:
    stream.write(msgspec.json.encode({**judgment.to_dict(), "tags": tags}).decode() + "\n")


def _progress(done: int, of: int) -> None:
    end = "\n" if done == of else ""
    sys.stderr.write(f"\r{done:,} of {of:,} tasks{end}")
    sys.stderr.flush()


def _refuse(asked: LeaderboardAsked, unread: list[InputError]) -> None:
    if unread and not asked.skip:
        more = f"; {len(unread) - 1:,} more like it" if len(unread) > 1 else ""
        raise InputError(
            f"{unread[0].problem}{more}",
            where=unread[0].where,
            hint=unread[0].hint or "--skip-unreadable goes on without",
        )


def _unread(unread: list[InputError]) -> str:
    return f"{len(unread):,} reports could not be read, the first: {unread[0]}"


def _read(asked: LeaderboardAsked, builder: ComparisonsBuilder, who: SubjectIndex) -> Iterator[str]:
    """Read judgments; what is to be noted of them."""
    reader = ComparisonReader(builder, who, tie=asked.tie_margin, judge=asked.judged_by)
    if asked.runs:
        from assay.runs.ledger import open_ledger  # noqa: PLC0415
        from assay.runs.ledger_location import ledger_location  # noqa: PLC0415

        with open_ledger(ledger_location(asked.ledger), read_only=True) as kept:
            for name in dict.fromkeys(asked.runs):
                for row in kept.judgments(kept.run(name).id):
                    reader.judgment(row.judgment.to_dict(), row.tags)
    reader.read(asked.paths)
    skipped = reader.skipped
    if skipped.unknown:
        example = f" ({skipped.example!r})" if skipped.example else ""
        yield (
            f"{skipped.unknown:,} judgments are of subjects whose system nobody names{example}: --reports PATH or"
            " --systems FILE says whose they are"
        )
    if skipped.single:
        yield f"{skipped.single:,} judgments are of no pair, and in no figure"
    if skipped.same:
        yield f"{skipped.same:,} comparisons are of a system with itself, and in no figure"
    if skipped.filtered and not len(builder):
        yield f"no judgment is by {asked.judged_by!r}"


def _compliance(asked: LeaderboardAsked) -> dict[str, Estimate]:
    """The compliance of each system, by `assay.suites.compliance`."""
    if not asked.grades:
        return {}
    from assay.suites.compliance.build import compliance_tables  # noqa: PLC0415 - loads numpy
    from assay.suites.compliance.grade_files import read_grades  # noqa: PLC0415

    good = []
    for item in read_grades(asked.grades):
        if isinstance(item, InputError):
            if not asked.skip:
                raise item
            continue
        good.append(item)
    record = compliance_tables(good, by="system")
    main: Any = "ternary" if "ternary" in record.gradings else "binary"
    return {row.system: row.compliance[main] for row in record.systems}


def _shown(board: Leaderboard, asked: LeaderboardAsked, *, columns: int, color: bool) -> str:
    if asked.format == "json":
        return msgspec.json.encode(board.to_dict()).decode() + "\n"
    if asked.format == "html":
        from assay.present.html.leaderboard import leaderboard_page  # noqa: PLC0415 - loads the templates

        return leaderboard_page(board)
    from assay.present.leaderboard import leaderboard_csv  # noqa: PLC0415
    from assay.present.markup import set_latex, set_markdown  # noqa: PLC0415

    if asked.format == "csv":
        return leaderboard_csv(board)
    if asked.format == "markdown":
        return set_markdown(tables_of(board), asked.table)
    if asked.format == "latex":
        return set_latex(tables_of(board), asked.table)
    from assay.present.display import Painter  # noqa: PLC0415
    from assay.present.terminal import set_text  # noqa: PLC0415

    return set_text(tables_of(board), Painter(color), columns, asked.table)
