"""Checks that a surface attack adds no substance (numbers, names, citations, terms) and loses none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assay.interventions.base import Edit, TextRevision
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterable


_PHRASES: Final = PhraseFile("assay.interventions", "substance")


def revision(edits: Iterable[Edit], *, pattern: str, note: str) -> TextRevision | None:
    """Return a revision with these edits in order, or None without edits; of two that overlap, the first is kept."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda item: (item.start, item.end)):
        if not kept or edit.start > kept[-1].end or (edit.start == kept[-1].end and edit.start != edit.end):
            kept.append(edit)
    return TextRevision(edits=tuple(kept), pattern=pattern, note=note) if kept else None
