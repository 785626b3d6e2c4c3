"""What a model can read, and what else its server says of itself, asked before anything is spent."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.errors import AssayError
from assay.models.base import Model
from assay.models.endpoint import EndpointModel
from assay.models.prices import hosted_window
from assay.models.settings import ModelSettings

_SECONDS: Final = 3.0
# What servers call the owner of a model that they serve themselves.
_KINDS: Final = {"vllm": "vllm", "llamacpp": "llama.cpp", "library": "ollama", "sglang": "sglang"}
_CACHING: Final = frozenset(("vllm", "llama.cpp", "sglang", "ollama"))
_WINDOWS: Final = (
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "max_context_window_tokens",
)


class ModelInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a model before its first call.

    Attributes:
        context_window: The longest prompt and reply together, in tokens; None: not known.
        caches: Whether prefixes are read from a cache; None: not known.
        kind: The server software, where it shows.
        served: The models the endpoint lists.
    """

    context_window: int | None = None
    caches: bool | None = None
    kind: str | None = None
    served: tuple[str, ...] = ()


async def preflight(model: Model, *, seconds: float = _SECONDS, ask: bool | None = None) -> ModelInfo:
    """What is known of a model. Costs no tokens, fails never, and takes ``seconds`` at most for each of two questions.

    Args:
        model: The model; one with a server of its own has that started where something must be asked.
        seconds: How long to wait for an answer.
        ask: Whether to ask the endpoint; by default only where the tables say too little.
    """
    told = getattr(model, "settings", None) or ModelSettings()
    if (
        not ask
        and not isinstance(model, EndpointModel)
        and told.context is not None
        and told.caches is not None
    ):
        # A server of its own need not run for what is known: perhaps every answer is in the ledger.
        return ModelInfo(context_window=told.context, caches=told.caches)
    try:
        inner = await endpoint_of(model)
    except AssayError:
        # A local server that does not start: the first call will say so, and better.
        inner = None
    if inner is None:
        return ModelInfo(context_window=told.context, caches=told.caches)
    settings = inner.settings
    provider = inner.endpoint.provider
    hosted = inner.endpoint.base_url.rstrip("/") == (provider.base_url or "").rstrip("/")
    window = settings.context or (hosted_window(model.id) if hosted else None)
    known = ModelInfo(
        context_window=window,
        caches=settings.caches if settings.caches is not None else (provider.caches if hosted else None),
        kind=provider.kind,
    )
    if not (ask if ask is not None else known.context_window is None or known.caches is None):
        return known
    try:
        said = await _asked(inner, seconds)
    except AssayError:
        # No key, no URL: the first call will say so, and better.
        return known
    kind = said.kind or known.kind
    return ModelInfo(
        # Behind another address the same name is most likely the same model.
        context_window=known.context_window or said.context_window or hosted_window(model.id),
        caches=known.caches if known.caches is not None else (True if kind in _CACHING else None),
        kind=kind,
        served=said.served,
    )


async def endpoint_of(model: Model) -> EndpointModel | None:
    """The endpoint behind a model, or None where there is none."""
    if isinstance(model, EndpointModel):
        return model
    opens = getattr(model, "endpoint_model", None)
    found = await opens() if opens is not None else None
    return found if isinstance(found, EndpointModel) else None


async def _asked(model: EndpointModel, seconds: float) -> ModelInfo:
    rows = await model.list_models(seconds)
    names = tuple(str(row["id"]) for row in rows if row.get("id"))
    row = next((row for row in rows if row.get("id") == model.endpoint.name), None)
    if row is None and len(rows) == 1:
        # A server of one model answers to any name.
        row = rows[0]
    owner = str((row or {}).get("owned_by", "")).lower()
    kind = _KINDS.get(owner)
    window = _window(row) if row is not None else None
    meta = row.get("meta") if row is not None else None
    if isinstance(meta, dict):
        kind = kind or "llama.cpp"
        # What one request may take is what the server runs with, not what the model was trained with.
        props = await model.fetch("/props", seconds, root=True)
        running = props.get("default_generation_settings") if isinstance(props, dict) else None
        window = (
            _number((running or {}).get("n_ctx") if isinstance(running, dict) else None)
            or _number(meta.get("n_ctx"))
            or window
            or _number(meta.get("n_ctx_train"))
        )
    return ModelInfo(context_window=window, kind=kind, served=names)


def _window(row: dict[str, Any]) -> int | None:
    provider = row.get("top_provider")
    places = (row, provider) if isinstance(provider, dict) else (row,)
    return next((found for place in places for key in _WINDOWS if (found := _number(place.get(key)))), None)


def _number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    return int(value)
