"""Sentences that look like statements and make none, and the openings that tell what a statement does.

Announcements, definitions and diagrams are about a subject without saying anything for or against a claim. The words
stand in ``phrases/roles.yaml``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal

from assay.text.phrases import PhraseFile

_WORDS: Final = PhraseFile("assay.logic", "roles")
# Every pattern is looked for near the beginning, which is what tells the part that a sentence plays.
_NEAR: Final = 160
_HAN: Final = re.compile("[\u3400-\u9fff]")
# Characters that tell the language of a statement inside a text.
_FEW: Final = 60
_ARROWS: Final = 2
_LABEL: Final = re.compile(r"\W*([^:：\n]{2,30}+)[:：]\s*")
_FIRST_CLAUSE: Final = re.compile(r"[^，。；,.;（(]*")


def announces(lower: str) -> bool:
    """Return whether a sentence, in lower case, only says what comes or what was looked at."""
    return _inside("announcing_clause", lower).search(lower[:_NEAR]) is not None


def opens_items(lower: str) -> bool:
    """Return whether a text that ends in a colon is nothing without its list ("… in the following ways:")."""
    return _inside("opening_items", lower).search(lower) is not None or _cut_off().search(lower) is not None


def defines(lower: str) -> bool:
    """Return whether a sentence or list item, in lower case, only says what a thing is."""
    if _opening("defining", lower).match(lower[:_NEAR]) is not None:
        return True
    label = _LABEL.match(lower)
    if label is None or label[1][-1:] < "\u3400":
        return False
    # 高校博物馆：由高校设立的博物馆: the first clause ends in the noun that the label ends in.
    clause = _FIRST_CLAUSE.match(lower, label.end())
    return clause is not None and "的" in clause[0] and clause[0].rstrip().endswith(label[1][-2:])


def is_diagram(text: str) -> bool:
    """Return whether a text is steps with arrows between them."""
    return text.count("→") >= _ARROWS or text.count("->") >= _ARROWS


def illustrates(lower: str, start: int) -> bool:
    """Return whether a statement, in lower case, opens as an example of what stands before it."""
    return _opening("example", lower[start : start + _FEW]).match(lower, start) is not None


def concludes(lower: str, start: int) -> bool:
    """Return whether a statement, in lower case, opens as the conclusion from what stands before it."""
    return _opening("conclusion", lower[start : start + _FEW]).match(lower, start) is not None


def gives_ground(lower: str, start: int) -> bool:
    """Return whether a statement, in lower case, opens as the reason for what stands before it."""
    return _opening("ground", lower[start : start + _FEW]).match(lower, start) is not None


def sets_apart(lower: str, start: int) -> bool:
    """Return whether a statement, in lower case, opens as a contrast or a further point, and so supports nothing."""
    return _opening("apart", lower[start : start + _FEW]).match(lower, start) is not None


def is_adverse(lower: str) -> bool:
    """Return whether a sentence, in lower case, names a drawback, a doubt or a limit."""
    return _inside("adverse", lower).search(lower) is not None


def reports_finding(lower: str) -> bool:
    """Return whether a sentence, in lower case, tells what somebody found, did or said."""
    return _opening("finding", lower).match(lower[:_NEAR]) is not None


def lacks_referent(lower: str) -> bool:
    """Return whether the subject of a sentence, in lower case, points at something said before."""
    return _opening("pointing_back", lower).match(lower) is not None


def _language(lower: str) -> Literal["en", "zh"]:
    return "en" if lower.isascii() or not _HAN.search(lower) else "zh"


def _opening(name: str, lower: str) -> re.Pattern[str]:
    return _opening_in(name, _language(lower))


def _inside(name: str, lower: str) -> re.Pattern[str]:
    return _inside_in(name, _language(lower))


@cache
def _opening_in(name: str, language: Literal["en", "zh"]) -> re.Pattern[str]:
    edge = r"\b" if language == "en" else ""
    return re.compile(rf"\W*(?:{_WORDS[name].alternation(language)}){edge}")


@cache
def _inside_in(name: str, language: Literal["en", "zh"]) -> re.Pattern[str]:
    words = _WORDS[name].alternation(language)
    return re.compile(rf"\b(?:{words})\b" if language == "en" else words)


@cache
def _cut_off() -> re.Pattern[str]:
    # "… catalyze economies by:"
    return re.compile(rf"\b(?:{_WORDS['cut_off'].alternation('en')})\W*$")
