"""Helpers of the citation checks: markers, the display of keys and entries, and the identity of addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.wording import FilledWording, Series, Wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.parts import Citation, Reference
    from assay.subjects.report import Report

_PORTALS: Final = ("amp.", "m.", "mobile.")
_INDEX: Final = ("/index.html", "/index.htm", "/index.php", "/amp", "/full", "/fulltext")

# How a message names an entry of the reference list: by its label and its title or address.
ENTRY: Final = Wording(en="{label} “{title}”", zh="{label}“{title}”")
TITLED: Final = Wording(en="“{title}”", zh="“{title}”")


def markers(report: Report) -> list[Citation]:
    """Return the citations that refer to an entry of a list: ``[3]``, ``[^note]``, ``<cite id>``; not links."""
    return [c for c in report.citations if c.form in ("numeric", "footnote", "cite_tag")]


def has_own_address(report: Report, citation: Citation) -> bool:
    """Return whether a marker contains its own address, as in ``[3](https://…)``, and so needs no list."""
    return report.source.endswith(")", 0, citation.span.end)


def label(key: str) -> str:
    """Return a key as a marker in the text: ``[3]`` or ``[^note]``."""
    return f"[{key}]" if key.isdigit() else f"[^{key}]"


def entry_name(key: str | None, title: str) -> FilledWording:
    """Name an entry in a message by its key, if it has one, and its title or address."""
    return ENTRY(label=label(key), title=title) if key else TITLED(title=title)


def ranges(keys: Iterable[str], *, cut: bool = False) -> Series:
    """Return keys as a series that joins runs of numbers: ``[3], [7]–[9]`` for 3, 7, 8, 9.

    Keys that are not numbers follow. With ``cut``, the series ends with a sign that some keys were left out.
    """
    numbers = sorted({int(key) for key in keys if key.isdigit()})
    parts: list[str] = []
    i = 0
    while i < len(numbers):
        j = i
        while j + 1 < len(numbers) and numbers[j + 1] == numbers[j] + 1:
            j += 1
        parts.append(f"[{numbers[i]}]" if i == j else f"[{numbers[i]}]–[{numbers[j]}]")
        i = j + 1
    parts.extend(f"[^{key}]" for key in keys if not key.isdigit())
    return Series(tuple(parts), cut=cut)


def excerpt(text: str, size: int = 60) -> str:
    """Return ``text`` on one line, cut to ``size`` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= size else flat[: size - 1].rstrip() + "…"


def url_identity(reference: Reference, normalized: str) -> str:
    """Return a string that is equal for two addresses if they lead to the same page.

    It is the normalised address without mobile, index and full-text variants. A fragment counts only if it is a
    route ("#/…", "#!…").
    """
    url = reference.url or ""
    at = url.find("#")
    route = url[at:] if at >= 0 and url[at + 1 : at + 2] in ("/", "!") else ""
    for prefix in _PORTALS:
        normalized = normalized.removeprefix(prefix)
    for suffix in _INDEX:
        normalized = normalized.removesuffix(suffix)
    return normalized + route
