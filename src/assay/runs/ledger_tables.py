"""The tables of a ledger, and every statement that writes them, for both SQLite and PostgreSQL.

Only states are overwritten. If a question is asked again, or a judgment made again, new rows are added, and the
newest one counts. Row ids are made by the writer and grow with time, so writing a row twice does no harm.

    blobs     texts, once each, by hash                facts    what was learnt about models, by name
    calls     request and reply; many rows a key       runs     plans, provenance, status
    answers   of a judgment (``made`` is its id)       loose    answers whose judgment does not exist yet
    judgments many rows a key                          members  which judgment counts in which run
    claims    which process asks what, while it lives
"""

from __future__ import annotations

import secrets
import time
from typing import Final

FORMAT: Final = 1
# "ASAY" as a number: marks an SQLite file as ours.
APPLICATION: Final = 0x41534159

# `members` repeats the status, so that resuming and counting need not read the judgments.
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS blobs (hash {key} PRIMARY KEY, text {bytes} NOT NULL);
CREATE TABLE IF NOT EXISTS calls (
  id {id} PRIMARY KEY, key {key} NOT NULL, model TEXT NOT NULL, at {real} NOT NULL,
  request TEXT NOT NULL, reply TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key, id);
CREATE TABLE IF NOT EXISTS answers (
  made {int} NOT NULL, key {key} NOT NULL, data TEXT NOT NULL, PRIMARY KEY (made, key));
CREATE TABLE IF NOT EXISTS loose (key {key} PRIMARY KEY, judgment {key} NOT NULL, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS loose_by_judgment ON loose (judgment);
CREATE TABLE IF NOT EXISTS judgments (
  id {id} PRIMARY KEY, key {key} NOT NULL, status TEXT NOT NULL, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS judgments_by_key ON judgments (key, status);
CREATE TABLE IF NOT EXISTS members (
  run {key} NOT NULL, key {key} NOT NULL, status TEXT NOT NULL, judgment {int} NOT NULL, PRIMARY KEY (run, key)){bare};
CREATE TABLE IF NOT EXISTS runs (
  id {key} PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL, created {real} NOT NULL,
  plan TEXT NOT NULL, provenance TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS facts (key {key} PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS claims (key {key} PRIMARY KEY, holder {key} NOT NULL, beat {int} NOT NULL){bare};
CREATE INDEX IF NOT EXISTS claims_by_holder ON claims (holder)
"""


def schema(**kinds: str) -> list[str]:
    """Return the statements that create the tables.

    Args:
        **kinds: Types ``id``, ``int``, ``real``, ``key`` and ``bytes``, and ``bare``, an option of tables.
    """
    return [statement.strip() for statement in _SCHEMA.format(**kinds).split(";")]


PUT_BLOB: Final = "INSERT INTO blobs (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING"
PUT_CALL: Final = (
    "INSERT INTO calls (id, key, model, at, request, reply) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
PUT_LOOSE: Final = (
    "INSERT INTO loose (key, judgment, data) VALUES (?, ?, ?) "
    "ON CONFLICT (key) DO UPDATE SET judgment = excluded.judgment, data = excluded.data"
)
PUT_JUDGMENT: Final = (
    "INSERT INTO judgments (id, key, status, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
PUT_ANSWER: Final = "INSERT INTO answers (made, key, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
ADOPT: Final = (
    "INSERT INTO answers (made, key, data) SELECT CAST(? AS BIGINT), key, data FROM loose WHERE judgment = ? "
    "ON CONFLICT DO NOTHING"
)
DROP_LOOSE: Final = "DELETE FROM loose WHERE judgment = ?"
PUT_MEMBER: Final = (
    "INSERT INTO members (run, key, status, judgment) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (run, key) DO UPDATE SET status = excluded.status, judgment = excluded.judgment "
    "WHERE excluded.judgment > members.judgment"
)
PUT_RUN: Final = (
    "INSERT INTO runs (id, name, status, created, plan, provenance) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) "
    "DO UPDATE SET name = excluded.name, status = excluded.status, plan = excluded.plan, "
    "provenance = excluded.provenance"
)
SET_STATUS: Final = "UPDATE runs SET status = ? WHERE id = ?"
PUT_FACT: Final = (
    "INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)

# A claim is taken if nobody has it, or the process that had it is dead.
PUT_CLAIM: Final = (
    "INSERT INTO claims (key, holder, beat) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET "
    "holder = excluded.holder, beat = excluded.beat WHERE claims.holder IN (excluded.holder, ?)"
)
DROP_CLAIM: Final = "DELETE FROM claims WHERE key = ? AND holder = ?"
DROP_HOLDER: Final = "DELETE FROM claims WHERE holder = ?"

# Order within a transaction: answers given with a judgment come before adopted ones.
WRITES: Final = (
    PUT_BLOB, PUT_CALL, PUT_RUN, SET_STATUS, PUT_LOOSE, PUT_JUDGMENT, PUT_ANSWER, ADOPT, DROP_LOOSE, PUT_MEMBER,
    PUT_FACT, PUT_CLAIM, DROP_CLAIM, DROP_HOLDER,
)  # fmt: skip


class Ids:
    """Row ids: microseconds since 1970 and eleven random bits, always growing within one process."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """Return a new id."""
        self._last = max(self._last + 1, time.time_ns() // 1000 << 11 | secrets.randbits(11))
        return self._last
