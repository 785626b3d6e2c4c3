"""Room in a reply: a schema with its texts bounded so that what it allows can be written within ``max_tokens``.

A small model rambles until something stops it. Where a server holds it to the schema, the longest text is that something;
but a reply cut off in the middle of one is no verdict, and the calls it took are lost. So all texts together get the
room there is, each its share. Keys and marks are reckoned apart: they are no prose, and a model may put each on a line.

How many characters go into a token is only known afterwards. The first time it is reckoned as for prose, and of a list
of objects only those that there must be: how many a report gives is not for its reader to say. A model that was cut off
all the same is asked again with room reckoned as for a loop of figures or marks, and with every list as long as it may be.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

# Characters a token, of prose as models write it, on the low side: English has 4.5 on average, Chinese about one.
_PER_TOKEN: Final[Mapping[str, float]] = {"en": 3.0, "zh": 0.8}
# The same of the worst: figures take a token each, line breaks and rare characters two or three.
_PER_TOKEN_LOOPING: Final[Mapping[str, float]] = {"en": 0.5, "zh": 0.3}
# Of keys, marks and answers on offer, with a line for each: from 1.85 (SmolLM2, entries of the grader) to 2.8.
_PER_TOKEN_FRAME: Final = 1.8
# A text shorter than this says nothing; rather fewer items of a list.
_LEAST: Final = 60
# The same in tokens, where a model that loops is asked again.
_LEAST_LOOPING: Final = 40
# Numbers in a list, where a model that loops is asked again.
_NUMBERS_LOOPING: Final = 3
# Between two items of a list: quotation marks, a comma, white space. In characters of frame, and as many of prose.
_BETWEEN: Final = 4
_BETWEEN_TEXTS: Final = 6


def fit_schema(
    schema: dict[str, Any], max_tokens: int | None, language: str = "en", *, looping: bool = False
) -> dict[str, Any]:
    """The schema, with the lengths of its texts cut in proportion where all of them could not be written.

    Args:
        schema: Of the reply. What has no ``maxLength`` is left alone.
        max_tokens: Most tokens of the reply; None: any number.
        language: Which the texts are in.
        looping: Whether the model has been cut off before. Then lists of objects are cut too.
    """
    if max_tokens is None:
        return schema
    density = (_PER_TOKEN_LOOPING if looping else _PER_TOKEN)["zh" if language == "zh" else "en"]
    if looping:
        schema = _fewer(schema, max_tokens, density)
    free = _free(schema, most=looping)
    if not free:
        return schema
    room = (max_tokens - _frame(schema, most=looping) / _PER_TOKEN_FRAME) * density
    return schema if free <= room else _cut(schema, max(room, 0.0) / free)


def _fewer(schema: dict[str, Any], max_tokens: int, density: float) -> dict[str, Any]:
    """The schema with lists so short that beside all else there is room for something in each text."""

    def taken(form: Mapping[str, Any]) -> float:
        return _frame(form, most=True) / _PER_TOKEN_FRAME + _least(form, density)

    if taken(schema) <= max_tokens:
        return schema
    schema = _shorter(schema, None)
    all_of_it = taken(schema)
    return schema if all_of_it <= max_tokens else _shorter(schema, max_tokens / all_of_it)


def _shorter(schema: dict[str, Any], share: float | None) -> dict[str, Any]:
    """Lists of objects cut to a share; with None, lists of numbers cut to a few. Never below ``minItems``."""
    kind = schema.get("type")
    if kind == "object":
        parts = {key: _shorter(part, share) for key, part in schema["properties"].items()}
        return {**schema, "properties": parts}
    if kind != "array" or "maxItems" not in schema:
        return schema
    items, most = schema["items"], schema["maxItems"]
    if items.get("type") == "object":
        cut = most if share is None else int(most * share)
        items = _shorter(items, share) if share is None else items
    elif share is None and items.get("type") in ("integer", "number"):
        cut = _NUMBERS_LOOPING
    else:
        return schema
    return {**schema, "items": items, "maxItems": min(most, max(1, schema.get("minItems", 0), cut))}


def _least(schema: Mapping[str, Any], density: float) -> float:
    """Tokens of all its texts, if each says as little as something."""
    kind = schema.get("type")
    if kind == "object":
        return sum(_least(part, density) for part in schema["properties"].values())
    if kind == "array":
        # Of a list of texts one is enough.
        count = 1 if schema["items"].get("type") == "string" else schema.get("maxItems", 1)
        return int(count) * _least(schema["items"], density)
    return min(float(_LEAST_LOOPING), int(schema.get("maxLength", 0)) / density)


def _free(schema: Mapping[str, Any], *, most: bool = True) -> int:
    """Most characters of all its texts.

    Args:
        schema: Of the reply.
        most: Whether lists of objects are as long as they may be, and not as long as they must.
    """
    kind = schema.get("type")
    if kind == "object":
        return sum(_free(part, most=most) for part in schema["properties"].values())
    if kind == "array":
        each = _free(schema["items"], most=most)
        if not each or "maxItems" not in schema:
            return 0
        must = not most and schema["items"].get("type") == "object"
        return (each + _BETWEEN_TEXTS) * int(schema.get("minItems", 0) if must else schema["maxItems"])
    return int(schema.get("maxLength", 0))


def _frame(schema: Mapping[str, Any], *, most: bool = False) -> int:
    """Characters of all that is not such a text: keys, marks, the longest of the answers on offer.

    Args:
        schema: Of the reply.
        most: Whether lists of objects with texts are as long as they may be, and not as long as they must.
    """
    kind = schema.get("type")
    if kind == "object":
        return 2 + sum(len(key) + 6 + _frame(part, most=most) for key, part in schema["properties"].items())
    if kind == "array":
        items = schema["items"]
        count = int(schema.get("maxItems", 1))
        if not _free(items):
            return 2 + (_frame(items, most=most) + _BETWEEN) * count
        if items.get("type") != "object":
            return 2
        return 2 + _frame(items, most=most) * (count if most else min(count, schema.get("minItems", 0)))
    if "enum" in schema:
        return max(len(json.dumps(item, ensure_ascii=False)) for item in schema["enum"])
    # A share is written with as many digits as a model likes.
    return 12 if kind == "number" else 6


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
        count = max(
            1, schema.get("minItems", 0), min(schema["maxItems"], int(room / (_LEAST + _BETWEEN_TEXTS)))
        )
        length = max(1, min(items["maxLength"], int(room / count) - _BETWEEN_TEXTS))
        return {**schema, "maxItems": count, "items": {**items, "maxLength": length}}
    if "maxLength" in schema and "enum" not in schema:
        return {**schema, "maxLength": max(1, int(schema["maxLength"] * share))}
    return schema
