"""The known checks: those in this package, and those from entry points in the group ``assay.checks``."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

import assay.checks as package
from assay.checks.base import Check
from assay.checks.function_check import FunctionRun
from assay.errors import UsageError
from assay.registry import cached_list, discover
from assay.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP = "assay.checks"


@cached_list
def all_checks() -> Mapping[str, Check]:
    """Return every check by code, sorted by code.

    Raises:
        UsageError: Two checks claim one code or name, or an entry point is not a check.
    """
    families = [
        importlib.import_module(info.name)
        for info in pkgutil.iter_modules(package.__path__, package.__name__ + ".")
        if info.ispkg
    ]
    checks = discover(
        families, group=GROUP, attribute="CHECK", kind=Check, names=lambda check: (check.code, check.name)
    )
    return {check.code: check for check in sorted(checks, key=lambda check: check.code)}


def find_check(label: str) -> Check:
    """Return the check with this code or name.

    Raises:
        UsageError: No check has it; the message suggests similar ones.
    """
    checks = all_checks()
    wanted = label.strip()
    for check in checks.values():
        if wanted.upper() == check.code or wanted.lower() == check.name:
            return check
    near = closest(wanted, checks) or closest(wanted, [check.name for check in checks.values()])
    hint = f"; near: {', '.join(near)}" if near else ""
    raise UsageError(f"no check is called {label!r}{hint}", cli_hint="see `assay checks`")


def explanation(check: Check) -> str:
    """Return the docstring of the check's module, or of its function."""
    if isinstance(check.run, FunctionRun):
        return check.run.explanation or check.summary
    module = importlib.import_module(check.run.__module__)
    return (module.__doc__ or check.summary).strip()
