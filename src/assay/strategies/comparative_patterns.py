"""Patterns of comparative statements in English and Chinese.

The words stand in ``phrases/comparative_statements.yaml``. In the patterns ``x`` is the side that is better and
``y`` the worse one; one of them is enough. ``denied`` holds a denial within the statement.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from assay.text.phrases import PhraseFile

if TYPE_CHECKING:
    from assay.text.phrases import Language

Direction: TypeAlias = Literal["A>B", "A<B", "tie", "both_good", "both_bad"]

_PHRASES: Final = PhraseFile("assay.strategies", "comparative_statements")
_DENIED: Final = r"(?P<denied>\s?(?:not|never|hardly|no|n['’]t)\b\s?)?"
# "I would choose A" is a choice all the same.
_FIRM: Final = r"(?:['’]d|\swould)?"
_DENIED_ZH: Final = r"(?P<denied>[未]|不(?!如|及)|并不(?!如|及)|并未|没有|并没有)?"
_END: Final = r"(?![\w'’])"
# What may follow a statement on the whole: the end of a clause, a reason, or words for the whole. After anything else
# the statement may be about a part ("better written", "better than B in its sources") or another thing ("A or B").
_STOP: Final = (
    r"(?=[\s\"”'’*_`]*(?:[.,;:!?)\]—–]|\Z|\b(?:overall|logically|here|because|since|on\s(?:the\swhole|balance)"
    r"|as\sa\swhole|in\s(?:general|logic|(?:overall\s|logical\s)quality)|by\s(?:a|far|some)|but|while|whereas"
    r"|though|although|and)\b))"
)
_END_ZH: Final = r"(?=[\s”」*]*(?:[。，；！：、,.;!:）)]|\Z|但|因|而|，))"


def _words(name: str, language: Language = "en") -> str:
    """Return an alternation in which a blank stands for any white space."""
    return _PHRASES[name].alternation(language).replace(" ", r"\s")


def _side(name: str) -> str:
    return rf"(?:(?:the\s)?(?:{_words('documents')})\s)?[\"“'*`]{{0,3}}(?P<{name}>[AB])[\"”'*`]{{0,3}}"


def _side_zh(name: str) -> str:
    return rf"(?:{_words('documents', 'zh')})?\s?[“\"*「]{{0,3}}(?P<{name}>[AB])[”\"*」]{{0,3}}\s?"


@cache
def better_patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of statements that one side is better."""
    x, y, x_zh, y_zh = _side("x"), _side("y"), _side_zh("x"), _side_zh("y")
    adverbs = rf"(?:(?:{_words('adverbs')}),?\s){{0,4}}"
    adverbs_zh = f"(?:{_words('adverbs', 'zh')})?"
    copula = f"(?:{_words('copulas')})"
    noun = rf"(?:\s(?:{_words('nouns_after')})){{0,3}}"
    than = r"(?:\s(?:than|to|over|compared\s(?:to|with))\s"
    better_one = rf"(?:{_words('better_one')})(?:\s(?:report|one|text|response|answer|document))?"
    logic_zh = rf"{x_zh}的?(?:总体|整体)?(?:{_words('logic', 'zh')}){adverbs_zh}{_DENIED_ZH}"
    higher_zh = f"(?:{_words('higher_zh', 'zh')})"
    the_one_zh = rf"的(?:一[份方个篇])?(?:报告|文本|回答)?(?:是|为|：){x_zh}"
    return _compiled(
        rf"\b{x}\s{copula}{_DENIED}\s?{adverbs}(?:{_words('better')}){noun}{than}{y})?{_END}{_STOP}",
        rf"\b{y}\s{copula}{_DENIED}\s?{adverbs}(?:{_words('worse')}){noun}{than}{x})?{_END}{_STOP}",
        rf"\b{x}\s(?:does\s|did\s)?{_DENIED}\s?{adverbs}(?:{_words('shows')})\s(?:the\s|a\s)?{adverbs}"
        rf"(?:{_words('better_quality')})\s(?:{_words('logic')}){than}{y})?{_END}{_STOP}",
        rf"\b{x}(?:\s(?:does|did|do){_DENIED})?\s?{adverbs}(?:{_words('beats')})\s{y}{_END}{_STOP}",
        rf"\b{x}\s{adverbs}(?:{_words('wins')}){_END}{_STOP}",
        rf"\b(?:the\s)?{better_one}\s{copula}{_DENIED}\s?{x}{_END}{_STOP}",
        rf"\b(?:the\s)?(?:overall\s)?winner(?:\sis\s?|:\s?){x}{_END}{_STOP}",
        rf"\bI{_FIRM}\s(?:clearly\s|strongly\s|therefore\s)?(?:prefer|choose|pick|favou?r|go\swith|opt\sfor)\s{x}"
        rf"(?:\s(?:over|to)\s{y})?(?:\sas\sthe\s(?:{_words('better_one')})(?:\s(?:report|one))?)?{_END}{_STOP}",
        rf"\b(?:the\s)?(?:overall\s)?logical\squality\sof\s{x}\sis\s{_DENIED}\s?{adverbs}"
        rf"(?:higher|better|superior){_END}{_STOP}",
        rf"\bI\s(?:find|judge|consider|deem|rate)\s{x}\s{adverbs}(?:{_words('better')}){noun}{than}{y})?{_END}{_STOP}",
        rf"\bmy\s(?:choice|preference|vote|pick)\s(?:is|goes\sto)\s{x}{_END}{_STOP}",
        rf"{x_zh}{adverbs_zh}{_DENIED_ZH}(?:{_words('beats', 'zh')}){y_zh}{_END_ZH}",
        rf"{x_zh}{_DENIED_ZH}比{y_zh}{adverbs_zh}(?:{_words('better', 'zh')}){_END_ZH}",
        rf"{y_zh}{adverbs_zh}{_DENIED_ZH}(?:{_words('worse', 'zh')}){x_zh}{_END_ZH}",
        rf"{x_zh}{adverbs_zh}{_DENIED_ZH}(?:{_words('wins', 'zh')}){_END_ZH}",
        rf"{logic_zh}比{y_zh}的?{adverbs_zh}{higher_zh}{_END_ZH}",
        rf"{logic_zh}{higher_zh}{_END_ZH}",
        rf"{logic_zh}(?:{_words('beats', 'zh')}){y_zh}{_END_ZH}",
        rf"(?:我(?:会|最终|明确)*|最终)(?:选择|选|更?倾向于?|更?偏向于?)(?:的是)?{x_zh}{_END_ZH}",
        rf"(?:{_words('winning_zh', 'zh')}){the_one_zh}",
    )


@cache
def tie_patterns() -> tuple[tuple[re.Pattern[str], Direction], ...]:
    """Return the patterns of statements that neither side is better, with what each states."""
    x, y = _side("x"), _side("y")
    kinds = "report|text|response|answer"
    both = (
        rf"(?:(?:the\s)?(?:two|both)(?:\s(?:reports|texts|responses|answers|documents|trajectories|steps|of\sthem))?"
        rf"|(?:(?:the\s)?(?:reports?|texts?|responses?|answers?)\s)?A\sand\s(?:(?:{kinds})\s)?B|they)"
    )
    are = (
        r"\s(?:are|were|perform|do|score|fare)(?P<denied>\s?(?:not|never|hardly|n['’]t)\b)?\s?"
        r"(?:\sboth|\soverall|\slogically|\sabout|\sroughly|\sgenerally)?\s?"
    )
    adverbs = rf"(?:(?:{_words('adverbs')}),?\s){{0,4}}"
    neither = rf"\bneither(?:\s(?:{kinds}|one|of\s(?:the\stwo|them)))?"
    result = r"\b(?:it|this|the\s(?:(?:final|overall)\s)?(?:result|verdict|comparison|outcome))"
    both_zh = rf"(?:{_words('both_zh', 'zh')})(?:总体上?|整体上?|基本上?|的?逻辑质量)?"
    alike_zh = f"(?:{_words('alike_zh', 'zh')})(?:很|较)?"
    patterns: tuple[tuple[str, Direction], ...] = (
        (rf"\b{both}{are}equally\s(?:{_words('equally_good')}){_END}{_STOP}", "both_good"),
        (rf"\b{both}{are}equally\s(?:{_words('equally_bad')}){_END}{_STOP}", "both_bad"),
        (rf"\b{both}{are}(?:{_words('level')}){_END}{_STOP}", "tie"),
        (rf"{result}(?:\s(?:is|ends\sin)|['’]s){_DENIED}\s?{adverbs}(?:tie|draw){_END}{_STOP}", "tie"),
        (rf"\bI\s(?:would\s)?(?:call|declare)\sit\sa\s(?:tie|draw){_END}{_STOP}", "tie"),
        (rf"{neither}\sis\s(?:clearly\s)?(?:better|stronger|superior){_END}{_STOP}", "tie"),
        (rf"\b{x}\sis{_DENIED}\s?(?:just\s)?as\s(?:good|strong)\sas\s{y}{_END}{_STOP}", "tie"),
        (rf"{both_zh}{alike_zh}(?:{_words('equally_good', 'zh')}){_END_ZH}", "both_good"),
        (rf"{both_zh}{alike_zh}(?:{_words('equally_bad', 'zh')}){_END_ZH}", "both_bad"),
        (rf"{both_zh}(?P<denied>并?非|并不|不是)?(?:{_words('level', 'zh')}){_END_ZH}", "tie"),
    )
    return tuple((re.compile(pattern, re.IGNORECASE), direction) for pattern, direction in patterns)


@cache
def denial_before() -> re.Pattern[str]:
    """Return the pattern of a denial with its own words before the statement: "I do not find that A is better"."""
    words = f"{_words('denials')}|{_words('denials', 'zh')}"
    return re.compile(rf"(?:{words})[^.;。；]{{0,40}}\Z", re.IGNORECASE)


@cache
def supposition() -> re.Pattern[str]:
    """Return the pattern of words by which a statement is supposed, possible, reported or in doubt."""
    return _either("suppositions")


@cache
def firm() -> re.Pattern[str]:
    """Return the pattern of a choice in the words of a wish: "I would choose"."""
    return re.compile(
        r"\bI(?:['’]d|\swould)\s(?=(?:\w+ly\s)?(?:prefer|choose|pick|favou?r|go|opt|call|declare)\b)",
        re.IGNORECASE,
    )


@cache
def opening_on_part() -> re.Pattern[str]:
    """Return the pattern of a beginning that may limit a sentence to a part: "In its sources, …"."""
    return re.compile(
        r"\W*(?:in|on|for|by|under|within|as\sfor|when\sit\scomes\sto)\s(?P<of>[^,:;]{1,80}),", re.IGNORECASE
    )


@cache
def opening_on_whole() -> re.Pattern[str]:
    """Return the pattern of such a beginning that limits nothing: "In my view, …"."""
    return re.compile(_words("openings_on_whole"), re.IGNORECASE)


@cache
def neutral() -> re.Pattern[str]:
    """Return the pattern of words that may stand before a statement and leave it the judge's own verdict."""
    words = "|".join(sorted((*_PHRASES["neutral"].en, *_PHRASES["lead_ins"].en), key=len, reverse=True))
    return re.compile(rf"\b(?:{words})\b|{_words('neutral', 'zh')}|[\W\d_]", re.IGNORECASE)


@cache
def connector() -> re.Pattern[str]:
    """Return the pattern of a beginning that makes what stands before it a reason or a concession."""
    return _opening("connectors")


@cache
def concession() -> re.Pattern[str]:
    """Return the pattern of a sentence that begins with a reason or a concession."""
    return _opening("concessions")


@cache
def continuation() -> re.Pattern[str]:
    """Return the pattern of a clause that may follow a statement and leaves it as it is."""
    return _opening("continuations")


@cache
def aspect() -> re.Pattern[str]:
    """Return the pattern of words by which a statement is on one aspect."""
    return _either("aspects")


@cache
def whole() -> re.Pattern[str]:
    """Return the pattern of words by which a statement is on the whole."""
    return _either("wholes")


@cache
def lead_ins() -> frozenset[str]:
    """Return the words before a side that leave it a document."""
    return frozenset(_PHRASES["lead_ins"].en)


@cache
def other_thing() -> re.Pattern[str]:
    """Return the pattern of Chinese words before a letter that make it something else than a document."""
    return re.compile(rf"(?:{_words('other_things_zh', 'zh')})\s?\Z")


@cache
def final_token() -> re.Pattern[str]:
    """Return the pattern of a last line that is the bare verdict; ``bare`` if it is a letter alone."""
    words = _words("verdict_words")
    introduction = (
        rf"(?:(?:the|my)\s)?(?:final\s|overall\s)*(?:{words})(?:\sis)?|{_words('verdict_words', 'zh')}"
    )
    return re.compile(
        rf"(?:[\s*_`#\[({{\"'“$]|\\[(\[])*(?:{introduction})?[\s*_`\"'“]*[:：]?(?:[\s*_`\[({{\"'“$]|\\[(\[])*"
        r"(?:\\boxed\{(?:\\text\{)?\s*)?"
        r"(?P<token>[AB]\s?[<>＜＞]\s?[AB]|both[\s_-](?:good|bad)|tie|draw|平局|(?P<bare>[AB]))"
        r"(?:[\s*_`\])}\"'”.。!$]|\\[)\]])*\Z",
        re.IGNORECASE,
    )


def _either(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_words(name)})\b|{_words(name, 'zh')}", re.IGNORECASE)


def _opening(name: str) -> re.Pattern[str]:
    return re.compile(rf"[\W_]*(?:(?:{_words(name)})\b|(?:{_words(name, 'zh')}))", re.IGNORECASE)


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)
