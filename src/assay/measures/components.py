"""Where the spread of scores comes from – the task, the judge, the day – and the noise floor that follows from it.

The model is y = μ + task + judge + task × judge + trial: random effects, crossed, trials being repetitions of the same
judge on the same task. A component is the variance of one effect, in squared points.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from assay.measures.grouped import numbered

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

_NORMAL: Final = 1.959963984540054
_NAMES: Final = ("task", "judge", "interaction", "trial")


class Components(msgspec.Struct, frozen=True, kw_only=True):
    """Variance components of scores, in squared points; None where these data cannot tell.

    Attributes:
        task: Of tasks: true differences between what is judged.
        judge: Of judges: one is stricter than another, everywhere.
        interaction: Of tasks × judges: one is stricter on some tasks. With one trial a cell it cannot be told from
            ``trial`` and is in it; ``notes`` says so.
        trial: Of repetitions: the same judge on the same task.
        n: Scores.
        tasks: Different ones.
        judges: Different ones.
        cells: Pairs of task and judge that have a score.
        balanced: Whether every task has every judge equally often.
        notes: What was set to 0, what is confounded with what.
        reason: Why there is nothing at all.
    """

    task: float | None = None
    judge: float | None = None
    interaction: float | None = None
    trial: float | None = None
    n: int = 0
    tasks: int = 0
    judges: int = 0
    cells: int = 0
    balanced: bool = True
    notes: list[str] = msgspec.field(default_factory=list)
    reason: str = ""

    @property
    def total(self) -> float | None:
        """The variance of a single score: the sum of what is known."""
        known = [value for value in self._all() if value is not None]
        return math.fsum(known) if known else None

    def shares(self) -> dict[str, float]:
        """What share of the total each known component is; nothing where there is no spread."""
        total = self.total
        if not total:
            return {}
        return {
            name: value / total for name, value in zip(_NAMES, self._all(), strict=True) if value is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def _all(self) -> tuple[float | None, ...]:
        return self.task, self.judge, self.interaction, self.trial


class NoiseFloor(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest difference of two systems' mean scores that is more than noise.

    Attributes:
        difference: In points; None where it cannot be told.
        error: Standard error of the difference, in points.
        tasks: It holds for so many tasks.
        trials: And so many trials of each judge on each report.
        judges: And so many judges.
        reason: Why there is none.
    """

    difference: float | None = None
    error: float | None = None
    tasks: int = 0
    trials: int = 0
    judges: int = 0
    reason: str = ""


def variance_components(
    scores: ArrayLike,
    tasks: ArrayLike | Sequence[Hashable],
    judges: ArrayLike | Sequence[Hashable] | None = None,
) -> Components:
    """Variance components by the method of moments: Henderson's first (1953), which is ANOVA where data are balanced.

    The sums of squares of tasks, judges, cells and scores are set equal to what they are expected to be; with unbalanced
    data the expectations are worked out from the actual numbers, so estimates stay unbiased (but are no longer the only
    unbiased ones, nor of least variance), provided that which scores are missing has nothing to do with their size. A
    negative estimate is set to 0, with a note: the effect is too small for these data to see.

    Args:
        scores: One score each.
        tasks: The task of each.
        judges: The judge of each; a single one where None. Scores of the same task and judge are its trials.

    Raises:
        ValueError: Not equally many, or a score is not finite.
    """
    y = np.asarray(scores, dtype=float).ravel()
    if not np.isfinite(y).all():
        raise ValueError("a score is not finite")
    n = len(y)
    task, a = numbered(tasks, n)
    judge, b = (np.zeros(n, dtype=np.int64), min(n, 1)) if judges is None else numbered(judges, n)
    cell, c = numbered(task * max(b, 1) + judge, n)
    sizes = np.bincount(cell, minlength=c)
    bare: dict[str, Any] = {"n": n, "tasks": a, "judges": b, "cells": c}
    bare["balanced"] = bool(c == a * b and (sizes == sizes[:1]).all())
    if n < 2:
        return Components(**bare, reason=f"{n} {'score' if n == 1 else 'scores'}; it takes 2")
    notes: list[str] = []
    factors = {"task": (task, a), "judge": (judge, b), "interaction": (cell, c), "trial": (np.arange(n), n)}
    if c == n and a > 1 and b > 1:
        del factors["interaction"]
        notes.append("one score for each task and judge: their interaction is in the trial component")
    elif a < 2 or b < 2:
        # The cells are then the tasks, or the judges.
        del factors["interaction"]
    if b < 2:
        del factors["judge"]
        notes.append("one judge: its differences from others cannot be told, nor from those of tasks")
    if a < 2:
        del factors["task"]
        notes.append("one task: differences between tasks cannot be told")
    if c == n and (a < 2 or b < 2):
        return Components(**bare, notes=notes, reason="no task and judge has two trials")
    found: dict[str, Any] | None = _solved(y - y.mean(), factors)
    if found is None:
        return Components(**bare, notes=notes, reason="too few scores in common to tell tasks from judges")
    scale = float(np.square(y - y.mean()).mean())
    for name, value in found.items():
        if value < 0:
            if value < -1e-10 * scale:
                notes.append(f"the {name} component came out at {value:.3g} and is set to 0")
            found[name] = 0.0
    return Components(**bare, **found, notes=notes)


def reliability(
    components: Components, *, judges: int = 1, trials: int = 1, absolute: bool = False
) -> float | None:
    """How much of the spread of tasks' mean scores is the tasks': 0 to 1 (generalizability theory).

    σ²_task / (σ²_task + σ²_interaction/J + σ²_trial/(J·T)) for J judges of T trials each, as for ranking what all of
    them judged; ``absolute`` adds σ²_judge/J, as for scores to be compared with those of other judges. Where the
    interaction cannot be told from trials, more trials of the same judge are not counted as more information than
    they may be: the joint component is divided by J alone.

    Returns:
        None where the components are unknown, or nothing varies.

    Raises:
        ValueError: Fewer than one judge or trial.
    """
    if judges < 1 or trials < 1:
        raise ValueError(f"{judges} judges of {trials} trials")
    if components.task is None or components.trial is None:
        return None
    noise = _noise(components, judges, trials)
    if absolute and components.judge is not None:
        noise += components.judge / judges
    total = components.task + noise
    return components.task / total if total > 0 else None


def noise_floor(
    components: Components, *, tasks: int, trials: int = 1, judges: int = 1, same_tasks: bool = True
) -> NoiseFloor:
    """The least difference between two systems' means that judging noise alone makes in one of 20 comparisons.

    1.96 · sqrt(2/n · (σ²_interaction/J + σ²_trial/(J·T) [+ σ²_task])): each system's mean is over n tasks, each report
    judged T times by each of the same J judges, whose strictness (σ²_judge) therefore cancels. On the same tasks their
    differences (σ²_task) cancel as well; on different ones they are in, and usually most of it. Two-sided at 95 %,
    from the normal distribution, the components taken as known. It says nothing of how far a difference on these tasks
    holds for others: a measured difference needs its own paired interval besides.

    Args:
        components: As :func:`variance_components` finds them.
        tasks: Tasks each system is judged on.
        trials: Of each judge on each report.
        judges: Judges of each report, their scores averaged.
        same_tasks: Whether both systems did the same tasks.

    Raises:
        ValueError: Fewer than one task, trial or judge.
    """
    if min(tasks, trials, judges) < 1:
        raise ValueError(f"{tasks} tasks of {trials} trials of {judges} judges")
    bare: dict[str, Any] = {"tasks": tasks, "trials": trials, "judges": judges}
    if components.trial is None:
        return NoiseFloor(**bare, reason=components.reason or "the spread of trials is not known")
    noise = _noise(components, judges, trials)
    if not same_tasks:
        if components.task is None:
            return NoiseFloor(**bare, reason="the spread of tasks is not known")
        noise += components.task
    error = math.sqrt(2 * noise / tasks)
    return NoiseFloor(**bare, difference=_NORMAL * error, error=error)


def _noise(components: Components, judges: int, trials: int) -> float:
    trial = components.trial or 0.0
    if components.interaction is None and components.judges > 1 and components.tasks > 1:
        # Trial and interaction in one: only more judges surely make it smaller.
        return trial / judges
    return (components.interaction or 0.0) / judges + trial / (judges * trials)


def _solved(y: Array, factors: dict[str, tuple[NDArray[np.int64], int]]) -> dict[str, float] | None:
    """Components whose expected sums of squares, less the mean's, are those that were found."""
    n = len(y)
    sizes = {name: np.bincount(index, minlength=many) for name, (index, many) in factors.items()}
    left = np.empty((len(factors), len(factors)))
    right = np.empty(len(factors))
    for row, (name, (index, many)) in enumerate(factors.items()):
        totals = np.bincount(index, weights=y, minlength=many)
        right[row] = float((totals**2 / sizes[name]).sum()) - float(y.sum()) ** 2 / n
        for column, (other, (place, different)) in enumerate(factors.items()):
            # Σ over this factor's levels of Σ n² / n over the other's levels within it.
            pairs, many_each = np.unique(index * different + place, return_counts=True)
            within = float((many_each.astype(float) ** 2 / sizes[name][pairs // different]).sum())
            left[row, column] = within - float((sizes[other].astype(float) ** 2).sum()) / n
    if np.linalg.matrix_rank(left) < len(factors):
        return None
    solved = np.linalg.solve(left, right)
    return {name: float(value) for name, value in zip(factors, solved, strict=True)}
