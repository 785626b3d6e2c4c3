"""The abbreviations of a report: where each is used, and where it is spelt out.

Abbreviations are recognised by their capitals (``LCOE``, ``SCFAs``). Only running text counts as a use; headings, tables,
code and references do not.
An expansion is words whose initials make the acronym, next to it in brackets – ``levelized cost of energy (LCOE)``,
``LCOE (levelized cost of energy)`` – or, in Chinese text, any Chinese name in brackets beside it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from assay.text.phrases import PhraseFile, WordSets

if TYPE_CHECKING:
    from assay.subjects.numbered_text import NumberedText

_PHRASES: Final = PhraseFile("assay.subjects", "abbreviations")
_WORDS: Final = WordSets(_PHRASES)

# Two to seven capitals, with or without a plural s, that are not part of a longer word; only Chinese characters may
# stand directly beside them. The look-behinds come after the first two letters, because `re` can skip ahead only if
# a pattern begins with a character set.
_ACRONYM: Final = re.compile(
    r"([A-Z][A-Z](?<![^\W\u4e00-\u9fff]..)(?<![&\-/.+@#$=]..)[A-Z]{0,5}+)(?>(?:s(?![^\W_]))?)"
    r"(?![^\W\u4e00-\u9fff]|[&+@#=]|\.[^\W\d_])"
)
_WORD: Final = re.compile(r"[A-Za-z][a-z]*|\d+")
_OPEN: Final = "(（"
_CLOSE: Final = ")）"
_INSIDE: Final = re.compile(r"[\s]{0,3}[(（]([^()（）\n]{3,90})[)）]")
_HAN_RUN: Final = re.compile(r"[\u4e00-\u9fff]{2,}")


@cache
def known_abbreviations() -> frozenset[str]:
    """Return the acronyms that every reader should know, and words in capitals that are not acronyms."""
    lists = ("bodies", "technology", "science", "money", "currencies", "capitals")
    return frozenset().union(*(_PHRASES[f"known_{name}"].any for name in lists))


class Expansion(msgspec.Struct, frozen=True):
    """An expansion of an acronym: its words in lower case, and the span of expansion and acronym together."""

    words: str
    start: int
    end: int


class Abbreviation(msgspec.Struct):
    """One acronym: the offsets of its uses in running text, and its definitions, both in order.

    ``bracketed`` is true if it stands in or before brackets somewhere, as acronyms do where they are explained.
    """

    text: str
    uses: list[int]
    definitions: list[Expansion]
    bracketed: bool = False


def find_abbreviations(report: NumberedText) -> dict[str, Abbreviation]:
    """Return every abbreviation in the text of ``report``; callers want ``report.abbreviations``, which keeps them."""
    plain = report.plain
    entries: dict[str, Abbreviation] = {}
    # Titles and tables may explain an acronym, but an unexplained one does not trouble readers there.
    apart = [
        block for block in report.blocks if block.kind in ("heading", "table", "code", "html", "reference")
    ]
    at = 0
    for match in _ACRONYM.finditer(plain):
        start, stop = match.span()
        while at < len(apart) and apart[at].span.end <= start:
            at += 1
        outside = at == len(apart) or start < apart[at].span.start
        if not outside and apart[at].kind not in ("heading", "table"):
            continue
        text = match[1]
        entry = entries.get(text)
        if entry is None:
            entry = entries[text] = Abbreviation(text, [], [])
        if outside:
            entry.uses.append(start)
        _define(plain, entry, start, stop)
    return entries


def _define(plain: str, entry: Abbreviation, start: int, stop: int) -> None:
    before = plain[start - 1] if start else ""
    following = plain[stop : stop + 2].lstrip()[:1]
    if before and before in _OPEN:
        entry.bracketed = True
        if following and following in "),，;；）/":
            definition = _backwards(plain, entry.text, start - 1)
            if definition is not None:
                entry.definitions.append(definition)
    elif following and following in _CLOSE and before in " ,，":
        # "(foundation model, FM)"
        open_at = max(plain.rfind(mark, max(0, start - 90), start) for mark in _OPEN)
        words = plain[open_at + 1 : start].strip(" ,，:：") if open_at >= 0 else ""
        if words and ")" not in words and "）" not in words:
            entry.bracketed = True
            last = words.replace("，", ",").split(",")[-1].strip()
            if spelt_out(entry.text, last):
                entry.definitions.append(Expansion(" ".join(last.lower().split()), open_at + 1, stop))
    elif following and following in _OPEN:
        entry.bracketed = True
        inside = _INSIDE.match(plain, stop)
        if inside is not None:
            words = inside[1].strip()
            han = _HAN_RUN.match(words)
            if han is not None:
                entry.definitions.append(Expansion(han.group(), start, inside.end()))
            elif spelt_out(entry.text, words):
                entry.definitions.append(Expansion(words.lower(), start, inside.end()))


def _backwards(plain: str, acronym: str, bracket: int) -> Expansion | None:
    """Return the definition that ends right before ``(ACR``: the shortest run of words with these initials, or None."""
    window_start = max(0, bracket - 14 * len(acronym) - 20)
    window = plain[window_start:bracket]
    cut = max(
        window.rfind("\n\n"), window.rfind(". "), window.rfind("。"), window.rfind("("), window.rfind("（")
    )
    if cut >= 0:
        window_start += cut + 1
        window = window[cut + 1 :]
    han = _HAN_RUN.findall(window[-24:])
    if window[-1:] and "\u4e00" <= window[-1] <= "\u9fff" and han:
        return Expansion(han[-1][-10:], bracket - len(han[-1][-10:]), bracket + len(acronym) + 2)
    words = list(_WORD.finditer(window))
    for i in range(len(words) - 1, max(-1, len(words) - 2 * len(acronym) - 4), -1):
        if words[i].group() in _WORDS.acronyms_small or words[i].group()[0].upper() != acronym[0]:
            continue
        text = window[words[i].start() :].strip()
        if spelt_out(acronym, text):
            return Expansion(
                " ".join(text.lower().split()), window_start + words[i].start(), bracket + len(acronym) + 2
            )
    return None


def spelt_out(acronym: str, words: str) -> bool:
    """Return whether the initials of ``words`` spell ``acronym``, with no content word left over.

    A word that supplies its initial may also supply letters from inside ("deoxyribonucleic acid": DNA).

    >>> spelt_out("LCOE", "levelized cost of energy"), spelt_out("LCOE", "lower prices of oil")
    (True, False)
    """
    parts = tuple(part.lower() for part in _WORD.findall(words))
    # "Asynchronous RLHF (ARLHF)" does not spell out RLHF.
    if not any(len(part) > 2 for part in parts):
        return False
    return len(parts) <= 2 * len(acronym) + 2 and _fits(acronym.lower(), parts)


def _fits(letters: str, parts: tuple[str, ...]) -> bool:
    """Return whether ``parts`` spell ``letters``, each content word with its initial and perhaps inner letters."""
    if not parts:
        return not letters
    head, rest = parts[0], parts[1:]
    if head in _WORDS.acronyms_small and _fits(letters, rest):
        return True
    if not letters or head[0] != letters[0]:
        return False
    offset = 0
    for taken in range(1, len(letters) + 1):
        if _fits(letters[taken:], rest):
            return True
        if taken < len(letters):
            offset = head.find(letters[taken], offset + 1)
            if offset < 0:
                return False
    return False
