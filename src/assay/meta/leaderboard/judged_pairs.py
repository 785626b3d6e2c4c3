"""Comparisons of systems from judgments of pairs, and what had to be left out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from assay.judges.judgment import Judgment, margin_of_orders
from assay.judges.judgment_groups import singles
from assay.judges.model_free_comparison import TIE_MARGINS
from assay.judges.sides import Side, side_of
from assay.meta.leaderboard.comparisons import (
    LOSS,
    NO_VERDICT,
    OVERALL,
    TIE,
    WIN,
    Comparisons,
    ComparisonsBuilder,
)
from assay.meta.leaderboard.subject_index import ComparedSubject, SubjectIndex, domain_of, first_text

_CODES: Final[dict[Side | None, int]] = {"A": WIN, "B": LOSS, "tie": TIE, None: NO_VERDICT}
_TASKS: Final = (
    "task", "task_id", "question_id", "query_id", "prompt_id", "instruction_id", "query", "question", "prompt",
)  # fmt: skip


class JudgedPairs:
    """Turns judgments into comparisons.

    Args:
        index: What is known of the judged subjects.
        tie: Largest margin that counts as a tie; None for the judge's own rule (0 for judges with a model).
        judge: Judge whose comparisons count; None for all.

    Attributes:
        same: Number of comparisons of a system with itself.
        unknown: Number of comparisons with a subject of unknown system.
        example: A subject of unknown system.
        single: Number of judgments that are not of a pair.
        filtered: Number of judgments of other judges than the selected one.
    """

    def __init__(self, index: SubjectIndex, *, tie: float | None = None, judge: str | None = None) -> None:
        self.index, self.tie, self.judge = index, tie, judge
        self.same = self.unknown = self.single = self.filtered = 0
        self.example = ""
        self._builder = ComparisonsBuilder()

    def add(self, judgments: Iterable[Judgment]) -> Comparisons:
        """Add judgments, each repetition for itself, and return all comparisons."""
        for item in singles(judgments):
            label = str(item.metadata.get("judge") or item.judge)
            if self.judge is not None and self.judge not in (label, item.judge):
                self.filtered += 1
            elif (names := _names(item)) is None:
                self.single += 1
            else:
                self._add(item, label, [self._side(item, *pair) for pair in zip("ab", names, strict=True)])
        return self._builder.build()

    def notes(self) -> Iterator[str]:
        """Yield what was left out, and why."""
        if self.unknown:
            example = f" ({self.example!r})" if self.example else ""
            yield f"{self.unknown:,} judgments are about subjects of an unknown system{example}, and are left out"
        if self.single:
            yield f"{self.single:,} judgments are not about a pair, and are left out"
        if self.same:
            yield f"{self.same:,} comparisons are of a system with itself, and are left out"
        if self.filtered and not len(self._builder):
            yield f"no judgment is by {self.judge!r}"

    def _side(self, item: Judgment, side: str, name: str) -> ComparedSubject | None:
        """Return one of the two compared subjects; None if its system is unknown."""
        system = first_text(item.metadata, [f"system_{side}"])
        own = first_text(item.metadata, [f"id_{side}"])
        known = self.index.find(name, system) or (self.index.find(own, system) if own else None)
        if known is None and system is None:
            self.example = self.example or name
            return None
        known = known or ComparedSubject()
        return msgspec.structs.replace(known, system=system or known.system, id=own or known.id)

    def _add(self, item: Judgment, judge: str, sides: list[ComparedSubject | None]) -> None:
        one, two = sides
        if one is None or two is None or not one.system or not two.system:
            self.unknown += 1
            return
        if one.system == two.system:
            self.same += 1
            return
        task = first_text(item.metadata, _TASKS) or _task(one, two)
        domain = domain_of(item.metadata) or one.domain or two.domain
        self._builder.add(
            (one.system, two.system),
            codes_of(item, self.tie),
            task=task,
            domain=domain or self.index.domain(task, task) or self.index.domain(one.id),
            judge=judge,
            rubric=item.rubric,
            styles=(one.style, two.style),
        )


def codes_of(judgment: Judgment, tie: float | None = None) -> dict[str, float]:
    """Return the margins of a judgment of a pair by dimension, from -1 to 1, or `NO_VERDICT`.

    ``overall`` is the preference, other dimensions their own verdicts. Each order counts half, so that a win in one and
    a tie in the other is a half win. Without verdicts by order, the sign of a margin decides.
    """
    within = TIE_MARGINS.get(judgment.judge, 0.0) if tie is None else tie
    codes: dict[str, float] = {OVERALL: _CODES[side_of(judgment)]}
    for key, value in (judgment.scores or {}).items():
        if key != OVERALL and math.isfinite(value):
            codes[key] = TIE if abs(value) <= within else WIN if value > 0 else LOSS
    orders = {item.criterion: item.by_order for item in judgment.verdicts if item.criterion in codes}
    for key, by_order in {**orders, OVERALL: judgment.by_order}.items():
        margin = margin_of_orders(by_order)
        if margin is not None and codes[key] != NO_VERDICT:
            codes[key] = TIE if abs(margin) <= (tie or 0.0) else margin
    return codes


def _names(judgment: Judgment) -> list[str] | None:
    """Return the names of both subjects; None if the judgment is not of a pair."""
    names = judgment.subject.split(" | ")
    if len(names) == 2:
        return names
    known: Any = judgment.metadata
    return ["", ""] if "system_a" in known and "system_b" in known else None


def _task(one: ComparedSubject, two: ComparedSubject) -> str | None:
    if one.task is not None and one.task == two.task:
        return one.task
    if one.id is not None and two.id is not None:
        # Repetitions on the same two subjects belong together.
        return one.id if one.id == two.id else " | ".join(sorted((one.id, two.id)))
    return one.task or two.task
