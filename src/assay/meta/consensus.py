"""The joint answer of several raters or repetitions: the majority of words, the mean of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from assay.judges.repetitions import majority
from assay.meta.labels.record import Kind


def consensus_of(values: Iterable[Any], kind: Kind) -> Any:
    """Return one value for several; None if there are none, or if the most frequent values are tied."""
    given = [value for value in values if value is not None]
    if not given:
        return None
    if kind == "score":
        return given[0] if len(given) == 1 else fmean(given)
    return majority(given)


def leave_one_out(ratings: Sequence[Any], kind: Kind) -> list[tuple[Any, Any]]:
    """Pair each rating with the consensus of the others; ratings whose others have no consensus are left out."""
    pairs: list[tuple[Any, Any]] = []
    if len(ratings) < 2:
        return pairs
    for at, value in enumerate(ratings):
        rest = consensus_of([*ratings[:at], *ratings[at + 1 :]], kind)
        if rest is not None:
            pairs.append((value, rest))
    return pairs
