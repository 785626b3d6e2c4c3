"""Where loaders come from: the files of this package, and entry points in the group ``assay.loaders``."""

from __future__ import annotations

import assay.subjects.loaders as package
from assay.errors import UsageError
from assay.registry import cached_list, discover
from assay.subjects.loaders.base import SubjectLoader

GROUP = "assay.loaders"


@cached_list
def all_loaders() -> tuple[SubjectLoader, ...]:
    """Return every loader, the specific before the general.

    Raises:
        UsageError: Two loaders share a name, or an entry point is not a loader.
    """
    found = discover(
        [package], group=GROUP, attribute="LOADER", kind=SubjectLoader, names=lambda loader: (loader.name,)
    )
    return tuple(sorted(found, key=lambda loader: (loader.rank, loader.name)))


def find_loader(name: str | SubjectLoader) -> SubjectLoader:
    """Return the loader with this name, or the loader itself.

    Raises:
        UsageError: None has; the message lists them.
    """
    if isinstance(name, SubjectLoader):
        return name
    for loader in all_loaders():
        if loader.name == name.strip().lower():
            return loader
    known = ", ".join(sorted(loader.name for loader in all_loaders()))
    raise UsageError(f"no format is called {name!r}; known formats: {known}")
