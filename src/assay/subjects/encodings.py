"""Decoding without loss: UTF-8, byte-order marks, then GB18030 or cp1252 if the result is plausible.

Any bytes decode as *something*, and a wrong guess would give findings about letters nobody wrote. So a legacy
encoding is taken only when every byte decodes and the result looks like its language, and the name of it is returned.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from assay.errors import InputError

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL: Final = re.compile(b"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_CJK_MARKS: Final = re.compile("[\u3000-\u303f\uff00-\uffef\u2010-\u2027]")
_LATIN_MARKS: Final = re.compile(
    "[\u00c0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u2013-\u201e\u2020-\u2026\u20ac\u2122\u00a0\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0-\u00b7\u00bb-\u00bf]"
)
_SAMPLE: Final = 200_000
_HINT: Final = "save it as UTF-8"


def bom_encoding(head: bytes) -> str | None:
    """Return the encoding a byte-order mark names."""
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name
    return None


def decode_text(data: bytes) -> tuple[str, str]:
    """Return the text and the name of its encoding.

    Raises:
        InputError: The bytes are not text, or no encoding fits.
    """
    marked = bom_encoding(data)
    if marked is not None:
        try:
            return data.decode(marked), marked
        except UnicodeDecodeError as error:
            raise InputError(
                f"not {marked.upper()} although its first bytes say so (byte {error.start})", hint=_HINT
            ) from error
    sample = data[:_SAMPLE]
    if len(_CONTROL.findall(sample)) > len(sample) // 200:
        raise InputError(
            "a binary file, not text",
            hint="Markdown, text, JSON and JSONL are read; PDF, DOCX and HTML by their suffix",
        )
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        place = error.start
    for name, plausible in (("gb18030", _chinese), ("cp1252", _latin)):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if plausible(text[:_SAMPLE]):
            return text, name
    raise InputError(
        f"not UTF-8 (byte {place} is 0x{data[place]:02x}), and neither GB18030 nor cp1252 makes sense of it",
        hint=_HINT,
    )


def _chinese(text: str) -> bool:
    """Mostly Chinese: nearly all that is not ASCII is common Han characters and their punctuation."""
    beyond = [char for char in text if char > "\x7f"]
    han = _HAN.findall(text)
    if not han or len(han) + len(_CJK_MARKS.findall(text)) < 0.9 * len(beyond):
        return False
    # Accented Latin read as GB18030 gives rare characters; real Chinese is nearly all of GB 2312's common level,
    # whose first byte is 0xB0 to 0xD7.
    common = sum(1 for char in han if "\xb0" <= chr(_first_byte(char)) <= "\xd7")
    return common >= 0.85 * len(han)


def _first_byte(char: str) -> int:
    encoded = char.encode("gb2312", "ignore")
    return encoded[0] if encoded else 0


def _latin(text: str) -> bool:
    """Mostly Latin: ASCII with some accented letters and typographic marks, and no control codes."""
    beyond = [char for char in text if char > "\x7f"]
    letters = sum(1 for char in text if char.isascii() and char.isalpha())
    return len(_LATIN_MARKS.findall(text)) >= 0.98 * len(beyond) and len(beyond) <= 0.4 * letters
