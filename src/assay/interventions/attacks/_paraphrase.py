"""Restatements that are appended to a section: short forms of its sentences, or the names of its points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from assay.interventions.attacks._prose import capital, chinese, plain_words
from assay.interventions.attacks._statements import finite, moved, shortened, small_opening
from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from random import Random

    from assay.subjects.parts import Section
    from assay.subjects.report import Report

_PHRASES: Final = PhraseFile("assay.interventions", "paraphrase")
_FILLER_PHRASES: Final = PhraseFile("assay.interventions", "filler_phrases")

# Questions, and nouns that need an article which the title omits, do not fit into a sentence.
_ASKS_ZH: Final = _PHRASES.pattern("<<asks>>")
_BARE: Final = _PHRASES.pattern("(?:<<bare>>)$")
_HAN: Final = re.compile("[\u4e00-\u9fff]")


_POINT_LABEL: Final = re.compile(r"\*\*(?P<name>[^*\n]{2,80}?)[:：]?\*\*\s?[:：]?\s*")
_MARKER: Final = re.compile(r"^\s*(?:[-•*+]|\d{1,2}[.)、])\s+")
# Three points right above are still in view.
_FEWEST_POINTS: Final = 4
_MOST_POINTS: Final = 8


class Wordings:
    """A supply of random wordings of several kinds, none of which is used more than twice.

    Args:
        report: The report that is extended; it decides the language.
        draw: Random generator for the order.
    """

    def __init__(self, report: Report, draw: Random) -> None:
        self.zh = chinese(report)
        self._left: dict[str, list[str]] = {}
        for name, en, zh in (
            ("open", _FILLER_PHRASES["openings"].en, _FILLER_PHRASES["openings"].zh),
            ("next", _FILLER_PHRASES["continuations"].en, _FILLER_PHRASES["continuations"].zh),
            ("last", _FILLER_PHRASES["closings"].en, _FILLER_PHRASES["closings"].zh),
            ("points", _FILLER_PHRASES["points"].en, _FILLER_PHRASES["points"].zh),
            ("lead-in", _FILLER_PHRASES["lead_in"].en, _FILLER_PHRASES["lead_in"].zh),
        ):
            pool = list(zh if self.zh else en)
            draw.shuffle(pool)
            # In a long report each may come twice, the second time after all others.
            again = list(pool)
            self._left[name] = [*again, *pool] if name in ("open", "next", "last", "points") else pool

    def take(self, name: str, *, topic: str | None = None) -> str | None:
        """Return the next wording of a kind and remove it from the supply, or return None if none is left.

        Args:
            name: Kind of wording.
            topic: Topic that fills the placeholder; without one, wordings that have a placeholder are passed over.
        """
        left = self._left[name]
        for at, wording in enumerate(left):
            if topic is None and "{p}" in wording:
                continue
            return left.pop(at).replace("{p}", topic or "")
        return None


def restated_paragraph(
    report: Report, bodies: Sequence[str], topic: str | None, wordings: Wordings, draw: Random
) -> str | None:
    """Return several sentences of a section restated as a short paragraph, or None if the first has no restatement."""
    zh = wordings.zh
    out: list[str] = []
    for number, body in enumerate(bodies):
        turned = moved(report, body)
        text = turned or shortened(body, zh=zh)
        kind = "open" if number == 0 else "last" if number == len(bodies) - 1 and len(bodies) >= 3 else "next"
        # If every sentence had its own opening phrase, the paragraph would be a list of openings.
        if kind == "next" and draw.random() < 0.4:
            out.append(text + "。" if zh else capital(text) + ".")
            continue
        small = text if zh else small_opening(report, text)
        if small is None:
            if number == 0:
                return None
            out.append(capital(text) + ".")
            continue
        wording = wordings.take(kind, topic=topic if number == 0 else None)
        if wording is None:
            return None if number == 0 else "".join(out) if zh else " ".join(out)
        out.append(wording.format(s=small))
    return "".join(out) if zh else " ".join(out)


def readable(phrase: str) -> bool:
    """Return whether a title's phrase fits into a sentence: neither a question nor a singular without its article."""
    if _HAN.search(phrase):
        return not _ASKS_ZH.search(phrase)
    if re.search(r"[\"“”:]", phrase) or re.match(r"\w+ing\b", phrase):
        return False
    head = re.split(r" (?:of|for|in|to|on|from|with|as|across|between|through|versus|vs) ", phrase)[0]
    return phrase.startswith("the ") or _BARE.search(head) is not None


def points(report: Report, section: Section) -> str | None:
    """Return the points of a section's list as one line, each shortened to its label and first clause.

    Returns:
        The line; None if one of the points cannot be shortened, or the list has too few or too many.
    """
    zh = chinese(report)
    found = []
    own = [block for block in report.blocks if block.section == section.index]
    items = [number for number, block in enumerate(own) if block.kind == "item"]
    # Two lists in a section are two subjects.
    if not items or items[-1] - items[0] + 1 > len(items):
        return None
    for block in own:
        if block.kind != "item" or block.depth != 1:
            continue
        text = _MARKER.sub("", report.source[block.span.start : block.span.end])
        point = _point(report, text, zh=zh)
        if point is None:
            return None
        found.append(point)
    if not _FEWEST_POINTS <= len(found) <= _MOST_POINTS or len(set(found)) < len(found):
        return None
    return ("；" if zh else "; ").join(found)


def _point(report: Report, text: str, *, zh: bool) -> str | None:
    if re.search(r"\]\(|https?:|[|`$\n?？!！]", text) or text.count("**") % 2:
        return None
    label = _POINT_LABEL.match(text)
    name = plain_words(label["name"]).strip(" :：") if label else ""
    body = shortened(plain_words(text[label.end() if label else 0 :]), zh=zh)
    clause = re.split(r"[;；。:：]|\.(?=\s|$)|…| [–—-] |——", body, maxsplit=1)[0].strip(" ,，*_")
    # A label alone is not a point, and neither is a clause without a verb.
    if re.search(r"[:：]", body) or not finite(clause, zh=zh):
        return None
    if re.search(r"\b(?:include|includes|including|such as|are|is)$", clause):
        return None
    if re.search(r"[()（）\[\]【】]", name + clause) or "**" in clause or not _paired(name, clause):
        return None
    if name:
        if not 2 <= len(name) <= (24 if zh else 70):
            return None
        # Capitals stay: lower-casing half of a list would be worse than nothing.
        if not 4 <= len(clause) <= (46 if zh else 120):
            return None
        return f"{name}（{clause}）" if zh else f"{name} ({clause})"
    if not (8 if zh else 20) <= len(clause) <= (60 if zh else 170):
        return None
    return clause if zh else small_opening(report, clause)


def _paired(*texts: str) -> bool:
    return all(
        text.count("“") == text.count("”")
        and text.count('"') % 2 == 0
        and text.count("《") == text.count("》")
        for text in texts
    )


def listed(phrases: Sequence[str], *, zh: bool) -> str:
    """Return phrases joined as a list within a sentence."""
    if zh:
        if any("、" in phrase for phrase in phrases):
            return "；".join(phrases)
        return "、".join(phrases[:-1]) + "以及" + phrases[-1] if len(phrases) > 2 else "和".join(phrases)
    if len(phrases) == 2:
        return f"{phrases[0]} and {phrases[1]}"
    # If a phrase contains "and", the last comma keeps the phrases apart.
    return ", ".join(phrases[:-1]) + ", and " + phrases[-1]
