"""Failure shares: how much each category contributes to all failures (ResearchRubrics, section 3.4, equation 2).

In task t, category c has the share n_fail(c, t) / n_fail(t). The paper averages over tasks in which the category
*occurs*; its published code averages over tasks in which the category *fails*, which is never less. Both are given.
Tasks without failures have no shares; they are left out and counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

import msgspec

from assay.measures.intervals import Estimate, mean_interval


class FailureShare(msgspec.Struct, frozen=True, kw_only=True):
    """The share of one category in all failures.

    Attributes:
        category: Name of the category.
        occurring: Mean share over tasks in which the category occurs (the paper).
        failing: Mean share over tasks in which the category fails (the paper's code).
        pooled: Failures of the category over all failures of all tasks; None without failures.
        failures: Number of failures.
        items: Number of items.
        tasks: Number of tasks in which the category occurs.
        unfailed: Number of those tasks without any failure, which ``occurring`` leaves out.
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
    """Return the failure shares of all categories, in order of first appearance.

    Args:
        rows: Task, category and whether it failed, for each item.
        clusters: Cluster of each task, if tasks are not independent.
    """
    items: dict[str, dict[Hashable, int]] = {}
    failed: dict[str, dict[Hashable, int]] = {}
    totals: dict[Hashable, int] = {}
    for task, category, fails in rows:
        occurs = items.setdefault(category, {})
        occurs[task] = occurs.get(task, 0) + 1
        own = failed.setdefault(category, {})
        own[task] = own.get(task, 0) + bool(fails)
        totals[task] = totals.get(task, 0) + bool(fails)
    all_failures = sum(totals.values())

    def mean(values: Mapping[Hashable, float]) -> Estimate:
        groups = [clusters.get(task, task) if clusters else task for task in values]
        return mean_interval(list(values.values()), groups, bounds=(0.0, 1.0))

    result: dict[str, FailureShare] = {}
    for category, occurs in items.items():
        fails_by_task = failed[category]
        shares = {task: fails_by_task[task] / totals[task] for task in occurs if totals[task]}
        failures = sum(fails_by_task.values())
        result[category] = FailureShare(
            category=category,
            occurring=mean(shares),
            failing=mean({task: share for task, share in shares.items() if fails_by_task[task]}),
            pooled=failures / all_failures if all_failures else None,
            failures=failures,
            items=sum(occurs.values()),
            tasks=len(occurs),
            unfailed=len(occurs) - len(shares),
        )
    return result
