"""The SQLite file of a labelling project: its tables, and how it is told from other files."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

# "ASAL" as a number: marks an SQLite file as a labelling project.
APPLICATION: Final = 0x4153414C
FORMAT: Final = 1
SCHEMA: Final = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE items (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, outline TEXT NOT NULL, data TEXT NOT NULL);
CREATE TABLE raters (name TEXT PRIMARY KEY, link TEXT NOT NULL UNIQUE, role TEXT NOT NULL, created REAL NOT NULL);
CREATE TABLE assignments (
  rater TEXT NOT NULL, position INTEGER NOT NULL, item INTEGER NOT NULL, swapped INTEGER NOT NULL,
  PRIMARY KEY (rater, position), UNIQUE (rater, item));
CREATE TABLE answers (
  id INTEGER PRIMARY KEY AUTOINCREMENT, rater TEXT NOT NULL, item INTEGER NOT NULL, question TEXT NOT NULL,
  value TEXT, at REAL NOT NULL, seconds REAL NOT NULL, undoes INTEGER);
CREATE INDEX answers_of ON answers (rater, item, question, id);
CREATE INDEX answers_to ON answers (item, rater, question, id)
"""
_BUSY: Final = 10.0


def connected(path: Path) -> sqlite3.Connection:
    """Open the file, so that what is committed is on the disk."""
    con = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_BUSY)
    con.execute("PRAGMA journal_mode = WAL")
    con.execute("PRAGMA synchronous = FULL")
    return con


def is_project(path: str | Path) -> bool:
    """Return whether a file is a labelling project."""
    place = Path(path)
    if not place.is_file():
        return False
    try:
        con = sqlite3.connect(f"{place.absolute().as_uri()}?mode=ro", uri=True)
        try:
            found: bool = con.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
        finally:
            con.close()
    except sqlite3.Error:
        return False
    return found
