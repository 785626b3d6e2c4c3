"""Stability of judges, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.present.agreement import interval_text, number_text
from assay.present.display import Painter, visible
from assay.present.run_tables import count as short
from assay.present.run_tables import money, table
from assay.present.wrapping import wrapped

if TYPE_CHECKING:
    from assay.meta.stability import JudgeStability, Stability


def stability_text(found: Stability, paint: Painter, columns: int = 100) -> str:
    """All of it."""
    lines: list[str] = []
    for mode in ("score", "pair"):
        rows = [_row(item) for item in found.judges if item.mode == mode]
        if rows:
            title = f"SCORES ({found.dimension})" if mode == "score" else "PAIRS"
            heads = (
                title,
                "SUBJECTS",
                "TRIALS",
                "NO VERDICT",
                "VARIANCE",
                "FLIP RATE",
                "RELIABILITY",
                "TOKENS EACH",
                "COST EACH",
            )
            lines += [*([""] if lines else []), *table(heads, rows, paint)]
    scored = any(item.mode == "score" for item in found.judges)
    told = "Variance: of one subject's scores over trials, mean over subjects. " if scored else ""
    told += "Flip rate: how likely two trials of the same subject are to differ at all."
    lines += [paint(line, "dim") for line in wrapped(told, columns)]
    for part in (
        _floors(found, columns),
        _components(found, paint),
        _front(found, paint),
        _notes(found, columns),
    ):
        if part:
            lines += ["", *part]
    return "\n".join(lines) + "\n"


def _row(item: JudgeStability) -> tuple[str, ...]:
    low, high = item.trials
    return (
        visible(item.judge),
        f"{item.repeated:,} of {item.subjects:,}" if item.repeated != item.subjects else f"{item.subjects:,}",
        f"{low}" if low == high else f"{low}–{high}",
        f"{item.silent:,}",
        interval_text(item.within_variance) if item.within_variance else "",
        interval_text(item.flip_rate) if item.flip_rate else "–",
        number_text(item.reliability) if item.within_variance else "",
        f"{short(round(item.tokens))}" if item.tokens else "",
        money(item.cost) if item.cost else "",
    )


def _floors(found: Stability, columns: int) -> list[str]:
    lines: list[str] = []
    for item in found.judges:
        floor = item.floor
        if floor is None or floor.difference is None:
            continue
        text = (
            f"Noise floor of {visible(item.judge)}: between two systems, each judged once on the same {floor.tasks:,} tasks, "
            f"a difference of means below {floor.difference:.3f} points is this judge's noise."
        )
        lines += wrapped(text, columns)
    return lines


def _components(found: Stability, paint: Painter) -> list[str]:
    if found.components is None:
        return []
    shares = found.components.shares()
    named = {"task": "subjects", "judge": "judges", "interaction": "subjects × judges", "trial": "trials"}
    rows = [
        (title, number_text(getattr(found.components, key)), f"{shares[key]:.1%}" if key in shares else "–")
        for key, title in named.items()
    ]
    return table(("WHERE THE SPREAD COMES FROM", "VARIANCE", "SHARE"), rows, paint)


def _front(found: Stability, paint: Painter) -> list[str]:
    judges = [item for item in found.judges if item.agreement is not None]
    if not judges:
        return []
    ranked = sorted(judges, key=lambda item: -(item.agreement.value or -2.0) if item.agreement else 2.0)
    rows = [
        (
            visible(item.judge),
            interval_text(item.agreement),
            number_text(item.within_variance.value if item.within_variance else None)
            if item.mode == "score"
            else number_text(item.flip_rate.value if item.flip_rate else None),
            number_text(item.reliability) if item.mode == "score" else "",
            f"{short(round(item.tokens))}",
            "not known" if item.front is None else "front" if item.front else "beaten in both",
            "not known"
            if item.front_with_tokens is None
            else "front"
            if item.front_with_tokens
            else "beaten",
        )
        for item in ranked
    ]
    unsteady = "VARIANCE" if any(item.mode == "score" for item in judges) else "FLIP RATE"
    name = judges[0].agreement_name.upper().replace("_", " ")
    titles = ("AGREEMENT AND STABILITY", name, unsteady, "RELIABILITY", "TOKENS", "OF THE TWO", "AND TOKENS")
    return table(titles, rows, paint)


def _notes(found: Stability, columns: int) -> list[str]:
    notes = list(found.notes)
    if found.components is not None:
        notes += found.components.notes
    for item in found.judges:
        notes += [
            f"{item.judge}: {note}"
            for note in (item.components.notes if item.components else ())
            if "one judge" not in note
        ]
    return [line for note in notes for line in wrapped(f"Note: {visible(note)}.", columns)]
