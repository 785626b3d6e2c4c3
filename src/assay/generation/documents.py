"""Documents of a search, read from files: folders of Markdown and text, rows of JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from assay.errors import InputError
from assay.generation.report_writing import SourceDocument
from assay.rows import read_text, rows_of_json

_TEXTS: Final = (".md", ".markdown", ".txt", ".text")
_ROWS: Final = (".jsonl", ".ndjson", ".json")
_FIELDS: Final = ("text", "content", "passage", "body")
# Ids stand in brackets in the report, so they hold nothing that would end them or look like several ids.
_ID: Final = re.compile(r"[^\s\[\]【】,;，；、][^\[\]【】,;，；、\n\r\t]{0,79}")
_MOST_BYTES: Final = 64 << 20


def read_documents(places: Iterable[str | Path]) -> list[SourceDocument]:
    """Return the documents in folders and files, in order; a file's id is its name without the ending.

    Raises:
        InputError: A file cannot be read or has no text, or two documents share an id; the message names the place.
    """
    documents: dict[str, tuple[SourceDocument, str]] = {}
    for place in places:
        for document, where in _read(Path(place)):
            if not _ID.fullmatch(document.id):
                raise InputError(
                    f"the id {document.id[:80]!r} cannot be cited in brackets",
                    where=where,
                    hint="give it one of at most 80 characters without brackets, commas and semicolons",
                )
            if document.id in documents:
                raise InputError(
                    f"the id {document.id!r} is also that of {documents[document.id][1]}", where=where
                )
            documents[document.id] = (document, where)
    return [document for document, _ in documents.values()]


def _read(place: Path) -> Iterator[tuple[SourceDocument, str]]:
    if not place.is_dir():
        yield from _file(place)
        return
    files = sorted(
        path for path in place.iterdir() if path.suffix.lower() in (*_TEXTS, *_ROWS) and path.is_file()
    )
    if not files:
        raise InputError(
            f"holds no documents ({', '.join((*_TEXTS[:1], _TEXTS[2], _ROWS[0]))})", where=str(place)
        )
    for path in files:
        yield from _file(path)


def _file(path: Path) -> Iterator[tuple[SourceDocument, str]]:
    text = read_text(path, largest=_MOST_BYTES, missing="name a folder of documents or a file")
    if path.suffix.lower() not in _ROWS:
        if not text.strip():
            raise InputError("is empty", where=str(path))
        yield SourceDocument(path.stem, text.strip()), str(path)
        return
    rows = list(rows_of_json(text, str(path)))
    if not rows:
        raise InputError("holds no documents", where=str(path))
    for number, (where, row) in enumerate(rows, 1):
        yield _document(row, number, where), where


def _document(row: Any, number: int, where: str) -> SourceDocument:
    if not isinstance(row, dict):
        raise InputError("is not an object with id, title, url and text", where=where)
    text = next((row[name] for name in _FIELDS if isinstance(row.get(name), str) and row[name].strip()), None)
    if text is None:
        raise InputError("has no text", where=where, hint="a row has id, title, url and text")
    identity = row.get("id", number)
    if isinstance(identity, bool) or not isinstance(identity, str | int) or not str(identity).strip():
        raise InputError(f"the id is {identity!r}; it must be text or a whole number", where=where)
    title, url = (row.get(name) if isinstance(row.get(name), str) else "" for name in ("title", "url"))
    return SourceDocument(
        str(identity).strip(), text.strip(), " ".join((title or "").split()), (url or "").strip()
    )
