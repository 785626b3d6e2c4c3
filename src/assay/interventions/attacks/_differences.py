"""What a revision did to a text, as a check can see it: the sentences before and after, their numbers, marks and terms."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.applying import sentence_site
from assay.text.words import content_terms

if TYPE_CHECKING:
    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_CITED: Final = re.compile(
    r"\[\^?\d{1,3}(?:\s?[,，–-]\s?\^?\d{1,3})*\]|【\d[^】\n]{0,60}】|https?://[^\s)\]>]+"
)


class RevisionDiff(msgspec.Struct, frozen=True):
    """The sentences an edit touches, whole, before and after; and what was taken out and put in, to the character."""

    before: str
    after: str
    removed: str
    added: str


def revision_diff(reference: Report, perturbed: Report, revision: TextRevision) -> RevisionDiff:
    """What a revision did, from its first edit to its last."""
    start, end = revision.edits[0].start, revision.edits[-1].end
    site = sentence_site(reference, start, end)
    low, high = min(site.start or 0, start), max(site.end or 0, end)
    grown = len(perturbed.source) - len(reference.source)
    removed, added = reference.source[start:end], perturbed.source[start : end + grown]
    return RevisionDiff(reference.source[low:high], perturbed.source[low : high + grown], removed, added)


def numbers(text: str) -> Counter[str]:
    """Numbers of a text, without those of citation marks and addresses."""
    return Counter(match.group().rstrip(".,") for match in _NUMBER.finditer(_CITED.sub(" ", text)))


def marks(text: str) -> Counter[str]:
    """Citation marks and addresses of a text."""
    return Counter(match.group() for match in _CITED.finditer(text))


def shared_terms(before: str, after: str) -> float:
    """Which share of the content terms of ``before`` stands in ``after``; 1.0 where there are none."""
    terms = content_terms(_CITED.sub(" ", before))
    return len(terms & content_terms(after)) / len(terms) if terms else 1.0


def single_edit(found: RevisionDiff, *, longest: int = 2_500) -> str | None:
    """Why a change is no single small edit; None where it is."""
    if found.before == found.after:
        return "nothing was changed"
    if max(len(found.before), len(found.after)) > longest:
        return f"the edit reaches over more than {longest} characters"
    return None


def untouched_facts(found: RevisionDiff, *, may_drop: bool = False) -> str | None:
    """Why numbers and citations are not what they were; None where they are.

    Args:
        found: The change.
        may_drop: Whether some may be missing; none may be new either way.
    """
    for what, read in (("number", numbers), ("citation", marks)):
        before, after = read(found.before), read(found.after)
        if new := after - before:
            return f"a new {what}: {next(iter(new))}"
        if not may_drop and (gone := before - after):
            return f"a {what} is gone: {next(iter(gone))}"
    return None
