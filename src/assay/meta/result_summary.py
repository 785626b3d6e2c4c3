"""What a notebook shows of results: one line in words, and tables with the verdicts below them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Final

from assay.meta.card_verdict import verdict_of
from assay.record import html_table
from assay.text.amounts import plural

if TYPE_CHECKING:
    from assay.measures.intervals import Estimate
    from assay.meta.results import BenchmarkResult

_NAMED: Final = 2


def summary_of(result: BenchmarkResult) -> str:
    """Return how many judges saw how many instances, and what the first of them detect."""
    asked = [
        (name, item)
        for name, item in zip(result.names, result.detections, strict=True)
        if item in result.asked
    ]
    shown = [f"{name} detects {_rate(item.accuracy)}" for name, item in asked[:_NAMED]]
    more = [f"{len(asked) - _NAMED} more"] if len(asked) > _NAMED else []
    judged = f"{plural(result.origin.instances, 'instance')}, {plural(len(asked), 'judge')}"
    return f"{judged}: {', '.join([*shown, *more])}" if shown else judged


def html_of(result: BenchmarkResult) -> str:
    """Return a table of the judges, their verdicts, and a table of the differences between them."""
    named = list(zip(result.names, result.detections, strict=True))
    columns = {
        "judge": [name for name, _ in named],
        "detected": [_percent(item.accuracy.value) for _, item in named],
        "95 %": [_ends(item.accuracy) for _, item in named],
        "ties": [f"{item.accuracy.ties} of {item.accuracy.n}" for _, item in named],
        "coverage": [_percent(item.coverage) for _, item in named],
    }
    parts = [html_table(columns, caption=f"BenchmarkResult: {summary_of(result)}", total=len(named))]
    done = result.origin.status == "done"
    parts += [
        f"<p><b>{html.escape(name)}</b>: {html.escape(verdict_of(item, finished=done))}</p>"
        for name, item in named
        if item in result.asked
    ]
    contrasts = [item for item in result.contrasts if item.difference.value is not None]
    if contrasts:
        columns = {
            "first": [item.first_name for item in contrasts],
            "less second": [item.second_name for item in contrasts],
            "differ in": [item.axis for item in contrasts],
            "points": [_points(item.difference.value) for item in contrasts],
            "95 %": [_ends(item.difference, signed=True) for item in contrasts],
            "p, corrected": [
                "–" if item.adjusted is None else p_text(item.adjusted).removeprefix("= ")
                for item in contrasts
            ],
        }
        parts.append(html_table(columns, caption="Differences on the same failures", total=len(contrasts)))
    return f"<div>{''.join(parts)}</div>"


def difference_text(difference: Estimate, adjusted: float | None) -> str:
    """Return a difference of shares in points, with its interval and the corrected p value."""
    if difference.value is None:
        return "nothing that both judged"
    ends = _ends(difference, signed=True)
    tested = "" if adjusted is None else f", p {p_text(adjusted)} (corrected)"
    return f"{_points(difference.value)} points{f' [{ends}]' if ends else ''}{tested}"


def p_text(p: float) -> str:
    """Return ``= 0.012`` or ``< 0.001``."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _rate(rate: Estimate) -> str:
    ends = _ends(rate)
    return (
        "nothing, without a verdict"
        if rate.value is None
        else _percent(rate.value) + (f" [{ends}]" if ends else "")
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:+.0f}"


def _ends(rate: Estimate, *, signed: bool = False) -> str:
    if rate.low is None or rate.high is None:
        return ""
    form = "+.0f" if signed else ".0f"
    return f"{100 * rate.low:{form}}, {100 * rate.high:{form}}"
