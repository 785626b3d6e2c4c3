"""JSON from outside: strict and fast where it is well-formed, forgiving about lone surrogates and NaN, bounded in depth."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec

from assay.errors import InputError

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# Nesting beyond this is cut off in values that are kept to be shown.
_DEEPEST_SHOWN: Final = 24
_DEEPEST: Final = 200
_BIG: Final = 1 << 63


def parse_json(data: bytes | str, where: str | None = None, *, strict: bool = False) -> Any:
    """Return the value of one JSON text. Lone surrogates become U+FFFD.

    Args:
        data: The text, or its bytes in UTF-8.
        where: File and line, for the error.
        strict: For files that people edit: refuse an object in which a key occurs twice, and leave lone surrogates to
            the code that reads the fields, which refuses them by name.

    Raises:
        InputError: The text is not valid JSON; the message gives the column.
    """
    if not strict:
        try:
            return msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
            # The strict parser refuses escaped lone surrogates, NaN and raw control characters; real logs have them.
            pass
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        value = json.loads(text, strict=False, object_pairs_hook=_unique if strict else None)
        return value if strict else _without_surrogates(value, 0)
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
        problem = f"broken JSON: {error.msg.removesuffix(' at')} at {place}"
        raise InputError(problem, where=where) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8 at byte {error.start}", where=where, hint="save it as UTF-8"
        ) from error
    except RecursionError as error:
        raise InputError("broken JSON: nested too deeply", where=where) from error
    except ValueError as error:
        problem = "a number of thousands of digits" if "digits" in str(error) else str(error)
        raise InputError(f"broken JSON: {problem}", where=where) from error


def replace_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced by U+FFFD: they cannot be written to any file."""
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return _SURROGATE.sub("\ufffd", text)


def plain_value(value: Any, depth: int = 0) -> Any:
    """Return a JSON value that is safe to render: bounded depth, numbers a float can hold, keys that are strings."""
    if depth > _DEEPEST_SHOWN:
        return "…"
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, dict):
        return {str(key): plain_value(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_value(item, depth + 1) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and not -_BIG < value < _BIG:
        return "a very large number" if value.bit_length() > 1000 else float(value)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {again!r} occurs twice in one object ({', '.join(keys[:6])})")
    return table


def _without_surrogates(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return replace_surrogates(value)
    if depth > _DEEPEST:
        raise InputError("broken JSON: nested too deeply")
    if isinstance(value, dict):
        return {replace_surrogates(key): _without_surrogates(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_surrogates(item, depth + 1) for item in value]
    return value
