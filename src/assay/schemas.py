"""JSON Schemas generated from structs, described by the structs' own docstrings."""

from __future__ import annotations

import inspect
import re
from typing import Any, Final

import msgspec

_FIELD: Final = re.compile(r"(?P<name>\w+): (?P<text>.+(?:\n\s+.+)*)")


def json_schema(kind: type[msgspec.Struct], *, schema_id: str, title: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of what `assay.decoding.decode` accepts for a struct.

    Descriptions of fields come from the ``Attributes`` of the docstrings, those of a base class included.

    Args:
        kind: The struct.
        schema_id: The schema's ``$id``.
        title: The schema's title.
    """
    (_,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    for struct in _structs(kind):
        component = components.get(struct.__name__)
        if component is None:
            continue
        component["description"] = _first_paragraph(struct)
        for name, text in _field_texts(struct).items():
            if name in component["properties"]:
                component["properties"][name].setdefault("description", text)
    top = components.pop(kind.__name__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": schema_id,
        **top,
        "title": title,
        "$defs": components,
    }


def _structs(kind: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """The struct and all structs that its fields hold."""
    found: list[type[msgspec.Struct]] = []

    def visit(info: msgspec.inspect.Type) -> None:
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in found:
                return
            found.append(info.cls)
            for field in info.fields:
                visit(field.type)
        for name in ("types", "item_types"):
            for part in getattr(info, name, ()):
                visit(part)
        for name in ("type", "item_type", "key_type", "value_type"):
            part = getattr(info, name, None)
            if isinstance(part, msgspec.inspect.Type):
                visit(part)

    visit(msgspec.inspect.type_info(kind))
    return found


def _first_paragraph(struct: type) -> str:
    return " ".join((inspect.getdoc(struct) or "").partition("\n\n")[0].split())


def _field_texts(struct: type) -> dict[str, str]:
    """Descriptions of the fields, by their name in the file."""
    names = {field.name: field.encode_name for field in msgspec.structs.fields(struct)}
    texts: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        _, _, attributes = (inspect.cleandoc(base.__doc__ or "")).partition("Attributes:\n")
        for match in _FIELD.finditer(inspect.cleandoc("\n" + attributes)):
            if match["name"] in names:
                texts[names[match["name"]]] = " ".join(match["text"].replace("``", "").split())
    return texts
