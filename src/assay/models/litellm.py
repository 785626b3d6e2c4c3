"""Models of providers without an OpenAI-compatible endpoint, through LiteLLM: ``litellm/bedrock/…``.

LiteLLM knows the variables of keys and the prices; retries, limits and pauses are Assay's.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import time
from typing import Any

import msgspec

from assay.errors import MissingExtraError
from assay.models.base import Reply, Request
from assay.models.environment import environment
from assay.models.faults import Fault, FaultKind, fault_of
from assay.models.quirks import BOUNDS, Quirks
from assay.models.response_body import MAX_REPLY_BYTES, OVERSIZED
from assay.models.retrying_model import RetryingModel
from assay.models.settings import ModelSettings
from assay.models.wire import GarbledError, brief, decode_reply, request_body

_TIMEOUT = 300.0


class LiteLLMModel(RetryingModel):
    """A model behind LiteLLM; ``name`` is LiteLLM's name of it."""

    def __init__(self, name: str, settings: ModelSettings | None = None, **rest: Any) -> None:
        super().__init__(f"litellm/{name}", settings, **rest)
        self._name = self.settings.name or name
        # LiteLLM itself leaves out what a provider refuses, except unknown keywords of a schema.
        self._quirks = Quirks(without=BOUNDS)

    async def _attempt(self, request: Request, attempt: int) -> Reply | Fault:
        litellm = _litellm()
        body = request_body(request, self._name, self._quirks, self.settings.body)
        options: dict[str, Any] = {"drop_params": True, "num_retries": 0}
        if self.settings.base_url:
            options["api_base"] = self.settings.base_url
        if self.settings.key_env:
            options["api_key"] = environment().get(self.settings.key_env)
        if self.settings.headers:
            options["extra_headers"] = self.settings.headers
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self.settings.timeout or _TIMEOUT):
                answer = await litellm.acompletion(**body, **options)
        except TimeoutError:
            return Fault(kind="broken", message=f"no response within {self.settings.timeout or _TIMEOUT:g} s")
        except Exception as error:  # noqa: BLE001 - its errors share a status, but no class
            return _fault(error)
        seconds = time.perf_counter() - started
        data = answer.model_dump_json().encode()
        if len(data) > MAX_REPLY_BYTES:
            return Fault(kind="oversized", message=OVERSIZED)
        try:
            reply = decode_reply(
                data,
                request,
                price=self.price,
                attempts=attempt,
                seconds=seconds,
            )
        except GarbledError as error:
            return Fault(kind="broken", message=str(error))
        cost = (getattr(answer, "_hidden_params", None) or {}).get("response_cost")
        if self.price is None and isinstance(cost, int | float):
            usage = msgspec.structs.replace(reply.usage, cost_usd=float(cost))
            return msgspec.structs.replace(reply, usage=usage)
        return reply

    async def _diagnose(self, kind: FaultKind, message: str) -> str:
        hints = {
            "key": "LiteLLM names the variables of each provider in its documentation",
            "model": "LiteLLM wants PROVIDER/MODEL behind litellm/",
        }
        hint = hints.get(kind)
        return f"{self.id}: {message}{f'; {hint}' if hint else ''}"

    async def close(self) -> None:
        """Do nothing: LiteLLM keeps its own connections."""


def open_litellm(name: str, settings: ModelSettings | None = None) -> LiteLLMModel:
    """Return the model that LiteLLM knows by this name.

    Raises:
        MissingExtraError: LiteLLM is not installed.
    """
    _litellm()
    return LiteLLMModel(name, settings, price=settings.price if settings is not None else None)


def _litellm() -> Any:
    # Otherwise its import fetches a price list from the network, and waits if there is no network.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        litellm: Any = importlib.import_module("litellm")  # takes seconds
    except ImportError:
        raise MissingExtraError("litellm/…", "litellm") from None
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


def _fault(error: Exception) -> Fault:
    """Return the fault behind one of LiteLLM's errors, which carry the status of the response."""
    status = getattr(error, "status_code", None)
    text = str(error)
    if not isinstance(status, int):
        return Fault(kind="broken", message=f"{type(error).__name__}: {brief(text)}")
    answer = getattr(error, "response", None)
    headers = {key.lower(): value for key, value in dict(getattr(answer, "headers", None) or {}).items()}
    fault = fault_of(status, headers, text.encode("utf-8", "replace"))
    # LiteLLM has already left out what it could.
    return msgspec.structs.replace(fault, kind="request") if fault.kind == "field" else fault
