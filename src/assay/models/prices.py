"""Prices of calls. A model of unknown price costs None, never 0."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Final

import msgspec

_Usd = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
# A snapshot's name ends in a date. With "-mini" or "-preview" it is another model.
_SNAPSHOT: Final = re.compile(r"[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{2}-\d{4})")


class TokenRate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per million tokens. ``cached`` None: cached input costs as much as other input."""

    input: _Usd
    cached: _Usd | None = None
    output: _Usd

    def cost(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> float:
        """Return USD for so many tokens; input includes cached input."""
        cached = self.input if self.cached is None else self.cached
        fresh = max(0, input_tokens - cached_tokens)
        return (
            fresh * self.input + min(cached_tokens, input_tokens) * cached + output_tokens * self.output
        ) / 1e6


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The price of a model: a rate, and another for calls with more input than ``above``."""

    input: _Usd
    cached: _Usd | None = None
    output: _Usd
    above: int | None = None
    long: TokenRate | None = None

    def cost(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> float:
        """Return USD for one call; input includes cached input."""
        rate = TokenRate(input=self.input, cached=self.cached, output=self.output)
        if self.long is not None and self.above is not None and input_tokens > self.above:
            rate = self.long
        return rate.cost(input_tokens, cached_tokens, output_tokens)


FREE: Final = Price(input=0.0, output=0.0)
# Models on one's own machine are free.
_FREE: Final = frozenset(("local", "scripted", "llamacpp", "ollama", "lmstudio"))


class _PriceRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    input: _Usd
    cached: _Usd | None = None
    output: _Usd
    above: int | None = None
    long: TokenRate | None = None
    window: int | None = None
    start: date | None = msgspec.field(default=None, name="from")


def find_price(model_id: str, *, today: date | None = None) -> Price | None:
    """Return the price of a model by its id, or of the model it is a dated snapshot of; None if unknown."""
    entries = _find(model_id)
    day = today or datetime.now(UTC).date()
    valid = [entry for entry in entries or () if entry.start is None or entry.start <= day]
    if not valid:
        return None
    entry = valid[-1]
    return Price(
        input=entry.input, cached=entry.cached, output=entry.output, above=entry.above, long=entry.long
    )


def price_of(model_id: str, configured: Price | None = None) -> Price | None:
    """Return the price of a model: from the settings, 0 for models on this machine, otherwise the known one."""
    if configured is not None:
        return configured
    return FREE if model_id.partition("/")[0] in _FREE else find_price(model_id)


def cost_of(
    model_id: str,
    configured: Price | None,
    input_tokens: int,
    cached_tokens: int,
    output_tokens: int,
) -> float | None:
    """Return USD for one call to a model, or None if the price is unknown.

    Args:
        model_id: ``provider/name``.
        configured: Price in the settings of the model, if any; it wins.
        input_tokens: Input tokens, cached ones included.
        cached_tokens: Input tokens from the endpoint's cache.
        output_tokens: Output tokens, hidden reasoning included.
    """
    price = price_of(model_id, configured)
    return price.cost(input_tokens, cached_tokens, output_tokens) if price is not None else None


def hosted_window(model_id: str) -> int | None:
    """Return the longest prompt of a hosted model in tokens, or None if unknown."""
    return next((entry.window for entry in _find(model_id) or () if entry.window), None)


def priced_models() -> tuple[str, ...]:
    """Return the ids of all models with a known price."""
    return tuple(_table())


def _find(model_id: str) -> tuple[_PriceRow, ...] | None:
    table = _table()
    if model_id in table:
        return table[model_id]
    # The longest name that the id starts with, so that gpt-5-mini-2025-08-07 is not taken for gpt-5.
    names = [name for name in table if model_id.startswith(name) and _SNAPSHOT.fullmatch(model_id, len(name))]
    return table[max(names, key=len)] if names else None


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[_PriceRow, ...]]:
    data = tomllib.loads((files("assay.models") / "data" / "prices.toml").read_text("utf-8"))
    return {
        f"{provider}/{name}": tuple(msgspec.convert(row if isinstance(row, list) else [row], list[_PriceRow]))
        for provider, models in data.items()
        for name, row in models.items()
    }
