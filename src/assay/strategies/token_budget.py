"""Token budget of a reply: a schema whose texts are short enough to be written within ``max_tokens``.

A small model rambles until something stops it. If a server enforces the schema, the length limit of a text does.
But a reply that is cut off within a text has no verdict, and its calls are lost. So all texts share the budget, in
proportion to their limits. Keys and marks are counted apart: they are not prose, and a model may put each on a
line.

How many characters fit into a token is only known afterwards. The first estimate is that of prose, and lists of
objects are counted with their fewest items, because the report decides how many there are. A model that is cut off
all the same is asked again with the estimate for a loop of figures or marks, and with every list at its full
length.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

# Characters per token in prose, on the low side: English has 4.5 on average, Chinese about one.
_PER_TOKEN: Final[Mapping[str, float]] = {"en": 3.0, "zh": 0.8}
# The same in the worst case: a figure takes a token, a line break or a rare character two or three.
_PER_TOKEN_LOOPING: Final[Mapping[str, float]] = {"en": 0.5, "zh": 0.3}
# The same for keys, marks and labels, each on its own line: from 1.85 (SmolLM2, entries of the grader) to 2.8.
_PER_TOKEN_FRAME: Final = 1.8
# A shorter text says nothing: a list gets fewer items instead.
_LEAST: Final = 60
# The same in tokens, if a model that looped is asked again.
_LEAST_LOOPING: Final = 40
# Numbers in a list, if a model that looped is asked again.
_NUMBERS_LOOPING: Final = 3
# Characters between two items of a list: quotation marks, a comma, white space; beside numbers, and beside texts.
_BETWEEN: Final = 4
_BETWEEN_TEXTS: Final = 6


def fit_schema(
    schema: dict[str, Any], max_tokens: int | None, language: str = "en", *, looping: bool = False
) -> dict[str, Any]:
    """Return the schema with text lengths cut in proportion, if its texts do not fit into the reply.

    Args:
        schema: Schema of the reply. Texts without ``maxLength`` stay as they are.
        max_tokens: Most tokens of the reply; None for any number.
        language: Language of the texts.
        looping: Whether the model was cut off before; lists of objects are then cut too.
    """
    if max_tokens is None:
        return schema
    density = (_PER_TOKEN_LOOPING if looping else _PER_TOKEN)["zh" if language == "zh" else "en"]
    if looping:
        schema = _fewer(schema, max_tokens, density)
    free = _free(schema, most=looping)
    if not free:
        return schema
    budget = (max_tokens - _frame(schema, most=looping) / _PER_TOKEN_FRAME) * density
    return schema if free <= budget else _cut(schema, max(budget, 0.0) / free)


def _fewer(schema: dict[str, Any], max_tokens: int, density: float) -> dict[str, Any]:
    """Return the schema with lists short enough to leave something for each text."""

    def least_tokens(form: Mapping[str, Any]) -> float:
        return _frame(form, most=True) / _PER_TOKEN_FRAME + _least(form, density)

    if least_tokens(schema) <= max_tokens:
        return schema
    schema = _shorter(schema, None)
    needed = least_tokens(schema)
    return schema if needed <= max_tokens else _shorter(schema, max_tokens / needed)


def _shorter(schema: dict[str, Any], share: float | None) -> dict[str, Any]:
    """Return the schema with lists of objects cut to a share, or with None, lists of numbers cut to a few."""
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
    """Return the tokens that all texts take if each is as short as is useful."""
    kind = schema.get("type")
    if kind == "object":
        return sum(_least(part, density) for part in schema["properties"].values())
    if kind == "array":
        # One text of a list is enough.
        count = 1 if schema["items"].get("type") == "string" else schema.get("maxItems", 1)
        return int(count) * _least(schema["items"], density)
    return min(float(_LEAST_LOOPING), int(schema.get("maxLength", 0)) / density)


def _free(schema: Mapping[str, Any], *, most: bool = True) -> int:
    """Return the most characters of all texts.

    Args:
        schema: Schema of the reply.
        most: Whether lists of objects are counted at their longest, rather than at their shortest.
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
    """Return the characters of everything else: keys, marks, the longest of the labels.

    Args:
        schema: Schema of the reply.
        most: Whether lists of objects with texts are counted at their longest, rather than at their shortest.
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
    # A number may have many digits.
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
        budget = _free(schema) * share
        count = max(
            1, schema.get("minItems", 0), min(schema["maxItems"], int(budget / (_LEAST + _BETWEEN_TEXTS)))
        )
        length = max(1, min(items["maxLength"], int(budget / count) - _BETWEEN_TEXTS))
        return {**schema, "maxItems": count, "items": {**items, "maxLength": length}}
    if "maxLength" in schema and "enum" not in schema:
        return {**schema, "maxLength": max(1, int(schema["maxLength"] * share))}
    return schema
