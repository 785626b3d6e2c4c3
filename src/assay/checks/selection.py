"""Selection of the checks to run, by code (``NUM001``), family (``NUM``), name or ``ALL``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from assay.checks.base import Check
from assay.checks.fault_types import FAULT_TYPES
from assay.checks.registry import all_checks
from assay.errors import UsageError
from assay.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Coded(Protocol):
    """What selectors select: a check, or a type of fault that a reader names."""

    @property
    def code(self) -> str:
        """Its code, as ``NUM001``."""

    @property
    def name(self) -> str:
        """Its name, as ``parts-exceed-whole``."""


def family_of(code: str) -> str:
    """Return the family of a code, that is, its letters."""
    return code.rstrip("0123456789")


def covers(label: str, check: Coded) -> bool:
    """Return whether a selector selects a check or a reader's type of fault."""
    return _weight(label, check) > 0


def _weight(label: str, check: Coded) -> int:
    """Return how specific a selector is for a check.

    0 means that it does not select the check and 1 that it is ``ALL``. A longer prefix of the code counts more; the full
    code or name counts most.
    """
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
    """Return up to three codes, families or names similar to ``label``."""
    checks: list[Coded] = [*all_checks().values(), *FAULT_TYPES.values()]
    codes = sorted({family_of(check.code) for check in checks} | {check.code for check in checks})
    return closest(label.strip(), codes) or closest(label.strip(), [check.name for check in checks])


def is_known(label: str) -> bool:
    """Return whether a selector selects a check or a reader's type of fault."""
    return any(covers(label, check) for check in all_checks().values()) or any(
        covers(label, item) for item in FAULT_TYPES.values()
    )


def reader_codes(select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """Return the codes of the faults that a reader may name.

    A selection that names none of them leaves all: who asks a model to read wants to see what it finds. If a type is both
    selected and ignored, the more specific selector wins; ``ignore`` wins a tie.
    """
    types = FAULT_TYPES.values()
    wanted = {item.code: max((_weight(label, item) for label in select), default=0) for item in types}
    if not any(wanted.values()):
        wanted = dict.fromkeys(wanted, 1)
    refused = {item.code: max((_weight(label, item) for label in ignore), default=0) for item in types}
    return frozenset(code for code, weight in wanted.items() if weight > refused[code])


def require_known(labels: Iterable[str], *, where: str) -> None:
    """Check that every selector selects a check, or a type of fault that a model names.

    Raises:
        UsageError: A selector selects nothing; the message suggests similar ones.
    """
    for label in labels:
        if not is_known(label):
            near = near_labels(label)
            hint = f"; near: {', '.join(near)}" if near else ""
            raise UsageError(
                f"{where}: no check, family or name is called {label!r}{hint}", cli_hint="see `assay checks`"
            )


def chosen(select: Sequence[str], ignore: Sequence[str]) -> tuple[Check, ...]:
    """Return the checks to run, sorted by code; without ``select``, those that run by default.

    If a check is both selected and ignored, the more specific selector wins (``select NUM001`` beats ``ignore NUM``);
    ``ignore`` wins a tie.
    """
    picked: list[Check] = []
    for check in all_checks().values():
        wanted = max((_weight(label, check) for label in select), default=0) if select else int(check.default)
        refused = max((_weight(label, check) for label in ignore), default=0)
        if wanted > refused:
            picked.append(check)
    return tuple(picked)


def checks_of(wanted: str | Check | Iterable[str | Check]) -> tuple[Check, ...]:
    """Return the checks that a list of selectors and checks names, sorted by code.

    Args:
        wanted: ``"default"`` (those that run by default), ``"ALL"``, codes, families and names; with ``-`` in front what
            to leave out; and `Check` objects, which replace a check of the same code.

    Raises:
        UsageError: A selector selects nothing; the message suggests similar ones.
    """
    picked: dict[str, Check] = {}
    left_out: list[str] = []
    items: Iterable[Any] = (wanted,) if isinstance(wanted, str | Check) else wanted
    for item in items:
        if isinstance(item, Check):
            picked[item.code] = item
        elif item == "default":
            picked |= {check.code: check for check in all_checks().values() if check.default}
        elif isinstance(item, str):
            label = item.removeprefix("-")
            require_known([label], where="checks")
            if not any(covers(label, check) for check in all_checks().values()):
                raise UsageError(f"checks: {label} is what a model names that reads, not a check")
            if item.startswith("-"):
                left_out.append(label)
            else:
                picked |= {check.code: check for check in all_checks().values() if covers(label, check)}
        else:
            hint = "; decorate it with @assay.check(CODE)" if callable(item) else ""
            raise UsageError(f"checks holds {type(item).__name__}, not a name or a Check{hint}")
    return tuple(
        check for _, check in sorted(picked.items()) if not any(covers(label, check) for label in left_out)
    )
