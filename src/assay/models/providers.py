"""Providers: address, key variables and peculiarities of each.

Known providers come from a data file; ``[providers.NAME]`` in the settings adds or changes one, and so does a
variable ``NAME_BASE_URL``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from assay.errors import UsageError
from assay.models.environment import Secret
from assay.suggest import closest, did_you_mean

SchemaMode = Literal["json_schema", "json_object", "none"]
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")


class Provider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """One provider.

    Attributes:
        name: Name before the slash of a model id.
        base_url: URL that ``/chat/completions`` is appended to; None if only a variable or a setting can give
            it.
        keys: Variables that may hold the key, in order.
        urls: Variables that may hold the base URL, in order.
        key: Whether it requires a key.
        caches: Whether it caches prefixes by itself; None if that depends.
        concurrency: Recommended calls in flight, if fewer than usual.
        fields: Its own names of request fields.
        schema: How it accepts a JSON schema.
        schema_without: Keywords of schemas that its strict mode refuses.
        cost: Field of its usage that holds the price in USD.
        kind: Server software, if the name tells it.
    """

    name: str = ""
    base_url: str | None = None
    keys: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    key: bool = True
    caches: bool | None = None
    concurrency: int | None = None
    fields: dict[str, str] = {}
    schema: SchemaMode = "json_schema"
    schema_without: tuple[str, ...] = ()
    cost: str | None = None
    kind: str | None = None

    @property
    def key_variables(self) -> tuple[str, ...]:
        """Variables that may hold the key, in order."""
        return tuple(dict.fromkeys((*self.keys, f"{_upper(self.name)}_API_KEY")))

    @property
    def url_variables(self) -> tuple[str, ...]:
        """Variables that may hold the base URL, in order."""
        return tuple(dict.fromkeys((*self.urls, f"{_upper(self.name)}_BASE_URL")))

    def find_key(self, environ: Mapping[str, str], variable: str | None = None) -> Secret | None:
        """Return the key from ``variable``, or by default from the first of its variables that is set."""
        names = (variable,) if variable else self.key_variables
        return next((Secret(environ[name].strip(), name) for name in names if environ.get(name)), None)

    def find_url(self, environ: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the base URL that a variable holds, and the variable."""
        return next(((environ[name], name) for name in self.url_variables if environ.get(name)), None)


@lru_cache(maxsize=1)
def known_providers() -> Mapping[str, Provider]:
    """Return the providers of the data file, by name."""
    text = (files("assay.models") / "data" / "providers.toml").read_text("utf-8")
    return {
        name: msgspec.convert({**table, "name": name}, Provider)
        for name, table in tomllib.loads(text).items()
    }


def split_id(model_id: str) -> tuple[str, str]:
    """Return provider and name of a model id.

    Raises:
        UsageError: The id lacks a provider or a name.
    """
    provider, slash, name = model_id.strip().partition("/")
    if not slash:
        raise UsageError(
            f"model {model_id!r} has no provider; write PROVIDER/NAME, such as {_guess(provider)!r}",
            cli_hint="`assay models list` shows the providers",
        )
    provider = provider.lower()
    if not _NAME.fullmatch(provider) or not name.strip():
        raise UsageError(f"{model_id!r} is not a model id; write PROVIDER/NAME, such as 'openai/gpt-5-mini'")
    return provider, name.strip()


def find_provider(
    name: str, environ: Mapping[str, str], *, also: Mapping[str, str | None] | None = None
) -> Provider:
    """Return the provider of this name.

    Args:
        name: Name before the slash of a model id.
        environ: Variables; a base URL in them makes an unknown provider known.
        also: Further provider names with their base URLs: those of the settings, and those that are not
            endpoints.

    Raises:
        UsageError: The provider is unknown; the message offers the closest name and explains how to add one.
    """
    further = also or {}
    provider = known_providers().get(name)
    if provider is not None:
        return provider
    new = Provider(name=name, base_url=further.get(name), key=False)
    if name in further or new.find_url(environ) is not None:
        # An unknown server will say itself if it requires a key.
        return new
    hint = did_you_mean(name, [*known_providers(), *further], otherwise="")
    raise UsageError(
        f"no provider is called {name!r}; {hint}{' ' if hint else ''}"
        f"for another endpoint set {_upper(name)}_BASE_URL, or base-url under [providers.{name}] in assay.toml",
        cli_hint="`assay models list` shows the providers",
    )


def _guess(name: str) -> str:
    """Return a likely id for a bare model name."""
    from assay.models.prices import priced_models  # noqa: PLC0415 - only for an error

    ids = priced_models()
    exact = next((model_id for model_id in ids if model_id.partition("/")[2] == name), None)
    if exact:
        return exact
    near = closest(name, [model_id.partition("/")[2] for model_id in ids], n=1, cutoff=0.7)
    if near:
        return next(model_id for model_id in ids if model_id.partition("/")[2] == near[0])
    if name.lower() in known_providers():
        return f"{name.lower()}/NAME"
    return f"openai/{name}" if name.startswith(("gpt", "o1", "o3", "o4")) else f"vllm/{name or 'NAME'}"


def _upper(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", name).upper()
