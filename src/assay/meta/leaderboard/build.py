"""Leaderboards: from judgments to comparisons, from comparisons to ratings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from assay.errors import UsageError
from assay.garbage import paused_collector
from assay.given import each_of
from assay.measures.bradley_terry import (
    Connection,
    bradley_terry,
    bradley_terry_draws,
    connection,
    elo,
    win_matrix,
)
from assay.measures.intervals import Estimate, too_few
from assay.measures.pairwise import letters, rank_chances, strength_gaps
from assay.meta.judgment_files import judgments_of
from assay.meta.leaderboard.comparisons import OVERALL, UNASKED, Comparisons
from assay.meta.leaderboard.head_to_head import head_to_head
from assay.meta.leaderboard.judged_pairs import JudgedPairs
from assay.meta.leaderboard.record import (
    METHODS,
    ComparisonCounts,
    HeadToHead,
    Leaderboard,
    Standing,
    WinRate,
)
from assay.meta.leaderboard.style_control import control_style
from assay.meta.leaderboard.subject_index import SubjectIndex
from assay.meta.leaderboard.win_rates import in_domain, tally, win_rates
from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.subjects.report import Report
from assay.subjects.trajectory import Trajectory
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from assay.judges.judgment import Judgment
    from assay.subjects.subject import Subject

    Floats = NDArray[np.float64]

# With fewer tasks than this, intervals are too narrow.
_FEW: Final = 10
_NORMAL: Final = 1.959963984540054  # the 97.5 % point of the normal distribution


class _FittedModel(msgspec.Struct, frozen=True, eq=False):
    """The fitted model with its bootstrap draws."""

    strengths: Floats
    draws: Floats | None
    tasks: int
    met: Connection
    wins: Floats


def leaderboard(
    judgments: Iterable[Judgment] | pd.DataFrame,
    *,
    by: str | None = None,
    subjects: Iterable[Subject] = (),
    domain: str | None = None,
    judge: str | None = None,
    tie_margin: float | None = None,
    style_control: bool = True,
    draws: int = 1000,
    seed: int = 0,
    compliance: Mapping[str, Estimate] | None = None,
    notes: Iterable[str] = (),
) -> Leaderboard:
    """Rank systems by judgments of pairs.

    Args:
        judgments: Judgments of pairs, or a frame with the columns of ``Judgments.to_frame()``. The systems are
            ``system_a`` and ``system_b`` of their metadata, as `assay.round_robin` gives them, or those of ``subjects``.
        by: Dimension that ranks the systems; None for ``overall`` if it exists, else the first.
        subjects: The subjects that were judged, which give systems, tasks and domains, and their style.
        domain: Domain to which comparisons are restricted; None for all.
        judge: Judge whose comparisons count; None for all.
        tie_margin: Largest margin of a dimension that counts as a tie; None for the judge's own rule.
        style_control: Whether to rate systems also with length and formatting held constant, if the texts are known.
        draws: Number of bootstrap draws.
        seed: Seed of the bootstrap.
        compliance: Compliance with criteria by system, to be shown as well.
        notes: Further caveats for readers; read when all judgments have been.

    Raises:
        UsageError: There is no comparison of two systems, no such dimension or domain, or a frame lacks a column.
    """
    index = SubjectIndex()
    for subject in each_of(subjects, (Report, Trajectory), "a subject is a Report or a Trajectory"):
        index.add(subject, index.describe(subject))
    return leaderboard_by_index(
        judgments,
        index,
        by=by,
        domain=domain,
        judge=judge,
        tie_margin=tie_margin,
        style_control=style_control,
        draws=draws,
        seed=seed,
        compliance=compliance,
        notes=notes,
    )


def leaderboard_by_index(
    judgments: Iterable[Judgment] | pd.DataFrame,
    index: SubjectIndex,
    *,
    judge: str | None = None,
    tie_margin: float | None = None,
    notes: Iterable[str] = (),
    **settings: Any,
) -> Leaderboard:
    """Return the leaderboard of systems, tasks and domains that an index knows; see `leaderboard`."""
    pairs = JudgedPairs(index, tie=tie_margin, judge=judge)
    with paused_collector():
        comparisons = pairs.add(judgments_of(judgments))
    if not len(comparisons):
        why = "; ".join(pairs.notes())
        raise UsageError(
            "there is no comparison of two systems" + (f": {why}" if why else ""),
            hint="subjects=… tells the systems" if pairs.unknown else None,
            cli_hint="--reports PATH or --systems FILE names the systems" if pairs.unknown else None,
        )
    return build_leaderboard(comparisons, notes=[*notes, *pairs.notes()], **settings)


def build_leaderboard(
    comparisons: Comparisons,
    *,
    by: str | None = None,
    domain: str | None = None,
    draws: int = 1000,
    seed: int = 0,
    prior: float = 1.0,
    style_control: bool = True,
    compliance: Mapping[str, Estimate] | None = None,
    notes: Sequence[str] = (),
) -> Leaderboard:
    """Compute win rates by domain and dimension, ratings, ranks, significance, and style-controlled ratings.

    Args:
        comparisons: Comparisons of systems.
        by: Dimension that ranks the systems; None for ``overall`` if it exists, else the first.
        domain: Domain to which comparisons are restricted; None for all.
        draws: Number of bootstrap draws.
        seed: Seed of the bootstrap.
        prior: Virtual comparisons of each system; see `assay.measures.bradley_terry`.
        style_control: Whether to hold style constant, too.
        compliance: Compliance with criteria by system, to be shown as well.
        notes: Further caveats for readers.

    Raises:
        UsageError: There are no comparisons, or no such dimension or domain.
    """
    if domain is not None:
        comparisons = in_domain(comparisons, domain)
    if not len(comparisons):
        raise UsageError("no comparison of two systems was found")
    dimensions = _dimensions(comparisons)
    by = _by(by, dimensions)
    fit = _fit(comparisons, by, draws, seed, prior)
    shares = list(win_rates(comparisons, dimensions))
    standings, pairs = _standings(comparisons, by, fit, shares, compliance or {})
    counts = tally(comparisons.verdicts[by])
    style, reason = control_style(comparisons, by, prior) if style_control else (None, "")
    return Leaderboard(
        by=by,
        domain=domain,
        judges=comparisons.judges,
        rubrics=comparisons.rubrics,
        comparisons=len(comparisons),
        tasks=len(np.unique(comparisons.task)),
        counts=ComparisonCounts(
            wins=counts.wins + counts.losses,
            ties=counts.ties,
            no_verdict=counts.no_verdict,
            half_wins=counts.half_wins + counts.half_losses,
        ),
        systems=tuple(standings),
        dimensions=dimensions,
        domains=comparisons.domains,
        shares=tuple(shares),
        pairs=tuple(pairs),
        style=style,
        notes=(*_notes(comparisons, by, fit), *([reason] if reason else []), *notes),
        methods={key: text for key, text in METHODS.items() if key != "style" or style is not None},
        draws=draws,
        seed=seed,
    )


def _dimensions(comparisons: Comparisons) -> tuple[str, ...]:
    """Order dimensions: those of ReportLogic as in the paper, then others by name, ``overall`` last."""
    known = [key for key in DIMENSION_KEYS if key in comparisons.verdicts]
    others = sorted(comparisons.verdicts.keys() - {*DIMENSION_KEYS, OVERALL})
    return (*known, *others, *([OVERALL] if OVERALL in comparisons.verdicts else []))


def _by(by: str | None, dimensions: Sequence[str]) -> str:
    if by is None:
        return OVERALL if OVERALL in dimensions else dimensions[0]
    if by not in dimensions:
        raise UsageError(f"no comparison has a verdict on {by!r}; {did_you_mean(by, list(dimensions))}")
    return by


def _fit(comparisons: Comparisons, by: str, draws: int, seed: int, prior: float) -> _FittedModel:
    column = comparisons.verdicts[by]
    judged = (column >= -1) & (column <= 1)
    if not judged.any():
        raise UsageError(f"no comparison has a verdict on {by!r}")
    first, second = comparisons.first[judged], comparisons.second[judged]
    results = (column[judged].astype(float) + 1) / 2
    n = len(comparisons.systems)
    wins = win_matrix(first, second, results, n)
    tasks = comparisons.task[judged]
    count = len(np.unique(tasks))
    drawn = None
    if not too_few(count) and draws > 1:
        drawn = bradley_terry_draws(tasks, first, second, results, n, draws=draws, prior=prior, seed=seed)
    return _FittedModel(bradley_terry(wins, prior=prior), drawn, count, connection(wins), wins)


def _standings(
    comparisons: Comparisons,
    by: str,
    fit: _FittedModel,
    shares: Sequence[WinRate],
    compliance: Mapping[str, Estimate],
) -> tuple[list[Standing], list[HeadToHead]]:
    n = len(comparisons.systems)
    strengths = [float(value) for value in fit.strengths]
    order = sorted(range(n), key=lambda at: (-strengths[at], comparisons.systems[at]))
    gaps = strength_gaps(fit.strengths, fit.draws, freedom=fit.tasks - 1)
    part = {system: number for number, members in enumerate(fit.met.parts) for system in members}
    # Only the prior relates systems that are not connected by comparisons; it must not tell them apart.
    apart = {
        (gap.first, gap.second) for gap in gaps if gap.apart and part.get(gap.first) == part.get(gap.second)
    }
    marks = letters(order, apart)
    own = {share.system: share for share in shares if share.domain is None and share.dimension == by}
    chances = None if fit.draws is None else rank_chances(fit.draws)
    standings = []
    for at in order:
        better = sum((other, at) in apart for other in range(n))
        worse = sum((at, other) in apart for other in range(n))
        low, high = (None, None) if chances is None else _quantiles(chances[at])
        name = comparisons.systems[at]
        judged = own[name].counts.decided + own[name].counts.ties
        standings.append(
            Standing(
                system=name,
                rank=1 + sum(strengths[other] > strengths[at] + 1e-9 for other in range(n)),
                rating=_rating(fit, at, judged, elo),
                beats_average=_rating(fit, at, judged, _chance),
                rate=own[name].rate,
                counts=own[name].counts,
                tasks=_task_count(comparisons, by, at),
                opponents=int((fit.wins[at] + fit.wins[:, at] > 0).sum()),
                letters=marks[at] if fit.draws is not None else "",
                places=(1 + better, n - worse),
                rank_low=low,
                rank_high=high,
                chances=() if chances is None else tuple(round(float(value), 4) for value in chances[at]),
                note=_note(fit.met, at),
                compliance=compliance.get(name),
            )
        )
    return standings, head_to_head(comparisons, by, gaps, apart)


def _ends(fit: _FittedModel, at: int) -> tuple[float, float]:
    """Return the 95 % interval of a strength: percentiles of the draws, widened for few tasks as Student's t is.

    With few tasks, draws vary too little: in simulations with 10 tasks, plain percentiles covered the truth in 88 %.
    """
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # noqa: PLC0415 - heavy

    draws, value = fit.draws, float(fit.strengths[at])
    if draws is None:
        raise ValueError("an interval needs bootstrap draws")
    low, high = (float(end) for end in np.quantile(draws[:, at], (0.025, 0.975)))
    factor = float(stdtrit(fit.tasks - 1, 0.975)) / _NORMAL * (fit.tasks / (fit.tasks - 1)) ** 0.5
    return value - factor * max(0.0, value - low), value + factor * max(0.0, high - value)


def _rating(fit: _FittedModel, at: int, n: int, scale: Callable[[float], float]) -> Estimate:
    """Return a strength on another scale, with its interval."""
    fields: dict[str, Any] = {"value": scale(float(fit.strengths[at])), "n": n, "clusters": fit.tasks}
    if fit.draws is None:
        return Estimate(**fields, method="bootstrap", reason=too_few(fit.tasks))
    low, high = map(scale, _ends(fit, at))
    return Estimate(**fields, low=low, high=high, method="bootstrap")


def _chance(strength: float) -> float:
    return 1 / (1 + math.exp(-strength))


def _quantiles(chances: Any) -> tuple[int, int]:
    """Return the 2.5 % and 97.5 % quantiles of a rank."""
    total, low, high = 0.0, 0, len(chances)
    for at, chance in enumerate(chances):
        total += float(chance)
        if not low and total >= 0.025:
            low = at + 1
        if total >= 0.975:
            high = at + 1
            break
    return max(low, 1), high


def _task_count(comparisons: Comparisons, by: str, at: int) -> int:
    asked = comparisons.verdicts[by] != UNASKED
    return len(np.unique(comparisons.task[asked & ((comparisons.first == at) | (comparisons.second == at))]))


def _note(met: Connection, at: int) -> str:
    if at in met.absent:
        return "no comparison with a verdict"
    if at in met.unbeaten:
        return "unbeaten: the rating rests on the virtual comparison"
    if at in met.winless:
        return "never won: the rating rests on the virtual comparison"
    return ""


def _notes(comparisons: Comparisons, by: str, fit: _FittedModel) -> Iterator[str]:
    names = comparisons.systems
    if len(comparisons.judges) > 1:
        yield (
            f"{len(comparisons.judges)} judges are in one leaderboard "
            f"({', '.join(list(comparisons.judges)[:4])}): verdicts of"
            " several judges on one pair count as several comparisons; one judge can be selected"
        )
    if len(fit.met.parts) > 1:
        parts = "; ".join(", ".join(names[at] for at in part[:4]) for part in fit.met.parts[:4])
        yield (
            f"The systems form {len(fit.met.parts)} groups without comparisons between them ({parts}): "
            "places across groups"
            " mean nothing, and no difference across groups is significant"
        )
    if comparisons.unknown_tasks:
        yield (
            f"{comparisons.unknown_tasks:,} comparisons name no task and count as independent: "
            "intervals are too narrow if"
            " several are of one task"
        )
    if fit.draws is None:
        tasks = "one task" if fit.tasks == 1 else f"{fit.tasks} tasks"
        yield f"All comparisons are of {tasks}: the uncertainty of the figures is unknown"
    elif fit.tasks < _FEW:
        yield f"Only {fit.tasks} tasks: intervals rest on tasks, and so few may not be representative"
    counts = tally(comparisons.verdicts[by])
    ties, none = counts.ties, counts.no_verdict
    asked = len(comparisons)
    if none:
        yield f"{none:,} of {asked:,} comparisons have no verdict and are left out"
    if ties > asked / 3:
        yield f"{ties:,} of {asked:,} comparisons are ties: win rates leave them out and thus exaggerate differences"
    if _unbalanced(comparisons):
        yield (
            "Systems were not compared equally often: win rates depend on opponents and tasks, ratings account for"
            " opponents"
        )


def _unbalanced(comparisons: Comparisons) -> bool:
    """Return whether some pair of systems has less than four fifths of the comparisons of another."""
    n = len(comparisons.systems)
    cell = np.minimum(comparisons.first, comparisons.second) * n + np.maximum(
        comparisons.first, comparisons.second
    )
    met = np.bincount(cell, minlength=n * n).reshape(n, n)[np.triu_indices(n, 1)]
    return bool(met.size and met.min() < 0.8 * met.max())
