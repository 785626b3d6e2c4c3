"""Coverage: the share of criteria with a verdict, which is shown beside every score."""

from __future__ import annotations

from typing import Any

import msgspec

from assay.judges.judgment import Judgment, Status, Verdict


class CoverageGap(msgspec.Struct, frozen=True):
    """An answer without a verdict: its criteria, the part of the subject, the order of showing, and the reason."""

    criteria: tuple[str, ...]
    unit: str
    order: str
    status: Status
    problem: str | None

    @property
    def where(self) -> str:
        """Part of the subject or order of showing, in words; empty if there is only one."""
        orders = {"AB": "A shown first", "BA": "B shown first", "reverse": "shown in reverse"}
        kind, _, number = self.unit.partition(":")
        unit = f"{kind} {int(number) + 1}" if number.isdigit() else self.unit
        return unit or orders.get(self.order, "")


class Coverage(msgspec.Struct, frozen=True):
    """Number of criteria asked and answered, and the gaps. A criterion is answered if all its answers are verdicts."""

    asked: int
    answered: int
    gaps: tuple[CoverageGap, ...] = ()

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.asked + other.asked, self.answered + other.answered, self.gaps + other.gaps)

    def to_dict(self) -> dict[str, Any]:
        """Return the coverage as plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def coverage_of(judgment: Judgment) -> Coverage:
    """Return the coverage of one judgment. Criteria that lack a verdict for the same reason make one gap."""
    gaps: dict[tuple[str, str, Status, str | None], list[str]] = {}
    for item in judgment.verdicts:
        if item.status != "ok":
            gaps.setdefault((item.unit, _order(item), item.status, item.problem), []).append(item.criterion)
    asked = {item.criterion for item in judgment.verdicts}
    missing = {key for keys in gaps.values() for key in keys}
    found = [
        CoverageGap(tuple(keys), unit, order, status, problem)
        for (unit, order, status, problem), keys in gaps.items()
    ]
    if judgment.status != "ok" and not found:
        # A step before the verdicts failed, or the verdict on the whole is missing.
        found = [CoverageGap((), "", "", judgment.status, judgment.problem)]
    return Coverage(len(asked), len(asked - missing), tuple(found))


def _order(verdict: Verdict) -> str:
    """Return the order of showing without a verdict, if only one is."""
    lacking = [order for order, label in (verdict.by_order or {}).items() if label is None]
    return lacking[0] if len(lacking) == 1 else ""
