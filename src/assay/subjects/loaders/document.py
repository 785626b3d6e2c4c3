"""PDF, DOCX and HTML through markitdown, which turns them into Markdown (extra ``assay[docs]``).

Assumed: the text markitdown gives is the report. Nothing is fetched: the file's own bytes are all it sees.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, BinaryIO, Final

from assay.errors import InputError, MissingExtraError
from assay.json_values import replace_surrogates
from assay.subjects.loaders.base import InputContext, SubjectLoader
from assay.subjects.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUFFIXES: Final = (".pdf", ".docx", ".html", ".htm")


def sniff(head: bytes) -> bool:
    """Return whether a file begins like a PDF, a DOCX or an HTML page."""
    return _kind(head, "") is not None


def _kind(head: bytes, suffix: str) -> str | None:
    if suffix in _SUFFIXES:
        return suffix
    if head.startswith(b"%PDF-"):
        return ".pdf"
    if head.startswith(b"PK\x03\x04") and (
        b"word/" in head or head[30:].startswith((b"[Content_Types].xml", b"_rels/"))
    ):
        return ".docx"
    start = head.lstrip()[:20].lower()
    return ".html" if start.startswith((b"<!doctype html", b"<html")) else None


def load(stream: BinaryIO, origin: InputContext) -> Iterator[Report]:
    """Yield the one report of a document."""
    kind = _kind(stream.read(8192), origin.suffix) or ".html"
    stream.seek(0)
    try:
        # Heavy, and optional: only reading a document pays for it.
        markitdown = importlib.import_module("markitdown")
    except ImportError as error:
        raise MissingExtraError(f"reading {kind} files", "docs") from error
    try:
        converter = markitdown.MarkItDown(enable_plugins=False)
        found = converter.convert_stream(stream, stream_info=markitdown.StreamInfo(extension=kind)).markdown
    except Exception as error:
        # Whatever its many parsers raise means one thing here; the reason goes into the message.
        reason = str(error).strip().split("\n", 1)[0][:200] or type(error).__name__
        raise InputError(f"no readable {kind[1:].upper()}: {reason}") from error
    text = replace_surrogates(found or "")
    if text.startswith("%PDF-"):
        # A damaged PDF comes back as its own bytes, read as plain text.
        raise InputError("no readable PDF: damaged")
    if not text.strip():
        raise InputError(
            f"no text in this {kind[1:].upper()}", hint="a scanned document must go through OCR first"
        )
    yield Report(text, query=origin.query, path=origin.path)


LOADER = SubjectLoader(
    name="document",
    what="PDF, DOCX or HTML (extra assay[docs])",
    takes="file",
    sniff=sniff,
    load=load,
    suffixes=_SUFFIXES,
    rank=45,
)
