"""Plans and results of runs as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.present.display import Painter, fit, pad, visible, width

if TYPE_CHECKING:
    from assay.models.base import Usage
    from assay.runs.estimate import CostEstimate
    from assay.runs.plan import Survey
    from assay.runs.summary import JudgeSummary

_WIDEST = 48


def plan_text(survey: Survey, estimates: Sequence[CostEstimate], assumed: str, paint: Painter) -> str:
    """The plan: what each judge will take, and all of them."""
    rows = [_plan_row(item) for item in estimates]
    if len(estimates) > 1:
        rows.append(_plan_row(total_of(estimates)))
    titles = ("", "JUDGMENTS", "THERE", "CALLS", "INPUT TOKENS", "CACHED", "OUTPUT", "COST", "AT MOST")
    lines = [
        (
            f"{survey.subjects:,} subjects, {survey.targets:,} to be judged; "
            f"{survey.total:,} judgments planned. Nothing was sent."
        ),
        "",
        *table(titles, rows, paint, total=len(estimates) > 1),
        "",
        paint(f"{assumed}.", "dim"),
    ]
    if survey.problems:
        lines += ["", paint(f"{survey.unfit:,} judgments cannot be made:", "warning")]
        lines += [f"  {visible(problem)}" for problem in survey.problems]
    return "\n".join(lines) + "\n"


def total_of(estimates: Sequence[CostEstimate]) -> CostEstimate:
    """All of them together."""
    total = type(estimates[0])("all")
    for item in estimates:
        total.add(item)
    return total


def _plan_row(item: CostEstimate) -> tuple[str, ...]:
    calls = f"{item.calls:,}" if item.calls == item.most_calls else f"{item.calls:,}–{item.most_calls:,}"
    return (
        item.title,
        f"{item.planned:,}",
        f"{item.there:,}",
        calls,
        count(item.input_tokens),
        count(item.cached_tokens),
        count(item.output_tokens),
        money(item.cost),
        money(item.most_cost),
    )


def summary_text(found: Sequence[JudgeSummary], paint: Painter) -> str:
    """The result: coverage, scores or wins, and what it took."""
    lines: list[str] = []
    for mode, titles in (
        ("score", ("SCORES", "N", "OK", "UNPARSED", "REFUSED", "FAILED", "MEAN", "SD", "TOKENS", "COST")),
        (
            "pair",
            (
                "PAIRS",
                "N",
                "OK",
                "UNPARSED",
                "REFUSED",
                "FAILED",
                "A / TIE / B",
                "CONSISTENT",
                "TOKENS",
                "COST",
            ),
        ),
        ("rank", ("RANKINGS", "N", "OK", "UNPARSED", "REFUSED", "FAILED", "DECIDED", "", "TOKENS", "COST")),
    ):
        rows = [_summary_row(item) for item in found if item.mode == mode]
        if rows:
            lines += ["", *table(titles, rows, paint)] if lines else table(titles, rows, paint)
    skipped = sum(item.skipped for item in found)
    if skipped:
        lines += [
            "",
            paint(f"{skipped:,} trials were not needed: the majority was settled without them.", "dim"),
        ]
    return "\n".join(lines) + "\n" if lines else ""


def _summary_row(item: JudgeSummary) -> tuple[str, ...]:
    states = [item.statuses.get(name, 0) for name in ("ok", "unparsed", "refused", "failed")]
    name = f"{item.judge} · {item.rubric}"
    if item.mode == "pair":
        first, tie, second = item.wins or (0, 0, 0)
        what = f"{first:,} / {tie:,} / {second:,}"
        if item.abstained:
            what += f", {item.abstained:,} abstained"
        agreed = item.consistent
        more = f"{agreed[0] / agreed[1]:.0%}" if agreed else ""
        if item.systems is not None:
            name += f" · {item.systems[0]} against {item.systems[1]}"
    elif item.mode == "rank":
        what, more = f"{item.decided:,}", ""
    else:
        what = "" if item.mean is None else f"{item.mean:.3f}"
        more = "" if item.sd is None else f"±{item.sd:.3f}"
    usage = item.usage
    tokens = count(usage.input_tokens + usage.output_tokens)
    return (
        name,
        f"{item.n:,}",
        *(f"{number:,}" for number in states),
        what,
        more,
        tokens,
        money(usage.cost_usd),
    )


def table(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    paint: Painter,
    *,
    total: bool = False,
    noughts: bool = False,
) -> list[str]:
    """Rows under titles: the first column to the left, numbers to the right; columns nobody fills are left out.

    Args:
        titles: Of the columns.
        rows: Their cells.
        paint: For a terminal.
        total: Whether the last row is one.
        noughts: Whether a column of nothing but 0 says something, and stays.
    """
    nothing = ("",) if noughts else ("", "0")
    rows = [(fit(visible(row[0]), _WIDEST), *row[1:]) for row in rows]
    used = [at for at in range(len(titles)) if at == 0 or any(row[at] not in nothing for row in rows)]
    wide = {at: max(width(titles[at]), *(width(row[at]) for row in rows)) for at in used}

    def line(row: Sequence[str]) -> str:
        return "  ".join(pad(row[at], wide[at], right=at > 0) for at in used).rstrip()

    lines = [paint(line(titles), "dim"), *(line(row) for row in rows)]
    if total:
        lines[-1] = paint(lines[-1], "bold")
    return lines


def usage_text(usage: Usage) -> str:
    """Calls, tokens and cost in a few words."""
    if not usage.calls:
        return "no calls"
    cached = (
        f", {usage.cached_input_tokens / usage.input_tokens:.0%} cached" if usage.cached_input_tokens else ""
    )
    tokens = f"{count(usage.input_tokens)} tokens in{cached}, {count(usage.output_tokens)} out"
    cost = f", {money(usage.cost_usd)}" if usage.cost_usd != 0 else ""
    return f"{usage.calls:,} call{'s' if usage.calls != 1 else ''}, {tokens}{cost}"


def count(number: int) -> str:
    """A number of tokens, short: 950, 12.3k, 4.56M."""
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (10_000, "k")):
        if number >= size:
            value = number / (1000 if unit == "k" else size)
            return f"{value:.3g}{unit}" if value < 1000 else f"{value:.0f}{unit}"
    return f"{number:,}"


def money(cost: float | None) -> str:
    """US dollars; "?" where no price is known."""
    if cost is None:
        return "?"
    if cost == 0:
        return "0"
    return f"${cost:,.2f}" if cost >= 1 else f"${cost:.4f}" if cost >= 0.0001 else f"${cost:.2g}"


def clock(seconds: float) -> str:
    """A duration: 8 s, 3:05, 2:10:00."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
