"""Drift: how verdicts of a judge have changed since an earlier run on the same instances.

A hosted model can change under one name. A saved run serves as a sentinel set: it holds the instances, the condition
and the verdicts. If they are judged again, differences are either noise, which repetitions reveal, or drift.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError
from assay.judges.settings import JudgeSettings
from assay.judges.units import Granularity
from assay.measures.hypotheses import mcnemar
from assay.measures.intervals import Estimate, mean_interval
from assay.record import Record
from assay.runs.event_loop_portal import run_sync

if TYPE_CHECKING:
    from assay.meta.benchmark import Benchmark
    from assay.meta.results import BenchmarkResult
    from assay.meta.trials import Condition, Trial

SCHEMA: Final = "assay.drift/1"
_LEVEL: Final = 0.05


class ChangedVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """An instance whose verdict has changed.

    Attributes:
        instance: Id of the instance.
        type: Type of the failure.
        before: Side preferred in the earlier run.
        now: Side preferred now.
    """

    instance: str
    type: str
    before: str | None
    now: str | None


class JudgeDrift(Record, msgspec.Struct, frozen=True, kw_only=True):
    """Differences between two runs of one judge.

    Attributes:
        judge: Name of the judge.
        before: Version of the judge in the earlier run.
        now: Version of the judge now.
        n: Number of instances judged in both runs.
        moved: Instances whose verdict has changed.
        share: Share of instances whose verdict has changed.
        accuracy_before: Detection accuracy in the earlier run.
        accuracy_now: Detection accuracy now.
        p: p value of the exact McNemar test on correctness; None if nothing changed.
        shift: Mean change of scores, with its interval clustered by reference; None without scores.
        noise: Share of instances whose repetitions disagreed in the earlier run; None without repetitions.
        drifted: Whether correctness or scores have changed at the 5 % level.
        schema: ``assay.drift/1``.
    """

    judge: str
    before: str
    now: str
    n: int
    moved: tuple[ChangedVerdict, ...]
    share: Estimate
    accuracy_before: float | None
    accuracy_now: float | None
    p: float | None
    shift: Estimate | None
    noise: float | None
    drifted: bool
    schema: str = SCHEMA

    def summary_line(self) -> str:
        """Return whether the judge has drifted."""
        return f"{self.judge}: {'drifted' if self.drifted else 'no drift beyond noise'}, {len(self.moved)} of {self.n} changed"


def drift_of(
    before: Condition, earlier: Sequence[Trial], now: Condition, trials: Sequence[Trial]
) -> JudgeDrift:
    """Compare two runs of one judge on the same instances.

    Args:
        before: Condition of the earlier run.
        earlier: Trials of the earlier run.
        now: Condition of this run.
        trials: Trials of this run.
    """
    known = {trial.instance: trial for trial in earlier}
    pairs = [(known[trial.instance], trial) for trial in trials if trial.instance in known]
    judged = [(a, b) for a, b in pairs if a.said is not None and b.said is not None]
    moved = [
        ChangedVerdict(instance=a.instance, type=a.type, before=a.said, now=b.said)
        for a, b in pairs
        if a.said != b.said
    ]
    failures = [
        (a, b) for a, b in judged if a.kind == "failure" and a.correct is not None and b.correct is not None
    ]
    lost = sum(bool(a.correct) and not b.correct for a, b in failures)
    won = sum(bool(b.correct) and not a.correct for a, b in failures)
    p = mcnemar(won, lost).p if won + lost else None
    shift = _shift(pairs)
    noisy = [trial for trial in earlier if len(trial.repeats) > 1]
    noise = sum(len(set(trial.repeats)) > 1 for trial in noisy) / len(noisy) if noisy else None
    away = (
        shift is not None
        and shift.low is not None
        and shift.high is not None
        and not shift.low <= 0 <= shift.high
    )
    return JudgeDrift(
        judge=now.judge,
        before=before.version,
        now=now.version,
        n=len(pairs),
        moved=tuple(moved),
        share=mean_interval(
            [float(a.said != b.said) for a, b in judged], [a.group for a, _ in judged], bounds=(0.0, 1.0)
        ),
        accuracy_before=_accuracy([a.correct for a, _ in failures]),
        accuracy_now=_accuracy([b.correct for _, b in failures]),
        p=p,
        shift=shift,
        noise=noise,
        drifted=(p is not None and p < _LEVEL) or away,
    )


def _shift(pairs: Sequence[tuple[Trial, Trial]]) -> Estimate | None:
    """Return the mean change of scores of the same texts; each reference counts once."""
    changes: list[float] = []
    groups: list[str] = []
    seen: set[str] = set()
    for a, b in pairs:
        if a.perturbed is not None and b.perturbed is not None:
            changes.append(b.perturbed - a.perturbed)
            groups.append(a.group)
        if a.reference is not None and b.reference is not None and a.group not in seen:
            seen.add(a.group)
            changes.append(b.reference - a.reference)
            groups.append(a.group)
    return mean_interval(changes, groups) if changes else None


def _accuracy(values: Sequence[bool | None]) -> float | None:
    return sum(bool(value) for value in values) / len(values) if values else None


async def adrift(
    earlier: BenchmarkResult, benchmark: Benchmark, judge: Any = None, **changes: Any
) -> JudgeDrift:
    """Judge the instances of an earlier run again, with every call made anew, and compare.

    Args:
        earlier: Results with trials; its first requested judge is judged again, as it was then.
        benchmark: The benchmark of the run, or a part of it.
        judge: Another judge than the run's, such as its new version; needed if that was a function.
        **changes: Settings of the run, such as ``budget=1``; see `assay.RunSettings`.

    Raises:
        InputError: The benchmark does not have the instances of the run.
    """
    old = earlier.asked[0]
    condition, then = old.condition, earlier.trials[earlier.detections.index(old)]
    judged = {trial.instance for trial in then}
    kept = benchmark.filter(lambda item: item.id in judged)
    if not kept:
        raise InputError(
            "the benchmark does not have the instances of the run", where=benchmark.folder or None
        )
    # "trials" is what earlier runs called repetitions.
    recorded = {"repetitions" if key == "trials" else key: value for key, value in condition.settings.items()}
    candidates = recorded.pop("candidates", 4)
    new = await kept.arun(
        condition.judge if judge is None else judge,
        interface=condition.interface,
        granularity=msgspec.convert(condition.granularity, Granularity),
        rubric=condition.rubric or "usual",
        candidates=candidates,
        baselines=False,
        judge_settings=msgspec.convert(recorded, JudgeSettings),
        **{"fresh": True, **changes},
    )
    return drift_of(condition, then, new.detections[0].condition, new.trials[0])


def drift(earlier: BenchmarkResult, benchmark: Benchmark, judge: Any = None, **changes: Any) -> JudgeDrift:
    """Judge the instances of an earlier run again and compare; `adrift` has the arguments."""
    return run_sync(adrift(earlier, benchmark, judge, **changes))
