"""An index of the judgments of runs, for tables that are filtered, sorted and searched without loading everything.

The ledger is only read. What a table needs of each judgment is copied once into a temporary SQLite file, in the
background; new judgments of a run that is going on are added as they come. Pages go on from the last row shown (keyset
paging), so that the thousandth page costs as much as the first.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, Literal, Protocol

import msgspec

from assay.errors import UsageError
from assay.web.judgment_heads import JudgmentHead

_COLUMNS: Final = (
    "key", "row", "subject", "judge", "rubric", "system", "mode", "status", "problem", "verdict", "score", "split",
    "vals", "tokens", "cost", "calls", "trial", "at", "ident", "spread",
)  # fmt: skip
_SCHEMA: Final = """
CREATE TABLE heads (
  run INTEGER NOT NULL, key TEXT NOT NULL, row INTEGER NOT NULL, subject TEXT NOT NULL, judge TEXT NOT NULL,
  rubric TEXT NOT NULL, system TEXT NOT NULL, mode TEXT NOT NULL, status TEXT NOT NULL, problem TEXT NOT NULL,
  verdict TEXT NOT NULL, score REAL, split INTEGER NOT NULL, vals TEXT NOT NULL, tokens INTEGER NOT NULL, cost REAL,
  calls INTEGER NOT NULL, trial INTEGER NOT NULL, at REAL NOT NULL, ident TEXT NOT NULL, spread REAL, place TEXT NOT NULL,
  PRIMARY KEY (run, key)
) WITHOUT ROWID
"""
_INDEXES: Final = (
    ("judge", "run, judge, system, status"),
    ("system", "run, system, status"),
    ("status", "run, status"),
    ("verdict", "run, verdict"),
    ("subject", "run, subject, rubric, mode, verdict, split, score"),
    ("ident", "run, ident, rubric, mode, trial"),
    ("place", "run, place"),
    ("score", "run, coalesce(score, -1e308)"),
    ("spread", "run, coalesce(spread, -1e308)"),
    ("tokens", "run, tokens"),
    ("at", "run, at"),
)
# Written beside them: the subject with its numbers padded, so that row 10 comes after row 9.
_PLACE: Final = "place"
_NUMBER: Final = re.compile(r"\d+")
_PADDED: Final = 12
_FIELDS: Final = {"vals": "values", "ident": "case"}
SORTS: Final = ("subject", "key", "judge", "system", "status", "score", "spread", "tokens", "at")
_FACETS: Final = ("judge", "system", "rubric", "mode", "status", "verdict")
# Smallest difference of scores that counts as disagreement, in points of the scale.
APART: Final = 1.0
_BATCH: Final = 2000
_MANY: Final = 20_000


class HeadSource(Protocol):
    """Where the judgments of a run come from."""

    def rows(self) -> dict[str, int]:
        """Return the row of each judgment by key."""
        ...

    def heads(self, keys: Iterable[str] | None = None) -> Iterator[JudgmentHead]:
        """Yield all judgments by key, or those with these keys."""
        ...


class HeadFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which judgments a table shows, and in which order.

    Attributes:
        judge: Name of the judge; "" for any. So are system, rubric, mode, status and verdict.
        disagree: Only cases on which judges or orders disagree.
        search: Words that subject, id, problem, judge or system contain.
        criterion: Criterion whose verdict is shown, instead of the whole.
        value: Only judgments with this verdict on the criterion.
        sort: One of `SORTS`, or "value" for that of the criterion.
        down: Whether the largest comes first.
    """

    judge: str = ""
    system: str = ""
    rubric: str = ""
    mode: str = ""
    status: str = ""
    verdict: str = ""
    disagree: bool = False
    search: str = ""
    criterion: str = ""
    value: str = ""
    sort: str = "subject"
    down: bool = False


EVERYTHING: Final = HeadFilter()


class HeadPage(msgspec.Struct, frozen=True):
    """Some rows of a table, and where the next ones begin; None after the last."""

    rows: tuple[JudgmentHead, ...]
    next: str | None


class JudgmentIndex:
    """The index of one server; use it from any thread."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="assay-view-")
        self._path = f"{self._folder.name}/index.sqlite"
        self._local = threading.local()
        self._writing = threading.Lock()
        self._runs: dict[str, int] = {}
        self._done: dict[int, int] = {}
        self._facets: dict[tuple[int, str], tuple[int, list[tuple[str, int]]]] = {}
        self._criteria: dict[int, tuple[int, list[str]]] = {}
        con = self._con()
        con.execute("PRAGMA journal_mode = WAL")
        con.execute(_SCHEMA)

    def close(self) -> None:
        """Remove the index."""
        self._folder.cleanup()

    def _con(self) -> sqlite3.Connection:
        con: sqlite3.Connection | None = getattr(self._local, "con", None)
        if con is None:
            con = self._local.con = sqlite3.connect(self._path, isolation_level=None, timeout=30.0)
            # A lost index is made again.
            con.execute("PRAGMA synchronous = OFF")
            con.execute("PRAGMA cache_size = -65536")
        return con

    # Filling

    def refresh(self, run: str, source: HeadSource, progress: Callable[[int], None] = lambda _: None) -> int:
        """Bring a run up to date; return how many judgments were added or replaced."""
        with self._writing:
            number = self._runs.setdefault(run, len(self._runs))
            con = self._con()
            stored = source.rows()
            known = dict(con.execute("SELECT key, row FROM heads WHERE run = ?", (number,)))
            fresh = [key for key, row in stored.items() if known.get(key) != row]
            gone = known.keys() - stored.keys()
            if fresh or gone:
                if gone:
                    con.executemany(
                        "DELETE FROM heads WHERE run = ? AND key = ?", [(number, key) for key in gone]
                    )
                heads = source.heads(None if len(fresh) == len(stored) else fresh)
                large = len(fresh) > _MANY
                if large:  # rows are cheaper without indexes, which are made again below
                    for name, _ in _INDEXES:
                        con.execute(f"DROP INDEX IF EXISTS by_{name}")
                subjects = self._insert(con, number, heads, progress)
                con.execute(f"CREATE INDEX IF NOT EXISTS by_subject ON heads ({dict(_INDEXES)['subject']})")
                self._compare(con, number, subjects if known else None)
                for name, columns in _INDEXES:
                    con.execute(f"CREATE INDEX IF NOT EXISTS by_{name} ON heads ({columns})")
            self._done[number] = self._done.get(number, 0) + len(fresh) + len(gone)
            return len(fresh)

    @staticmethod
    def _insert(
        con: sqlite3.Connection, run: int, heads: Iterator[JudgmentHead], progress: Callable[[int], None]
    ) -> set[str]:
        marks = ", ".join("?" * (len(_COLUMNS) + 2))
        sql = f"INSERT OR REPLACE INTO heads (run, {', '.join(_COLUMNS)}, {_PLACE}) VALUES ({marks})"  # noqa: S608 - our columns
        subjects: set[str] = set()
        done = 0
        while batch := list(islice(heads, _BATCH)):
            con.execute("BEGIN")
            con.executemany(sql, [(run, *_values_of(head), _place_of(head)) for head in batch])
            con.execute("COMMIT")
            subjects.update(head.subject for head in batch)
            done += len(batch)
            progress(done)
        return subjects

    @staticmethod
    def _compare(con: sqlite3.Connection, run: int, subjects: set[str] | None) -> None:
        """Compute how far judges are apart on each case; ``subjects`` limits it to some."""
        con.execute("BEGIN")
        con.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (subject TEXT PRIMARY KEY)")
        con.execute("DELETE FROM wanted")
        some = subjects is not None
        if subjects is not None:
            con.executemany("INSERT INTO wanted VALUES (?)", [(name,) for name in subjects])
        con.execute(
            "CREATE TEMP TABLE IF NOT EXISTS spreads "
            "(subject TEXT, rubric TEXT, spread REAL, PRIMARY KEY (subject, rubric)) WITHOUT ROWID"
        )
        con.execute("DELETE FROM spreads")
        limit = "AND subject IN (SELECT subject FROM wanted)" if some else ""
        con.execute(
            "INSERT INTO spreads SELECT subject, rubric, CASE WHEN min(mode) = 'compare' "  # noqa: S608 - our words
            "THEN max(count(DISTINCT nullif(verdict, '')) > 1, max(split)) ELSE max(score) - min(score) END "
            f"FROM heads WHERE run = ? {limit} GROUP BY subject, rubric HAVING count(*) > 1 OR max(split)",
            (run,),
        )
        con.execute(
            "UPDATE heads SET spread = (SELECT s.spread FROM spreads s WHERE s.subject = heads.subject AND "  # noqa: S608
            f"s.rubric = heads.rubric) WHERE run = ? {limit}",
            (run,),
        )
        con.execute("COMMIT")

    # Reading

    def has(self, run: str) -> bool:
        """Return whether a run was indexed."""
        return run in self._runs and self._runs[run] in self._done

    def page(self, run: str, wanted: HeadFilter, after: str | None = None, limit: int = 50) -> HeadPage:
        """Return the rows after a place, which is the ``next`` of the page before.

        Raises:
            UsageError: The place is not one of this order.
        """
        where, values = self._where(run, wanted)
        order = _order(wanted)
        direction = "DESC" if wanted.down else "ASC"
        if after is not None:
            number, text, key = _place(after)
            sign = "<" if wanted.down else ">"
            value = number if number is not None else text
            if order != "key":
                where += f" AND ({order}, key) {sign} (?, ?)"
                values = [*values, value, key]
            else:
                where += f" AND key {sign} ?"
                values = [*values, key]
        ordered = "key" if order == "key" else f"{order} {direction}, key"
        sql = (
            f"SELECT {', '.join(_COLUMNS)}, {order} FROM heads WHERE {where} "  # noqa: S608 - names are ours
            f"ORDER BY {ordered} {direction} LIMIT ?"
        )
        found = self._con().execute(sql, [*values, limit + 1]).fetchall()
        rows = tuple(_head(row) for row in found[:limit])
        last = found[limit - 1] if len(found) > limit else None
        return HeadPage(rows, None if last is None else _mark(last[-1], last[0]))

    def count(self, run: str, wanted: HeadFilter) -> int:
        """Return the number of judgments that a filter lets through."""
        where, values = self._where(run, wanted)
        sql = f"SELECT count(*) FROM heads WHERE {where}"  # noqa: S608 - names are ours
        found: int = self._con().execute(sql, values).fetchone()[0]
        return found

    def totals(self, run: str, wanted: HeadFilter = EVERYTHING) -> dict[str, float | None]:
        """Return tokens, calls and cost of the judgments that a filter lets through; no cost if a price is unknown."""
        where, values = self._where(run, wanted)
        sql = (
            "SELECT coalesce(sum(tokens), 0), coalesce(sum(calls), 0), sum(cost), count(*) - count(cost) "  # noqa: S608
            f"FROM heads WHERE {where}"
        )
        tokens, calls, cost, unknown = self._con().execute(sql, values).fetchone()
        return {"tokens": tokens, "calls": calls, "cost": None if unknown else cost or 0.0}

    def neighbours(self, run: str, wanted: HeadFilter, key: str) -> tuple[str | None, str | None]:
        """Return the judgments before and after one in the order of a table."""
        order = _order(wanted)
        sql = f"SELECT {order} FROM heads WHERE run = ? AND key = ?"  # noqa: S608 - names are ours
        own = self._con().execute(sql, (self._runs.get(run, -1), key)).fetchone()
        if own is None:
            return None, None
        mark = _mark(own[0], key)
        turned = msgspec.structs.replace(wanted, down=not wanted.down)
        sides = [self.page(run, item, mark, 1).rows for item in (turned, wanted)]
        before, after = (rows[0].key if rows else None for rows in sides)
        return before, after

    def siblings(self, run: str, head: JudgmentHead, limit: int = 20) -> list[JudgmentHead]:
        """Return the other judgments of the same case."""
        sql = (
            f"SELECT {', '.join(_COLUMNS)} FROM heads WHERE run = ? AND subject = ? AND key <> ? "  # noqa: S608
            "ORDER BY judge, key LIMIT ?"
        )
        rows = self._con().execute(sql, (self._runs.get(run, -1), head.subject, head.key, limit)).fetchall()
        return [_head(row) for row in rows]

    def pairs(
        self, first: str, second: str, *, by: Literal["subject", "ident"], judges: bool
    ) -> list[tuple[JudgmentHead, JudgmentHead]]:
        """Return the judgments of two runs that are of the same case, rubric and repetition.

        Args:
            first: The earlier run.
            second: The later run.
            by: Whether cases are the same by the name of the subject or by its id.
            judges: Whether the judges must have the same name.
        """
        columns = ", ".join(f"{side}.{name}" for side in "ab" for name in _COLUMNS)
        sql = (
            f"SELECT {columns} FROM heads a JOIN heads b ON b.run = ? AND b.{by} = a.{by} AND b.rubric = a.rubric "  # noqa: S608
            f"AND b.mode = a.mode AND b.trial = a.trial {'AND b.judge = a.judge' if judges else ''} "
            f"WHERE a.run = ? AND a.{by} <> '' ORDER BY a.key, b.key"
        )
        values = (self._runs.get(second, -1), self._runs.get(first, -1))
        width = len(_COLUMNS)
        return [(_head(row[:width]), _head(row[width:])) for row in self._con().execute(sql, values)]

    def head(self, run: str, key: str) -> JudgmentHead | None:
        """Return one row."""
        sql = f"SELECT {', '.join(_COLUMNS)} FROM heads WHERE run = ? AND key = ?"  # noqa: S608 - our columns
        row = self._con().execute(sql, (self._runs.get(run, -1), key)).fetchone()
        return None if row is None else _head(row)

    def facets(self, run: str, name: str) -> list[tuple[str, int]]:
        """Return the values of a column with their numbers, the most frequent first."""
        if name not in _FACETS:
            raise UsageError(f"no column is called {name!r}")
        number = self._runs.get(run, -1)
        known = self._facets.get((number, name))
        state = self._done.get(number, 0)
        if known is None or known[0] != state:
            sql = f"SELECT {name}, count(*) FROM heads WHERE run = ? GROUP BY {name} ORDER BY 2 DESC, 1"  # noqa: S608
            known = (state, self._con().execute(sql, (number,)).fetchall())
            self._facets[number, name] = known
        return known[1]

    def criteria(self, run: str) -> list[str]:
        """Return the criteria of a run, from some judgments by each judge."""
        number = self._runs.get(run, -1)
        state = self._done.get(number, 0)
        known = self._criteria.get(number)
        if known is None or known[0] != state:
            known = self._criteria[number] = (state, self._criteria_of(number))
        return known[1]

    def _criteria_of(self, number: int) -> list[str]:
        sql = "SELECT DISTINCT judge, rubric, mode FROM heads WHERE run = ? LIMIT 100"
        names: dict[str, None] = {}
        for judge, rubric, mode in self._con().execute(sql, (number,)).fetchall():
            rows = self._con().execute(
                "SELECT vals FROM heads WHERE run = ? AND judge = ? AND rubric = ? AND mode = ? LIMIT 20",
                (number, judge, rubric, mode),
            )
            for (values,) in rows:
                names.update(dict.fromkeys(msgspec.json.decode(values)))
        return list(names)

    def _where(self, run: str, wanted: HeadFilter) -> tuple[str, list[Any]]:
        parts, values = ["run = ?"], [self._runs.get(run, -1)]
        out: list[Any] = list(values)
        for name in _FACETS:
            given = getattr(wanted, name)
            if given:
                parts.append(f"{name} = ?")
                out.append(given)
        if wanted.disagree:
            # Of scores, a difference of a point or more; of pairs, any other preference, also in the other order.
            parts.append("spread >= ?")
            out.append(APART)
        for word in wanted.search.split()[:8]:
            parts.append(
                "(subject LIKE ? ESCAPE '\\' OR problem LIKE ? ESCAPE '\\' OR judge LIKE ? ESCAPE '\\' "
                "OR system LIKE ? ESCAPE '\\' OR ident LIKE ? ESCAPE '\\')"
            )
            pattern = "%" + word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_") + "%"
            out += [pattern] * 5
        if wanted.criterion and wanted.value:
            parts.append("CAST(json_extract(vals, ?) AS TEXT) = ?")
            out += [_json_path(wanted.criterion), wanted.value]
        return " AND ".join(parts), out


def _order(wanted: HeadFilter) -> str:
    """Return the expression that a table is ordered by; it is never NULL, which no place could follow."""
    if wanted.sort == "value" and wanted.criterion:
        path = _json_path(wanted.criterion).replace("'", "''")
        return f"coalesce(json_extract(vals, '{path}'), -1e308)"
    if wanted.sort not in SORTS or wanted.sort == "subject":
        return _PLACE
    return f"coalesce({wanted.sort}, -1e308)" if wanted.sort in ("score", "spread") else wanted.sort


def _json_path(criterion: str) -> str:
    return f'$."{criterion.replace(chr(34), "")}"'


def _values_of(head: JudgmentHead) -> Sequence[Any]:
    return (
        head.key, head.row, head.subject, head.judge, head.rubric, head.system, head.mode, head.status, head.problem,
        head.verdict, head.score, int(head.split), msgspec.json.encode(head.values).decode(), head.tokens, head.cost,
        head.calls, head.trial, head.at, head.case, head.spread,
    )  # fmt: skip


def _place_of(head: JudgmentHead) -> str:
    return _NUMBER.sub(lambda found: found[0].zfill(_PADDED), head.subject)


def _head(row: Sequence[Any]) -> JudgmentHead:
    names = [_FIELDS.get(name, name) for name in _COLUMNS]
    given = dict(zip(names, row, strict=False))
    return JudgmentHead(
        **{**given, "split": bool(given["split"]), "values": msgspec.json.decode(given["values"])}
    )


def _mark(value: Any, key: str) -> str:
    return msgspec.json.encode([value, key]).decode()


def _place(mark: str) -> tuple[float | None, str, str]:
    """Return the value and the key at which a page ended."""
    try:
        value, key = msgspec.json.decode(mark, type=tuple[float | str, str])
    except msgspec.MsgspecError as error:
        raise UsageError("the address does not name a place in this table; open the table again") from error
    return (None, value, key) if isinstance(value, str) else (value, "", key)
