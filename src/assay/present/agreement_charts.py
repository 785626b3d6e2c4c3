"""Charts of the agreement of judges with people: metrics with intervals, confusions, what calibration gains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.charts import Bar, BarGroup, bars
from assay.present.heat_map import HeatCell, heat
from assay.present.numbers import interval

if TYPE_CHECKING:
    from assay.measures.calibration import Gain
    from assay.meta.agreement_record import Agreement, JudgeAgreement
    from assay.present.chart import Chart

# In points of the scale, where all others are shares, coefficients and correlations.
_POINTS: Final = ("mad",)
# The confusions show the classes.
_OF_CLASS: Final = "f1["
_MOST_CLASSES: Final = 9


def agreement_charts(agreement: Agreement) -> list[Chart]:
    """Return the charts of an agreement: metrics of judges beside people, confusions, and calibration if there is one."""
    found = [_metrics(agreement)]
    found += [
        _confusion(judge, number)
        for number, judge in enumerate(agreement.judges, start=1)
        if judge.confusion and len(judge.classes) <= _MOST_CLASSES
    ]
    if any(item.accuracy or item.kappa for item in agreement.calibration.values()):
        found.append(_calibration(agreement))
    return found


def _metrics(agreement: Agreement) -> Chart:
    names = dict.fromkeys(name for judge in agreement.judges for name in judge.metrics)
    groups: list[BarGroup] = []
    for name in names:
        if name in _POINTS or name.startswith(_OF_CLASS):
            continue
        rows = [(judge.judge, judge.metrics.get(name)) for judge in agreement.judges]
        rows.append(("people among themselves", agreement.humans.pairwise.get(name)))
        own = [
            Bar(
                label=label,
                value=item.value,
                low=item.low,
                high=item.high,
                series=number if label != "people among themselves" else 5,
                about=f"{label}, {name}: {interval(item)}",
            )
            for number, (label, item) in enumerate(rows)
            if item is not None and item.value is not None
        ]
        if own:
            groups.append(BarGroup(name.replace("_", " "), own))
    return bars(groups, key="agreement", title="Agreement with people, and its 95 % intervals")


def _confusion(judge: JudgeAgreement, number: int) -> Chart:
    cells: dict[tuple[str, str], HeatCell] = {}
    for truth, row in zip(judge.classes, judge.confusion, strict=True):
        whole = sum(row)
        for said, count in zip(judge.classes, row, strict=True):
            about = f"people say {truth}, {judge.judge} says {said}: {count:,} of {whole:,}"
            cells[truth, said] = HeatCell(count / whole if whole else None, about)
    return heat(
        judge.classes,
        judge.classes,
        cells,
        key=f"confusion-{number}",
        title=f"What {judge.judge} says (columns) where people say (rows), % of the row",
    )


def _calibration(agreement: Agreement) -> Chart:
    def bar(name: str, gain: Gain, series: int) -> Bar:
        about = f"{name}: {gain.before} before, {gain.after} after; gain {interval(gain.gain)}"
        return Bar(label=name, value=gain.after, second=gain.before, series=series, about=about)

    groups = [
        BarGroup(
            title,
            [
                bar(judge, gain, number)
                for number, (judge, item) in enumerate(agreement.calibration.items())
                if (gain := getattr(item, key)) is not None and gain.after is not None
            ],
        )
        for key, title in (("accuracy", "exact labels"), ("kappa", "quadratic κ"))
    ]
    return bars(
        [group for group in groups if group.bars],
        key="calibration",
        title="Out of sample with a map of the scores, and without (pale)",
    )
