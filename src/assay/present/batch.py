"""Rounds of batch files for a terminal: what waits, what came back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, visible
from assay.present.table import NOTHING, table_of
from assay.present.terminal import table_lines
from assay.text.amounts import money, plural, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.runs.batch_round import PendingRequests
    from assay.runs.batch_run import BatchStatus, ImportReport
    from assay.runs.budget import Budget

# How many of a kind are named; the others are only counted.
_TOLD: Final = 3
_NOTE: Final = (
    "Tokens are estimated, those of replies by assumption and without hidden reasoning. The cost is by the "
    "price of single "
    "calls, or by that of the settings; most providers take half of it for batches."
)


def waiting_text(status: BatchStatus, paint: Painter, *, budget: Budget, standing: bool = True) -> str:
    """Return the round that was written, below the state of the run."""
    lines = [_standing(status)] if standing else []
    for item in status.models:
        if not item.requests:
            continue
        lines.append("")
        if not item.files:
            left = "all of them are on their way" if item.on_way == item.requests else "left out"
            lines.append(f"{visible(item.model)}: {item.requests:,} requests wait; {left}")
            continue
        lines.append(
            paint(
                f"{visible(item.model)}: round {len(item.rounds)}, {plural(item.written, 'request')}", "bold"
            )
        )
        lines += [f"  {visible(path)}" for path in item.files]
        lines.append(f"  {_size(item.size)}; {_takes(item)}")
        lines += _on_way(item, paint)
    lines += _notes(status.models, budget, paint)
    return "".join(f"{line}\n" for line in lines)


def look_text(status: BatchStatus, paint: Painter, *, budget: Budget) -> str:
    """Return the state of a run."""
    lines = [f"{paint(status.run, 'bold')}  {_standing(status)}"]
    if status.imports:
        lines[0] += f" Responses were taken in {_times(status.imports)}."
    table = table_of(
        status.models,
        [
            ("", lambda item: item.model),
            ("ROUNDS", lambda item: f"{len(item.rounds):,}"),
            ("LAST", lambda item: _when(item.rounds[-1].at) if item.rounds else ""),
            ("WAITING", lambda item: f"{item.requests:,}"),
            ("WRITTEN OUT", lambda item: f"{item.on_way:,}"),
            ("INPUT TOKENS", lambda item: tokens(item.input_tokens)),
            ("OUTPUT", lambda item: tokens(item.output_tokens)),
            ("COST", lambda item: money(item.cost) if item.requests else ""),
        ],
        omit=NOTHING,
    )
    lines += ["", *table_lines(table, paint), *_notes(status.models, budget, paint)]
    return "\n".join(lines) + "\n"


def taken_text(report: ImportReport, paint: Painter) -> str:
    """Return what became of imported responses."""
    new = plural(report.new, "new reply")
    took = f" ({report.spent})" if report.new else ""
    there = f", {report.there:,} were there before" if report.there else ""
    lines = [f"{plural(report.lines, 'response')}: {new}{took}{there}."]
    failed = sum(report.failed.values())
    if failed:
        lines.append(
            paint(
                f"{plural(failed, 'request')} had an error in place of a reply and will be asked again:",
                "warning",
            )
        )
        lines += [f"  {number:,} × {visible(error)}" for error, number in list(report.failed.items())[:_TOLD]]
        lines += _more(len(report.failed), "other errors")
    for item in report.models:
        if item.taught:
            lines.append(
                f"The next round asks {visible(item.model)} otherwise: {visible(', '.join(item.taught))}."
            )
    if report.given_up:
        lines.append(
            paint(
                f"{plural(len(report.given_up), 'request')} cannot be answered: the prompt is too long for the model.",
                "warning",
            )
        )
    lines += _named(report, paint)
    lines.append(_judgments(report))
    waits = sum(item.requests for item in report.models)
    if waits:
        lines.append(f"The next round has {plural(waits, 'request')}.")
    return "\n".join(lines) + "\n"


def _named(report: ImportReport, paint: Painter) -> list[str]:
    """Return the lines on responses that were not used."""
    unknown = plural(len(report.unknown), "response")
    groups = (
        (
            report.contradicted,
            f"{plural(len(report.contradicted), 'request')} had replies that differ; the first one counts:",
        ),
        (
            report.unknown,
            (
                f"{unknown} to requests this run does not make – of another run, of this one before its "
                "file or its texts were "
                "changed, or of a later round:"
            ),
        ),
        (report.unreadable, f"{plural(len(report.unreadable), 'line')} could not be read:"),
    )
    repeated = plural(report.repeated, "line")
    lines = [f"{repeated} repeated what another said."] if report.repeated else []
    for names, text in groups:
        if names:
            lines += [paint(text, "warning"), *(f"  {visible(name)}" for name in names[:_TOLD])]
            lines += _more(len(names), "more")
    return lines


def _judgments(report: ImportReport) -> str:
    parts = [f"{report.made:,} made now"]
    parts += [f"{report.statuses[name]:,} of them {name}" for name in sorted(report.statuses) if name != "ok"]
    if report.before:
        parts.append(f"{report.before:,} were there")
    if report.skipped:
        parts.append(f"{report.skipped:,} were not needed")
    parts.append(f"{report.waiting:,} wait for replies" if report.waiting else "none waits")
    parts += _perhaps(report.planned - report.made - report.before - report.skipped - report.waiting)
    return f"{report.planned:,} judgments: {', '.join(parts)}."


def _standing(status: BatchStatus) -> str:
    parts = [f"{status.done:,} there", f"{status.waiting:,} wait for replies"]
    if status.ready:
        parts.insert(1, f"{status.ready:,} need no further reply")
    parts += _perhaps(status.planned - status.done - status.ready - status.waiting)
    return f"{status.planned:,} judgments: {', '.join(parts)}."


def _perhaps(number: int) -> list[str]:
    """Return the number of repetitions that depend on how others come out."""
    return [f"{number:,} may be needed"] if number > 0 else []


def _takes(item: PendingRequests) -> str:
    cost = "price not known" if item.cost is None else money(item.cost)
    return f"about {tokens(item.input_tokens)} tokens in, {tokens(item.output_tokens)} out, {cost}"


def _on_way(item: PendingRequests, paint: Painter) -> list[str]:
    """Return a warning about requests that an earlier round has written too, unless it is the same round."""
    if item.again:
        return [f"  The same requests as written at {_when(item.rounds[-1].at)}."]
    if not item.on_way:
        return []
    where = "are left out here" if item.written < item.requests else "are in here again"
    sent = f"{item.on_way:,} of {item.requests:,}"
    text = f"  {sent} were written out before, and nothing has come back of them; they {where}."
    if item.written == item.requests:
        text += " If that batch still runs, wait for it, or take --new."
    return [paint(text, "warning")]


def _notes(models: Sequence[PendingRequests], budget: Budget, paint: Painter) -> list[str]:
    waiting = [item for item in models if item.requests]
    if not waiting:
        return []
    lines = ["", paint(_NOTE, "dim")]
    costs = [item.cost for item in waiting if item.cost is not None]
    size = sum(item.input_tokens + item.output_tokens for item in waiting)
    over = [money(budget.usd)] if budget.usd is not None and sum(costs) > budget.usd else []
    over += [f"{tokens(budget.tokens)} tokens"] if budget.tokens is not None and size > budget.tokens else []
    for limit in over:
        lines.append(
            paint(f"That is more than the budget of {limit}; batches are not stopped by it.", "warning")
        )
    return lines


def _more(number: int, what: str) -> list[str]:
    return [f"  and {number - _TOLD:,} {what}"] if number > _TOLD else []


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _size(number: int) -> str:
    return f"{number / 1e6:,.1f} MB" if number >= 100_000 else f"{number / 1e3:,.1f} kB"


def _when(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
