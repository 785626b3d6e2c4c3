"""A verdict in words, for prompts of later calls that weigh it: the reasons, then each answer on a line of its own."""

from __future__ import annotations

from assay.strategies.base import Answer, Question


def verdict_text(answer: Answer, question: Question) -> str:
    """Reasons and verdict of an answer that has one; ``""`` for one that has none."""
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
