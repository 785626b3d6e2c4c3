"""Ensembles of a run: its judges put together on each pair, by consensus or by majority, without a further call.

Written to the ledger as judgments of one more judge, so that exports, tables and comparisons of judges have them too.
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

# Tags that are of a judge, and not of what it judges.
_OWN = ("judge", "trials_skipped")


def ensembles_of(rows: Iterable[JudgmentRow], rules: Sequence[Rule]) -> list[JudgmentRow]:
    """One judgment a pair, trial and rule, where two or more judges judged it by one yardstick."""
    groups: dict[tuple[object, ...], list[JudgmentRow]] = {}
    for row in rows:
        if row.tags.get("mode") == "pair" and "ensemble" not in row.tags:
            about = tuple(sorted((key, value) for key, value in row.tags.items() if key not in _OWN))
            groups.setdefault((row.judgment.subject, row.judgment.rubric, row.trial, about), []).append(row)
    found: list[JudgmentRow] = []
    for members in groups.values():
        if len(members) < 2:
            continue
        # By their labels: two may ask one model in different ways.
        named = [
            msgspec.structs.replace(row.judgment, judge=row.tags.get("judge", row.judgment.judge))
            for row in sorted(members, key=lambda row: row.tags.get("judge", ""))
        ]
        for rule in rules:
            made = ensemble(named, rule)
            digest = hashlib.blake2b(rule.encode(), digest_size=16)
            for row in sorted(members, key=lambda row: row.key):
                digest.update(row.key.encode())
            versions = "".join(sorted(row.judge_version for row in members))
            tags = {key: value for key, value in members[0].tags.items() if key not in _OWN}
            found.append(
                JudgmentRow(
                    key=digest.hexdigest(),
                    judge_version=hashlib.blake2b(f"{rule}{versions}".encode(), digest_size=6).hexdigest(),
                    trial=members[0].trial,
                    judgment=made,
                    tags={"judge": f"{rule} of {len(members)}", "ensemble": rule, **tags},
                    at=time.time(),
                )
            )
    return found


async def record_ensembles(ledger: Ledger, run: str, rules: Sequence[Rule]) -> int:
    """Put the judges of a run together, and write it down; how many judgments that makes."""
    made = ensembles_of(ledger.judgments(run), rules)
    for row in made:
        await ledger.record_judgment(run, row)
    return len(made)
