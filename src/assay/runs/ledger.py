"""The ledger: every call, answer and judgment, kept before it is used and found again by its key.

    with open_ledger("runs.sqlite") as ledger:
        reply = ledger.reply(request.key())
        await ledger.record_call(CallRow(key=…, request=…, reply=…, at=…))

Once ``record_…`` returns, its rows survive a power cut. They survive a kill from the end of the event loop's turn
in which it was called (SQLite; some milliseconds later if another process has the lock). If a question is asked
again, its old reply stays, and the newest one counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from assay.errors import EngineError, UsageError
from assay.models.base import Reply
from assay.runs import ledger_tables as tables
from assay.runs.group_commit import GroupCommit
from assay.runs.ledger_reader import ANSWER, JUDGMENT, REPLY, TABLE, TEXT, LedgerReader, parts
from assay.runs.records import AnswerRow, CallRow, JudgmentRow, RunRow, RunStatus
from assay.runs.row_codec import pack, pack_request
from assay.runs.store import Batch, Settled, Store
from assay.suggest import closest

# Hashes of texts known to be in the ledger.
_KNOWN: Final = 50_000


def open_ledger(where: str | Path, *, read_only: bool = False) -> Ledger:
    """Open a ledger, or create one.

    Args:
        where: Path of an SQLite file, ``:memory:``, or ``postgresql://user@host/database``.
        read_only: Whether to only read an existing ledger, which may be in use.

    Raises:
        UsageError: The address is of an unknown kind.
        InputError: The file is not a ledger, has a newer format, or cannot be opened.
        EngineError: The ledger is damaged or the disk failed.
    """
    address = str(where)
    if address == "none":
        raise UsageError("a run needs a ledger, and 'none' means none; for a file of that name write ./none")
    scheme, colon, rest = address.partition("://")
    kind = scheme.lower() if colon else ""
    if kind in ("postgres", "postgresql"):
        from assay.runs.postgres import PostgresStore  # noqa: PLC0415 - optional

        return Ledger(
            lambda settled: PostgresStore(address, settled, read_only=read_only), read_only=read_only
        )
    if kind and kind != "sqlite":
        near = closest(kind, ("postgresql", "sqlite"), n=1)
        hint = f"did you mean {near[0]}://? It" if near else "it"
        raise UsageError(
            f"{scheme}:// is not a kind of ledger; {hint} may be the path of a file, or postgresql://user@host/database"
        )
    if "\0" in address or not address:
        raise UsageError(f"{address!r} cannot be the path of a ledger")
    from assay.runs.sqlite import SqliteStore  # noqa: PLC0415 - sqlite3 takes a while to load

    return Ledger(
        lambda settled: SqliteStore(
            rest.removeprefix("/") if kind else address, settled, read_only=read_only
        ),
        read_only=read_only,
    )


class Ledger(LedgerReader):
    """The ledger, made by `open_ledger`. Use it from one event loop at a time."""

    def __init__(self, store: Callable[[Settled], Store], *, read_only: bool = False) -> None:
        super().__init__()
        self.read_only = read_only
        self._commits = GroupCommit(self._after)
        self._store: Store = store(self._commits.settled)
        self._commits.attach(self._store)
        self._ids = tables.Ids()
        # Replies that are not durable yet; hashes of texts that are in the ledger.
        self._fresh: dict[str, tuple[float, Reply]] = {}
        self._known: set[str] = set()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write and sync what is left, and close the database."""
        if self._closed:
            return
        self._closed = True
        try:
            self._commits.drain()
        finally:
            self._store.close()

    # Calls

    def reply(self, key: str, since: float = 0.0) -> Reply | None:
        """Return the newest reply to a request, or None; ``since`` (Unix time) ignores older ones.

        Replies that are still being written count too.
        """
        fresh = self._fresh.get(key)
        if fresh is not None and fresh[0] >= since:
            return fresh[1]
        return self.stored_reply(key, since)

    def put_call(self, row: CallRow) -> asyncio.Future[None]:
        """Record a call in this turn of the event loop; the result is done once it is durable."""
        batch = self._batch()
        request = pack_request(row.request, lambda name, data: self._keep(batch, name, data))
        reply = pack(row.reply, REPLY)
        batch.add(
            tables.PUT_CALL,
            self._ids.next(),
            _key(row.key),
            _plain(row.request.model),
            row.at,
            request,
            reply,
        )
        batch.size += len(request) + len(reply)
        batch.replies[row.key] = self._fresh[row.key] = (row.at, row.reply)
        return self._commits.promise()

    async def record_call(self, row: CallRow) -> None:
        """Record a call; return once it is durable. It is recorded even if the caller is cancelled."""
        await self.put_call(row)

    # Answers and judgments

    async def record_answers(self, *rows: AnswerRow) -> None:
        """Record answers whose judgment does not exist yet; it will adopt them."""
        batch = self._batch()
        for row in rows:
            self._add(batch, tables.PUT_LOOSE, _key(row.key), _key(row.judgment), pack(row, ANSWER))
        await self._commits.promise()

    async def record_judgment(
        self, run: str | None, row: JudgmentRow, answers: Sequence[AnswerRow] = ()
    ) -> None:
        """Record a judgment with its answers as part of a run, completely or not at all.

        An earlier judgment of the same key in that run (a failed one, say) stays in the ledger but leaves the run.
        """
        key, status, row_id = _key(row.key), row.judgment.status, self._ids.next()
        data = pack(row, JUDGMENT)
        packed = [(row_id, _key(answer.key), pack(answer, ANSWER)) for answer in answers]
        # Nothing below fails, so that the batch gets everything or nothing.
        batch = self._batch()
        self._add(batch, tables.PUT_JUDGMENT, row_id, key, status, data)
        for values in packed:
            self._add(batch, tables.PUT_ANSWER, *values)
        batch.add(tables.ADOPT, row_id, key)
        batch.add(tables.DROP_LOOSE, key)
        if run is not None:
            batch.add(tables.PUT_MEMBER, run, key, status, row_id)
        await self._commits.promise()

    def join(self, run: str, keys: Iterable[str]) -> set[str]:
        """Make judgments of earlier runs part of this one. Return the keys that were joined: finished ones.

        Returns before they are durable: a resumed run would join them again.
        """
        joined: set[str] = set()
        for part in parts(keys):
            sql = "SELECT key, status, id FROM judgments WHERE status <> 'failed' AND key IN (*) ORDER BY id"
            newest = {row[0]: row for row in self._in(sql, part)}
            batch = self._batch()
            for row in newest.values():
                batch.add(tables.PUT_MEMBER, _key(run), *row)
            joined.update(newest)
        self._commits.soon()
        return joined

    # Runs

    async def start_run(self, row: RunRow) -> None:
        """Record a run, or its resumption: everything except the time of creation is updated."""
        plan, provenance = pack(row.plan, TABLE), pack(row.provenance, TABLE)
        values = (_key(row.id), _key(row.name), row.status, row.created, plan, provenance)
        self._add(self._batch(), tables.PUT_RUN, *values)
        await self._commits.promise()

    async def set_status(self, run: str, status: RunStatus) -> None:
        """Record the status of a run."""
        self._batch().add(tables.SET_STATUS, status, run)
        await self._commits.promise()

    # Facts

    async def set_fact(self, key: str, value: str) -> None:
        """Remember a value under a key; a later value replaces it."""
        self._add(self._batch(), tables.PUT_FACT, _key(key), pack(value, TEXT))
        await self._commits.promise()

    # Claims of processes that share the ledger; see `assay.runs.claims`

    def claim(self, key: str, holder: str, beat: int, *, instead_of: str = "") -> asyncio.Future[None]:
        """Claim a key for a process unless another one has it; ``claimed_by`` tells afterwards."""
        self._add(self._batch(), tables.PUT_CLAIM, _key(key), holder, beat, instead_of)
        return self._commits.promise()

    def drop_claim(self, key: str, holder: str) -> None:
        """Give a claim back."""
        self._batch().add(tables.DROP_CLAIM, _key(key), holder)
        self._commits.soon()

    def drop_holder(self, holder: str) -> None:
        """Give back all claims of a process."""
        self._batch().add(tables.DROP_HOLDER, holder)
        self._commits.soon()

    # How

    def _batch(self) -> Batch:
        if self._closed:
            raise EngineError(f"{self.where}: the ledger is closed")
        return self._commits.batch

    @staticmethod
    def _add(batch: Batch, statement: str, *values: Any) -> None:
        batch.add(statement, *values)
        batch.size += len(values[-1])

    def _keep(self, batch: Batch, name: str, data: Any) -> None:
        if name not in self._known and name not in batch.texts:
            text: bytes = data()
            batch.add(tables.PUT_BLOB, name, text)
            batch.texts.add(name)
            batch.size += len(text)

    def _after(self, batch: Batch, stored: bool) -> None:
        """Update caches once a batch is durable or lost."""
        for key, fresh in batch.replies.items():
            if self._fresh.get(key) is fresh:
                del self._fresh[key]
        if stored:
            if len(self._known) > _KNOWN:
                self._known.clear()
            self._known |= batch.texts


def _key(key: str) -> str:
    """Return a key after checking that any database can store it."""
    if not key.isprintable():
        raise UsageError(f"{key!r} cannot be a name or key in a ledger: it has invisible characters")
    return key


def _plain(text: str) -> str:
    """Return a model's name with unprintable characters replaced, for display; requests keep the original name."""
    return text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)
