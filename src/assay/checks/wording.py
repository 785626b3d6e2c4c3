"""Messages of findings in English and Chinese, filled with the same values.

A check writes each message once as a `Wording` with both languages, and yields it with its values::

    _BACKWARDS = Wording(en="The range runs backwards: from {low} to {high}", zh="范围上下限颠倒：起点{low}大于终点{high}")
    …
    Hit(span, _BACKWARDS(low="50 %", high="20 %"))

Values may be wordings themselves. Besides the usual format specifications, ``{n:row|rows}`` gives a count and a noun in
the right number ("1 row", "3 rows"), and ``{n:=is|are}`` gives the word alone.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal

import msgspec

MessageLanguage = Literal["en", "zh"]


class Wording(msgspec.Struct, frozen=True):
    """A phrase or sentence in both languages, with named placeholders. No full stop at the end."""

    en: str
    zh: str

    def __call__(self, **values: Any) -> FilledWording:
        """Return the wording with values for its placeholders; the language is chosen later."""
        return FilledWording(self, values)

    def text(self, language: MessageLanguage) -> str:
        """Return the phrase in one language; only for a wording without placeholders."""
        return self().text(language)


class FilledWording(msgspec.Struct, frozen=True):
    """A wording with the values of its placeholders."""

    wording: Wording
    values: Mapping[str, Any]

    def text(self, language: MessageLanguage) -> str:
        """Return the sentence in one language."""
        template = self.wording.zh if language == "zh" else self.wording.en
        return _formatter(language).vformat(template, (), self.values)


class Series(msgspec.Struct, frozen=True):
    """An enumeration: ``A, B and C``, in Chinese ``A、B和C``.

    Attributes:
        items: Texts or wordings.
        last: The word before the last item, or ``""`` for a comma.
        quoted: Whether to put each item in quotation marks.
        cut: Whether items were left out at the end.
    """

    items: tuple[Any, ...]
    last: Literal["and", "or", ""] = ""
    quoted: bool = False
    cut: bool = False

    def text(self, language: MessageLanguage) -> str:
        """Return the enumeration in one language."""
        texts = [_formatter(language).format_field(item, "") for item in self.items]
        if self.quoted:
            texts = [f"“{text}”" for text in texts]
        if language == "zh":
            # Items in quotation marks stand side by side without a comma (GB/T 15834).
            between, last = "" if self.quoted else "、", {"and": "和", "or": "或"}.get(self.last, "")
        else:
            between, last = ", ", f" {self.last} " if self.last else ""
        if last and len(texts) > 1:
            joined = between.join(texts[:-1]) + last + texts[-1]
        else:
            joined = between.join(texts)
        return joined + ({"zh": "等", "en": " …"}[language] if self.cut else "")


Filled = FilledWording | Series


def series(
    items: Iterable[Any], last: Literal["and", "or", ""] = "", *, quoted: bool = False, cut: bool = False
) -> Series:
    """Return an enumeration of the items of an iterable."""
    return Series(tuple(items), last, quoted, cut)


class _Formatter(string.Formatter):
    def __init__(self, language: MessageLanguage) -> None:
        self.language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Wording | FilledWording | Series):
            return value.text(self.language)
        if "|" in format_spec:
            one, _, many = format_spec.removeprefix("=").partition("|")
            word = one if value == 1 else many
            return word if format_spec.startswith("=") else f"{value} {word}"
        return format(value, format_spec)


@cache
def _formatter(language: MessageLanguage) -> _Formatter:
    return _Formatter(language)
