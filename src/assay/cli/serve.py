"""``assay serve``: audits, judgments, comparisons and grades over HTTP."""

from __future__ import annotations

import os

import click

from assay.cli.arguments import ADVANCED, JUDGE, LIMITS, Arguments, option
from assay.cli.commands import command
from assay.cli.options import Amount
from assay.errors import MissingExtraError, UsageError

_SHORTEST_TOKEN = 16


class ServiceArguments(Arguments, group="Server"):
    """What the command line of ``assay serve`` says."""

    host: str = option(
        "Address to listen on. Beyond this machine every request needs a token.",
        "ADDRESS",
        default="127.0.0.1",
    )
    port: int = option(
        "Port to listen on; 0 for any that is free.", default=8600, type=click.IntRange(0, 65535)
    )
    token: str | None = option(
        "What requests must bring as a bearer token, at least 16 characters. Beyond this machine one is made if "
        "there is none.",
        "TEXT",
        envvar="ASSAY_SERVE_TOKEN",
    )
    judge: tuple[str, ...] = option(
        "A judge that callers may ask, as NAME=JUDGE or JUDGE. Repeatable; the first is the default. [rules]",
        "[NAME=]JUDGE",
        group=JUDGE,
    )
    model: str | None = option(
        "Model that reads reports for faults, for audits with a review.", "MODEL", group=JUDGE
    )
    workers: int | None = option(
        "Processes that audit. [one a core]", "N", type=click.IntRange(1), group=LIMITS, show_default=False
    )
    queue: int = option(
        "Maximum audits that wait or run, and judgments as well; more get status 503.",
        "N",
        type=click.IntRange(1),
        default=64,
        group=LIMITS,
    )
    max_usd: float | None = option(
        "Most that all judgments together may cost, and each review (US dollars).",
        type=Amount(0),
        group=LIMITS,
    )
    ledger: str | None = option(
        "Where calls and judgments are kept, so that none is paid for twice. [nowhere]", "WHERE", group=LIMITS
    )
    concurrency: int | None = option(
        "Maximum number of calls in flight for each model.", "N", type=click.IntRange(1), group=ADVANCED
    )
    max_bytes: int = option(
        "The largest request.", "BYTES", type=click.IntRange(1), default=4_000_000, group=ADVANCED
    )


@command(ServiceArguments)
def serve(args: ServiceArguments) -> int:
    """Answer POST /v1/audit, /v1/judge, /v1/compare and /v1/grade with JSON, until it is interrupted.

    \b
    assay serve                                              audits and the judge of rules
    assay serve --judge openai/gpt-5-mini --ledger calls.sqlite --max-usd 20
    curl localhost:8600/v1/audit -H 'Content-Type: application/json' -d '{"report": "# Title ..."}'

    /openapi.json describes it, /health says whether it works, /metrics is for Prometheus. Callers send whole texts: no
    file of the server is opened for them and no page is fetched.
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "prometheus_client")):
        raise MissingExtraError("the service", "serve")
    from assay.runs.budget import Budget
    from assay.runs.run_settings import RunSettings
    from assay.services.http_service import HttpService, ServiceSettings
    from assay.web.guard import is_loopback
    from assay.web.serving import Address, listening
    from assay.web.serving import serve as serve_until_interrupted

    if args.token is not None and len(args.token) < _SHORTEST_TOKEN:
        raise UsageError(f"the token has {len(args.token)} characters; it has at least {_SHORTEST_TOKEN}")
    token = args.token
    if token is None and not is_loopback(args.host):
        token = _new_token()
    run = RunSettings(
        progress=False,
        ledger=args.ledger,
        budget=None if args.max_usd is None else Budget(usd=args.max_usd),
        max_concurrency=args.concurrency,
    )
    settings = ServiceSettings(
        judges=_judges(args.judge or ("rules",)),
        model=args.model,
        token=token,
        workers=args.workers or os.cpu_count() or 1,
        longest_queue=args.queue,
        max_bytes=args.max_bytes,
        run=run,
    )
    service = HttpService(settings)
    with listening(Address(host=args.host, port=args.port)) as listener:
        port: int = listener.getsockname()[1]
        click.echo(
            f"assay: http://{args.host}:{port}/openapi.json describes the service; Ctrl+C ends it", err=True
        )
        if token is not None and args.token is None:
            click.echo(f"assay: every request needs Authorization: Bearer {token}", err=True)
        if not is_loopback(args.host):
            click.echo("assay: nothing is encrypted; put a proxy with TLS before it", err=True)
        serve_until_interrupted(service.app, listener)
    return 0


def _new_token() -> str:
    import secrets

    return secrets.token_urlsafe(24)


def _judges(given: tuple[str, ...]) -> dict[str, str]:
    """Return the judges by name; a judge without a name is called as it is written."""
    found: dict[str, str] = {}
    for item in given:
        name, mark, spec = item.partition("=")
        if not mark:
            name = spec = item
        if name in found:
            raise UsageError(
                f"two judges are called {name!r}; name one of them otherwise, as in other={spec}"
            )
        found[name] = spec
    return found
