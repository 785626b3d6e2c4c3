"""Judgments of many subjects for a terminal: a table, in the order they were given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from assay.judges.coverage import Coverage
from assay.judges.identity import name_of
from assay.present.display import Painter
from assay.present.interface import Interface, interface_of
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
    from assay.rubrics.rubric import Rubric
    from assay.runs.recording_judge import RepetitionSet

_PROBLEMS: Final = 5
_REASON: Final = 3
_SHOWN: Final = 60


def table_text(subjects: Sequence[RepetitionSet], rubric_name: str, *, painter: Painter, columns: int) -> str:
    """Return overall score, scores, coverage and status of each subject, then all of them together.

    Args:
        subjects: Subjects judged by one rubric or one set of rubrics.
        rubric_name: Its name. If the subjects have rubrics of their own, the criteria have no columns.
        painter: Colours.
        columns: Width of the terminal.
    """
    rubric = subjects[0].rubric
    same = all(item.rubric == rubric for item in subjects)
    keys = _criteria(subjects, rubric) if same else []
    say = interface_of(item.subjects[0] for item in subjects)
    heads = short_heads(keys, say)
    names = shortened([name_of(item.subjects[0]) for item in subjects])
    asked = {item.key for item in rubric.criteria} if same and rubric is not None else set()

    def table(shown: Sequence[str]) -> Table:
        rows: list[Column[tuple[int, RepetitionSet]]] = [
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
        return table_of(enumerate(subjects[:_SHOWN]), rows, align=align)

    # Where the columns do not fit beside the names, the scores of the criteria are left to the other formats.
    shown = keys if min_width(table(keys)) <= columns else []
    lines = [painter(head_text(subjects[0], rubric, say, rubric_name="" if same else rubric_name), "dim")]
    lines += table_lines(table(shown), painter, columns)
    if len(subjects) > _SHOWN:
        lines.append(
            painter(
                "     "
                + say("… and {number} more (--format json shows all)", number=f"{len(subjects) - _SHOWN:,}"),
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
    return "\n".join([*lines, "", *_totals(subjects, painter, columns, say)]) + "\n"


def _cell(item: RepetitionSet, key: str, asked: Collection[str]) -> str:
    """Return a score; one answer on a scale of whole numbers is a whole number."""
    spread = item.trials.scores.get(key)
    if spread is None:
        return NONE
    plain = key in asked and len(item.judgments) == 1
    return score_text(spread.mean) if plain else f"{spread.mean:.2f}"


def _answered(item: RepetitionSet, say: Interface) -> str:
    coverage = total_coverage(item) if item.rubric is not None else Coverage(0, 0)
    return StyledText(coverage_text(coverage, say), "dim" if coverage.answered == coverage.asked else "error")


def _status(item: RepetitionSet, say: Interface) -> str:
    status = item.trials.judgment.status
    return status if status == "ok" else StyledText(say(status), "error")


def _totals(subjects: Sequence[RepetitionSet], painter: Painter, columns: int, say: Interface) -> list[str]:
    judgments = [item.trials.judgment for item in subjects]
    full = sum(item.status == "ok" for item in judgments)
    none = sum(without_verdict(item) for item in judgments)
    parts = [say("{number} judged in full", number=full)]
    if len(subjects) - full - none:
        parts.append(painter(say("{number} in part", number=len(subjects) - full - none), "warning"))
    if none:
        parts.append(painter(say("{number} without any score", number=none), "error"))
    text = say.label(say.count(len(subjects), "subject"), say.join(parts))
    overall = [item.scores["overall"] for item in judgments if item.scores and "overall" in item.scores]
    if overall:
        spans = {overall_span(item.rubric) if item.rubric is not None else None for item in subjects}
        span = spans.pop() if len(spans) == 1 else None
        scale = f" {say('of {span}', span=span_text(span))}" if span else ""
        some = say("over {number} of {all}", number=len(overall), all=len(subjects))
        over = f" {some}" if len(overall) < len(subjects) else ""
        mean = painter(f"{sum(overall) / len(overall):.2f}", "bold")
        text += f" · {say('mean overall')} {mean}{scale}{over}"
    problems: dict[str, int] = {}
    gaps = [gap for item in subjects if item.rubric is not None for gap in total_coverage(item).gaps]
    for gap in gaps:
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


def _criteria(subjects: Sequence[RepetitionSet], rubric: Rubric | None) -> list[str]:
    """Return the keys of the columns beside the overall score."""
    if rubric is not None:
        keys = [item.key for item in rubric.criteria]
    else:
        keys = list(dict.fromkeys(key for item in subjects for key in item.trials.scores))
    return [key for key in keys if key != "overall"]
