"""Words instead of figures, clauses without their examples, and sentences that assert and prove nothing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from assay.interventions.outcome._claims import claims
from assay.interventions.outcome._words_a import (
    FOLLOWERS_EN,
    FOLLOWERS_ZH,
    OPENINGS_EN,
    OPENINGS_ZH,
    SUPPORT_EN,
    SUPPORT_ZH,
)
from assay.text.quantities import find_quantities
from assay.text.words import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from assay.subjects.report import Report, Sentence

__all__ = [
    "assertion",
    "continued",
    "filler",
    "in_running_text",
    "listing",
    "phrase_of",
    "topic_of",
    "vague_figures",
    "without_examples",
]

_ABOUT: Final = r"(?:(?:about|around|approximately|roughly|nearly|almost|over|more than|some|up to|at least|an estimated|just|only|just over|just under|well over|as much as|close to|a further|another)\s+|[~≈><≥≤]\s?)?"
_NUM: Final = r"\d[\d,]*(?:\.\d+)?"
_PCT: Final = rf"{_NUM}(?:\s?[–\-]\s?{_NUM})?\s?(?:%|percent|per cent)(?:age points)?"
_MONEY: Final = rf"(?:(?:US|HK|NOK|RMB|CNY|USD|EUR)?\s?[$€£¥]|(?:USD|EUR|RMB|CNY|NOK) ){_NUM}(?:\s?[–\-]\s?[$€£¥]?{_NUM})?(?:[BMK]\b|\s?(?:thousand|million|billion|trillion|bn|tn))?"
_END: Final = r"(?=[,.;:)]|\s(?:in|by|at|for|with|during|after|and|as|on|while|when|since|across|among|under|over)\b|\s?\[|$)"
_UNITS: Final = r"grams?|milligrams|kroner|euros?|dollars?|yuan|yen|pounds?|lit(?:er|re)s?|tons?|tonnes?|barrels?|bits?|bytes?|pixels?|watts?|volts?|calories|frames|years?|months?|weeks?|days?|hours?|minutes?|seconds?|times|degrees|percentage|points|nm|mm|cm|km|miles|meters|metres|kg|mg|or|and|to|of|in|per|by"
_DIRECTION_UP: Final = r"(?:grew|rose|increased|climbed|surged|jumped|expanded|fell|declined|dropped|decreased|shrank|improved|gained|growing|rising|increasing|falling|declining|increase|reduc\w+|cut|lower\w*|boost\w*|rais\w+)"

_Way = tuple[re.Pattern[str], "tuple[str, ...]"]
_EN: Final[tuple[_Way, ...]] = (
    # "(up 12 %)", "(≈ 356,000 units)": a bracket with nothing but its figure in it.
    (re.compile(r"\s?\((?!e\.g)(?:[^()\d]{0,24})\d[^()]{0,28}\)"), ("",)),
    (re.compile(rf"\bfrom {_ABOUT}(?:{_MONEY}|{_PCT}|{_NUM}(?: (?:million|billion))?)(?: (?:in|during) \d{{4}})? to {_ABOUT}(?:{_MONEY}|{_PCT}|{_NUM}(?: (?:million|billion))?)"), ("noticeably", "to a considerable degree", "substantially")),
    (re.compile(rf"\bby {_ABOUT}{_PCT}(?: or more)?"), ("considerably", "by a clear margin", "to a marked degree", "noticeably")),
    (re.compile(rf"\b(?:a|an) {_ABOUT}{_PCT} (?P<noun>increase|decrease|reduction|rise|decline|drop|improvement|share|growth|gain|fall|jump)"), ("a marked {noun}", "a notable {noun}", "a considerable {noun}")),
    (re.compile(rf"\b(?P<verb>accounts for|accounted for|accounting for|represents|represented|representing|makes up|make up|account for|constitutes?|comprises?) {_ABOUT}{_PCT}(?= of)"), ("{verb} a considerable part", "{verb} a good share", "{verb} a large part")),
    (re.compile(rf"(?<!the )(?<![\w\-] of ){_ABOUT}(?<![\d.$])\b{_PCT} of(?= )"), ("a considerable share of", "a large part of", "a good many of", "a sizeable share of")),
    (re.compile(rf"\b(?P<verb>reach|reached|reaching|reaches|hit|hitting|exceed|exceeds|exceeded|exceeding|surpassed|surpassing|total(?:l?ing|l?ed)?|top(?:ped|ping)) {_ABOUT}(?:{_MONEY}|{_PCT}|{_NUM} (?:million|billion|trillion)){_END}"), ("{verb} a considerable level", "{verb} a very high level", "{verb} an impressive level")),
    (re.compile(rf"\b(?P<verb>(?:valued|estimated|stood|stands|standing|priced|projected) at) {_ABOUT}(?:{_MONEY}|{_PCT}){_END}"), ("{verb} a high level", "{verb} a considerable level")),
    (re.compile(rf"\b(?P<verb>worth) {_ABOUT}{_MONEY}"), ("worth a considerable sum", "worth a great deal")),
    (re.compile(rf"\b(?P<verb>cost|costs|costing|spent|spending|invested|raised|generated|generates|contributed) {_ABOUT}{_MONEY}{_END}"), ("{verb} a considerable sum", "{verb} a large amount", "{verb} a substantial amount")),
    (re.compile(rf"(?<![\w$€£¥.\-–])(?<!the )(?<!all )(?<!every )(?<!these )(?<![Tt]op ){_ABOUT}(?<![\d.$€£¥])(?:\d{{2,3}}(?:,\d{{3}})*|\d(?:,\d{{3}})+)\+? (?=(?!(?:{_UNITS})\b)[a-z][a-z\-]+s\b(?<!us)(?<!ss)(?<!is)(?!['’]))"), ("numerous ", "a large number of ", "a great many ", "many ")),
    (re.compile(rf"(?<![\w$€£¥.\-–])(?<!the ){_ABOUT}{_NUM} (?:million|billion|thousand) (?=(?!(?:{_UNITS}|tons?|tonnes?|barrels)\b)[a-z][a-z\-]+\b)"), ("a very large number of ", "a great many ", "countless ")),
)  # fmt: skip
_ZN: Final = r"\d[\d,]*(?:\.\d+)?(?:\s?[-–—~～至到]\s?\d[\d,]*(?:\.\d+)?%?)?"
_ZQ: Final = r"(?:约为?|近|逾|超过?|达到?|高达|仅|大约|接近|至少|不到|最高可?达?)?"
_ZEND: Final = r"(?=[，。；、,;）)]|$|以上[，。；]|左右[，。；]|\s*\[)"
_ZH: Final[tuple[_Way, ...]] = (
    (re.compile(r"[（(][^（()）\d]{0,10}\d[^（()）]{0,20}[）)]"), ("",)),
    (re.compile(rf"(?:由|从){_ZQ}{_ZN}[^，。；\d]{{0,6}}(?P<verb>增加|增长|增|提高|提升|上升|升|下降|降|降低|减少|缩短|跌)[至到]{_ZQ}{_ZN}[^，。；\d]{{0,5}}{_ZEND}"), ("明显{verb}", "有较大幅度的变化")),
    (re.compile(rf"(?P<verb>增长|增加|提高|提升|上升|上涨|扩大|下降|降低|减少|下滑|缩短|下跌|缩减|萎缩|增幅|降幅)了?(?:幅度)?(?:为|至|到)?{_ZQ}{_ZN}\s?(?:%|个百分点|倍|万|亿|元|亿元|万元|美元|亿美元|万亿元)+(?:以上|左右)?{_ZEND}"), ("明显{verb}", "大幅{verb}", "{verb}较为明显", "有所{verb}")),
    (re.compile(rf"占(?:比|据)?(?P<what>[\u4e00-\u9fff]{{0,8}}?)(?:的)?(?:比重|比例)?(?:为)?{_ZQ}{_ZN}%(?:以上|左右)?{_ZEND}"), ("占{what}的相当一部分", "在{what}中占有较大比重")),
    (re.compile(rf"(?P<verb>规模|总额|总量|收入|产值|销售额|市值|投资额|金额|总资产|用户数|销量|产量)(?:约为?|达到?|为|超过?|突破|高达)+{_ZQ}{_ZN}\s?[万亿千百]*(?:元|美元|人民币|人|台|辆|吨|平方米|户|欧元|件|家)?(?:以上|左右)?{_ZEND}"), ("{verb}相当可观", "{verb}处于较高水平", "{verb}十分可观")),
    (re.compile(rf"(?:达到|达|高达|超过|突破)(?:了)?{_ZQ}{_ZN}\s?(?:%|[万亿千百]*(?:元|美元|人民币|人|人次|台|辆|吨|户|欧元|件))(?:以上|左右)?{_ZEND}"), ("达到较高水平", "处于较高水平")),
    (re.compile(rf"(?<![第每\d.年月\-–—~～至])(?!(?:19|20)\d\d[年名]){_ZQ}(?:[3-9]\d|\d{{3}}|\d{{1,3}}(?:,\d{{3}})+|\d{{4,}})\s?[万亿千百]*多?[余]?(?:家|名|位|种|篇|所|座|款|例|项|个)(?=[\u4e00-\u9fff])(?!月|百分|国家|小时|方面)"), ("众多", "大量", "许多")),
)  # fmt: skip


def vague_figures(text: str, language: str, draw: Random) -> str | None:
    """A sentence with words for its figures, or None where some figure would be left or the grammar would suffer."""
    # Another word may fit where one does not.
    tries = (_vague(text, language, draw) for _ in range(4))
    return next((out for out in tries if out is not None), None)


def _vague(text: str, language: str, draw: Random) -> str | None:
    # What somebody said word for word cannot be said otherwise.
    if re.search(r"[\"“”]", text):
        return None
    ways = _ZH if language == "zh" else _EN
    out = text
    for pattern, phrases in ways:
        out = pattern.sub(_worded(phrases, draw), out)
    if out == text:
        return None
    if any(q.kind not in ("year", "ordinal") for q in find_quantities(out)) or re.search(
        r"[$€£%]|\d[a-zA-Z]?%", out
    ):
        return None
    if len(re.findall("众多|大量|许多|numerous|large number|great many", out)) > 1 + len(
        re.findall("众多|大量|许多|numerous|large number|great many", text)
    ):
        return None
    # A word for the degree beside another one for it.
    if re.search(
        r"明显(?:明显|大幅)|大幅(?:大幅|明显|度)|(?:显著|明显|大幅|快速|同比|持续)有所|约众多|中中|占的|在中",
        out,
    ) or re.search(
        r"\b(?:significantly|sharply|dramatically|substantially) (?:noticeably|considerably|substantially)|noticeably of|\b(?:a|an|the) (?:numerous|many|a )|of of|\b(?:about|over) a\b",
        out,
    ):
        return None
    out = re.sub(r"[ ]{2,}", " ", out)
    out = re.sub(r" (?=[,.;:])", "", out)
    body = out.lstrip(' *"“')
    if (
        body
        and body[0].islower()
        and text.lstrip(' *"“')[:1].isupper() | text.lstrip(' *"“~≈$')[:1].isdigit()
    ):
        at = len(out) - len(body)
        out = out[:at] + body[0].upper() + body[1:]
    return out


_SMALL: Final = 12.0


def _worded(phrases: tuple[str, ...], draw: Random) -> Callable[[re.Match[str]], str]:
    def word(match: re.Match[str]) -> str:
        # "Considerably" for three percent would be another claim, not a vaguer one.
        shares = re.findall(r"(\d[\d.]*)\s?(?:%|percent|per cent)", match.group())
        if phrases != ("",) and any(float(share.rstrip(".")) < _SMALL for share in shares):
            return match.group()
        return draw.choice(phrases).format(**match.groupdict())

    return word


_TAIL_EN: Final = re.compile(
    r"(?:,? (?P<cue>such as|including|e\.g\.,?|for example,?|for instance,?|driven by|due to|owing to|because of|as shown by|as demonstrated by|as seen in|exemplified by)"
    r" (?P<what>[^.;:()\[\]]{18,220}))(?P<rest>(?:\s?\[[\d, ]+\])*\s?\.?\**\s*)$"
)
_EMPTY: Final = re.compile(
    r"\b(?:factors|elements|metrics|criteria|features|aspects|issues|things|areas|fields|topics|methods|techniques|tools|variables|measures|parameters|ways|"
    r"companies|countries|institutions|philosophies|names|items|concepts|terms|indicators|phenomena)\s*$"
)
_REASONS: Final = ("driven by", "due to", "owing to", "because of")
# A clause that goes on after the examples goes with its verb.
_RUNS_ON: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|could|may|must|\w+ed|allow\w*|make[s]?|provide[s]?|enable[s]?|offer[s]?|remain[s]?|show[s]?|continue[s]?)\b|,? (?:and|or) [^,]+,|都|均|，并|，而|，从而|，以|，达|，可|，实现|，使|，推动|，形成|带来|具有|成为|帮助|能够|进行"
)
_BRACKET_EN: Final = re.compile(
    r"\s?\((?:e\.g\.,?|such as|for example,?|for instance,?|including|like) (?P<what>[^()]{8,200})\)"
)
_TAIL_ZH: Final = re.compile(
    r"(?:，(?P<cue>例如|比如|如|包括|诸如)(?P<what>[^。；：（）\[\]]{8,160}))(?P<rest>(?:\s?\[[\d, ]+\])*[。；]?\**\s*)$"
)
_BRACKET_ZH: Final = re.compile(r"[（(](?:如|例如|比如|包括)(?P<what>[^（()）]{6,120})[）)]")
_INSTEAD_EN: Final = (
    " in a number of cases",
    " in many respects",
    " across a wide range of settings",
    " for a variety of reasons",
    " to varying degrees",
    " in one form or another",
)
_INSTEAD_ZH: Final = (
    "，类似情况较为常见",
    "，这在实践中并不少见",
    "，相关实例较为多见",
    "，这样的情形时有出现",
)


def without_examples(text: str, language: str, draw: Random) -> tuple[str, str] | None:
    """A sentence without its examples or its reason, and what went; None where it has none, or is nothing without."""
    chinese = language == "zh"
    for pattern in (_BRACKET_ZH, _TAIL_ZH) if chinese else (_BRACKET_EN, _TAIL_EN):
        match = pattern.search(text)
        # What is left has to be a claim of its own, and what goes has to be definite: names or figures.
        if match is None or not _definite(match["what"], chinese=chinese):
            continue
        bracket = pattern in (_BRACKET_EN, _BRACKET_ZH)
        if (
            (_RUNS_ON.search(match["what"]) or "，" in match["what"])
            and not bracket
            and match["cue"] not in _REASONS
        ):
            continue
        # So does one after a list that "and" has not closed.
        parts = match["what"].split(", ")
        if not chinese and not bracket and len(parts) > 1 and not parts[-1].startswith(("and ", "or ")):
            continue
        # "Factors such as these" are nothing without them.
        if not chinese and not match.group().startswith(",") and _EMPTY.search(text[: match.start()]):
            continue
        # A word or two in brackets hold up nothing.
        if (
            bracket
            and not re.search(r"\d\s?%|[$€£¥]\d|\d{3}|\d\.\d", match["what"])
            and len(re.findall(r"[,、]", match["what"])) < 2
        ):
            continue
        head = text[: match.start()]
        if len(head.strip(" *-")) < (12 if chinese else 28) or (
            not chinese and re.search(r"[:*]\s*$|\bwith$|\bis$|\bare$", head)
        ):
            continue
        if (
            not chinese
            and pattern is _TAIL_EN
            and not re.search(r"\b(?:is|are|was|were|has|have|had|will|can|\w+(?:es|ed|s))\b", head)
        ):
            continue
        instead = ""
        if draw.random() < 0.6 and not bracket and _takes_more(match, chinese=chinese):
            instead = draw.choice(_INSTEAD_ZH if chinese else _INSTEAD_EN)
        if bracket:
            return head + text[match.end() :], match.group()
        rest = re.sub(r"\[[\d, ]+\]", "", match["rest"])
        return head + instead + rest.strip(" ") if not rest.endswith(
            "\n"
        ) else head + instead + rest, match.group()
    return None


def _takes_more(match: re.Match[str], *, chinese: bool) -> bool:
    """Whether something general can stand where the examples stood: after a comma, at the end of a whole sentence."""
    if chinese:
        return match["cue"] in ("例如", "比如") and match["rest"].lstrip().startswith(("。", "；"))
    return match["cue"] in _REASONS or (match.group().startswith(",") and match["cue"] != "including")


def _definite(what: str, *, chinese: bool) -> bool:
    if re.search(r"\d", what):
        return True
    if chinese:
        return what.count("、") >= 1 or bool(re.search(r"[A-Za-z《“]", what))
    return bool(re.search(r"\b[A-Z][\w\-]+", what)) or what.count(",") >= 2


def in_running_text(report: Report, title: str) -> str:
    """A title as it would stand inside a sentence: without number and markup, small where the report writes it small."""
    bare = re.sub(
        r"^[\W_]*(?:\d{1,2}(?:\.\d{1,2})*(?:[.)、．]\s*|\s+)|\d{1,2}(?:\.\d{1,2})+(?=[\u4e00-\u9fff])|[一二三四五六七八九十]+[、.．]\s*|[（(][一二三四五六七八九十\d]+[)）]\s*|(?:Section|Part|Step|Phase) \w+[:.]\s*|[a-zA-Z][.)]\s+)?",
        "",
        title,
    )
    bare = re.split(r"[:：]|\s[—–-]\s|[(（]|——", bare)[0].strip(' *_#"“”')
    words = bare.split(" ")
    titled = [w for w in words if re.fullmatch(r"[A-Z][a-z]+(?:-[A-Z]?[a-z]+)*,?", w)]
    # With a name in it the whole may be one: half of it in small letters would be a slip.
    if any(_is_proper(report, word.rstrip(",")) for word in titled):
        return bare
    return " ".join(word.lower() if word in titled else word for word in words)


def _prose(report: Report) -> str:
    found: str | None = report.memo.get(_prose)
    if found is None:
        found = report.memo[_prose] = " ".join(report.plain_text(s.span) for s in claims(report))
    return found


def _small(report: Report, word: str) -> bool:
    return re.search(rf"\b{re.escape(word.lower())}\b", _prose(report)) is not None


def _is_proper(report: Report, word: str) -> bool:
    """Whether running text writes a word large more often than small, and more than once."""
    prose = _prose(report)
    large = len(re.findall(rf"[a-z,] {re.escape(word)}\b", prose))
    return large > 1 and large > len(re.findall(rf"\b{re.escape(word.lower())}\b", prose))


def continued(report: Report, sentence: str) -> str | None:
    """An English sentence as it goes on after other words; None where its first word may be a name or not."""
    match = re.match(r"[A-Za-z][\w’'\-]*", sentence)
    if match is None:
        return sentence if sentence[:1].isdigit() and not re.match(r"\d{1,2}[.)]", sentence) else None
    word = match.group()
    if re.fullmatch(r"[A-Z]|[A-Z].*[A-Z].*", word) and word not in ("A", "I"):
        return sentence
    if _is_proper(report, word):
        return sentence
    if word.lower() in STOPWORDS or _small(report, word):
        return sentence[0].lower() + sentence[1:]
    return None


def topic_of(report: Report, section: int) -> str | None:
    """What a section is about, as a phrase for running text; None where its title is no such phrase."""
    return phrase_of(report, report.sections[section].title)


def phrase_of(report: Report, title: str) -> str | None:
    """A title or label as a phrase for running text; None where it is a question, a clause, or too long."""
    phrase = in_running_text(report, title)
    if report.language == "zh":
        return phrase if 2 <= len(phrase) <= 16 and not _NO_PHRASE_ZH.search(phrase) else None
    fits = 1 <= len(phrase.split()) <= 6 and not _NO_PHRASE_EN.search(phrase)
    return phrase if fits and any(map(str.isalpha, phrase)) else None


_NO_PHRASE_ZH: Final = re.compile(
    r"^[\W\d]|[？?，,。:：]|是|如何|怎|\d$|^(?:影响|推动|提升|促进|加强|构建|优化|打造|建立|完善|基于|从|在|对|以|按|与|关于|其他|其它|总结|小结|概述|结论)|[化升降强展]$|(?:一|二|三|四|五)$"
)
_NO_PHRASE_EN: Final = re.compile(
    r"^[\W\d]|[?!:]|^(?:how|why|what|when|where|who|is|are|do|does|can|use|make|ensure|other|from|for|in|on|with|to|by|if|additional|step|phase|summary|conclusions?|overview|key)\b|\d$",
    re.IGNORECASE,
)


def filler(topic: str | None, length: float, language: str, draw: Random) -> str:
    """Sentences that name a topic, where there is one, and say nothing of it, of about so many characters; at least one."""
    chinese = language == "zh"
    openings = OPENINGS_ZH if chinese else OPENINGS_EN
    followers = list(FOLLOWERS_ZH if chinese else FOLLOWERS_EN)
    draw.shuffle(followers)
    out = draw.choice(openings).format(topic=topic) if topic else followers.pop()
    stop, join = ("。", "") if chinese else (".", " ")
    out += stop
    # Four sentences of it may pass; more would be a litany.
    for follower in followers[: 3 if topic else 2]:
        if len(out) + len(follower) * 0.4 < length:
            out += join + follower + stop
    return out[0].upper() + out[1:]


def assertion(report: Report, before: Sentence, sentence: Sentence, draw: Random) -> str | None:
    """A sentence or two of about the length of ``sentence`` that seem to back ``before`` and give nothing to look up."""
    if report.language not in ("en", "zh"):
        return None
    text = report.text(sentence.span)
    length = len(report.plain_text(sentence.span)) * draw.choice((0.9, 1.2, 1.5))
    chinese = report.language == "zh"
    topics = [t for t in (topic_of(report, before.section), _common_phrase(report, before)) if t]
    draw.shuffle(topics)
    phrases = list(SUPPORT_ZH if chinese else SUPPORT_EN)
    draw.shuffle(phrases)
    if not topics:
        phrases = [p for p in phrases if "{topic}" not in p]
    stop, join = ("。", "") if chinese else (".", " ")
    out = ""
    given = 0
    while phrases and (not out or len(out) + 20 < length):
        phrase = phrases.pop()
        if "{topic}" in phrase:
            if not topics:
                continue
            phrase = phrase.format(topic=topics.pop())
        out += (join if out else "") + phrase + stop
        given += 1
        # Two in a row may pass, three for a long passage; more would be a litany.
        if given == (3 if length > (100 if chinese else 280) else 2):
            break
    tail = re.search(r"[\s*]*$", text)
    return out + (tail.group() if tail and "*" not in tail.group() else "")


def _common_phrase(report: Report, sentence: Sentence) -> str | None:
    """Two words of a sentence that the report puts side by side elsewhere too; English only."""
    if report.language != "en":
        return None
    best: tuple[int, str] | None = None
    words = re.findall(r"[a-z\-]+", report.plain[sentence.span.start : sentence.span.end])
    for one, other in pairwise(words):
        if (
            {one, other} & STOPWORDS
            or min(len(one), len(other)) < 4
            or re.search(r"(?:ly|ed|ing|ive|al|ous|able|ful|ic|ary)$", other)
        ):
            continue
        if re.search(r"(?:ly|ed|ing|ize|ise)$", one):
            continue
        count = report.cues.lower.count(f" {one} {other}")
        if count >= 3 and (best is None or count > best[0]):
            best = (count, f"{one} {other}")
    return best[1] if best else None


_LISTING_EN: Final = (
    "On {topic}, points such as {parts} come up regularly",
    "With regard to {topic}, {parts} all have a part to play",
    "Aspects such as {parts} belong to {topic}",
    "Discussions of {topic} commonly touch on {parts}",
)
_LISTING_ZH: Final = (
    "{topic}涉及{parts}等方面",
    "在{topic}上，{parts}等都需要加以考虑",
    "谈到{topic}，通常会提及{parts}等内容",
    "{parts}等都与{topic}有关",
)


def listing(topic: str, parts: list[str], language: str, draw: Random) -> str:
    """A sentence that names the parts of a topic and says nothing of any."""
    if language == "zh":
        return draw.choice(_LISTING_ZH).format(topic=topic, parts="、".join(parts)) + "。"
    joined = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return draw.choice(_LISTING_EN).format(topic=topic, parts=joined) + "."
