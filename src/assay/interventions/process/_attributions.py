"""Attributions of sentences to a source: what the source is called, and how a sentence names it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.process._retrieved_sources import RetrievedSource

_PHRASES: Final = PhraseFile("assay.interventions", "attributions")

_KINDS: Final = ("entry", "page", "article")
# What some sites call their pages.
KIND_OF: Final = {
    "Reddit": "thread",
    "Facebook": "post",
    "YouTube": "video",
    "Quora": "thread",
    "TikTok": "video",
    "Instagram": "post",
    "X": "post",
    "eBay": "listing",
    "Medium": "post",
    "Pinterest": "post",
    "Spotify": "page",
    "Amazon": "page",
    "知乎": "回答",
}
# Papers that take an article in every sentence.
_WITH_ARTICLE: Final = frozenset(["Guardian", "New York Times"])
_LOWERED: Final = frozenset(
    "The He She It They His Her Its Their This These That Those A An In On At".split()
)
SO: Final = re.compile(r",? so the answer is [^.\n]+(?=\.|$)")


def _kind(label: str, draw: Random) -> str:
    """Return the noun for a source besides its name, such as "entry", "thread" or "page"."""
    if label in KIND_OF:
        return KIND_OF[label]
    return draw.choice(_KINDS[1:] if re.search(r"\.\w+$", label) else _KINDS)


def specific(sentence: str, generic: re.Match[str], other: RetrievedSource, draw: Random) -> str:
    """Return a sentence about "the results" with one source named in their place."""
    adverb = (generic.group("adverb") or "").replace(" all", "").replace(" consistently", " clearly")
    label = _called(other, draw)
    if generic.group("who")[0].isupper():
        label = label[0].upper() + label[1:]
    return f"{sentence[: generic.start()]}{label}{adverb} {generic.group('verb')}s{sentence[generic.end() :]}"


def article(label: str) -> str:
    """Return the indefinite article of a name, "a" or "an", by its pronunciation.

    A name in capitals without vowels is spelled out letter by letter.
    """
    first = re.split(r"[\s.]", label)[0]
    if first.isupper() and (len(first) < 4 or not re.search("[AEIOU]", first)):
        return "an" if first[0] in "AEFHILMNORSX" else "a"
    if first.isupper() and first[0] == "U":
        return "a"
    return "an" if re.match(r"(?!one\b|eu)[aeio]|u(?![nrst][aeio])", first, re.IGNORECASE) else "a"


def _called(source: RetrievedSource, draw: Random) -> str:
    """Return a phrase that refers to a source: its name alone, or its name as an entry, a page or a thread."""
    label, kind = source.label, _kind(source.label, draw)
    if label in _WITH_ARTICLE:
        label = f"the {label}"
    the = "" if re.match(r"(?:[Tt]he|A|An) ", label) else "the "
    if source.site:
        return draw.choice(
            (
                label,
                label,
                f"{the}{label} {kind}",
                f"{the}{label} {kind}",
                f"{article(label)} {label} {kind}" if the else label,
            )
        )
    return draw.choice(
        (
            f"{the}{label} {kind}",
            f"the {kind} on {label}",
            f"the {kind} about {label}",
        )
    )


def attached(sentence: str, other: RetrievedSource, draw: Random) -> Iterator[tuple[str, str]]:
    """Yield versions of a sentence without a source that attribute it to ``other``, each with its pattern."""
    body = sentence.rstrip(" .")
    end = sentence[len(body) :] or "."
    first = body.split(" ", 1)[0]
    lead = re.match(
        (
            r"(?:[-*]\s+|(?:First|Next|Also|Now|Additionally|So|Since|While|Although|As|If|Because|And|But"
            "|Then|However|Therefore|Okay|Another|Other|Both|No|Thus|Hence|Overall|Finally|Therefore|In "
            "conclusion|Putting|Given|Wait|Yes|Maybe),? )"
        ),
        body,
    )
    if ", so " in body and SO.search(body) is None:
        return
    if lead is not None or not body[:1].isupper() or "\n" in body or ":" in body or body.endswith(("!", '"')):
        return
    concluded = SO.search(body)
    bare = body[: concluded.start()] if concluded is not None else body
    lowered = bare[0].lower() + bare[1:] if first in _LOWERED else bare
    label = _called(other, draw)
    upper = label[0].upper() + label[1:]
    if concluded is not None:
        says = draw.choice(_PHRASES["saying"].en)
        yield f"{upper} {says} that {lowered}{end}", "instead-of-conclusion"
    rest = body[len(bare) :]
    yield f"{draw.choice(_PHRASES['front'].en).format(label)} {lowered}{rest}{end}", "fronted"
    yield f"{upper} {draw.choice(_PHRASES['saying'].en)} that {lowered}{rest}{end}", "says"
    if len(body) < 160 and concluded is None:
        yield f"{body}, {draw.choice(_PHRASES['as'].en).format(label)}{end}", "as-noted"
        if "(" not in body:
            yield f"{body} ({draw.choice(_TAILS).format(label)}){end}", "tail"


_TAILS: Final = ("from {}", "see {}", "source: {}", "per {}", "according to {}")
