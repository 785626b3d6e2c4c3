"""Labels that every format needs: of audited texts, dimensions and severities."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.rubrics.dimensions import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.audits.result import Audit
    from assay.checks.base import Finding, Severity

SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
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


def label_of(audit: Audit) -> str:
    """Return what to call an audited text in a message: its path (with its row), or its id."""
    return audit.subject.path or audit.subject.id or "<text>"


def split_row(path: str) -> tuple[str, str | None]:
    """Split off the row that a loader puts behind a path: ``runs.jsonl:12`` or ``runs.json[12]``."""
    match = _ROW.search(path)
    return (path[: match.start()], match[1] or match[2]) if match else (path, None)


def severities(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Return the number of findings of each severity."""
    numbers: dict[Severity, int] = dict.fromkeys(SEVERITIES, 0)
    for finding in findings:
        numbers[finding.severity] += 1
    return numbers
