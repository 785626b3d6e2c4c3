"""Verdicts in two classes: "partially met" counts as "not met", as in the binary grading of ResearchRubrics (table 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from assay.meta.judge_ratings import JudgeRatings
from assay.meta.labelled_units import LabelledUnits

_PARTLY: Final = "partially met"
_NOT: Final = "not met"
_BINARY: Final = {"met", _NOT}


def has_partial(ratings: Sequence[JudgeRatings]) -> bool:
    """Return whether a judge gives partial credit."""
    return any(_PARTLY in one.given for one in ratings)


def labels_are_binary(labelled: LabelledUnits) -> bool:
    """Return whether all labels are "met" or "not met"."""
    return labelled.kind == "verdict" and all(
        value in _BINARY for unit in labelled.units.values() for value in unit.ratings.values()
    )


def collapse_labels(labelled: LabelledUnits) -> LabelledUnits:
    """Return the units with "partially met" as "not met"."""
    units = {
        key: msgspec.structs.replace(
            unit,
            ratings={rater: collapsed(value) for rater, value in unit.ratings.items()},
            adjudication=collapsed(unit.adjudication),
        )
        for key, unit in labelled.units.items()
    }
    return msgspec.structs.replace(labelled, units=units)


def collapse_ratings(ratings: JudgeRatings) -> JudgeRatings:
    """Return the ratings of a judge with "partially met" as "not met"."""
    return msgspec.structs.replace(
        ratings,
        by_unit={
            key: [msgspec.structs.replace(one, value=collapsed(one.value)) for one in repetitions]
            for key, repetitions in ratings.by_unit.items()
        },
    )


def collapsed(value: Any) -> Any:
    """Return a verdict in two classes; other words stay."""
    return _NOT if value == _PARTLY else value
