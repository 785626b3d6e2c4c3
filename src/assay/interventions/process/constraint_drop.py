"""Constraint drop: a call's arguments lack one of the query's constraints, so the call asks for more.

A year, a place name, a qualifier, a part of a name, a source or a word in brackets is left out, or a wider term
replaces it. A batch of queries must lose the constraint as a whole: if one of them keeps it, it is not dropped.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from assay.interventions.base import EditSite, Operator
from assay.interventions.hints import place_hint
from assay.interventions.process._arguments import (
    leaves_of,
    words_of,
)
from assay.interventions.process._call_sites import call_sites, no_open_call
from assay.interventions.process._entities import confusable_rows, people
from assay.text.bilingual import listed
from assay.text.phrases import PhraseFile
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from assay.interventions.process._arguments import ArgumentText
    from assay.subjects.trajectory import Step, ToolCall, Trajectory

_PHRASES: Final = PhraseFile("assay.interventions", "constraint_drop")
_CONFUSABLE_WORDS: Final = PhraseFile("assay.interventions", "confusable_words")

_MONTHS: Final = "<<months>>"
_IN: Final = r"(?:\b(?:in|of|from|at|on|since|before|after|during|by|for)\s+(?:the\s+)?(?:year\s+)?)?"
_WHO: Final = (
    "(?:authors?|actress(?:es)?|actors?|playwrights?|novelists?|writers?|poets?|outlaws?"
    "|composers?|architects?|scientists?|athletes?|artists?|singers?|rock bands?|bands?"
    "|cartoonists?|philosophers?|mathematicians?|directors?|politicians?|footballers?|painters?"
    "|serial killers?|film directors?|musicians?)"
)
_MORE_PLACES: Final = (
    "UK",
    "US",
    "USA",
    "Europe",
    "Africa",
    "Asia",
    "Britain",
    "Northern England",
    "Vienna",
    "Disney",
    "Netflix",
    "BBC",
)


@cache
def _words_of_kinds(*kinds: str) -> list[str]:
    """Return a pattern fragment of the confusable words of some kinds."""
    return [re.escape(word) for kind, *words in confusable_rows() if kind in kinds for word in words]


@cache
def _place_pattern() -> re.Pattern[str]:
    words = _words_of_kinds("nationality", "country", "city", "state", "county")
    places = "|".join(sorted({*words, *_MORE_PLACES}, key=len, reverse=True))
    return re.compile(rf"(?:,\s)?{_IN}(?<![A-Z][a-z] )\b(?:{places})(?=\s[a-z0-9]|$|[,?])")


# What a query can lose, by pattern. Order matters: the whole date comes before its year.
_PARTS: Final[tuple[tuple[str, re.Pattern[str] | None], ...]] = (
    (
        "date",
        _PHRASES.pattern(
            rf"{_IN}\b(?:(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?,?(?:\s+\d{{4}})?|\d{{1,2}}\s+(?:{_MONTHS})"
            r"(?:\s+\d{4})?)\b",
        ),
    ),
    (
        "year",
        re.compile(
            rf"{_IN}(?<![\d\-–])(?<!\d[ ,])(?:1[0-9]\d\d|20[0-3]\d)(?:s\b|\s?(?:to|-|–)\s?(?:1[0-9]\d\d"
            r"|20[0-3]\d))?(?![\w\-–])",
        ),
    ),
    ("year", re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d年(?:\d{1,2}月)?(?:\d{1,2}日)?的?")),
    ("period", re.compile(rf"{_IN}\b(?:(?:early|late|mid)[ -])?(?:1[5-9]|20|21)(?:th|st)[ -]century\b")),
    # Read from the word lists when first used: see `_place_pattern`.
    ("place", None),
    (
        "place",
        re.compile(
            "(?:在(?:中国|美国|英国|法国|德国|日本|韩国|印度|北京|上海|广州|深圳|香港|台湾|欧洲|亚洲)"
            "(?:出生|成立|举[行办]|拍摄|上市|工作)?|(?:中国|美国|英国|法国|德国|日本|韩国|印度|北京|上海"
            "|广州|深圳|香港|台湾|欧洲|亚洲))的?(?!大学|银行|人民)",
        ),
    ),
    (
        "rank",
        _PHRASES.pattern(
            r"\b(?:<<ordinals>>)\b(?!-|\s(?:<<name_continuations>>)\b)(?=\s[a-z]|\s[A-Z]\w+ [a-z]|\s"
            r"(?:President|Governor|Prime|King|Queen)\b)",
            flags=re.IGNORECASE,
        ),
    ),
    ("rank", re.compile(r"(?:第[一二三四五][部个位次届名家座任本]?|最大的?|最早的?|最后的?|首[位次届部])")),
    ("bracket", re.compile(r"\s\([^()]{2,60}\)$")),
    ("quote", re.compile(r"\s?(?:\"[^\"]{3,60}\"|“[^”]{3,60}”|《[^》]{2,40}》)")),
    (
        "source",
        _PHRASES.pattern(
            r"\bsite:\S+|\b(?:according to|on|from|in)\s+(?:<<source_names>>)\b|\bfiletype:\w+|\blang:\w+"
        ),
    ),
    (
        "qualifier",
        _PHRASES.pattern(
            r"\b(?:<<qualifiers>>)\b(?=\s[a-z]{3})(?!\s(?:origins?|roots?|times?|history|past|era"
            r"|ancestors?|version)\b)",
            flags=re.IGNORECASE,
        ),
    ),
    (
        "count",
        _PHRASES.pattern(r"\b(?:<<number_words>>)\s?(?=\b[a-z]+(?:s|ch|ce)?\b)(?!<<unit_words>>)"),
    ),
    (
        "clause",
        _PHRASES.pattern(r"(?<!ed)\s(?:<<relations>>)(?:\s[^\s,;?]+){1,3}$"),
    ),
)
_YEAR: Final = re.compile(
    r"(?<![\d\-–])(?<!\d[ ,])(?P<in>\bin (?:the year )?)?(?P<year>1[1-9]\d\d|20[0-3]\d)(?![\w\-–]"
    r"|\sto\s)(?P<more>\s\w)?",
)
_DATED: Final = re.compile(r"\b(?:born|died|killed|founded|established|released|published|\w{3,}ed)\s$")
_HANGS_ON: Final = _PHRASES.pattern(
    rf"(?:{_MONTHS}|\d{{1,2}}(?:st|nd|rd|th)?,?|before|after|since|until|from|to|prior to|born|and"
    r"|between|feb|jan|mar|dec)\s$",
    flags=re.IGNORECASE,
)


class _DroppedConstraint(msgspec.Struct, frozen=True):
    pattern: str
    text: str
    core: tuple[str, ...]
    loose: str = ""


def _constraints(leaves: list[ArgumentText], draw: Random) -> Iterator[_DroppedConstraint]:
    for leaf in leaves:
        text = leaf.text
        for row, *wider in (*_CONFUSABLE_WORDS["looser"].rows("en"), *_CONFUSABLE_WORDS["looser"].rows("zh")):
            for word in row.split(", "):
                for match in re.finditer(_whole(word), text):
                    if _free(text, match.start(), match.end()):
                        chosen = draw.choice(wider)
                        if text[: match.start()].endswith(", "):
                            chosen = chosen.removeprefix("the ")
                        yield _DroppedConstraint("loosened", match.group(), (match.group(),), chosen)
        for match in _YEAR.finditer(text):
            # 2000 is in the 20th century, and only a quarter of the current century has passed.
            if (
                int(match.group("year")) < 1990
                and "century" not in text
                and not _HANGS_ON.search(text, 0, match.start())
            ):
                for span in ("decade", "century"):
                    yield _DroppedConstraint(span, match.group("year"), (match.group("year"),))
        for name in people(text):
            words = name.split()
            # Few people bear a rare surname, so the given name adds nothing.
            if name == text and words[-1] in _CONFUSABLE_WORDS["common_surnames"].words("en"):
                yield _DroppedConstraint("name part", " ".join(words[:-1]) + " ", tuple(words[:-1]))
        for pattern, known in _PARTS:
            regex = known or _place_pattern()
            for match in regex.finditer(text):
                if pattern == "date" and (year := re.search(r"\d{4}$", match.group())):
                    decade = f"{year.group()[:3]}0s"
                    within = match.group()[:3] == "on " or _DATED.search(text, 0, match.start())
                    yield _DroppedConstraint(
                        "date",
                        match.group(),
                        _core(match.group()),
                        f"in the {decade}" if within else decade,
                    )
                if pattern == "rank" and re.search(r"\d{4}", text):
                    # A given day has only one "first".
                    continue
                if pattern == "place" and re.match(
                    r"(?:\s[a-z]+){1,2}\s[A-Z][a-z]+ [A-Z]", text[match.end() :]
                ):
                    # "Dutch manager Ronald Koeman" narrows nothing.
                    continue
                yield _DroppedConstraint(pattern, match.group(), _core(match.group()))


def _whole(word: str) -> str:
    if not word.isascii():
        return re.escape(word)
    nationality = re.fullmatch("|".join(_words_of_kinds("nationality")), word)
    return rf"(?<![\w\-]){re.escape(word)}(?![\w\-])" + (rf"(?= {_WHO}\b)" if nationality else "")


def _free(text: str, start: int, end: int) -> bool:
    """Return whether a place name stands by itself and is not part of a longer name."""
    if not text[start:end].isascii() or text[start].islower():
        return True
    if not any(word.islower() for word in words_of(text) if word not in STOPWORDS) and re.search(
        r"\w (?:in|of) $", text[:start]
    ):
        # "Sleepless in Seattle" is one name.
        return False
    return not re.match(r"\s[A-Z]", text[end:]) and not re.search(r"[A-Z]\w+ (?:of )?$", text[:start])


def _core(text: str) -> tuple[str, ...]:
    """Return the words of a constraint without those that lead up to it."""
    words = words_of(text)
    while words and words[0].lower() in STOPWORDS | {"year", "featuring", "directed", "written", "created"}:
        words = words[1:]
    return tuple(words)


def _sites(trajectory: Trajectory, draw: Random) -> Iterator[EditSite]:
    def hint(_: Step, call: ToolCall) -> str:
        leaves = [leaf for leaf in leaves_of(call.arguments) if not leaf.address]
        names = [" ".join(item.core) for item in _constraints(leaves, draw) if item.core]
        return place_hint("constraints", constraints=listed(dict.fromkeys(names))) if names else ""

    # Calls whose constraints are known come first.
    yield from sorted(call_sites(trajectory, draw, "arguments", hint), key=lambda site: not site.hint)


OPERATOR = Operator(
    name="constraint_drop",
    title="Constraint Drop",
    title_zh="遗漏限定条件",
    level="process",
    module="tool",
    category="faithfulness",
    definition=(
        "A tool call leaves out a constraint of the question – a year, a place, a qualifier, a part of a "
        "name, a source – so that what it asks for is wider than what was asked."
    ),
    definition_zh="工具调用遗漏了问题中的某个限定条件（年份、地点、修饰语、姓名的一部分或来源），使检索范围超出了问题所要求的范围。",
    sites=_sites,
    unfit=no_open_call,
    ask=(
        "Take one constraint out of the arguments: from every query of the call that has it, so that the "
        "call as a whole no longer asks for it. A wider word may stand in its place (a continent for a "
        "country, no year for a year). What is left must read as a query that the agent could have typed. "
        "Change nothing else and add nothing new."
    ),
    ask_zh=(
        "从参数中去掉一个限定条件：凡含有它的查询都要去掉，使整个调用不再包含这一条件；也可以换成更宽泛的词（如以洲代国）。"
        "剩下的部分应当仍像智能体会输入的查询。其他内容一律不改，也不增加新内容。"
    ),
)
