"""What every judge must beat: the longer one wins; a coin that always falls the same way for the same pair."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.subjects.subject import Subject


def length_score(subject: Subject) -> float:
    """How many words it has."""
    return float(subject.words)


def random_score(subject: Subject, *, seed: int = 0) -> float:
    """A number from 0 to 1, fixed by the text and the seed."""
    return _digest(subject, seed)


def length_margin(a: Subject, b: Subject) -> float:
    """Positive when A has more words, relative to the longer: -1 to 1."""
    left, right = a.words, b.words
    return (left - right) / max(left, right, 1)


def random_margin(a: Subject, b: Subject, *, seed: int = 0) -> float:
    """A coin toss between -1 and 1, fixed by the two texts and the seed, and opposite when they are exchanged."""
    one, two = _digest(a, seed), _digest(b, seed)
    return 0.0 if one == two else (one - two)


def _digest(subject: Subject, seed: int) -> float:
    digest = hashlib.blake2b(
        f"{seed}\n{subject.source}".encode("utf-8", "surrogatepass"), digest_size=8
    ).digest()
    return int.from_bytes(digest, "big") / 2**64
