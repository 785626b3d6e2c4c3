"""Comparisons, such as "A is cheaper than B" or A高于B, read as both sides, the measure and the direction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from assay.text.phrases import PhraseFile
from assay.text.words import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.checks", "coh")

# Each line: a measure, the words for more of it, and the words for less of it.
_SCALES: Final = """
level | higher greater | lower lesser
size | larger bigger greater | smaller
amount | more | less fewer
speed | faster quicker | slower
cost | costlier dearer pricier | cheaper
strength | stronger | weaker
quality | better superior | worse inferior
length | longer | shorter
age | older | younger
safety | safer | riskier
weight | heavier | lighter
warmth | warmer hotter | colder cooler
ease | easier simpler | harder
"""
_VERBS: Final = {
    "exceeds": 1, "exceeded": 1, "surpasses": 1, "surpassed": 1, "outperforms": 1, "outperformed": 1, "outperform": 1,
    "outpaces": 1, "outpaced": 1, "outweighs": 1, "beats": 1, "lags": -1, "underperforms": -1,
    "underperformed": -1,
}  # fmt: skip
_ZH: Final = {
    "高于": ("level", 1), "低于": ("level", -1), "大于": ("size", 1), "小于": ("size", -1), "多于": ("amount", 1),
    "少于": ("amount", -1), "快于": ("speed", 1), "慢于": ("speed", -1), "优于": ("quality", 1), "劣于": ("quality", -1),
    "强于": ("strength", 1), "弱于": ("strength", -1), "超过": ("level", 1), "不及": ("level", -1), "领先于": ("level", 1),
    "落后于": ("level", -1),
}  # fmt: skip
_COMPARATIVE: Final = _PHRASES.pattern(
    r"\b(?P<word><<comparisons_comparative.en>>)(?P<rest>(?:\s+[a-z-]+){0,3})\s+(?P<link>than|to)\s+",
    flags=re.IGNORECASE,
)
_CLAUSE: Final = _PHRASES.pattern(r"[.;:!?。；：！？,，—–()（）]|\b(?:<<comparisons_clause.en>>)\b")
_AUXILIARY: Final = _PHRASES.pattern(r"\b(?:<<comparisons_auxiliary.en>>)\b", flags=re.IGNORECASE)
_VAGUE: Final = _PHRASES.pattern(r"^(?:<<comparisons_vague.en>>|\d|[$€£¥])\b|^\d", flags=re.IGNORECASE)
_HEDGE: Final = _PHRASES.pattern(r"\b(?:may|can|(?i:<<comparisons_hedge.en>>))\b|<<comparisons_hedge.zh>>")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")


class ComparativeClause(msgspec.Struct, frozen=True):
    """A comparison: ``left`` has more of ``scale`` than ``right`` (``side`` 1) or less of it (-1).

    ``left``, ``right`` and ``context`` are sets of content terms; ``context`` holds those of the whole sentence.
    """

    left: frozenset[str]
    right: frozenset[str]
    scale: str
    side: int
    start: int
    end: int
    sentence: int
    context: frozenset[str]
    years: frozenset[str]


def _table() -> dict[str, tuple[str, int]]:
    measures: dict[str, tuple[str, int]] = {}
    for line in _SCALES.strip().splitlines():
        scale, plus, minus = (part.strip() for part in line.split("|"))
        for word in plus.split():
            measures.setdefault(word, (scale, 1))
        for word in minus.split():
            measures.setdefault(word, (scale, -1))
    return measures


_WORDS: Final = _table()


def find_comparisons(report: Report) -> Iterator[ComparativeClause]:
    """Yield every comparison that names both sides, unless it is hedged or negated.

    Comparatives come first, then verbs, then Chinese comparisons.
    """
    plain = report.plain
    for at in _links(report):
        for match in _COMPARATIVE.finditer(plain, max(0, at - 60), at + 5):
            if match.start("link") == at:
                kind = _kind(match)
                if kind is not None:
                    yield from _build(report, match.start("word"), match.end(), *kind)
                break
    for verb, side in _VERBS.items():
        for at in report.cues.positions(verb):
            stop = at + len(verb)
            if verb == "lags":
                # "Lags behind X"; "time lags" is not a comparison.
                if not plain.startswith(" behind ", stop):
                    continue
                stop += 7
            yield from _build(report, at, stop, "performance", side)
    if report.language == "zh":
        for word, (scale, side) in _ZH.items():
            at = plain.find(word)
            while at >= 0:
                yield from _build(report, at, at + len(word), scale, side)
                at = plain.find(word, at + 1)


def _links(report: Report) -> list[int]:
    """Return the offsets of "than", and of "to" after "superior" and "inferior"."""
    offsets = list(report.cues.positions("than"))
    for word in ("superior", "inferior"):
        for at in report.cues.positions(word):
            if report.plain.startswith(" to ", at + len(word)):
                offsets.append(at + len(word) + 1)
    return offsets


def _kind(match: re.Match[str]) -> tuple[str, int] | None:
    word = match["word"].lower()
    rest = match["rest"].strip().lower()
    if word in ("more", "less", "fewer"):
        sign = 1 if word == "more" else -1
        return (rest or "amount", sign)
    known = _WORDS.get(word)
    if known is not None:
        return f"{known[0]} {rest}".strip(), known[1]
    if word in (
        "other",
        "rather",
        "after",
        "later",
        "earlier",
        "whether",
        "further",
        "never",
        "another",
        "either",
        "over",
        "under",
    ):
        return None
    return f"{word} {rest}".strip(), 1


def _build(report: Report, start: int, end: int, scale: str, side: int) -> Iterator[ComparativeClause]:
    plain = report.plain
    sentence = report.sentence_at(start)
    if sentence is None:
        return
    span = sentence.span
    left = plain[span.start : start]
    right = plain[end : min(span.end, end + 120)]
    if _HEDGE.search(plain, span.start, span.end) or _VAGUE.match(right.lstrip()):
        return
    cuts = list(_CLAUSE.finditer(left))
    left = left[cuts[-1].end() :] if cuts else left
    if (cut := _CLAUSE.search(right)) is not None:
        right = right[: cut.start()]
    if (verb := _AUXILIARY.search(right)) is not None:
        right = right[: verb.start()]
    left = _AUXILIARY.sub(" ", left)
    one, two = content_terms(left), content_terms(right)
    only_one, only_two = one - two, two - one
    if not only_one or not only_two or len(left) > 160:
        return
    yield ComparativeClause(
        frozenset(only_one),
        frozenset(only_two),
        scale,
        side,
        start,
        end,
        sentence.index,
        frozenset(report.sentence_terms[sentence.index]),
        frozenset(_YEAR.findall(plain, span.start, span.end)),
    )
