"""Benchmarks of judges for a terminal: how one was built, and what judges see on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.interventions.building import NEEDS_MODEL
from assay.meta.card_verdict import verdict_of
from assay.meta.trials import distinct_names
from assay.present.display import Painter, bar, fit, visible
from assay.present.numbers import NONE, between, number, of, p_value, percent, percent_sign, titled
from assay.present.table import NOTHING, Column, Table, table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.text.amounts import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assay.interventions.artefacts import Artefact
    from assay.interventions.manifest import Manifest
    from assay.measures.intervals import Estimate
    from assay.meta.contrasts import ConditionContrast
    from assay.meta.detection_record import Detection
    from assay.meta.results import BenchmarkResult
    from assay.meta.robustness import Robustness
    from assay.models.base import Usage

_BAR: Final = 10
# Names longer than this are cut in a table and stand in full below it.
_LONG_NAME: Final = 44
_PARTIAL: Final = {
    "interrupted": "it was interrupted",
    "stopped": "a cap was reached",
    "failed": "what it relies on failed",
}
# Said beside p values that few references keep from being small.
TOO_FEW: Final = (
    "≥: the smallest p that so few references with a difference allow, whatever the difference; the intervals do not "
    "depend on it, and more references would tell."
)
_DETECTORS: Final = {
    "longer": "the longer one is the reference",
    "shorter": "the shorter one is the reference",
    "length": "learned from length",
    "style": "learned from style",
}


def built_text(manifest: Manifest, folder: str, *, painter: Painter, columns: int) -> str:
    """Return what was built: types, what was refused and why, and artefacts that give the perturbed copy away."""
    lines = [
        painter(
            (
                f"{plural(manifest.instances, 'instance')} of {plural(manifest.references, 'reference')} in "
                f"{visible(folder)}"
            ),
            "bold",
        )
    ]
    without = [name for name, count in manifest.types.items() if NEEDS_MODEL in count.refused]
    # A type of reports is not even tried where all subjects are trajectories, and the other way round.
    tried = [
        (name, count)
        for name, count in manifest.types.items()
        if name not in without and (count.instances or count.refused)
    ]
    types = table_of(
        tried,
        [
            ("TYPE", lambda row: titled(row[0])),
            ("THERE", lambda row: of(row[1].instances, max(row[1].instances, row[1].wanted))),
            ("LONGER/SHORTER", lambda row: f"{row[1].longer}/{row[1].shorter}"),
            ("PATTERNS", lambda row: str(len(row[1].patterns))),
            ("REFUSED", lambda row: _refused(row[1].refused)),
        ],
        omit=NOTHING,
    )
    lines += ["", *table_lines(types, painter)]
    if any(item.accuracy.value is not None for item in manifest.artefacts):
        lines += [
            "",
            painter("What finds the reference and knows nothing of substance (0.50 is chance)", "bold"),
        ]
        detectors = table_of(
            manifest.artefacts,
            [
                ("DETECTOR", lambda item: _DETECTORS.get(item.detector, item.detector)),
                ("FINDS IT", lambda item: number(item.accuracy.value, 2)),
                ("95 %", lambda item: _ends(item.accuracy)),
                ("MOST BY TYPE", _most),
            ],
            omit=NOTHING,
        )
        lines += table_lines(detectors, painter)
    unusable = ", ".join(f"{number} {reason}" for reason, number in manifest.unusable.items())
    notes = []
    if unusable:
        notes.append(f"left out: {unusable}")
    named = {
        name: most
        for name, count in manifest.types.items()
        if (most := max(count.betrayed.values(), default=None)) is not None
    }
    if named:
        worst = ", ".join(f"{titled(name)} {number(value, 2)}" for name, value in named.items())
        notes.append(f"given away by length or style, so that detecting them proves little: {worst}")
    if without:
        notes.append(
            f"rules do not plant these well enough, so they need a model (--editor): {', '.join(map(titled, without))}"
        )
    disputed = sum(count.disputed for count in manifest.types.values())
    if disputed:
        notes.append(
            f"{disputed} disputed by the second reader: assay bench queue {folder} --disputed shows them to people"
        )
    short = [name for name, count in tried if count.instances < count.wanted]
    if short:
        notes.append(
            f"{plural(len(short), 'type')} with fewer than wanted; more subjects would offer more places"
        )
    notes.append(
        f"next: assay bench run {folder} --judge YOUR_JUDGE (or --judge rules, which needs no model)"
    )
    for note in notes:
        lines += [painter(line, "dim") for line in wrapped(note, columns)]
    return "\n".join(lines) + "\n"


def results_text(results: BenchmarkResult, *, painter: Painter, columns: int) -> str:
    """Return what judges detect: a line for each, then by type, under attack, and how conditions differ."""
    detections = list(results.detections)
    names, shared = distinct_names([item.condition for item in detections])
    head = f"{plural(results.origin.instances, 'instance')} of {visible(results.origin.bench)}"
    lines = [painter(" · ".join([head, *map(visible, shared)]), "bold")]
    labels = [chr(ord("A") + at) if at < 26 else str(at + 1) for at in range(len(detections))]
    if results.origin.status != "done":
        text = f"not all of it: {_PARTIAL[results.origin.status]}; instances put: " + ", ".join(
            f"{label} {len(own):,}" for label, own in zip(labels, results.trials, strict=True)
        )
        lines += [painter(line, "warning") for line in wrapped(text, columns)]
    elif left_out := _left_out(results, labels):
        lines += [painter(line, "dim") for text in left_out for line in wrapped(text, columns)]
    for label, own in zip(labels, detections, strict=True):
        if stopping := own.condition.settings.get("stopping"):
            low, high = (percent(end) for end in stopping["interval"])
            text = (
                f"{label} judged {stopping['references']} references: its accuracy per reference lies in {low}–{high} %, "
                f"an interval that holds at every moment with an error of {percent(stopping['error'])} %"
            )
            lines += [painter(line, "dim") for line in wrapped(text, columns)]
    lines.append("")
    lines += table_lines(
        _judges([f"{label}  {name}" for label, name in zip(labels, names, strict=True)], detections), painter
    )
    lines += [
        painter(line, "dim")
        for label, name in zip(labels, names, strict=True)
        if len(name) > _LONG_NAME
        for line in wrapped(f"{label}  {visible(name)}", columns)
    ]
    for label, item in zip(labels, detections, strict=True):
        if not item.condition.beside:
            text = f"{label}: {verdict_of(item, finished=results.origin.status == 'done')}"
            lines += ["", *wrapped(text, columns)]
    if any(item.by_type for item in detections):
        lines += ["", painter("By type", "bold")]
        lines += table_lines(_by_type(detections, labels), painter)
    attacked = [
        (label, item.robustness) for label, item in zip(labels, detections, strict=True) if item.robustness
    ]
    if attacked:
        lines += ["", painter("Attack success: lower is better", "bold")]
        lines += table_lines(_attacks(attacked), painter)
    more = _more(detections, labels)
    lines += ["", *table_lines(more, painter)] if more.rows else []
    contrasts = [item for item in results.contrasts if item.difference.value is not None]
    if contrasts:
        lines += ["", painter("Differences on the same failures", "bold")]
        lines += table_lines(_contrasts(contrasts, labels), painter)
        if any(item.too_few for item in contrasts):
            lines += [painter(line, "dim") for line in wrapped(TOO_FEW, columns)]
    missing = [
        f"{label}: {', '.join(f'{number} {status}' for status, number in item.statuses.items() if status != 'ok')}"
        for label, item in zip(labels, detections, strict=True)
        if set(item.statuses) - {"ok"}
    ]
    if missing:
        lines += [""] + [
            painter(line, "error") for line in wrapped("without a verdict – " + "; ".join(missing), columns)
        ]
    return "\n".join(lines) + "\n"


def _judges(names: Sequence[str], detections: Sequence[Detection]) -> Table:
    columns: list[Column[tuple[str, Detection]]] = [
        ("JUDGE", lambda row: row[0]),
        ("DETECTS", lambda row: percent_sign(row[1].accuracy.value)),
        ("95 %", lambda row: between(row[1].accuracy)),
        ("TIES", lambda row: str(row[1].accuracy.ties)),
        ("VERDICTS", lambda row: f"{percent(row[1].coverage)} %"),
        (("TOKENS", "COST"), lambda row: _spent(row[1].spent.usage)),
    ]
    return table_of(zip(names, detections, strict=True), columns, omit=NOTHING)


def _left_out(results: BenchmarkResult, labels: Sequence[str]) -> list[str]:
    """Return which judges were not put to all instances, and why where their interface is the reason."""
    whole = results.origin.instances
    found: dict[str, list[str]] = {}
    for label, item, own in zip(labels, results.detections, results.trials, strict=False):
        if len(own) < whole:
            text = f"{len(own):,} of the {whole:,} instances"
            if item.condition.interface == "ranking":
                text += ": a ranking takes failures and targeted attacks only"
            elif item.condition.granularity == "fine":
                text += ": only failures and targeted attacks have a part to judge"
            found.setdefault(text, []).append(label)
    return [f"{', '.join(those)} judged {text}" for text, those in found.items()]


def _spent(usage: Usage) -> tuple[str, str]:
    if not usage.calls:
        return "", ""
    cost = "?" if usage.cost_usd is None else f"${usage.cost_usd:.2f}"
    return f"{usage.input_tokens + usage.output_tokens:,}", cost


def _by_type(detections: Sequence[Detection], labels: Sequence[str]) -> Table:
    first = detections[0].by_type

    def drawn(name: str) -> str:
        value = first[name].value if name in first else None
        return " " * _BAR if value is None else bar(value, _BAR)

    def shares(name: str) -> list[str]:
        return [percent(item.by_type[name].value) if name in item.by_type else "" for item in detections]

    return table_of(
        dict.fromkeys(name for item in detections for name in item.by_type),
        [
            ("TYPE", titled),
            (
                "N",
                lambda name: str(
                    max(item.by_type[name].instances for item in detections if name in item.by_type)
                ),
            ),
            (labels[0], drawn),
            ([f"{label} %" for label in labels], shares),
            (f"95 % of {labels[0]}", lambda name: between(first[name]) if name in first else ""),
        ],
        omit=("",),
    )


def _attacks(detections: Sequence[tuple[str, Robustness]]) -> Table:
    results = [item for _, item in detections]
    rows: list[tuple[str, list[Estimate | None]]] = [
        (titled(name), [item.asr.get(name) for item in results])
        for name in dict.fromkeys(name for item in results for name in item.asr)
    ]
    totals: list[tuple[str, list[Estimate | None]]] = [
        ("all targeted attacks", [item.asr_targeted for item in results]),
        ("all surface attacks", [item.asr_bias for item in results]),
        ("all manipulations", [item.asr_manipulation for item in results]),
        ("isolation (higher is better)", [item.ir_all for item in results]),
        ("a winner among identical texts", [item.position for item in results]),
    ]
    rows += [(title, own) for title, own in totals if any(item and item.n for item in own)]
    return table_of(
        rows,
        [
            ("ATTACK", lambda row: row[0]),
            ("N", lambda row: str(max(item.n for item in row[1] if item))),
            (
                [f"{label} %" for label, _ in detections],
                lambda row: [percent(item.value) if item else "" for item in row[1]],
            ),
            (f"95 % of {detections[0][0]}", lambda row: between(row[1][0]) if row[1][0] else ""),
        ],
        omit=("",),
    )


def _more(detections: Sequence[Detection], labels: Sequence[str]) -> Table:
    """Return what else is known of each judge; a row that no judge has a figure for is left out."""

    def best(size: int) -> Callable[[Detection], str]:
        return lambda item: next(
            (f"{percent(best.accuracy.value)} %" for best in item.best_of_n if best.n == size), ""
        )

    def share(estimate: Estimate | None) -> str:
        return "" if estimate is None or estimate.value is None else f"{percent(estimate.value)} %"

    sizes = sorted({best.n for item in detections for best in item.best_of_n if best.n > 2})
    shown = [size for size in sizes if size in (4, 8)] or sizes[-1:]
    figures: dict[str, Callable[[Detection], str]] = {
        **{f"best of {size} (chance {percent(1 / size)} %)": best(size) for size in shown},
        "names the step": lambda item: share(item.localisation.step_exact if item.localisation else None),
        "names the passage": lambda item: share(item.localisation.span_hit if item.localisation else None),
        "names it or a fault of the work's own": lambda item: share(
            item.localisation.real_fault if item.localisation else None
        ),
        "same in both orders": lambda item: share(item.orders.consistent if item.orders else None),
        "prefers what comes first": lambda item: share(item.orders.first if item.orders else None),
        "ties": lambda item: (
            f"{percent(item.gaps.ties)} %" if item.gaps and item.gaps.ties is not None else ""
        ),
        "flips over repetitions": lambda item: share(item.noise),
        "cost of a detected failure": lambda item: (
            f"${item.spent.cost_per_correct:.4f}" if item.spent.cost_per_correct else ""
        ),
        "tokens of a detected failure": lambda item: (
            "" if item.spent.tokens_per_correct is None else f"{item.spent.tokens_per_correct:,.0f}"
        ),
    }
    rows = [[title, *map(figure, detections)] for title, figure in figures.items()]
    return Table(heads=("", *labels), rows=[row for row in rows if any(row[1:])], omit=NOTHING)


def _contrasts(contrasts: Sequence[ConditionContrast], labels: Sequence[str]) -> Table:
    def points(value: float | None) -> str:
        return NONE if value is None else f"{100 * value:+.0f}"

    def ends(estimate: Estimate) -> str:
        known = estimate.low is not None and estimate.high is not None
        return f"{points(estimate.low)} to {points(estimate.high)}" if known else ""

    return table_of(
        contrasts,
        [
            ("", lambda item: f"{labels[item.first]} less {labels[item.second]}: {item.axis}"),
            ("DIFFERENCE", lambda item: points(item.difference.value)),
            ("95 %", lambda item: ends(item.difference)),
            ("ONLY 1ST", lambda item: str(item.only_first)),
            ("ONLY 2ND", lambda item: str(item.only_second)),
            ("REFERENCES", lambda item: str(item.references)),
            ("p, CORRECTED", corrected_p),
        ],
        omit=NOTHING,
    )


def corrected_p(contrast: ConditionContrast) -> str:
    """Return the corrected p value, and the smallest possible one if that is not significant."""
    if contrast.adjusted is None:
        return ""
    return p_value(contrast.adjusted) + (f" (≥ {p_value(contrast.least)})" if contrast.too_few else "")


def _refused(reasons: Mapping[str, int]) -> str:
    """Return how many candidates were refused, and most often why."""
    if not reasons:
        return "0"
    most = max(reasons, key=reasons.__getitem__)
    return f"{sum(reasons.values()):,}, mostly {titled(most.split(':')[0])}"


def _most(artefact: Artefact) -> str:
    """Return the type whose reference a detector finds most often."""
    known = {name: rate.value for name, rate in artefact.by_type.items() if rate.value is not None}
    if not known:
        return fit(artefact.reason, 50)
    name = max(known, key=known.__getitem__)
    return f"{known[name]:.2f} {titled(name)}"


def _ends(estimate: Estimate) -> str:
    known = estimate.low is not None and estimate.high is not None
    return f"{number(estimate.low, 2)}–{number(estimate.high, 2)}" if known else ""
