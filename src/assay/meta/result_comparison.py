"""Several runs of one benchmark as one result: judges, prompts and rubrics tested against each other."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from assay.errors import UsageError
from assay.meta.results import BenchmarkResult, RunOrigin
from assay.meta.trials import Condition, Trial


def compare_results(*results: BenchmarkResult) -> BenchmarkResult:
    """Return several runs of a benchmark as one: their judges, prompts or rubrics are tested against each other.

    Conditions of different runs are compared on the instances that both judged. Baselines that all runs have in common
    are kept once. Save the outcome, or make its ``card()``, as that of a single run.

    Args:
        *results: Results with trials, of the same benchmark or of parts of it.

    Raises:
        UsageError: There is only one, one has no trials, or two judged no instance in common.
    """
    if len(results) < 2:
        raise UsageError("a comparison takes two runs or more")
    for number, item in enumerate(results, 1):
        if not any(item.trials):
            raise UsageError(f"run {number} has no trials; load it from its folder, not from its result.json")
    _check_overlap(results)
    conditions: list[Condition] = []
    trials: list[Trial] = []
    runs: list[int] = []
    seen: set[tuple[str, ...]] = set()
    order = [
        (run, at)
        for beside in (False, True)
        for run, item in enumerate(results)
        for at, detection in enumerate(item.detections)
        if detection.condition.beside is beside
    ]
    for run, at in order:
        condition = results[run].detections[at].condition
        own = results[run].trials[at]
        key = (
            condition.judge,
            condition.interface,
            condition.version,
            *sorted(trial.instance for trial in own),
        )
        if condition.beside and key in seen:
            continue
        seen.add(key)
        trials += [msgspec.structs.replace(trial, condition=len(conditions)) for trial in own]
        conditions.append(condition)
        runs.append(run)
    origins = [item.origin for item in results]
    made = BenchmarkResult.of(
        conditions,
        trials,
        RunOrigin(
            id="+".join(item.id for item in origins),
            bench=", ".join(dict.fromkeys(item.bench for item in origins)),
            instances=len({trial.instance for trial in trials}),
            created=max(item.created for item in origins),
            assay=origins[0].assay,
            fingerprint=origins[0].fingerprint if len({item.fingerprint for item in origins}) == 1 else "",
            status=next((item.status for item in origins if item.status != "done"), "done"),
        ),
        runs=runs,
    )
    instances = {item.id: item for found in results for item in found.instances}
    return msgspec.structs.replace(made, instances=tuple(instances.values()))


def _check_overlap(results: Sequence[BenchmarkResult]) -> None:
    judged = [{(trial.instance, trial.group) for own in item.trials for trial in own} for item in results]
    for at, own in enumerate(judged[1:], 2):
        if not judged[0] & own:
            raise UsageError(f"runs 1 and {at} judged no instance in common; compare runs of one benchmark")
