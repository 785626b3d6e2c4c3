"""The difference that a revision makes: the sentences before and after, with their numbers, citations and terms."""

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
    """The change that a revision makes.

    Attributes:
        before: The whole sentences that the edits touch, as they were.
        after: The same sentences after the edits.
        removed: Exactly the text that was removed.
        added: Exactly the text that was added.
    """

    before: str
    after: str
    removed: str
    added: str


def revision_diff(reference: Report, perturbed: Report, revision: TextRevision) -> RevisionDiff:
    """Return the change that a revision makes, from its first edit to its last."""
    start, end = revision.edits[0].start, revision.edits[-1].end
    site = sentence_site(reference, start, end)
    low, high = min(site.start or 0, start), max(site.end or 0, end)
    grown = len(perturbed.source) - len(reference.source)
    removed, added = reference.source[start:end], perturbed.source[start : end + grown]
    return RevisionDiff(reference.source[low:high], perturbed.source[low : high + grown], removed, added)


def numbers(text: str) -> Counter[str]:
    """Count the numbers of a text, except those in citation marks and addresses."""
    return Counter(match.group().rstrip(".,") for match in _NUMBER.finditer(_CITED.sub(" ", text)))


def marks(text: str) -> Counter[str]:
    """Count the citation marks and addresses of a text."""
    return Counter(match.group() for match in _CITED.finditer(text))


def shared_terms(before: str, after: str) -> float:
    """Return the share of the content terms of ``before`` that occur in ``after``; 1.0 if there are none."""
    terms = content_terms(_CITED.sub(" ", before))
    return len(terms & content_terms(after)) / len(terms) if terms else 1.0


def single_edit(diff: RevisionDiff, *, longest: int = 2_500) -> str | None:
    """Return why a change is not one small edit, or None if it is one."""
    if diff.before == diff.after:
        return "nothing was changed"
    if max(len(diff.before), len(diff.after)) > longest:
        return f"the edit reaches over more than {longest} characters"
    return None


def untouched_facts(diff: RevisionDiff, *, may_drop: bool = False) -> str | None:
    """Return which number or citation a change added or removed, or None if it left them all as they were.

    Args:
        diff: The change.
        may_drop: Whether the change may remove some; new ones are refused in any case.
    """
    for what, read in (("number", numbers), ("citation", marks)):
        before, after = read(diff.before), read(diff.after)
        if new := after - before:
            return f"a new {what}: {next(iter(new))}"
        if not may_drop and (gone := before - after):
            return f"a {what} is gone: {next(iter(gone))}"
    return None
