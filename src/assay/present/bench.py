"""Benchmarks of judges for a terminal: how one was built, and what judges see on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.display import Painter, bar, fit, visible
from assay.present.run_tables import table
from assay.present.words import count
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.interventions.artefacts import Artefact
    from assay.interventions.manifest import Manifest
    from assay.measures.intervals import Estimate
    from assay.meta.contrasts import ConditionContrast
    from assay.meta.detection_record import Detection, DetectionRate
    from assay.meta.results import Results
    from assay.meta.robustness import Robustness
    from assay.meta.trials import Condition

_BAR: Final = 10
# Names longer than this are cut in a table, and said in full below it.
_LONG_NAME: Final = 44
_PARTIAL: Final = {
    "interrupted": "it was interrupted",
    "stopped": "a cap was reached",
    "failed": "what it relies on failed",
}
_DETECTORS: Final = {
    "longer": "the longer one is the reference",
    "shorter": "the shorter one is the reference",
    "length": "learned from length",
    "style": "learned from style",
}


def built_text(manifest: Manifest, folder: str, *, painter: Painter, columns: int) -> str:
    """What was built: types, what was refused and why, and what gives the benchmark away."""
    lines = [
        painter(
            f"{count(manifest.instances, 'instance')} of {count(manifest.references, 'reference')} in {visible(folder)}",
            "bold",
        )
    ]
    rows = []
    for name, found in manifest.types.items():
        refused = sum(found.refused.values())
        most = max(found.refused, key=found.refused.__getitem__) if refused else ""
        rows.append(
            (
                titled(name),
                f"{found.instances}" + (f" of {found.wanted}" if found.instances < found.wanted else ""),
                f"{found.longer}/{found.shorter}",
                str(len(found.patterns)),
                f"{refused:,}" + (f", mostly {most.split(':')[0].replace('_', ' ')}" if refused else ""),
            )
        )
    lines += ["", *table(("TYPE", "THERE", "LONGER/SHORTER", "PATTERNS", "REFUSED"), rows, painter)]
    if manifest.artefacts:
        lines += [
            "",
            painter("What finds the reference and knows nothing of substance (0.50 is chance)", "bold"),
        ]
        lines += table(
            ("DETECTOR", "FINDS IT", "95 %", "MOST BY TYPE"),
            [_detector(item) for item in manifest.artefacts],
            painter,
        )
    unusable = ", ".join(f"{number} {reason}" for reason, number in manifest.unusable.items())
    notes = []
    if unusable:
        notes.append(f"left out: {unusable}")
    short = [name for name, found in manifest.types.items() if found.instances < found.wanted]
    if short:
        notes.append(
            f"{count(len(short), 'type')} with fewer than wanted; more subjects would offer more places"
        )
    notes.append(f"next: assay bench run {folder} --judge rules")
    for note in notes:
        lines += [painter(line, "dim") for line in wrapped(note, columns)]
    return "\n".join(lines) + "\n"


def results_text(results: Results, *, painter: Painter, columns: int) -> str:
    """What judges see: a line each, then by type beside each other, what attacks do, and what sets conditions apart."""
    found = list(results.detections)
    names, shared = _names([item.condition for item in found])
    head = f"{count(results.origin.instances, 'instance')} of {visible(results.origin.bench)}"
    lines = [painter(" · ".join([head, *map(visible, shared)]), "bold")]
    labels = [chr(ord("A") + at) if at < 26 else str(at + 1) for at in range(len(found))]
    if results.origin.status != "done":
        text = f"not all of it: {_PARTIAL[results.origin.status]}; instances put: " + ", ".join(
            f"{label} {len(own):,}" for label, own in zip(labels, results.trials, strict=True)
        )
        lines += [painter(line, "warning") for line in wrapped(text, columns)]
    lines.append("")
    lines += table(
        ("JUDGE", "DETECTS", "95 %", "TIES", "VERDICTS", "TOKENS", "COST"),
        [_overall(f"{label}  {name}", item) for label, name, item in zip(labels, names, found, strict=True)],
        painter,
    )
    lines += [
        painter(line, "dim")
        for label, name in zip(labels, names, strict=True)
        if len(name) > _LONG_NAME
        for line in wrapped(f"{label}  {visible(name)}", columns)
    ]
    if any(item.by_type for item in found):
        lines += ["", painter("By type", "bold")]
        lines += _by_type(found, labels, painter)
    attacked = [
        (label, item.robustness) for label, item in zip(labels, found, strict=True) if item.robustness
    ]
    if attacked:
        lines += ["", painter("Attack success: lower is better", "bold")]
        lines += _attacks(attacked, painter)
    lines += _more(found, labels, painter)
    contrasts = [item for item in results.contrasts if item.difference.value is not None]
    if contrasts:
        lines += ["", painter("Differences on the same failures", "bold")]
        lines += table(
            ("", "DIFFERENCE", "95 %", "ONLY 1ST", "ONLY 2ND", "p, CORRECTED"),
            [_contrast(item, labels) for item in contrasts],
            painter,
        )
    missing = [
        f"{label}: {', '.join(f'{number} {status}' for status, number in item.statuses.items() if status != 'ok')}"
        for label, item in zip(labels, found, strict=True)
        if set(item.statuses) - {"ok"}
    ]
    if missing:
        lines += [""] + [
            painter(line, "error") for line in wrapped("without a verdict – " + "; ".join(missing), columns)
        ]
    return "\n".join(lines) + "\n"


def titled(name: str) -> str:
    """A type's key as words."""
    return name.replace("_", " ")


def percent(value: float | None, digits: int = 0) -> str:
    """A share as a number of per cent, or a dash."""
    return "–" if value is None else f"{100 * value:.{digits}f}"


def _range(found: Estimate | DetectionRate) -> str:
    return "" if found.low is None or found.high is None else f"{percent(found.low)}–{percent(found.high)}"


def _names(conditions: Sequence[Condition]) -> tuple[list[str], list[str]]:
    """What conditions are called where they stand together, and what need not be said of each: it is so of all."""
    told = [item.name.split(" · ")[1:] for item in conditions]
    shared = []
    for at in range(max(map(len, told), default=0)):
        parts = {parts[at] for parts in told if len(parts) > at}
        if len(parts) == 1:
            shared.append((at, parts.pop()))
    known = {at for at, _ in shared}
    names = [
        " · ".join([item.judge, *(part for at, part in enumerate(parts) if at not in known)])
        for item, parts in zip(conditions, told, strict=True)
    ]
    return names, [part for _, part in shared]


def _overall(label: str, item: Detection) -> tuple[str, ...]:
    usage = item.spent.usage
    tokens = usage.input_tokens + usage.output_tokens
    cost = "" if not usage.calls else "?" if usage.cost_usd is None else f"${usage.cost_usd:.2f}"
    return (
        label,
        f"{percent(item.accuracy.value)} %" if item.accuracy.value is not None else "–",
        _range(item.accuracy),
        str(item.accuracy.ties),
        f"{percent(item.coverage)} %",
        f"{tokens:,}" if usage.calls else "",
        cost,
    )


def _by_type(found: Sequence[Detection], labels: Sequence[str], painter: Painter) -> list[str]:
    names = list(dict.fromkeys(name for item in found for name in item.by_type))
    first = found[0].by_type
    rows = []
    for name in names:
        rate = first.get(name)
        drawn = bar(rate.value, _BAR) if rate is not None and rate.value is not None else " " * _BAR
        number = max((item.by_type[name].instances for item in found if name in item.by_type), default=0)
        cells = [percent(item.by_type[name].value) if name in item.by_type else "" for item in found]
        rows.append((titled(name), str(number), drawn, *cells, _range(rate) if rate is not None else ""))
    return table(
        ("TYPE", "N", labels[0], *(f"{label} %" for label in labels), f"95 % of {labels[0]}"),
        rows,
        painter,
        noughts=True,
    )


def _attacks(found: Sequence[tuple[str, Robustness]], painter: Painter) -> list[str]:
    names = list(dict.fromkeys(name for _, item in found for name in item.asr))
    rows = [
        (
            titled(name),
            str(max(item.asr[name].n for _, item in found if name in item.asr)),
            *(percent(item.asr[name].value) if name in item.asr else "" for _, item in found),
            _range(found[0][1].asr[name]) if name in found[0][1].asr else "",
        )
        for name in names
    ]
    for title, key in (
        ("all targeted", "asr_targeted"),
        ("all of surface", "asr_bias"),
        ("all beyond the paper", "asr_manipulation"),
    ):
        estimates: list[Estimate] = [getattr(item, key) for _, item in found]
        if any(item.n for item in estimates):
            rows.append(
                (
                    title,
                    str(max(item.n for item in estimates)),
                    *(percent(item.value) for item in estimates),
                    _range(estimates[0]),
                )
            )
    isolated = [item.ir_all for _, item in found]
    if any(item.n for item in isolated):
        rows.append(
            (
                "isolation (higher is better)",
                str(max(item.n for item in isolated)),
                *(percent(item.value) for item in isolated),
                _range(isolated[0]),
            )
        )
    places = [item.position for _, item in found]
    if any(places):
        rows.append(
            (
                "a winner among identical texts",
                str(max(item.n for item in places if item)),
                *(percent(item.value) if item else "" for item in places),
                _range(places[0]) if places[0] else "",
            )
        )
    return table(
        ("ATTACK", "N", *(f"{label} %" for label, _ in found), f"95 % of {found[0][0]}"),
        rows,
        painter,
        noughts=True,
    )


def _more(found: Sequence[Detection], labels: Sequence[str], painter: Painter) -> list[str]:
    rows: list[tuple[str, ...]] = []

    def row(title: str, cells: Iterable[str]) -> None:
        made = list(cells)
        if any(made):
            rows.append((title, *made))

    sizes = sorted({best.n for item in found for best in item.best_of_n if best.n > 2})
    for size in [size for size in sizes if size in (4, 8)] or sizes[-1:]:
        row(
            f"best of {size} (chance {percent(1 / size)} %)",
            (
                next((f"{percent(best.accuracy.value)} %" for best in item.best_of_n if best.n == size), "")
                for item in found
            ),
        )
    row(
        "names the step",
        (_estimate(item.localisation.step_exact) if item.localisation else "" for item in found),
    )
    row(
        "names the passage",
        (_estimate(item.localisation.span_hit) if item.localisation else "" for item in found),
    )
    row("same in both orders", (_estimate(item.orders.consistent) if item.orders else "" for item in found))
    row("prefers what comes first", (_estimate(item.orders.first) if item.orders else "" for item in found))
    row(
        "ties",
        (
            f"{percent(item.gaps.ties)} %" if item.gaps and item.gaps.ties is not None else ""
            for item in found
        ),
    )
    row("flips over trials", (_estimate(item.noise) if item.noise else "" for item in found))
    row(
        "cost of a detected failure",
        (f"${item.spent.cost_per_correct:.4f}" if item.spent.cost_per_correct else "" for item in found),
    )
    row(
        "tokens of a detected failure",
        (
            f"{item.spent.tokens_per_correct:,.0f}" if item.spent.tokens_per_correct is not None else ""
            for item in found
        ),
    )
    return ["", *table(("", *labels), rows, painter)] if rows else []


def _estimate(found: Estimate) -> str:
    return "" if found.value is None else f"{percent(found.value)} %"


def _contrast(item: ConditionContrast, labels: Sequence[str]) -> tuple[str, ...]:
    difference = item.difference
    said = "–" if difference.value is None else f"{100 * difference.value:+.0f}"
    between = (
        ""
        if difference.low is None or difference.high is None
        else f"{100 * difference.low:+.0f} to {100 * difference.high:+.0f}"
    )
    p = "" if item.adjusted is None else "<0.001" if item.adjusted < 0.001 else f"{item.adjusted:.3f}"
    name = f"{labels[item.first]} less {labels[item.second]}: {item.axis}"
    return name, said, between, str(item.only_first), str(item.only_second), p


def _detector(item: Artefact) -> tuple[str, ...]:
    known = {name: rate.value for name, rate in item.by_type.items() if rate.value is not None}
    worst = max(known, key=known.__getitem__) if known else ""
    value = item.accuracy.value
    return (
        _DETECTORS.get(item.detector, item.detector),
        "–" if value is None else f"{value:.2f}",
        ""
        if item.accuracy.low is None or item.accuracy.high is None
        else f"{item.accuracy.low:.2f}–{item.accuracy.high:.2f}",
        f"{known[worst]:.2f} {titled(worst)}" if worst else fit(item.reason, 50),
    )
