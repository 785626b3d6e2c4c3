"""Of what fails, how much each category has its part in: failure shares (ResearchRubrics, section 3.4, equation 2).

In task t category c has the share n_fail(c, t) / n_fail(t). The paper averages it over the tasks in which the category
*occurs*; the code published with it over the tasks in which the category *fails*, which is never less. Both are given,
each under its own name. A task in which nothing fails has no shares to average and is left out of both, and counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

import msgspec

from assay.measures.intervals import Estimate, mean_interval


class FailureShare(msgspec.Struct, frozen=True, kw_only=True):
    """The part one category has in all failures.

    Attributes:
        category: Its name.
        occurring: Mean over tasks in which it occurs (the paper).
        failing: Mean over tasks in which it fails (the code published with the paper).
        pooled: Its failures over all failures, tasks put together; None where nothing fails.
        failures: How often it fails.
        items: How often it occurs.
        tasks: Tasks it occurs in.
        unfailed: Those of them in which nothing at all fails, left out of ``occurring``.
    """

    category: str
    occurring: Estimate
    failing: Estimate
    pooled: float | None
    failures: int
    items: int
    tasks: int
    unfailed: int


def failure_shares(
    rows: Iterable[tuple[Hashable, str, bool]], clusters: Mapping[Hashable, Hashable] | None = None
) -> dict[str, FailureShare]:
    """Shares of all categories, in the order they are first met.

    Args:
        rows: Task, category and whether it failed, for each item.
        clusters: What tasks belong together for the interval, where they are not independent.
    """
    items: dict[str, dict[Hashable, int]] = {}
    failed: dict[str, dict[Hashable, int]] = {}
    totals: dict[Hashable, int] = {}
    for task, category, fails in rows:
        occurs = items.setdefault(category, {})
        occurs[task] = occurs.get(task, 0) + 1
        mine = failed.setdefault(category, {})
        mine[task] = mine.get(task, 0) + bool(fails)
        totals[task] = totals.get(task, 0) + bool(fails)
    everything = sum(totals.values())

    def mean(values: Mapping[Hashable, float]) -> Estimate:
        groups = [clusters.get(task, task) if clusters else task for task in values]
        return mean_interval(list(values.values()), groups, bounds=(0.0, 1.0))

    found: dict[str, FailureShare] = {}
    for category, occurs in items.items():
        fails_by_task = failed[category]
        shares = {task: fails_by_task[task] / totals[task] for task in occurs if totals[task]}
        failures = sum(fails_by_task.values())
        found[category] = FailureShare(
            category=category,
            occurring=mean(shares),
            failing=mean({task: share for task, share in shares.items() if fails_by_task[task]}),
            pooled=failures / everything if everything else None,
            failures=failures,
            items=sum(occurs.values()),
            tasks=len(occurs),
            unfailed=len(occurs) - len(shares),
        )
    return found
