"""From an id to a model: ``openai/gpt-5-mini``, ``vllm/my-model``, ``local/smollm2-135m``, ``scripted/random``.

A third party adds a provider with an entry point in the group ``assay.models``: its name stands before the slash, and
what it points to is called with what stands behind it and the settings, and returns a `Model`.
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

# Providers that are no endpoints: where their opener lives.
_OWN: Final = {
    "litellm": "assay.models.litellm:open_litellm",
    "local": "assay.models.local_backend:open_local",
    "scripted": "assay.models.scripted:open_scripted",
}
# Calls at a time: as many slots as a local server has by default, and what a hosted endpoint bears.
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
    """All settings of a model: the caller's, else a variable's, else the file's, else its provider's.

    Args:
        model_id: ``provider/name``.
        config: What the settings file says; by default the nearest file is read.
        overrides: What the caller says.
        environ: The variables; by default those of the process and of ``.env``.

    Raises:
        UsageError: The id names no provider that anybody knows, or a setting is off.
    """
    variables = environment() if environ is None else environ
    file = load_model_config() if config is None else config
    name, _ = split_id(model_id)
    provider = _endpoint(name, variables, file)
    said = file.settings(model_id, variables, overrides, _url(provider, variables))
    if said.concurrency is None:
        usual = provider.concurrency if provider is not None else _LOCAL_SLOTS if name == "local" else None
        said = msgspec.structs.replace(said, concurrency=usual or _CONCURRENCY)
    return said


def open_model(
    model_id: str,
    settings: ModelSettings | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    **overrides: Any,
) -> Model:
    """The model of this id. Nothing is sent, and no key is needed, before its first call.

    Args:
        model_id: ``provider/name``.
        settings: All its settings, as `settings_of` puts them together; that is done here where they are not given.
        environ: The variables; by default those of the process and of ``.env``.
        **overrides: Single settings, by the names of `ModelSettings`.

    Raises:
        UsageError: The id names no provider that anybody knows, or a setting is off.
    """
    variables = environment() if environ is None else environ
    said = _overrides(overrides)
    if settings is None:
        settings = settings_of(model_id, overrides=said, environ=variables)
    elif said is not None:
        settings = said.over(settings)
    provider_name, name = split_id(model_id)
    opener = _opener(provider_name)
    if opener is not None:
        return opener(name, settings)
    also = {provider_name: settings.base_url} if settings.base_url else dict.fromkeys(_others())
    return _open_endpoint(
        model_id, name, find_provider(provider_name, variables, also=also), settings, variables
    )


def provider_names(config: ModelConfig | None = None) -> tuple[str, ...]:
    """Every provider there is: endpoints, our own, third parties', and those of the settings."""
    names = {*known_providers(), *_others(), *(config.providers if config is not None else ())}
    return tuple(sorted(names))


def _open_endpoint(
    model_id: str, name: str, provider: Provider, settings: ModelSettings, environ: Mapping[str, str]
) -> Model:
    from assay.models.endpoint import Endpoint, EndpointModel  # noqa: PLC0415 - the client's parts

    found = provider.find_url(environ)
    base_url = settings.base_url or (found[0] if found else provider.base_url)
    if not base_url:
        raise UsageError(
            f"{model_id}: {provider.name} has no base URL; set {provider.url_variables[0]}, or base-url under "
            f"[providers.{provider.name}] in assay.toml"
        )
    wanted = settings.key_env
    key = provider.find_key(environ, wanted) if wanted != "" else None
    own = base_url.rstrip("/") == (provider.base_url or "").rstrip("/")
    if wanted == "" or (not own and not wanted):
        # Behind another address is another server, which may want no key.
        provider = msgspec.structs.replace(provider, key=False)
    elif wanted is not None:
        provider = msgspec.structs.replace(provider, key=True)
    endpoint = Endpoint(
        provider=provider,
        base_url=base_url,
        name=settings.name or name,
        key=key,
        key_variables=(wanted,) if wanted else provider.key_variables,
        headers={header: _filled(header, value, environ) for header, value in settings.headers.items()},
        body=settings.body,
    )
    return EndpointModel(model_id, endpoint, settings, price=price_of(model_id, settings.price))


def _filled(header: str, value: str, environ: Mapping[str, str]) -> Secret:
    """A header's value with its ``${NAME}`` filled in; hidden, since it may be a key."""

    def fill(match: re.Match[str]) -> str:
        if match[1] not in environ:
            raise UsageError(f"the header {header} wants the variable {match[1]}, which is not set")
        return environ[match[1]]

    return Secret(_VARIABLE.sub(fill, value), f"header {header}")


def _endpoint(name: str, environ: Mapping[str, str], config: ModelConfig) -> Provider | None:
    """The provider, or None where it is no endpoint."""
    if name in _others():
        return None
    also: dict[str, str | None] = dict.fromkeys(_others())
    also.update({key: table.base_url for key, table in config.providers.items()})
    if any(model_id.startswith(f"{name}/") and table.base_url for model_id, table in config.models.items()):
        also[name] = None
    return find_provider(name, environ, also=also)


def _url(provider: Provider | None, environ: Mapping[str, str]) -> str | None:
    found = provider.find_url(environ) if provider is not None else None
    return found[0] if found else None


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
