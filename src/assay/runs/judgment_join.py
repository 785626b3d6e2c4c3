"""Judgments of runs, joined on report and system, as `assay.suites.agreement` compares them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assay.suites.concordance import RubricComparison, RubricScore

if TYPE_CHECKING:
    from assay.runs.records import JudgmentRow


def join_judgments(rows: Iterable[JudgmentRow]) -> tuple[list[RubricScore], list[RubricComparison]]:
    """Return scores and preferences by suite (or rubric) and judge.

    If a suite was run with several rubrics, each counts by itself. Rankings are left out, and so are reports of
    unknown systems, which cannot be joined.
    """
    rows = list(rows)
    scored: list[RubricScore] = []
    compared: list[RubricComparison] = []
    rubrics: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        rubrics[_name(row)].add(row.judgment.rubric or "none")
    for row in rows:
        tags, judgment = row.tags, row.judgment
        name = _name(row)
        if len(rubrics[name]) > 1:
            name = f"{name} · {judgment.rubric or 'none'}"
        if "id_a" in tags:
            verdict = None
            if judgment.status == "ok" and judgment.preference is not None:
                verdict = {"A>B": 1, "A<B": -1}.get(judgment.preference, 0)
            a, b = ((tags[f"id_{side}"], tags.get(f"system_{side}", "")) for side in "ab")
            if a[1] and b[1]:
                compared.append(RubricComparison(name, a, b, verdict))
        elif "id" in tags and tags.get("system"):
            score = (judgment.scores or {}).get("overall") if judgment.status == "ok" else None
            scored.append(RubricScore(name, tags["id"], tags["system"], score))
    return scored, compared


def _name(row: JudgmentRow) -> str:
    tags, judgment = row.tags, row.judgment
    return f"{tags.get('suite') or judgment.rubric or 'none'} · {tags.get('judge', judgment.judge)}"
