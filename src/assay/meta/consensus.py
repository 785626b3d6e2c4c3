"""The joint answer of several raters or repetitions: the majority of words, the mean of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from assay.judges.repetitions import majority
from assay.meta.labels.record import Kind

if TYPE_CHECKING:
    from assay.meta.labelled_units import LabelledUnit

# The rule by which a split counts as the label in the middle of the scale.
MIDDLE: Final = "middle"
_SCALES: Final[dict[Kind, tuple[str, str, str]]] = {
    "preference": ("A", "tie", "B"),
    "verdict": ("met", "partially met", "not met"),
}


def consensus_of(values: Iterable[Any], kind: Kind) -> Any:
    """Return one value for several; None if there are none, or if the most frequent values are tied."""
    given = [value for value in values if value is not None]
    if not given:
        return None
    if kind == "score":
        return given[0] if len(given) == 1 else fmean(given)
    return majority(given)


def adjudicated(unit: LabelledUnit, kind: Kind, rule: str | None) -> Any:
    """Return the consensus of a unit's raters; if they are split, what adjudication says; None if it says nothing.

    Args:
        unit: The unit; its ``adjudication`` is the label of the rater who adjudicates.
        kind: Kind of the labels.
        rule: ``middle`` turns a split into a tie, or into "partially met"; any other rule is the name of a rater.
    """
    value = consensus_of(unit.ratings.values(), kind)
    if value is not None or rule is None or unit.adjudication is not None:
        return unit.adjudication if value is None else value
    scale = _SCALES.get(kind, ())
    return scale[1] if rule == MIDDLE and scale and {*unit.ratings.values()} <= {*scale} else None


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
