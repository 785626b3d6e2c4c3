"""Assignments in ``assay strategies``: the prompts that have models write something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.generation.base import Assignment
    from assay.present.display import Painter
    from assay.strategies.prompts import Prompts

# Packages that have models write.
_ROOMS: Final = ("assay.generation", "assay.interventions", "assay.logic", "assay.judges", "assay.suites")
_BLOCK: Final = re.compile(r"\{%-?\s*block\s+(\w+)\s*-?%\}(.*?)\{%-?\s*endblock\s*\w*\s*-?%\}", re.DOTALL)


def assignments() -> Mapping[str, Assignment]:
    """Return every assignment by its name."""
    from assay.generation.registry import all_assignments

    return all_assignments(_ROOMS)


def template_of(item: Assignment, language: str, loaded: Prompts) -> tuple[Path, str]:
    """Return the path and the text of the template in force."""
    return loaded.template(item.template, language)


def _parts(
    item: Assignment, language: Literal["en", "zh"], loaded: Prompts
) -> Iterator[tuple[str, str, bool]]:
    """Return the blocks in the order of the file: name, text, and whether the text is sent as it is."""
    for name, raw in _BLOCK.findall(template_of(item, language, loaded)[1]):
        try:
            yield name, loaded.page(item.template, name, language, {}).strip(), True
        except UsageError:
            # The block needs a real task.
            yield name, raw.strip(), False


def assignment_data(item: Assignment, language: Literal["en", "zh"], loaded: Prompts) -> dict[str, Any]:
    """Return an assignment as data."""
    return {
        "assignment": item.name,
        "summary": item.summary,
        "source": item.source,
        "version": loaded.version_of(item.template),
        "template": str(template_of(item, language, loaded)[0]),
        "blocks": [
            {"name": name, "text": text, "rendered": rendered}
            for name, text, rendered in _parts(item, language, loaded)
        ],
    }


def assignment_text(item: Assignment, language: Literal["en", "zh"], loaded: Prompts, paint: Painter) -> str:
    """Return an assignment for a terminal: each block as it is sent, or as a template if it needs a task."""
    path, _ = template_of(item, language, loaded)
    yours = "" if path.parent == Path(item.template).parent else " (yours)"
    lines = [
        f"{paint(item.name, 'bold')}  version {loaded.version_of(item.template)}  {path}{yours}",
        item.summary + (paint(f"  ({item.source})", "dim") if item.source else ""),
        paint("A question or documents that are shown stand before the task, fenced.", "dim"),
    ]
    for name, text, rendered in _parts(item, language, loaded):
        note = "" if rendered else ", as a template: a task fills it in"
        lines += ["", paint(f"━━ {name}{note}", "accent"), text]
    return "\n".join(lines)
