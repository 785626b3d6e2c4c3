"""Weighted criteria: the meaning of weights, the axis of a criterion, and the score computed from the marks.

ResearchRubrics, section 3.3: weights from -5 to 5, never 0; ±4 and ±5 are mandatory; a negative criterion is worded
so that its weight counts where it is met. Axis and flag stand in a criterion's notes, where
`assay.rubrics.rubric_file` puts them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

from assay.rubrics.rubric import Criterion

LARGEST_WEIGHT: Final = 5.0
MANDATORY: Final = 4.0

# The six of table 2, as the public files spell them.
AXES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "explicit": "Explicit Criteria",
        "implicit": "Implicit Criteria",
        "synthesis": "Synthesis of Information",
        "references": "References & Citation Quality",
        "communication": "Communication Quality",
        "instruction_following": "Instruction Following",
    }
)
# The paper's table calls some of them otherwise than its data, and people shorten them.
_SYNONYMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "explicit": "explicit",
        "explicit_requirement": "explicit",
        "explicit_reasoning": "explicit",
        "implicit": "implicit",
        "implicit_requirement": "implicit",
        "implicit_reasoning": "implicit",
        "synthesis": "synthesis",
        "information_synthesis": "synthesis",
        "references": "references",
        "reference": "references",
        "use_of_reference": "references",
        "reference_quality": "references",
        "reference_and_citation": "references",
        "reference_and_citation_quality": "references",
        "citation": "references",
        "citation_quality": "references",
        "communication": "communication",
        "communication_style": "communication",
        "instruction": "instruction_following",
        "following_instruction": "instruction_following",
        "instruction_adherence": "instruction_following",
    }
)

Importance = Literal[
    "critically important",
    "important",
    "slightly important",
    "slightly detrimental",
    "detrimental",
    "critically detrimental",
]


@lru_cache(maxsize=4096)
def axis_key(name: str) -> str | None:
    """Return the axis that a name means, whatever its spelling, or None if it is not one of the six.

    >>> axis_key("References & Citation Quality"), axis_key("Implicit requirements"), axis_key("insight")
    ('references', 'implicit', None)
    """
    plain = _plain(name)
    return _BY_NAME.get(plain) or _SYNONYMS.get(plain)


def axis_of(criterion: Criterion) -> str:
    """Return the axis of a criterion: one of `AXES` if its name means one, otherwise the name.

    Empty if it has none.
    """
    name = criterion.notes.get("axis")
    if not isinstance(name, str):
        return ""
    return axis_key(name) or " ".join(name.split())


def axis_title(axis: str) -> str:
    """Return the display name of an axis."""
    return AXES.get(axis, axis)


def is_mandatory(criterion: Criterion) -> bool:
    """Return whether a criterion is mandatory: by its own flag, otherwise if |w| >= 4 (section 3.3)."""
    said = criterion.notes.get("mandatory")
    return said if isinstance(said, bool) else abs(criterion.weight) >= MANDATORY


def importance(weight: float) -> Importance:
    """Return the level of a weight on the six-level scale of table 8.

    The table has whole numbers; what lies between 3 and 4, or 1 and 2, belongs to the lower level.

    Raises:
        ValueError: The weight is 0, or not from -5 to 5.
    """
    size = abs(weight)
    if not 0 < size <= LARGEST_WEIGHT:
        raise ValueError(f"the weight {weight:g} is not on the scale from -5 to 5 without 0")
    if size >= MANDATORY:
        return "critically important" if weight > 0 else "critically detrimental"
    if size >= 2:
        return "important" if weight > 0 else "detrimental"
    return "slightly important" if weight > 0 else "slightly detrimental"


def compliance(weights: Sequence[float], marks: Sequence[float | None]) -> float | None:
    """Return the score of a task: Σ w·m over the sum of the positive weights (section 3.4, equation 1).

    1 is all that is wanted and nothing unwanted; negative marks can take it below 0. None if a mark is missing – it
    is not taken for 0 – or where no weight is positive.

    Args:
        weights: Of the criteria.
        marks: 1, 0.5 or 0 for each; None if there is no verdict.

    Raises:
        ValueError: There are not as many marks as weights.
    """
    positive = sum(weight for weight in weights if weight > 0)
    pairs = list(zip(weights, marks, strict=True))
    if positive <= 0 or any(mark is None for _, mark in pairs):
        return None
    return sum(weight * mark for weight, mark in pairs if mark is not None) / positive


def binary(mark: float | None) -> float | None:
    """Return a ternary mark as a binary one: partly met counts as not met (section 4.1); None stays None."""
    return None if mark is None else float(mark >= 1)


def _plain(name: str) -> str:
    """Return the lower-case words of a name without inflectional endings."""
    words = re.findall(r"[^\W_]+", name.casefold().replace("&", " and "))
    kept = [word.removesuffix("s") if len(word) > 4 and word not in _KEEP else word for word in words]
    while kept and kept[-1] in ("criteria", "criterion", "axi", "axis"):
        kept.pop()
    return "_".join(kept)


_KEEP: Final = frozenset(("synthesis",))
_BY_NAME: Final[Mapping[str, str]] = MappingProxyType(
    {_plain(text): key for key, title in AXES.items() for text in (key, title)}
)
