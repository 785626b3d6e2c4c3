"""Checks that a surface attack adds no substance (numbers, names, citations, terms) and loses none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._differences import marks, numbers
from assay.interventions.attacks._filler_phrases import neutral_terms
from assay.interventions.base import Edit, TextRevision
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "substance")
_FILLER_PHRASES: Final = PhraseFile("assay.interventions", "filler_phrases")

# Numbers that count lines and steps and say nothing about the world.
_LABEL: Final = re.compile(
    r"^[ \t>]*(?:#{1,6}[ \t]+|[-*][ \t]+)?(?:\*\*)?(?:\(?\d{1,2}(?:\.\d{1,2})*[.)、）]?"
    r"(?=[ \t\u4e00-\u9fff*])|[（(]\d{1,2}[)）])|\b(?:Evidence|Step|Point|Item|Support|Exhibit"
    r"|Link)\s+\d{1,2}\b|(?:证据|步骤|要点|依据|佐证|环节)\s?\d{1,2}",
    re.MULTILINE | re.IGNORECASE,
)
_HAN_RUN: Final = re.compile("[\u4e00-\u9fff]+")
_SENTENCE: Final = re.compile(r"(?<=[.。!?！？;；])\s*|\n+")
_TOLERATED: Final = 60


def revision(edits: Iterable[Edit], *, pattern: str, note: str) -> TextRevision | None:
    """Return a revision with these edits in order, or None without edits; of two that overlap, the first is kept."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda item: (item.start, item.end)):
        if not kept or edit.start > kept[-1].end or (edit.start == kept[-1].end and edit.start != edit.end):
            kept.append(edit)
    return TextRevision(edits=tuple(kept), pattern=pattern, note=note) if kept else None


def foreign_terms(reference: Report, old: str, new: str) -> list[str]:
    """Return content terms of ``new`` that occur neither in ``old``, nor in the report, nor among the neutral terms."""
    if _HAN_RUN.search(reference.source[:4000]) and reference.language == "zh":
        return _foreign_zh(reference.source, new)
    known: frozenset[str] | None = reference.memo.get(foreign_terms)
    if known is None:
        known = reference.memo[foreign_terms] = frozenset(content_terms(reference.source))
    return sorted(content_terms(new) - known - neutral_terms() - content_terms(old))


def _foreign_zh(source: str, new: str) -> list[str]:
    """Return the Han characters of ``new`` that belong neither to wording of the report nor to neutral words."""
    known = _FILLER_PHRASES["neutral"].words("zh")
    longest = max(map(len, known))
    out: list[str] = []
    for run in _HAN_RUN.findall(new):
        at, loose = 0, False
        while at < len(run):
            step = next(
                (n for n in range(min(longest, len(run) - at), 1, -1) if run[at : at + n] in known), 0
            )
            if not step:
                step = 2 if run[at : at + 2] in source and at + 2 <= len(run) else 0
                while step and at + step < len(run) and run[at : at + step + 1] in source:
                    step += 1
            if not step:
                step = 1
                # A single character between two pieces is a boundary; two in a row are a word of their own.
                bordered = run[at] in _PHRASES["single"].words("zh") or (run[at] in source and not loose)
                if not bordered:
                    out.append(run[at])
            loose = step == 1
            at += step
    return out


def surface_only(
    reference: Report,
    perturbed: Report,
    attack: TextRevision,
    *,
    least: float,
    most: float,
    substitutes: re.Pattern[str] | None = None,
) -> str | None:
    """Return why an attack does not count as a surface attack, or None if it does.

    Args:
        reference: Report before the attack.
        perturbed: Report after the attack.
        attack: Edits of the attack.
        least: Least growth of the report, as a share of its length: 0.15 is 15 %.
        most: Greatest growth of the report, as a share of its length.
        substitutes: Pattern of words that the attack may drop, such as hedges or connectives; None if it may drop none.
    """
    if reference.source == perturbed.source:
        return "nothing was changed"
    growth = len(perturbed.source) / max(1, len(reference.source)) - 1
    if not least <= growth <= most:
        return f"the text grew by {growth:+.1%}; {least:.0%} to {most:.0%} is this attack"
    if marks(perturbed.source) != marks(reference.source):
        return "citations or addresses differ"
    known = set(numbers(reference.source))
    added_terms = 0
    foreign: list[str] = []
    for edit in attack.edits:
        old = reference.source[edit.start : edit.end]
        if new := set(numbers(_LABEL.sub(" ", edit.text))) - known:
            return f"a new number: {min(new)}"
        added_terms += len(content_terms(edit.text) - content_terms(old))
        foreign += foreign_terms(reference, old, edit.text)
        if old.strip() and (problem := _lost(old, edit.text, substitutes)):
            return problem
    if len(foreign) > added_terms // _TOLERATED:
        return f"new matter: {', '.join(foreign[:5])}"
    return None


def _lost(old: str, new: str, substitutes: re.Pattern[str] | None) -> str | None:
    """Return which content of ``old`` is missing or out of order in ``new``, or None if all of it is there in order."""
    pieces = [content_terms(piece) for piece in _SENTENCE.split(new) if piece]
    whole = content_terms(new)
    at = 0
    for sentence in _SENTENCE.split(old):
        terms = content_terms(substitutes.sub(" ", sentence) if substitutes else sentence)
        if not terms:
            continue
        if len(terms & whole) < 0.85 * len(terms):
            return f"content is gone: {', '.join(sorted(terms - whole)[:4])}"
        if len(terms) >= 4:
            found = next(
                (i for i in range(at, len(pieces)) if len(terms & pieces[i]) >= 0.6 * len(terms)), None
            )
            if found is None and any(len(terms & piece) >= 0.6 * len(terms) for piece in pieces):
                return "the order of the claims differs"
            at = found if found is not None else at
    return None
