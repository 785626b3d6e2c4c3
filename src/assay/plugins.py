"""What can be added from outside: an attribute of the modules of a package, and entry points of a group."""

from __future__ import annotations

import importlib
import pkgutil
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, TypeVar

from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

T = TypeVar("T")


def collected(
    package: ModuleType, group: str, attribute: str, kind: type[T], *, name: Callable[[T], str]
) -> list[T]:
    """All of a kind, in the order of their modules, then of their entry points.

    Args:
        package: Its modules are looked through; those whose names begin with an underscore are left out.
        group: Of the entry points.
        attribute: What a module calls it.
        kind: What it must be.
        name: What one is called; no two may be called the same.

    Raises:
        UsageError: Two have one name, or an entry point does not load or is of another kind.
    """
    found: list[tuple[T, str]] = []
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if not info.name.rpartition(".")[2].startswith("_"):
            item = getattr(importlib.import_module(info.name), attribute, None)
            if isinstance(item, kind):
                found.append((item, info.name))
    for point in entry_points(group=group):
        where = f"entry point {point.name!r} in group {group!r}"
        try:
            item = point.load()
        except Exception as error:
            # A package of somebody else's: whatever it does wrong is theirs to mend, and they need the place.
            raise UsageError(f"{where} does not load: {type(error).__name__}: {error}") from error
        if not isinstance(item, kind):
            raise UsageError(f"{where} is {type(item).__name__}, not a {kind.__name__}")
        found.append((item, where))
    places: dict[str, str] = {}
    for item, where in found:
        other = places.setdefault(name(item), where)
        if other != where:
            raise UsageError(f"two are called {name(item)!r}: {other} and {where}; rename one")
    return [item for item, _ in found]
