"""Where weighted criteria break their own conventions: the scale of weights, what is mandatory, the six axes.

Only rubrics that follow these conventions are held to them: shares and points are weights too, and other data sets have
other axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from assay.rubrics.rubric import Rubric
from assay.rubrics.weighted import AXES, LARGEST_WEIGHT, MANDATORY, axis_key, axis_of
from assay.suggest import did_you_mean

# The public data puts a criterion or two on no axis, and says so.
_NO_AXIS: Final = frozenset(("miscellaneous", "misc", "other", "none"))


def breaches(
    rubric: Rubric,
) -> Iterator[tuple[int, Literal["RUB018", "RUB019", "RUB020"], str, str]]:
    """Yield each breach of the rules for weighted rubrics: index of the criterion, code, field, message."""
    by_axes = _on_the_axes(rubric)
    said = any(item.notes.get("mandatory") is True for item in rubric.criteria)
    if not by_axes and not (said and all(abs(item.weight) <= LARGEST_WEIGHT for item in rubric.criteria)):
        return
    for index, item in enumerate(rubric.criteria):
        size = abs(item.weight)
        if size > LARGEST_WEIGHT:
            yield index, "RUB018", "weight", f"the weight {item.weight:g} is not on the scale from -5 to 5"
        mandatory = item.notes.get("mandatory")
        if isinstance(mandatory, bool) and mandatory != (size >= MANDATORY):
            told = "mandatory is" if mandatory else "optional is"
            usual = "4 or 5 are" if mandatory else "less than 4 are"
            yield (
                index,
                "RUB019",
                "notes.mandatory",
                f"{told} said of the weight {item.weight:g}; those of {usual}",
            )
        axis = axis_of(item)
        if by_axes and axis and axis not in AXES and axis.casefold() not in _NO_AXIS:
            yield (
                index,
                "RUB020",
                "notes.axis",
                f"{axis!r} is not one of the six axes; {did_you_mean(axis, AXES.values())}",
            )


def _on_the_axes(rubric: Rubric) -> bool:
    """Return whether most axes of the rubric are among the six of ResearchRubrics, and at least two of them occur.

    Others have an axis "instruction following" too.
    """
    axes = [axis for item in rubric.criteria if (axis := axis_of(item))]
    known = [axis for axis in axes if axis_key(axis) is not None]
    return len(known) * 2 > len(axes) and (len(set(known)) > 1 or len(known) == len(axes))
