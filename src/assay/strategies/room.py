"""Room in a reply: a schema with its texts bounded so that what it allows can be written within ``max_tokens``.

A small model rambles until something stops it. Where a server holds it to the schema, the longest text is that something;
but a reply cut off in the middle of one is no verdict, and the calls it took are lost. So all texts together get the
room there is, each its share.

How many characters go into a token is only known afterwards. The first time it is reckoned as for prose; a model that
fell into a loop of figures or marks and was cut off all the same is asked again with room reckoned as for those.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["fitted"]

# Characters a token, of prose as models write it, on the low side: English has 4.5 on average, Chinese about one.
_PER_TOKEN: Final[Mapping[str, float]] = {"en": 3.0, "zh": 0.8}
# The same of the worst: figures take a token each, line breaks and rare characters two or three.
_PER_TOKEN_LOOPING: Final[Mapping[str, float]] = {"en": 0.5, "zh": 0.3}
# A text shorter than this says nothing; rather fewer items of a list.
_LEAST: Final = 60
# Between two items of a list: quotation marks, a comma, white space.
_BETWEEN: Final = 4


def fitted(
    schema: dict[str, Any], max_tokens: int | None, language: str = "en", *, looping: bool = False
) -> dict[str, Any]:
    """The schema, with the lengths of its texts cut in proportion where all of them could not be written.

    Args:
        schema: Of the reply. What has no ``maxLength`` is left alone.
        max_tokens: Most tokens of the reply; None: any number.
        language: Which the texts are in.
        looping: Whether the model has been cut off before.
    """
    if max_tokens is None:
        return schema
    free = _free(schema)
    if not free:
        return schema
    density = (_PER_TOKEN_LOOPING if looping else _PER_TOKEN)["zh" if language == "zh" else "en"]
    room = max_tokens * density - _frame(schema)
    return schema if free <= room else _cut(schema, max(room, 0.0) / free)


def _free(schema: Mapping[str, Any]) -> int:
    """Most characters of all its texts."""
    kind = schema.get("type")
    if kind == "object":
        return sum(_free(part) for part in schema["properties"].values())
    if kind == "array":
        each = _free(schema["items"])
        return (each + _BETWEEN) * schema["maxItems"] if each and "maxItems" in schema else 0
    return int(schema.get("maxLength", 0))


def _frame(schema: Mapping[str, Any]) -> int:
    """Characters of all that is not such a text: keys, marks, the longest of the answers on offer."""
    kind = schema.get("type")
    if kind == "object":
        return 2 + sum(len(key) + 6 + _frame(part) for key, part in schema["properties"].items())
    if kind == "array":
        each = 0 if _free(schema["items"]) else _frame(schema["items"]) + _BETWEEN
        return 2 + each * int(schema.get("maxItems", 1))
    if "enum" in schema:
        return max(len(json.dumps(item, ensure_ascii=False)) for item in schema["enum"])
    return 6


def _cut(schema: dict[str, Any], share: float) -> dict[str, Any]:
    kind = schema.get("type")
    if kind == "object":
        parts = {key: _cut(part, share) for key, part in schema["properties"].items()}
        return {**schema, "properties": parts}
    if kind == "array" and _free(schema):
        items = schema["items"]
        if items.get("type") != "string":
            return {**schema, "items": _cut(items, share)}
        room = _free(schema) * share
        count = max(1, schema.get("minItems", 0), min(schema["maxItems"], int(room / (_LEAST + _BETWEEN))))
        length = max(1, min(items["maxLength"], int(room / count) - _BETWEEN))
        return {**schema, "maxItems": count, "items": {**items, "maxLength": length}}
    if "maxLength" in schema and "enum" not in schema:
        return {**schema, "maxLength": max(1, int(schema["maxLength"] * share))}
    return schema
