"""Repeated trials: when their majority is settled, and what they say together."""

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
    """The value more votes are for than for any other, or None. Missing votes are for nothing."""
    ranked = Counter(vote for vote in votes if vote is not None).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def settled(votes: Sequence[Hashable | None], total: int) -> bool:
    """Whether votes still to come, up to ``total``, cannot change the majority, nor make it a draw."""
    left = total - len(votes)
    ranked = Counter(vote for vote in votes if vote is not None).most_common(2)
    if not ranked:
        return left <= 0
    second = ranked[1][1] if len(ranked) == 2 else 0
    return left <= 0 or ranked[0][1] > second + left


def needed(votes: Sequence[Hashable | None], total: int) -> int:
    """How many votes must come, at the least, before the majority can be settled; 0 if it is.

    So many may be asked for at once: one after the other would take as many.
    """
    if settled(votes, total):
        return 0
    ranked = Counter(vote for vote in votes if vote is not None).most_common(1)
    # They settle it soonest if all of them are for the one that leads; any value will do where none does.
    leader: Hashable = ranked[0][0] if ranked else ""
    left = total - len(votes)
    return next(count for count in range(1, left + 1) if settled([*votes, *[leader] * count], total))


class Spread(msgspec.Struct, frozen=True):
    """A score over trials: those that gave one. ``sd`` is of the sample, and None for fewer than two."""

    values: tuple[float, ...]

    @property
    def n(self) -> int:
        """Repetitions that gave a score."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """Their mean."""
        return statistics.fmean(self.values)

    @property
    def sd(self) -> float | None:
        """Their standard deviation."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None


class Repetitions(msgspec.Struct, frozen=True):
    """Repeated judgments of the same. ``planned`` may be more than were made, if the majority was settled before."""

    judgments: tuple[Judgment, ...]
    planned: int

    @property
    def scores(self) -> dict[str, Spread]:
        """Each score over the trials that gave it, in the order of the first trial that did."""
        keys = dict.fromkeys(key for item in self.judgments for key in item.scores or ())
        return {
            key: Spread(
                tuple(item.scores[key] for item in self.judgments if item.scores and key in item.scores)
            )
            for key in keys
        }

    @property
    def votes(self) -> dict[Preference, int]:
        """Verdicts of a comparison, the most frequent first."""
        return dict(Counter(item.preference for item in self.judgments if item.preference).most_common())

    @property
    def preference(self) -> Preference | None:
        """The verdict of most trials; a tie where two are equally frequent, None where no trial has one."""
        votes = [item.preference for item in self.judgments]
        return majority(votes) or ("tie" if any(votes) else None)

    @property
    def settled_early(self) -> bool:
        """Whether trials were left out because they could not change the majority."""
        return len(self.judgments) < self.planned

    @property
    def usage(self) -> Usage:
        """Of all trials."""
        return sum((item.usage for item in self.judgments), Usage())

    @property
    def judgment(self) -> Judgment:
        """All trials as one: mean scores, the verdict of most, the worst status. That of a single trial is its own."""
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
