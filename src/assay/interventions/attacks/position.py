"""Position: the same text twice; a judge that names a winner here goes by position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.interventions.attacks._insertions import manipulation
from assay.interventions.base import Edit, TextRevision

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.subjects.report import Report


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield one revision that replaces a sentence by itself."""
    spans = [sentence.span for sentence in report.sentences] or [block.span for block in report.blocks]
    spans = [span for span in spans if span.end > span.start]
    if not spans:
        return
    span = draw.choice(spans)
    edit = Edit(span.start, span.end, report.source[span.start : span.end])
    yield TextRevision(edits=(edit,), pattern="identical", note="both sides are the same text")


def check(reference: Report, perturbed: Report, _attack: TextRevision) -> str | None:
    """Return why the two texts differ, or None if they are the same."""
    return None if reference.source == perturbed.source else "the two texts differ"


OPERATOR = manipulation(
    name="position",
    title="Position",
    title_zh="位置互换",
    definition="Both sides are the same text. A judge that prefers one of them goes by its position.",
    definition_zh="两侧文本完全相同；若仍判出高下，依据的只能是位置。",
    rule=rule,
    check=check,
)
