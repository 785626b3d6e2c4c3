"""Metrics, thresholds and drift for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, visible
from assay.present.numbers import percent, titled
from assay.present.table import NOTHING, Column, table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.text.amounts import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.measures.intervals import Estimate
    from assay.meta.drift import JudgeDrift
    from assay.meta.gate import JudgeMetrics, ThresholdCheck

_MOVED: Final = 10


def measures_text(judged: Sequence[JudgeMetrics], *, painter: Painter) -> str:
    """Return the metrics that can have a threshold, with their values."""
    parts = []
    for item in judged:
        columns: list[Column[tuple[str, Estimate]]] = [
            ("MEASURE", lambda row: row[0]),
            ("VALUE", lambda row: _number(row[1].value)),
            ("95 %", lambda row: _range(row[1])),
        ]
        lines = table_lines(table_of(item.measures.items(), columns, omit=NOTHING), painter)
        parts.append("\n".join([painter(visible(item.title), "bold"), *lines]))
    return "\n\n".join(parts) + "\n"


def gate_text(checks: Sequence[ThresholdCheck], *, painter: Painter, sure: bool) -> str:
    """Return a line for each threshold, kept or not, and what comes of it."""
    table = table_of(
        checks,
        [
            ("MEASURE", lambda one: one.bound.name),
            ("BOUND", lambda one: f"{'≥' if one.bound.side == 'min' else '≤'} {one.bound.value:g}"),
            ("VALUE", lambda one: _number(one.found.value)),
            ("95 %", lambda one: _range(one.found)),
            ("", lambda one: "kept" if one.met else "NOT KEPT"),
            ("JUDGE", lambda one: one.title),
        ],
        align="lrrrrl",
        omit=NOTHING,
    )
    lines = table_lines(table, painter)
    failed = [one for one in checks if not one.met]
    unknown = sum(one.found.value is None for one in failed)
    if failed:
        more = f", {unknown} of them not known" if unknown else ""
        lines.append(painter(f"{len(failed)} of {plural(len(checks), 'bound')} not kept{more}", "error"))
    else:
        how = "by the ends of their intervals" if sure else "by the values; --sure asks it of their intervals"
        lines.append(painter(f"all {plural(len(checks), 'bound')} kept, {how}", "good"))
    return "\n".join(lines) + "\n"


def drift_text(drift: JudgeDrift, *, painter: Painter, columns: int) -> str:
    """Return the verdicts then and now, and whether they differ by more than noise."""
    word = painter("it has drifted", "error") if drift.drifted else painter("no drift beyond noise", "good")
    lines = [f"{painter(visible(drift.judge), 'bold')}: {word}"]
    if drift.before != drift.now:
        lines.append(
            painter(
                f"version {drift.before or '–'} then, {drift.now or '–'} now: not the same judge", "warning"
            )
        )
    lines.append(
        f"{plural(drift.n, 'instance')} judged again, {len(drift.moved)} with another verdict"
        + (f" ({percent(drift.share.value, 1)} %)" if drift.share.value is not None else "")
    )
    if drift.accuracy_before is not None:
        p = "" if drift.p is None else f", p {drift.p:.3f} (McNemar)"
        lines.append(
            f"failures detected: {percent(drift.accuracy_before)} % then, {percent(drift.accuracy_now)} % now{p}"
        )
    if drift.shift is not None and drift.shift.value is not None:
        between = (
            f" [{drift.shift.low:+.3f}, {drift.shift.high:+.3f}]"
            if drift.shift.low is not None and drift.shift.high is not None
            else ""
        )
        lines.append(f"scores moved by {drift.shift.value:+.3f}{between} on the mean")
    if drift.noise is not None:
        lines.append(
            f"its own noise then: verdicts of {percent(drift.noise)} % of instances changed over repetitions"
        )
    else:
        text = "its own noise is not known: a run with --repetitions 3 would show it"
        lines += [painter(line, "dim") for line in wrapped(text, columns)]
    for one in drift.moved[:_MOVED]:
        lines.append(
            painter(
                f"  {one.instance}  {titled(one.type)}: {one.before or 'none'} → {one.now or 'none'}", "dim"
            )
        )
    if len(drift.moved) > _MOVED:
        lines.append(painter(f"  and {len(drift.moved) - _MOVED} more", "dim"))
    return "\n".join(lines) + "\n"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"


def _range(measure: Estimate) -> str:
    return "" if measure.low is None or measure.high is None else f"{measure.low:.3f}–{measure.high:.3f}"
