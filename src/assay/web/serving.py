"""The server of an application: where it listens, who may use it, and the link that opens it."""

from __future__ import annotations

import contextlib
import secrets
import socket
import webbrowser
from typing import TYPE_CHECKING

import msgspec

from assay.errors import EngineError, UsageError
from assay.web.guard import Access, is_loopback, server_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """Where a server listens.

    Attributes:
        host: Name or IP address of the interface.
        port: Port; 0 for any that is free.
        names: Further names under which browsers may address it.
    """

    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()


def listening(address: Address) -> socket.socket:
    """Return a socket that listens at an address.

    Raises:
        EngineError: The port is taken, or the address does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # With the protocol named, asyncio sends small answers at once; without it each waits 40 ms for an acknowledgement.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((address.host.strip("[]"), address.port))
        found.listen(128)
    except OSError as error:
        found.close()
        raise EngineError(
            f"{address.host}:{address.port}: cannot listen there: {error.strerror}",
            hint="name another host or port",
            cli_hint="name another --host or --port",
        ) from error
    return found


def access_to(
    address: Address,
    port: int,
    *,
    key: str | None = None,
    always: bool = False,
    rater_of: Callable[[str], str | None] = lambda _: None,
    secret: bytes | None = None,
) -> Access:
    """Return who may use a server: on the loopback interface everybody unless a key is asked for always; beyond it who has one.

    Raises:
        UsageError: The key is too short.
    """
    local = is_loopback(address.host)
    if key is not None and len(key) < 16:
        raise UsageError("the key of a server has at least 16 characters; leave it out to have one made")
    return Access(
        hosts=server_names(address.host, address.names),
        numbers=not local,
        key=None if local and not always else key or secrets.token_urlsafe(18),
        rater_of=rater_of,
        secret=secret or secrets.token_bytes(32),
        cookie=f"assay-{port}",
    )


def link_to(address: Address, port: int, access: Access, path: str = "/", key: str | None = None) -> str:
    """Return the link that opens a page, with the key that it needs."""
    host = socket.gethostname() if address.host in ("0.0.0.0", "::") else address.host  # noqa: S104 - compared
    shown = f"[{host}]" if ":" in host else host
    key = key or access.key
    return f"http://{shown}:{port}{path}" + (f"?key={key}" if key else "")


def serve(app: ASGIApp, listener: socket.socket, *, open_link: str | None = None) -> None:
    """Serve an application until it is interrupted."""
    import uvicorn  # noqa: PLC0415 - optional

    config = uvicorn.Config(
        app, log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=2
    )
    if open_link is not None:
        with contextlib.suppress(Exception):  # no browser is no reason to stop
            webbrowser.open(open_link)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
