"""What commands share that have a model write: options, session, ledger, batch files, and the summary at the end."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from assay.cli.arguments import ADVANCED, JUDGE, option
from assay.cli.batch_files import BatchArguments, BatchFiles
from assay.cli.options import Amount, CallArguments

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.runs.ledger import Ledger
    from assay.runs.session import Session

F = TypeVar("F", bound="Callable[..., Any]")
T = TypeVar("T")
# Default limit of a reply: a rubric of eight items takes about 2,000 tokens, in Chinese more.
_TOKENS: Final = 4096
# Items in progress for each call that may be in flight.
_AHEAD: Final = 2


class WriterSettings(BatchArguments, CallArguments):
    """What the command line says about how models write."""

    temperature: float | None = option("Sampling temperature. [0]", type=Amount(0, 2), group=ADVANCED)
    seed: int | None = option("Sampling seed.", group=ADVANCED)
    max_tokens: int | None = option(
        f"Maximum number of tokens in a reply. [{_TOKENS}; more for long texts]",
        type=click.IntRange(min=1),
        group=ADVANCED,
    )
    retries: int = option(
        "How often to ask again, with the fault named, if a reply cannot be used.",
        default=2,
        type=click.IntRange(min=0),
        group=ADVANCED,
    )


class AuthorArguments(WriterSettings):
    """What the command line says about a model that writes."""

    model: str = option(
        "The model, such as openai/gpt-5-mini; `assay models list` shows them.",
        "MODEL",
        required=True,
        group=JUDGE,
    )


class OptionalAuthorArguments(AuthorArguments):
    """The same for commands that can do without a model."""

    model: str = option(
        "The model, such as openai/gpt-5-mini; `assay models list` shows them.",
        "MODEL",
        default="",
        show_default=False,
        group=JUDGE,
    )


class AuthorSession:
    """A session of one command."""

    def __init__(self, args: WriterSettings, session: Session) -> None:
        self.args = args
        self.backend = session
        # Number of items that wait for replies of a later round.
        self.pending = 0

    def _name(self, model: str | None) -> str:
        if model is not None:
            return model
        if not isinstance(self.args, AuthorArguments):
            raise TypeError("the command names no single model")
        return self.args.model

    async def author(self, model: str | None = None, *, max_tokens: int | None = None) -> Author:
        """Return the command's model, or another one, as an author.

        Raises:
            AssayError: The model does not exist or cannot be reached.
        """
        args, name = self.args, self._name(model)
        settings = (await self.backend.open(name)).settings
        given = {
            "temperature": args.temperature,
            "seed": args.seed,
            # Settings of the model take precedence over the command's default.
            "max_tokens": args.max_tokens or settings.max_tokens or max_tokens,
        }
        changes = {name: value for name, value in given.items() if value is not None}
        return await self.backend.author(name, retries=args.retries, **changes)

    async def window(self, model: str | None = None) -> int | None:
        """Return the context window of the command's model, or of another one, in tokens; None if it is unknown."""
        opened = await self.backend.open(self._name(model))
        window: int | None = opened.settings.context or opened.info.context_window
        return window

    async def each(self, items: Sequence[Any], make: Callable[[Any], Awaitable[T]]) -> list[T | None]:
        """Return a result for each item, in order, working on several at a time; None for items that wait for a batch."""
        import asyncio

        from assay.models.base import PendingCall

        width = asyncio.Semaphore(max(1, self.backend.slots) * _AHEAD)

        async def one(item: Any) -> T | None:
            async with width:
                try:
                    return await make(item)
                except PendingCall:
                    self.pending += 1
                    return None

        tasks = [asyncio.ensure_future(one(item)) for item in items]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            # If one task has failed, the others must not ask models that are about to be closed.
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def run_author_session(
    args: WriterSettings, work: Callable[[AuthorSession], Awaitable[int]], *, models: Sequence[str] = ()
) -> int:
    """Do the work in a session, and return the exit code.

    Args:
        args: What the command line says.
        work: Does the work and returns the exit code.
        models: Models that are asked besides that of the command, if it names one.
    """
    import asyncio

    own = (args.model,) if isinstance(args, AuthorArguments) else ()
    return asyncio.run(_run(args, work, tuple(dict.fromkeys((*own, *models)))))


async def _run(
    args: WriterSettings, work: Callable[[AuthorSession], Awaitable[int]], models: tuple[str, ...]
) -> int:
    from assay.models.base import PendingCall

    async with _opened(args, models) as (session, files):
        code = 2
        try:
            code = await work(session)
        except PendingCall:
            session.pending += 1
            code = 0
        if files is not None:
            await files.close()
            if not args.quiet:
                files.report(session.pending)
        elif not args.quiet:
            _report_usage(session)
        return code


@contextlib.asynccontextmanager
async def _opened(
    args: WriterSettings, models: tuple[str, ...]
) -> AsyncIterator[tuple[AuthorSession, BatchFiles | None]]:
    from assay.models.settings import ModelSettings
    from assay.runs.budget import Budget
    from assay.runs.ledger import open_ledger
    from assay.runs.ledger_location import ledger_location
    from assay.runs.session import Session
    from assay.strategies.prompt_folders import prompt_folders

    folders = prompt_folders(args.prompts)
    overrides = None if args.concurrency is None else ModelSettings(concurrency=args.concurrency)
    where = ledger_location(args.ledger)
    with contextlib.ExitStack() as stack:
        ledger: Ledger | None = None if where == "none" else stack.enter_context(open_ledger(where))
        files = stack.enter_context(args.files(ledger, models)) if args.in_rounds else None
        async with Session(
            ledger=ledger,
            fresh=args.fresh,
            budget=Budget() if files else Budget(usd=args.max_usd, tokens=args.max_total_tokens),
            warming="off" if files else "auto",
            overrides=overrides,
            prompts=folders,
            through=files.round.open if files else None,
        ) as session:
            yield AuthorSession(args, session), files


def _report_usage(session: AuthorSession) -> None:
    spent = session.backend.spending.spent
    if spent.calls:
        click.echo(spent, err=True)
