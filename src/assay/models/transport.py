"""HTTP connections to model endpoints: one pool for each endpoint, opened in the event loop that first needs it."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit, urlunsplit

from assay._version import __version__
from assay.models.faults import Fault
from assay.models.response_body import (
    ACCEPT_ENCODING,
    OVERSIZED,
    EncodedBodyError,
    OversizedBodyError,
    read_body,
)
from assay.models.wire import brief

if TYPE_CHECKING:
    import aiohttp
    from yarl import URL

# Larger bodies are sent in pieces, so that one does not block the others.
_LARGE: Final = 1 << 20
_CONNECT: Final = 30.0
_KEEP_ALIVE: Final = 75.0


class Transport:
    """The connections to one endpoint. Models join it, and the last one to leave closes it."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url.rstrip("/")
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._members: set[int] = set()

    async def post(
        self,
        url: URL,
        body: bytes,
        headers: Mapping[str, str],
        within: aiohttp.ClientTimeout,
    ) -> tuple[int, Mapping[str, str], bytes] | Fault:
        """Send ``body`` and return status, headers and body of the response, or the fault."""
        data: Any = body if len(body) < _LARGE else io.BytesIO(body)
        return await self._exchange("POST", url, headers, within, data)

    async def get(
        self,
        url: URL,
        headers: Mapping[str, str],
        within: aiohttp.ClientTimeout,
    ) -> tuple[int, Mapping[str, str], bytes] | Fault:
        """Send a GET request and return status, headers and body of the response, or the fault."""
        return await self._exchange("GET", url, headers, within, None)

    async def _exchange(
        self,
        method: str,
        url: URL,
        headers: Mapping[str, str],
        within: aiohttp.ClientTimeout,
        data: Any,
    ) -> tuple[int, Mapping[str, str], bytes] | Fault:
        import aiohttp  # noqa: PLC0415 - 0.1 s

        session = self._session
        if session is None or self._loop is not asyncio.get_running_loop():
            session = self._open()
        try:
            async with session.request(
                method, url, data=data, headers=headers, timeout=within, allow_redirects=False
            ) as response:
                return response.status, response.headers, await read_body(response)
        except OversizedBodyError:
            return Fault(kind="oversized", message=OVERSIZED)
        except EncodedBodyError as error:
            return Fault(kind="broken", message=str(error))
        except TimeoutError:
            return Fault(kind="broken", message=f"no response within {within.total:g} s")
        except aiohttp.ClientSSLError as error:
            return Fault(kind="request", message=f"no secure connection: {brief(str(error), 160)}")
        except aiohttp.ClientConnectorError as error:
            return Fault(
                kind="unreachable", message=f"no connection: {brief(error.strerror or str(error), 160)}"
            )
        except (aiohttp.ClientError, OSError) as error:
            return Fault(kind="broken", message=f"connection broken: {_why(error)}")

    def _open(self) -> aiohttp.ClientSession:
        import aiohttp  # noqa: PLC0415 - 0.1 s

        self._loop = asyncio.get_running_loop()
        self._members.clear()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_ALIVE, ttl_dns_cache=300),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={
                "User-Agent": f"assay/{__version__}",
                "Content-Type": "application/json",
                "Accept-Encoding": ACCEPT_ENCODING,
            },
            auto_decompress=False,
            skip_auto_headers=("Accept",),
            # Looked up once; aiohttp would search all variables for every request.
            proxy=_proxy(self.base_url),
        )
        return self._session

    def join(self, member: object) -> None:
        """Keep the connections open for a member."""
        if self._loop is not asyncio.get_running_loop():
            self._open()
        self._members.add(id(member))

    async def leave(self, member: object) -> None:
        """Release the connections for a member."""
        if self._loop is asyncio.get_running_loop():
            self._members.discard(id(member))
            if not self._members and self._session is not None:
                session, self._session, self._loop = self._session, None, None
                await session.close()


@lru_cache(maxsize=256)
def shared_transport(base_url: str) -> Transport:
    """Return the process's only pool of connections to an endpoint."""
    return Transport(base_url)


def shown_url(url: str) -> str:
    """Return a URL as it may be shown: without user, password and query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", "")).rstrip("/")


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment names for a URL; loopback addresses never use one."""
    from urllib.request import getproxies, proxy_bypass  # noqa: PLC0415 - loads much

    parts = urlsplit(url)
    host = parts.hostname
    if not host or _is_loopback(host):
        return None
    proxy = getproxies().get(parts.scheme)
    # NO_PROXY may name a port as well.
    if not proxy or proxy_bypass(host) or (parts.port and proxy_bypass(f"{host}:{parts.port}")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _why(error: BaseException) -> str:
    return brief(str(error), 160) or type(error).__name__
