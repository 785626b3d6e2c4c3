"""Which instances of a benchmark a command is about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.interventions.instances import read_instances
from assay.interventions.registry import find_operators

if TYPE_CHECKING:
    from assay.interventions.instances import Instance


def chosen_instances(folder: str, types: str | None = None, limit: int | None = None) -> list[Instance]:
    """Instances of some types, and of each the first so many.

    Args:
        folder: Of the benchmark.
        types: Names or groups of operators, with commas between; all where None.
        limit: Of each type.

    Raises:
        InputError: There is no benchmark, or nothing in it is of these types.
        UsageError: There is no such type.
    """
    instances = read_instances(folder)
    if types:
        names = {operator.name for operator in find_operators(types.split(","))}
        instances = [item for item in instances if item.type in names]
        if not instances:
            raise InputError(f"no instance is of these types: {types}", where=folder)
    if limit is None:
        return instances
    seen: Counter[str] = Counter()
    kept = []
    for item in instances:
        seen[item.type] += 1
        if seen[item.type] <= limit:
            kept.append(item)
    return kept
