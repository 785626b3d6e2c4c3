"""Rows of earlier contracts, ``assay.judgment/1`` and ``assay.grade/1``, as rows of ``assay.judgment/2``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from assay.errors import InputError

SCHEMA: Final = "assay.judgment/2"
SCHEMAS: Final = (SCHEMA, "assay.judgment/1")
GRADE: Final = "assay.grade/1"
# What a grade knew of its report.
REPORT_FIELDS: Final = ("id", "system", "grading", "domain", "complexity", "words", "tokens", "citations")
# Written beside a judgment because it is useful to readers; it follows from the other fields.
_DERIVED: Final = ("coverage", "consistency", "ranking", "tags")


def current_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of any contract of judgments as one of the current contract; a copy.

    Raises:
        InputError: It is of another contract.
    """
    schema = row.get("schema", SCHEMA)
    if schema == GRADE:
        return _from_grade(row)
    if schema not in SCHEMAS:
        raise InputError(
            f"not a judgment: its schema is {schema!r}; it must be {' or '.join((*SCHEMAS, GRADE))}"
        )
    current = {key: value for key, value in row.items() if key not in _DERIVED}
    if "trial" in current:
        current["repetition"] = current.pop("trial")
    if isinstance(row.get("tags"), dict):
        current["metadata"] = {**row["tags"], **current.get("metadata", {})}
    if "mode" not in current and isinstance(row.get("subject"), str):
        compared = row.get("preference") is not None or row.get("by_order") is not None
        current["mode"] = "compare" if compared else "rank" if " | " in row["subject"] else "score"
    return {**current, "schema": SCHEMA}


def _from_grade(row: Mapping[str, Any]) -> dict[str, Any]:
    criteria = row.get("criteria", ())
    verdicts = [_from_criterion(item) if isinstance(item, dict) else item for item in criteria]
    scores = {
        item["criterion"]: item["score"]
        for item in verdicts
        if isinstance(item, dict) and item.get("score") is not None
    }
    if row.get("compliance") is not None:
        scores["overall"] = row["compliance"]
    metadata = {key: row[key] for key in REPORT_FIELDS if row.get(key) not in (None, {})}
    return {
        "schema": SCHEMA,
        "subject": row.get("report"),
        "judge": row.get("judge", ""),
        "version": row.get("judge_version") or None,
        "rubric": row.get("rubric") or None,
        "scores": scores or None,
        "status": row.get("status", "ok"),
        "verdicts": verdicts,
        "metadata": {"grading": "ternary", **metadata},
        **({"usage": row["usage"]} if "usage" in row else {}),
    }


def _from_criterion(item: Mapping[str, Any]) -> dict[str, Any]:
    verdict = {name: value for name, value in item.items() if name not in ("key", "criterion")}
    verdict |= {"criterion": item.get("key"), "text": item.get("criterion", "")}
    if item.get("verdict") is None and item.get("status", "ok") != "ok":
        verdict |= {"problem": item.get("reasoning") or None, "reasoning": ""}
    return verdict
