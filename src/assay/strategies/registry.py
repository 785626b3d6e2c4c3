"""Where strategies come from: the files of this package, and entry points in the group ``assay.strategies``.

[project.entry-points."assay.strategies"]
oracle = "assay_oracle.oracle:STRATEGY"      # the template oracle.jinja lies beside oracle.py
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

import assay.strategies as package
from assay.errors import UsageError
from assay.strategies.base import Strategy
from assay.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint
    from types import ModuleType

GROUP: Final = "assay.strategies"

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
# Keys of a reply that hold the verdict.
_TAKEN: Final = ("score", "scores", "preference", "preferences", "ranking")


@lru_cache(maxsize=1)
def all_strategies() -> Mapping[str, Strategy]:
    """Every strategy by name, in alphabetical order.

    Raises:
        UsageError: Two claim one name, an entry point is no strategy or does not load, or a strategy is faulty.
    """
    found: list[tuple[Strategy, str]] = []
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        module = importlib.import_module(info.name)
        strategy = getattr(module, "STRATEGY", None)
        if isinstance(strategy, Strategy):
            found.append((_placed(strategy, module), info.name))
    for point in entry_points(group=GROUP):
        found.append((_loaded(point), point.value))
    by_name: dict[str, Strategy] = {}
    origins: dict[str, str] = {}
    for strategy, origin in sorted(found, key=lambda pair: pair[0].name):
        if strategy.name in by_name:
            raise UsageError(
                f"two strategies are called {strategy.name}: {origins[strategy.name]} and {origin}; rename one"
            )
        by_name[strategy.name] = strategy
        origins[strategy.name] = origin
    return by_name


def find_strategy(name: str) -> Strategy:
    """The strategy of this name.

    Raises:
        UsageError: There is none; the message offers near ones.
    """
    strategies = all_strategies()
    wanted = name.strip().lower().replace("-", "_")
    if wanted in strategies:
        return strategies[wanted]
    raise UsageError(f"no strategy is called {name!r}; {did_you_mean(wanted, strategies)}")


def _loaded(point: EntryPoint) -> Strategy:
    """The strategy an entry point names."""
    of = f" of {point.dist.name}" if point.dist else ""
    where = f"entry point {point.name!r}{of} in group {GROUP!r}"
    try:
        strategy = point.load()
    except Exception as error:  # whatever a foreign module does when it is imported
        raise UsageError(f"{where} does not load: {type(error).__name__}: {error}") from error
    if not isinstance(strategy, Strategy):
        raise UsageError(f"{where} is {type(strategy).__name__}, not a Strategy")
    return _placed(strategy, importlib.import_module(point.module))


def _placed(strategy: Strategy, module: ModuleType) -> Strategy:
    """The strategy, looked over, with the path of its template."""
    if not _NAME.fullmatch(strategy.name):
        raise UsageError(
            f"strategy {strategy.name!r} must be named in lower-case words joined by underscores"
        )
    for field in strategy.fields:
        if field.key in _TAKEN:
            raise UsageError(
                f"strategy {strategy.name!r} has a field {field.key!r}, which is the name of a verdict; rename it"
            )
    path = Path(strategy.template) if strategy.template else Path(f"{strategy.name}.jinja")
    if not path.is_absolute():
        path = Path(module.__file__ or "").parent / path
    if not path.is_file():
        raise UsageError(f"strategy {strategy.name!r} has no template at {path}")
    return msgspec.structs.replace(strategy, template=str(path))
