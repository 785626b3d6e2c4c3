"""The runs of opened ledgers as tables: which rows a page shows, and whether the index of the run is up to date."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from assay.errors import AssayError, UsageError
from assay.web.judgment_heads import JudgmentHead
from assay.web.judgment_index import SORTS, HeadFilter, HeadPage, HeadSource, JudgmentIndex
from assay.web.opened import OpenedJudgments, OpenedLedger

ROWS: Final = 50
# The run of a file of judgments, which has no other.
WHOLE_FILE: Final = "judgments"
_LOOK_AGAIN: Final = 1.0
_PATIENCE: Final = 120.0
# How long a page waits for a small run to be indexed before it shows the first rows without an index.
_MOMENT: Final = 0.1
_LARGE: Final = 5000
_PLAIN: Final = re.compile(r"(?!~)[\w.~-]+", re.ASCII)
_HEAD_START: Final = 0.5


class _RunState(msgspec.Struct):
    counts: dict[str, int] = {}
    looked: float = 0.0
    done: int = 0
    ready: threading.Event = msgspec.field(default_factory=threading.Event)
    problem: AssayError | None = None
    worker: threading.Timer | None = None


class RunTables:
    """Tables of the judgments of runs, over one index."""

    def __init__(self) -> None:
        self.index = JudgmentIndex()
        self._states: dict[str, _RunState] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Remove the index."""
        self.index.close()

    def name(self, number: int, run: str) -> str:
        """Return the name of a run in the index."""
        return f"{number}/{run}"

    def prepare(self, number: int, item: OpenedLedger | OpenedJudgments, run: str) -> _RunState:
        """Make sure that a run is indexed, or being indexed; look for new judgments once a second."""
        name = self.name(number, run)
        with self._lock:
            state = self._states.setdefault(name, _RunState())
            now = time.monotonic()
            if state.worker is not None and (state.worker.is_alive() or not state.ready.is_set()):
                return state
            if state.ready.is_set() and now - state.looked < _LOOK_AGAIN:
                return state
            state.looked = now
            counts = item.coverage(run)
            if state.ready.is_set() and counts == state.counts and state.problem is None:
                return state
            state.counts = counts
            source: HeadSource = item if isinstance(item, OpenedJudgments) else item.source(run)
            # The first page of a large run is shown before the index is begun, which would slow it down.
            delay = _HEAD_START if sum(counts.values()) > _LARGE and not state.ready.is_set() else 0.0
            state.worker = threading.Timer(delay, self._fill, args=(name, source, state))
            state.worker.daemon = True
            state.worker.start()
            return state

    def _fill(self, name: str, source: HeadSource, state: _RunState) -> None:
        def progress(done: int) -> None:
            state.done = done

        try:
            self.index.refresh(name, source, progress)
            state.problem = None
        except AssayError as error:
            state.problem = error
        finally:
            state.ready.set()

    def is_ready(self, state: _RunState, *, wait: bool) -> bool:
        """Return whether the index of a run can be used; with ``wait``, once it can.

        Raises:
            AssayError: The judgments cannot be read.
        """
        large = sum(state.counts.values()) > _LARGE
        ready = state.ready.wait(_PATIENCE if wait else 0 if large else _MOMENT)
        if state.problem is not None:
            raise state.problem
        return ready

    def first_rows(self, item: OpenedLedger | OpenedJudgments, run: str) -> HeadPage:
        """Return the first rows without an index; there is no next page yet."""
        heads: Iterator[JudgmentHead]
        heads = item.heads() if isinstance(item, OpenedJudgments) else item.source(run).heads()
        return HeadPage(tuple(islice(heads, ROWS)), None)


def run_word(run: str) -> str:
    """Return the id of a run as one word of an address, whatever characters it has."""
    return run if _PLAIN.fullmatch(run) else f"~{run.encode('utf-8', 'replace').hex()}"


def run_of_word(word: str) -> str:
    """Return the id that `run_word` was given.

    Raises:
        UsageError: The word is not one of those.
    """
    if not word.startswith("~"):
        return word
    try:
        return bytes.fromhex(word[1:]).decode()
    except ValueError as error:
        raise UsageError("the address does not name a run; open it from the list") from error


def filter_of(query: Mapping[str, str]) -> HeadFilter:
    """Return the filter that the query of an address describes.

    Raises:
        UsageError: A value is too long, or an order does not exist.
    """
    names = [name for name in HeadFilter.__struct_fields__ if name not in ("disagree", "down", "sort")]
    given: dict[str, Any] = {name: query[name] for name in names if query.get(name)}
    if any(len(value) > 500 for value in given.values()):
        raise UsageError("a filter has at most 500 characters; shorten it")
    sort = query.get("sort") or "subject"
    if sort not in (*SORTS, "value"):
        raise UsageError(f"no column is called {sort!r}; sort by {', '.join(SORTS)}")
    return HeadFilter(
        **given, sort=sort, down=query.get("down") == "1", disagree=query.get("disagree") == "1"
    )


def query_of(wanted: HeadFilter, **changes: Any) -> str:
    """Return the query of the address of a table, with some values changed; empty for the table as it comes."""
    values = {**msgspec.structs.asdict(wanted), **changes}
    plain = {
        name: "1" if value is True else value
        for name, value in values.items()
        if value and not (name == "sort" and value == "subject")
    }
    return f"?{urlencode(plain)}" if plain else ""
