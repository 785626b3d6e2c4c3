"""Fetching addresses: few at a time from each host, with a pause between, within limits of size and time."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
import zlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import SplitResult, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import aiohttp
import msgspec

from assay._version import __version__
from assay.errors import MissingExtraError
from assay.fetching.safety import ForbiddenAddressError, PublicResolver, checked
from assay.fetching.snapshots import Outcome, Snapshot
from assay.fetching.texts import kind_of_content, text_of_content

if TYPE_CHECKING:
    from collections.abc import Callable

AGENT: Final = f"assay/{__version__} (checks citations)"
_ROBOT: Final = "assay"
_CHUNK: Final = 65_536
# Bytes of robots.txt that are read, as its standard (RFC 9309) asks at least.
_ROBOTS: Final = 512_000
_OK: Final = 200
_REDIRECTS: Final = (301, 302, 303, 307, 308)
# As RFC 9309 asks.
_ROBOTS_REDIRECTS: Final = 5
_SERVER_FAILS: Final = 500
# Seconds between two requests that a site may ask for.
_LONGEST_DELAY: Final = 30.0


class FetchLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of fetching.

    Attributes:
        concurrency: Requests in flight.
        per_host: Requests in flight to one host.
        delay: Seconds between two requests to a host.
        timeout: Seconds for one address, redirects included.
        wire_bytes: Most bytes on the wire.
        bytes: Most bytes as unpacked.
        redirects: Most redirects.
        allow_private: Whether addresses of this machine and its network may be fetched.
    """

    concurrency: int = 16
    per_host: int = 2
    delay: float = 0.5
    timeout: float = 30.0
    wire_bytes: int = 10_000_000
    bytes: int = 30_000_000
    redirects: int = 5
    allow_private: bool = False


class _StoppedError(Exception):
    def __init__(self, outcome: Outcome, why: str, **known: Any) -> None:
        super().__init__(why)
        self.outcome: Outcome = outcome
        self.why = why
        self.known = known


class _Host:
    def __init__(self, limits: FetchLimits) -> None:
        self.slots = asyncio.Semaphore(limits.per_host)
        self.gate = asyncio.Lock()
        self.next = 0.0
        self.delay = limits.delay
        self.robots: asyncio.Task[RobotFileParser] | None = None


class Fetcher:
    """Fetches addresses, as an asynchronous context manager.

    Args:
        limits: The limits.
    """

    def __init__(self, limits: FetchLimits | None = None) -> None:
        self.limits = limits or FetchLimits()
        self._hosts: dict[str, _Host] = {}
        self._all = asyncio.Semaphore(self.limits.concurrency)
        self._session: aiohttp.ClientSession

    async def __aenter__(self) -> Self:
        resolver = PublicResolver(allow_private=self.limits.allow_private)
        connector = aiohttp.TCPConnector(resolver=resolver, limit=self.limits.concurrency, ttl_dns_cache=300)
        self._session = aiohttp.ClientSession(
            connector=connector,
            # Unpacked here, piece by piece, so that a small packet cannot become a large text.
            auto_decompress=False,
            headers={
                "User-Agent": AGENT,
                "Accept-Encoding": "gzip, deflate",
                "Accept": "text/html,application/pdf,*/*",
            },
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=self.limits.timeout, sock_read=self.limits.timeout
            ),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def fetch(self, url: str) -> tuple[Snapshot, str | None]:
        """Return what an address gives, with its text if it has one; nothing is raised for what a server does."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            async with self._all:
                snapshot, content, charset = await self._follow(url)
        except _StoppedError as stop:
            return Snapshot(url=url, outcome=stop.outcome, why=stop.why, fetched=now, **stop.known), None
        except TimeoutError:
            why = f"no whole answer within {self.limits.timeout:g} s"
            return Snapshot(url=url, outcome="timeout", why=why, fetched=now), None
        except ForbiddenAddressError as error:
            return Snapshot(url=url, outcome="forbidden", why=str(error), fetched=now), None
        except (aiohttp.ClientError, ssl.SSLError, OSError, ValueError, zlib.error) as error:
            cause = error.__cause__
            if isinstance(cause, ForbiddenAddressError):
                return Snapshot(url=url, outcome="forbidden", why=str(cause), fetched=now), None
            why = f"{type(error).__name__}: {error}"[:300]
            return Snapshot(url=url, outcome="unreachable", why=why, fetched=now), None
        snapshot = msgspec.structs.replace(snapshot, fetched=now)
        return await asyncio.to_thread(_read, snapshot, content, charset)

    async def _follow(self, url: str) -> tuple[Snapshot, bytes, str | None]:
        """Follow redirects, each checked like the first address, and return the last answer."""
        at = url
        for _ in range(self.limits.redirects + 1):
            parts = checked(at, allow_private=self.limits.allow_private)
            host = self._host(parts)
            if not (await self._robots(host, parts.scheme, parts.netloc)).can_fetch(_ROBOT, at):
                raise _StoppedError("robots", "the site's robots.txt asks not to", final_url=at)
            # The time is for the answer, and not for waiting until it is this address's turn.
            async with (
                self._turn(host),
                asyncio.timeout(self.limits.timeout),
                self._session.get(at, allow_redirects=False) as answer,
            ):
                if answer.status in _REDIRECTS and "Location" in answer.headers:
                    at = urljoin(at, answer.headers["Location"])
                    continue
                known: dict[str, Any] = {
                    "status": answer.status,
                    "final_url": at,
                    "content_type": answer.content_type,
                }
                if answer.status != _OK:
                    raise _StoppedError(
                        "refused", f"the server answered {answer.status} {answer.reason}", **known
                    )
                content = await self._content(answer, known)
                digest = hashlib.sha256(content).hexdigest()
                found = Snapshot(url=url, outcome="ok", size=len(content), sha256=digest, **known)
                return found, content, answer.charset
        raise _StoppedError("refused", f"more than {self.limits.redirects} redirects", final_url=at)

    def _host(self, parts: SplitResult) -> _Host:
        # Rules may differ between http and https.
        return self._hosts.setdefault(f"{parts.scheme}://{parts.netloc}", _Host(self.limits))

    async def _content(self, answer: aiohttp.ClientResponse, known: dict[str, Any], most: int = 0) -> bytes:
        """Return the body as unpacked, within the limits."""
        limits = self.limits
        most = most or limits.bytes
        announced = answer.content_length
        if announced is not None and announced > limits.wire_bytes:
            raise _StoppedError("too_large", f"{announced:,} bytes are announced", **known)
        packing = answer.headers.get("Content-Encoding", "identity").lower()
        if packing not in ("identity", "gzip", "x-gzip", "deflate", ""):
            raise _StoppedError("no_text", f"it is packed by {packing}, which was not asked for", **known)
        unpacker = _unpacker(packing)
        wire, out = 0, bytearray()
        async for chunk in answer.content.iter_chunked(_CHUNK):
            wire += len(chunk)
            if wire > limits.wire_bytes:
                raise _StoppedError("too_large", f"more than {limits.wire_bytes:,} bytes came", **known)
            piece = chunk
            while True:
                out += unpacker.decompress(piece, most - len(out) + 1) if unpacker is not None else piece
                if len(out) > most:
                    raise _StoppedError("too_large", f"more than {most:,} bytes as unpacked", **known)
                if unpacker is None or not unpacker.unconsumed_tail:
                    break
                piece = unpacker.unconsumed_tail
        return bytes(out)

    @asynccontextmanager
    async def _turn(self, host: _Host) -> AsyncIterator[None]:
        """Wait until the host may be asked again."""
        async with host.slots:
            async with host.gate:
                clock = asyncio.get_running_loop().time
                await asyncio.sleep(max(0.0, host.next - clock()))
                host.next = clock() + host.delay
            yield

    async def _robots(self, host: _Host, scheme: str, netloc: str) -> RobotFileParser:
        if host.robots is None:
            host.robots = asyncio.ensure_future(self._read_robots(host, f"{scheme}://{netloc}/robots.txt"))
        return await asyncio.shield(host.robots)

    async def _read_robots(self, host: _Host, url: str) -> RobotFileParser:
        """Return the rules of a host: everything is allowed without a file, and nothing if the server fails (RFC 9309)."""
        rules = RobotFileParser(url)
        rules.parse([])
        # What cannot be reached at all will fail by itself.
        with suppress(
            aiohttp.ClientError,
            OSError,
            TimeoutError,
            ValueError,
            zlib.error,
            _StoppedError,
            ForbiddenAddressError,
        ):
            at = url
            for _ in range(_ROBOTS_REDIRECTS + 1):
                parts = checked(at, allow_private=self.limits.allow_private)
                async with (
                    self._turn(host if at == url else self._host(parts)),
                    asyncio.timeout(self.limits.timeout),
                    self._session.get(at, allow_redirects=False) as answer,
                ):
                    if answer.status in _REDIRECTS and "Location" in answer.headers:
                        at = urljoin(at, answer.headers["Location"])
                        continue
                    if answer.status == _OK:
                        content = await self._content(answer, {}, _ROBOTS)
                        rules.parse(content.decode("utf-8", "replace").splitlines())
                    elif answer.status >= _SERVER_FAILS:
                        rules.parse(["User-agent: *", "Disallow: /"])
                break
        wanted = rules.crawl_delay(_ROBOT)
        if wanted is not None:
            host.delay = max(host.delay, min(float(wanted), _LONGEST_DELAY))
        return rules


def _unpacker(packing: str) -> Any:
    if packing in ("gzip", "x-gzip"):
        return zlib.decompressobj(16 + zlib.MAX_WBITS)
    return zlib.decompressobj() if packing == "deflate" else None


def _read(snapshot: Snapshot, content: bytes, charset: str | None) -> tuple[Snapshot, str | None]:
    kind = kind_of_content(content, snapshot.content_type)
    if kind == "other":
        why = f"{snapshot.content_type or 'what came'} is not text"
        return msgspec.structs.replace(snapshot, outcome="no_text", why=why), None
    try:
        text, title = text_of_content(content, kind, charset)
    except MissingExtraError:
        raise
    except ValueError as error:
        return msgspec.structs.replace(snapshot, outcome="no_text", why=str(error)), None
    if not text:
        why = "the page holds no text; it may be made by a script, or ask for a login"
        return msgspec.structs.replace(snapshot, outcome="no_text", why=why, title=title), None
    return msgspec.structs.replace(snapshot, title=title), text


async def fetch_all(
    urls: Iterable[str],
    limits: FetchLimits | None = None,
    *,
    done: Callable[[Snapshot, str | None], None],
) -> None:
    """Fetch addresses, hosts in turn, and hand over each answer as it comes.

    Args:
        urls: The addresses.
        limits: The limits.
        done: Takes each snapshot with its text.
    """
    async with Fetcher(limits) as fetcher:

        async def one(url: str) -> None:
            done(*await fetcher.fetch(url))

        tasks = [asyncio.ensure_future(one(url)) for url in _in_turn(urls)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def _in_turn(urls: Iterable[str]) -> list[str]:
    """Return the addresses so that one host does not hold up the others."""
    hosts: dict[str, list[str]] = {}
    for url in urls:
        hosts.setdefault(urlsplit(url).netloc, []).append(url)
    queues = list(hosts.values())
    out: list[str] = []
    while queues:
        for queue in queues:
            out.append(queue.pop(0))
        queues = [queue for queue in queues if queue]
    return out
