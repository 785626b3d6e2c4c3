"""Ensembles in a run: the judges of each pair combined by consensus or majority, without further calls.

They are recorded as judgments of one more judge, so that exports, tables and comparisons include them.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

import msgspec

from assay.judges.ensemble import Rule, ensemble
from assay.runs.records import JudgmentRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.runs.ledger import Ledger

# Tags that describe the judge and not the case.
_OWN = ("judge", "trials_skipped")


def ensembles_of(rows: Iterable[JudgmentRow], rules: Sequence[Rule]) -> list[JudgmentRow]:
    """Return one judgment per pair, repetition and rule, for pairs that two or more judges judged by one rubric."""
    groups: dict[tuple[object, ...], list[JudgmentRow]] = {}
    for row in rows:
        if row.tags.get("mode") == "compare" and "ensemble" not in row.tags:
            about = tuple(sorted((key, value) for key, value in row.tags.items() if key not in _OWN))
            groups.setdefault((row.judgment.subject, row.judgment.rubric, row.trial, about), []).append(row)
    combined_rows: list[JudgmentRow] = []
    for members in groups.values():
        if len(members) < 2:
            continue
        # Named by label: two judges may share a model.
        named = [
            msgspec.structs.replace(row.judgment, judge=row.tags.get("judge", row.judgment.judge))
            for row in sorted(members, key=lambda row: row.tags.get("judge", ""))
        ]
        for rule in rules:
            judgment = ensemble(named, rule)
            digest = hashlib.blake2b(rule.encode(), digest_size=16)
            for row in sorted(members, key=lambda row: row.key):
                digest.update(row.key.encode())
            versions = "".join(sorted(row.judge_version for row in members))
            tags = {key: value for key, value in members[0].tags.items() if key not in _OWN}
            combined_rows.append(
                JudgmentRow(
                    key=digest.hexdigest(),
                    judge_version=hashlib.blake2b(f"{rule}{versions}".encode(), digest_size=6).hexdigest(),
                    trial=members[0].trial,
                    judgment=judgment,
                    tags={"judge": f"{rule} of {len(members)}", "ensemble": rule, **tags},
                    at=time.time(),
                )
            )
    return combined_rows


async def record_ensembles(ledger: Ledger, run: str, rules: Sequence[Rule]) -> int:
    """Combine the judges of a run, record the results, and return their number."""
    combined = ensembles_of(ledger.judgments(run), rules)
    for row in combined:
        await ledger.record_judgment(run, row)
    return len(combined)
