"""The registry of suites: modules of this package, and entry points in the group ``assay.suites``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import assay.suites as package
from assay.errors import UsageError
from assay.registry import cached_list, discover
from assay.suggest import did_you_mean
from assay.suites.base import Suite

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP: Final = "assay.suites"


@cached_list
def all_suites() -> Mapping[str, Suite]:
    """Return all suites by name, in alphabetical order.

    Raises:
        UsageError: Two suites share a name, or an entry point is faulty.
    """
    suites = discover(
        [package], group=GROUP, attribute="SUITE", kind=Suite, names=lambda suite: (suite.name,)
    )
    return {suite.name: suite for suite in sorted(suites, key=lambda suite: suite.name)}


def find_suite(name: str) -> Suite:
    """Return the suite of a name.

    Raises:
        UsageError: No suite has that name; the message suggests the closest one.
    """
    suites = all_suites()
    if name not in suites:
        raise UsageError(f"no suite is called {name!r}; {did_you_mean(name, tuple(suites))}")
    return suites[name]
