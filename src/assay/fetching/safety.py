"""Where a fetch may go: only http and https, and no address of this machine or its network unless that is allowed.

The address is checked where the connection is made, on the numbers that a name stands for, so that a name cannot mean one
thing when it is checked and another when it is used; and again on every redirect.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

SCHEMES: Final = ("http", "https")
_WRAPPING: Final = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "::/96")))
_SPECIAL: Final = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "64:ff9b:1::/48")))
_PORTS: Final = frozenset({None, 80, 443, 8000, 8080, 8443})


class ForbiddenAddressError(Exception):
    """A place to which no request is sent."""


class PublicResolver(AbstractResolver):
    """Resolves names, and leaves out addresses that are not public.

    Args:
        allow_private: Whether addresses of this machine and its network are allowed.
    """

    def __init__(self, *, allow_private: bool = False) -> None:
        self._resolver = ThreadedResolver()
        self._allow_private = allow_private

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name.

        Raises:
            ForbiddenAddressError: It has none that is public.
        """
        found = await self._resolver.resolve(host, port, family)
        if self._allow_private:
            return found
        public = [item for item in found if is_public(item["host"])]
        if not public:
            raise ForbiddenAddressError(f"{host} is an address of a private network")
        return public

    async def close(self) -> None:
        """Close the resolver."""
        await self._resolver.close()


def is_public(address: str) -> bool:
    """Return whether an address, written as numbers, is one of the public internet."""
    try:
        number: Any = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(number, "ipv4_mapped", None) or getattr(number, "sixtofour", None)
    if mapped is None and any(
        number in network for network in _WRAPPING if network.version == number.version
    ):
        # The last 32 bits are an address of the older kind, to which a gateway may pass the request on.
        mapped = ipaddress.ip_address(int(number) & 0xFFFFFFFF)
    number = mapped or number
    special = any(number in network for network in _SPECIAL if network.version == number.version)
    return bool(number.is_global and not number.is_multicast and not special)


def checked(url: str, *, allow_private: bool = False) -> SplitResult:
    """Return the parts of an address to which a request may be sent.

    Raises:
        ForbiddenAddressError: No request may be sent there.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ForbiddenAddressError(f"not an address: {error}") from error
    if parts.scheme not in SCHEMES:
        raise ForbiddenAddressError(f"only http and https are fetched, not {parts.scheme or 'a bare name'}")
    if not host:
        raise ForbiddenAddressError("the address names no host")
    if parts.username is not None or parts.password is not None:
        raise ForbiddenAddressError("the address holds a user name")
    if allow_private:
        return parts
    if port not in _PORTS:
        raise ForbiddenAddressError(f"port {port} is not one of the web")
    number = _as_number(host)
    if number is not None and not is_public(number):
        raise ForbiddenAddressError(f"{host} is an address of a private network")
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".lan")):
        raise ForbiddenAddressError(f"{host} is a name of a private network")
    return parts


def _as_number(host: str) -> str | None:
    """Return the numeric address that a host is written as, in any way that connections understand ("127.1"); else None."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return None
