"""Numbers of headings: ``2.1``, ``(3)``, ``IV.``, ``B)``, ``Step 2``, 三、, 第二章, （四）."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

_DIGITS: Final = {char: i for i, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_WORDS: Final = {
    word: i
    for i, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_ROMAN: Final = {"I": 1, "V": 5, "X": 10}
_TITLE_WORD: Final = re.compile(r"[^\W_]+")
_HAN: Final = "一二三四五六七八九十"
_LABEL: Final = re.compile(
    rf"""\s*(?:
        (?P<dotted>\d{{1,2}}(?:\.\d{{1,2}}){{1,4}})(?![\d%])[.)、．:：]?(?=\s|[^\W\d_])
      | (?P<plain>\d{{1,2}})[.)、．:：](?=\s+\S|[^\W\d_]|["“‘«*(（])
      | [(（](?P<bracket>\d{{1,2}})[)）]
      | [(（](?P<han_bracket>[{_HAN}]{{1,3}})[)）]
      | (?P<han>[{_HAN}]{{1,3}})[、．.]
      | 第(?P<ordinal>[{_HAN}]{{1,3}}|\d{{1,2}})(?P<unit>[章节步]|部分|阶段|篇)
      | (?P<word>part|chapter|section|step|phase|stage|appendix|annex|module|week)\s+
          (?P<word_number>\d{{1,2}}|[IVX]{{1,5}}|[A-H])\b(?![.\d])
      | (?P<roman>[IVX]{{1,5}})[.)、](?=\s)
      | (?P<letter>[A-Z])[.)](?=\s+[^\W\d_]{{2}})
    )""",
    re.VERBOSE | re.IGNORECASE,
)


class HeadingLabel(msgspec.Struct, frozen=True):
    """The number of a heading: its style, its last number, and the numbers before that (``2.1`` is 1 under 2)."""

    style: str
    number: int
    prefix: tuple[int, ...]
    text: str
    end: int


def chinese_number(text: str) -> int:
    """Return the value of 一 … 九十九 or of digits, or 0 if the text is neither.

    >>> chinese_number("十二"), chinese_number("二十"), chinese_number("3")
    (12, 20, 3)
    """
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.partition("十")
    if not ten:
        return _DIGITS.get(text, 0)
    return (_DIGITS.get(tens, 1) if tens else 1) * 10 + (_DIGITS.get(ones, 0) if ones else 0)


def word_number(text: str) -> int:
    """Return the value of a number word up to twelve or of digits, or 0 if the text is neither."""
    return int(text) if text.isdigit() else _WORDS.get(text.lower(), 0)


def roman_number(text: str) -> int:
    """Return the value of a Roman number up to the thirties; other letters count nothing."""
    values = [_ROMAN.get(char, 0) for char in text.upper()]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


@lru_cache(maxsize=2048)
def read_label(title: str) -> HeadingLabel | None:
    """Return the number at the start of ``title``, or None.

    A number without punctuation does not count: "5 trends", "2024 in review".
    """
    match = _LABEL.match(title)
    if match is None:
        return None
    kind = match.lastgroup or ""
    style, value = kind, match[kind]
    prefix: tuple[int, ...] = ()
    if kind == "dotted":
        *above, value = value.split(".")
        prefix = tuple(map(int, above))
    elif kind == "word_number":
        style = match["word"].lower()
    elif kind == "unit":
        style, value = "第" + value, match["ordinal"]
    elif value.islower():
        # "i. x" and "a) x" are items.
        return None
    if not value.isascii() or value.isdigit():
        number = chinese_number(value)
    elif len(value) == 1 and (kind == "letter" or value.upper() not in _ROMAN):
        number = ord(value.upper()) - 64
    else:
        number = roman_number(value)
    return HeadingLabel(style, number, prefix, match.group().strip(), match.end()) if number > 0 else None


def title_words(title: str) -> str:
    """Return the words of a title in lower case, without its number and punctuation, to compare titles by."""
    label = read_label(title)
    return " ".join(_TITLE_WORD.findall(title[label.end if label else 0 :].lower()))
