"""What stands before every request: who may ask, under which name the server is addressed, what a page may load.

- The ``Host`` header must name this server, so that no other site can reach it through a name of its own (DNS rebinding).
- Beyond the loopback interface every request needs the owner's key or the link of a rater.
- The policy of a page admits the files of this package only: no inline script, no request to anywhere else.
- What changes something needs a key that only pages of this server hold, bound to the person who asks.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_SAFE: Final = ("GET", "HEAD")
_LARGEST_BODY: Final = 2_000_000
_YEAR: Final = 365 * 86400
Role = Literal["owner", "rater"]


class Visitor(msgspec.Struct, frozen=True):
    """Who asks: the owner, or a rater by name."""

    role: Role
    name: str = ""


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """Who may use a server.

    Attributes:
        hosts: Names under which the server may be addressed, in lower case.
        numbers: Whether any IP address may be used as its name.
        key: The owner's key; None if everybody who reaches the server is the owner (loopback).
        rater_of: Returns the rater whose key this is, or None.
        secret: Signs the keys of forms.
        cookie: Name of the cookie that holds a key; cookies know no ports.
    """

    hosts: frozenset[str]
    numbers: bool = False
    key: str | None = None
    rater_of: Callable[[str], str | None] = lambda _: None
    secret: bytes = msgspec.field(default_factory=lambda: secrets.token_bytes(32))
    cookie: str = "assay"

    def visitor(self, key: str | None) -> Visitor | None:
        """Return who holds a key, if anybody does."""
        if key and self.key is not None and hmac.compare_digest(key.encode(), self.key.encode()):
            return Visitor("owner")
        rater = self.rater_of(key) if key else None
        if rater is not None:
            return Visitor("rater", rater)
        return Visitor("owner") if self.key is None else None

    def form_key(self, visitor: Visitor) -> str:
        """Return the key that a page puts into its forms for this visitor."""
        words = f"{visitor.role}\0{visitor.name}".encode()
        return hmac.new(self.secret, words, hashlib.sha256).hexdigest()


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def server_names(host: str, more: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the names under which a server bound to ``host`` may be addressed."""
    if is_loopback(host):
        return frozenset({"localhost", "127.0.0.1", "[::1]", host.lower(), *map(str.lower, more)})
    name = socket.gethostname().lower()
    return frozenset({"localhost", host.lower(), name, f"{name}.local", *map(str.lower, more)})


class Guard:
    """The application behind what every request must pass."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._admitted(scope)
        if refusal is None:
            refusal = self._may_change(scope)
        await (refusal or self._app)(scope, _limited(receive), _with_headers(send))

    def _admitted(self, scope: Scope) -> Response | None:
        headers, access = Headers(scope=scope), self._access
        if not self._is_named(headers.get("host", "")):
            return PlainTextResponse("This server does not answer to that name.", 421)
        request = Request(scope)
        given = request.query_params.get("key")
        visitor = access.visitor(given or request.cookies.get(access.cookie))
        if given is not None and request.method in _SAFE:
            return _signed_in(request, access, given, visitor)
        if visitor is None:
            return PlainTextResponse(
                "This page needs its key: open the whole link that was printed or that you were sent.", 401
            )
        scope["state"] = {**scope.get("state", {}), "visitor": visitor, "access": access}
        return None

    def _is_named(self, host: str) -> bool:
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if name.lower() in self._access.hosts:
            return True
        if not self._access.numbers:
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True

    def _may_change(self, scope: Scope) -> Response | None:
        """Refuse what changes something unless a page of this server sent it."""
        if scope["method"] in _SAFE:
            return None
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host")
        visitor: Visitor = scope["state"]["visitor"]
        given = headers.get("x-assay-form", "")
        if foreign or not hmac.compare_digest(given.encode(), self._access.form_key(visitor).encode()):
            return PlainTextResponse("This page is out of date: reload it, and do that again.", 403)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > _LARGEST_BODY:
            return PlainTextResponse("That is too large.", 413)
        return None


def _signed_in(request: Request, access: Access, key: str, visitor: Visitor | None) -> Response | None:
    """Keep the key of a link in a cookie, and open the page without it, so that nobody shares the key by accident."""
    if visitor is None or access.visitor(None) == visitor:
        # On the loopback interface a wrong key is no harm, but a rater must not become the owner by a typing error.
        return PlainTextResponse("This link is not valid (any more): ask for a new one.", 401)
    rest = [(name, value) for name, value in parse_qsl(request.url.query) if name != "key"]
    place = request.url.path + (f"?{urlencode(rest)}" if rest else "")
    response = RedirectResponse(place if place.startswith("/") and not place.startswith("//") else "/", 303)
    response.set_cookie(access.cookie, key, max_age=_YEAR, httponly=True, samesite="lax")
    return response


def _limited(receive: Receive) -> Receive:
    """Stop reading a body that is larger than it said."""
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > _LARGEST_BODY:
            return {"type": "http.disconnect"}
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            put_all(headers, _HEADERS)
            headers.setdefault("Content-Security-Policy", POLICY)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending


def put_all(headers: MutableHeaders, values: Mapping[str, str]) -> None:
    """Set headers."""
    for name, value in values.items():
        headers[name] = value
