"""What the commands share that have a model write: options, session, ledger, batch files, and what is said at the end."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import click
import msgspec

from assay.cli.options import Amount, prompts_option
from assay.errors import UsageError
from assay.models.base import PendingCall

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.models.batch_files import BatchWriter, Responses
    from assay.runs.batch_round import Round
    from assay.runs.ledger import Ledger
    from assay.runs.session import Session

__all__ = ["AuthorAsked", "Authoring", "author_options", "batch_options", "run_authoring"]

F = TypeVar("F", bound="Callable[..., Any]")
T = TypeVar("T")
# Most tokens of a reply where nothing is said: a rubric of eight items takes about two thousand, in Chinese more.
_TOKENS: Final = 4096
# Items under way at once, for each call that may be.
_AHEAD: Final = 2


class AuthorAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked on the command line of a model that writes; None and empty where nothing was said."""

    model: str
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    retries: int = 2
    prompts: tuple[str, ...] = ()
    ledger: str | None = None
    fresh: bool = False
    concurrency: int | None = None
    max_usd: float | None = None
    max_total_tokens: int | None = None
    requests: str | None = None
    responses: tuple[str, ...] = ()
    quiet: bool = False


def author_options(function: F) -> F:
    """``--model``, and what goes with it."""
    for option in reversed(
        (
            click.option(
                "--model",
                required=True,
                metavar="MODEL",
                help="Who writes, such as openai/gpt-5-mini; `assay models list` shows them.",
            ),
            click.option("--temperature", type=Amount(0, 2), help="Of the sampling. [0]"),
            click.option("--seed", type=int, help="Of the sampling."),
            click.option(
                "--max-tokens", type=click.IntRange(min=1), help=f"Most tokens of a reply. [{_TOKENS}]"
            ),
            click.option(
                "--retries",
                type=click.IntRange(min=0),
                default=2,
                show_default=True,
                help="How often a reply that cannot be used is asked for again, with what was wrong.",
            ),
            prompts_option,
            click.option(
                "--ledger",
                metavar="WHERE",
                help="Where calls are kept: a file, postgresql://…, or none. [as for `assay judge`]",
            ),
            click.option("--fresh", is_flag=True, help="Ask again what the ledger has answers to."),
            click.option("-j", "--concurrency", type=click.IntRange(min=1), help="Calls under way at once."),
            click.option("--max-usd", type=Amount(min=0), help="Stop before it has cost more."),
            click.option(
                "--max-total-tokens", type=click.IntRange(min=1), help="Stop before it has used more."
            ),
            batch_options,
            click.option("-q", "--quiet", is_flag=True, help="Results only: nothing on what was used."),
        )
    ):
        function = option(function)
    return function


def batch_options(function: F) -> F:
    """``--requests`` and ``--responses``: a command's calls as batch files, in rounds."""
    for option in (
        click.option(
            "--responses",
            multiple=True,
            metavar="FILE",
            help="Take in the replies of a batch before anything else. Repeatable.",
        ),
        click.option(
            "--requests",
            metavar="FILE",
            help="Send nothing: write the calls that wait for a reply as a batch file (OpenAI's format).",
        ),
    ):
        function = option(function)
    return function


class Authoring:
    """A session of one command."""

    def __init__(self, asked: AuthorAsked, session: Session) -> None:
        self.asked = asked
        self.session = session
        # Items that wait for replies of a later round.
        self.pending = 0

    async def author(self, model: str | None = None, *, max_tokens: int | None = None) -> Author:
        """The model of the command, or another one, as an author.

        Raises:
            AssayError: There is no such model, or it cannot be reached.
        """
        from assay.generation.author import Author  # noqa: PLC0415
        from assay.models.base import Sampling  # noqa: PLC0415

        asked = self.asked
        opened = await self.session.open(model or asked.model)
        told = opened.settings
        extra = {**told.body, **({"model": told.name} if told.name else {})}
        temperature = asked.temperature if asked.temperature is not None else told.temperature
        sampling = Sampling(
            temperature=0.0 if temperature is None else temperature,
            top_p=told.top_p,
            max_tokens=asked.max_tokens or told.max_tokens or max_tokens or _TOKENS,
            seed=asked.seed if asked.seed is not None else told.seed,
            reasoning_effort=told.reasoning_effort,
            extra=extra,
        )
        return Author(opened.model, self.session.prompts, sampling=sampling, retries=asked.retries)

    async def each(self, items: Sequence[Any], make: Callable[[Any], Awaitable[T]]) -> list[T | None]:
        """Something for each item, in order, several at a time; None where it waits for a batch."""
        width = asyncio.Semaphore(max(1, self.session.slots) * _AHEAD)

        async def one(item: Any) -> T | None:
            async with width:
                try:
                    return await make(item)
                except PendingCall:
                    self.pending += 1
                    return None

        return list(await asyncio.gather(*(one(item) for item in items)))


def run_authoring(
    asked: AuthorAsked, work: Callable[[Authoring], Awaitable[int]], *, models: Sequence[str] = ()
) -> int:
    """Do the work in a session, and give the exit code.

    Args:
        asked: What was asked on the command line.
        work: What is done; it gives the exit code.
        models: Models asked besides ``--model``.
    """
    return asyncio.run(_run(asked, work, tuple(dict.fromkeys((asked.model, *models)))))


async def _run(
    asked: AuthorAsked, work: Callable[[Authoring], Awaitable[int]], models: tuple[str, ...]
) -> int:
    async with _opened(asked, models) as (authoring, files):
        code = 2
        try:
            code = await work(authoring)
        except PendingCall:
            authoring.pending += 1
            code = 0
        if files is not None:
            files.close()
            files.tell(authoring, quiet=asked.quiet)
        elif not asked.quiet:
            _tell(authoring)
        return code


@contextlib.asynccontextmanager
async def _opened(
    asked: AuthorAsked, models: tuple[str, ...]
) -> AsyncIterator[tuple[Authoring, _Files | None]]:
    from assay.models.settings import ModelSettings  # noqa: PLC0415
    from assay.runs.budget import Budget  # noqa: PLC0415
    from assay.runs.ledger import open_ledger  # noqa: PLC0415
    from assay.runs.place import where_ledger  # noqa: PLC0415
    from assay.runs.session import Session  # noqa: PLC0415
    from assay.strategies.folders import prompt_folders  # noqa: PLC0415

    folders = prompt_folders(asked.prompts)
    overrides = None if asked.concurrency is None else ModelSettings(concurrency=asked.concurrency)
    where = where_ledger(asked.ledger)
    in_rounds = asked.requests is not None or bool(asked.responses)
    if in_rounds and where == "none":
        raise UsageError(
            "batch files need a ledger, in which replies are kept between rounds; leave out --ledger none"
        )
    with contextlib.ExitStack() as stack:
        ledger: Ledger | None = None if where == "none" else stack.enter_context(open_ledger(where))
        files = (
            stack.enter_context(_Files(asked, ledger, models)) if in_rounds and ledger is not None else None
        )
        async with Session(
            ledger=ledger,
            fresh=asked.fresh,
            budget=Budget() if files else Budget(usd=asked.max_usd, tokens=asked.max_total_tokens),
            warming="off" if files else "auto",
            overrides=overrides,
            prompts=folders,
            through=files.round.open if files else None,
        ) as session:
            yield Authoring(asked, session), files


class _Files:
    """The batch files of a command: replies that came, and requests that wait."""

    def __init__(self, asked: AuthorAsked, ledger: Ledger, models: tuple[str, ...]) -> None:
        self._asked = asked
        self._ledger = ledger
        self._models = models
        self._writers: dict[str, BatchWriter] = {}
        self._responses: Responses | None = None
        self.round: Round

    def __enter__(self) -> Self:
        from assay.models.batch_files import BatchWriter, Responses  # noqa: PLC0415
        from assay.runs.batch import paths_of  # noqa: PLC0415
        from assay.runs.batch_round import Round  # noqa: PLC0415

        asked = self._asked
        if asked.responses:
            self._responses = Responses(asked.responses)
        if asked.requests is not None:
            if asked.requests == "-" or Path(asked.requests).is_dir():
                raise UsageError(
                    f"--requests {asked.requests} names no file; name one, such as requests.jsonl"
                )
            places = paths_of(Path(asked.requests), self._models)
            self._writers = {name: BatchWriter(path) for name, path in places.items()}
        self.round = Round(self._ledger, responses=self._responses, writers=self._writers)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._responses is not None:
            self._responses.close()
        if kind is not None:
            for writer in self._writers.values():
                with contextlib.suppress(OSError):
                    writer.discard()

    def close(self) -> None:
        """Put the requests in their place."""
        for writer in self._writers.values():
            writer.close()

    def tell(self, authoring: Authoring, *, quiet: bool) -> None:
        """Say what was written, what came, and what to do next."""
        if quiet:
            return
        for name, model in self.round.models.items():
            if self._responses is not None:
                click.echo(f"{name}: {len(model.used):,} replies taken in", err=True)
            for fault in list(model.failed.values())[:3]:
                click.echo(f"assay: a request failed: {fault.message}", err=True)
        written = {str(path): len(writer.keys) for writer in self._writers.values() for path in writer.paths}
        for path, number in written.items():
            click.echo(f"wrote {number:,} requests to {shlex.quote(path)}; nothing was sent", err=True)
        if written:
            click.echo("give them to the provider, and take the replies in with --responses FILE", err=True)
        elif authoring.pending:
            click.echo(
                f"{authoring.pending:,} wait for replies; --requests FILE writes what they ask", err=True
            )


def _tell(authoring: Authoring) -> None:
    from assay.present.run_tables import usage_text  # noqa: PLC0415

    spent = authoring.session.spending.spent
    if spent.calls:
        click.echo(usage_text(spent), err=True)
