"""Texts of cited sources: from a folder, a mapping, or the run that wrote the report.

    sources = SourceFolder("runs/7/sources")
    sources.text("3", "https://energy.example.org/survey")

All three are `SourceTexts`: they return the text for a reference key or a URL, or None. The URL is tried before
the key, because two reports may number the sources of one folder differently. Nothing is fetched.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from assay.errors import InputError
from assay.json_values import parse_json
from assay.rows import read_rows, read_text
from assay.subjects.passages import cut_passages
from assay.subjects.references import normalize_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

    from assay.subjects.trajectory import Trajectory

_INDEX_NAMES: Final = ("index.json", "sources.json", "index.jsonl", "sources.jsonl")
_TEXT_SUFFIXES: Final = frozenset({".txt", ".md", ".markdown", ".text", ".html", ".htm"})
_HTML: Final = frozenset({".html", ".htm"})
_STEM: Final = re.compile(r"^[\[【(]?\^?(?P<key>[^\[\]【】()^]{1,80}?)[\]】)]?$")
_SHAPE: Final = 'one {"key" or "url": …, "text" or "file": …} per source'
# A larger file is a dump rather than the text of one source; reading it would stall the audit.
_LARGEST: Final = 32 * 1024 * 1024


def _plain_key(key: str) -> str:
    """``"[01]"``, ``"^1"`` and ``"1"`` are one key."""
    match = _STEM.match(key.strip())
    bare = match["key"].strip() if match else key.strip()
    return str(int(bare)) if bare.isascii() and bare.isdigit() else bare


def _is_url(name: str) -> bool:
    return "://" in name or name.startswith("www.")


class SourceMap:
    """Sources given in memory.

    Args:
        texts: Source texts by reference key (``"3"``) or by URL.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._by_key: dict[str, str] = {}
        self._by_url: dict[str, str] = {}
        for name, text in texts.items():
            if _is_url(name):
                self._by_url[normalize_url(name)] = text
            else:
                self._by_key[_plain_key(name)] = text

    def __len__(self) -> int:
        return len(self._by_key) + len(self._by_url)

    def text(self, key: str | None, url: str | None) -> str | None:
        """Return the text of the source with this address or, failing that, this key."""
        found = self._by_url.get(normalize_url(url)) if url else None
        if found is None and key is not None:
            found = self._by_key.get(_plain_key(key))
        return found


class _SourceEntry(msgspec.Struct):
    """The text of a source: inline or in a file."""

    text: str | None
    file: Path | None


class SourceFolder:
    """Sources kept as files, named by reference key (``1.txt``, ``[2].md``) or listed in an index.

    The index is ``index.json`` or ``sources.jsonl`` with one ``{"key" or "url": …, "text" or "file": …}`` per source;
    files it names must lie inside the folder. Texts are read when first asked for. With an index, files that it does
    not name are still found by their names.

    Args:
        path: The folder.

    Raises:
        InputError: The folder does not exist or holds no sources, or its index is broken or points outside.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self._by_key: dict[str, _SourceEntry] = {}
        self._by_url: dict[str, _SourceEntry] = {}
        if not self.path.is_dir():
            problem = "no such folder of sources" if not self.path.exists() else "not a folder"
            raise InputError(
                problem,
                where=str(path),
                hint="give a folder with one text file per source, named by its number",
            )
        self._root = self.path.resolve()
        try:
            self._add_files()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", where=str(path)) from error
        for name in _INDEX_NAMES:
            if (self.path / name).is_file():
                self._add_index(self.path / name)
        if not self._by_key and not self._by_url:
            raise InputError(
                "holds no sources",
                where=str(path),
                hint=f"name text files by reference number, or add index.json: {_SHAPE}",
            )

    def __len__(self) -> int:
        return len(self._by_key) + len(self._by_url)

    def __repr__(self) -> str:
        return f"<SourceFolder {self.path}: {len(self)} sources>"

    def text(self, key: str | None, url: str | None) -> str | None:
        """Return the text of the source with this address or, failing that, this key.

        Raises:
            InputError: Its file cannot be read as text.
        """
        entry = self._by_url.get(normalize_url(url)) if url else None
        if entry is None and key is not None:
            entry = self._by_key.get(_plain_key(key))
        if entry is None:
            return None
        if entry.text is None and entry.file is not None:
            entry.text = _read(entry.file)
        return entry.text

    def _add_files(self) -> None:
        for file in sorted(self.path.iterdir()):
            # A link that leads out of the folder is not followed.
            if (
                file.suffix.lower() in _TEXT_SUFFIXES
                and file.is_file()
                and file.resolve().is_relative_to(self._root)
            ):
                self._by_key.setdefault(_plain_key(file.stem), _SourceEntry(None, file))

    def _add_index(self, index: Path) -> None:
        for place, row in _rows(index):
            if not isinstance(row, dict):
                raise InputError(f"expected an object, found {type(row).__name__}", where=place, hint=_SHAPE)
            key, url = row.get("key", row.get("id")), row.get("url")
            if key is None and not url:
                raise InputError('has neither "key" nor "url"', where=place, hint=_SHAPE)
            if row.get("outcome", "ok") != "ok":
                # A snapshot that says why there is no text.
                continue
            entry = self._entry(row, place)
            if key is not None:
                self._by_key[_plain_key(str(key))] = entry
            if url:
                self._by_url[normalize_url(str(url))] = entry

    def _entry(self, row: dict[str, Any], place: str) -> _SourceEntry:
        text, name = row.get("text"), row.get("file")
        if isinstance(text, str):
            return _SourceEntry(text, None)
        if not isinstance(name, str) or not name:
            raise InputError('has neither "text" nor "file"', where=place, hint=_SHAPE)
        try:
            file = (self._root / name).resolve()
        except (OSError, ValueError) as error:
            raise InputError(f"file {name!r} is not a usable path", where=place) from error
        if not file.is_relative_to(self._root):
            raise InputError(
                f"file {name!r} lies outside the folder", where=place, hint="copy it into the folder"
            )
        if not file.is_file():
            raise InputError(f"file {name!r} does not exist", where=place)
        return _SourceEntry(None, file)


def _rows(index: Path) -> Iterator[tuple[str, Any]]:
    """Yield rows of an index with the place of each: a JSON list, an object by key or URL, or one object a line."""
    if index.suffix == ".jsonl":
        yield from read_rows(index)
        return
    data = parse_json(read_text(index), str(index))
    if isinstance(data, dict) and isinstance(data.get("sources"), list):
        data = data["sources"]
    if isinstance(data, dict):
        for name, value in data.items():
            row = dict(value) if isinstance(value, dict) else {"file": value}
            row.setdefault("url" if _is_url(name) else "key", name)
            yield f"{index}: {name}", row
    elif isinstance(data, list):
        for number, row in enumerate(data, start=1):
            yield f"{index}: entry {number}", row
    else:
        raise InputError("expected a list of sources", where=str(index), hint=_SHAPE)


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > _LARGEST:
            raise InputError(
                f"is larger than {_LARGEST // 1024 // 1024} MB",
                where=str(file),
                hint="cut it to the relevant part",
            )
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(file)) from error
    if b"\0" in raw[:4096]:
        raise InputError("is binary, not text", where=str(file), hint="convert it to text first")
    text = raw.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return _strip_html(text) if file.suffix.lower() in _HTML else text


def _strip_html(text: str) -> str:
    import html  # noqa: PLC0415 - only for sources kept as pages

    import nh3  # noqa: PLC0415 - likewise, and a compiled module

    return html.unescape(nh3.clean(text, tags=set()))


_TAG_REACH: Final = 50_000
_TAGGED: Final = re.compile(
    r"<(\w{3,20})\b[^<>\n]{0,200}?\bid\s*=\s*[\"']?([\w\-.:]{1,80})[\"']?[^<>\n]{0,300}>"
)


class TrajectorySources:
    """Tool responses of a run by address, cut into the passages that belong to each URL.

    Search results are cut at the line that opens each result; JSON results by object; the response of a call whose
    arguments name one address belongs to that address as a whole. Tags with an ``id`` (``<snippet id="S1">``) are
    found by that id as a key.

    Args:
        trajectory: The run.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory

    @cached_property
    def _passages(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for call in self._trajectory.tool_calls:
            if call.response:
                for url, text in cut_passages(call):
                    passages = found.setdefault(normalize_url(url), [])
                    if text not in passages:
                        passages.append(text)
        return found

    @cached_property
    def _tagged(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for call in self._trajectory.tool_calls:
            response = call.response or ""
            if "id" not in response or "<" not in response:
                continue
            for match in _TAGGED.finditer(response):
                end = response.find(f"</{match[1]}", match.end(), match.end() + _TAG_REACH)
                found.setdefault(
                    match[2], response[match.end() : end if end >= 0 else match.end() + _TAG_REACH].strip()
                )
        return found

    def __len__(self) -> int:
        return len(self._passages) + len(self._tagged)

    @cached_property
    def urls(self) -> frozenset[str]:
        """Every address seen in a response, or visited with one, normalised."""
        return frozenset(self._passages)

    @property
    def keys(self) -> frozenset[str]:
        """Every id of a tagged passage."""
        return frozenset(self._tagged)

    def text(self, key: str | None, url: str | None) -> str | None:
        """Return all passages of this address, or the passage tagged with this key."""
        if url and (passages := self._passages.get(normalize_url(url))):
            return "\n\n".join(passages)
        return self._tagged.get(key) if key is not None else None
