"""Saying a sentence again in its own words: clauses in another order, words of form exchanged, an introduction in front."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import Line, capital, chinese, opening_small, plain_words
from assay.interventions.attacks._wording import AGAIN_EN, AGAIN_ZH, SYNONYMS_EN, SYNONYMS_ZH

if TYPE_CHECKING:
    from random import Random

    from assay.subjects.report import Report

__all__ = ["exchanged", "reordered", "restated"]

_LAST: Final = re.compile(
    r"^(?P<main>[^,;:]{25,160}),? (?P<sub>(?:because|although|while|when|if|since|whereas|unless|once) [^,;:]{18,160})$"
)
_FIRST: Final = re.compile(
    r"^(?P<sub>(?:Because|Although|While|When|If|Since|Whereas|Unless|Once|In|By|For|With|Through|During|Despite|Among|Across|At|As) [^,;:]{8,110}), (?P<main>[^;:]{25,200})$"
)
_FIRST_ZH: Final = re.compile(
    r"^(?P<sub>(?:在|自|随着|为了|根据|按照|通过)[^，。；]{4,30})，(?P<main>[^；]{12,90})$"
)
_LEAD: Final = re.compile(r"^\*\*[^*\n]{2,60}\*\*\s?[:：]?\s*")
_WORD: Final = re.compile(r"[A-Za-z]+")
_NO_RESTATING: Final = re.compile(
    r"^(?:This|These|Those|Such|However|For example|For instance|Therefore|Thus|As a result|In other words|It|They|Additionally|Furthermore|Moreover|Similarly|"
    r"In contrast|Finally|First|Second|Third|Conversely|Also|Note|See|Let|Here|Meanwhile|In addition|But|And|Or|Yet|So|Consequently|Specifically|Overall|In summary|In conclusion)\b"
    r"|^(?:这|该|此外|然而|因此|例如|但|同时|其|由此|上述|不过|首先|其次|最后|另外|综上|总|即|也|并|而|如|见|注|换|[一二三四五]是|第[一二三四五])|[?？!！]|\*\*|[:：]$"
)  # fmt: skip


def exchanged(text: str, draw: Random, *, zh: bool) -> str:
    """A text with some of its words of form exchanged for others that say the same."""
    if zh:
        found = [(old, new) for old, new in SYNONYMS_ZH.items() if text.count(old) == 1 and new not in text]
        draw.shuffle(found)
        for old, new in found[:3]:
            text = text.replace(old, new)
        return text

    def put(match: re.Match[str]) -> str:
        word = match.group()
        new = SYNONYMS_EN.get(word.lower())
        if new is None or draw.random() < 0.3:
            return word
        return capital(new) if word[0].isupper() else new

    return _WORD.sub(put, text)


def reordered(report: Report, body: str) -> str | None:
    """A sentence with its two clauses in the other order; None where it has not two that can change places."""
    if chinese(report):
        match = _FIRST_ZH.match(body)
        return (
            None
            if match is None or not re.match(r"[\u4e00-\u9fff]", match["main"])
            else f"{match['main']}，这是{match['sub']}而言的"
        )
    match = _LAST.match(body)
    if match:
        small = opening_small(report, match["main"])
        return None if small is None else f"{capital(match['sub'])}, {small}"
    match = _FIRST.match(body)
    if match and " and " not in match["main"][-30:]:
        return f"{capital(match['main'])} {match['sub'][0].lower()}{match['sub'][1:]}"
    return None


def restated(report: Report, line: Line, draw: Random) -> str | None:
    """A sentence said again, without its citations; None where that would not read well."""
    zh = chinese(report)
    # "**Lead**: text" is said again without its lead.
    raw = _LEAD.sub("", line.text[: line.tail]).strip()
    body = plain_words(raw)
    if _NO_RESTATING.search(raw) or not body or len(body) > (140 if zh else 330):
        return None
    if not any(mark in line.text[line.tail :] for mark in ".。"):
        return None
    turned = None if zh else reordered(report, body)
    body = exchanged(turned or body, draw, zh=zh)
    small = body if zh else opening_small(report, body)
    if small is None:
        return None
    if turned and draw.random() < 0.35:
        return capital(body) + "."
    if zh and not re.match(r"[\u4e00-\u9fffA-Za-z《“]", small):
        return None
    return draw.choice(AGAIN_ZH if zh else AGAIN_EN).format(s=small)
