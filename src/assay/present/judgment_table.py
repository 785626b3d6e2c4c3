"""Judgments of many subjects for a terminal: a table, in the order they were given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from assay.judges.repetitions import spreads_of
from assay.present.display import Painter
from assay.present.interface import Interface
from assay.present.judgments import (
    coverage_text,
    head_text,
    overall_span,
    score_text,
    short_heads,
    span_text,
    total_coverage,
    without_verdict,
)
from assay.present.numbers import NONE
from assay.present.ranking import shortened
from assay.present.table import Column, StyledText, Table, table_of
from assay.present.terminal import min_width, table_lines
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from assay.judges.judgment import Judgment
    from assay.rubrics.rubric import Rubric

_PROBLEMS: Final = 5
_REASON: Final = 3
_SHOWN: Final = 60


def table_text(
    judgments: Sequence[Judgment],
    rubrics: Sequence[Rubric | None],
    rubric_name: str,
    *,
    say: Interface,
    painter: Painter,
    columns: int,
) -> str:
    """Return overall score, scores, coverage and status of each subject, then all of them together.

    Args:
        judgments: Judgments of one judge by one rubric or one set of rubrics.
        rubrics: The rubric of each. If the subjects have rubrics of their own, the criteria have no columns.
        rubric_name: Name of the rubric or of the set.
        say: Language.
        painter: Colours.
        columns: Width of the terminal.
    """
    rubric = rubrics[0]
    same = all(item == rubric for item in rubrics)
    keys = _criteria(judgments, rubric) if same else []
    heads = short_heads(keys, say)
    names = shortened([item.subject for item in judgments])
    asked = {item.key for item in rubric.criteria} if same and rubric is not None else set()

    def table(shown: Sequence[str]) -> Table:
        rows: list[Column[tuple[int, Judgment]]] = [
            ("   #", lambda row: f"{row[0] + 1}"),
            (say("subject"), lambda row: names[row[0]]),
            (say("overall"), lambda row: _cell(row[1], "overall", asked)),
            (
                [heads[key] for key in shown],
                lambda row: [StyledText(_cell(row[1], key, asked), "dim") for key in shown],
            ),
        ]
        rows += [(say("answered"), lambda row: _answered(row[1], say))] if rubric is not None else []
        rows.append((say("status"), lambda row: _status(row[1], say)))
        align = "rp" + "r" * (len(shown) + 1 + (rubric is not None)) + "l"
        return table_of(enumerate(judgments[:_SHOWN]), rows, align=align)

    # Where the columns do not fit beside the names, the scores of the criteria are left to the other formats.
    shown = keys if min_width(table(keys)) <= columns else []
    lines = [painter(head_text(judgments[0], rubric, say, rubric_name="" if same else rubric_name), "dim")]
    lines += table_lines(table(shown), painter, columns)
    if len(judgments) > _SHOWN:
        lines.append(
            painter(
                "     "
                + say("… and {number} more (--format json shows all)", number=f"{len(judgments) - _SHOWN:,}"),
                "dim",
            )
        )
    if shown:
        text = say.join([f"{heads[key]} {say.criterion_title(key, rubric).lower()}" for key in shown])
        spans = (
            {rubric.scale_of(item).span for item in rubric.criteria} if rubric is not None else {(0.0, 1.0)}
        )
        span = spans.pop() if len(spans) == 1 else None
        if span is not None:
            text = say("scores are of {span}: {legend}", span=span_text(span), legend=text)
        lines += [painter(line, "dim") for line in wrapped(text, columns, "     ")]
    elif len(keys) > 1 or not same:
        lines.append(
            painter("     " + say("-v shows each in full, --format json the score of each criterion"), "dim")
        )
    return "\n".join([*lines, "", *_totals(judgments, rubrics, painter, columns, say)]) + "\n"


def _cell(judgment: Judgment, key: str, asked: Collection[str]) -> str:
    """Return a score; one answer on a scale of whole numbers is a whole number."""
    spread = spreads_of(judgment).get(key)
    if spread is None:
        return NONE
    plain = key in asked and not judgment.repetitions
    return score_text(spread.mean) if plain else f"{spread.mean:.2f}"


def _answered(judgment: Judgment, say: Interface) -> str:
    coverage = total_coverage(judgment)
    return StyledText(coverage_text(coverage, say), "dim" if coverage.answered == coverage.asked else "error")


def _status(judgment: Judgment, say: Interface) -> str:
    status = judgment.status
    return status if status == "ok" else StyledText(say(status), "error")


def _totals(
    judgments: Sequence[Judgment],
    rubrics: Sequence[Rubric | None],
    painter: Painter,
    columns: int,
    say: Interface,
) -> list[str]:
    full = sum(item.status == "ok" for item in judgments)
    none = sum(without_verdict(item) for item in judgments)
    parts = [say("{number} judged in full", number=full)]
    if len(judgments) - full - none:
        parts.append(painter(say("{number} in part", number=len(judgments) - full - none), "warning"))
    if none:
        parts.append(painter(say("{number} without any score", number=none), "error"))
    text = say.label(say.count(len(judgments), "subject"), say.join(parts))
    overall = [item.scores["overall"] for item in judgments if item.scores and "overall" in item.scores]
    if overall:
        spans = {None if item is None else overall_span(item) for item in rubrics}
        span = spans.pop() if len(spans) == 1 else None
        scale = f" {say('of {span}', span=span_text(span))}" if span else ""
        some = say("over {number} of {all}", number=len(overall), all=len(judgments))
        over = f" {some}" if len(overall) < len(judgments) else ""
        mean = painter(f"{sum(overall) / len(overall):.2f}", "bold")
        text += f" · {say('mean overall')} {mean}{scale}{over}"
    problems: dict[str, int] = {}
    for gap in (gap for item in judgments for gap in total_coverage(item).gaps):
        reason = say.label(say(gap.status), gap.problem or say("no reason given"))
        problems[reason] = problems.get(reason, 0) + 1
    often = sorted(problems.items(), key=lambda pair: -pair[1])
    lines = [
        painter(line, "error")
        for reason, times in often[:_PROBLEMS]
        for line in wrapped(f"{times} × {reason}", columns, "  ")[:_REASON]
    ]
    if len(often) > _PROBLEMS:
        lines.append(
            painter(f"  {say('and {rest}', rest=say.count(len(often) - _PROBLEMS, 'other reason'))}", "error")
        )
    return [text, *lines]


def _criteria(judgments: Sequence[Judgment], rubric: Rubric | None) -> list[str]:
    """Return the keys of the columns beside the overall score."""
    if rubric is not None:
        keys = [item.key for item in rubric.criteria]
    else:
        keys = list(dict.fromkeys(key for item in judgments for key in item.scores or ()))
    return [key for key in keys if key != "overall"]
