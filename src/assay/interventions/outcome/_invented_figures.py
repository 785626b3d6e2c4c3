"""Invented figures for claims without one, in place of words such as "many" or "significantly"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._claims import attributions, cited_figures, claims, revise
from assay.interventions.outcome._numbers import invented_share
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.base import TextRevision
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "invented_figures")

_MANY_EN: Final = _PHRASES.pattern(
    r"\b(?P<many><<many_many>>) (?P<who>(?:[a-z\-]+ )?(?:<<people>>))\b"
    "(?!['’-])",
    "en",
)
_MANY_ZH: Final = _PHRASES.pattern(
    r"(?P<many>大多数|多数|许多|很多|大部分|越来越多的?|不少|众多)(?P<who>[\u4e00-\u9fff]{0,4}?"
    r"(?:<<people>>))(?=[已仍都会在将能采开正认对表选更面选使希倾通可也，])",
    "zh",
)
_MORE_EN: Final = _PHRASES.pattern(
    r"\b(?:<<more>>) (?P<verb><<more_verb>>) (?P<what>[a-z][a-z \-]{3,45}[a-z])(?=[.;]|\s?\[\d|, "
    r"(?:which|while|thereby|making|allowing|enabling|and [a-z]+ing)\b)",
)
_MORE_ZH: Final = re.compile(
    r"(?P<much>显著|大幅度?|明显|有效)(?P<verb>提高|提升|降低|减少|增长|下降|增加|缩短|上升)(?=[，。；、]|\[\d|【)"
)
_ABOUT_ZH: Final = ("约", "近", "约有", "大约")


def invented_figures(report: Report, draw: Random) -> Iterator[TextRevision]:
    """Yield revisions in which a claim gets an invented figure, sometimes attributed to a named organization."""
    sites: list[tuple[int, re.Match[str]]] = []
    patterns = (_MANY_ZH, _MORE_ZH) if report.language == "zh" else (_MANY_EN, _MORE_EN)
    for sentence in claims(report):
        if cited_figures(report, sentence.span):
            continue
        text = report.text(sentence.span)
        # An event of one year happened to some, not to a share of all.
        if any(q.kind == "year" for q in report.quantities_in(sentence.span)):
            continue
        if re.search(r"\b(?:may|might|could|can|should)\b|可能|或许|应当", text):
            continue
        for pattern in patterns:
            match = pattern.search(text)
            if match is not None and not (match.re.pattern == _MANY_EN.pattern and _after_the(text, match)):
                sites.append((sentence.span.start, match))
    draw.shuffle(sites)
    names = sorted({a.text for a in attributions(report)})
    for left, match in sites[:20]:
        high = match.groupdict().get("many", "").lower() in (
            "most",
            "a majority of",
            "the majority of",
            "大多数",
            "多数",
            "大部分",
        )
        share = invented_share(report, draw, 56 if high else 27, 84 if high else 58)
        if share is None:
            continue
        text = _with_share(match, share, draw, names)
        yield revise(
            left + match.start(), left + match.end(), text, "invented-figure", f"{match.group()} → {text}"
        )


def _after_the(text: str, match: re.Match[str]) -> bool:
    """Return whether a word cannot be replaced by a share: “The many firms”, “how many users”, “as many banks”."""
    return (
        re.search(
            r"\b(?:the|how|as|so|too|these|their|its|in|for|and)\s$", text[: match.start()], re.IGNORECASE
        )
        is not None
    )


def _with_share(match: re.Match[str], share: int, draw: Random, names: list[str]) -> str:
    """Return the wording with an invented share that replaces a match."""
    if match.re.pattern == _MANY_EN.pattern:
        about = draw.choice(_PHRASES["about"].en)
        about = about[0].upper() + about[1:] if match["many"][0].isupper() else about
        if names and match["many"][0].isupper() and match.start() == 0 and draw.random() < 0.5:
            return f"According to {draw.choice(names)}, {about.lower()} {share}% of {match['who']}"
        return f"{about} {share}% of {match['who']}"
    if match.re.pattern == _MANY_ZH.pattern:
        return f"{draw.choice(_ABOUT_ZH)}{share}%的{match['who']}"
    if match.re.pattern == _MORE_EN.pattern:
        return f"{match['verb']} {match['what']} by {draw.choice(_PHRASES['about'].en[:3])} {share}%"
    return f"{match['verb']}{draw.choice(('约', '了约', '近'))}{share}%"
