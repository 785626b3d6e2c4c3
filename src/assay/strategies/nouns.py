"""Nouns by which a prompt calls what is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from assay.rubrics.rubric import Target

NOUNS: Final = {
    "en": {"report": "report", "chunk": "part of a report", "trajectory": "trajectory", "step": "step"},
    "zh": {"report": "研究报告", "chunk": "报告片段", "trajectory": "执行轨迹", "step": "步骤"},
}
_PLURALS: Final = {
    "report": "reports",
    "chunk": "parts of reports",
    "trajectory": "trajectories",
    "step": "steps",
}
# The Chinese measure word of each.
MEASURES: Final[dict[Target, str]] = {"report": "份", "chunk": "段", "trajectory": "条", "step": "个"}


def noun_phrase(kind: Target, labels: Sequence[str], language: str) -> str:
    """Return what is judged as a noun phrase, with its labels if there are two documents."""
    pair = len(labels) == 2 and all(labels)
    if language == "zh":
        noun, measure = NOUNS["zh"][kind], MEASURES[kind]
        if len(labels) == 1:
            return f"这{measure}{noun}"
        return f"{noun} {' 和 '.join(labels)} " if pair else f"这 {len(labels)} {measure}{noun}"
    if len(labels) == 1:
        return f"the {NOUNS['en'][kind]}"
    return f"{_PLURALS[kind]} {' and '.join(labels)}" if pair else f"the {len(labels)} {_PLURALS[kind]}"
