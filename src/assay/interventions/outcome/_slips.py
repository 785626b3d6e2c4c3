"""Recognition of the slip that an edit introduced, from the two texts alone, for edits by rule and by model alike.

The original passage is assumed to be correct: a verb that changed its number, or a phrase that lost its preposition, is
a slip; a change that may be a free choice of words is not.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from assay.interventions.outcome._sentences import MARKERS, tokens
from assay.interventions.outcome._slips_en import wrong_prepositions
from assay.interventions.outcome._slips_zh import faults
from assay.text.english_grammar import GRAMMAR
from assay.text.phrases import PhraseFile
from assay.text.words import content_terms, stem

_PHRASES: Final = PhraseFile("assay.interventions", "slips")

_CONFUSED: Final = frozenset(
    frozenset(pair)
    for pair in (
        ("their", "there"),
        ("than", "then"),
        ("its", "it's"),
        ("fewer", "less"),
        ("many", "much"),
        ("whose", "who's"),
        ("affect", "effect"),
        ("affects", "effects"),
        ("these", "this"),
        ("those", "that"),
        ("lead", "led"),
        ("loss", "lose"),
        ("principal", "principle"),
        ("a", "an"),
        ("is", "are"),
        ("was", "were"),
        ("has", "have"),
        ("does", "do"),
        ("doesn't", "don't"),
    )
)
_EMPTY_ZH: Final = frozenset(
    "与和在对是由为以从将把被了着的地得中上下进行方面领域特点趋势特征作用优势问题能力态势格局局面挑战重要关键风险现象状态影响因素组成部分手段核心"
)
# A passage that grew by this share and says nothing new is wordy.
_WORDY: Final = 1.12
_LEAST_ADDED: Final = 12


def slip_between(before: str, after: str, language: str) -> str | None:
    """Return a few words on the slip that ``after`` has and ``before`` has not, or None if there is none.

    Args:
        before: The passage, assumed to be correct.
        after: The passage after the edit.
        language: ``"en"`` or ``"zh"``.
    """
    if language == "zh":
        return _chinese(_flat(before), _flat(after))
    return _english(before, after)


def _flat(text: str) -> str:
    return re.sub(r"[*_\s]+", "", MARKERS.sub("", text))


def _english(before: str, after: str) -> str | None:
    old, new = tokens(before), tokens(after)
    if old == new:
        return None
    lower_old, lower_new = [token.lower() for token in old], [token.lower() for token in new]
    if lower_old != lower_new and Counter(lower_old) == Counter(lower_new):
        return "words out of order"
    for phrase in (*_PHRASES["pleonasms"].mapping("en").values(), *_PHRASES["paired"].mapping("en").values()):
        if _count(phrase, after) > _count(phrase, before):
            return f"“{phrase}” says it twice"
    seen = None
    for tag, i, j, k, m in SequenceMatcher(a=lower_old, b=lower_new, autojunk=False).get_opcodes():
        if tag != "equal":
            seen = seen or _changed(lower_old, lower_new, (i, j, k, m))
    return seen or _merged(old, new) or _wordy(before, after, old, new)


def _count(phrase: str, text: str) -> int:
    return len(re.findall(rf"\b{re.escape(phrase)}\b", text, re.IGNORECASE))


def _changed(old: list[str], new: list[str], at: tuple[int, int, int, int]) -> str | None:
    i, j, k, m = at
    gone, come = old[i:j], new[k:m]
    if len(gone) == len(come) == 1:
        return _exchanged(old, i, gone[0], come[0])
    if not come and 0 < len(gone) <= 2 and all(word in _PHRASES["small"].words("en") for word in gone):
        return f"“{' '.join(gone)}” is missing"
    if not gone and come and (come == new[max(0, k - len(come)) : k] or come == new[m : m + len(come)]):
        return f"“{' '.join(come)}” stands twice"
    return None


def _exchanged(old: list[str], at: int, gone: str, come: str) -> str | None:
    before = old[at - 1] if at else ""
    if frozenset((gone, come)) in _CONFUSED:
        return f"“{come}” for “{gone}”"
    if wrong_prepositions().get((before, gone)) == come or (
        (before, gone) in wrong_prepositions() and come in _PHRASES["small"].words("en")
    ):
        return f"“{before} {come}”"
    if not gone.isalpha() or not come.isalpha():
        return None
    verb = (
        gone in GRAMMAR.base_verbs
        or gone in GRAMMAR.ambiguous_verbs
        or gone in GRAMMAR.third_person
        or gone.endswith(("ed", "ing", "en", "wn"))
    )
    related = (
        stem(gone) == stem(come) or stem(gone).rstrip("e") == stem(come).rstrip("e") or gone[:4] == come[:4]
    )
    # A past tense may be as good as a present tense.
    if related and verb and not come.endswith("ed"):
        return f"“{come}” for “{gone}”"
    number = before in (
        "these",
        "those",
        "many",
        "several",
        "various",
        "multiple",
        "this",
        "each",
        "every",
        "another",
        "a",
        "an",
        "one",
    )
    if related and (
        number or (at > 1 and old[at - 2] in ("these", "those", "many", "several", "this", "each"))
    ):
        return f"“{come}” after “{before}”"
    return None


def _merged(old: list[str], new: list[str]) -> str | None:
    """Return a note if sentences were run together with a comma or a clause was cut off by a full stop, else None."""
    if new.count(".") < old.count(".") and new.count(",") >= old.count(","):
        return "two sentences run together"
    if new.count(".") > old.count("."):
        for left, right in pairwise(new):
            if left == "." and right.lower() in _PHRASES["clause_words"].words("en") and right[:1].isupper():
                return f"a fragment begins with “{right}”"
    return None


def _wordy(before: str, after: str, old: list[str], new: list[str]) -> str | None:
    if len(after) < _WORDY * len(before) or len(after) - len(before) < _LEAST_ADDED or len(new) <= len(old):
        return None
    terms, now = content_terms(before), content_terms(after)
    if terms and len(terms & now) < 0.7 * len(terms):
        return None
    return "the same in more words"


def _chinese(before: str, after: str) -> str | None:
    if before == after:
        return None
    for name, pattern in faults():
        if len(pattern.findall(after)) > len(pattern.findall(before)):
            return name
    if Counter(before) == Counter(after):
        return "words out of order"
    gone = come = ""
    for tag, i, j, k, m in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if tag != "equal":
            gone, come = gone + before[i:j], come + after[k:m]
    if not come and 0 < len(gone) <= 8 and all(char in _EMPTY_ZH for char in gone):
        return f"{gone} is missing"
    shared = len(content_terms(before) & content_terms(after))
    if (
        len(after) >= _WORDY * len(before)
        and len(after) > len(before) + 4
        and shared >= 0.7 * len(content_terms(before))
    ):
        return "the same in more words"
    return None
