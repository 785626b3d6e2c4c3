"""What people say together: of words the one most said, of numbers the mean. Draws have none, and are counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from assay.judges.repetitions import majority
from assay.meta.labels.record import Kind


def together(values: Iterable[Any], kind: Kind) -> Any:
    """One value for several; None where there is none, or where as many say one thing as another."""
    given = [value for value in values if value is not None]
    if not given:
        return None
    if kind == "score":
        return given[0] if len(given) == 1 else fmean(given)
    return majority(given)


def others_say(ratings: Sequence[Any], kind: Kind) -> list[tuple[Any, Any]]:
    """Each rating beside what the others say together; left out where they say nothing together."""
    found: list[tuple[Any, Any]] = []
    if len(ratings) < 2:
        return found
    for at, value in enumerate(ratings):
        rest = together([*ratings[:at], *ratings[at + 1 :]], kind)
        if rest is not None:
            found.append((value, rest))
    return found
