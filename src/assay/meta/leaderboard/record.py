"""The record ``assay.leaderboard/2``: a leaderboard of systems."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.frozen import FrozenFields
from assay.measures.intervals import Estimate
from assay.record import Record, columns_of

SCHEMA: Final = "assay.leaderboard/2"
METHODS: Final[dict[str, str]] = {
    "win_rate": (
        "Win rate: the share of a system's decided comparisons that it won, over all queries and "
        "opponents, each comparison"
        " counting once (ReportLogic, appendix C.1). A win in one order and a tie in the other is a half win. Ties and comparisons without a verdict are left "
        "out of win rates and"
        " counted separately. Intervals are 95 %, clustered by task."
    ),
    "bradley_terry": (
        "Ratings: Bradley and Terry's model, fitted to the wins of each system over each other (ties "
        "count as half a win for"
        " either, a half win as three quarters of one), on Elo's scale: 1000 is the mean of the systems, and 400 points are odds of ten to "
        "one. Each system is"
        " given one virtual drawn comparison, spread over all others, so that a system that won everything has a finite"
        " rating. Intervals are 95 % intervals of a Bayesian bootstrap over tasks, widened for few "
        "tasks as Student's t is."
    ),
    "ranks": (
        "Ranks over the draws of that bootstrap. Two systems that share a letter are not "
        "significantly different at 5 % (Wald"
        " test from the spread of the draws, with Holm's correction over all pairs). The range of "
        "places runs from one more"
        " than the number of significantly better systems to all but the significantly worse ones."
    ),
    "style": (
        "Style control: the same model with differences of style between the two reports as "
        "covariates (logistic regression),"
        " each divided by its root mean square; intervals from errors clustered by task. The "
        "controlled rating is the lead"
        " that remains between reports of equal length and formatting. If a system always writes "
        "longer than all others,"
        " length and system cannot be told apart, and its interval is wide."
    ),
}


class ComparisonCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of comparisons by verdict.

    Attributes:
        wins: Comparisons won in both orders, or in the only one.
        losses: Comparisons lost likewise.
        ties: Comparisons tied in both orders, or won once by either side.
        no_verdict: Comparisons without a verdict.
        half_wins: Comparisons won in one order and tied in the other.
        half_losses: Comparisons lost in one order and tied in the other.
    """

    wins: int = 0
    losses: int = 0
    ties: int = 0
    no_verdict: int = 0
    half_wins: int = 0
    half_losses: int = 0

    @property
    def won(self) -> float:
        """Wins; a half win counts half."""
        return self.wins + self.half_wins / 2

    @property
    def lost(self) -> float:
        """Losses; a half loss counts half."""
        return self.losses + self.half_losses / 2

    @property
    def tied(self) -> float:
        """Ties; the other half of a half win or half loss is one."""
        return self.ties + (self.half_wins + self.half_losses) / 2

    @property
    def decided(self) -> int:
        """Number of comparisons with a winner in one order at least."""
        return self.wins + self.losses + self.half_wins + self.half_losses

    @property
    def asked(self) -> int:
        """Number of comparisons."""
        return self.decided + self.ties + self.no_verdict


class WinRate(msgspec.Struct, frozen=True, kw_only=True):
    """The win rate of a system on a dimension in a domain.

    Attributes:
        domain: Name of the domain; None for all domains together.
        dimension: Key of the dimension; ``overall`` for the whole.
        system: Name of the system.
        rate: Share of decided comparisons won; a half win counts half, on either side of the fraction.
        counts: Comparisons by verdict.
        by_opponent: Mean win rate over opponents, each counting once; None without decided comparisons.
    """

    domain: str | None
    dimension: str
    system: str
    rate: Estimate
    counts: ComparisonCounts
    by_opponent: float | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A system on the leaderboard.

    Attributes:
        system: Name of the system.
        rank: Rank from 1, by rating; equal ratings share a rank.
        rating: Rating by Bradley and Terry's model, on Elo's scale.
        beats_average: Probability of winning against a system of mean rating.
        rate: Win rate.
        counts: Comparisons by verdict.
        tasks: Number of tasks.
        opponents: Number of opponents.
        letters: Letters shared with systems that are not significantly different.
        places: Best and worst place that is consistent with the significant differences.
        rank_low: 2.5 % quantile of the rank over draws.
        rank_high: 97.5 % quantile of the rank over draws.
        chances: Share of draws in which the system takes each rank, from the first; empty without draws.
        note: Caveat of the rating: unbeaten, without a win, without comparisons.
        compliance: Compliance of the system's reports with criteria, if grades were given.
    """

    system: str
    rank: int
    rating: Estimate
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
    """Two systems against each other; counts are those of the first.

    Attributes:
        first: Name of the stronger system.
        second: Name of the weaker system.
        counts: Comparisons between them by verdict.
        rate: Share of decided comparisons that the first won.
        difference: Difference of their ratings.
        p: Two-sided p value of the difference; None if it cannot be tested.
        adjusted: p value with Holm's correction over all pairs.
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
    """Effect of a difference in style on the odds of winning.

    Attributes:
        name: Name of the covariate.
        unit: Root mean square of the covariate's differences, which is the unit of the effect.
        estimate: Log-odds for a difference of one unit.
        odds: Factor by which the odds change for one unit.
        p: Two-sided p value; None if the effect cannot be tested.
        by_system: Share of the differences that is between rather than within systems, 0 to 1; near 1, style and system
            cannot be told apart.
    """

    name: str
    unit: float
    estimate: Estimate
    odds: float | None
    p: float | None
    by_system: float


class StyleControlledSystem(msgspec.Struct, frozen=True, kw_only=True):
    """A system's ratings from the same comparisons, without (``raw``) and with style control."""

    system: str
    raw: Estimate
    controlled: Estimate
    raw_rank: int
    controlled_rank: int


class StyleControl(msgspec.Struct, frozen=True, kw_only=True):
    """The style-controlled leaderboard.

    Attributes:
        n: Number of comparisons with a verdict and both texts known.
        of: Number of comparisons with a verdict.
        tasks: Number of tasks.
        systems: Systems, best controlled rating first.
        effects: Effects of the covariates.
    """

    n: int
    of: int
    tasks: int
    systems: tuple[StyleControlledSystem, ...]
    effects: tuple[StyleEffect, ...]


class Leaderboard(Record, FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """A leaderboard of systems.

    Attributes:
        by: Dimension that ranks the systems.
        domain: Domain of all comparisons; None for all domains.
        judges: Number of comparisons by judge.
        rubrics: Number of comparisons by rubric.
        comparisons: Number of comparisons of two systems.
        tasks: Number of tasks.
        counts: Comparisons by verdict on ``by``; wins are those of either side, and losses are 0.
        systems: Systems, best first.
        dimensions: Dimensions, in order.
        domains: Domains, in order; empty if none are known.
        shares: Win rates by domain and dimension.
        pairs: Results of every two systems.
        style: Style-controlled ratings, if texts are known.
        notes: Caveats for readers.
        methods: Methods by kind of figure.
        draws: Number of bootstrap draws.
        seed: Seed of the bootstrap.
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
        """Return win rates by domain (None for all), dimension and system."""
        return {(item.domain, item.dimension, item.system): item for item in self.shares}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ``schema`` first."""
        return {"schema": SCHEMA, **super().to_dict()}

    @property
    def ratings(self) -> dict[str, Estimate]:
        """Rating of each system, best first."""
        return {item.system: item.rating for item in self.systems}

    @property
    def ranks(self) -> dict[str, int]:
        """Rank of each system, best first; equal ratings share a rank."""
        return {item.system: item.rank for item in self.systems}

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each system, best first."""
        return columns_of([_row(item) for item in self.systems])

    def summary_line(self) -> str:
        """Return the first systems with their ratings."""
        first = ", ".join(f"{item.system} {float(item.rating):.0f}" for item in self.systems[:3])
        return f"{len(self.systems)} systems by {self.by}, {self.comparisons:,} comparisons: {first}"


def _row(item: Standing) -> dict[str, Any]:
    counts = item.counts
    return {
        "system": item.system,
        "rank": item.rank,
        "rating": item.rating.value,
        "low": item.rating.low,
        "high": item.rating.high,
        "rank_low": item.rank_low,
        "rank_high": item.rank_high,
        "letters": item.letters,
        "win_rate": item.rate.value,
        "win_rate_low": item.rate.low,
        "win_rate_high": item.rate.high,
        "wins": counts.wins,
        "losses": counts.losses,
        "ties": counts.ties,
        "no_verdict": counts.no_verdict,
        "tasks": item.tasks,
        "opponents": item.opponents,
    }
