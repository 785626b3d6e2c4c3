"""The same instances judged again: what a judge says now, and said then.

A hosted model can change under one name. A run that was kept is a sentinel set: it names the instances, the condition and
what was said. Judged again, what differs is either the judge's own noise, which several trials show, or drift.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.measures.hypotheses import mcnemar
from assay.measures.intervals import Estimate, mean_interval

if TYPE_CHECKING:
    from assay.meta.trials import Condition, Trial

SCHEMA: Final = "assay.drift/1"
_LEVEL: Final = 0.05


class ChangedVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """An instance on which the verdict is another.

    Attributes:
        instance: Its id.
        type: The failure.
        before: Whom the judge preferred then.
        now: Whom it prefers now.
    """

    instance: str
    type: str
    before: str | None
    now: str | None


class JudgeDrift(msgspec.Struct, frozen=True, kw_only=True):
    """Then and now.

    Attributes:
        judge: Who.
        before: Its version then.
        now: Its version now.
        n: Instances judged both times.
        moved: Those on which the verdict is another.
        share: Their share, with its interval.
        accuracy_before: Of failures, then.
        accuracy_now: Of failures, now.
        p: Of the exact McNemar test on right and wrong; None where nothing changed.
        shift: Mean change of scores, where it scores; with its interval, clustered by reference.
        noise: Share of instances whose trials did not agree among themselves then; None where there was one trial.
        drifted: Whether there is more than noise: right and wrong have changed sides, or scores have moved, at the 5 %
            level.
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

    def to_dict(self) -> dict[str, Any]:
        """As plain data, ``schema`` first."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"schema": data.pop("schema"), **data}


def drift_of(before: Condition, then: Sequence[Trial], now: Condition, trials: Sequence[Trial]) -> JudgeDrift:
    """What has changed between two runs of one judge on the same instances.

    Args:
        before: The condition then.
        then: What it said.
        now: The condition now.
        trials: What it says.
    """
    known = {trial.instance: trial for trial in then}
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
    noisy = [trial for trial in then if len(trial.repeats) > 1]
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
        accuracy_before=_right([a.correct for a, _ in failures]),
        accuracy_now=_right([b.correct for _, b in failures]),
        p=p,
        shift=shift,
        noise=noise,
        drifted=(p is not None and p < _LEVEL) or away,
    )


def _shift(pairs: Sequence[tuple[Trial, Trial]]) -> Estimate | None:
    """How far scores of the same texts have moved; each reference once."""
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


def _right(values: Sequence[bool | None]) -> float | None:
    return sum(bool(value) for value in values) / len(values) if values else None
