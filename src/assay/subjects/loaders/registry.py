"""Where loaders come from: the files of this package, and entry points in the group ``assay.loaders``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from importlib.metadata import entry_points

import assay.subjects.loaders as package
from assay.errors import UsageError
from assay.subjects.loaders.base import Loader

__all__ = ["all_loaders", "find_loader"]

GROUP = "assay.loaders"


@lru_cache(maxsize=1)
def all_loaders() -> tuple[Loader, ...]:
    """Every loader, the specific before the general.

    Raises:
        UsageError: Two loaders share a name, or an entry point is no loader.
    """
    found: list[Loader] = []
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if not module.name.rpartition(".")[2].startswith("_"):
            loader = getattr(importlib.import_module(module.name), "LOADER", None)
            if isinstance(loader, Loader):
                found.append(loader)
    for point in entry_points(group=GROUP):
        loader = point.load()
        if not isinstance(loader, Loader):
            raise UsageError(
                f"entry point {point.name!r} in group {GROUP!r} is {type(loader).__name__}, not a Loader"
            )
        found.append(loader)
    names = [loader.name for loader in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two loaders are called {name!r}; rename one (entry points: group {GROUP!r})")
    return tuple(sorted(found, key=lambda loader: (loader.rank, loader.name)))


def find_loader(name: str) -> Loader:
    """The loader with this name.

    Raises:
        UsageError: None has; the message lists them.
    """
    for loader in all_loaders():
        if loader.name == name.strip().lower():
            return loader
    known = ", ".join(sorted(loader.name for loader in all_loaders()))
    raise UsageError(f"no format is called {name!r}; known formats: {known}")
