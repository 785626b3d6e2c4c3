"""Plans of evaluations for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.present.numbers import NONE, number
from assay.present.table import NOTHING, table_of
from assay.present.terminal import table_lines
from assay.text.amounts import money, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.meta.planning import PlannedComparison
    from assay.present.display import Painter


def plan_text(plans: Sequence[PlannedComparison], *, power: float, painter: Painter) -> str:
    """Return a table of plans, and what it rests on."""
    rows = table_of(
        plans,
        [
            ("COMPARED", lambda item: f"{item.first} – {item.second}"),
            ("DIFFERENCE", lambda item: number(item.difference, 3)),
            ("REPETITIONS", lambda item: str(item.repetitions)),
            ("ORDERS", lambda item: str(item.orders) if item.orders else ""),
            ("CASES", lambda item: NONE if item.cases is None else f"{item.cases:,}"),
            ("CALLS", lambda item: NONE if item.calls is None else f"{item.calls:,}"),
            ("TOKENS", lambda item: NONE if item.tokens is None else tokens(item.tokens)),
            ("COST", lambda item: NONE if item.cost_usd is None else money(item.cost_usd)),
        ],
        omit=NOTHING,
    )
    pilot = min((item.pilot for item in plans), default=0)
    lines = [
        painter(f"To tell them apart with {power:.0%} power", "bold"),
        *table_lines(rows, painter),
        painter(f"from a pilot of {pilot} cases; a small pilot makes a rough plan", "dim"),
    ]
    if all(item.noise is None for item in plans):
        lines.append(
            painter("judge the pilot with --repetitions 3 to see what repetitions would save", "dim")
        )
    return "\n".join(lines) + "\n"
