"""Repetitions of a judgment: when their majority is settled, and how they combine."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

import msgspec

from assay.judges.judgment import Judgment, Preference, worst_status
from assay.models.base import Usage

T = TypeVar("T", bound=Hashable)


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


class Repetitions(msgspec.Struct, frozen=True):
    """Repeated judgments of one case. Fewer than ``planned`` were made if the majority was settled early."""

    judgments: tuple[Judgment, ...]
    planned: int

    @property
    def scores(self) -> dict[str, Spread]:
        """Each score over the repetitions that gave it, in the order of first occurrence."""
        keys = dict.fromkeys(key for item in self.judgments for key in item.scores or ())
        return {
            key: Spread(
                tuple(item.scores[key] for item in self.judgments if item.scores and key in item.scores)
            )
            for key in keys
        }

    @property
    def votes(self) -> dict[Preference, int]:
        """Frequency of each preference, the most frequent first."""
        return dict(Counter(item.preference for item in self.judgments if item.preference).most_common())

    @property
    def preference(self) -> Preference | None:
        """The most frequent preference; a tie if two are equally frequent, None if no repetition has one."""
        votes = [item.preference for item in self.judgments]
        return majority(votes) or ("tie" if any(votes) else None)

    @property
    def settled_early(self) -> bool:
        """Whether repetitions were left out because they could not change the majority."""
        return len(self.judgments) < self.planned

    @property
    def usage(self) -> Usage:
        """Usage of all repetitions."""
        return sum((item.usage for item in self.judgments), Usage())

    @property
    def judgment(self) -> Judgment:
        """All repetitions as one judgment: mean scores, most frequent preference, worst status.

        A single repetition is returned unchanged.
        """
        first = self.judgments[0]
        if len(self.judgments) == 1:
            return first
        scores = {key: round(spread.mean, 6) for key, spread in self.scores.items()}
        return msgspec.structs.replace(
            first,
            scores=scores or None,
            preference=self.preference,
            by_order=None,
            choice=None,
            status=worst_status(item.status for item in self.judgments),
            rationale="\n".join(
                f"[trial {number}] {item.rationale}"
                for number, item in enumerate(self.judgments, 1)
                if item.rationale
            ),
            quotes=tuple(quote for item in self.judgments for quote in item.quotes),
            usage=self.usage,
        )
