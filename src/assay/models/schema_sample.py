"""Random values that fit a JSON schema, for scripted models."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

_WORDS: Final = (
    "the report states its claim and gives a source for it but leaves one step of the argument without support "
    "while figures agree and limits are named"
).split()


def sample_value(schema: Mapping[str, Any], rng: random.Random) -> Any:
    """Return a value that fits ``schema``.

    Supports what verdicts are made of: objects, arrays, enums, constants, bounded numbers, text, alternatives
    and references within the schema.

    Args:
        schema: A JSON schema.
        rng: Source of randomness; the same state gives the same value.
    """
    return _sample(schema, rng, schema)


def _sample(schema: Mapping[str, Any], rng: random.Random, root: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        return _sample(_referred(str(schema["$ref"]), root), rng, root)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return rng.choice(list(schema["enum"]))
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return _sample(rng.choice(list(schema[key])), rng, root)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if kind == "object":
        return {name: _sample(part, rng, root) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        least = int(schema.get("minItems", 1))
        most = max(least, min(int(schema.get("maxItems", least + 2)), least + 2))
        return _array(schema, rng, root, rng.randint(least, most))
    if kind == "integer":
        return rng.randint(int(schema.get("minimum", 0)), int(schema.get("maximum", 10)))
    if kind == "number":
        low, high = float(schema.get("minimum", 0.0)), float(schema.get("maximum", 1.0))
        return round(rng.uniform(low, high), 3)
    if kind == "boolean":
        return rng.random() < 0.5
    return None if kind == "null" else _text(schema, rng)


def _array(schema: Mapping[str, Any], rng: random.Random, root: Mapping[str, Any], length: int) -> list[Any]:
    items = schema.get("items", {"type": "string"})
    offered = items.get("enum") if isinstance(items, Mapping) else None
    if offered and len(offered) >= length:
        # A list of offered names is most often a ranking: no name occurs twice.
        return rng.sample(list(offered), length)
    return [_sample(items, rng, root) for _ in range(length)]


def _text(schema: Mapping[str, Any], rng: random.Random) -> str:
    text = " ".join(rng.choices(_WORDS, k=rng.randint(6, 14))).capitalize() + "."
    most = schema.get("maxLength")
    return text[: int(most)] if most is not None else text


def _referred(pointer: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    value: Any = root
    for part in pointer.removeprefix("#").strip("/").split("/"):
        value = value[part.replace("~1", "/").replace("~0", "~")]
    if not isinstance(value, Mapping):
        raise TypeError(f"{pointer} is not a schema")
    return value
