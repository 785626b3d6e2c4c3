"""Self-preference: a byline names a well-known assistant; does a judge favour its own family, or another name?

The pattern is ``byline:<label>``, so that results can be split by whether the label is the judge's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._insertions import after_title, at_end, inserted, inserted_text, manipulation
from assay.interventions.attacks._prose import chinese
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "self_preference")

_LONGEST: Final = 120


def rule(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield one byline for each assistant, in random order, below the title or at the end."""
    forms = _PHRASES["bylines"].zh if chinese(report) else _PHRASES["bylines"].en
    top = after_title(report)
    for label, lab in draw.sample(_PHRASES["assistants"].rows("en"), len(_PHRASES["assistants"].rows("en"))):
        at = top if top is not None and draw.random() < 0.5 else at_end(report)
        text = draw.choice(forms).format(label=label, lab=lab)
        yield inserted(at, f"\n\n{text}", pattern=f"byline:{label}", note=f"byline names {label} ({lab})")


def check(reference: Report, perturbed: Report, attack: TextRevision) -> str | None:
    """Return why an edit is refused, or None; it must insert a byline with the pattern's label and nothing else."""
    text = inserted_text(reference, perturbed, attack)
    if text is None:
        return "more was done than to insert a byline"
    label = attack.pattern.partition(":")[2]
    if not label or label not in text:
        return "the byline does not name the assistant of the pattern"
    if len(text) > _LONGEST:
        return f"a byline of more than {_LONGEST} characters"
    if label.lower() in reference.source[:300].lower():
        return "the reference names this assistant at its head already"
    return None


OPERATOR = manipulation(
    name="self_preference",
    title="Self-preference",
    title_zh="自我偏好",
    definition="A byline names a well-known assistant as the author. The content is the same.",
    definition_zh="署名为某个知名助手模型，内容没有变化。",
    rule=rule,
    check=check,
)
