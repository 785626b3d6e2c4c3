"""A leaderboard as a record: ``assay.leaderboard/1``."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.measures.intervals import Estimate

SCHEMA: Final = "assay.leaderboard/1"
METHODS: Final[dict[str, str]] = {
    "win_rate": (
        "Win rate: of the comparisons of a system that were decided, the share it won, over all queries and opponents, each"
        " comparison counting once (ReportLogic, appendix C.1). Ties are in no win rate and are counted beside it; a"
        " comparison without a verdict is no tie, and is counted by itself. Intervals are 95 %, clustered by task."
    ),
    "bradley_terry": (
        "Ratings: Bradley and Terry's model, fitted by choix to wins of each system over each other, ties as half a win for"
        " either, on the scale of Elo's ratings: 1000 is the mean of the systems, 400 points are odds of ten to one. Each"
        " system is given one virtual drawn comparison, spread over all others, so that one that won everything has a finite"
        " rating. Intervals are 95 % of a Bayesian bootstrap over tasks,"
        " widened for few tasks as Student's t is."
    ),
    "ranks": (
        "Ranks over the draws of that bootstrap. Two systems that share a letter cannot be told apart: their difference is"
        " not significant at 5 % (Wald test by the spread of the draws, Holm's correction over all pairs). The place runs"
        " from one more than the systems that are significantly better to all but those significantly worse."
    ),
    "style": (
        "StyleControl held constant: the same model with differences of style between the two reports beside the systems (logistic"
        " regression), each divided by its root mean square; intervals by errors clustered by task. The controlled rating is"
        " what is left of the lead where both reports are as long and dressed alike. Where a system always writes longer"
        " than all others, length and system cannot be told apart, and its interval is wide."
    ),
}


class ComparisonCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Comparisons by how they came out."""

    wins: int = 0
    losses: int = 0
    ties: int = 0
    no_verdict: int = 0

    @property
    def decided(self) -> int:
        """With a winner."""
        return self.wins + self.losses

    @property
    def asked(self) -> int:
        """All of them."""
        return self.decided + self.ties + self.no_verdict


class WinRate(msgspec.Struct, frozen=True, kw_only=True):
    """The win rate of a system on a dimension in a domain.

    Attributes:
        domain: None for all domains together.
        dimension: Its key; ``overall`` for the whole.
        system: Its name.
        rate: Won over decided.
        counts: What it rests on.
        by_opponent: The mean of its win rates against each opponent, each opponent counting once; None where none.
    """

    domain: str | None
    dimension: str
    system: str
    rate: Estimate
    counts: ComparisonCounts
    by_opponent: float | None = None


class EloRating(msgspec.Struct, frozen=True, kw_only=True):
    """A number on the scale of Elo's ratings, with its 95 % interval; ``reason`` says why there is none."""

    value: float
    low: float | None = None
    high: float | None = None
    reason: str = ""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A system on the board.

    Attributes:
        system: Its name.
        rank: From 1, by rating; equal ratings share it.
        rating: By Bradley and Terry's model.
        beats_average: The probability of winning against a system of mean rating, with its interval.
        rate: Its win rate.
        counts: Its comparisons.
        tasks: On so many tasks.
        opponents: Against so many systems.
        letters: Systems that share a letter cannot be told apart.
        places: Best and worst place that significance leaves it.
        rank_low: The 2.5 % point of its rank over draws.
        rank_high: The 97.5 % point.
        chances: How often it takes each rank, from the first, over draws; empty without draws.
        note: What makes its rating less than it looks: unbeaten, without a win, without comparisons.
        compliance: Of its reports with criteria, where grades were given.
    """

    system: str
    rank: int
    rating: EloRating
    beats_average: Estimate
    rate: Estimate
    counts: ComparisonCounts
    tasks: int
    opponents: int
    letters: str = ""
    places: tuple[int, int] = (1, 1)
    rank_low: int | None = None
    rank_high: int | None = None
    chances: tuple[float, ...] = ()
    note: str = ""
    compliance: Estimate | None = None


class HeadToHead(msgspec.Struct, frozen=True, kw_only=True):
    """Two systems against one another; counts are the first's.

    Attributes:
        first: The stronger.
        second: The weaker.
        counts: Their comparisons.
        rate: Of those decided, the share the first won.
        difference: Of their ratings.
        p: Two-sided, of the difference; None where it cannot be tested.
        adjusted: By Holm's rule over all pairs.
        apart: Whether they differ at the 5 % level after correction.
    """

    first: str
    second: str
    counts: ComparisonCounts
    rate: Estimate
    difference: float
    p: float | None
    adjusted: float | None
    apart: bool


class StyleEffect(msgspec.Struct, frozen=True, kw_only=True):
    """What a difference of style does to the odds of winning.

    Attributes:
        name: Of the covariate.
        unit: The difference that counts as one: its root mean square, in the covariate's own measure.
        estimate: Log-odds for such a difference.
        odds: By what factor the odds change.
        p: Two-sided; None where it cannot be tested.
        by_system: How much of the differences is between systems rather than within them, 0 to 1: near 1, style and
            system cannot be told apart.
    """

    name: str
    unit: float
    estimate: Estimate
    odds: float | None
    p: float | None
    by_system: float


class StyleControlledSystem(msgspec.Struct, frozen=True, kw_only=True):
    """A system with style and without: both ratings are of the same comparisons."""

    system: str
    raw: EloRating
    controlled: EloRating
    raw_rank: int
    controlled_rank: int


class StyleControl(msgspec.Struct, frozen=True, kw_only=True):
    """The style-controlled board.

    Attributes:
        n: Comparisons with a verdict and both texts known.
        of: Comparisons with a verdict.
        tasks: They are of so many tasks.
        systems: Best first, as controlled.
        effects: Of each covariate.
    """

    n: int
    of: int
    tasks: int
    systems: tuple[StyleControlledSystem, ...]
    effects: tuple[StyleEffect, ...]


class Leaderboard(msgspec.Struct, frozen=True, kw_only=True):
    """All of it.

    Attributes:
        by: The dimension that ranks.
        domain: The only domain that is in it; None for all.
        judges: Comparisons by judge.
        rubrics: Comparisons by rubric.
        comparisons: All that were read of two systems.
        tasks: They are of so many.
        counts: Of ``by``; wins are of either side, losses none.
        systems: Best first.
        dimensions: In order.
        domains: In order; empty where none are known.
        shares: Win rates by domain and dimension.
        pairs: Every two systems.
        style: The style-controlled board, where texts are known.
        notes: What to know before comparing.
        methods: How figures are made.
        draws: Of the bootstrap.
        seed: Of the bootstrap.
    """

    by: str
    domain: str | None
    judges: dict[str, int]
    rubrics: dict[str, int]
    comparisons: int
    tasks: int
    counts: ComparisonCounts
    systems: tuple[Standing, ...]
    dimensions: tuple[str, ...]
    domains: tuple[str, ...]
    shares: tuple[WinRate, ...]
    pairs: tuple[HeadToHead, ...]
    style: StyleControl | None
    notes: tuple[str, ...]
    methods: dict[str, str]
    draws: int
    seed: int

    def cells(self) -> dict[tuple[str | None, str, str], WinRate]:
        """Win rates by domain (None: all), dimension and system."""
        return {(item.domain, item.dimension, item.system): item for item in self.shares}

    def to_dict(self) -> dict[str, Any]:
        """As plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": SCHEMA, **data}
