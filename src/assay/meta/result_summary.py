"""What a notebook shows of results: one line in words, and tables with the verdicts below them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Final

from assay.meta.card_verdict import verdict_of
from assay.meta.contrasts import p_text, percent_ends, points
from assay.record import html_table
from assay.text.amounts import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.measures.intervals import Estimate
    from assay.meta.contrasts import ConditionContrast
    from assay.meta.detection_record import Detection

_NAMED: Final = 2


def summary_of(instances: int, asked: Sequence[tuple[str, Detection]]) -> str:
    """Return how many judges saw how many instances, and what the first of them detect."""
    shown = [f"{name} detects {_rate(item.accuracy)}" for name, item in asked[:_NAMED]]
    more = [f"{len(asked) - _NAMED} more"] if len(asked) > _NAMED else []
    judged = f"{plural(instances, 'instance')}, {plural(len(asked), 'judge')}"
    return f"{judged}: {', '.join([*shown, *more])}" if shown else judged


def html_of(
    caption: str,
    named: Sequence[tuple[str, Detection]],
    contrasts: Sequence[ConditionContrast],
    *,
    verdicts_on: Sequence[Detection],
    finished: bool,
) -> str:
    """Return a table of the judges, the verdicts on some, and a table of the differences between them."""
    columns = {
        "judge": [name for name, _ in named],
        "detected": [_percent(item.accuracy.value) for _, item in named],
        "95 %": [percent_ends(item.accuracy) for _, item in named],
        "ties": [f"{item.accuracy.ties} of {item.accuracy.n}" for _, item in named],
        "coverage": [_percent(item.coverage) for _, item in named],
    }
    parts = [html_table(columns, caption=caption, total=len(named))]
    parts += [
        f"<p><b>{html.escape(name)}</b>: {html.escape(verdict_of(item, finished=finished))}</p>"
        for name, item in named
        if item in verdicts_on
    ]
    contrasts = [item for item in contrasts if item.difference.value is not None]
    if contrasts:
        columns = {
            "first": [item.first_name for item in contrasts],
            "less second": [item.second_name for item in contrasts],
            "differ in": [item.axis for item in contrasts],
            "points": [points(item.difference.value) for item in contrasts],
            "95 %": [percent_ends(item.difference, signed=True) for item in contrasts],
            "p, corrected": [
                "–" if item.adjusted is None else p_text(item.adjusted).removeprefix("= ")
                for item in contrasts
            ],
        }
        parts.append(html_table(columns, caption="Differences on the same failures", total=len(contrasts)))
    return f"<div>{''.join(parts)}</div>"


def _rate(rate: Estimate) -> str:
    ends = percent_ends(rate)
    return (
        "nothing, without a verdict"
        if rate.value is None
        else _percent(rate.value) + (f" [{ends}]" if ends else "")
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"
