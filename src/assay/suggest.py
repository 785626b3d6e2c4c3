"""Suggestions for a name that nothing goes by: one wording for all error messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def closest(name: str, known: Iterable[str], *, n: int = 3, cutoff: float = 0.6) -> list[str]:
    """Return up to ``n`` known names that resemble ``name``, the closest first; case makes no difference."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.casefold(), candidate)
    matches = difflib.get_close_matches(name.casefold(), by_folded, n=n, cutoff=cutoff)
    return [by_folded[match] for match in matches]


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str | None = None) -> str:
    """Return ``did you mean 'x'?``; if no known name resembles ``name``, return ``otherwise`` or list the known names."""
    names = list(known)
    matches = closest(name, names, n=1)
    if matches:
        return f"did you mean {matches[0]!r}?"
    return otherwise if otherwise is not None else f"there are {', '.join(names)}"
