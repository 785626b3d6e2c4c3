"""Evidence made up: a figure of what one counts of such a thing, a source of the same sort, a publication on the matter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.checks.trj._words import find_numbers
from assay.interventions.process._thoughts import topics
from assay.interventions.process._words_evidence import (
    BODIES,
    COUNTED,
    FIRST,
    LAST,
    PRESS,
    PRESSES,
    REFERENCE,
)

if TYPE_CHECKING:
    from random import Random

    from assay.checks.trj._view import View
    from assay.interventions.process._evidence import Fact

__all__ = ["a_source", "added", "counted", "kind_of", "other_figure", "other_source"]

_STOPS: Final = re.compile(
    r"\b(?:of|in|from|who|that|which|by|for|based|located|with|on|at|known|named|to|as|set)\b|[,;.(]"
)
_NOT_SO: Final = re.compile(r"\bbeauty queen|drag queen|board game|role[- ]play", re.IGNORECASE)


def kind_of(view: View, name: str, index: int) -> str:
    """What a thing is, by a response of a step before one ("… is a Dallas-based restaurant chain"), or by the question."""
    pattern = re.compile(
        rf"{re.escape(name)}(?: \([^()]{{0,200}}\)|,[^,.]{{0,60}},)? (?:is|was|are|were) (?:an?|the|one of the) ([^\n]{{3,140}})"
    )
    for step in view.trajectory.steps[:index]:
        for call in step.tool_calls:
            match = pattern.search(call.response or "")
            if match is not None:
                phrase = _STOPS.split(match.group(1), maxsplit=1)[0]
                if _counted_kind(phrase):
                    return phrase
    if name and name in (view.trajectory.answer or ""):
        about = topics(view.trajectory.query)
        if about:
            return _STOPS.split(about[0].removeprefix("the "), maxsplit=1)[0]
    return ""


def _counted_kind(phrase: str) -> int | None:
    """Which kind a noun phrase is of: by its last noun that counts."""
    if _NOT_SO.search(phrase):
        return None
    best: tuple[int, int] | None = None
    for place, (pattern, _, _) in enumerate(COUNTED):
        for match in re.finditer(rf"\b(?:{pattern})\b", phrase, re.IGNORECASE):
            # "A race car driver protagonist" is no driver: the noun comes last.
            if match.end() == len(phrase.rstrip()) and (best is None or match.start() < best[0]):
                best = (match.start(), place)
    return None if best is None else best[1]


def counted(kind: str, draw: Random) -> list[tuple[str, str, bool]]:
    """Verb, phrase with a figure, and whether it is a person, for a kind of thing; none where nothing is counted of it."""
    place = _counted_kind(kind) if kind else None
    if place is None:
        return []
    _, person, ways = COUNTED[place]
    return [(verb, _filled(phrase, draw), person) for verb, phrase in ways]


def _filled(phrase: str, draw: Random) -> str:
    dozens, hundreds = draw.randint(14, 58), draw.randint(13, 97) * 10 + draw.choice((0, 0, 2, 5, 7))
    return phrase.format(
        s=dozens,
        h=hundreds,
        t=f"{draw.randint(14, 390) * 100:,}",
        k=f"{draw.choice((draw.randint(23, 98) * 1000, draw.randint(11, 48) * 10_000 + draw.choice((0, 5000)))):,}",
        m=f"{draw.randint(2, 11)}.{draw.randint(1, 9)}",
        p=draw.choice((53, 54, 56, 57, 58, 61, 62, 63)),
        y=draw.randint(1996, 2022),
    )


def other_figure(view: View, text: str, fact: Fact, draw: Random) -> str | None:
    """Another figure of the same make, near enough to be believed and unknown to every response."""
    before = text[max(0, fact.start - 12) : fact.start]
    if re.search(
        r"(?:[#№–-]|No\. |Op\. |[Cc]hapter |[Ee]pisode |[Pp]art |[Vv]olume |'s )$", before
    ) or re.match(r"[-–]", text[fact.end :]):
        return None
    if re.search(r"\bor $", before) or re.match(r" or \d", text[fact.end :]):
        return None
    if re.search(
        r"\b(?:article|post|page|blog|story|video)\b[^.;]{0,25}$", text[max(0, fact.start - 50) : fact.start]
    ):
        # The date of a page is no finding.
        return None
    number = find_numbers(fact.text)
    digits = re.match(r"\d[\d,]*(?:\.\d+)?", fact.text)
    if not number or digits is None or number[0].value < 13:
        return None
    printed = number[0].printed
    for _ in range(12):
        if number[0].year:
            value: float = printed + draw.choice((-1, 1)) * draw.randint(2, 9)
            if value > 2024:
                continue
            made = f"{int(value)}"
        elif number[0].percent:
            value = printed + draw.choice((-1, 1)) * draw.randint(5, 17)
            if not 1 <= value <= 99:
                continue
            made = f"{value:.{len(digits.group().partition('.')[2])}f}"
        else:
            value = printed * draw.choice((0.55, 0.62, 0.7, 1.35, 1.5, 1.7, 1.85))
            if "." in digits.group():
                made = f"{value:.1f}"
            else:
                zeros = len(digits.group()) - len(digits.group().rstrip("0,"))
                step = 10 ** min(
                    len(digits.group().replace(",", "")) - 1,
                    max(0, zeros - digits.group()[-zeros:].count(",") if zeros else 0),
                )
                whole = max(1, round(value / step)) * step
                made = f"{whole:,}" if "," in digits.group() else str(whole)
        new = made + fact.text[digits.end() :]
        again = find_numbers(new)
        if again and made != digits.group() and not view.given.knows_number(again[0], 1 << 40):
            return new
    return None


def other_source(sentence: str, draw: Random) -> str | None:
    """The sentence with a well-known source replaced by another of its sort."""
    for group in (REFERENCE, PRESS):
        here = [name for name in group if re.search(rf"\b{re.escape(name)}\b(?!\.)", sentence)]
        if len(here) != 1 or sentence.count(here[0]) > 1:
            continue
        if not re.search(
            rf"{re.escape(here[0])}(?:'s)?(?:,? (?:and|page|entry|article|results?|also|mentions?|states?|says?|confirms?|notes?|lists?|explains?|describes?|on|link|snippet))",
            sentence,
        ):
            continue
        others = [name for name in group if name != here[0] and name != "Wikipedia"]
        return re.sub(rf"\b{re.escape(here[0])}\b", draw.choice(others), sentence, count=1)
    return None


def a_source(draw: Random) -> str:
    """A publication that could be about anything: "a 2011 profile in The Guardian"."""
    year = draw.randint(1999, 2021)
    what = draw.choice(("article", "profile", "feature", "piece", "report"))
    paper = draw.choice(PRESS)
    return draw.choice(
        (
            f"a {year} {what} in {paper}",
            f"a {year} {paper.removeprefix('The ')} {what}",
            f"{draw.choice(FIRST)} {draw.choice(LAST)}'s {year} book",
            f"the {draw.choice(REFERENCE[1:])} entry",
        )
    )


def added(matter: str, told: list[str], draw: Random) -> list[str]:
    """Sentences that bring in a source.

    Args:
        matter: What it is on; may be empty.
        told: What it could say, as clauses: "Corfe Castle draws 230,000 visitors a year".
        draw: Source of chance.
    """
    year = draw.randint(1994, 2021)
    author = f"{draw.choice(FIRST)} {draw.choice(LAST)}"
    paper, body = draw.choice(PRESS), draw.choice(BODIES)
    book = f"{author}'s {year} book"
    made = [
        f"{paper} reported the same in {year}.",
        f"{book} makes the same point.",
        f"A {year} piece in {paper} has the same account.",
    ]
    if matter:
        made += [
            f"A {year} {paper.removeprefix('The ')} article on {matter} says the same.",
            f"{author}, who has written on {matter}, takes the same view.",
            f"The {draw.choice(REFERENCE[1:])} entry on {matter} agrees with this.",
            f"A {year} study published by {draw.choice(PRESSES)} University Press comes to the same result on {matter}.",
            f"The holdings of {body} on {matter} bear this out as well.",
            f"In a {year} interview with {paper}, {author} said as much about {matter}.",
        ]
    for clause in told:
        made += [
            f"{book} adds that {clause}.",
            f"According to a {year} report in {paper}, {clause}.",
            f"{paper} wrote in {year} that {clause}.",
        ]
    draw.shuffle(made)
    return made
