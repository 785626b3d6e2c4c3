"""``assay view``: the application in the browser that shows what ledgers and folders hold."""

from __future__ import annotations

from typing import Literal

import click

from assay.cli.arguments import ADVANCED, Arguments, argument, option
from assay.cli.commands import command
from assay.errors import MissingExtraError


class ServerArguments(Arguments, group="Server"):
    """Where a server listens, and who may use it."""

    host: str = option(
        "Address to listen on. Beyond this machine every request needs the key of the printed link.",
        "ADDRESS",
        default="127.0.0.1",
    )
    port: int = option(
        "Port to listen on; 0 for any that is free.",
        default=0,
        type=click.IntRange(0, 65535),
        show_default=False,
    )
    name: tuple[str, ...] = option(
        "A further name under which browsers address this server. Repeatable.", "HOST", group=ADVANCED
    )
    key: str | None = option(
        "Key of the link, at least 16 characters; by default a new one is made.",
        "TEXT",
        envvar="ASSAY_WEB_KEY",
        group=ADVANCED,
    )
    browser: bool = option("Whether to open a browser.", flags="--browser/--no-browser", default=True)
    language: Literal["auto", "en", "zh"] = option(
        "Language of the interface; auto: that of the browser.",
        default="auto",
        show_default=False,
        group=ADVANCED,
    )


class ViewArguments(ServerArguments):
    """What the command line of ``assay view`` says."""

    paths: tuple[str, ...] = argument("[PATH]...", required=False)


@command(ViewArguments)
def view(args: ViewArguments) -> int:
    """Open each PATH in the browser: a ledger, JSON or pages of `assay audit`, a folder of `assay bench`, judgments.

    \b
    assay view                               the ledger that runs use
    assay view results.sqlite bench/         a ledger, and a benchmark with its evaluation runs
    assay view audits.json
    assay view --host 0.0.0.0                also from other machines, with the key of the printed link

    It shows runs, their judgments, answers and calls, prompts and replies as they were. It only reads.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    need_web()
    from assay.runs.ledger_location import ledger_location
    from assay.web.opened import open_items
    from assay.web.serving import Address, access_to, link_to, listening, serve
    from assay.web.view_app import view_app

    items = open_items(args.paths or (ledger_location(None),))
    address = Address(host=args.host, port=args.port, names=args.name)
    with listening(address) as listener:
        port: int = listener.getsockname()[1]
        access = access_to(address, port, key=args.key)
        link = link_to(address, port, access)
        app = view_app(items, access, language=None if args.language == "auto" else args.language)
        announce(link, args.host)
        serve(app, listener, open_link=link if args.browser else None)
    return 0


def need_web() -> None:
    """Refuse to go on without the packages of the application.

    Raises:
        MissingExtraError: They are not installed.
    """
    from importlib.util import find_spec

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise MissingExtraError("the application in the browser", "web")


def announce(link: str, host: str) -> None:
    """Say on stderr where the application is, and who can reach it."""
    from assay.web.guard import is_loopback

    click.echo(f"assay: {link}", err=True)
    if not is_loopback(host):
        click.echo(
            "assay: others can reach this address; those who have the link see everything that is open, and nothing is encrypted",
            err=True,
        )
    click.echo("assay: Ctrl+C ends it", err=True)
