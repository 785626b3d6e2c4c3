"""Helpers of the citation checks: markers, and the display of keys and entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.checks.wording import FilledWording, Series, Wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.parts import Citation
    from assay.subjects.report import Report

# How a message names an entry of the reference list: by its label and its title or address.
ENTRY: Final = Wording(en="{label} “{title}”", zh="{label}“{title}”")
TITLED: Final = Wording(en="“{title}”", zh="“{title}”")


def markers(report: Report) -> list[Citation]:
    """Return the citations that refer to an entry of a list: ``[3]``, ``[^note]``, ``<cite id>``; not links."""
    return [c for c in report.citations if c.form in ("numeric", "footnote", "cite_tag")]


def has_own_address(report: Report, citation: Citation) -> bool:
    """Return whether a marker contains its own address, as in ``[3](https://…)``, and so needs no list."""
    return report.source.endswith((")", "</a>"), 0, citation.span.end)


def label(key: str) -> str:
    """Return a key as a marker in the text: ``[3]`` or ``[^note]``."""
    return f"[{key}]" if key.isdigit() else f"[^{key}]"


def entry_name(key: str | None, title: str) -> FilledWording | str:
    """Name an entry in a message by its key and its title or address, as far as it has them."""
    if not title:
        return label(key or "?")
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
