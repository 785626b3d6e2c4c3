"""Small readings that several formats share."""

from __future__ import annotations

import hashlib
from typing import Any

from assay.decoding import kind_of
from assay.errors import InputError
from assay.judges.judgment import Preference
from assay.meta.labels.loaders.base import ConvertedRow, LabelledText, Row, RowContext
from assay.meta.labels.record import Label


def folded(row: Row) -> Row:
    """The row with its keys in lower case and underscores, so that ``Problem ID`` is ``problem_id``."""
    return {"_".join(str(key).replace("-", " ").casefold().split()): value for key, value in row.items()}


def first(row: Row, *names: str) -> Any:
    """The first of several fields that is there and not empty."""
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def short(value: Any) -> str | None:
    """A value as the name of a stratum or an id; None for what is no short plain value."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = " ".join(str(value).split())
    return text if 0 < len(text) <= 200 else None


def speech(value: Any, name: str, where: str) -> str:
    """A text, or the contents of a list of messages, those of the speaker marked where there are several.

    Raises:
        InputError: It is neither.
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
    """LabelledText that is not empty. Raises InputError where it is."""
    text = speech(value, name, where)
    if not text.strip():
        raise InputError(f"{name} is empty", where=where)
    return text


def pair(
    place: RowContext,
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
    """A pair and what is said of it.

    Args:
        place: Where it stands.
        id: Of the pair.
        query: What both answer.
        texts: A and B.
        preference: In their terms.
        rater: Who said so.
        task: What the pair belongs to.
        strata: Further properties.
        shuffle: Whether to exchange A and B by the toss of a hash: in formats that list the better one first its place
            would give it away.
    """
    if (
        shuffle
        and hashlib.blake2b(f"{id}\0{texts[0]}\0{texts[1]}".encode("utf-8", "replace")).digest()[0] & 1
    ):
        texts = texts[1], texts[0]
        turned: dict[Preference, Preference] = {"A>B": "A<B", "A<B": "A>B"}
        preference = turned.get(preference, preference)
    names = f"{id}:A", f"{id}:B"
    if any(" | " in name for name in names):
        raise InputError(f"the id {id!r} holds ' | ', which parts the two names of a pair", where=place.where)
    label = Label(
        subject=" | ".join(names), rater=rater, preference=preference, task=task or id, strata=strata or {}
    )
    made = [
        LabelledText(name=name, id=id, system=system, report=text, query=query)
        for name, system, text in zip(names, "AB", texts, strict=True)
    ]
    return ConvertedRow((label,), tuple(made))
