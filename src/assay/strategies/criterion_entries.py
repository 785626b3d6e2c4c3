"""What a reply writes on each criterion besides its verdict, if each has an entry of its own (`Strategy.each`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from assay.strategies.answer_form import AnswerForm
from assay.strategies.base import ConfidenceField, Field
from assay.strategies.rationale import passages_of, reasons, storable, texts_of

# The field whose texts are `Detail.missing`.
MISSING: Final = "missing"
# Most quotes, and most missing things, that are kept of one entry.
_MOST: Final = 20


class CriterionEntry(msgspec.Struct, frozen=True):
    """What a reply writes on one criterion. ``quotes`` are texts, each with where it should stand."""

    rationale: str = ""
    confidence: float | None = None
    quotes: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()


def values_of(value: Mapping[str, Any], form: AnswerForm) -> list[Mapping[str, Any]]:
    """Return the objects that hold the fields: the entries, or the object itself."""
    if not form.entries:
        return [value]
    scores = value.get("scores")
    entries = scores.values() if isinstance(scores, Mapping) else ()
    return [entry for entry in entries if isinstance(entry, Mapping)]


def entries_of(value: Mapping[str, Any], form: AnswerForm) -> dict[str, CriterionEntry]:
    """Return what a reply writes on each criterion, by key; criteria without an entry are left out."""
    if not form.each:
        return {}
    if not form.entries:
        return {key: _entry(value, form) for key in form.scales}
    scores = value.get("scores")
    if not isinstance(scores, Mapping):
        return {}
    return {key: _entry(item, form) for key in form.scales if isinstance(item := scores.get(key), Mapping)}


def merged_reasons(entries: Mapping[str, CriterionEntry]) -> str:
    """Join the reasons of all entries."""
    return "\n".join(f"{key}: {entry.rationale}" for key, entry in entries.items() if entry.rationale)


def quotes_of(value: Mapping[str, Any], form: AnswerForm) -> list[tuple[str, str]]:
    """Return the quotes in an object, each with where it should stand."""
    return [
        (storable(text.strip()), field.quotes)
        for field in form.fields
        if field.quotes is not None
        for text in passages_of(value.get(field.key))
        if text.strip()
    ]


def _entry(value: Mapping[str, Any], form: AnswerForm) -> CriterionEntry:
    plain = tuple(field for field in form.fields if _is_reason(field))
    reasons_only = msgspec.structs.replace(form, fields=plain)
    named = {field.key: value[field.key] for field in plain if field.key in value}
    return CriterionEntry(
        rationale=reasons(named, reasons_only),
        confidence=form.confidence(value),
        quotes=tuple(quotes_of(value, form)[:_MOST]),
        missing=tuple(storable(text.strip()) for text in texts_of(value.get(MISSING))[:_MOST]),
    )


def _is_reason(field: Field) -> bool:
    return field.quotes is None and field.key != MISSING and not isinstance(field, ConfidenceField)
