"""``assay log``: runs and their results, and every step from a verdict down to the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import click

from assay.cli.arguments import OUTPUT, argument, option
from assay.cli.commands import command, group
from assay.cli.options import FormatArguments, LedgerArguments, OutputArguments, painter_for
from assay.cli.outputs import opened

if TYPE_CHECKING:
    from assay.present.display import Painter
    from assay.runs.ledger import Ledger
    from assay.runs.records import CallRow, JudgmentRow, RunRow

# Number of judgments that `assay log show RUN` lists, and width of their subjects and judges.
_LISTED: Final = 20
_WIDEST: Final = 48


def _open(where: str | None) -> Ledger:
    from assay.runs.ledger import open_ledger
    from assay.runs.ledger_location import ledger_location

    return open_ledger(ledger_location(where), read_only=True)


@group()
def log() -> None:
    """List runs, inspect one down to its prompts, export it. This also works while a run is going on.

    \b
    assay log list
    assay log show RUN                       coverage, usage by model, the keys of judgments
    assay log show RUN --judgment KEY        a judgment, its answers, the keys of its calls
    assay log show RUN --call KEY            a prompt and its reply
    assay log export RUN -o folder
    """  # noqa: D301 - click reads the backspace as "do not wrap"


class RunListArguments(LedgerArguments, FormatArguments):
    """What the command line of ``assay log list`` says."""

    format: Literal["text", "json"]


@command(RunListArguments, name="list")
def list_(args: RunListArguments) -> None:
    """List the runs of a ledger, newest first."""
    import msgspec

    from assay.present.display import pad, visible, width

    with _open(args.ledger) as kept:
        found = kept.runs()
    if args.format == "json":
        click.echo(_json(msgspec.to_builtins(found)))
        return
    if not found:
        click.echo(f"no runs in {kept.where}")
        return
    paint = painter_for(args.color)
    rows = [
        (
            visible(run.name),
            run.id,
            _when(run.created),
            run.status,
            f"{sum(run.judgments.values()):,}",
            ", ".join(f"{count:,} {status}" for status, count in run.judgments.items() if status != "ok"),
        )
        for run in found
    ]
    titles = ("NAME", "ID", "CREATED", "STATUS", "JUDGMENTS", "WITHOUT VERDICT")
    wide = [max(width(row[index]) for row in (titles, *rows)) for index in range(len(titles))]
    for row in (titles, *rows):
        line = "  ".join(pad(cell, wide[index], right=index == 4) for index, cell in enumerate(row)).rstrip()
        click.echo(paint(line, "dim") if row is titles else line)


class RunShowArguments(LedgerArguments, FormatArguments):
    """What the command line of ``assay log show`` says."""

    run: str = argument()
    judgment: str | None = option(
        "Show this judgment and its answers; the beginning of the key is enough.", "KEY"
    )
    call: str | None = option(
        "Show this call: prompt, reply, usage; the beginning of the key is enough.", "KEY"
    )
    format: Literal["text", "json"]


@command(RunShowArguments)
def show(args: RunShowArguments) -> None:
    """Show RUN, by id or name: coverage and usage, or one of its judgments or calls."""
    if args.judgment is not None and args.call is not None:
        raise click.UsageError("use --judgment or --call, not both")
    paint = painter_for(args.color)
    with _open(args.ledger) as kept:
        row = kept.run(args.run)
        if args.judgment is not None:
            data, lines = _judgment(kept, row, args.judgment, paint)
        elif args.call is not None:
            data, lines = _call(kept, args.call, paint)
        else:
            data, lines = _summary(kept, row, paint)
    click.echo(_json(data) if args.format == "json" else "\n".join(lines))


class RunExportArguments(LedgerArguments, OutputArguments, without=("color",)):
    """What the command line of ``assay log export`` says."""

    run: str = argument()
    format: Literal["jsonl", "csv", "parquet"] | None = option(
        "Format of the files. [by the suffix of -o, else jsonl]", flags="-f --format", group=OUTPUT
    )
    table: Literal["judgments", "answers", "calls"] | None = option(
        "Export only this table, to a file or stdout; otherwise all tables and a manifest, to a folder."
    )


@command(RunExportArguments)
def export(args: RunExportArguments) -> None:
    """Export RUN, by id or name.

    Without -o the judgments go to stdout; with -o FILE, to that file; with -o FOLDER, all tables are written there.
    judgments.jsonl follows the contract assay.judgment/1; index.jsonl has the key, judge version and repetition of
    each, line by line; answers.jsonl has the answers behind each judgment, calls.jsonl the prompts and replies.
    """
    from assay.runs.export import export as write

    ending = (args.output or "").rpartition(".")[2]
    fmt, table = args.format or "jsonl", args.table
    if ending in ("jsonl", "csv", "parquet"):
        fmt, table = args.format or ending, table or "judgments"  # type: ignore[assignment]
    with _open(args.ledger) as kept:
        if args.output is None or args.output == "-":
            with opened(None) as stream:
                write(kept, args.run, fmt, stream, table=table or "judgments")
            return
        for path in write(kept, args.run, fmt, args.output, table=table):
            click.echo(path, err=True)


def _summary(kept: Ledger, row: RunRow, paint: Painter) -> tuple[Any, list[str]]:
    import msgspec

    from assay.present.display import bar, pad, visible, width

    counts = kept.coverage(row.id)
    usage = kept.usage_by_model(row.id)
    judges: dict[str, dict[str, int]] = {}
    first: dict[bool, list[JudgmentRow]] = {False: [], True: []}
    for made in kept.judgments(row.id):
        came = made.judgment.status
        of_judge = judges.setdefault(made.judgment.judge, {})
        of_judge[came] = of_judge.get(came, 0) + 1
        if len(first[came == "ok"]) < _LISTED:
            first[came == "ok"].append(made)
    data = {
        **msgspec.to_builtins(row),
        "judgments": counts,
        "judges": dict(sorted(judges.items())),
        "usage": msgspec.to_builtins(usage),
    }
    lines = [f"{paint(visible(row.name), 'bold')}  {row.id}  {row.status}  {_when(row.created)}", ""]
    total = sum(counts.values())
    lines.append(
        f"{total:,} judgments" + (f", {counts.get('ok', 0) / total:.1%} with a verdict" if total else "")
    )
    wide = max(map(len, counts), default=0)
    for status, count in sorted(counts.items(), key=lambda item: -item[1]):
        lines.append(f"  {pad(status, wide)}  {bar(count / total, 24)}  {count:,}")
    if len(judges) > 1:
        wide = max(width(visible(name)) for name in judges)
        lines += ["", paint("By judge", "bold")]
        for name, of_judge in sorted(judges.items()):
            detail = ", ".join(f"{count:,} {status}" for status, count in sorted(of_judge.items()))
            lines.append(f"  {pad(visible(name), wide)}  {detail}")
    if usage:
        wide = max(width(visible(name)) for name in usage)
        lines += ["", paint("Usage, whichever run paid for it", "bold")]
        for name, used in usage.items():
            lines.append(f"  {pad(visible(name), wide)}  {_used(msgspec.to_builtins(used))}")
    listed = (first[False] + first[True])[:_LISTED]
    return data, lines + _judgment_list(listed, total, paint)


def _judgment_list(listed: list[JudgmentRow], total: int, paint: Painter) -> list[str]:
    """Return a list of judgments with the beginnings of their keys, those without a verdict first."""
    from assay.present.display import (
        fit_end,
        pad,
        visible,
        width,
    )

    if not listed:
        return []
    rows = []
    for made in listed:
        verdict = made.judgment
        value = (verdict.scores or {}).get("overall")
        detail = verdict.preference or ("" if value is None else f"{value:.4g}")
        subject = fit_end(visible(verdict.subject), _WIDEST)
        rows.append(
            (made.key[:12], subject, fit_end(visible(verdict.judge), _WIDEST), verdict.status, detail)
        )
    wide = [max(width(row[index]) for row in rows) for index in range(5)]
    lines = ["", paint("Judgments", "bold") + paint("  --judgment KEY shows one", "dim")]
    for row in rows:
        lines.append("  " + "  ".join(pad(cell, wide[index]) for index, cell in enumerate(row)).rstrip())
    if total > len(listed):
        lines.append(paint(f"  and {total - len(listed):,} more: assay log export RUN -o FOLDER", "dim"))
    return lines


def _judgment(kept: Ledger, run: RunRow, start: str, paint: Painter) -> tuple[Any, list[str]]:
    import msgspec

    key = _only(kept.find_judgment(run.id, start), start, f"judgment of {run.name}")
    row = kept.judgment(key, run.id)
    answers = kept.answers_to(key, run.id)
    if row is None:  # it left the run just now
        raise click.UsageError(f"judgment {key} is no longer in {run.name}; ask again")
    data = {"judgment": msgspec.to_builtins(row), "answers": msgspec.to_builtins(answers)}
    verdict = row.judgment
    lines = _facts(
        paint,
        ("Judgment", key),
        ("Subject", verdict.subject),
        ("Judge", f"{verdict.judge}  version {row.judge_version}"),
        ("Rubric", verdict.rubric),
        ("Repetition", str(row.trial)),
        ("Status", verdict.status),
        ("Verdict", verdict.preference),
        (
            "By order",
            ", ".join(f"{order} {detail or '–'}" for order, detail in (verdict.by_order or {}).items()),
        ),
        ("Choice", None if verdict.choice is None else str(verdict.choice)),
        ("Scores", ", ".join(f"{name} {value:g}" for name, value in (verdict.scores or {}).items())),
        ("Tags", ", ".join(f"{name}={value}" for name, value in row.tags.items())),
        ("Usage", _used(msgspec.to_builtins(verdict.usage))),
        ("Made", _when(row.at)),
    )
    lines += ["", *_block(verdict.rationale)] if verdict.rationale else []
    for number, part in enumerate(answers, 1):
        detail = part.answer
        lines += ["", paint(f"Answer {number} of {len(answers)}", "bold")]
        lines += _facts(
            paint,
            ("Unit", part.unit),
            ("Order", part.order),
            ("Criteria", ", ".join(part.criteria)),
            ("Status", detail.status),
            ("Values", ", ".join(f"{name} {value}" for name, value in detail.values.items())),
            ("Verdict", detail.preference),
            ("Ranking", " > ".join(map(str, detail.ranking or ()))),
            ("Problem", detail.problem),
            ("Notes", "; ".join(detail.notes)),
            ("Calls", " ".join(detail.calls)),
        )
        lines += [paint("  Raw reply", "dim"), *_block(detail.reply)] if detail.reply else []
    return data, lines


def _call(kept: Ledger, start: str, paint: Painter) -> tuple[Any, list[str]]:
    import msgspec

    key = _only(kept.find_call(start), start, "call in this ledger")
    asked = kept.history(key)
    lines = _facts(
        paint, ("Call", key), ("Asked", "once" if len(asked) == 1 else f"{len(asked)} times, newest first")
    )
    for index, row in enumerate(asked):
        lines += _call_lines(row, paint, prompt=index == 0)
    return msgspec.to_builtins(asked), lines


def _call_lines(row: CallRow, paint: Painter, *, prompt: bool) -> list[str]:
    import msgspec

    lines: list[str] = []
    request, reply = row.request, row.reply
    if prompt:
        sampling = msgspec.json.encode(request.sampling).decode()
        lines += _facts(paint, ("Model", request.model), ("Sampling", sampling), ("Draw", str(request.draw)))
        if request.schema is not None:
            lines += _facts(paint, ("Schema", msgspec.json.encode(request.schema).decode()))
        for message in request.messages:
            lines += ["", paint(message.role, "accent"), *_block(message.content)]
    lines += ["", paint("Reply", "accent"), *_block(reply.text)]
    if reply.reasoning:
        lines += [paint("Reasoning", "accent"), *_block(reply.reasoning)]
    return lines + _facts(
        paint,
        ("Finish", reply.finish),
        ("Served by", reply.served),
        ("Usage", _used(msgspec.to_builtins(reply.usage))),
        ("Took", f"{reply.seconds:.2f} s" + (f", {reply.attempts} tries" if reply.attempts > 1 else "")),
        ("Left out", ", ".join(reply.dropped)),
        ("At", _when(row.at)),
    )


def _only(found: list[str], start: str, what: str) -> str:
    from assay.errors import UsageError

    if not found:
        raise UsageError(f"no {what} has a key that starts with {start!r}; `assay log export RUN` lists them")
    if len(found) > 1 and start not in found:
        raise UsageError(f"{start!r} is the start of several keys: {', '.join(found)}")
    return start if start in found else found[0]


def _facts(paint: Painter, *facts: tuple[str, str | None]) -> list[str]:
    from assay.present.display import visible

    return [f"  {paint(name.ljust(9), 'dim')}  {visible(value)}" for name, value in facts if value]


def _block(text: str) -> list[str]:
    """Return untrusted text indented line by line, with every character visible."""
    from assay.present.display import visible

    return [f"    {visible(line)}" for line in text.split("\n")]


def _used(usage: dict[str, Any]) -> str:
    cost = "price unknown" if usage["cost_usd"] is None else f"{usage['cost_usd']:.4f} USD"
    cached = f" ({usage['cached_input_tokens']:,} cached)" if usage["cached_input_tokens"] else ""
    return f"{usage['calls']:,} calls, {usage['input_tokens']:,} tokens in{cached}, {usage['output_tokens']:,} out, {cost}"


def _when(at: float) -> str:
    from datetime import datetime

    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _json(value: Any) -> str:
    import json

    # Unlike msgspec, the json module can write lone surrogates.
    return json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
