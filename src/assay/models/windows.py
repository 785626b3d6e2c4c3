"""Context window and other properties of a model, read from its server before any tokens are spent."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from assay.errors import AssayError
from assay.models.base import Model
from assay.models.endpoint import EndpointModel
from assay.models.prices import hosted_window
from assay.models.settings import ModelSettings

_SECONDS: Final = 3.0
# Names by which servers call the owner of a model that they serve themselves.
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
    """What is known about a model before its first call.

    Attributes:
        context_window: Longest prompt and reply together, in tokens; None if unknown.
        caches: Whether prefixes are cached; None if unknown.
        kind: Server software, if it can be recognised.
        served: Models that the endpoint lists.
    """

    context_window: int | None = None
    caches: bool | None = None
    kind: str | None = None
    served: tuple[str, ...] = ()


async def preflight(model: Model, *, seconds: float = _SECONDS, ask: bool | None = None) -> ModelInfo:
    """Return what is known about a model.

    Costs no tokens, never fails, and takes at most ``seconds`` for each of two requests.

    Args:
        model: The model; a model with a server of its own starts it if something must be requested.
        seconds: Time to wait for a response.
        ask: Whether to ask the endpoint; by default only if the built-in tables do not suffice.
    """
    settings = getattr(model, "settings", None) or ModelSettings()
    if (
        not ask
        and not isinstance(model, EndpointModel)
        and settings.context is not None
        and settings.caches is not None
    ):
        # Do not start a server for what is known; perhaps the ledger has every reply.
        return ModelInfo(context_window=settings.context, caches=settings.caches)
    try:
        inner = await endpoint_of(model)
    except AssayError:
        # The first call will report better why a local server does not start.
        inner = None
    if inner is None:
        return ModelInfo(context_window=settings.context, caches=settings.caches)
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
        answer = await _ask_endpoint(inner, seconds)
    except AssayError:
        # The first call will report a missing key or URL better.
        return known
    kind = answer.kind or known.kind
    return ModelInfo(
        # At another address, the same name most likely means the same model.
        context_window=known.context_window or answer.context_window or hosted_window(model.id),
        caches=known.caches if known.caches is not None else (True if kind in _CACHING else None),
        kind=kind,
        served=answer.served,
    )


async def endpoint_of(model: Model) -> EndpointModel | None:
    """Return the endpoint behind a model, or None if it has none."""
    if isinstance(model, EndpointModel):
        return model
    opens = getattr(model, "endpoint_model", None)
    inner = await opens() if opens is not None else None
    return inner if isinstance(inner, EndpointModel) else None


async def _ask_endpoint(model: EndpointModel, seconds: float) -> ModelInfo:
    rows = await model.list_models(seconds)
    names = tuple(str(row["id"]) for row in rows if row.get("id"))
    row = next((row for row in rows if row.get("id") == model.endpoint.name), None)
    if row is None and len(rows) == 1:
        # A server with one model accepts any name.
        row = rows[0]
    owner = str((row or {}).get("owned_by", "")).lower()
    kind = _KINDS.get(owner)
    window = _window(row) if row is not None else None
    meta = row.get("meta") if row is not None else None
    if isinstance(meta, dict):
        kind = kind or "llama.cpp"
        # The server's setting limits a request, not the window that the model was trained with.
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
    return next((size for place in places for key in _WINDOWS if (size := _number(place.get(key)))), None)


def _number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    return int(value)
