"""A figure or a date of a sentence in general words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.trj._words import find_numbers
from assay.interventions.process._evidence import event_of, facts

if TYPE_CHECKING:
    from random import Random

    from assay.checks.trj._view import View

__all__ = ["vaguer"]

_DATE: Final = re.compile(
    r"\b(?P<prep>on|in|around|by|since|until|from)? ?(?:(?:\d{1,2}(?:st|nd|rd|th)? )?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{1,2}(?:st|nd|rd|th)?)?,? )?(?P<year>1[0-9]\d\d|20[0-2]\d)\b(?![-–\d%]|s\b| ?(?:BC|AD))"
)
_RANGE: Final = re.compile(r"\b(?:from|between) (?:1\d\d\d|20\d\d) (?:to|and|until) (?:1\d\d\d|20\d\d)\b")
_AMOUNT: Final = re.compile(
    r"(?P<det>\b(?:an?|the|this) )?(?P<cur>[$£€])\d[\d,.]*(?: ?(?:million|billion|thousand|m|bn))?(?P<noun> (?:project|programme|program|investment|grant|fund|scheme|restoration|campaign|budget|deal))?"
)
_COUNT: Final = re.compile(
    r"\b(?:(?:over|more than|about|around|nearly|almost|approximately|some|roughly|at least|up to) )?\d[\d,.]*\d(?: (?:thousand|million|billion))? (?P<noun>[a-z]+s|people|children)\b"
)
_SHARE: Final = re.compile(r"\b(?:about |around |over |nearly |almost )?\d[\d.]*(?: ?%| percent)(?= of\b)")
_ZH_DATE: Final = re.compile(r"(?:1\d\d\d|20\d\d)年(?:\d{1,2}月)?(?:\d{1,2}日)?")


def vaguer(view: View, index: int, sentence: str, draw: Random) -> list[str]:
    """The sentence with one figure or date in general words."""
    made = []
    event = event_of(index)
    for match in _RANGE.finditer(sentence):
        if facts(view, match.group(), event):
            made.append(
                _swap(
                    sentence,
                    match,
                    draw.choice(("for a number of years", "for some years", "over several years")),
                )
            )
    ranges = [match.span() for match in _RANGE.finditer(sentence)]
    for match in _DATE.finditer(sentence):
        inside = any(start <= match.start() < end for start, end in ranges)
        before = sentence[: match.start()].rstrip()
        if inside or not match.group("prep") or not facts(view, match.group(), event):
            continue
        if len(re.findall(r"\b[12]\d\d\d\b", sentence)) > 1:
            # Beside another year, a decade says the wrong thing.
            continue
        if before.endswith(("article", "post", "page", "blog", "results")) or match.group("prep") == "from":
            continue
        made.append(
            _swap(
                sentence,
                match,
                (" " if match.group().startswith(" ") else "")
                + _era(match.group("prep"), int(match.group("year")), draw),
            )
        )
    for match in _AMOUNT.finditer(sentence):
        if facts(view, match.group(), event):
            noun = match.group("noun")
            if noun:
                article = {"a ": "a ", "an ": "a ", "the ": "the ", "this ": "this "}.get(
                    (match.group("det") or "").lower(), ""
                )
                made.append(
                    _swap(sentence, match, f"{article}{draw.choice(('costly', 'large', 'sizeable'))}{noun}")
                )
            elif not match.group("det"):
                made.append(
                    _swap(
                        sentence,
                        match,
                        draw.choice(("a large sum", "a good deal of money", "a considerable amount")),
                    )
                )
    for match in _COUNT.finditer(sentence):
        number = find_numbers(match.group())
        if (
            sentence[: match.start()]
            .rstrip()
            .endswith(("'s", "’s", "the", "these", "those", "first", "No.", "age"))
        ):
            continue
        if number and not number[0].year and facts(view, match.group(), event):
            made.append(
                _swap(
                    sentence,
                    match,
                    f"{draw.choice(('a large number of', 'many', 'quite a few', 'a good many'))} {match.group('noun')}",
                )
            )
    for match in _SHARE.finditer(sentence):
        if facts(view, match.group(), event):
            made.append(_swap(sentence, match, draw.choice(("a good part", "some share", "a certain part"))))
    for match in _ZH_DATE.finditer(sentence):
        if facts(view, match.group(), event):
            made.append(_swap(sentence, match, draw.choice(("早些年", "若干年前", "过去某个时候"))))
    return made


def _swap(sentence: str, match: re.Match[str], new: str) -> str:
    start = match.start()
    if start == 0 and new[:1].islower():
        new = new[:1].upper() + new[1:]
    return sentence[:start] + new + sentence[match.end() :]


def _era(prep: str, year: int, draw: Random) -> str:
    decade, digit = year // 10 * 10, year % 10
    part = "early" if digit <= 3 else "mid" if digit <= 6 else "late"
    if prep in ("since", "until", "by", "around"):
        return f"{prep} the {decade}s"
    return draw.choice(
        (
            f"in the {part} {decade}s".replace("mid ", "mid-"),
            f"in the {decade}s",
            f"some time in the {decade}s",
        )
    )
