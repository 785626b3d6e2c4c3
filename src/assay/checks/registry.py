"""Where checks come from: the files of this package, and entry points in the group ``assay.checks``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import assay.checks as package
from assay.checks.base import Check
from assay.errors import UsageError
from assay.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP = "assay.checks"


@lru_cache(maxsize=1)
def all_checks() -> Mapping[str, Check]:
    """Every check by code, sorted by code.

    Raises:
        UsageError: Two checks claim one code or name, or an entry point is no check.
    """
    found: list[tuple[Check, str]] = []
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.ispkg and module.name.count(".") == 3:
            loaded = importlib.import_module(module.name)
            check = getattr(loaded, "CHECK", None)
            if isinstance(check, Check):
                found.append((check, module.name))
    for point in entry_points(group=GROUP):
        check = point.load()
        if not isinstance(check, Check):
            raise UsageError(
                f"entry point {point.name!r} in group {GROUP!r} is {type(check).__name__}, not a Check"
            )
        found.append((check, point.value))
    by_code: dict[str, Check] = {}
    seen: dict[str, str] = {}
    for check, origin in sorted(found, key=lambda pair: pair[0].code):
        for label in (check.code, check.name):
            if label in seen:
                raise UsageError(f"two checks are called {label}: {seen[label]} and {origin}; rename one")
            seen[label] = origin
        by_code[check.code] = check
    return by_code


def find_check(label: str) -> Check:
    """The check with this code or name.

    Raises:
        UsageError: None has; the message offers near ones.
    """
    checks = all_checks()
    wanted = label.strip()
    for check in checks.values():
        if wanted.upper() == check.code or wanted.lower() == check.name:
            return check
    near = closest(wanted, checks) or closest(wanted, [check.name for check in checks.values()])
    hint = f"; near: {', '.join(near)}" if near else ""
    raise UsageError(f"no check is called {label!r}{hint} (see `assay checks`)")


def explanation(check: Check) -> str:
    """The docstring of the check's module."""
    module = importlib.import_module(check.run.__module__)
    return (module.__doc__ or check.summary).strip()
