"""Assignments: the modules of packages that have an ``ASSIGNMENT`` or ``ASSIGNMENTS``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Final

import assay.generation as package
from assay.errors import UsageError
from assay.generation.base import Assignment

HERE: Final = package.__name__


@lru_cache(maxsize=8)
def all_assignments(packages: tuple[str, ...] = (HERE,)) -> Mapping[str, Assignment]:
    """Return every assignment by name, in alphabetical order.

    Args:
        packages: Packages that are looked through, with the packages inside them. Rooms above this one name their
            own.

    Raises:
        UsageError: Two assignments share a name.
    """
    assignments: dict[str, tuple[Assignment, str]] = {}
    for name in packages:
        for module in _modules(name):
            for item in _assignments(module):
                other = assignments.get(item.name)
                if other is not None and other[0] != item:
                    raise UsageError(
                        f"two assignments are called {item.name!r}: in {other[1]} and {module.__name__}"
                    )
                assignments.setdefault(item.name, (item, module.__name__))
    return {name: assignments[name][0] for name in sorted(assignments)}


def _modules(name: str) -> Iterator[ModuleType]:
    top = importlib.import_module(name)
    yield top
    for info in pkgutil.walk_packages(top.__path__, f"{name}."):
        yield importlib.import_module(info.name)


def _assignments(module: ModuleType) -> Iterator[Assignment]:
    one = getattr(module, "ASSIGNMENT", None)
    if isinstance(one, Assignment):
        yield one
    many = getattr(module, "ASSIGNMENTS", ())
    items: Iterable[object] = many.values() if isinstance(many, Mapping) else many
    yield from (item for item in items if isinstance(item, Assignment))
