"""Conversions of cells that several formats share."""

from __future__ import annotations

import hashlib
from typing import Any

from assay.decoding import kind_of
from assay.errors import InputError
from assay.judges.judgment import Preference
from assay.meta.labels.loaders.base import ConvertedRow, LabelledText, Row, RowContext
from assay.meta.labels.record import Label


def folded(row: Row) -> Row:
    """Return the row with keys in lower case and underscores: ``Problem ID`` becomes ``problem_id``."""
    return {"_".join(str(key).replace("-", " ").casefold().split()): value for key, value in row.items()}


def first(row: Row, *names: str) -> Any:
    """Return the first of several fields that is present and not empty."""
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def short(value: Any) -> str | None:
    """Return a short plain value as text, for strata and ids; None for other values."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = " ".join(str(value).split())
    return text if 0 < len(text) <= 200 else None


def speech(value: Any, name: str, where: str) -> str:
    """Return a text, or the contents of a list of messages, marked by role if there are several.

    Raises:
        InputError: The value is neither text nor messages.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and isinstance(value.get("content"), str):
        return str(value["content"])
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        parts = [
            (str(item.get("role", "")), item["content"])
            for item in value
            if isinstance(item.get("content"), str)
        ]
        if len(parts) == 1:
            return str(parts[0][1])
        if parts:
            return "\n\n".join(f"{role or 'user'}: {content}" for role, content in parts)
    raise InputError(f"{name} is {kind_of(value)}; it must be text, or messages", where=where)


def text_of(value: Any, name: str, where: str) -> str:
    """Return a text, or raise `InputError` if it is empty."""
    text = speech(value, name, where)
    if not text.strip():
        raise InputError(f"{name} is empty", where=where)
    return text


def pair(
    context: RowContext,
    *,
    id: str,  # noqa: A002 - the row's own word
    query: str | None,
    texts: tuple[str, str],
    preference: Preference,
    rater: str,
    task: str | None = None,
    strata: dict[str, str] | None = None,
    shuffle: bool = False,
) -> ConvertedRow:
    """Return the label and the texts of a pair.

    Args:
        context: Place of the row.
        id: Id of the pair.
        query: Query of both texts.
        texts: A and B.
        preference: Preference between A and B.
        rater: Name of the rater.
        task: Task of the pair; None for its id.
        strata: Further properties.
        shuffle: Whether a hash decides the order of A and B; needed for formats that list the better text first.
    """
    if (
        shuffle
        and hashlib.blake2b(f"{id}\0{texts[0]}\0{texts[1]}".encode("utf-8", "replace")).digest()[0] & 1
    ):
        texts = texts[1], texts[0]
        swapped: dict[Preference, Preference] = {"A>B": "A<B", "A<B": "A>B"}
        preference = swapped.get(preference, preference)
    names = f"{id}:A", f"{id}:B"
    if any(" | " in name for name in names):
        raise InputError(
            f"the id {id!r} contains ' | ', which separates the two names of a pair", where=context.where
        )
    label = Label(
        subject=" | ".join(names), rater=rater, preference=preference, task=task or id, strata=strata or {}
    )
    labelled = [
        LabelledText(name=name, id=id, system=system, report=text, query=query)
        for name, system, text in zip(names, "AB", texts, strict=True)
    ]
    return ConvertedRow((label,), tuple(labelled))
