"""Search for evidence: a folder of texts, rows of a JSONL file, or any other search."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from assay.errors import InputError
from assay.generation.passages import PassageIndex, passages_of
from assay.rows import read_rows, read_text

_SUFFIXES: Final = frozenset({".txt", ".md", ".markdown", ".text"})
_TEXTS: Final = ("text", "content", "article", "body")
_TITLES: Final = ("title", "url", "id")
_LARGEST: Final = 64 << 20


class Passage(msgspec.Struct, frozen=True):
    """A piece of a source: the source's title or address, and the words."""

    source: str
    text: str


# Finds passages about a topic; the second argument is the most wanted. It must find the same each time, or
# an interrupted build asks the model anew.
Search = Callable[[str, int], Awaitable[Sequence[Passage]]]


class DocumentSearch:
    """Finds passages of given texts by the words they share with a topic; rare words count more.

    Args:
        texts: Title and text of each document.
    """

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self._passages = [Passage(title, piece) for title, text in texts for piece in passages_of(text)]
        self._index = PassageIndex([passage.text for passage in self._passages])

    def __len__(self) -> int:
        return len(self._passages)

    async def __call__(self, topic: str, most: int) -> list[Passage]:
        """Return the passages that fit best, best first, without those that share nothing with the topic."""
        return [self._passages[i] for i in self._index.ranked(topic)[:most]]


def read_documents(place: str | Path) -> DocumentSearch:
    """Read the texts of a folder (Markdown and plain text, also in subfolders), or of a JSONL file with ``text`` fields.

    Raises:
        InputError: They cannot be read, or there are none.
    """
    path = Path(place)
    try:
        texts = _folder(path) if path.is_dir() else _rows(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from error
    documents = DocumentSearch(texts)
    if not len(documents):
        raise InputError(
            "holds no texts",
            where=str(path),
            hint="a folder of .md and .txt files, or JSONL with a text a line",
        )
    return documents


def _folder(path: Path) -> list[tuple[str, str]]:
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES and file.is_file())
    return [(file.relative_to(path).as_posix(), read_text(file, largest=_LARGEST)) for file in files]


def _rows(path: Path) -> list[tuple[str, str]]:
    if path.suffix.lower() not in (".jsonl", ".ndjson"):
        return [(path.name, read_text(path, largest=_LARGEST))]
    out: list[tuple[str, str]] = []
    for where, row in read_rows(path, largest=_LARGEST):
        text = (
            next((row[key] for key in _TEXTS if isinstance(row.get(key), str)), None)
            if isinstance(row, dict)
            else None
        )
        if text is None:
            raise InputError(f"has no text under {', '.join(_TEXTS)}", where=where)
        title = next((str(row[key]) for key in _TITLES if row.get(key)), Path(where).name)
        out.append((" ".join(title.split()), text))
    return out
