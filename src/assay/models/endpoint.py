"""Models behind an OpenAI-compatible ``/chat/completions`` endpoint: a thin client.

A completion is one POST of JSON. The rest of this module makes thousands of them succeed: rate limits,
retries, leaving out what an endpoint refuses, and one clear error if no request can succeed.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.models.base import Reply, Request
from assay.models.environment import Secret
from assay.models.faults import Fault, FaultKind, fault_of
from assay.models.prices import Price
from assay.models.providers import Provider
from assay.models.quirks import shared_quirks
from assay.models.retry import SYSTEM_CLOCK, Clock, RetryPolicy
from assay.models.retrying_model import RetryingModel
from assay.models.settings import ModelSettings
from assay.models.transport import shared_transport, shown_url
from assay.models.wire import GarbledError, decode_reply, encode_request
from assay.suggest import closest

if TYPE_CHECKING:
    import aiohttp
    from yarl import URL

_LOG: Final = logging.getLogger("assay.models")
_TIMEOUT: Final = 300.0
_CONNECT: Final = 30.0
# Text that looks like a key; endpoints quote part of the key that they refuse.
_KEYISH: Final = re.compile(r"\b(?:sk|gsk|xai|key|pplx|nvapi|hf|AIza)[-_][\w*.-]{4,}|\bAIza[\w-]{10,}")


# Headers whose value is a credential; others, such as a title, may well stand in a reply.
_CREDENTIAL: Final = re.compile(r"auth|key|token|secret|cookie", re.IGNORECASE)


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Address and credentials of a model.

    Attributes:
        provider: The provider.
        base_url: URL that ``/chat/completions`` is appended to.
        name: Name of the model at the endpoint.
        key: API key, if there is one.
        key_variables: Variables in which the key was looked up.
        headers: Additional request headers.
        body: Additional fields of every request body.
    """

    provider: Provider
    base_url: str
    name: str
    key: Secret | None = None
    key_variables: tuple[str, ...] = ()
    headers: dict[str, Secret] = {}
    body: dict[str, Any] = {}

    def all_headers(self) -> dict[str, str]:
        """Return the request headers, with the key in clear text."""
        sent = {name: value.reveal() for name, value in self.headers.items()}
        if self.key is not None and not any(name.lower() == "authorization" for name in sent):
            sent["Authorization"] = f"Bearer {self.key.reveal()}"
        return sent

    def hide(self, text: str) -> str:
        """Return ``text`` with everything removed that is a key or looks like one."""
        for secret in (self.key, *self.headers.values()):
            text = secret.hide(text) if secret is not None else text
        return _KEYISH.sub("…", text)

    def hidden(self, data: bytes) -> bytes:
        """Return the body of a reply without this endpoint's own keys, which would else be kept with it."""
        named = [value for name, value in self.headers.items() if _CREDENTIAL.search(name)]
        secrets = [item for item in (self.key, *named) if item is not None and item.is_long]
        if not secrets:
            return data
        text = data.decode("utf-8", "surrogateescape")
        clean = text
        for secret in secrets:
            clean = secret.hide(clean)
        return data if clean == text else clean.encode("utf-8", "surrogateescape")


class EndpointModel(RetryingModel):
    """A model behind an endpoint. Use one object for all calls, and close it in the event loop that used it."""

    def __init__(
        self,
        model_id: str,
        endpoint: Endpoint,
        settings: ModelSettings | None = None,
        *,
        price: Price | None = None,
        policy: RetryPolicy | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        provider = endpoint.provider
        settings = settings or ModelSettings()
        if settings.concurrency is None and provider.concurrency is not None:
            settings = msgspec.structs.replace(settings, concurrency=provider.concurrency)
        super().__init__(model_id, settings, price=price, policy=policy, clock=clock)
        self.endpoint = endpoint
        self._timeout = settings.timeout or _TIMEOUT
        fields = tuple(sorted(provider.fields.items()))
        self._quirks = shared_quirks(
            endpoint.base_url, endpoint.name, fields, provider.schema, provider.schema_without
        )
        self._transport = shared_transport(endpoint.base_url)
        self._joined: asyncio.AbstractEventLoop | None = None
        self._url: URL | None = None
        self._within: aiohttp.ClientTimeout | None = None
        self._headers: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"EndpointModel({self.id!r} at {shown_url(self.endpoint.base_url)})"

    async def close(self) -> None:
        """Release the connections."""
        if self._joined is not None:
            self._joined = None
            await self._transport.leave(self)

    async def list_models(self, seconds: float = 5.0) -> list[dict[str, Any]]:
        """Return the rows of the endpoint's ``/models``, or an empty list if they do not arrive in time."""
        data = await self.fetch("/models", seconds)
        rows = data.get("data", data.get("models")) if isinstance(data, dict) else data
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    async def fetch(self, path: str, seconds: float = 5.0, *, root: bool = False) -> Any:
        """Return the JSON behind a path below the base URL, or None.

        Args:
            path: The path.
            seconds: Time to wait for a response.
            root: Whether the path is below the host instead of the base URL.
        """
        import aiohttp  # noqa: PLC0415

        if self._joined is not asyncio.get_running_loop():
            self._prepare()
        base = self._base()
        url = (base.origin() if root else base).joinpath(path.lstrip("/")).with_query(base.query)
        answer = await self._transport.get(url, self._headers, aiohttp.ClientTimeout(total=seconds))
        if isinstance(answer, Fault) or answer[0] != 200:
            return None
        try:
            return msgspec.json.decode(answer[2])
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None

    async def _attempt(self, request: Request, attempt: int) -> Reply | Fault:
        if self._joined is not asyncio.get_running_loop():
            self._prepare()
        endpoint = self.endpoint
        body = encode_request(request, endpoint.name, self._quirks, endpoint.body)
        dropped = self._quirks.dropped(request)
        started = time.perf_counter()
        answer = await self._transport.post(self._url, body, self._headers, self._within)  # type: ignore[arg-type]
        if isinstance(answer, Fault):
            return answer
        status, headers, data = answer
        if status != 200:
            return fault_of(status, headers, data)
        try:
            return decode_reply(
                endpoint.hidden(data),
                request,
                price=self.price,
                cost_field=endpoint.provider.cost is not None,
                attempts=attempt,
                seconds=time.perf_counter() - started,
                dropped=dropped,
            )
        except GarbledError as error:
            return Fault(kind="broken", message=f"HTTP 200 with {error}")

    def _prepare(self) -> None:
        """Check what can be checked before the first request, and join the connections of this event loop."""
        import aiohttp  # noqa: PLC0415 - 0.1 s

        endpoint = self.endpoint
        if endpoint.key is None and endpoint.provider.key and not endpoint.headers:
            raise self._pacing.stop(f"{self.id}: no API key is set; {_set_key(endpoint)}")
        base = self._base()
        if base.scheme not in ("http", "https") or not base.host:
            raise self._pacing.stop(
                f"{self.id}: {shown_url(endpoint.base_url)!r} is not a base URL; "
                "write one such as https://llm.example.org/v1"
            )
        if base.user is not None and "authorization" in {name.lower() for name in endpoint.all_headers()}:
            raise self._pacing.stop(
                f"{self.id}: {shown_url(endpoint.base_url)} has a user name in its address, and there is a key as well; "
                "an endpoint takes one of them, so remove the other"
            )
        self._url = base.joinpath("chat", "completions").with_query(base.query)
        self._within = aiohttp.ClientTimeout(total=self._timeout, sock_connect=min(_CONNECT, self._timeout))
        self._headers = endpoint.all_headers()
        self._transport.join(self)
        self._joined = asyncio.get_running_loop()

    def _base(self) -> URL:
        from yarl import URL  # noqa: PLC0415 - comes with aiohttp

        try:
            return URL(self._transport.base_url)
        except ValueError:
            return URL()

    def _version(self) -> int:
        return self._quirks.version

    def _mend(self, request: Request, fault: Fault, version: int) -> bool:
        quirks = self._quirks
        if quirks.version != version:
            # Another call has learnt it in the meantime.
            return True
        learnt = quirks.learn(request, fault.detail, fault.parameter)
        if learnt:
            _LOG.info("%s: %s; requests are changed accordingly", self.id, self._hide(fault.message))
        return learnt

    def _dropped(self, request: Request) -> tuple[str, ...]:
        return self._quirks.dropped(request)

    def _hide(self, text: str) -> str:
        return self.endpoint.hide(text)

    def _nobody_there(self) -> str:
        variable = self.endpoint.provider.url_variables[0]
        return f"check that a server runs at {shown_url(self.endpoint.base_url)}; {variable} sets another address"

    async def _diagnose(self, kind: FaultKind, message: str) -> str:
        endpoint = self.endpoint
        where = shown_url(endpoint.base_url)
        if kind == "key" and endpoint.key is None:
            return f"{self.id}: {where} requires a key; {_set_key(endpoint)} ({message})"
        if kind == "key":
            return f"{self.id}: {where} refuses the key in {_key_source(endpoint)} ({message})"
        if kind == "money":
            return f"{self.id}: the account behind {_key_source(endpoint)} has no credit left ({message})"
        if kind == "model":
            served = [str(row["id"]) for row in await self.list_models() if row.get("id")]
            return f"{self.id}: {where} serves no model {endpoint.name!r}{_near(endpoint.name, served)} ({message})"
        if kind == "forbidden":
            return f"{self.id}: {where} does not allow this request to {_key_source(endpoint)} ({message})"
        return f"{self.id}: {where} refuses this request in every form ({message})"


def _set_key(endpoint: Endpoint) -> str:
    names = endpoint.key_variables or endpoint.provider.key_variables
    return f"set {' or '.join(names)} in the environment or in a file .env"


def _key_source(endpoint: Endpoint) -> str:
    return endpoint.key.source if endpoint.key is not None else "a caller without a key"


def _near(name: str, names: list[str]) -> str:
    if not names:
        return ""
    lowered = name.lower()
    near = [one for one in names if lowered in one.lower() or one.lower() in lowered]
    near += [one for one in closest(name, names, n=5, cutoff=0.5) if one not in near]
    shown = near[:5] or names[:5]
    more = ", …" if not near and len(names) > 5 else ""
    return f"; {'near' if near else 'it serves'}: {', '.join(shown)}{more}"
