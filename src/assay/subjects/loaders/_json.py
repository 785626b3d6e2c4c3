"""JSON as it comes: fast where it is well-formed, forgiving about lone surrogates and NaN, safe about depth."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec

from assay.errors import InputError

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_DEPTH: Final = 24
_BIG: Final = 1 << 63


def parse_json(data: bytes | str) -> Any:
    """The value of one JSON text. Lone surrogates become U+FFFD.

    Raises:
        InputError: It is no JSON; the message says where.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        # The strict parser refuses escaped lone surrogates, NaN and raw control characters; real logs have them.
        pass
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        return _scrubbed(json.loads(text, strict=False), 0)
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}, column {error.colno}"
        raise InputError(f"broken JSON: {error.msg.removesuffix(' at')} at {place}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise InputError("broken JSON: nested too deeply") from error
    except ValueError as error:
        raise InputError(f"broken JSON: {error}") from error


def scrub(text: str) -> str:
    """``text`` with lone surrogates replaced by U+FFFD: they cannot be written to any file."""
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return _SURROGATE.sub("\ufffd", text)


def _scrubbed(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if depth > 200:
        raise InputError("broken JSON: nested too deeply")
    if isinstance(value, dict):
        return {scrub(key): _scrubbed(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_scrubbed(item, depth + 1) for item in value]
    return value


def plain_value(value: Any, depth: int = 0) -> Any:
    """A JSON value that is safe to render: bounded depth, numbers a float can hold, keys that are strings."""
    if depth > _DEPTH:
        return "…"
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, dict):
        return {str(key): plain_value(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_value(item, depth + 1) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and not -_BIG < value < _BIG:
        return "a very large number" if value.bit_length() > 1000 else float(value)
    return value
