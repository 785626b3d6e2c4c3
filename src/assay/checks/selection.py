"""Which checks run: selectors are codes (``NUM001``), families (``NUM``), names, or ``ALL``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.checks.registry import all_checks
from assay.errors import UsageError
from assay.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.checks.base import Check


def family_of(code: str) -> str:
    """Return the letters of a code."""
    return code.rstrip("0123456789")


def covers(label: str, check: Check) -> bool:
    """Return whether a selector speaks of a check."""
    return _weight(label, check) > 0


def _weight(label: str, check: Check) -> int:
    """Return how closely a selector fits: 0 not at all, 1 ``ALL``, more the longer the shared code, most for a name."""
    wanted = label.strip()
    upper = wanted.upper()
    if upper == "ALL":
        return 1
    if upper == check.code or wanted.lower() == check.name:
        return 100
    # A prefix must hold the whole family: "NUM" and "NUM0" select, "N" would select by accident.
    if check.code.startswith(upper) and len(upper) >= len(family_of(check.code)):
        return 1 + len(upper)
    return 0


def near_labels(label: str) -> list[str]:
    """Up to three codes, families or names that look like ``label``."""
    checks = all_checks().values()
    codes = sorted({family_of(check.code) for check in checks} | {check.code for check in checks})
    return closest(label.strip(), codes) or closest(label.strip(), [check.name for check in checks])


def require_known(labels: Iterable[str], *, where: str) -> None:
    """Refuse selectors that select nothing.

    Raises:
        UsageError: One does; the message offers near ones.
    """
    for label in labels:
        if not any(covers(label, check) for check in all_checks().values()):
            near = near_labels(label)
            hint = f"; near: {', '.join(near)}" if near else ""
            raise UsageError(
                f"{where}: no check, family or name is called {label!r}{hint} (see `assay checks`)"
            )


def chosen(select: Sequence[str], ignore: Sequence[str]) -> tuple[Check, ...]:
    """Return the checks to run, by code.

    Without ``select`` those that run by default. Where a check is both selected and ignored, the selector that fits
    more closely wins (``select NUM001`` beats ``ignore NUM``), and ``ignore`` wins a draw.
    """
    picked: list[Check] = []
    for check in all_checks().values():
        wanted = max((_weight(label, check) for label in select), default=0) if select else int(check.default)
        refused = max((_weight(label, check) for label in ignore), default=0)
        if wanted > refused:
            picked.append(check)
    return tuple(picked)
