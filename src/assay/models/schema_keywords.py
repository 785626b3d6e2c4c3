"""Keywords of a JSON schema: whether it has some, and the schema without them.

Strict modes of hosted endpoints know a part of JSON Schema only and refuse a schema that holds more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def has_keyword(schema: Any, words: Collection[str]) -> bool:
    """Whether one of the words is a keyword anywhere in the schema."""
    return schema is not None and without_keywords(schema, words) is not schema


def without_keywords(schema: Any, words: Collection[str]) -> Any:
    """The schema without these keywords; the same object where it has none of them.

    A property may be called like a keyword; it stays.
    """
    if not words or not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Any] = {}
    changed = False
    for key, value in schema.items():
        if key in words:
            changed = True
            continue
        if key == "properties" and isinstance(value, Mapping):
            new: Any = {name: without_keywords(part, words) for name, part in value.items()}
            same = all(new[name] is part for name, part in value.items())
        else:
            new = without_keywords(value, words) if key == "items" else value
            same = new is value
        changed = changed or not same
        kept[key] = value if same else new
    return kept if changed else schema
