"""From an id to a model: ``openai/gpt-5-mini``, ``vllm/my-model``, ``local/smollm2-135m``, ``scripted/random``.

A package adds a provider by an entry point in the group ``assay.models``: the entry point's name comes before
the slash of the id, and its object is called with the rest and the settings, and returns a `Model`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.decoding import decode
from assay.errors import UsageError
from assay.located import LocatedData
from assay.models.environment import Secret, environment
from assay.models.prices import price_of
from assay.models.providers import Provider, find_provider, known_providers, split_id
from assay.models.settings import ModelConfig, ModelSettings, load_model_config
from assay.registry import load_entry_point

if TYPE_CHECKING:
    from assay.models.base import Model

GROUP: Final = "assay.models"
Opener = Callable[[str, ModelSettings], "Model"]

# Openers of providers that are not endpoints.
_OWN: Final = {
    "litellm": "assay.models.litellm:open_litellm",
    "local": "assay.models.local_backend:open_local",
    "scripted": "assay.models.scripted:open_scripted",
}
# Calls in flight: the slots of a local server, and what a hosted endpoint can bear.
_LOCAL_SLOTS: Final = 1
_CONCURRENCY: Final = 64
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def settings_of(
    model_id: str,
    *,
    config: ModelConfig | None = None,
    overrides: ModelSettings | None = None,
    environ: Mapping[str, str] | None = None,
) -> ModelSettings:
    """Return all settings of a model: the caller's, else a variable's, else the file's, else its provider's.

    Args:
        model_id: ``provider/name``.
        config: Contents of the settings file; by default the nearest file is read.
        overrides: Settings of the caller.
        environ: Variables; by default those of the process and of ``.env``.

    Raises:
        UsageError: The provider is unknown, or a setting is invalid.
    """
    variables = environment() if environ is None else environ
    file = load_model_config() if config is None else config
    name, _ = split_id(model_id)
    provider = _endpoint(name, variables, file)
    settings = file.settings(model_id, variables, overrides, _url(provider, variables))
    if settings.concurrency is None:
        usual = provider.concurrency if provider is not None else _LOCAL_SLOTS if name == "local" else None
        settings = msgspec.structs.replace(settings, concurrency=usual or _CONCURRENCY)
    return settings


def open_model(
    model_id: str,
    settings: ModelSettings | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    **overrides: Any,
) -> Model:
    """Return the model of this id. Nothing is sent, and no key is needed, before its first call.

    Args:
        model_id: ``provider/name``.
        settings: All its settings, as returned by `settings_of`, which is called by default.
        environ: Variables; by default those of the process and of ``.env``.
        **overrides: Single settings, under the names of `ModelSettings`.

    Raises:
        UsageError: The provider is unknown, or a setting is invalid.
    """
    variables = environment() if environ is None else environ
    changes = _overrides(overrides)
    if settings is None:
        settings = settings_of(model_id, overrides=changes, environ=variables)
    elif changes is not None:
        settings = changes.over(settings)
    provider_name, name = split_id(model_id)
    opener = _opener(provider_name)
    if opener is not None:
        return opener(name, settings)
    also = {provider_name: settings.base_url} if settings.base_url else dict.fromkeys(_others())
    return _open_endpoint(
        model_id, name, find_provider(provider_name, variables, also=also), settings, variables
    )


def provider_names(config: ModelConfig | None = None) -> tuple[str, ...]:
    """Return all providers: endpoints, built-in ones, those of packages, and those of the settings."""
    names = {*known_providers(), *_others(), *(config.providers if config is not None else ())}
    return tuple(sorted(names))


def _open_endpoint(
    model_id: str, name: str, provider: Provider, settings: ModelSettings, environ: Mapping[str, str]
) -> Model:
    from assay.models.endpoint import Endpoint, EndpointModel  # noqa: PLC0415 - the client's parts

    base_url = settings.base_url or _url(provider, environ) or provider.base_url
    if not base_url:
        raise UsageError(
            f"{model_id}: {provider.name} has no base URL; set {provider.url_variables[0]}, or base-url under "
            f"[providers.{provider.name}] in assay.toml"
        )
    variable = settings.key_env
    key = provider.find_key(environ, variable) if variable != "" else None
    own = base_url.rstrip("/") == (provider.base_url or "").rstrip("/")
    if variable == "" or (not own and not variable):
        # Another address means another server, which may not require a key.
        provider = msgspec.structs.replace(provider, key=False)
    elif variable is not None:
        provider = msgspec.structs.replace(provider, key=True)
    endpoint = Endpoint(
        provider=provider,
        base_url=base_url,
        name=settings.name or name,
        key=key,
        key_variables=(variable,) if variable else provider.key_variables,
        headers={header: _filled(header, value, environ) for header, value in settings.headers.items()},
        body=settings.body,
    )
    return EndpointModel(model_id, endpoint, settings, price=price_of(model_id, settings.price))


def _filled(header: str, value: str, environ: Mapping[str, str]) -> Secret:
    """Return a header with ``${NAME}`` replaced by variables; hidden, since it may hold a key."""

    def fill(match: re.Match[str]) -> str:
        if match[1] not in environ:
            raise UsageError(f"the header {header} needs the variable {match[1]}, which is not set")
        return environ[match[1]]

    return Secret(_VARIABLE.sub(fill, value), f"header {header}")


def _endpoint(name: str, environ: Mapping[str, str], config: ModelConfig) -> Provider | None:
    """Return the provider, or None if it is not an endpoint."""
    if name in _others():
        return None
    also: dict[str, str | None] = dict.fromkeys(_others())
    also.update({key: table.base_url for key, table in config.providers.items()})
    if any(model_id.startswith(f"{name}/") and table.base_url for model_id, table in config.models.items()):
        also[name] = None
    return find_provider(name, environ, also=also)


def _url(provider: Provider | None, environ: Mapping[str, str]) -> str | None:
    url = provider.find_url(environ) if provider is not None else None
    return url[0] if url else None


def _others() -> tuple[str, ...]:
    return (*_OWN, *(point.name for point in entry_points(group=GROUP)))


def _opener(name: str) -> Opener | None:
    points = [point for point in entry_points(group=GROUP) if point.name == name]
    if len(points) > 1 or (points and name in (*_OWN, *known_providers())):
        places = ", ".join(point.value for point in points)
        raise UsageError(f"more than one provider is called {name!r}: {places}; uninstall one")
    if points:
        loaded: Opener = load_entry_point(points[0])
        return loaded
    if name not in _OWN:
        return None
    module, _, function = _OWN[name].partition(":")
    own: Opener = getattr(importlib.import_module(module), function)
    return own


def _overrides(given: Mapping[str, Any]) -> ModelSettings | None:
    if not given:
        return None
    table = {key.replace("_", "-"): value for key, value in given.items() if value is not None}
    return decode(LocatedData(table, "open_model"), ModelSettings)
