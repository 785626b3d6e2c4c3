"""A verdict as text, for the prompts of later calls: the reasons, then each value on a line of its own."""

from __future__ import annotations

from assay.strategies.base import Answer, Question


def verdict_text(answer: Answer, question: Question) -> str:
    """Return reasons and verdict of an answer; ``""`` if it has no verdict."""
    if answer.status != "ok":
        return ""
    lines = [f"{key}: {_plain(value)}" for key, value in answer.values.items()]
    if answer.preference is not None and not (
        len(lines) == 1 and lines[0].endswith(f": {answer.preference}")
    ):
        lines.append(f"preference: {answer.preference}")
    if answer.ranking is not None:
        labels = [question.documents[index].label for index in answer.ranking]
        lines.append(f"ranking: {', '.join(labels)}")
    return "\n\n".join(part for part in (answer.rationale, "\n".join(lines)) if part)


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"
