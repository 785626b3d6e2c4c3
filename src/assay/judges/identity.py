"""Names, content hashes and language of subjects and cases."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.text.language import detect_language

if TYPE_CHECKING:
    from assay.subjects.case import Case
    from assay.subjects.subject import Subject


_ENCODER: Final = msgspec.json.Encoder()


def query_of(subjects: Sequence[Subject], given: str | None) -> str | None:
    """Return the question that all subjects answer: the given one, or the first that a subject carries."""
    return given or next((item.query for item in subjects if item.query), None)


@lru_cache(maxsize=1024)
def _text_digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def address_of(case: Case) -> bytes:
    """Return a hash of a case: mode, names and contents of the subjects, question, reference."""
    named = [(name_of(item), digest_of(item)) for item in case.subjects]
    texts = [None if text is None else _text_digest(text) for text in (case.query, case.reference)]
    return hashlib.blake2b(_ENCODER.encode((case.mode, named, texts)), digest_size=16).digest()


def key_of(version: str, case: Case, repetition: int, address: bytes | None = None) -> str:
    """Return the content address of a judgment: a hash of judge, case and repetition, 32 hex digits."""
    digest = hashlib.blake2b(address_of(case) if address is None else address, digest_size=16)
    digest.update(version.encode())
    digest.update(b"%d" % repetition)
    return digest.hexdigest()


def metadata_of(case: Case) -> dict[str, Any]:
    """Return the columns that join a judgment to other tables: id and system of each subject, and the case's own."""
    metadata: dict[str, Any] = {}
    for number, subject in enumerate(case.subjects):
        side = {"score": "", "compare": ("_a", "_b")[number % 2]}.get(case.mode, f"_{number + 1}")
        if subject.id is not None:
            metadata[f"id{side}"] = subject.id
        if subject.system is not None:
            metadata[f"system{side}"] = subject.system
    metadata.update(case.metadata)
    return metadata


def name_of(subject: Subject, default: str = "subject") -> str:
    """Return the name of a subject in results."""
    return subject.path or subject.id or default


def label_of(subject: Subject, default: str = "subject") -> str:
    """Return what to call a subject where people read it: ``id · system`` as far as it has them, otherwise its name.

    `name_of`, by which results are joined, stays the path with the row.
    """
    return " · ".join(part for part in (subject.id, subject.system) if part) or name_of(subject, default)


def digest_of(subject: Subject) -> str:
    """Return the hash of a subject's content, 32 hex digits."""
    memo: dict[Any, Any] = subject.memo
    key = "assay.judges.digest"
    if key not in memo:
        data = subject.source.encode("utf-8", "surrogatepass")
        memo[key] = hashlib.blake2b(data, digest_size=16).hexdigest()
    digest: str = memo[key]
    return digest


def language_of(subject: Subject) -> Literal["en", "zh"]:
    """Return the language of prompts about a subject."""
    memo: dict[Any, Any] = subject.memo
    key = "assay.judges.language"
    if key not in memo:
        # Detected from the source, not from its plain view, which would parse the report.
        memo[key] = "zh" if detect_language(subject.source) == "zh" else "en"
    language: Literal["en", "zh"] = memo[key]
    return language
