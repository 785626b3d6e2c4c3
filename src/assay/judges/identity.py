"""What a subject is to a judgment: its name, its content's hash, its question, its language."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from assay.text.language import detect_language

if TYPE_CHECKING:
    from assay.strategies.base import Mode
    from assay.subjects.subject import Subject


_ENCODER: Final = msgspec.json.Encoder()


def query_of(subjects: Sequence[Subject], given: str | None) -> str | None:
    """The question all of them answer: the one given, or the first that one of them carries."""
    return given or next((item.query for item in subjects if item.query), None)


@lru_cache(maxsize=1024)
def _text_digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def address_of(
    mode: Mode, subjects: Sequence[Subject], *, query: str | None = None, reference: str | None = None
) -> bytes:
    """Hash of what is judged and beside what: subjects by name and content, the question, the reference."""
    named = [(name_of(item), digest_of(item)) for item in subjects]
    told = [None if text is None else _text_digest(text) for text in (query_of(subjects, query), reference)]
    return hashlib.blake2b(_ENCODER.encode((mode, named, told)), digest_size=16).digest()


def name_of(subject: Subject, default: str = "subject") -> str:
    """What a subject is called in results."""
    return subject.path or subject.id or default


def digest_of(subject: Subject) -> str:
    """Hash of a subject's content, 32 hex digits."""
    memo: dict[Any, Any] = subject.memo
    key = "assay.judges.digest"
    if key not in memo:
        data = subject.source.encode("utf-8", "surrogatepass")
        memo[key] = hashlib.blake2b(data, digest_size=16).hexdigest()
    found: str = memo[key]
    return found


def language_of(subject: Subject) -> Literal["en", "zh"]:
    """The language to ask about a subject in."""
    memo: dict[Any, Any] = subject.memo
    key = "assay.judges.language"
    if key not in memo:
        # By the source and not by its plain view: no more of a report is parsed than judging it takes.
        memo[key] = "zh" if detect_language(subject.source) == "zh" else "en"
    found: Literal["en", "zh"] = memo[key]
    return found
