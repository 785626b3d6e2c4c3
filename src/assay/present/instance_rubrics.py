"""An instance rubric for a terminal: its eight items, and what is still wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.present.display import visible
from assay.present.wrapping import wrapped
from assay.rubrics.instance import title_of

if TYPE_CHECKING:
    from assay.present.display import Painter
    from assay.rubrics.instance import InstanceRubric

_INDENT: Final = "   "
_PARTS: Final = (
    ("question", ""),
    ("good_example", "well: "),
    ("bad_example", "badly: "),
    ("span_hint", "look for: "),
)


def instance_rubric_text(instance: InstanceRubric, *, painter: Painter, columns: int) -> str:
    """Return the items of an instance rubric and their flaws."""
    names = f"A {visible(instance.a.name)}, B {visible(instance.b.name)}"
    lines = [painter(f"Rubric of one pair, written by {visible(instance.generator)}", "bold"), names]
    if instance.query:
        lines += wrapped(f"Question: {visible(' '.join(instance.query.split()))}", columns)
    for number, item in enumerate(instance.items, 1):
        lines += [
            "",
            painter(f"{number}. {title_of(item.aspect)}", "bold") + painter(f"  {item.aspect}", "dim"),
        ]
        for part, label in _PARTS:
            text = " ".join(visible(getattr(item, part)).split())
            lines += [_INDENT + line for line in wrapped(label + text, columns - len(_INDENT))]
        for flaw in instance.flaws.get(item.aspect, ()):
            flagged = wrapped(f"flagged: {visible(flaw)}", columns - len(_INDENT))
            lines += [_INDENT + painter(line, "warning") for line in flagged]
    whole = instance.flaws.get("items", ())
    lines += ["", *(painter(f"flagged: {visible(flaw)}", "warning") for flaw in whole)] if whole else []
    lines += ["", _summary(instance)]
    return "\n".join(lines) + "\n"


def _summary(instance: InstanceRubric) -> str:
    flagged = len(instance.flaws)
    if not flagged:
        return f"{len(instance.items)} items, all well-formed by rule"
    return f"{len(instance.items)} items, {flagged} flagged: look at them before you judge by this rubric"
