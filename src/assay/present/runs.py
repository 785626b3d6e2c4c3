"""Plans and results of runs as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, visible
from assay.present.table import NOTHING, Column, Table, table_of
from assay.present.terminal import table_lines
from assay.text.amounts import money, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.runs.estimate import CostEstimate
    from assay.runs.plan import Survey
    from assay.runs.summary import JudgeSummary

# What a table of each mode shows between its counts and its costs.
_RESULTS: Final = {
    "score": ("SCORES", "MEAN", "SD"),
    "compare": ("PAIRS", "A / TIE / B", "CONSISTENT"),
    "rank": ("RANKINGS", "DECIDED", ""),
}
_STATUSES: Final = ("ok", "unparsed", "refused", "failed")


def plan_text(survey: Survey, estimates: Sequence[CostEstimate], assumed: str, paint: Painter) -> str:
    """Return the plan: what each judge will take, and all of them together."""
    several = len(estimates) > 1
    columns: list[Column[CostEstimate]] = [
        ("", lambda item: item.title),
        ("JUDGMENTS", lambda item: f"{item.planned:,}"),
        ("THERE", lambda item: f"{item.there:,}"),
        (
            "CALLS",
            lambda item: (
                f"{item.calls:,}" if item.calls == item.most_calls else f"{item.calls:,}–{item.most_calls:,}"
            ),
        ),
        ("INPUT TOKENS", lambda item: tokens(item.input_tokens)),
        ("CACHED", lambda item: tokens(item.cached_tokens)),
        ("OUTPUT", lambda item: tokens(item.output_tokens)),
        ("COST", lambda item: money(item.cost)),
        ("AT MOST", lambda item: money(item.most_cost)),
    ]
    rows = [*estimates, *([total_of(estimates)] if several else [])]
    lines = [
        (
            f"{survey.subjects:,} subjects, {survey.cases:,} to be judged; {survey.total:,} judgments planned. "
            "Nothing was sent."
        ),
        "",
        *table_lines(table_of(rows, columns, total=several, omit=NOTHING), paint),
        "",
        paint(f"{assumed}.", "dim"),
    ]
    if survey.problems:
        lines += ["", paint(f"{survey.unfit:,} judgments cannot be made:", "warning")]
        lines += [f"  {visible(problem)}" for problem in survey.problems]
    return "\n".join(lines) + "\n"


def total_of(estimates: Sequence[CostEstimate]) -> CostEstimate:
    """Return the sum of several estimates."""
    total = type(estimates[0])("all")
    for item in estimates:
        total.add(item)
    return total


def summary_text(summaries: Sequence[JudgeSummary], paint: Painter) -> str:
    """Return the result of a run: coverage, scores or wins, and what it took."""
    tables = [_summary([item for item in summaries if item.mode == mode], mode) for mode in _RESULTS]
    lines = ["\n".join(table_lines(table, paint)) for table in tables if table.rows]
    skipped = sum(item.skipped for item in summaries)
    if skipped:
        lines.append(
            paint(f"{skipped:,} repetitions were not needed: the majority was settled without them.", "dim")
        )
    return "\n\n".join(lines) + "\n" if lines else ""


def _summary(summaries: Sequence[JudgeSummary], mode: str) -> Table:
    title, *results = _RESULTS[mode]
    columns: list[Column[JudgeSummary]] = [
        (title, _name),
        ("N", lambda item: f"{item.n:,}"),
        (
            [name.upper() for name in _STATUSES],
            lambda item: [f"{item.statuses.get(name, 0):,}" for name in _STATUSES],
        ),
        (results, _results),
        ("TOKENS", lambda item: tokens(item.usage.input_tokens + item.usage.output_tokens)),
        ("COST", lambda item: money(item.usage.cost_usd)),
    ]
    return table_of(summaries, columns, omit=NOTHING)


def _name(item: JudgeSummary) -> str:
    systems = "" if item.systems is None else f" · {item.systems[0]} against {item.systems[1]}"
    return f"{item.judge} · {item.rubric}{systems}"


def _results(item: JudgeSummary) -> tuple[str, str]:
    if item.mode == "compare":
        first, tie, second = item.wins or (0, 0, 0)
        abstained = f", {item.abstained:,} abstained" if item.abstained else ""
        agreed = item.consistent
        wins = f"{first:,} / {tie:,} / {second:,}{abstained}"
        return wins, f"{agreed[0] / agreed[1]:.0%}" if agreed else ""
    if item.mode == "rank":
        return f"{item.decided:,}", ""
    return ("" if item.mean is None else f"{item.mean:.3f}", "" if item.sd is None else f"±{item.sd:.3f}")
