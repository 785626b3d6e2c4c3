"""Baselines that every judge must beat: length, and a coin toss that is fixed for each pair."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.subjects.subject import Subject


def length_score(subject: Subject) -> float:
    """Return the number of words."""
    return float(subject.words)


def random_score(subject: Subject, *, seed: int = 0) -> float:
    """Return a number from 0 to 1, determined by text and seed."""
    return _digest(subject, seed)


def length_margin(a: Subject, b: Subject) -> float:
    """Return the difference in words relative to the longer subject, -1 to 1; positive if A is longer."""
    left, right = a.words, b.words
    return (left - right) / max(left, right, 1)


def random_margin(a: Subject, b: Subject, *, seed: int = 0) -> float:
    """Return a coin toss between -1 and 1, determined by texts and seed; exchanging the subjects reverses its sign."""
    one, two = _digest(a, seed), _digest(b, seed)
    return 0.0 if one == two else (one - two)


def _digest(subject: Subject, seed: int) -> float:
    digest = hashlib.blake2b(
        f"{seed}\n{subject.source}".encode("utf-8", "surrogatepass"), digest_size=8
    ).digest()
    return int.from_bytes(digest, "big") / 2**64
