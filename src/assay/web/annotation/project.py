"""A labelling project: items, raters, and every answer, in one SQLite file.

An answer is in the file, synced, before the page says that it is saved (``synchronous=FULL``). Nothing is overwritten:
each answer is a new row, and the newest one of a rater to a question counts; undoing adds the value before. So two tabs,
two raters and a killed server lose nothing.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import EngineError, InputError, UsageError
from assay.web.annotation.assignment import Assigned, assign
from assay.web.annotation.items import AnnotationItem
from assay.web.annotation.project_file import APPLICATION, FORMAT, SCHEMA, connected
from assay.web.annotation.project_records import (
    AnswerRecord,
    ItemOutline,
    KnownAnswers,
    ProjectPlan,
    RaterProgress,
    RaterRole,
    RaterRow,
    StaleAnswerError,
)
from assay.web.annotation.questions import turned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class AnnotationProject:
    """A project's file; use it from any thread."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.RLock()
        if not self.path.is_file():
            raise InputError("there is no such labelling project", where=str(path))
        try:
            self._con = connected(self.path)
            with self._lock:
                application = self._con.execute("PRAGMA application_id").fetchone()[0]
                version = self._con.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise InputError(f"cannot be read as a labelling project: {error}", where=str(path)) from error
        if application != APPLICATION:
            self._con.close()
            raise InputError("is not a labelling project", where=str(path), hint="name reports to begin one")
        if version > FORMAT:
            self._con.close()
            raise InputError(
                f"is a labelling project of format {version}", where=str(path), hint="upgrade Assay"
            )
        self.plan = msgspec.json.decode(self.fact("plan"), type=ProjectPlan)
        self.secret = bytes.fromhex(self.fact("secret"))
        self.owner_key = self.fact("owner")

    @classmethod
    def create(
        cls,
        path: str | Path,
        plan: ProjectPlan,
        items: Iterable[AnnotationItem],
        known: Sequence[KnownAnswers] = (),
    ) -> AnnotationProject:
        """Make a new project.

        Args:
            path: File to make.
            plan: What it is about.
            items: What is labelled.
            known: Answers known of some of the items.

        Raises:
            UsageError: The file exists, or there are no items.
            EngineError: The file cannot be written.
        """
        place = Path(path)
        if place.exists():
            raise UsageError(f"{path} exists; open it without sources, or name another file")
        given = list({item.key: item for item in items}.values())
        if not given:
            raise UsageError(f"there is nothing to label for the task {plan.task} in what was named")
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            con = connected(place)
            con.executescript(
                f"BEGIN;{SCHEMA};PRAGMA application_id = {APPLICATION};PRAGMA user_version = {FORMAT};COMMIT"
            )
            con.execute("BEGIN")
            facts = {
                "plan": msgspec.json.encode(msgspec.structs.replace(plan, created=time.time())).decode(),
                "secret": secrets.token_hex(32),
                "owner": secrets.token_urlsafe(18),
                "known": msgspec.json.encode(list(known)).decode(),
            }
            con.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            con.executemany(
                "INSERT INTO items VALUES (?, ?, ?, ?)",
                [(number, item.key, *_packed(item)) for number, item in enumerate(given)],
            )
            con.execute("COMMIT")
            con.close()
        except sqlite3.Error as error:
            raise EngineError(f"{path}: the project cannot be written: {error}") from error
        return cls(place)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._con.close()

    def fact(self, key: str) -> str:
        """Return a fact about the project."""
        rows = self._rows("SELECT value FROM facts WHERE key = ?", key)
        if not rows:
            raise InputError(f"lacks its {key}", where=str(self.path))
        return str(rows[0][0])

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        with self._lock:
            try:
                return self._con.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise EngineError(f"{self.path}: the project cannot be read: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write in one transaction, which is on the disk when this ends."""
        with self._lock:
            try:
                self._con.execute("BEGIN IMMEDIATE")
                yield self._con
                self._con.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                raise EngineError(
                    f"nothing was saved just now, the file cannot be written ({error}); all earlier answers are kept"
                ) from error
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        if self._con.in_transaction:
            try:
                self._con.execute("ROLLBACK")
            except sqlite3.Error:
                return

    # Items and raters

    def item(self, number: int) -> AnnotationItem:
        """Return an item."""
        rows = self._rows("SELECT data FROM items WHERE number = ?", number)
        if not rows:
            raise UsageError("there is no such item")
        return msgspec.json.decode(rows[0][0], type=AnnotationItem)

    @cached_property
    def outlines(self) -> dict[int, ItemOutline]:
        """Names and groups of all items by number, without their texts."""
        rows = self._rows("SELECT number, outline FROM items ORDER BY number")
        return {number: msgspec.json.decode(data, type=ItemOutline) for number, data in rows}

    @cached_property
    def known(self) -> dict[int, KnownAnswers]:
        """What is known of items, by number."""
        rows = self._rows("SELECT value FROM facts WHERE key = 'known'")
        found = msgspec.json.decode(rows[0][0], type=list[KnownAnswers]) if rows else []
        numbers = dict(self._rows("SELECT key, number FROM items"))
        return {numbers[one.key]: one for one in found}

    @property
    def training(self) -> set[int]:
        """Items that raters begin with and are told the answers of; no label comes from them."""
        return {number for number, one in self.known.items() if one.training}

    def numbers(self) -> list[int]:
        """Return the numbers of all items."""
        return [number for (number,) in self._rows("SELECT number FROM items ORDER BY number")]

    def raters(self) -> list[RaterRow]:
        """Return the raters in the order in which they joined."""
        rows = self._rows("SELECT name, link, role FROM raters ORDER BY created, name")
        return [RaterRow(*row) for row in rows]

    def rater_of(self, link: str) -> str | None:
        """Return the rater whose link has this key."""
        rows = self._rows("SELECT name FROM raters WHERE link = ?", link)
        return str(rows[0][0]) if rows else None

    def rater(self, name: str) -> RaterRow:
        """Return a rater by name."""
        rows = self._rows("SELECT name, link, role FROM raters WHERE name = ?", name)
        if not rows:
            raise UsageError("there is no such rater")
        return RaterRow(*rows[0])

    def add_raters(self, names: Sequence[str], role: RaterRole = "rater") -> list[RaterRow]:
        """Add raters and give them their items; those that are there already are left as they are.

        Raises:
            UsageError: A name is empty, too long, or has characters that cannot be seen.
        """
        for name in names:
            if not name.strip() or len(name) > 60 or not name.isprintable():
                raise UsageError(f"{name!r} cannot be the name of a rater; write 1 to 60 characters")
        known = {rater.name for rater in self.raters()}
        fresh = [name for name in dict.fromkeys(item.strip() for item in names) if name not in known]
        with self._writing() as con:
            for name in fresh:
                con.execute(
                    "INSERT INTO raters VALUES (?, ?, ?, ?)",
                    (name, secrets.token_urlsafe(18), role, time.time()),
                )
            if role == "rater" and fresh:
                counts = dict(con.execute("SELECT item, count(*) FROM assignments GROUP BY item"))
                numbers = [number for (number,) in con.execute("SELECT number FROM items")]
                assigned = assign(
                    fresh,
                    numbers,
                    overlap=self.plan.overlap,
                    seed=self.plan.seed,
                    taken=counts,
                    first=self.training,
                    everyone=set(self.known),
                )
                for name, items in assigned.items():
                    self._assign(con, name, items)
        return [self.rater(name) for name in fresh]

    @staticmethod
    def _assign(con: sqlite3.Connection, name: str, items: Iterable[Assigned]) -> None:
        first = con.execute(
            "SELECT coalesce(max(position), -1) + 1 FROM assignments WHERE rater = ?", (name,)
        ).fetchone()[0]
        con.executemany(
            "INSERT OR IGNORE INTO assignments VALUES (?, ?, ?, ?)",
            [(name, first + at, item.item, int(item.swapped)) for at, item in enumerate(items)],
        )

    def give(self, rater: str, items: Iterable[int]) -> None:
        """Give an adjudicator further items, in their order."""
        with self._writing() as con:
            self._assign(con, rater, [Assigned(number, swapped=False) for number in items])

    def assigned(self, rater: str) -> list[Assigned]:
        """Return the items of a rater in their order."""
        rows = self._rows("SELECT item, swapped FROM assignments WHERE rater = ? ORDER BY position", rater)
        return [Assigned(item, bool(swapped)) for item, swapped in rows]

    # Answers

    def record(
        self, rater: str, assigned: Assigned, question: str, value: str | None, *, seen: int, seconds: float
    ) -> int:
        """Keep an answer; return its number once it is on the disk.

        Args:
            rater: The rater.
            assigned: The item as the rater sees it.
            question: Key of the question.
            value: The answer in terms of the sides shown; None takes it back.
            seen: Number of the newest answer of the rater to this item that the page knows.
            seconds: Time since the last answer.

        Raises:
            StaleAnswerError: Another tab has answered since.
            EngineError: The file cannot be written; nothing was kept.
        """
        sided = {item.key for item in self.plan.questions if item.sided}
        kept = turned(value) if value is not None and assigned.swapped and question in sided else value
        with self._writing() as con:
            sql = "SELECT coalesce(max(id), 0) FROM answers WHERE rater = ? AND item = ?"
            newest = con.execute(sql, (rater, assigned.item)).fetchone()[0]
            if newest > seen:
                raise StaleAnswerError(
                    "this item was answered in another tab meanwhile; what is kept is shown now"
                )
            return self._put(con, rater, assigned.item, question, kept, seconds=seconds)

    @staticmethod
    def _put(
        con: sqlite3.Connection,
        rater: str,
        item: int,
        question: str,
        value: str | None,
        *,
        seconds: float,
        undoes: int | None = None,
    ) -> int:
        cursor = con.execute(
            "INSERT INTO answers (rater, item, question, value, at, seconds, undoes) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (rater, item, question, value, time.time(), max(0.0, min(seconds, 3600.0)), undoes),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def undo(self, rater: str) -> int | None:
        """Take back the newest answer of a rater that was not taken back yet; return its item, or None."""
        with self._writing() as con:
            row = con.execute(
                "SELECT id, item, question FROM answers WHERE rater = ? AND undoes IS NULL AND id NOT IN "
                "(SELECT undoes FROM answers WHERE rater = ? AND undoes IS NOT NULL) ORDER BY id DESC LIMIT 1",
                (rater, rater),
            ).fetchone()
            if row is None:
                return None
            number, item, question = row
            before = con.execute(
                "SELECT value FROM answers WHERE rater = ? AND item = ? AND question = ? AND id < ? AND undoes IS NULL "
                "AND id NOT IN (SELECT undoes FROM answers WHERE rater = ? AND undoes IS NOT NULL) ORDER BY id DESC LIMIT 1",
                (rater, item, question, number, rater),
            ).fetchone()
            self._put(
                con, rater, item, question, None if before is None else before[0], seconds=0.0, undoes=number
            )
            return int(item)

    def answers(self, *, rater: str | None = None, item: int | None = None) -> list[AnswerRecord]:
        """Return the newest answers that were not taken back, in the order given, sides as in the item."""
        limits = {"rater": rater, "item": item}
        given = {name: value for name, value in limits.items() if value is not None}
        where = " AND ".join(f"{name} = ?" for name in given) or "1"
        rows = self._rows(
            "SELECT rater, item, question, value, at, id FROM answers WHERE id IN "  # noqa: S608 - fixed words
            f"(SELECT max(id) FROM answers WHERE {where} GROUP BY rater, item, question) AND value IS NOT NULL ORDER BY id",
            *given.values(),
        )
        return [AnswerRecord(*row) for row in rows]

    def shown_answers(self, rater: str, assigned: Assigned) -> tuple[dict[str, str], int]:
        """Return a rater's answers to an item as the rater sees it, and the number of the newest."""
        sided = {item.key for item in self.plan.questions if item.sided}
        found = {
            row.question: turned(row.value or "")
            if assigned.swapped and row.question in sided
            else row.value or ""
            for row in self.answers(rater=rater, item=assigned.item)
        }
        sql = "SELECT coalesce(max(id), 0) FROM answers WHERE rater = ? AND item = ?"
        return found, int(self._rows(sql, rater, assigned.item)[0][0])

    def complete(self, rater: str) -> set[int]:
        """Return the items of which a rater has answered every question."""
        asked = {question.key for question in self.plan.questions}
        given: dict[int, set[str]] = {}
        for row in self.answers(rater=rater):
            given.setdefault(row.item, set()).add(row.question)
        return {item for item, questions in given.items() if asked <= questions}

    def seconds(self, rater: str) -> dict[int, float]:
        """Return the time that a rater has spent on each item."""
        return dict(self._rows("SELECT item, sum(seconds) FROM answers WHERE rater = ? GROUP BY item", rater))

    def progress(self) -> list[RaterProgress]:
        """Return how far each rater is."""
        found = []
        for rater in self.raters():
            done = self.complete(rater.name)
            seconds = self.seconds(rater.name)
            times = sorted(seconds[item] for item in done if item in seconds)
            middle = times[len(times) // 2] if times else 0.0
            found.append(
                RaterProgress(rater, len(done), len(self.assigned(rater.name)), sum(seconds.values()), middle)
            )
        return found


def _packed(item: AnnotationItem) -> tuple[str, str]:
    """Return the outline and the whole of an item as JSON."""
    outline = ItemOutline(subject=item.subject, task=item.task, hidden=item.hidden)
    return msgspec.json.encode(outline).decode(), msgspec.json.encode(item).decode()
