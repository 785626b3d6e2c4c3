"""Where suites come from: the packages of this room, and entry points in the group ``assay.suites``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final

import assay.suites as package
from assay.errors import UsageError
from assay.rubrics.fields import near
from assay.suites.base import Suite

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GROUP", "all_suites", "find_suite"]

GROUP: Final = "assay.suites"


@lru_cache(maxsize=1)
def all_suites() -> Mapping[str, Suite]:
    """Every suite by name, in alphabetical order.

    Raises:
        UsageError: Two claim one name, or an entry point is no suite or does not load.
    """
    found: dict[str, tuple[Suite, str]] = {}
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        suite = getattr(importlib.import_module(info.name), "SUITE", None)
        if isinstance(suite, Suite):
            _add(found, suite, info.name)
    for point in entry_points(group=GROUP):
        where = f"entry point {point.name!r} ({point.value}) in {GROUP}"
        try:
            suite = point.load()
        except Exception as error:
            raise UsageError(f"{where} does not load: {type(error).__name__}: {error}") from error
        if not isinstance(suite, Suite):
            raise UsageError(f"{where} is {type(suite).__name__}, not a Suite")
        _add(found, suite, where)
    return {name: found[name][0] for name in sorted(found)}


def find_suite(name: str) -> Suite:
    """The suite of this name.

    Raises:
        UsageError: There is none; the message offers the nearest.
    """
    suites = all_suites()
    if name not in suites:
        raise UsageError(f"no suite is called {name!r}; {near(name, tuple(suites))}")
    return suites[name]


def _add(found: dict[str, tuple[Suite, str]], suite: Suite, where: str) -> None:
    if suite.name in found:
        raise UsageError(f"two suites are called {suite.name!r}: {found[suite.name][1]} and {where}")
    found[suite.name] = (suite, where)
