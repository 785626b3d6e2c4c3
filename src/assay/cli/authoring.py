"""What the commands share that have a model write: options, session, ledger, batch files, and what is said at the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
import msgspec

from assay.cli.batch_rounds import BatchFiles, needs_ledger
from assay.cli.options import Amount, prompts_option
from assay.cli.outputs import OutputPath
from assay.models.base import PendingCall

if TYPE_CHECKING:
    from assay.generation.author import Author
    from assay.runs.ledger import Ledger
    from assay.runs.session import Session

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


def author_options(function: F, *, required: bool = True, model: bool = True) -> F:
    """``--model``, and what goes with it.

    Args:
        function: The command.
        required: Whether it cannot do without a model.
        model: Whether the model is named by ``--model``; else by an option of the command's own.
    """
    named = click.option(
        "--model",
        required=required,
        metavar="MODEL",
        help="Who writes, such as openai/gpt-5-mini; `assay models list` shows them.",
    )
    for option in reversed(
        (
            *((named,) if model else ()),
            click.option("--temperature", type=Amount(0, 2), help="Of the sampling. [0]"),
            click.option(
                "--seed", type=int, help="Of the sampling." if model else "Of all that is drawn. [0]"
            ),
            click.option(
                "--max-tokens",
                type=click.IntRange(min=1),
                help=f"Most tokens of a reply. [{_TOKENS}; more for long texts]",
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
            type=OutputPath(),
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
        asked = self.asked
        settings = (await self.session.open(model or asked.model)).settings
        said = {
            "temperature": asked.temperature,
            "seed": asked.seed,
            # What a command takes for usual gives way to what is set for the model.
            "max_tokens": asked.max_tokens or settings.max_tokens or max_tokens,
        }
        changes = {name: value for name, value in said.items() if value is not None}
        return await self.session.author(model or asked.model, retries=asked.retries, **changes)

    async def window(self, model: str | None = None) -> int | None:
        """What the model of the command, or another one, reads at most, in tokens; None where it is not known."""
        opened = await self.session.open(model or self.asked.model)
        window: int | None = opened.settings.context or opened.info.context_window
        return window

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

        tasks = [asyncio.ensure_future(one(item)) for item in items]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            # Where one has stopped the command, the others ask no more of models that are about to be closed.
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


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
            # What refusals in the files have taught is minded by the next round.
            await files.round.remember()
            files.close()
            if not asked.quiet:
                files.tell(authoring.pending)
        elif not asked.quiet:
            _tell(authoring)
        return code


@contextlib.asynccontextmanager
async def _opened(
    asked: AuthorAsked, models: tuple[str, ...]
) -> AsyncIterator[tuple[Authoring, BatchFiles | None]]:
    from assay.models.settings import ModelSettings  # noqa: PLC0415
    from assay.runs.budget import Budget  # noqa: PLC0415
    from assay.runs.ledger import open_ledger  # noqa: PLC0415
    from assay.runs.ledger_location import ledger_location  # noqa: PLC0415
    from assay.runs.session import Session  # noqa: PLC0415
    from assay.strategies.prompt_folders import prompt_folders  # noqa: PLC0415

    folders = prompt_folders(asked.prompts)
    overrides = None if asked.concurrency is None else ModelSettings(concurrency=asked.concurrency)
    where = ledger_location(asked.ledger)
    in_rounds = asked.requests is not None or bool(asked.responses)
    if in_rounds:
        needs_ledger(where)
    with contextlib.ExitStack() as stack:
        ledger: Ledger | None = None if where == "none" else stack.enter_context(open_ledger(where))
        files = (
            stack.enter_context(
                BatchFiles(ledger, models, requests=asked.requests, responses=asked.responses)
            )
            if in_rounds and ledger is not None
            else None
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


def _tell(authoring: Authoring) -> None:
    from assay.present.numbers import usage_text  # noqa: PLC0415

    spent = authoring.session.spending.spent
    if spent.calls:
        click.echo(usage_text(spent), err=True)
