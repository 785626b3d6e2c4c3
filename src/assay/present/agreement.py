"""Judges beside people, for a terminal: a column a judge, a row a metric; strata, people, differences, confusion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, fit, pad, visible, width
from assay.present.run_tables import count as short
from assay.present.run_tables import money, table
from assay.present.words import count
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from assay.measures.calibration import Gain, Needed
    from assay.measures.intervals import Estimate
    from assay.meta.agreement_record import Agreement, JudgeAgreement

_CELL: Final = 23
_HEADLINES: Final = (
    "agreement_accuracy",
    "accuracy",
    "cohen_kappa",
    "macro_f1",
    "quadratic_kappa",
    "spearman",
    "pearson",
)
_MOST_CLASSES: Final = 9
_MOST_MATRICES: Final = 4
_MOST_TESTS: Final = 20
_MOST_REASONS: Final = 6


def number_text(value: float | None) -> str:
    """A value to three places; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def interval_text(found: Estimate | None) -> str:
    """``0.412 [0.310, 0.506]``; without an interval the value alone."""
    if found is None or found.value is None:
        return "–"
    if found.low is None or found.high is None:
        return number_text(found.value)
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def agreement_text(found: Agreement, paint: Painter, columns: int = 100) -> str:
    """All of it."""
    lines = [*_about(found), "", *_judges(found, paint, columns), "", *_metrics(found, paint, columns)]
    for part in (
        _scales(found, columns),
        _strata(found, paint, columns),
        _people(found, paint, columns),
        _one_beside_one(found, paint),
        _tests(found, paint),
        _confusions(found, paint),
        _calibration(found, paint, columns),
        _needed(found, paint),
        [line for note in found.notes for line in wrapped(f"Note: {note}.", columns)],
    ):
        if part:
            lines += ["", *part]
    return "\n".join(lines) + "\n"


def _about(found: Agreement) -> list[str]:
    people = found.humans
    what = {"preference": "preferences", "score": "scores", "verdict": "verdicts"}[found.kind]
    tasks = max((judge_groups(judge) for judge in found.judges), default=0)
    by = count(people.raters, "rater")
    labels, units = count(people.labels, "label"), count(people.units, "unit")
    return [f"{labels} ({what}) by {by} on {units}; 95 % intervals rest on {count(tasks, 'task')}."]


def judge_groups(judge: JudgeAgreement) -> int:
    """Tasks that a judge's intervals rest on."""
    return max((item.groups for item in judge.metrics.values()), default=0)


def _judges(found: Agreement, paint: Painter, columns: int) -> list[str]:
    rows = []
    for at, judge in enumerate(found.judges, start=1):
        silent = {name: number for name, number in judge.statuses.items() if name != "ok" and number}
        missing = ", ".join(f"{number:,} {name}" for name, number in silent.items())
        if judge.undecided:
            missing = ", ".join([*([missing] if missing else []), f"{judge.undecided:,} undecided"])
        rows.append(
            (
                fit(f"[{at}] {visible(judge.judge)}", max(24, columns - 60)),
                f"{judge.n:,}",
                "–" if judge.coverage is None else f"{judge.coverage:.1%}",
                missing,
                f"{judge.unjudged:,}",
                f"{judge.trials}" if judge.trials > 1 else "",
                short(judge.tokens) if judge.tokens else "",
                money(judge.cost) if judge.cost else "",
            )
        )
    titles = ("JUDGE", "COMPARED", "COVERAGE", "NO VERDICT", "NOT JUDGED", "TRIALS", "TOKENS", "COST")
    lines = table(titles, rows, paint)
    if any(judge.pointwise for judge in found.judges):
        lines.append(
            paint("Scores of single subjects were put beside each other to make preferences.", "dim")
        )
    return lines


def _metrics(found: Agreement, paint: Painter, columns: int) -> list[str]:
    names = list(dict.fromkeys(name for judge in found.judges for name in judge.metrics))
    wide = max(map(width, names), default=10)
    each = max(1, (columns - wide) // (_CELL + 2))
    lines: list[str] = []
    for start in range(0, len(found.judges), each):
        these = list(enumerate(found.judges, start=1))[start : start + each]
        heads = [fit(f"[{at}] {visible(judge.judge)}", _CELL) for at, judge in these]
        if lines:
            lines.append("")
        lines.append(
            paint("  ".join([pad("METRIC", wide), *(pad(head, _CELL) for head in heads)]).rstrip(), "dim")
        )
        for name in names:
            cells = [pad(interval_text(judge.metrics.get(name)), _CELL) for _, judge in these]
            lines.append("  ".join([pad(visible(name), wide), *cells]).rstrip())
    reasons: dict[str, dict[str, None]] = {}
    for at, judge in enumerate(found.judges, start=1):
        for name, item in judge.metrics.items():
            if item.reason:
                reasons.setdefault(item.reason, {}).setdefault(name)
            if item.n != judge.n:
                told = f"rests on {item.n:,} of the {judge.n:,} compared"
                reasons.setdefault(told, {}).setdefault(f"[{at}] {name}")
    for reason, those in list(reasons.items())[:_MOST_REASONS]:
        text = f"{', '.join(map(visible, those))}: {reason}."
        lines += [paint(line, "dim") for line in wrapped(text, columns)]
    return lines


def _scales(found: Agreement, columns: int) -> list[str]:
    """What was taken for the scale of each judge, where scores are compared."""
    told: dict[str, list[int]] = {}
    for at, judge in enumerate(found.judges, start=1):
        scale = judge.scale
        if scale is None or scale.judge is None or scale.labels is None:
            continue
        text = f"scores {_range(scale.judge)}, labels {_range(scale.labels)}: "
        if not scale.same:
            text += "taken for different scales, so only correlations; --rescale LOW:HIGH=LOW:HIGH makes one of them."
        elif scale.grid is not None:
            text += f"taken for one scale with steps of {scale.grid.step:g}."
        else:
            text += "taken for one scale without steps, so no κ."
        told.setdefault(text, []).append(at)
    return [
        line
        for text, those in told.items()
        for line in wrapped(f"{', '.join(f'[{at}]' for at in those)} {text}", columns)
    ]


def _range(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.3g} to {ends[1]:.3g}"


def _strata(found: Agreement, paint: Painter, columns: int) -> list[str]:
    lines: list[str] = []
    metric = _headline(found.judges)
    numbered = list(enumerate(found.judges, start=1))
    for name in dict.fromkeys(name for judge in found.judges for name in judge.by):
        values = list(dict.fromkeys(value for judge in found.judges for value in judge.by.get(name, {})))
        wide = max(map(width, (name, *values)), default=0)
        each = max(1, (columns - min(wide, 48)) // (_CELL + 10))
        for start in range(0, len(numbered), each):
            these = numbered[start : start + each]
            rows = []
            for value in values:
                some = [judge.by.get(name, {}).get(value) for _, judge in these]
                cells = [
                    cell
                    for item in some
                    for cell in (
                        (f"{item.n:,}", interval_text(item.metrics.get(metric))) if item else ("–", "–")
                    )
                ]
                rows.append((value, *cells))
            titles = [title for at, _ in these for title in (f"[{at}] N", f"[{at}] {metric}")]
            lines += [*([""] if lines else []), *table((name.upper(), *titles), rows, paint)]
    return lines


def _headline(judges: Sequence[JudgeAgreement]) -> str:
    """The metric to split by: the first of the usual ones that all judges have."""
    shared = set.intersection(*(set(judge.metrics) for judge in judges))
    named = [name for name in judges[0].metrics if name in shared]
    return next((name for name in _HEADLINES if name in shared), named[0] if named else "")


def _people(found: Agreement, paint: Painter, columns: int) -> list[str]:
    people = found.humans
    if people.raters < 2:
        return [
            paint(
                "One rater: how far people agree with each other, the ceiling for a judge, is not known.",
                "dim",
            )
        ]
    lines = [
        f"People: {count(people.shared, 'unit')} of {people.units:,} with two ratings or more"
        + (
            f"; {people.split:,} split evenly, without a truth to compare with, left out"
            if people.split
            else ""
        )
        + "."
    ]
    lines = [line for text in lines for line in wrapped(text, columns)]
    if not people.shared:
        return lines
    metric = [name for name in _HEADLINES if name in people.pairwise or name in people.panel]
    names = [*metric, *(name for name in people.panel if name not in metric)]
    rows = [
        (
            name,
            interval_text(people.pairwise.get(name)) if name in people.pairwise else "",
            interval_text(people.leave_one_out.get(name)) if name in people.leave_one_out else "",
            interval_text(people.panel.get(name)) if name in people.panel else "",
        )
        for name in names
    ]
    return lines + table(("PEOPLE", "IN PAIRS", "ONE AGAINST THE OTHERS", "AS A PANEL"), rows, paint)


def _one_beside_one(found: Agreement, paint: Painter) -> list[str]:
    """Judges as raters: the only fair way to hold them against the ceiling, since means agree better than their parts."""
    pairs = found.humans.pairwise
    names = [name for name in _HEADLINES if name in pairs and all(name in j.as_rater for j in found.judges)][
        :3
    ]
    if not names:
        return []
    rows = [("people", *(interval_text(pairs[name]) for name in names))]
    for at, judge in enumerate(found.judges, start=1):
        rows.append(
            (f"[{at}] {visible(judge.judge)}", *(interval_text(judge.as_rater[name]) for name in names))
        )
    told = "A single judgment beside a single rating: a judge above the people here agrees with them better than they do."
    return [*table(("ONE BESIDE ONE", *names), rows, paint), paint(told, "dim")]


def _tests(found: Agreement, paint: Painter) -> list[str]:
    if not found.tests:
        return []
    place = {judge.judge: at for at, judge in enumerate(found.judges, start=1)}
    rows = [
        (
            f"[{place[item.first]}] - [{place[item.second]}]",
            item.what,
            interval_text(item.difference),
            f"{item.difference.n:,}",
            item.test,
            _p(item.p),
            _p(item.p_holm),
            f"[{place[item.better]}] nearer to people" if item.better else "not told apart",
        )
        for item in found.tests[:_MOST_TESTS]
    ]
    titles = ("DIFFERENCE", "OF", "VALUE", "N", "TEST", "P", "P (HOLM)", "")
    lines = table(titles, rows, paint)
    if len(found.tests) > _MOST_TESTS:
        lines.append(paint(f"… and {len(found.tests) - _MOST_TESTS:,} more (--format json has all)", "dim"))
    return lines


def _p(value: float | None) -> str:
    return "–" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def _confusions(found: Agreement, paint: Painter) -> list[str]:
    lines: list[str] = []
    for at, judge in enumerate(found.judges[:_MOST_MATRICES], start=1):
        if not judge.confusion or len(judge.classes) > _MOST_CLASSES:
            continue
        rows = [
            (name, *(f"{number:,} " if not number else f"{number:,}" for number in row))
            for name, row in zip(judge.classes, judge.confusion, strict=True)
        ]
        rows = [(row[0], *(cell.strip() if cell.strip() != "0" else "·" for cell in row[1:])) for row in rows]
        if lines:
            lines.append("")
        lines += table((f"PEOPLE \\ [{at}]", *judge.classes), rows, paint)
    return lines


def _calibration(found: Agreement, paint: Painter, columns: int) -> list[str]:
    if not found.calibration:
        return []
    rows = []
    reasons = []
    scales = {judge.judge: judge.scale for judge in found.judges}
    for at, (judge, item) in enumerate(found.calibration.items(), start=1):
        scale = scales.get(judge)
        same = scale is not None and scale.same
        rows.append(
            (
                f"[{at}] {visible(judge)}",
                *(_gain(gain, same=same) for gain in (item.mad, item.accuracy, item.kappa)),
            )
        )
        if item.reason:
            reasons.append(f"[{at}] {item.reason}")
    one = next(iter(found.calibration.values()))
    kind = one.fitted.kind if one.fitted else "map"
    lines = [
        f"Calibrated ({kind}), tried on tasks that the map was not fitted on, {one.folds} folds; gains above 0 are better:"
    ]
    lines += table(("CALIBRATION", "MAD", "EXACT", "QUADRATIC κ"), rows, paint)
    if found.constant_mad is not None:
        told = f"To say the labels' median of everything has a MAD of {found.constant_mad:.3f}: a map must beat that."
        lines += [paint(line, "dim") for line in wrapped(told, columns)]
    return lines + [paint(line, "dim") for reason in reasons for line in wrapped(reason, columns)]


def _gain(found: Gain | None, *, same: bool) -> str:
    if found is None or found.after is None:
        return "–"
    if not same:
        return f"→ {number_text(found.after)}"
    return f"{number_text(found.before)} → {number_text(found.after)}, gain {interval_text(found.gain)}"


def _needed(found: Agreement, paint: Painter) -> list[str]:
    if not found.needed:
        return []
    metrics = list(dict.fromkeys(name for item in found.needed.values() for name in item))
    some = next((item for these in found.needed.values() for item in these.values()), None)
    there = {judge.judge: judge.n for judge in found.judges}
    rows = [
        (name, *(_many(item.get(name), there[judge]) for judge, item in found.needed.items()))
        for name in metrics
    ]
    titles: Sequence[str] = ("METRIC", *(f"[{at}] LABELS" for at in range(1, len(found.needed) + 1)))
    half = (
        ""
        if some is None
        else f"Labelled units in all that 95 % intervals of ±{some.half_width:g} take, judges and people being as they are:"
    )
    return [half, *table(titles, rows, paint)]


def _many(found: Needed | None, there: int) -> str:
    if found is None or found.labels is None:
        return "–"
    return f"{found.labels:,}" if found.labels > there else "enough"
