"""Judgments of runs, joined on report and system: what `assay.suites.concordance` puts side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assay.suites.concordance import RubricComparison, RubricScore

if TYPE_CHECKING:
    from assay.runs.records import JudgmentRow


def join_judgments(rows: Iterable[JudgmentRow]) -> tuple[list[RubricScore], list[RubricComparison]]:
    """Scores and verdicts by yardstick: the suite, or the rubric where there is none, and the judge's label.

    Where a suite was run with several rubrics, they are yardsticks of their own. Rankings are left out, and so are reports
    nobody says the author of: those cannot be joined by system.
    """
    rows = list(rows)
    scored: list[RubricScore] = []
    compared: list[RubricComparison] = []
    rubrics: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        rubrics[_name(row)].add(row.judgment.rubric or "none")
    for row in rows:
        tags, said = row.tags, row.judgment
        name = _name(row)
        if len(rubrics[name]) > 1:
            name = f"{name} · {said.rubric or 'none'}"
        if "id_a" in tags:
            verdict = None
            if said.status == "ok" and said.preference is not None:
                verdict = {"A>B": 1, "A<B": -1}.get(said.preference, 0)
            a, b = ((tags[f"id_{side}"], tags.get(f"system_{side}", "")) for side in "ab")
            if a[1] and b[1]:
                compared.append(RubricComparison(name, a, b, verdict))
        elif "id" in tags and tags.get("system"):
            score = (said.scores or {}).get("overall") if said.status == "ok" else None
            scored.append(RubricScore(name, tags["id"], tags["system"], score))
    return scored, compared


def _name(row: JudgmentRow) -> str:
    tags, said = row.tags, row.judgment
    return f"{tags.get('suite') or said.rubric or 'none'} · {tags.get('judge', said.judge)}"
