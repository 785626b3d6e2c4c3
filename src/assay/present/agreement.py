"""Judges beside people, for a terminal: a column a judge, a row a metric; strata, people, differences, confusion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, fit, visible
from assay.present.numbers import NONE, interval, number, p_value
from assay.present.table import NOTHING, Column, Table, table_of
from assay.present.terminal import split_lines, table_lines
from assay.present.wrapping import wrapped
from assay.text.amounts import money, plural, tokens

if TYPE_CHECKING:
    from assay.measures.calibration import Gain, Needed
    from assay.measures.intervals import Estimate
    from assay.meta.agreement_record import Agreement, JudgeAgreement
    from assay.meta.agreement_tests import JudgeComparison
    from assay.meta.human_agreement import HumanAgreement

_CELL: Final = 23
_HEADLINES: Final = (
    "llmbar.mean_of_orders",
    "judgebench.sum_of_orders",
    "agreement_accuracy",
    "accuracy",
    "cohen_kappa",
    "macro_f1",
    "quadratic_kappa",
    "pearson_mean_of_runs",
    "spearman",
    "pearson",
)
_KAPPA: Final = "cohen_kappa"
_PANEL: Final = "fleiss_kappa"
_MOST_CLASSES: Final = 9
_MOST_MATRICES: Final = 4
_MOST_TESTS: Final = 20
_MOST_REASONS: Final = 6


def agreement_text(agreement: Agreement, paint: Painter, columns: int = 100) -> str:
    """Return the agreement of judges with people as tables for a terminal."""
    parts = (
        [_about(agreement)],
        _judges(agreement, paint, columns),
        _metrics(agreement, paint, columns),
        _scales(agreement, columns),
        _strata(agreement, paint, columns),
        _people(agreement, paint, columns),
        _beside_raters(agreement, paint),
        _tests(agreement, paint),
        _confusions(agreement, paint),
        _calibration(agreement, paint, columns),
        _needed(agreement, paint),
        [line for note in agreement.notes for line in wrapped(f"Note: {note}.", columns)],
    )
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _about(agreement: Agreement) -> str:
    people = agreement.humans
    what = {"preference": "preferences", "score": "scores", "verdict": "verdicts"}[agreement.kind]
    tasks = max((judge_groups(judge) for judge in agreement.judges), default=0)
    labels, units = plural(people.labels, "label"), plural(people.units, "unit")
    by = plural(people.raters, "rater")
    return f"{labels} ({what}) by {by} on {units}; 95 % intervals rest on {plural(tasks, 'task')}."


def judge_groups(judge: JudgeAgreement) -> int:
    """Return the number of tasks that a judge's intervals rest on."""
    return max((item.clusters for item in judge.metrics.values()), default=0)


def _numbered(agreement: Agreement, columns: int) -> list[str]:
    """Return the judges' names with their numbers, by which the other tables call them."""
    return [
        fit(f"[{at}] {visible(judge.judge)}", columns) for at, judge in enumerate(agreement.judges, start=1)
    ]


def _judges(agreement: Agreement, paint: Painter, columns: int) -> list[str]:
    def missing(judge: JudgeAgreement) -> str:
        silent = [f"{times:,} {name}" for name, times in judge.statuses.items() if name != "ok" and times]
        return ", ".join([*silent, *([f"{judge.undecided:,} undecided"] if judge.undecided else [])])

    names = _numbered(agreement, max(24, columns - 60))
    columns_: list[Column[tuple[str, JudgeAgreement]]] = [
        ("JUDGE", lambda row: row[0]),
        ("COMPARED", lambda row: f"{row[1].n:,}"),
        ("COVERAGE", lambda row: NONE if row[1].coverage is None else f"{row[1].coverage:.1%}"),
        ("NO VERDICT", lambda row: missing(row[1])),
        ("NOT JUDGED", lambda row: f"{row[1].unjudged:,}"),
        ("REPETITIONS", lambda row: f"{row[1].repetitions}" if row[1].repetitions > 1 else ""),
        ("TOKENS", lambda row: tokens(row[1].tokens) if row[1].tokens else ""),
        ("COST", lambda row: money(row[1].cost) if row[1].cost else ""),
    ]
    table = table_of(zip(names, agreement.judges, strict=True), columns_, omit=NOTHING)
    lines = table_lines(table, paint)
    if any(judge.pointwise for judge in agreement.judges):
        lines.append(paint("Preferences were made by comparing scores of single subjects.", "dim"))
    return lines


def _metrics(agreement: Agreement, paint: Painter, columns: int) -> list[str]:
    names = list(dict.fromkeys(name for judge in agreement.judges for name in judge.metrics))
    rows = [[name, *(interval(judge.metrics.get(name)) for judge in agreement.judges)] for name in names]
    wrong = dict.fromkeys(name for judge in agreement.judges for name in judge.abstentions_wrong)
    # Beside each other: with abstentions left out, and with abstentions as wrong. Who never abstains has one figure.
    rows += [
        [
            f"{name}, abstained = wrong",
            *(
                interval(judge.abstentions_wrong.get(name, judge.metrics.get(name)))
                for judge in agreement.judges
            ),
        ]
        for name in wrong
    ]
    rows.sort(key=lambda row: names.index(row[0].partition(",")[0]))
    table = Table(
        heads=["METRIC", *_numbered(agreement, _CELL)],
        rows=rows,
        align="l" * (len(agreement.judges) + 1),
    )
    reasons: dict[str, dict[str, None]] = {}
    for at, judge in enumerate(agreement.judges, start=1):
        for name, item in judge.metrics.items():
            if item.reason:
                reasons.setdefault(item.reason, {}).setdefault(name)
            if item.n > judge.n:
                reasons.setdefault("counts missing verdicts too", {}).setdefault(f"[{at}] {name}")
            elif item.n != judge.n:
                text = f"rests on {item.n:,} of the {judge.n:,} compared"
                reasons.setdefault(text, {}).setdefault(f"[{at}] {name}")
    lines = split_lines(table, paint, columns)
    for reason, those in list(reasons.items())[:_MOST_REASONS]:
        text = f"{', '.join(map(visible, those))}: {reason}."
        lines += [paint(line, "dim") for line in wrapped(text, columns)]
    return lines


def _scales(agreement: Agreement, columns: int) -> list[str]:
    """Return what was taken for the scale of each judge, where scores are compared."""
    texts: dict[str, list[str]] = {}
    for at, judge in enumerate(agreement.judges, start=1):
        scale = judge.scale
        if scale is None or scale.judge is None or scale.labels is None:
            continue
        text = "scores {:.3g} to {:.3g}, labels {:.3g} to {:.3g}: ".format(*scale.judge, *scale.labels)
        if not scale.same:
            text += "taken for different scales, so only correlations are shown; "
            text += "--rescale LOW:HIGH=LOW:HIGH makes one of them."
        elif scale.grid is not None:
            text += f"taken for one scale with steps of {scale.grid.step:g}."
        else:
            text += "taken for one scale without steps, so there is no κ."
        texts.setdefault(text, []).append(f"[{at}]")
    return [line for text, those in texts.items() for line in wrapped(f"{', '.join(those)} {text}", columns)]


def _strata(agreement: Agreement, paint: Painter, columns: int) -> list[str]:
    lines: list[str] = []
    metric = _headline(agreement.judges)
    kappa = _KAPPA if all(_KAPPA in judge.metrics for judge in agreement.judges) else ""
    metrics = [metric, *([kappa] if kappa and kappa != metric else [])]
    heads = [
        head
        for at in range(1, len(agreement.judges) + 1)
        for head in (f"[{at}] N", *(f"[{at}] {name}" for name in metrics))
    ]
    people = agreement.humans.by
    shown = next((name for name in (_PANEL, *_HEADLINES) if name in _human_metrics(agreement.humans)), "")

    def cells(name: str, value: str) -> Iterator[str]:
        for judge in agreement.judges:
            item = judge.by.get(name, {}).get(value)
            yield NONE if item is None else f"{item.n:,}"
            yield from (interval(item.metrics.get(one)) if item else NONE for one in metrics)
        if shown:
            raters = people.get(name, {}).get(value)
            yield NONE if raters is None else interval(_human_metrics(raters).get(shown))

    for name in dict.fromkeys(name for judge in agreement.judges for name in judge.by):
        values = dict.fromkeys(value for judge in agreement.judges for value in judge.by.get(name, {}))
        rows = [(value, *cells(name, value)) for value in values]
        table = Table(heads=(name.upper(), *heads, *([f"PEOPLE {shown}"] if shown else [])), rows=rows)
        lines += [*([""] if lines else []), *split_lines(table, paint, columns, step=1 + len(metrics))]
    return lines


def _human_metrics(people: HumanAgreement) -> dict[str, Estimate]:
    return people.pairwise | people.panel


def _headline(judges: Sequence[JudgeAgreement]) -> str:
    """Return the metric to split by: the first of the usual ones that all judges have."""
    shared = set.intersection(*(set(judge.metrics) for judge in judges))
    named = [name for name in judges[0].metrics if name in shared]
    return next((name for name in _HEADLINES if name in shared), named[0] if named else "")


def _people(agreement: Agreement, paint: Painter, columns: int) -> list[str]:
    people = agreement.humans
    if people.raters < 2:
        text = "Only one person labelled each unit, so human–human agreement is not known."
        return [paint(line, "dim") for line in wrapped(text, columns)]
    left_out = f"; {people.split:,} split evenly and were left out" if people.split else ""
    if people.adjudicated:
        left_out = f"; {people.adjudicated:,} split evenly and were adjudicated{left_out}"
    shared = f"{plural(people.shared, 'unit')} of {people.units:,} with two ratings or more"
    lines = wrapped(f"People: {shared}{left_out}.", columns)
    if not people.shared:
        return lines
    names: list[str] = [name for name in _HEADLINES if name in people.pairwise or name in people.panel]
    names += [name for name in people.panel if name not in names]

    def column(estimates: Mapping[str, Estimate], name: str) -> str:
        return interval(estimates[name]) if name in estimates else ""

    table = table_of(
        names,
        [
            ("PEOPLE", lambda name: name),
            ("IN PAIRS", lambda name: column(people.pairwise, name)),
            ("ONE AGAINST THE OTHERS", lambda name: column(people.leave_one_out, name)),
            ("AS A PANEL", lambda name: column(people.panel, name)),
        ],
        omit=NOTHING,
    )
    return lines + table_lines(table, paint)


def _beside_raters(agreement: Agreement, paint: Painter) -> list[str]:
    """Return judges as raters, which alone is fair beside people: means agree better than their parts."""
    pairs = agreement.humans.pairwise
    names = [
        name for name in _HEADLINES if name in pairs and all(name in j.as_rater for j in agreement.judges)
    ]
    if not names:
        return []
    rows = [("people", *(interval(pairs[name]) for name in names[:3]))]
    for label, judge in zip(_numbered(agreement, 48), agreement.judges, strict=True):
        rows.append((label, *(interval(judge.as_rater[name]) for name in names[:3])))
    note = "A single judgment beside a single rating: a judge above the people agrees with them better than they do."
    table = Table(heads=("ONE BESIDE ONE", *names[:3]), rows=rows, omit=NOTHING, notes=[note])
    return table_lines(table, paint)


def _tests(agreement: Agreement, paint: Painter) -> list[str]:
    if not agreement.tests:
        return []
    place = {judge.judge: at for at, judge in enumerate(agreement.judges, start=1)}
    columns: list[Column[JudgeComparison]] = [
        ("DIFFERENCE", lambda item: f"[{place[item.first]}] - [{place[item.second]}]"),
        ("OF", lambda item: item.what),
        ("VALUE", lambda item: interval(item.difference)),
        ("N", lambda item: f"{item.difference.n:,}"),
        ("TEST", lambda item: item.test),
        ("P", lambda item: p_value(item.p)),
        ("P (HOLM)", lambda item: p_value(item.p_holm)),
        (
            "",
            lambda item: (
                item.reason
                or (f"[{place[item.better]}] nearer to people" if item.better else "not told apart")
            ),
        ),
    ]
    lines = table_lines(
        table_of(agreement.tests[:_MOST_TESTS], columns, align="lrrrlrrl", omit=NOTHING), paint
    )
    if len(agreement.tests) > _MOST_TESTS:
        lines.append(
            paint(f"… and {len(agreement.tests) - _MOST_TESTS:,} more (--format json has all)", "dim")
        )
    return lines


def _confusions(agreement: Agreement, paint: Painter) -> list[str]:
    lines: list[str] = []
    for at, judge in enumerate(agreement.judges[:_MOST_MATRICES], start=1):
        if judge.confusion and len(judge.classes) <= _MOST_CLASSES:
            counts = zip(judge.classes, judge.confusion, strict=True)
            rows = [(name, *(f"{times:,}" if times else "·" for times in row)) for name, row in counts]
            table = Table(heads=(f"PEOPLE \\ [{at}]", *judge.classes), rows=rows)
            lines += [*([""] if lines else []), *table_lines(table, paint)]
    return lines


def _calibration(agreement: Agreement, paint: Painter, columns: int) -> list[str]:
    if not agreement.calibration:
        return []
    scales = {judge.judge: judge.scale for judge in agreement.judges}
    rows = []
    notes = []
    for at, (judge, item) in enumerate(agreement.calibration.items(), start=1):
        scale = scales.get(judge)
        same = scale is not None and scale.same
        gains = (_gain(gain, same=same) for gain in (item.mad, item.accuracy, item.kappa))
        rows.append((f"[{at}] {judge}", *gains))
        notes += [f"[{at}] {item.reason}"] if item.reason else []
    if agreement.constant_mad is not None:
        text = f"Giving every unit the labels' median has a MAD of {agreement.constant_mad:.3f}: a map must beat that."
        notes.insert(0, text)
    one = next(iter(agreement.calibration.values()))
    kind = one.fitted.kind if one.fitted else "map"
    head = f"Calibrated ({kind}), tested on tasks the map was not fitted on, {one.folds} folds; "
    head += "gains above 0 are better:"
    table = Table(heads=("CALIBRATION", "MAD", "EXACT", "QUADRATIC κ"), rows=rows, omit=NOTHING)
    dim = [paint(line, "dim") for note in notes for line in wrapped(note, columns)]
    return [head, *table_lines(table, paint), *dim]


def _gain(gain: Gain | None, *, same: bool) -> str:
    if gain is None or gain.after is None:
        return NONE
    if not same:
        return f"→ {number(gain.after)}"
    return f"{number(gain.before)} → {number(gain.after)}, gain {interval(gain.gain)}"


def _needed(agreement: Agreement, paint: Painter) -> list[str]:
    some = next((item for those in agreement.needed.values() for item in those.values()), None)
    if some is None:
        return []
    counts = {judge.judge: judge.n for judge in agreement.judges}

    def labels(needed: Needed | None, there: int) -> str:
        if needed is None or needed.labels is None:
            return NONE
        return f"{needed.labels:,}" if needed.labels > there else "enough"

    names = dict.fromkeys(name for item in agreement.needed.values() for name in item)
    rows = [
        (name, *(labels(item.get(name), counts[judge]) for judge, item in agreement.needed.items()))
        for name in names
    ]
    heads = ("METRIC", *(f"[{at}] LABELS" for at in range(1, len(agreement.needed) + 1)))
    head = f"Labelled units needed in all for 95 % intervals of ±{some.half_width:g}, "
    head += "if judges and people stay as they are:"
    return [head, *table_lines(Table(heads=heads, rows=rows, omit=NOTHING), paint)]
