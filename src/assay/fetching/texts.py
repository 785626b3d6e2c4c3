"""The text of what was fetched: HTML by trafilatura, PDF by pypdf, plain text as it is."""

from __future__ import annotations

import io
import re
from typing import Final, Literal

from assay.errors import MissingExtraError

Kind = Literal["html", "pdf", "text", "other"]
_HTML: Final = re.compile(
    rb"(?is)\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b"
)
_CHARSET: Final = re.compile(rb"(?i)charset\s*=\s*[\"']?([\w.:-]{2,40})")
_TITLE: Final = re.compile(r"(?is)<title[^>]*>(.{1,1000}?)</title>")
# Bytes that no text has.
_BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SNIFFED: Final = 4_096
_PAGES: Final = 400


def kind_of_content(content: bytes, declared: str) -> Kind:
    """Return what content is, by its first bytes; what the server says decides only between texts."""
    head = content[:_SNIFFED]
    if head.lstrip()[:5] == b"%PDF-":
        return "pdf"
    if _HTML.search(head) or ("html" in declared and not _BINARY.search(head)):
        return "html"
    if _BINARY.search(head) or declared.startswith(("image/", "audio/", "video/", "font/")):
        return "other"
    return (
        "text"
        if declared.startswith("text/") or "json" in declared or "xml" in declared or not declared
        else "other"
    )


def text_of_content(content: bytes, kind: Kind, charset: str | None) -> tuple[str, str]:
    """Return the text and the title of content.

    Args:
        content: The bytes.
        kind: What they are.
        charset: Their encoding, as the server says.

    Raises:
        MissingExtraError: The library that reads this kind is not installed.
        ValueError: It cannot be read.
    """
    if kind == "pdf":
        return _pdf(content), ""
    text = _decoded(content, charset)
    if kind == "text":
        return text.strip(), ""
    try:
        import trafilatura  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("reading web pages", "fetch") from error
    title = _TITLE.search(text)
    shown = trafilatura.extract(text, include_tables=True, include_comments=False, favor_recall=True) or ""
    return shown.strip(), " ".join(title.group(1).split()) if title else ""


def _pdf(content: bytes) -> str:
    try:
        import pypdf  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("reading PDF files", "fetch") from error
    try:
        pages = pypdf.PdfReader(io.BytesIO(content), strict=False).pages
        return "\n\n".join(pages[number].extract_text() for number in range(min(len(pages), _PAGES))).strip()
    except Exception as error:  # a broken file fails in many ways
        raise ValueError(f"a PDF that cannot be read: {type(error).__name__}") from error


def _decoded(content: bytes, charset: str | None) -> str:
    named = _CHARSET.search(content[:_SNIFFED])
    for name in (charset, named.group(1).decode("ascii") if named else None, "utf-8"):
        if name is None:
            continue
        try:
            return content.decode(name)
        except (LookupError, UnicodeDecodeError):
            continue
    return content.decode("utf-8", "replace")


def require_readers() -> None:
    """Do nothing if pages and PDF files can be read.

    Raises:
        MissingExtraError: The libraries are not installed.
    """
    try:
        import pypdf  # noqa: F401, PLC0415 - an extra
        import trafilatura  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("reading web pages", "fetch") from error
