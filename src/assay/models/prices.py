"""What a call costs. A model whose price nobody knows costs None, never 0."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

if TYPE_CHECKING:
    from assay.models.settings import ModelSettings

# Nothing costs less than nothing, or all there is.
_Usd = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
# What stands behind a model's name in a snapshot of it: a date. A "-mini" or "-preview" is another model.
_SNAPSHOT: Final = re.compile(r"[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{2}-\d{4})")


class TokenRate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per million tokens. ``cached`` None: cached input is not sold apart and costs as much as other input."""

    input: _Usd
    cached: _Usd | None = None
    output: _Usd

    def cost(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> float:
        """USD for so many tokens; the input counts the cached."""
        cached = self.input if self.cached is None else self.cached
        fresh = max(0, input_tokens - cached_tokens)
        return (
            fresh * self.input + min(cached_tokens, input_tokens) * cached + output_tokens * self.output
        ) / 1e6


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The price of a model: a rate, and another for calls whose input is longer than ``above``."""

    input: _Usd
    cached: _Usd | None = None
    output: _Usd
    above: int | None = None
    long: TokenRate | None = None

    def cost(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> float:
        """USD for one call; the input counts the cached."""
        rate = TokenRate(input=self.input, cached=self.cached, output=self.output)
        if self.long is not None and self.above is not None and input_tokens > self.above:
            rate = self.long
        return rate.cost(input_tokens, cached_tokens, output_tokens)


FREE: Final = Price(input=0.0, output=0.0)
# Who runs on one's own machine asks no money.
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
    """The price of a model by its id, or of the model it is a dated snapshot of; None where it is not known."""
    entries = _find(model_id)
    day = today or datetime.now(UTC).date()
    held = [entry for entry in entries or () if entry.start is None or entry.start <= day]
    if not held:
        return None
    entry = held[-1]
    return Price(
        input=entry.input, cached=entry.cached, output=entry.output, above=entry.above, long=entry.long
    )


def price_of(model_id: str, said: Price | None = None) -> Price | None:
    """The price of a model: what the settings say, nothing for models that are on this machine, else what is known."""
    if said is not None:
        return said
    return FREE if model_id.partition("/")[0] in _FREE else find_price(model_id)


def cost_of(
    model_id: str,
    settings: ModelSettings | None,
    input_tokens: int,
    cached_tokens: int,
    output_tokens: int,
) -> float | None:
    """USD for one call to a model, or None where no price is known.

    Args:
        model_id: ``provider/name``.
        settings: Of the model; a price in them wins.
        input_tokens: All input, the cached too.
        cached_tokens: Input the endpoint had cached.
        output_tokens: The reply, hidden reasoning too.
    """
    price = price_of(model_id, settings.price if settings is not None else None)
    return price.cost(input_tokens, cached_tokens, output_tokens) if price is not None else None


def hosted_window(model_id: str) -> int | None:
    """The longest prompt of a hosted model, in tokens, where it is known."""
    return next((entry.window for entry in _find(model_id) or () if entry.window), None)


def priced_models() -> tuple[str, ...]:
    """The ids of all models with a known price."""
    return tuple(_table())


def _find(model_id: str) -> tuple[_PriceRow, ...] | None:
    table = _table()
    found = table.get(model_id)
    if found is not None:
        return found
    # The longest name that the id starts with, so that gpt-5-mini-2025-08-07 is no gpt-5.
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
