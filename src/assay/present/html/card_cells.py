"""Numbers as they stand in cells of cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.present.bench import percent


def range_text(rate: Mapping[str, Any]) -> str:
    """An interval of shares, in per cent."""
    low, high = rate.get("low"), rate.get("high")
    return "" if low is None or high is None else f"{percent(low)} to {percent(high)}"


def plain_range(item: Mapping[str, Any]) -> str:
    """An interval of numbers."""
    low, high = item.get("low"), item.get("high")
    return "" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def signed(value: float | None) -> str:
    """A difference of shares, in percentage points."""
    return "–" if value is None else f"{100 * value:+.0f}"


def signed_range(item: Mapping[str, Any]) -> str:
    """Its interval."""
    low, high = item.get("low"), item.get("high")
    return "" if low is None or high is None else f"{100 * low:+.0f} to {100 * high:+.0f}"


def p_text(value: float | None) -> str:
    """A p value."""
    return "" if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def whole_number(value: float | None) -> str:
    """A number without its fraction."""
    return "–" if value is None else f"{value:,.0f}"


def numbers_section(
    key: str, title: str, method: str, heads: Sequence[str], rows: Sequence[Sequence[Any]], *, left: int = 1
) -> dict[str, Any]:
    """A part of a page that is a table."""
    return {
        "key": key,
        "title": title,
        "methods": [method] if method else [],
        "figures": [],
        "tables": [{"title": "In numbers", "heads": list(heads), "left": left, "rows": rows}],
        "open": True,
    }
