"""The result of a judge on one case: the contract ``assay.judgment/2``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Self

import msgspec

from assay.frozen import freeze
from assay.judges.judgment_format import SCHEMA, current_row
from assay.models.base import Usage
from assay.record import Record, columns_of, html_table
from assay.subjects.case import Mode

Preference = Literal["A>B", "A<B", "both_good", "both_bad", "tie"]
Status = Literal["ok", "unparsed", "refused", "failed"]
# Why there is no verdict, where the judge answered and decided for nothing.
ABSTAINED: Final = "abstained"
_WINS: Final = {"A>B": 1.0, "A<B": -1.0}
_WORST_FIRST: Final[tuple[Status, ...]] = ("failed", "refused", "unparsed")


class Quote(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A quotation that a judgment rests on; its offsets are None if the subject does not contain it.

    ``document`` is the index of the subject, in the order given.
    """

    text: str
    start: int | None
    end: int | None
    document: int = 0


class Verdict(Record, msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The verdict on one criterion, or why there is none.

    Attributes:
        criterion: Key of the criterion.
        text: What the criterion asks.
        weight: Its weight; negative if meeting it is bad.
        axis: Its axis, if the rubric names one.
        mandatory: Whether a subject that misses it fails.
        unit: Part of the subject that was judged: ``""`` for the whole, ``"chunk:3"``, ``"step:12"``.
        verdict: Label or number as the judge gave it; None without a verdict. For two orders that differ, None.
        score: Its number on the scale; for a pair the margin from -1 (B) to 1 (A), averaged over the orders.
        by_order: Label in each order in which a pair was shown, in terms of the A and B given.
        status: "ok" if there is a verdict.
        problem: Why there is none.
        reasoning: The judge's reasons.
        quotes: Passages that it rests on, located in the subject.
        missing: What the subject lacks to meet the criterion.
        confidence: The judge's stated confidence, 0 to 1.
    """

    criterion: str
    text: str = ""
    weight: float = 1.0
    axis: str | None = None
    mandatory: bool = False
    unit: str = ""
    verdict: str | float | None = None
    score: float | None = None
    by_order: dict[str, str | float | None] | None = None
    status: Status = "ok"
    problem: str | None = None
    reasoning: str = ""
    quotes: tuple[Quote, ...] = ()
    missing: tuple[str, ...] = ()
    confidence: float | None = None

    def __post_init__(self) -> None:
        freeze(self, "by_order")

    def summary_line(self) -> str:
        """Return criterion and verdict."""
        return f"{self.criterion}: {self.status if self.verdict is None else self.verdict}"


class Judgment(Record, msgspec.Struct, frozen=True, gc=False):
    """All verdicts of one judge on one case, combined.

    Attributes:
        subject: Name of the case: the subject's, or those of all joined by `` | ``.
        judge: Name of the judge in results.
        rubric: Name of the rubric; None for a judge without one.
        scores: Score by criterion, and ``overall``. For a pair, margins from -1 (B) to 1 (A); for a ranking, points
            by candidate (``"0"`` …).
        preference: The better of two; None without a verdict.
        by_order: Preference in each order in which the pair was shown.
        choice: Index of the best of several candidates, if one is.
        status: "ok" if every criterion has a verdict, or the judge abstained.
        rationale: The judge's reasons as readable text.
        quotes: All passages quoted.
        usage: Tokens and cost of all calls.
        mode: Whether the case was scored, compared or ranked.
        problem: Why there is no verdict; "abstained" if the judge answered and decided for nothing.
        verdicts: The verdict on each criterion.
        version: Hash of everything that can change the judge's judgments; None if unknown.
        key: Content address: depends on judge, case and repetition.
        repetition: Number of this repetition, from 0.
        repetitions: The single repetitions that this judgment combines; empty if there is only one.
        planned: Number of planned repetitions; fewer were made if the majority was settled early.
        metadata: What joins it to other tables: id, system, domain (``id_a``, ``system_a`` … for a pair).
        notes: What else happened on the way to the verdict.
    """

    subject: str
    judge: str
    rubric: str | None = None
    scores: dict[str, float] | None = None
    preference: Preference | None = None
    by_order: dict[str, Preference | None] | None = None
    choice: int | None = None
    status: Status = "ok"
    rationale: str = ""
    quotes: tuple[Quote, ...] = ()
    usage: Usage = Usage()
    mode: Mode = "score"
    problem: str | None = None
    verdicts: tuple[Verdict, ...] = ()
    version: str | None = None
    key: str | None = None
    repetition: int = 0
    repetitions: tuple[Judgment, ...] = ()
    planned: int = 1
    metadata: dict[str, Any] = {}
    notes: tuple[str, ...] = ()
    schema: str = SCHEMA

    def __post_init__(self) -> None:
        freeze(self, "scores", "by_order", "metadata")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the judgment that `to_dict` wrote; rows of earlier contracts are read too.

        Raises:
            InputError: The data are not a judgment.
        """
        return super().from_dict(current_row(data))

    @property
    def overall(self) -> float | None:
        """The overall score; None without one."""
        return (self.scores or {}).get("overall")

    @property
    def margin(self) -> float | None:
        """By how much A is better, -1 to 1, over all criteria of a pair; None without a verdict."""
        if self.mode != "compare" or self.preference is None:
            return None
        if self.overall is not None:
            return self.overall
        margin = margin_of_orders(self.by_order)
        return _WINS.get(self.preference, 0.0) if margin is None else margin

    @property
    def consistent(self) -> bool | None:
        """Whether both orders of a pair gave the same verdict; None unless both were shown and answered."""
        orders = self.by_order or {}
        first, second = orders.get("AB"), orders.get("BA")
        if first is None or second is None:
            return None
        return first == second or "A" not in first + second  # all kinds of tie are one verdict

    @property
    def abstained(self) -> bool:
        """Whether the judge answered and decided for nothing."""
        if self.status != "ok":
            return False
        if self.mode == "compare":
            return self.preference is None
        return not self.scores and self.choice is None and not self.verdicts

    @property
    def coverage(self) -> float:
        """Share of the criteria with a verdict, 0 to 1; without verdicts by criterion, whether there is one at all."""
        if not self.verdicts:
            return float(self.status == "ok" and not self.abstained)
        return sum(item.status == "ok" for item in self.verdicts) / len(self.verdicts)

    def _repr_html_(self) -> str:
        scores = self.scores or {}
        rows = [
            {"criterion": item.criterion, "unit": item.unit, "verdict": item.verdict, "score": item.score,
             "status": item.status, "reasoning": item.reasoning, "quotes": len(item.quotes) or None}
            for item in self.verdicts
        ] or [{"criterion": name, "score": score} for name, score in scores.items()]  # fmt: skip
        return html_table(columns_of(rows), caption=self.summary_line())

    def summary_line(self) -> str:
        """Return subject, verdict and judge."""
        verdict: str | None = self.status
        if self.status == "ok":
            verdict = self.problem if self.abstained else self.preference
            if self.mode == "rank" and self.choice is not None:
                verdict = f"candidate {self.choice} is the best"
            elif verdict is None and self.overall is not None:
                verdict = f"{self.overall:.3g}"
        return f"{self.subject}: {verdict or 'no verdict'} by {self.judge}"


def worst_status(statuses: Iterable[Status]) -> Status:
    """Return the status of a whole: the worst status of its parts, so ``ok`` only if all parts are."""
    given = set(statuses)
    return next((status for status in _WORST_FIRST if status in given), "ok")


def margin_of_orders(by_order: Mapping[str, object] | None) -> float | None:
    """Return by how much A is better over both orders, -1 to 1; None unless both have a verdict.

    Each order counts half: a win in one and a tie in the other is a half win, 0.5; a win for either side is a tie, 0.
    Win rates and ratings count by it. A preference takes both orders (`settle_orders`), so a half win is none.
    """
    orders = by_order or {}
    values = [_side_number(orders.get(order)) for order in ("AB", "BA")]
    known = [value for value in values if value is not None]
    return sum(known) / 2 if len(known) == 2 else None


def _side_number(label: object) -> float | None:
    if isinstance(label, str):
        return _WINS.get(label, 0.0)
    if isinstance(label, int | float):
        return float((label > 0) - (label < 0))
    return None


def settle_orders(verdicts: Sequence[Preference | None]) -> Preference | None:
    """Return one preference for both orders: a shared one, otherwise a tie; None if an order has no verdict."""
    if not verdicts or None in verdicts:
        return None
    return verdicts[0] if len(set(verdicts)) == 1 else "tie"
