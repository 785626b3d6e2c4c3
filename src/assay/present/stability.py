"""Stability of judges, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.present.display import Painter, visible
from assay.present.numbers import NONE, interval, number, of
from assay.present.table import NOTHING, Column, Table, table_of
from assay.present.terminal import table_lines
from assay.present.wrapping import wrapped
from assay.text.amounts import money, tokens

if TYPE_CHECKING:
    from assay.meta.stability import JudgeStability, Stability


def stability_text(stability: Stability, paint: Painter, columns: int = 100) -> str:
    """Return tables of how steady judges are, and what the figures mean."""
    lines: list[str] = []
    for mode, title in (("score", f"SCORES ({stability.dimension})"), ("compare", "PAIRS")):
        judges = [item for item in stability.judges if item.mode == mode]
        if judges:
            lines += [*([""] if lines else []), *table_lines(_judges(judges, title), paint)]
    scored = any(item.mode == "score" for item in stability.judges)
    text = "Variance: of one subject's scores over repetitions, mean over subjects. " if scored else ""
    text += "Flip rate: how likely two repetitions of the same subject are to differ at all."
    lines += [paint(line, "dim") for line in wrapped(text, columns)]
    for part in (
        _floors(stability, columns),
        _components(stability, paint),
        _front(stability, paint),
        _notes(stability, columns),
    ):
        lines += ["", *part] if part else []
    return "\n".join(lines) + "\n"


def _judges(judges: list[JudgeStability], title: str) -> Table:
    columns: list[Column[JudgeStability]] = [
        (title, lambda item: item.judge),
        ("SUBJECTS", lambda item: of(item.repeated, item.subjects)),
        ("REPETITIONS", lambda item: "–".join(f"{number}" for number in dict.fromkeys(item.repetitions))),
        ("NO VERDICT", lambda item: f"{item.silent:,}"),
        ("VARIANCE", lambda item: interval(item.within_variance) if item.within_variance else ""),
        ("FLIP RATE", lambda item: interval(item.flip_rate)),
        ("RELIABILITY", lambda item: number(item.reliability) if item.within_variance else ""),
        ("TOKENS EACH", lambda item: tokens(item.tokens) if item.tokens else ""),
        ("COST EACH", lambda item: money(item.cost) if item.cost else ""),
    ]
    return table_of(judges, columns, omit=NOTHING)


def _floors(stability: Stability, columns: int) -> list[str]:
    lines: list[str] = []
    for item in stability.judges:
        floor = item.floor
        if floor is None or floor.difference is None:
            continue
        text = (
            f"Noise floor of {visible(item.judge)}: between two systems, each judged once on the same "
            f"{floor.tasks:,} tasks, "
            f"a difference of means below {floor.difference:.3f} points is this judge's noise."
        )
        lines += wrapped(text, columns)
    return lines


def _components(stability: Stability, paint: Painter) -> list[str]:
    if stability.components is None:
        return []
    shares = stability.components.shares()
    names = {
        "task": "subjects",
        "judge": "judges",
        "interaction": "subjects × judges",
        "trial": "repetitions",
    }
    rows = [
        (title, number(getattr(stability.components, key)), f"{shares[key]:.1%}" if key in shares else NONE)
        for key, title in names.items()
    ]
    table = Table(heads=("WHERE THE SPREAD COMES FROM", "VARIANCE", "SHARE"), rows=rows, omit=NOTHING)
    return table_lines(table, paint)


def _front(stability: Stability, paint: Painter) -> list[str]:
    judges = [item for item in stability.judges if item.agreement is not None]
    if not judges:
        return []
    scored = any(item.mode == "score" for item in judges)

    def spread(item: JudgeStability) -> str:
        estimate = item.within_variance if item.mode == "score" else item.flip_rate
        return number(estimate.value if estimate else None)

    def front(on_front: bool | None, beaten: str) -> str:
        return "not known" if on_front is None else "front" if on_front else beaten

    columns: list[Column[JudgeStability]] = [
        ("AGREEMENT AND STABILITY", lambda item: item.judge),
        (judges[0].agreement_name.upper().replace("_", " "), lambda item: interval(item.agreement)),
        (
            "PEARSON OF MEANS",
            lambda item: interval(item.agreement_of_means) if item.agreement_of_means else "",
        ),
        ("VARIANCE" if scored else "FLIP RATE", spread),
        ("RELIABILITY", lambda item: number(item.reliability) if item.mode == "score" else ""),
        ("TOKENS", lambda item: tokens(item.tokens)),
        ("OF THE TWO", lambda item: front(item.front, "beaten in both")),
        ("AND TOKENS", lambda item: front(item.front_with_tokens, "beaten")),
    ]
    ranked = sorted(judges, key=lambda item: -(item.agreement.value or -2.0) if item.agreement else 2.0)
    return table_lines(table_of(ranked, columns, align="lrrrrrll", omit=NOTHING), paint)


def _notes(stability: Stability, columns: int) -> list[str]:
    notes = list(stability.notes)
    if stability.components is not None:
        notes += stability.components.notes
    for item in stability.judges:
        notes += [
            f"{item.judge}: {note}"
            for note in (item.components.notes if item.components else ())
            if "one judge" not in note
        ]
    return [line for note in notes for line in wrapped(f"Note: {visible(note)}.", columns)]
