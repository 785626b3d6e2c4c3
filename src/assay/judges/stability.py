"""How far a judge agrees with itself: over repetitions, and over both orders of a pair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from assay.judges.judgment import Judgment
from assay.judges.judgment_groups import by_judge, singles
from assay.judges.sides import Orders, orders_of, side_of
from assay.measures.clustered import share_interval
from assay.measures.intervals import Estimate, estimate_columns
from assay.measures.repeatability import flip_rate, within_variance
from assay.record import Record, Records

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIDES: Final = {"A": 0.0, "tie": 1.0, "B": 2.0}


class ConsistencyRow(Record, msgspec.Struct, frozen=True, kw_only=True):
    """How often a judge gives a pair the same verdict in both orders.

    Attributes:
        judge: Name of the judge.
        consistent: Share of pairs with the same verdict in both orders, clustered by case.
        first: Share of pairs in which it prefers whichever is shown first.
        second: Share of pairs in which it prefers whichever is shown second.
        pairs: Number of pairs with a verdict in both orders.
    """

    judge: str
    consistent: Estimate
    first: float | None
    second: float | None
    pairs: int

    def summary_line(self) -> str:
        """Return judge and share."""
        return f"{self.judge}: {self.consistent}"


class StabilityRow(Record, msgspec.Struct, frozen=True, kw_only=True):
    """How far the repetitions of a judge agree.

    Attributes:
        judge: Name of the judge.
        mode: Whether cases were scored or compared.
        cases: Number of cases with verdicts in two or more repetitions.
        flips: Comparisons: probability that two repetitions of a case differ.
        variance: Scores: mean variance of the overall score over repetitions, in squared points.
    """

    judge: str
    mode: str
    cases: int
    flips: Estimate | None = None
    variance: Estimate | None = None

    @property
    def sd(self) -> float | None:
        """Standard deviation of the overall score over repetitions, in points."""
        value = None if self.variance is None else self.variance.value
        return None if value is None else math.sqrt(value)

    def summary_line(self) -> str:
        """Return judge and flips or standard deviation."""
        return f"{self.judge}: {f'flips {self.flips}' if self.flips else f'sd {self.sd}'}"


class ConsistencyTable(Records[ConsistencyRow]):
    """The consistency of several judges."""

    item_type = ConsistencyRow
    noun = "judge"

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each judge."""
        return {
            "judge": [row.judge for row in self],
            **estimate_columns("consistent", [row.consistent for row in self]),
            "first": [row.first for row in self],
            "second": [row.second for row in self],
            "pairs": [row.pairs for row in self],
        }


class StabilityTable(Records[StabilityRow]):
    """The stability of several judges."""

    item_type = StabilityRow
    noun = "judge"

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each judge and mode."""
        return {
            "judge": [row.judge for row in self],
            "mode": [row.mode for row in self],
            **estimate_columns("flips", [row.flips for row in self]),
            "sd": [row.sd for row in self],
            **estimate_columns("variance", [row.variance for row in self]),
            "cases": [row.cases for row in self],
        }


class RepetitionTable(msgspec.Struct, frozen=True, eq=False):
    """Repetitions of one judge in one mode.

    Attributes:
        rows: Subject and dimension of each row.
        verdicts: Scores, or numbers of the preferred side; rows × repetitions, NaN without a verdict.
        counts: Number of repetitions of each row, with or without a verdict.
    """

    rows: list[tuple[str, str]]
    verdicts: NDArray[np.float64]
    counts: list[int]

    @property
    def given(self) -> NDArray[np.bool_]:
        """Whether there is a verdict; rows × repetitions."""
        return ~np.isnan(self.verdicts)

    @property
    def codes(self) -> NDArray[np.float64]:
        """Equal values as equal whole numbers; NaN without a verdict."""
        codes = np.full(self.verdicts.shape, np.nan)
        codes[self.given] = np.unique(self.verdicts[self.given], return_inverse=True)[1]
        return codes


def repetition_table(judgments: Iterable[Judgment], mode: str, dimension: str = "overall") -> RepetitionTable:
    """Return the repetitions of one judge; of scores without the dimension, all dimensions are rows of their own."""
    own = [item for item in judgments if item.mode == mode]
    rows: dict[tuple[str, str], list[float]] = {}
    if mode == "compare":
        for item in own:
            rows.setdefault((item.subject, "overall"), []).append(_SIDES.get(side_of(item) or "", math.nan))
    else:
        parts = [dimension]
        if not any(dimension in (item.scores or ()) for item in own):
            parts = list(dict.fromkeys(part for item in own for part in item.scores or ()))
        for item in own:
            scores = item.scores or {}
            for part in parts:
                rows.setdefault((item.subject, part), []).append(scores.get(part, math.nan))
    counts = [len(row) for row in rows.values()]
    table = np.full((len(rows), max(counts, default=0)), np.nan)
    for at, row in enumerate(rows.values()):
        table[at, : len(row)] = row
    return RepetitionTable(list(rows), table, counts)


def stability_table(judgments: Iterable[Judgment]) -> StabilityTable:
    """Return how far the repetitions of each judge agree: flips of comparisons, variance of overall scores."""
    rows = []
    for judge, items in by_judge(judgments).items():
        for mode in dict.fromkeys(item.mode for item in items if item.mode != "rank"):
            table = repetition_table(items, mode)
            cases = int((table.given.sum(axis=1) > 1).sum())
            if max(table.counts) < 2:
                continue
            groups = [subject for subject, _ in table.rows]
            if mode == "compare":
                rows.append(
                    StabilityRow(judge=judge, mode=mode, cases=cases, flips=flip_rate(table.codes, groups))
                )
            else:
                variance = within_variance(table.verdicts, groups)
                rows.append(StabilityRow(judge=judge, mode=mode, cases=cases, variance=variance))
    return StabilityTable(rows)


def consistency_table(judgments: Iterable[Judgment]) -> ConsistencyTable:
    """Return how often each judge gives pairs the same verdict in both orders; repetitions count each for itself."""
    pairs: dict[str, list[tuple[str, Orders]]] = {}
    for item in singles(judgments):
        orders = orders_of(item.by_order)
        if orders is not None and None not in orders:
            pairs.setdefault(item.judge, []).append((item.subject, orders))
    return ConsistencyTable(_consistency(judge, own) for judge, own in pairs.items())


def _consistency(judge: str, pairs: Sequence[tuple[str, Orders]]) -> ConsistencyRow:
    same = [a == b for _, (a, b) in pairs]
    return ConsistencyRow(
        judge=judge,
        consistent=share_interval(same, [subject for subject, _ in pairs]),
        first=sum(orders == ("A", "B") for _, orders in pairs) / len(pairs),
        second=sum(orders == ("B", "A") for _, orders in pairs) / len(pairs),
        pairs=len(pairs),
    )
