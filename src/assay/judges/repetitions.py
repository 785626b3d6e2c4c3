"""Repetitions of a judgment: when their majority is settled, and how they combine."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from assay.judges.judgment import ABSTAINED, Judgment, Preference, Verdict, worst_status
from assay.models.base import Usage

T = TypeVar("T")


def majority(votes: Sequence[T | None]) -> T | None:
    """Return the most frequent value, or None if there is none or a draw; missing votes do not count."""
    ranked = Counter(vote for vote in votes if vote is not None).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def is_settled(votes: Sequence[Hashable | None], total: int) -> bool:
    """Whether further votes, up to ``total``, can neither change the majority nor cause a draw."""
    left = total - len(votes)
    ranked = Counter(vote for vote in votes if vote is not None).most_common(2)
    if not ranked:
        return left <= 0
    second = ranked[1][1] if len(ranked) == 2 else 0
    return left <= 0 or ranked[0][1] > second + left


def votes_needed(votes: Sequence[Hashable | None], total: int) -> int:
    """Return the minimum number of further votes before the majority can be settled; 0 if it is settled.

    These votes may be requested at once, because all of them are needed in any case.
    """
    if is_settled(votes, total):
        return 0
    ranked = Counter(vote for vote in votes if vote is not None).most_common(1)
    # The majority settles soonest if all further votes are for the leader, or for any value if there is none.
    leader: Hashable = ranked[0][0] if ranked else ""
    left = total - len(votes)
    return next(count for count in range(1, left + 1) if is_settled([*votes, *[leader] * count], total))


class Spread(msgspec.Struct, frozen=True):
    """The distribution of one score over the repetitions that gave it."""

    values: tuple[float, ...]

    @property
    def n(self) -> int:
        """Number of repetitions with a score."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """Mean of the scores."""
        return statistics.fmean(self.values)

    @property
    def sd(self) -> float | None:
        """Standard deviation of the sample; None for fewer than two scores."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None


def spreads_of(judgment: Judgment) -> dict[str, Spread]:
    """Return each score over the repetitions that gave it, in the order of first occurrence."""
    single = judgment.repetitions or (judgment,)
    keys = dict.fromkeys(key for item in single for key in item.scores or ())
    return {
        key: Spread(tuple(item.scores[key] for item in single if item.scores and key in item.scores))
        for key in keys
    }


def combine_repetitions(judgments: Sequence[Judgment], planned: int = 1) -> Judgment:
    """Return repeated judgments of one case as one judgment, which keeps them in ``repetitions``.

    Scores are means over the repetitions that have them; preferences, labels, and those of each order are the most
    frequent ones; the status is the worst. A comparison whose preferences are equally frequent is a tie; a criterion
    whose labels are has no verdict.

    Args:
        judgments: One or more, in order; a single one is returned as it is.
        planned: Number of planned repetitions; fewer are made if the majority is settled early.
    """
    first = judgments[0]
    if len(judgments) == 1:
        return first if first.planned == planned else replace(first, planned=planned)
    whole = replace(first, repetitions=tuple(judgments))
    scores = {key: round(spread.mean, 6) for key, spread in spreads_of(whole).items()}
    problem = _together(item.problem for item in judgments if not item.abstained)
    return replace(
        whole,
        planned=max(planned, len(judgments)),
        scores=scores or None,
        preference=_vote([item.preference for item in judgments]),
        by_order=_votes_by_order(judgments),
        choice=_best(scores) if first.mode == "rank" else None,
        status=worst_status(item.status for item in judgments),
        problem=ABSTAINED if all(item.abstained for item in judgments) else problem,
        verdicts=_verdicts(judgments),
        rationale="\n".join(
            f"[repetition {number}] {item.rationale}"
            for number, item in enumerate(judgments, 1)
            if item.rationale
        ),
        quotes=tuple(quote for item in judgments for quote in item.quotes),
        notes=tuple(dict.fromkeys(note for item in judgments for note in item.notes)),
        usage=sum((item.usage for item in judgments), Usage()),
    )


def _vote(votes: Sequence[Preference | None]) -> Preference | None:
    """Return the most frequent preference; a tie if two are equally frequent, None if no repetition has one."""
    return majority(votes) or ("tie" if any(votes) else None)


def _votes_by_order(judgments: Sequence[Judgment]) -> dict[str, Preference | None] | None:
    orders = dict.fromkeys(order for item in judgments for order in item.by_order or ())
    return {
        order: _vote([(item.by_order or {}).get(order) for item in judgments]) for order in orders
    } or None


def _best(points: Mapping[str, float]) -> int | None:
    best = [key for key, value in points.items() if value == max(points.values())]
    return int(best[0]) if len(best) == 1 else None


def _together(problems: Iterable[str | None]) -> str | None:
    return "; ".join(dict.fromkeys(problem for problem in problems if problem)) or None


def _verdicts(judgments: Sequence[Judgment]) -> tuple[Verdict, ...]:
    groups: dict[tuple[str, str], list[Verdict]] = {}
    for item in judgments:
        for verdict in item.verdicts:
            groups.setdefault((verdict.criterion, verdict.unit), []).append(verdict)
    return tuple(_verdict(votes) for votes in groups.values())


def _verdict(votes: Sequence[Verdict]) -> Verdict:
    """Return the most frequent label, or the mean of numbers, with the reasons of the first that gave it."""
    given = [vote for vote in votes if vote.status == "ok"]
    numbers = [vote.score for vote in given if vote.score is not None]
    mean = round(statistics.fmean(numbers), 6) if numbers else None
    label: str | float | None
    if given and all(isinstance(vote.verdict, float) for vote in given):
        label, score, agreeing = mean, mean, given
    else:
        label = _label([vote.verdict for vote in given])
        agreeing = [vote for vote in given if vote.verdict == label and label is not None]
        # A pair's score is a margin over both orders, and is averaged; that of a label is the label's.
        score = mean if votes[0].by_order else agreeing[0].score if agreeing else None
    orders = _labels_by_order(votes)
    if orders:
        label = next(iter(orders.values())) if len(set(orders.values())) == 1 else None
    if not agreeing and not (given and orders):
        counts = Counter(str(vote.verdict) for vote in given)
        why = ", ".join(f"{times} {name}" for name, times in counts.items())
        status = worst_status(vote.status for vote in votes)
        return Verdict(
            **_question(votes[0]),
            status="unparsed" if status == "ok" else status,
            problem=f"no majority: {why}" if given else _together(vote.problem for vote in votes),
        )
    sure = [vote.confidence for vote in agreeing if vote.confidence is not None]
    return replace(
        (agreeing or given)[0],
        verdict=label,
        score=score,
        by_order=orders,
        confidence=round(statistics.fmean(sure), 6) if sure else None,
    )


def _label(labels: Sequence[str | float | None]) -> str | float | None:
    label: Any = majority(labels)
    return None if label is None else label if isinstance(label, str) else float(label)


def _labels_by_order(votes: Sequence[Verdict]) -> dict[str, str | float | None] | None:
    orders: dict[str, list[str | float | None]] = {}
    for vote in votes:
        for order, label in (vote.by_order or {}).items():
            orders.setdefault(order, []).append(label)
    return {order: _label(labels) for order, labels in orders.items()} or None


def _question(verdict: Verdict) -> dict[str, Any]:
    return {
        name: getattr(verdict, name) for name in ("criterion", "text", "weight", "axis", "mandatory", "unit")
    }
