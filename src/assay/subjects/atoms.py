"""What the trajectory checks compare: atoms (folded words, CJK bigrams), names, numbers, sentences.

An atom is a word without case, accents or possessive, or two neighbouring CJK characters; digits are numbers, not
atoms. A name is a run of capitalised words, a title in quotation marks or 《》, or a Chinese name with a telling ending.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import msgspec

from assay.text.phrases import PhraseFile, WordSets
from assay.text.words import CJK_RANGES, CJK_STOP, STOPWORDS

_PHRASES: Final = PhraseFile("assay.subjects", "trajectories")
_WORDS: Final = WordSets(_PHRASES)

_WORD: Final = re.compile(rf"[^\W\d_{CJK_RANGES}][^\W_{CJK_RANGES}]*")
_COMBINING: Final = re.compile("[\u0300-\u036f]")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s<>\"'\]]{3,1000}", re.IGNORECASE)
_CJK_RUN: Final = re.compile(f"[{CJK_RANGES}]+")
_TOKEN: Final = re.compile(rf"[^\W_{CJK_RANGES}]+(?:['’.\-&][^\W_{CJK_RANGES}]+)*")
_LOWER: Final = re.compile(rf"(?<![^\W_])[a-zß-öø-ÿ][^\W_{CJK_RANGES}]*")
_RUN: Final = re.compile(r"[A-Z][\w'’]*(?:[ -](?:of |for |the |and |on |& )?[A-Z][\w'’]*){1,6}")
_CAPITAL: Final = re.compile(r"(?<!\w)[A-Z]")
_QUOTED: Final = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]|《([^》\n]{1,60})》|「([^」\n]{1,40})」")
_CJK_NAME: Final = _PHRASES.pattern("[一-鿿]{2,8}?(?:<<atoms_cjk_name.zh>>)")
_NUMBER: Final = re.compile(
    r"(?<![A-Za-z0-9_.,])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:[ ]?(thousand|million|billion|trillion|万亿|亿|万)|[ ]?(%|％|percent\b)|(s\b)|[-–](\d\d)(?!\d))?",
    re.IGNORECASE,
)
_SCALE: Final = {
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "万": 1e4,
    "亿": 1e8,
    "万亿": 1e12,
}
_END: Final = re.compile(r"(?<=[.!?])[\"”')\]*]{0,4}\s+(?=[\"“'(\[*A-Z0-9\u4e00-\u9fff])|(?<=[。！？；])|\n+")
_ABBREVIATED: Final = _PHRASES.pattern(r"(?:\b(?:<<atoms_abbreviated.en>>)|\b[A-Z])\.$")


_GAPS: Final = frozenset({" ", "  ", "-", ". ", " & "})


class NameMention(msgspec.Struct, frozen=True, gc=False):
    """A name in a text. ``first`` tells that its first word begins a sentence, so its capital may mean nothing."""

    text: str
    start: int
    end: int
    atoms: tuple[str, ...]
    first: bool
    quoted: bool = False


class NumberMention(msgspec.Struct, frozen=True, gc=False):
    """A number in a text: its value with scale, as printed, and whether it is a year, a decade or a percentage."""

    text: str
    start: int
    end: int
    value: float
    printed: float
    year: bool
    decade: bool
    percent: bool


def fold(word: str) -> str:
    """Return a word without case, accents, possessive ending."""
    low = word.lower()
    if low.endswith(("'s", "’s")):
        low = low[:-2]
    if low.isascii():
        return low
    return _COMBINING.sub("", unicodedata.normalize("NFKD", low))


def _stem(word: str) -> str:
    """Return a word without its plural ending; other endings stay, because names are compared too."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def atoms(text: str) -> list[str]:
    """Return every atom of a text, in order, with repeats."""
    folded = fold(text)
    found = [_stem(match) for match in _WORD.findall(folded)]
    if not text.isascii():
        for run in _CJK_RUN.findall(text):
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
    return found


def terms(text: str) -> set[str]:
    """Return atoms that say something: no stop words, no single letters, no CJK function characters."""
    return {
        atom
        for atom in atom_set(text)
        if len(atom) > 1 and atom not in STOPWORDS and not (atom[0] in CJK_STOP or atom[-1] in CJK_STOP)
    }


def atom_set(text: str) -> set[str]:
    """Return the atoms of a text without repeats; much faster than `atoms` on a long text."""
    found = {_stem(word) for word in set(_WORD.findall(fold(text)))}
    if not text.isascii():
        for run in _CJK_RUN.findall(text):
            found.update(run[i : i + 2] for i in range(len(run) - 1))
    return found


def initials(text: str) -> set[str]:
    """Return the initials of capitalised runs: "World Health Organization" gives "who"."""
    return {"".join(_CAPITAL.findall(run.removeprefix("The "))).lower() for run in set(_RUN.findall(text))}


def lower_words(text: str) -> set[str]:
    """Return folded words that occur in lower case; their capitals elsewhere do not show a name."""
    if "://" in text or "www." in text:
        # An address is in lower case throughout; it says nothing about its words.
        text = _ADDRESS.sub(" ", text)
    return {_stem(fold(word)) for word in set(_LOWER.findall(text))}


def _begins_sentence(text: str, start: int) -> bool:
    i = start - 1
    while i >= 0 and text[i] in " \t\"“‘'(*_[#>-–—•":
        i -= 1
    return i < 0 or text[i] in ".!?:;\n。！？：；"


def find_names(text: str) -> list[NameMention]:
    """Return names in a text, in order; a quoted title comes as one name besides the names inside it."""
    found: list[NameMention] = []
    run: list[re.Match[str]] = []
    joined: list[re.Match[str]] = []

    def close() -> None:
        if len(run) > 1 and _begins_sentence(text, run[0].start()):
            opener = run[0].group().lower()
            joined_on = text[run[0].end() : run[1].start()].strip(" .&-")
            if joined_on or opener in _WORDS.atoms_openers or (opener in STOPWORDS and opener != "the"):
                # "Checking the Britannica", "Although Oslo": the first word begins the sentence, not the name.
                del run[0]
        if run:
            start, end = run[0].start(), run[-1].end()
            if text[start:end].endswith(("'s", "’s")):
                end -= 2
            parts = tuple(atoms(text[start:end]))
            if parts:
                found.append(NameMention(text[start:end], start, end, parts, _begins_sentence(text, start)))
        run.clear()
        joined.clear()

    for match in _TOKEN.finditer(text):
        word = match.group()
        last = joined[-1] if joined else run[-1] if run else None
        if last is not None:
            gap = text[last.end() : match.start()]
            if gap not in _GAPS or (
                gap == ". " and len(last.group()) > 1 and last.group() not in _WORDS.atoms_titles
            ):
                close()
        if word[0].isupper() and word not in ("I", "I'm", "I'll", "I've", "I’m", "I’ll", "I’ve", "I'd"):
            run.append(match)
            joined.clear()
            if word.endswith(("'s", "’s")):
                close()
        elif run and word in _WORDS.atoms_joiners and len(joined) < 2:
            joined.append(match)
        else:
            close()
    close()
    if not text.isascii() or '"' in text:
        for match in _QUOTED.finditer(text):
            inner = match.group(1) or match.group(2) or match.group(3)
            parts = tuple(atoms(inner))
            if parts and (match.group(1) is None or inner[0].isupper()):
                found.append(NameMention(inner, match.start(), match.end(), parts, first=False, quoted=True))
        for match in _CJK_NAME.finditer(text):
            found.append(
                NameMention(
                    match.group(), match.start(), match.end(), tuple(atoms(match.group())), first=False
                )
            )
        found.sort(key=lambda name: name.start)
    return found


def find_numbers(text: str) -> list[NumberMention]:
    """Return numbers in a text, in order. The end of a short range ("1939–45") is a number too."""
    found: list[NumberMention] = []
    for match in _NUMBER.finditer(text):
        digits = match.group(1)
        if len(digits) > 15:
            continue
        printed = float(digits.replace(",", ""))
        scale = _SCALE.get((match.group(2) or "").lower(), 1.0)
        plain = scale == 1.0 and match.group(3) is None
        year = plain and len(digits) == 4 and digits.isdigit() and 1000 <= printed <= 2100
        following = text[match.end(1) : match.end(1) + 1]
        if following.isalpha() and following.isascii() and match.group(4) is None and not match.group(2):
            # "3D", "5G", "2nd": parts of names and ordinals.
            continue
        end = match.end() if match.group(2) or match.group(3) else match.end(1)
        found.append(
            NumberMention(
                text[match.start() : end],
                match.start(),
                end,
                printed * scale,
                printed,
                year,
                year and match.group(4) is not None,
                match.group(3) is not None,
            )
        )
        if match.group(5) and year:
            full = float(digits[:2] + match.group(5))
            found.append(
                NumberMention(
                    match.group(),
                    match.start(),
                    match.end(),
                    full,
                    full,
                    year=True,
                    decade=False,
                    percent=False,
                )
            )
    return found


def sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return spans of sentences and lines in ``text[start:end]``, trimmed.

    Good enough for reasoning, which has no structure.
    """
    stop = len(text) if end is None else end
    out: list[tuple[int, int]] = []
    begin = start
    for match in _END.finditer(text, start, stop):
        if match.start() > begin and _ABBREVIATED.search(text, max(begin, match.start() - 8), match.start()):
            continue
        _put(text, begin, match.start(), out)
        begin = match.end()
    _put(text, begin, stop, out)
    return out


def _put(text: str, start: int, end: int, out: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if right > left:
        out.append((left, right))
