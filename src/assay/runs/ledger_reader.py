"""Reading a ledger: rows found by key, or read page by page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from assay.errors import LedgerError, UsageError
from assay.models.base import Reply, Usage
from assay.runs.records import AnswerRow, CallRow, JudgmentRow, RunHead, RunRow
from assay.runs.row_codec import RowCodec, references, text_name, text_of, unpack_request
from assay.runs.store import Store
from assay.suggest import did_you_mean

REPLY: Final = RowCodec.of(Reply)
ANSWER: Final = RowCodec.of(AnswerRow)
JUDGMENT: Final = RowCodec.of(JudgmentRow)
TABLE: Final = RowCodec.of(dict[str, Any])
TEXT: Final = RowCodec.of(str)
# Rows fetched at a time, and keys in one query.
_PAGE: Final = 500
_CALL: Final = "SELECT key, at, request, reply FROM calls WHERE "


class _CallKeys(msgspec.Struct):
    calls: tuple[str, ...] = ()


class _AnswerCallKeys(msgspec.Struct):
    answer: _CallKeys


class _ReplyUsage(msgspec.Struct):
    usage: Usage = Usage(calls=1)


_CALLS_ONLY: Final = RowCodec.of(_AnswerCallKeys)
_USAGE_ONLY: Final = RowCodec.of(_ReplyUsage)


class LedgerReader:
    """The reading half of a ledger."""

    _store: Store

    def __init__(self) -> None:
        # Texts of the requests read last, which the next ones often share.
        self._held: dict[str, str] = {}

    @property
    def where(self) -> str:
        """Path or address of the ledger, without a password."""
        return self._store.where

    # Calls

    def stored_reply(self, key: str, since: float = 0.0) -> Reply | None:
        """Return the newest reply to a request in the database, unless it is older than ``since``."""
        rows = self._store.rows("SELECT reply, at FROM calls WHERE key = ? ORDER BY id DESC LIMIT 1", (key,))
        if not rows or rows[0][1] < since:
            return None
        reply: Reply = self._unpack(REPLY, rows[0][0], key)
        return reply

    def calls(self, keys: Iterable[str]) -> Iterator[CallRow]:
        """Yield the newest call of each key, in the order given; keys without a call are left out."""
        for part in parts(keys):
            rows = self._in(f"{_CALL} key IN (*) ORDER BY id", part)
            newest = {row[0]: row for row in rows}
            yield from self._call_rows([newest[key] for key in part if key in newest])

    def history(self, key: str) -> list[CallRow]:
        """Return all calls of a key, newest first."""
        return list(self._call_rows(self._store.rows(f"{_CALL} key = ? ORDER BY id DESC", (key,))))

    def find_call(self, start: str) -> list[str]:
        """Return up to ten keys of calls with this prefix."""
        sql = "SELECT DISTINCT key FROM calls WHERE key >= ? AND key < ? ORDER BY key LIMIT 10"
        return [key for (key,) in self._store.rows(sql, (start, start + "~"))]

    def claimed_by(self, key: str) -> str | None:
        """Return the process that has claimed a key."""
        rows = self._store.rows("SELECT holder FROM claims WHERE key = ?", (key,))
        return rows[0][0] if rows else None

    def holders(self, start: str) -> list[tuple[str, int]]:
        """Return processes and their signs of life, of the claims whose key has this beginning."""
        sql = "SELECT holder, beat FROM claims WHERE key >= ? AND key < ?"
        return [(holder, beat) for holder, beat in self._store.rows(sql, (start, start + "~"))]

    # Judgments and answers

    def finished(self, run: str | None = None) -> set[str]:
        """Return the keys of the judgments (of one run or of all) that need not be made again: all except failed ones."""
        if run is None:
            rows = self._store.rows("SELECT DISTINCT key FROM judgments WHERE status <> 'failed'")
        else:
            rows = self._store.rows("SELECT key FROM members WHERE run = ? AND status <> 'failed'", (run,))
        return {key for (key,) in rows}

    def judgment(self, key: str, run: str | None = None) -> JudgmentRow | None:
        """Return a judgment of a run; without a run the newest one, a failed one only if there is no other."""
        stored = self._made(key, run)
        if stored is None:
            return None
        row: JudgmentRow = self._unpack(JUDGMENT, stored[1], key)
        return row

    def _made(self, key: str, run: str | None) -> tuple[int, str] | None:
        if run is None:
            # False sorts before true.
            sql = "SELECT id, data FROM judgments WHERE key = ? ORDER BY status = 'failed', id DESC LIMIT 1"
            rows = self._store.rows(sql, (key,))
        else:
            sql = (
                "SELECT j.id, j.data FROM members m JOIN judgments j ON j.id = m.judgment "
                "WHERE m.run = ? AND m.key = ?"
            )
            rows = self._store.rows(sql, (run, key))
        return (rows[0][0], rows[0][1]) if rows else None

    def answers_to(self, judgment: str, run: str | None = None) -> list[AnswerRow]:
        """Return the answers of a judgment, or those recorded so far for a missing one; sorted by unit and order."""
        stored = self._made(judgment, run)
        if stored is not None:
            rows = self._store.rows("SELECT data FROM answers WHERE made = ?", (stored[0],))
        else:
            rows = self._store.rows("SELECT data FROM loose WHERE judgment = ?", (judgment,))
        answers: list[AnswerRow] = [self._unpack(ANSWER, data, judgment) for (data,) in rows]
        return sorted(answers, key=lambda row: (len(row.unit), row.unit, row.order, row.criteria, row.key))

    def find_judgment(self, run: str, start: str) -> list[str]:
        """Return up to ten keys of judgments of a run with this prefix."""
        sql = "SELECT key FROM members WHERE run = ? AND key >= ? AND key < ? ORDER BY key LIMIT 10"
        return [key for (key,) in self._store.rows(sql, (run, start, start + "~"))]

    def judgments(self, run: str) -> Iterator[JudgmentRow]:
        """Yield all judgments of a run by key, whatever the order they were made in; at most a page is in memory."""
        sql = (
            "SELECT m.key, j.data FROM members m JOIN judgments j ON j.id = m.judgment "
            "WHERE m.run = ? AND m.key > ? ORDER BY m.key LIMIT ?"
        )
        for key, data in self._pages(sql, run):
            yield self._unpack(JUDGMENT, data, key)

    def judgment_ids(self, run: str) -> dict[str, int]:
        """Return the row of each judgment of a run, by key; a judgment that is made again gets another row."""
        return dict(self._store.rows("SELECT key, judgment FROM members WHERE run = ?", (run,)))

    def partial_judgments(
        self, run: str, codec: RowCodec, *, after: str = "", keys: Iterable[str] | None = None
    ) -> Iterator[tuple[str, int, Any]]:
        """Yield key, row and judgment of a run by key, decoded as a struct that may leave fields out.

        Args:
            run: Id of the run.
            codec: Codec of the struct, whose fields are some of those of `JudgmentRow`.
            after: Key after which to begin.
            keys: The judgments to read; None for all.
        """
        columns = "SELECT m.key, j.id, j.data FROM members m JOIN judgments j ON j.id = m.judgment WHERE m.run = ? AND"
        if keys is None:
            for key, row, data in self._pages(f"{columns} m.key > ? ORDER BY m.key LIMIT ?", run, after):
                yield key, row, self._unpack(codec, data, key)
            return
        for part in parts(sorted(keys)):
            for key, row, data in self._in(f"{columns} m.key IN (*)", [*part], first=run):
                yield key, row, self._unpack(codec, data, key)

    def answers(self, run: str) -> Iterator[AnswerRow]:
        """Yield all answers of a run, in the order of `judgments`."""
        for key, data in self._answer_data(run):
            yield self._unpack(ANSWER, data, key)

    def call_keys(self, run: str) -> Iterator[str]:
        """Yield the keys of the calls behind a run, each once."""
        known: set[str] = set()
        for key, data in self._answer_data(run):
            for call in self._unpack(_CALLS_ONLY, data, key).answer.calls:
                if call not in known:
                    known.add(call)
                    yield call

    def _answer_data(self, run: str) -> Iterator[tuple[str, str]]:
        sql = "SELECT m.key, m.judgment FROM members m WHERE m.run = ? AND m.key > ? ORDER BY m.key LIMIT ?"
        for page in parts(self._pages(sql, run)):
            by_judgment: dict[int, list[tuple[str, str]]] = {judgment: [] for _, judgment in page}
            for judgment, key, data in self._in(
                "SELECT made, key, data FROM answers WHERE made IN (*) ORDER BY made, key", list(by_judgment)
            ):
                by_judgment[judgment].append((key, data))
            for rows in by_judgment.values():
                yield from rows

    # Runs

    def runs(self) -> list[RunHead]:
        """Return all runs, newest first, with the number of their judgments."""
        counts: dict[str, dict[str, int]] = {}
        for run, status, count in self._store.rows(
            "SELECT run, status, count(*) FROM members GROUP BY run, status ORDER BY run, status"
        ):
            counts.setdefault(run, {})[status] = count
        return [
            RunHead(id=run, name=name, status=status, created=created, judgments=counts.get(run, {}))
            for run, name, status, created in self._store.rows(
                "SELECT id, name, status, created FROM runs ORDER BY created DESC, id"
            )
        ]

    def run(self, name: str) -> RunRow:
        """Return a run by its id, or the newest run of this name.

        Raises:
            UsageError: There is none; the message offers similar names.
        """
        rows = self._store.rows(
            "SELECT id, name, status, created, plan, provenance FROM runs WHERE id = ? OR name = ? "
            "ORDER BY id = ? DESC, created DESC LIMIT 1",
            (name, name, name),
        )
        if not rows:
            raise UsageError(f"{self.where}: no run is called {name!r}; {self._near(name)}")
        run, called, status, created, plan, provenance = rows[0]
        return RunRow(
            id=run,
            name=called,
            status=status,
            created=created,
            plan=self._unpack(TABLE, plan, run),
            provenance=self._unpack(TABLE, provenance, run),
        )

    def _near(self, name: str) -> str:
        names = [
            label
            for row in self._store.rows("SELECT name, id FROM runs ORDER BY created DESC")
            for label in row
        ]
        latest = f"there are {', '.join(dict.fromkeys(names[:10:2]))}" if names else "there are none yet"
        return did_you_mean(name, names, otherwise=latest)

    def coverage(self, run: str) -> dict[str, int]:
        """Return the number of judgments of a run by status."""
        sql = "SELECT status, count(*) FROM members WHERE run = ? GROUP BY status ORDER BY status"
        return dict(self._store.rows(sql, (run,)))

    def usage_by_model(self, run: str) -> dict[str, Usage]:
        """Return the usage of the calls behind a run by model, whichever run paid for them."""
        total: dict[str, Usage] = {}
        for part in parts(self.call_keys(run)):
            rows = self._in("SELECT key, model, reply FROM calls WHERE key IN (*) ORDER BY id", part)
            for key, model, reply in {row[0]: row for row in rows}.values():
                used: Usage = self._unpack(_USAGE_ONLY, reply, key).usage
                total[model] = total[model] + used if model in total else used
        return dict(sorted(total.items()))

    # Facts

    def fact(self, key: str) -> str | None:
        """Return a remembered value, such as whether a model reports cached tokens."""
        rows = self._store.rows("SELECT value FROM facts WHERE key = ?", (key,))
        return None if not rows else self._unpack(TEXT, rows[0][0], key)

    def facts_of(self, start: str) -> dict[str, str]:
        """Return the remembered values whose name has this beginning."""
        sql = "SELECT key, value FROM facts WHERE key >= ? AND key < ? ORDER BY key"
        return {
            key: self._unpack(TEXT, value, key) for key, value in self._store.rows(sql, (start, start + "~"))
        }

    def facts(self) -> dict[str, str]:
        """Return all remembered values."""
        rows = self._store.rows("SELECT key, value FROM facts ORDER BY key")
        return {key: self._unpack(TEXT, value, key) for key, value in rows}

    # How

    def _unpack(self, row: RowCodec, data: str, key: str) -> Any:
        try:
            return row.unpack(data)
        except (msgspec.MsgspecError, ValueError, KeyError, TypeError) as error:
            raise LedgerError(f"{self.where}: the row of {key} cannot be read: {error}") from error

    def _in(self, sql: str, values: Sequence[Any], first: str | None = None) -> list[tuple[Any, ...]]:
        given = values if first is None else (first, *values)
        return self._store.rows(sql.replace("(*)", f"({', '.join('?' * len(values))})"), given)

    def _pages(self, sql: str, run: str, last: str = "") -> Iterator[tuple[Any, ...]]:
        # A query per page, so that a long read does not keep the log from starting over.
        while page := self._store.rows(sql, (run, last, _PAGE)):
            yield from page
            last = page[-1][0]

    def _call_rows(self, rows: list[tuple[Any, ...]]) -> Iterator[CallRow]:
        wanted = {name for row in rows for name in self._names(row[2], row[0])}
        texts = {name: self._held[name] for name in wanted & self._held.keys()}
        for part in parts(wanted - texts.keys()):
            for name, data in self._in("SELECT hash, text FROM blobs WHERE hash IN (*)", part):
                if text_name(data) != name:
                    raise LedgerError(f"{self.where}: the text {name} is damaged; it is not what was written")
                texts[name] = text_of(data)
        # Leads recur from page to page; other texts are dropped with the next page.
        self._held = texts
        for key, at, request, reply in rows:
            try:
                unpacked = unpack_request(request, texts.__getitem__)
            except KeyError as error:
                raise LedgerError(f"{self.where}: a text of the call {key} is missing: {error}") from error
            except (msgspec.MsgspecError, ValueError, TypeError) as error:
                raise LedgerError(f"{self.where}: the request of {key} cannot be read: {error}") from error
            yield CallRow(key=key, request=unpacked, reply=self._unpack(REPLY, reply, key), at=at)

    def _names(self, request: str, key: str) -> list[str]:
        try:
            return list(references(request))
        except (msgspec.MsgspecError, ValueError) as error:
            raise LedgerError(f"{self.where}: the request of {key} cannot be read: {error}") from error


def parts(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Split a sequence into lists of at most one page."""
    part: list[Any] = []
    for value in values:
        part.append(value)
        if len(part) == _PAGE:
            yield part
            part = []
    if part:
        yield part
