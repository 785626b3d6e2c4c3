"""Labels that every format needs: of audited texts, dimensions and severities."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.judges.identity import label_of
from assay.rubrics.dimensions import DIMENSIONS

if TYPE_CHECKING:
    from assay.audits.result import Audit

# In a shorter text, a rate per 1,000 words would say more than there is to say.
WORDS_FOR_A_RATE: Final = 500
_TITLES: Final = {d.key: d.title for d in DIMENSIONS} | {"reasoning": "Reasoning", "tool_use": "Tool use"}
_ROW: Final = re.compile(r":(\d+)$|\[(\d+)\]$")
_ASKS: Final = {d.key: d.asks for d in DIMENSIONS} | {
    "reasoning": "Does each step follow from what was seen, and move the search on?",
    "tool_use": "Are the calls the right ones, and are their answers read and used?",
}
_SHORT: Final = {
    "task_alignment": "Task",
    "global_coherence": "Glob",
    "internal_consistency": "Cons",
    "concept_introduction": "Conc",
    "local_coherence": "Loc",
    "evidence_sufficiency": "Evid",
    "warrants_causality": "Warr",
    "qualifiers_counterpoints": "Qual",
    "reasoning": "Reas",
    "tool_use": "Tool",
}


def dimension_title(key: str) -> str:
    """Return the name of a dimension."""
    return _TITLES.get(key, key.replace("_", " ").capitalize())


def dimension_asks(key: str) -> str:
    """Return the question that a dimension asks; empty for an unknown one."""
    return _ASKS.get(key, "")


def dimension_short(key: str) -> str:
    """Return at most four letters for the head of a column."""
    return _SHORT.get(key, key[:4].capitalize())


def name_of(audit: Audit) -> str:
    """Return what to call an audited text: ``id · system`` as far as it has them, otherwise its place."""
    return label_of(audit.subject, "<text>")


def place_of(audit: Audit) -> str:
    """Return where an audited text came from: its path with its row; without a path its id."""
    return audit.subject.path or audit.subject.id or "<text>"


def full_name_of(audit: Audit) -> str:
    """Return the name with the place in brackets, or just one if they are the same."""
    name, place = name_of(audit), place_of(audit)
    return place if name == place else f"{name} ({place})"


def split_row(path: str) -> tuple[str, str | None]:
    """Split off the row that a loader puts behind a path: ``runs.jsonl:12`` or ``runs.json[12]``."""
    match = _ROW.search(path)
    return (path[: match.start()], match[1] or match[2]) if match else (path, None)
