"""What a prompt begins with, and the words it calls what is judged by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, Protocol

if TYPE_CHECKING:
    from assay.rubrics.rubric import Target
    from assay.strategies.base import Document

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


class Leading(Protocol):
    """What a prompt begins with: a question to a judge, or what is shown before another task."""

    @property
    def documents(self) -> tuple[Document, ...]:
        """What is judged."""
        ...

    @property
    def query(self) -> str | None:
        """The question it answers."""
        ...

    @property
    def reference(self) -> str | None:
        """A reference answer."""
        ...

    @property
    def context(self) -> tuple[str, ...]:
        """What comes before it."""
        ...

    @property
    def language(self) -> Literal["en", "zh"]:
        """Of the prompt."""
        ...


def noun_phrase(kind: Target, labels: Sequence[str], language: str) -> str:
    """What is judged, as a noun with its article."""
    pair = len(labels) == 2 and all(labels)
    if language == "zh":
        noun, measure = NOUNS["zh"][kind], MEASURES[kind]
        if len(labels) == 1:
            return f"这{measure}{noun}"
        return f"{noun} {' 和 '.join(labels)} " if pair else f"这 {len(labels)} {measure}{noun}"
    if len(labels) == 1:
        return f"the {NOUNS['en'][kind]}"
    return f"{_PLURALS[kind]} {' and '.join(labels)}" if pair else f"the {len(labels)} {_PLURALS[kind]}"
