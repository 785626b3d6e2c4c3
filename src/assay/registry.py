"""Extensions: objects that modules of a package, and entry points of other distributions, offer under one attribute.

Checks, strategies, loaders, operators and suites are all found in this way:

    LOADER = Loader("mine", …)                  # in a module of the package, or

    [project.entry-points."assay.loaders"]      # in another distribution
    mine = "my_package.mine:LOADER"

    assay.register(mine)                        # or in this process alone
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Final, TypeVar

from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from functools import _lru_cache_wrapper
    from importlib.metadata import EntryPoint
    from types import ModuleType

T = TypeVar("T")
# What can be registered, by the full name of its class, and the function that lists all of its kind.
_LISTS: Final = {
    "assay.checks.base.Check": "assay.checks.registry:all_checks",
    "assay.subjects.loaders.base.SubjectLoader": "assay.subjects.loaders.registry:all_loaders",
    "assay.strategies.base.Strategy": "assay.strategies.registry:all_strategies",
    "assay.interventions.base.Operator": "assay.interventions.registry:all_operators",
    "assay.suites.base.Suite": "assay.suites.registry:all_suites",
    "assay.rubrics.loaders.base.RubricLoader": "assay.rubrics.loaders.registry:all_loaders",
    "assay.rubrics.rubric.Rubric": "assay.rubrics.loader:rubric_names",
}
_registered: list[Any] = []
_cached: list[Callable[[], None]] = []


def cached_list(function: Callable[[], T]) -> _lru_cache_wrapper[T]:
    """Keep what a function without arguments returns until something is registered; a decorator."""
    kept = lru_cache(maxsize=1)(function)
    _cached.append(kept.cache_clear)
    return kept


def register(item: T) -> T:
    """Make a check, loader, strategy, rubric, operator or suite usable by name in this process.

    An object of the same kind and name that was registered before is replaced, so a notebook's cell can run twice.
    Packages declare an entry point instead.

    Args:
        item: The object, such as what the decorators ``@assay.check`` and ``@assay.loader`` return.

    Returns:
        The object itself.

    Raises:
        UsageError: It is none of these, or Assay or a package already has one of that name.
    """
    names = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(item).__mro__]
    place = next((_LISTS[name] for name in names if name in _LISTS), None)
    if place is None:
        kinds = ", ".join(sorted({name.rpartition(".")[2] for name in _LISTS}))
        raise UsageError(f"{type(item).__name__} cannot be registered; a {kinds} can")
    _registered.append(item)
    module, _, function = place.partition(":")
    try:
        _forget()
        getattr(importlib.import_module(module), function)()
    except UsageError:
        _registered.remove(item)
        _forget()
        raise
    return item


def registered(kind: type[T], names: Callable[[T], Iterable[str]]) -> list[T]:
    """Return what was registered of one kind; of two with the same name the later."""
    found: list[T] = []
    taken: set[str] = set()
    for item in reversed(_registered):
        if isinstance(item, kind) and taken.isdisjoint(own := set(names(item))):
            taken |= own
            found.insert(0, item)
    return found


def _forget() -> None:
    for clear in _cached:
        clear()


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
    extensions += ((item, "what was registered") for item in registered(kind, names))
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


def plug_in_of(error: BaseException) -> str | None:
    """Return the function and package of another distribution in which an error arose; None if it was in none."""
    points = entry_points()
    groups = [group for group in points.groups if group.startswith("assay.")]
    packages = {point.module.partition(".")[0] for group in groups for point in points.select(group=group)}
    trace, found = error.__traceback__, None
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] in packages - {"assay"}:
            found = f"{trace.tb_frame.f_code.co_qualname} of {module}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return found
