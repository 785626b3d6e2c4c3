"""The batch files of a command that asks models: replies that arrived, requests that wait, and reports on both."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click

from assay.cli.arguments import ADVANCED, Arguments, option
from assay.cli.outputs import OutputPath
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.models.batch_requests import BatchWriter
    from assay.models.batch_responses import Responses
    from assay.runs.batch_round import BatchRound
    from assay.runs.ledger import Ledger


def _refuse_other_file(path: Path) -> None:
    """Refuse to replace a file that is not a batch file, as only an earlier round may be replaced.

    Raises:
        UsageError: Another kind of file has this name.
    """
    import msgspec

    if not path.is_file():
        return
    with path.open("rb") as file:
        first = file.readline()
    try:
        row = msgspec.json.decode(first)
    except (msgspec.DecodeError, UnicodeDecodeError):
        row = None
    if first and not (isinstance(row, dict) and {"custom_id", "body"} <= row.keys()):
        raise UsageError(f"--requests {path} exists and is not a file of requests; name another one")


class BatchArguments(Arguments):
    """How a command asks its questions through batch files, in rounds."""

    requests: str | None = option(
        "Send nothing: write the calls that wait for a reply to this batch file (OpenAI's format).",
        "FILE",
        type=OutputPath(),
        group=ADVANCED,
    )
    responses: tuple[str, ...] = option(
        "First take in the replies of a batch from this file. Repeatable.", "FILE", group=ADVANCED
    )

    @property
    def in_rounds(self) -> bool:
        """Whether models are asked through batch files."""
        return self.requests is not None or bool(self.responses)

    def files(self, ledger: Ledger | None, models: Sequence[str]) -> BatchFiles:
        """Return the batch files of these models.

        Raises:
            UsageError: There is no ledger.
        """
        if ledger is None:
            raise UsageError(
                "batch files need a ledger, in which replies are kept between rounds; leave out --ledger none"
            )
        return BatchFiles(ledger, models, requests=self.requests, responses=self.responses)


class BatchFiles:
    """The batch files of one command, as a context manager.

    Args:
        ledger: Ledger that keeps the replies.
        models: Models that the command asks.
        requests: File for the requests that wait; None to write none.
        responses: Files of replies.
    """

    def __init__(
        self,
        ledger: Ledger,
        models: Sequence[str],
        *,
        requests: str | None = None,
        responses: tuple[str, ...] = (),
    ) -> None:
        self._ledger = ledger
        self._models = tuple(dict.fromkeys(models))
        self._requests = requests
        self._taken = responses
        self._writers: dict[str, BatchWriter] = {}
        self._responses: Responses | None = None
        self.round: BatchRound

    def __enter__(self) -> Self:
        from assay.models.batch_requests import BatchWriter
        from assay.models.batch_responses import Responses
        from assay.runs.batch_round import BatchRound
        from assay.runs.batch_run import paths_of

        requests = self._requests
        if self._taken:
            self._responses = Responses(self._taken)
        if requests is not None:
            if requests == "-" or Path(requests).is_dir():
                raise UsageError(f"--requests {requests} is not a file; name one, such as requests.jsonl")
            places = paths_of(Path(requests), self._models)
            for path in places.values():
                _refuse_other_file(path)
            self._writers = {name: BatchWriter(path) for name, path in places.items()}
        self.round = BatchRound(self._ledger, responses=self._responses, writers=self._writers)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._responses is not None:
            self._responses.close()
        if kind is not None:
            for writer in self._writers.values():
                with contextlib.suppress(OSError):
                    writer.discard()

    async def close(self) -> None:
        """Finish the files of requests, and remember for the next round which settings endpoints have refused."""
        await self.round.remember()
        for writer in self._writers.values():
            writer.close()

    def report(self, pending: int) -> None:
        """Report what was written, what arrived, and what to do next; ``pending`` items wait for replies."""
        from assay.text.amounts import plural

        for name, model in self.round.models.items():
            if self._responses is not None:
                click.echo(f"{name}: {_replies(len(model.used))} read", err=True)
            for fault in list(model.failed.values())[:3]:
                click.echo(f"assay: a request failed: {fault.message}", err=True)
        if self._responses is not None:
            used = {key for model in self.round.models.values() for key in model.used}
            other = sum(key not in used for key in self._responses.keys())  # noqa: SIM118 - no mapping
            if other:
                note = f"{_replies(other)} in the files not needed: already known, or to other requests"
                click.echo(note, err=True)
        written = {str(path): len(writer.keys) for writer in self._writers.values() for path in writer.paths}
        for path, number in written.items():
            click.echo(
                f"wrote {plural(number, 'request')} to {shlex.quote(path)}; nothing was sent", err=True
            )
        if written:
            click.echo("give them to the provider, then read the replies with --responses FILE", err=True)
        elif pending:
            click.echo(f"{pending:,} wait for replies; --requests FILE writes their requests", err=True)
        for writer in self._writers.values():
            for old in writer.stale():
                click.echo(f"{shlex.quote(str(old))} belongs to an earlier round; do not send it", err=True)


def _replies(number: int) -> str:
    return "1 reply" if number == 1 else f"{number:,} replies"
