"""Rankings: several subjects in order, by one prompt, by a tournament of pairs, or by their scores.

All three give points from 0 to 1 for every candidate, the places that follow from them, and the best one, if there
is one. A candidate without any verdict has neither points nor a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from assay.judges.judgment import Judgment, worst_status
from assay.judges.tournament import places_of
from assay.models.base import Usage

if TYPE_CHECKING:
    from assay.judges.tournament import TournamentResult

Method = Literal["listwise", "tournament", "scores"]
METHODS: tuple[Method, ...] = ("listwise", "tournament", "scores")


class Ranking(msgspec.Struct, frozen=True):
    """Candidates in order.

    Attributes:
        subjects: Names of the candidates, as given.
        method: Method of ranking.
        order: Indices of the candidates, best first; those without a place come last, in the given order.
        points: Points of each candidate: the share of the others it was placed before (listwise), the share of its
            comparisons it won, a tie counting half (tournament), or its score. None without a verdict.
        places: Place of each candidate, from 1; equal ones share a place. None without a verdict.
        choice: Index of the candidate strictly ahead of all others, if there is one.
        judgment: The whole ranking as one judgment.
        judgments: The judgments that the ranking combines.
        notes: What a reader must know before using the order.
        labels: What to call the candidates where people read it; empty for their names.
    """

    subjects: tuple[str, ...]
    method: Method
    order: tuple[int, ...]
    points: tuple[float | None, ...]
    places: tuple[int | None, ...]
    choice: int | None
    judgment: Judgment
    judgments: tuple[Judgment, ...]
    notes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    @property
    def undecided(self) -> int:
        """Number of judgments without a verdict."""
        return sum(not _decided(item) for item in self.judgments)

    @property
    def usage(self) -> Usage:
        """Usage of all judgments."""
        return self.judgment.usage

    def to_dict(self) -> dict[str, Any]:
        """Return ``assay.judgment/2`` with a field ``ranking``: the order, points and places, and their origin."""
        made_of = [] if self.judgments == (self.judgment,) else [item.to_dict() for item in self.judgments]
        return {
            **self.judgment.to_dict(),
            "ranking": {
                "method": self.method,
                "subjects": list(self.subjects),
                "labels": list(self.labels or self.subjects),
                "order": list(self.order),
                "points": list(self.points),
                "places": list(self.places),
                "undecided": self.undecided,
                "notes": list(self.notes),
                "judgments": made_of,
            },
        }


def ranking_of_judgments(subjects: Sequence[str], judgments: Sequence[Judgment]) -> Ranking:
    """Return the ranking from listwise judgments, one per repetition; points are averaged over those with a ranking."""
    given = [item.scores for item in judgments if item.scores]
    points: list[float | None] = [None] * len(subjects)
    if given:
        points = [
            round(sum(scores[str(i)] for scores in given) / len(given), 6) for i in range(len(subjects))
        ]
    return _ranking("listwise", subjects, points, judgments)


def ranking_of_tournament(subjects: Sequence[str], standing: TournamentResult) -> Ranking:
    """Return the ranking from a tournament."""
    return _ranking("tournament", subjects, standing.points, standing.judgments, places=standing.places)


def ranking_of_scores(
    subjects: Sequence[str],
    judgments: Sequence[Sequence[Judgment]],
    *,
    key: str = "overall",
) -> Ranking:
    """Return the ranking by scores, given the judgments of each candidate, one per repetition; scores are averaged."""
    points: list[float | None] = []
    for own in judgments:
        scores = [item.scores[key] for item in own if item.scores and key in item.scores]
        points.append(round(sum(scores) / len(scores), 6) if scores else None)
    return _ranking("scores", subjects, points, [item for own in judgments for item in own])


def _ranking(
    method: Method,
    subjects: Sequence[str],
    points: Sequence[float | None],
    judgments: Sequence[Judgment],
    *,
    places: Sequence[int | None] | None = None,
) -> Ranking:
    placed = tuple(places_of(points) if places is None else places)
    choice = placed.index(1) if placed.count(1) == 1 else None
    order = sorted(range(len(subjects)), key=lambda i: (placed[i] is None, placed[i] or 0, i))
    parts = tuple(judgments)
    whole = parts[0]
    if len(parts) > 1 or method != "listwise":
        numbers = {str(i): value for i, value in enumerate(points) if value is not None}
        whole = Judgment(
            subject=" | ".join(subjects),
            judge=parts[0].judge,
            rubric=parts[0].rubric,
            scores=numbers or None,
            choice=choice,
            status=worst_status(item.status for item in parts),
            usage=sum((item.usage for item in parts), Usage()),
            mode="rank",
        )
    return Ranking(tuple(subjects), method, tuple(order), tuple(points), placed, choice, whole, parts)


def _decided(judgment: Judgment) -> bool:
    return bool(judgment.scores) if judgment.by_order is None else judgment.preference is not None
