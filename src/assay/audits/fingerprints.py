"""Fingerprints of findings, by which a finding is recognised in a later audit, wherever its text has moved to."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.checks.base import Finding
    from assay.subjects.subject import Subject

# A longer span is a section or a whole report, which changes at its end without becoming another place.
_WORDS: Final = 160


def fingerprints(subject: Subject, findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return a fingerprint for each finding: hash of its code and the words it flags, and a running number.

    The words are the first 160 characters of the span with white space folded. Lines and offsets do not enter, so
    a finding whose text moved keeps its fingerprint; the same words flagged twice by one check are told apart by
    the number.
    """
    seen: Counter[str] = Counter()
    out: list[str] = []
    for finding in findings:
        start = finding.span.start
        words = " ".join(subject.source[start : min(finding.span.end, start + 4 * _WORDS)].split())[:_WORDS]
        digest = hashlib.sha256(f"{finding.code}\0{words}".encode("utf-8", "replace")).hexdigest()[:24]
        seen[digest] += 1
        out.append(f"{digest}:{seen[digest]}")
    return tuple(out)
