"""Restatements of what an agent retrieved and concluded: titles of pages, sentences of a response or of the answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.process._thoughts import (
    balanced,
    chinese,
    hangs_on,
    joined,
    sentence_texts,
)
from assay.subjects.atoms import terms
from assay.subjects.tool_calls import failure, questions
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from assay.subjects.trajectory import ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "restatements")

_TITLE: Final = re.compile(r"\[([^\[\]\n]{8,90})\]\(https?://")
_SIMILAR: Final = re.compile(r"Similar: \[(.{3,600})\]", re.DOTALL)
_ASIDE: Final = re.compile(
    r"\s?\([^()]*(?:\d{4} ?[–-]|[;/:\[ˈ]|pronunciation|pronounced|born|romanized|[a-z]+: )[^()]*\)"
)
_PRONOUN: Final = re.compile(r"(?:It|He|She|They)(?= (?:is|was|has|had|are|were|[a-z]+ed|[a-z]+s)\b)")
_ABBREVIATED: Final = _PHRASES.pattern(r"\b(?:<<abbreviated>>)\.$|\b(?:U\.S|U\.K)\.$")
_VERB: Final = _PHRASES.pattern(r"\b(?:<<verb>>)\b")
_SITE: Final = re.compile(r"^(?P<title>.{8,60}?) (?:[-–|:]) (?P<site>[A-Z][\w.' ]{2,28})$")


def titles(trajectory: Trajectory, index: int) -> list[str]:
    """Return the titles of all results that earlier steps retrieved, in order, except cut-off and quoting titles."""
    found = [
        title
        for step in trajectory.steps[:index]
        for call in step.tool_calls
        for title in _titles_of(call.response or "")
    ]
    return [title for title in dict.fromkeys(found) if '"' not in title and "..." not in title]


def _titles_of(text: str) -> list[str]:
    """Return the titles of the results in a response, in order, each once."""
    return list(dict.fromkeys(" ".join(title.split()) for title in _TITLE.findall(text)))


def _last(trajectory: Trajectory, index: int) -> ToolCall | None:
    """Return the last call before a step that has a response, or None."""
    calls = (call for step in reversed(trajectory.steps[:index]) for call in step.tool_calls if call.response)
    return next(calls, None)


def heads(trajectory: Trajectory, index: int) -> list[str]:
    """Return sentences that name pages of the last search before a step and use nothing from them."""
    call = _last(trajectory, index)
    text = (call.response or "") if call is not None else ""
    similar = _SIMILAR.search(text)
    if similar is not None:
        shown = [
            item.strip(" '\"")
            for item in re.split(r"['\"], ['\"]", similar.group(1))
            if item.strip(" '\"") and "�" not in item
        ]
        asked = [item.strip(' "') for item in questions(call)] if call is not None else []
        found = []
        for count in (2, 3, 4):
            if len(shown) >= count:
                listed = joined(shown[:count])
                found += [f"The search came back with {listed}.", f"There are pages on {listed}."]
                found += [f"Close to {item} there are {listed}." for item in asked[:1]]
        return found
    shown = [f'"{title}"' for title in _titles_of(text) if '"' not in title and "..." not in title]
    return [
        frame.format(joined(shown[at : at + count]))
        for at, count in ((0, 2), (1, 3), (0, 4), (2, 2), (3, 1), (1, 2))
        if len(shown) >= at + count
        for frame in (
            "The results include pages such as {}.",
            "The search brought up {}.",
            "Among the results are {}.",
            "What came up includes {}.",
        )
    ]


def article_sentences(trajectory: Trajectory, index: int) -> list[str]:
    """Return self-contained sentences of the last response before a step if that response is an article.

    A pronoun at the start of a sentence is replaced by the search term if the article opens with that term.
    """
    call = _last(trajectory, index)
    if call is None or not call.response or failure(call) is not None or _TITLE.search(call.response):
        return []
    text = _ASIDE.sub("", call.response[:2500])
    asked = [item.strip(' "') for item in questions(call)]
    name = next((item for item in asked if text.lstrip().startswith(item)), "")
    found = []
    for sentence in sentence_texts(text)[:8]:
        clean = " ".join(sentence.split())
        if name:
            clean = _PRONOUN.sub(name, clean, count=1) if _PRONOUN.match(clean) else clean
        known = (
            clean.startswith((*name.split()[:1], *name.split()[-1:]))
            or chinese(clean)
            or (clean.startswith("The ") and bool(terms(clean[:40]) & terms(name + " " + text[:200])))
        )
        if known and _stands(clean) and not clean.startswith(("No ", "Error", "Could ", "(Result")):
            found.append(clean)
    return found


def _stands(sentence: str) -> bool:
    """Return whether a sentence is complete and self-contained."""
    return (
        (12 if chinese(sentence) else 25) <= len(sentence) <= 260
        and (sentence[0].isupper() or chinese(sentence))
        and sentence.endswith((".", "。"))
        and "..." not in sentence
        and balanced(sentence)
        and not hangs_on(sentence)
        and not _ABBREVIATED.search(sentence)
        and (chinese(sentence) or _VERB.search(sentence[:90]) is not None)
        and re.search(r"\b(?:this|these|former|latter)\b", sentence) is None
    )


def alike(sentence: str, others: Iterable[str], share: float = 0.6, about: str = "") -> bool:
    """Return whether a sentence shares at least ``share`` of its terms with one of ``others``.

    The share is of the shorter of the two sentences. Terms of ``about``, their common subject, do not count.
    """
    common = terms(about)
    mine = terms(sentence) - common
    for other in others:
        theirs = terms(other) - common
        if mine and theirs and len(mine & theirs) >= share * min(len(mine), len(theirs)):
            return True
    return False


def listed(found: list[str], draw: Random) -> list[str]:
    """Return phrases that list two, three and four of the titles, some with the name of their site."""
    phrases = []
    for count in (2, 3, 4):
        if len(found) < count:
            break
        items = []
        for title in draw.sample(found, count):
            match = _SITE.match(title)
            if match is not None and draw.random() < 0.6:
                site, name = match.group("site"), match.group("title")
                items.append(draw.choice((f'"{name}" on {site}', f'"{name}" from {site}')))
            else:
                items.append(f'"{title}"')
        phrases.append(joined(items))
    return phrases
