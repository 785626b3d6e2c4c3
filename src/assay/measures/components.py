"""Variance components of scores (task, judge, repetition), and the noise floor that follows from them.

The model is y = μ + task + judge + task × judge + trial, with crossed random effects; a trial is one repetition of a
judge on a task. A component is the variance of one effect, in squared points.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from assay.frozen import FrozenFields
from assay.measures.grouped import numbered

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

_NORMAL: Final = 1.959963984540054
_NAMES: Final = ("task", "judge", "interaction", "trial")


class Components(FrozenFields, msgspec.Struct, frozen=True, kw_only=True):
    """Variance components of scores, in squared points; None if the data cannot tell.

    Attributes:
        task: Variance of tasks: true differences between subjects.
        judge: Variance of judges: general strictness.
        interaction: Variance of tasks × judges: strictness on particular tasks. With one repetition in each cell it is
            confounded with ``trial`` and included there; ``notes`` says so.
        trial: Variance of repetitions of the same judge on the same task.
        n: Number of scores.
        tasks: Number of tasks.
        judges: Number of judges.
        cells: Number of pairs of task and judge with a score.
        balanced: Whether every task has every judge equally often.
        notes: Components that were set to 0 or are confounded.
        reason: Reason for missing results, else empty.
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
        """Variance of a single score: the sum of the known components."""
        known = [value for value in self._all() if value is not None]
        return math.fsum(known) if known else None

    def shares(self) -> dict[str, float]:
        """Return the share of each known component in the total; empty without variance."""
        total = self.total
        if not total:
            return {}
        return {
            name: value / total for name, value in zip(_NAMES, self._all(), strict=True) if value is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def _all(self) -> tuple[float | None, ...]:
        return self.task, self.judge, self.interaction, self.trial


class NoiseFloor(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest difference between two systems' mean scores that exceeds noise.

    Attributes:
        difference: Difference in points; None if unknown.
        error: Standard error of the difference, in points.
        tasks: Number of tasks.
        trials: Number of repetitions of each judge on each report.
        judges: Number of judges.
        reason: Reason for a missing difference, else empty.
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
    """Estimate variance components by Henderson's first method of moments (1953), which is ANOVA for balanced data.

    The sums of squares of tasks, judges, cells and scores are equated with their expectations. For unbalanced data
    these use the actual numbers, so that estimates stay unbiased (but not of least variance) if scores are missing
    independently of their size. A negative estimate is set to 0, with a note: the effect is too small for these data.

    Args:
        scores: Scores.
        tasks: Task of each score.
        judges: Judge of each score; None for a single judge. Scores of one task and judge are repetitions.

    Raises:
        ValueError: The lengths differ, or a score is not finite.
    """
    y = np.asarray(scores, dtype=float).ravel()
    if not np.isfinite(y).all():
        raise ValueError("a score is not finite; drop missing scores")
    n = len(y)
    task, a = numbered(tasks, n)
    judge, b = (np.zeros(n, dtype=np.int64), min(n, 1)) if judges is None else numbered(judges, n)
    cell, c = numbered(task * max(b, 1) + judge, n)
    sizes = np.bincount(cell, minlength=c)
    counts: dict[str, Any] = {"n": n, "tasks": a, "judges": b, "cells": c}
    counts["balanced"] = bool(c == a * b and (sizes == sizes[:1]).all())
    if n < 2:
        return Components(**counts, reason=f"{n} {'score' if n == 1 else 'scores'}; at least 2 are needed")
    notes: list[str] = []
    factors = {"task": (task, a), "judge": (judge, b), "interaction": (cell, c), "trial": (np.arange(n), n)}
    if c == n and a > 1 and b > 1:
        del factors["interaction"]
        notes.append("one score for each task and judge: the trial component includes their interaction")
    elif a < 2 or b < 2:
        # The cells coincide with the tasks or the judges.
        del factors["interaction"]
    if b < 2:
        del factors["judge"]
        notes.append(
            "one judge: differences between judges are unknown, and those between tasks and judge are not separable"
        )
    if a < 2:
        del factors["task"]
        notes.append("one task: differences between tasks are unknown")
    if c == n and (a < 2 or b < 2):
        return Components(**counts, notes=notes, reason="no judge scored a task twice")
    solution: dict[str, Any] | None = _solve(y - y.mean(), factors)
    if solution is None:
        return Components(**counts, notes=notes, reason="too few common scores to separate tasks from judges")
    scale = float(np.square(y - y.mean()).mean())
    for name, value in solution.items():
        if value < 0:
            if value < -1e-10 * scale:
                notes.append(f"the {name} component was estimated as {value:.3g} and is set to 0")
            solution[name] = 0.0
    return Components(**counts, **solution, notes=notes)


def reliability(
    components: Components, *, judges: int = 1, trials: int = 1, absolute: bool = False
) -> float | None:
    """Return the share of the variance of tasks' mean scores that is due to tasks, 0 to 1 (generalizability theory).

    σ²_task / (σ²_task + σ²_interaction/J + σ²_trial/(J·T)) for J judges with T repetitions each, for ranking subjects
    that all of them judged; ``absolute`` adds σ²_judge/J, for comparison with scores of other judges. If the
    interaction is confounded with repetitions, the joint component is divided by J alone, because more repetitions may
    not reduce it.

    Returns:
        The share; None if components are unknown, or nothing varies.

    Raises:
        ValueError: There is less than one judge or repetition.
    """
    if judges < 1 or trials < 1:
        raise ValueError(f"judges and trials must be at least 1, not {judges} and {trials}")
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
    """Return the difference between two systems' means that noise alone exceeds in one of 20 comparisons.

    1.96 · sqrt(2/n · (σ²_interaction/J + σ²_trial/(J·T) [+ σ²_task])): each system's mean is over n tasks, and
    each report is judged T times by each of the same J judges, whose strictness (σ²_judge) cancels. On the same tasks,
    differences between tasks (σ²_task) cancel as well; on different tasks they usually dominate. Two-sided at 95 %,
    from the normal distribution, with components taken as known. Whether a measured difference holds for other tasks
    needs a paired interval besides.

    Args:
        components: Result of :func:`variance_components`.
        tasks: Number of tasks of each system.
        trials: Number of repetitions of each judge on each report.
        judges: Number of judges, whose scores are averaged.
        same_tasks: Whether both systems have the same tasks.

    Raises:
        ValueError: There is less than one task, repetition or judge.
    """
    if min(tasks, trials, judges) < 1:
        raise ValueError(f"tasks, trials and judges must be at least 1, not {tasks}, {trials} and {judges}")
    counts: dict[str, Any] = {"tasks": tasks, "trials": trials, "judges": judges}
    if components.trial is None:
        return NoiseFloor(**counts, reason=components.reason or "the variance of repetitions is unknown")
    noise = _noise(components, judges, trials)
    if not same_tasks:
        if components.task is None:
            return NoiseFloor(**counts, reason="the variance of tasks is unknown")
        noise += components.task
    error = math.sqrt(2 * noise / tasks)
    return NoiseFloor(**counts, difference=_NORMAL * error, error=error)


def _noise(components: Components, judges: int, trials: int) -> float:
    trial = components.trial or 0.0
    if components.interaction is None and components.judges > 1 and components.tasks > 1:
        # Interaction and repetition are confounded; only more judges surely reduce their sum.
        return trial / judges
    return (components.interaction or 0.0) / judges + trial / (judges * trials)


def _solve(y: Array, factors: dict[str, tuple[NDArray[np.int64], int]]) -> dict[str, float] | None:
    """Return the components whose expected sums of squares equal the observed ones; None if they are not unique."""
    n = len(y)
    sizes = {name: np.bincount(index, minlength=many) for name, (index, many) in factors.items()}
    left = np.empty((len(factors), len(factors)))
    right = np.empty(len(factors))
    for row, (name, (index, many)) in enumerate(factors.items()):
        totals = np.bincount(index, weights=y, minlength=many)
        right[row] = float((totals**2 / sizes[name]).sum()) - float(y.sum()) ** 2 / n
        for column, (other, (place, different)) in enumerate(factors.items()):
            # Σ over this factor's levels of Σ n² / n over the other factor's levels within.
            pairs, many_each = np.unique(index * different + place, return_counts=True)
            within = float((many_each.astype(float) ** 2 / sizes[name][pairs // different]).sum())
            left[row, column] = within - float((sizes[other].astype(float) ** 2).sum()) / n
    if np.linalg.matrix_rank(left) < len(factors):
        return None
    solved = np.linalg.solve(left, right)
    return {name: float(value) for name, value in zip(factors, solved, strict=True)}
