"""Settings of models from a file, from variables, and from the caller.

    [models."openai/gpt-5-mini"]           # one model
    concurrency = 64
    rpm = 500
    price = { input = 0.25, cached = 0.025, output = 2 }

    [providers.lab]                        # all models of a provider, known or new
    base-url = "https://llm.example.org/v1"
    key-env = "LAB_KEY"

The caller wins over a variable (``ASSAY_MODEL_RPM``, for all models of a run), the variable over the model's
table, and that over its provider's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from assay.decoding import FieldError, decode
from assay.located import LocatedData
from assay.models.prices import Price
from assay.settings import find_settings, read_settings

_Positive = Annotated[int, msgspec.Meta(ge=1)]
_PREFIX: Final = "ASSAY_MODEL_"


class ModelSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename="kebab"
):
    """Settings of a model, or of all models of a provider. None leaves a setting open.

    Attributes:
        base_url: URL that ``/chat/completions`` is appended to.
        key_env: Variable that holds the key; empty for no key.
        name: Name of the model at the endpoint, if it differs from the part behind the slash.
        concurrency: Calls in flight.
        rpm: Requests per minute.
        tpm: Tokens per minute, input and output.
        timeout: Seconds per attempt.
        max_attempts: Attempts until a call counts as failed.
        context: Size of the context window in tokens.
        temperature: Sampling temperature of judges with this model.
        top_p: Nucleus sampling of judges with this model.
        max_tokens: Maximum tokens of a reply.
        seed: Random seed, for endpoints that accept one.
        reasoning_effort: For models that accept one.
        headers: Additional request headers; ``${NAME}`` stands for a variable, so that secrets stay out of
            the file.
        body: Additional fields of the request body.
        caches: Whether the endpoint caches prefixes by itself.
        price: Price in USD per million tokens.
    """

    base_url: str | None = None
    key_env: str | None = None
    name: str | None = None
    concurrency: _Positive | None = None
    rpm: _Positive | None = None
    tpm: _Positive | None = None
    timeout: Annotated[float, msgspec.Meta(gt=0)] | None = None
    max_attempts: _Positive | None = None
    context: _Positive | None = None
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, msgspec.Meta(gt=0, le=1)] | None = None
    max_tokens: _Positive | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    headers: dict[str, str] = {}
    body: dict[str, Any] = {}
    caches: bool | None = None
    price: Price | None = None

    def over(self, other: ModelSettings) -> ModelSettings:
        """Return these settings, completed by the other's; headers and body are merged."""
        values = {
            name: mine if (mine := getattr(self, name)) is not None else getattr(other, name)
            for name in self.__struct_fields__
        }
        values["headers"] = {**other.headers, **self.headers}
        values["body"] = {**other.body, **self.body}
        return ModelSettings(**values)


_KEYS: Final = tuple(field.encode_name for field in msgspec.structs.fields(ModelSettings))
# Variables hold single values; tables belong in a file.
_VARIABLES: Final = tuple(key for key in _KEYS if key not in ("headers", "body", "price", "name", "caches"))


class ModelConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of a settings file about models: by model id, and by provider."""

    models: dict[str, ModelSettings] = {}
    providers: dict[str, ModelSettings] = {}

    def __post_init__(self) -> None:
        for model_id in self.models:
            if "/" not in model_id:
                hint = f'write the id in quotes: [models."PROVIDER/{model_id}"]'
                raise FieldError(f"models.{model_id}", "names no provider", hint)

    def settings(
        self,
        model_id: str,
        environ: Mapping[str, str],
        overrides: ModelSettings | None = None,
        base_url: str | None = None,
    ) -> ModelSettings:
        """Return all settings of a model.

        Args:
            model_id: ``provider/name``.
            environ: Variables.
            overrides: Settings of the caller.
            base_url: Base URL from a variable of the provider (``OPENAI_BASE_URL``); the model's own table
                wins over it.

        Raises:
            InputError: A variable holds a value that does not fit.
        """
        provider = model_id.partition("/")[0].lower()
        of_provider = ModelSettings(base_url=base_url).over(self.providers.get(provider, ModelSettings()))
        from_file = self.models.get(model_id, ModelSettings()).over(of_provider)
        from_environ = _from_environ(environ).over(from_file)
        return overrides.over(from_environ) if overrides is not None else from_environ


def load_model_config(path: Path | None = None) -> ModelConfig:
    """Return the tables ``models`` and ``providers`` of a settings file.

    Args:
        path: The file; by default the nearest ``assay.toml``, or ``pyproject.toml`` with ``[tool.assay]``.

    Raises:
        InputError: The file cannot be read, a key is unknown, or a value is of the wrong kind.
    """
    file = path or find_settings(Path.cwd())
    return parse_model_config(read_settings(file)) if file is not None else ModelConfig()


def parse_model_config(data: LocatedData) -> ModelConfig:
    """Return what the tables ``models`` and ``providers`` say; other tables are left alone.

    Raises:
        InputError: A key is unknown or a value of the wrong kind.
    """
    config = decode(data, ModelConfig)
    return ModelConfig(
        models=config.models, providers={name.lower(): table for name, table in config.providers.items()}
    )


def _from_environ(environ: Mapping[str, str]) -> ModelSettings:
    table: dict[str, Any] = {}
    for key in _VARIABLES:
        variable = _PREFIX + key.replace("-", "_").upper()
        text = environ.get(variable, "").strip()
        if text:
            decode(LocatedData({key: text}, variable), ModelSettings, strict=False)
            table[key] = text
    return msgspec.convert(table, ModelSettings, strict=False)
