"""Fields of a row: by the reader's own mapping first, then by the names in use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from assay.json_values import plain_value, replace_surrogates

if TYPE_CHECKING:
    from assay.subjects.loaders.base import InputContext

QUERY_FIELDS: Final = ("query", "prompt", "question", "problem", "instruction", "task", "topic", "input")
_ID_FIELDS: Final = ("id", "uuid", "example_id", "task_id", "sample_id", "instance_id", "idx", "session_id")
_SYSTEM_FIELDS: Final = ("system", "model", "agent", "model_name", "target_model")


def field(row: Mapping[str, Any], name: str, origin: InputContext, candidates: tuple[str, ...]) -> Any:
    """Return the field that ``origin.fields`` maps ``name`` to (dots go into objects), else the first candidate."""
    mapped = origin.fields.get(name)
    if mapped is not None:
        return _reach(row, mapped)
    for candidate in candidates:
        if row.get(candidate) is not None:
            return row[candidate]
    return None


def text_field(
    row: Mapping[str, Any], name: str, origin: InputContext, candidates: tuple[str, ...]
) -> str | None:
    """Return the field found by `field` if it is a string."""
    value = field(row, name, origin, candidates)
    return replace_surrogates(value) if isinstance(value, str) else None


def name_of(row: Mapping[str, Any], origin: InputContext) -> str | None:
    """Return the row's identifier as a string."""
    value = field(row, "id", origin, _ID_FIELDS)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(plain_value(value))


def system_of(row: Mapping[str, Any], origin: InputContext) -> str | None:
    """Return the name of the system that wrote the subject."""
    value = field(row, "system", origin, _SYSTEM_FIELDS)
    return replace_surrogates(value) if isinstance(value, str) and len(value) <= 200 else None


def rest_of(row: Mapping[str, Any], used: tuple[str, ...]) -> dict[str, Any]:
    """Return the row without the fields that became parts of the subject."""
    return {replace_surrogates(key): plain_value(value) for key, value in row.items() if key not in used}


def _reach(row: Mapping[str, Any], path: str) -> Any:
    if path in row:
        return row[path]
    value: Any = row
    for part in path.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value
