"""Patterns that tell statements from labels, and kinds of sections from each other, in English and Chinese.

The words stand in ``phrases/statements.yaml`` and ``phrases/section_titles.yaml``; the patterns around them are here.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Final, Literal

from assay.text.phrases import PhraseFile

Role = Literal["summary", "conclusion", "introduction"]

_WORDS: Final = PhraseFile("assay.logic", "statements")
_TITLES: Final = PhraseFile("assay.logic", "section_titles")
# The word is taken out and looked up: trying a hundred alternatives at every item costs more than reading it.
_FIRST_WORD: Final = re.compile(
    r"\W*+(?:(?:alternatively|then|instead|always|never|regularly|also),?\s+)?"
    r"([a-z]+)\s+(?!(?:of|in|for|by|and|is|are)\b)\w"
)
_LABEL: Final = re.compile(r"[^:：\n]{1,60}+[:：]")
_TITLE_NUMBER: Final = r"^[\W\d_一二三四五六七八九十]*(?:[IVX]{1,5}[.、:\s]\W*)?"
_TITLE_WORD: Final = re.compile(r"\w+")

# A digit, a title in marks, a quotation, a number in characters, a name inside a sentence.
_CHECKABLE: Final = re.compile(
    r"[0-9０-９]|《|“|\"|百分之|[一二两三四五六七八九十百千万亿]{2,}|[一二两三四五六七八九]成"
    r"|[A-Z]{2,}|(?<=[a-z,;] )[A-Z][a-z]|(?<=[\u3400-\u9fff])[A-Z][A-Za-z]"
    r"|(?:案例|例如|比如|如)[\u3400-\u9fffA-Za-z]"
)
# "(1)", "一、", "①", "a)" before the words of an item; never part of a statement.
ENUMERATOR: Final = re.compile(
    r"(?:[（(](?:\d{1,2}|[一二三四五六七八九十]{1,3}|[a-zA-Z]|[ivx]{1,4})[）)]|[①-⑳]"
    r"|[一二三四五六七八九十]{1,3}、|\d{1,2}[、)）]"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}[.．]?\s|\d{1,2}[.．]\s|第[一二三四五六七八九十]{1,3}[，、])[\s、:：.]*"
)
CAPTION: Final = re.compile(
    r"\W*(?:(?:table|figure|fig|chart|exhibit|box)\b\.?\s*\d|[图表]\s*\d"
    r"|(?:注|说明|备注|数据更新|更新时间)\s*[:：])",
    re.IGNORECASE,
)


def has_verb(text: str) -> bool:
    """Return whether an English text in lower case has a finite verb, as far as its forms tell."""
    finite, plain, after_past = _verbs()
    words = text.split()
    if not finite.isdisjoint(words) or not plain.isdisjoint(words[1:]):
        return True
    return any(
        word.endswith("ed") and len(word) > 4 and (after in after_past or after[0].isdigit())
        for word, after in pairwise(words[1:])
    )


def orders_action(text: str, start: int, end: int, *, cjk: bool) -> bool:
    """Return whether ``text[start:end]``, in lower case, opens with an order, with or without a label before it.

    Args:
        text: The text.
        start: Start of the piece.
        end: End of the piece.
        cjk: Whether the text may hold Chinese.
    """
    actions, chinese_action = _actions()
    first = _FIRST_WORD.match(text, start, end)
    if first is not None and first[1] in actions:
        return True
    # Most pieces have no colon near their beginning, and `find` sees that soonest.
    near = start + 62
    labelled = text.find(":", start, near) >= 0 or text.find("：", start, near) >= 0
    if labelled and (label := _LABEL.match(text, start, end)) is not None:
        first = _FIRST_WORD.match(text, label.end(), end)
        if first is not None and first[1] in actions:
            return True
    return cjk and chinese_action.match(text, start, end) is not None


def opens_list(text: str) -> bool:
    """Return whether a text that ends in a colon only opens a list ("The drivers include:")."""
    return _opens_list().search(text) is not None


def states(text: str, start: int, end: int) -> bool:
    """Return whether a label in ``text[start:end]``, in lower case, has a verb."""
    return _states().search(text, start, end) is not None


def leans(text: str, start: int) -> bool:
    """Return whether a statement, in lower case, cannot be understood without the one before it."""
    return _leaning().match(text, start) is not None


def opposes(text: str, start: int) -> bool:
    """Return whether a statement, in lower case, opens by turning against the one before it."""
    return _opposing().match(text, start) is not None


def is_checkable(text: str) -> bool:
    """Return whether a statement names something that could be looked up: a figure, a date, a name, a title."""
    return _CHECKABLE.search(text) is not None


def is_slogan(text: str) -> bool:
    """Return whether a Chinese text is nothing but a call for action without a reason or a condition."""
    return _slogan().match(text) is not None


def recommends(title: str) -> bool:
    """Return whether a section gives recommendations, by its title."""
    return _recommending_title().search(title) is not None


def looks_ahead(title: str) -> bool:
    """Return whether a section is about what is to come, by its title."""
    return _ahead_title().search(title) is not None


def is_background(text: str) -> bool:
    """Return whether a statement describes how things have been going, as introductions do."""
    return _background().search(text.lower()) is not None


def is_generic_title(title: str) -> bool:
    """Return whether a title names a part of a report, not a subject ("Overview", 主要发现)."""
    return _generic_title().match(title) is not None


def is_anaphoric(text: str) -> bool:
    """Return whether the subject of a sentence, in lower case, is a word for something said before."""
    return _anaphoric().match(text) is not None


def role_of_title(title: str) -> Role | None:
    """Return which part of the frame a section is by its title; None if it is part of the body."""
    if _title("summary").search(title):
        return "summary"
    if _title("conclusion").search(title):
        return "conclusion"
    return "introduction" if _title("introduction").match(title) else None


def is_appendix(title: str) -> bool:
    """Return whether a section carries no argument, by its title: contents, disclaimers, methods, sources."""
    return _title("appendix").match(title) is not None


def is_claim_title(title: str) -> bool:
    """Return whether a title states something: by a finite verb in English, by a change or judgement in Chinese."""
    if title.isascii() and (
        # The pattern would find the same, but slowly.
        title.count(" ") < 4 or _claim_verbs().isdisjoint(_TITLE_WORD.findall(title.lower()))
    ):
        return False
    return _claim_title().match(title) is not None


@cache
def _opposing() -> re.Pattern[str]:
    return _opening("opposing")


@cache
def _slogan() -> re.Pattern[str]:
    actions = _WORDS["actions"].alternation("zh")
    # A clause after a comma, a purpose or a cause makes more of it than a slogan.
    return re.compile(rf"\W*(?:{actions})[^，,；;：:因为从而以避免防止%％\d]{{2,24}}[。.]?$")


@cache
def _recommending_title() -> re.Pattern[str]:
    words = _TITLES["recommending_titles"]
    return re.compile(f"{words.alternation('en')}|{words.alternation('zh')}", re.IGNORECASE)


@cache
def _ahead_title() -> re.Pattern[str]:
    words = _TITLES["ahead_titles"]
    return re.compile(rf"\b(?:{words.alternation('en')})\b|{words.alternation('zh')}", re.IGNORECASE)


@cache
def _background() -> re.Pattern[str]:
    words = _WORDS["background"]
    return re.compile(rf"\b(?:{words.alternation('en')})\b|{words.alternation('zh')}")


@cache
def _generic_title() -> re.Pattern[str]:
    words = _TITLES["generic_titles"]
    return re.compile(
        rf"{_TITLE_NUMBER}(?:{words.alternation('en')}|{words.alternation('zh')})\W*$", re.IGNORECASE
    )


@cache
def _verbs() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    finite = {*_WORDS["finite_verbs"].en, *(f"{verb}s" for verb in _WORDS["verbs_with_s"].en)}
    return frozenset(finite), frozenset(_WORDS["plain_verbs"].en), frozenset(_WORDS["after_past_verb"].en)


@cache
def _actions() -> tuple[frozenset[str], re.Pattern[str]]:
    chinese = _WORDS["actions"].alternation("zh")
    label = r"(?:[^:：\n]{1,20}[:：]\s*)?"
    return frozenset(_WORDS["actions"].en), re.compile(rf"{label}\W*(?:{chinese})(?!的|了|与|和|及)")


@cache
def _opens_list() -> re.Pattern[str]:
    words = _WORDS["opens_list"]
    return re.compile(rf"(?:{words.alternation('zh')}|{words.alternation('en')})\W*[:：]$", re.IGNORECASE)


@cache
def _states() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_WORDS['states'].alternation('en')})\b")


@cache
def _leaning() -> re.Pattern[str]:
    return _opening("leaning")


@cache
def _anaphoric() -> re.Pattern[str]:
    return _opening("anaphoric")


def _opening(name: str) -> re.Pattern[str]:
    words = _WORDS[name]
    return re.compile(rf"\W*(?:{words.alternation('en')})\b|\W*(?:{words.alternation('zh')})")


@cache
def _title(role: str) -> re.Pattern[str]:
    opening = _TITLES[f"{role}_opening"]
    parts = [rf"{_TITLE_NUMBER}(?:{opening.alternation('en')}|{opening.alternation('zh')})"]
    if f"{role}_anywhere" in _TITLES:
        anywhere = _TITLES[f"{role}_anywhere"]
        parts += [anywhere.alternation("en"), anywhere.alternation("zh")]
    return re.compile("|".join(parts), re.IGNORECASE)


@cache
def _claim_verbs() -> frozenset[str]:
    return frozenset(_TITLES["claim_verbs"].en)


@cache
def _claim_title() -> re.Pattern[str]:
    asking = _TITLES["asking_words"].alternation("en")
    verbs = _TITLES["claim_verbs"].alternation("en")
    adverbs, changes = _TITLES["claim_adverbs"].alternation("zh"), _TITLES["claim_changes"].alternation("zh")
    return re.compile(
        rf"^(?!\W*(?:{asking}|{_TITLES['asking_verbs'].alternation('en')})\b)"
        # "Heat pumps: where the market is heading" asks, it does not answer.
        rf"(?![^:\n]{{0,120}}:\s*(?:{asking}|whether)\b)"
        rf"(?=.*\b(?:{verbs})\b)(?:\W*\w[\w'’\-–/,%$.]*){{5,}}\W*$"
        rf"|^[^：:？?]{{2,20}}(?:{adverbs})(?:{changes})[^：:？?的]{{0,12}}$",
        re.IGNORECASE,
    )
