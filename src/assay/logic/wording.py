"""Whether words are a statement, as against labels, titles, names and pieces of a layout."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.logic.patterns import CAPTION, ENUMERATOR, has_verb, opens_list, orders_action, states

if TYPE_CHECKING:
    from assay.subjects.report import Report

_MIN_WORDS: Final = 6
_SHORT: Final = 4
_MAX_CHARS: Final = 700
_CAPTIONING: Final = frozenset("TtFfCcEeBb图表注说备数更（")
STOPS: Final = frozenset(""".!。！；;”"'’」""")
_OPENING_QUOTES: Final = frozenset('"“「『《')
_CLOSED: Final = re.compile(r"[\"“「『《].{8,300}[\"”」』》].{0,60}$", re.DOTALL)
# A Chinese item without any punctuation is a clause from about this length on.
_CLAUSE: Final = 16


def without_enumerator(text: str, start: int) -> tuple[str, int]:
    """Return ``text`` without a number or letter before its words, and its new start."""
    match = ENUMERATOR.match(text)
    if match is None or match.end() == len(text):
        return text, start
    return text[match.end() :], start + match.end()


def says_something(text: str, *, cjk: bool, lead_in: bool, stated: bool) -> bool:
    """Return whether words can be a statement: long enough, not a question, not the title of a table."""
    if len(text) > _MAX_CHARS or text[-1] in "?？":
        return False
    if "(" in text and text.count("(") > text.count(")"):
        # A piece cut off at an abbreviation inside brackets.
        return False
    if text[0] in _CAPTIONING and CAPTION.match(text):
        return False
    if "\\" in text and text.count("\\") > 2:
        # A formula.
        return False
    size = len(text) // 2 if cjk else text.count(" ") + 1
    if not lead_in:
        if size >= _MIN_WORDS:
            return True
        # "The market is saturated." is a claim if it ends as one does; "Further reading" and "It works." are not.
        return size >= _SHORT and text[-1] in STOPS and (stated if cjk else has_verb(text.lower()))
    if size < _MIN_WORDS + 3 or opens_list(text):
        return False
    return stated if cjk else has_verb(text.lower())


def is_cjk(report: Report, text: str) -> bool:
    """Return whether a text is Chinese; its first words decide, because Chinese is full of English names."""
    return report.cues.cjk and (report.language == "zh" or text[0] > "\u2e80") and not text[:24].isascii()


def item_says_something(report: Report, text: str, start: int, *, cjk: bool, weighed: bool) -> bool:
    """Return whether a list item is more than a label, a name, a noun phrase.

    Args:
        report: The report.
        text: The item's words.
        start: Where they begin.
        cjk: Whether they are Chinese.
        weighed: Whether a cue or a figure suggests that they state something.
    """
    if text[0] in _OPENING_QUOTES and _CLOSED.match(text):
        # The title of a paper, a film, a book.
        return False
    ended = text[-1] in STOPS
    source = report.source
    end = start + len(text)
    if source.startswith("**", end) and source.startswith("**", start - 2):
        # All in bold: a claim that the rest of the item explains, or the label of what is nested under it.
        return ended
    after = after_label(text)
    lower = report.cues.lower
    if cjk:
        # "风险：客户接受度", "方向：云计算、数据库、网络" – what follows the label must be a clause of its own.
        rest = text[after:]
        if len(rest) < 12 or (not weighed and rest.count("、") > rest.count("，")):
            return False
        return (
            ended
            or "，" in rest
            or "；" in rest
            or (weighed and len(rest) >= _CLAUSE)
            or orders_action(lower, start, end, cjk=True)
        )
    if report.language == "und":
        return True
    if has_verb(lower[start + after : end]) or orders_action(lower, start + after, end, cjk=report.cues.cjk):
        return True
    return after > 0 and states(lower, start, start + after)


def after_label(text: str) -> int:
    """Return where the words after a label ("Cost: …") begin; 0 without a label."""
    colon = text.find(":", 1, 82)
    wide = text.find("：", 1, 82) if colon < 0 else text.find("：", 1, colon)
    if wide > 0:
        colon = wide
    return 0 if colon < 0 or text[colon + 1 : colon + 2].isdigit() else colon + 1
