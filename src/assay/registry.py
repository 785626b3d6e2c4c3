"""Extensions: objects that modules of a package, and entry points of other distributions, offer under one attribute.

Checks, strategies, loaders, operators and suites are all found in this way:

    LOADER = Loader("mine", …)                  # in a module of the package, or

    [project.entry-points."assay.loaders"]      # in another distribution
    mine = "my_package.mine:LOADER"
"""

from __future__ import annotations

import importlib
import pkgutil
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.metadata import EntryPoint
    from types import ModuleType

T = TypeVar("T")


def discover(
    packages: Iterable[ModuleType],
    *,
    group: str,
    attribute: str,
    kind: type[T],
    names: Callable[[T], Iterable[str]],
    prepare: Callable[[T, ModuleType], T] | None = None,
) -> list[T]:
    """Return all extensions of one kind: those of the packages in the order of their modules, then entry points.

    Args:
        packages: Packages whose modules are imported, except those whose names begin with an underscore.
        group: Group of the entry points.
        attribute: Name of the object in a module.
        kind: Class that the object must have.
        names: Names of an extension; no two extensions may share one.
        prepare: Checks and completes an extension, given its module.

    Raises:
        UsageError: Two extensions share a name, or an entry point does not load, is of another kind or is faulty; the
            message names the entry point and its distribution.
    """
    extensions: list[tuple[T, str]] = []
    for package in packages:
        for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            if info.name.rpartition(".")[2].startswith("_"):
                continue
            module = importlib.import_module(info.name)
            item = getattr(module, attribute, None)
            if isinstance(item, kind):
                extensions.append((prepare(item, module) if prepare else item, info.name))
    for point in entry_points(group=group):
        origin = _described(point)
        item = load_entry_point(point)
        if not isinstance(item, kind):
            raise UsageError(f"{origin} is {type(item).__name__}, not a {kind.__name__}")
        if prepare:
            try:
                item = prepare(item, importlib.import_module(point.module))
            except UsageError as error:
                raise UsageError(f"{origin}: {error}") from error
        extensions.append((item, origin))
    origins: dict[str, str] = {}
    for item, origin in extensions:
        for name in names(item):
            other = origins.setdefault(name, origin)
            if other != origin:
                raise UsageError(f"two extensions are called {name!r}: {other} and {origin}; rename one")
    return [item for item, _ in extensions]


def load_entry_point(point: EntryPoint) -> Any:
    """Return what an entry point names.

    Raises:
        UsageError: It does not load, whatever its module does; the message names the entry point.
    """
    try:
        return point.load()
    except Exception as error:
        raise UsageError(f"{_described(point)} does not load: {type(error).__name__}: {error}") from error


def _described(point: EntryPoint) -> str:
    distribution = f" of {point.dist.name}" if point.dist else ""
    return f"entry point {point.name!r}{distribution} in group {point.group!r}"
