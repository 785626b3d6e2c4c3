"""Sentences with vague words in place of their figures, and sentences without their examples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from assay.text.phrases import PhraseFile
from assay.text.quantities import find_quantities

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_PHRASES: Final = PhraseFile("assay.interventions", "vague")


_ABOUT: Final = r"(?:(?:<<approximators>>)\s+|[~≈><≥≤]\s?)?"
_NUM: Final = r"\d[\d,]*(?:\.\d+)?"
_PCT: Final = rf"{_NUM}(?:\s?[–\-]\s?{_NUM})?\s?(?:%|percent|per cent)(?:age points)?"
_MONEY: Final = (
    rf"(?:(?:US|HK|NOK|RMB|CNY|USD|EUR)?\s?[$€£¥]|(?:USD|EUR|RMB|CNY|NOK) ){_NUM}"
    rf"(?:\s?[–\-]\s?[$€£¥]?{_NUM})?(?:[BMK]\b|\s?(?:thousand|million|billion|trillion|bn|tn))?"
)
_END: Final = "(?=<<figure_ends>>)"
_UNITS: Final = "<<units>>"

# Judging words: what they claim needs support.
JUDGES: Final = _PHRASES.pattern(
    r"\b(?:<<judging_words>>)\b|优于|显著|明显|有效|提高|提升|改善|下降|增长|最[大高低强多]"
    "|较[高低大强]|迅速|快速|广泛|领先|突出|严重|严峻|巨大|大幅|良好|成功|困难|不足|差异",
)

_Way = tuple[re.Pattern[str], "tuple[str, ...]"]
_EN: Final[tuple[_Way, ...]] = (
    # "(up 12 %)", "(≈ 356,000 units)": a bracket that holds only its figure.
    (re.compile(r"\s?\((?!e\.g)(?:[^()\d]{0,24})\d[^()]{0,28}\)"), ("",)),
    (
        _PHRASES.pattern(
            rf"\bfrom {_ABOUT}(?:{_MONEY}|{_PCT}|{_NUM}(?: (?:million|billion))?)(?: (?:in|during)"
            rf" \d{{4}})? to {_ABOUT}(?:{_MONEY}|{_PCT}|{_NUM}(?: (?:million|billion))?)",
        ),
        ("noticeably", "to a considerable degree", "substantially"),
    ),
    (
        _PHRASES.pattern(rf"\bby {_ABOUT}{_PCT}(?: or more)?"),
        (
            "considerably",
            "by a clearly noticeable margin",
            "to a marked degree",
            "to quite a noticeable extent",
        ),
    ),
    (
        _PHRASES.pattern(rf"\b(?:a|an) {_ABOUT}{_PCT} (?P<noun><<change_nouns>>)"),
        ("a marked {noun}", "a notable {noun}", "a considerable {noun}"),
    ),
    (
        _PHRASES.pattern(rf"\b(?P<verb><<share_verbs>>) {_ABOUT}{_PCT}(?= of)"),
        ("{verb} a considerable part", "{verb} a good share", "{verb} a large part"),
    ),
    (
        _PHRASES.pattern(
            r"(?<!the )(?<![\w\-] of )(?<!approaches )(?<!approach )(?<!reaches )(?<!reach )(?<!reached )"
            rf"(?<!exceeds )(?<!exceeding )(?<! is )(?<! at )(?<! to )(?<! by ){_ABOUT}(?<![\d.$])"
            rf"\b{_PCT} of(?= )",
        ),
        (
            "a considerable share of",
            "a comparatively large part of",
            "a good part of",
            "a rather sizeable share of",
        ),
    ),
    (
        _PHRASES.pattern(
            rf"\b(?P<verb><<level_verbs>>) {_ABOUT}(?:{_MONEY}|{_PCT}|{_NUM} (?:million|billion|trillion))"
            rf"{_END}",
        ),
        (
            "{verb} a considerable level",
            "{verb} a comparatively high level",
            "{verb} quite an impressive level",
        ),
    ),
    (
        _PHRASES.pattern(
            rf"\b(?P<verb>(?:valued|estimated|stood|stands|standing|priced|projected) at) {_ABOUT}"
            rf"(?:{_MONEY}|{_PCT}){_END}",
        ),
        ("{verb} a high level", "{verb} a considerable level"),
    ),
    (
        _PHRASES.pattern(rf"\b(?P<verb>worth) {_ABOUT}{_MONEY}"),
        ("worth a considerable sum", "worth a great deal"),
    ),
    (
        _PHRASES.pattern(rf"\b(?P<verb><<money_verbs>>) {_ABOUT}{_MONEY}{_END}"),
        ("{verb} a considerable sum", "{verb} a large amount", "{verb} a substantial amount"),
    ),
    (
        _PHRASES.pattern(
            rf"(?<![\w$€£¥.\-–])(?<!the )(?<!all )(?<!every )(?<!these )(?<![Tt]op ){_ABOUT}(?<![\d.$€£¥])"
            rf"(?:\d{{2,3}}(?:,\d{{3}})*|\d(?:,\d{{3}})+)\+? (?=(?!(?:{_UNITS})\b)[a-z][a-z\-]+s\b(?<!us)(?<!ss)"
            "(?<!is)(?!['’]))",
        ),
        ("numerous ", "a large number of ", "a great many ", "many "),
    ),
    (
        _PHRASES.pattern(
            rf"(?<![\w$€£¥.\-–])(?<!the ){_ABOUT}{_NUM} (?:million|billion|thousand) (?=(?!(?:{_UNITS}"
            r"|tons?|tonnes?|barrels)\b)[a-z][a-z\-]+\b)",
        ),
        ("a very large number of ", "a great many "),
    ),
)
_ZN: Final = r"\d[\d,]*(?:\.\d+)?(?:\s?[-–—~～至到]\s?\d[\d,]*(?:\.\d+)?%?)?"
_ZQ: Final = r"(?:约为?|近|逾|超过?|达到?|高达|仅|大约|接近|至少|最高可?达?)?"
_ZEND: Final = r"(?=[，。；、,;）)]|$|以上[，。；]|左右[，。；]|\s*\[)"
_ZH: Final[tuple[_Way, ...]] = (
    (re.compile(r"[（(][^（()）\d]{0,10}\d[^（()）]{0,20}[）)]"), ("",)),
    (
        re.compile(
            rf"(?:由|从){_ZQ}{_ZN}[^，。；\d]{{0,6}}(?P<verb>增加|增长|提高|提升|上升|下降|降低|减少|缩短)"
            rf"[至到]{_ZQ}{_ZN}[^，。；\d]{{0,5}}{_ZEND}",
        ),
        ("明显{verb}", "有较大幅度的变化"),
    ),
    (
        re.compile(
            "(?P<verb>增长|增加|提高|提升|上升|上涨|扩大|下降|降低|减少|下滑|缩短|下跌|缩减|萎缩|增幅"
            rf"|降幅)了?(?:幅度)?(?:为|至|到)?{_ZQ}{_ZN}\s?(?:%|个百分点|倍|万|亿|元|亿元|万元|美元|亿美元"
            rf"|万亿元)+(?:以上|左右)?{_ZEND}",
        ),
        ("明显{verb}", "大幅{verb}", "{verb}较为明显", "有所{verb}"),
    ),
    (
        re.compile(
            rf"占(?:比|据)?(?![^，。\d]{{0,8}}(?:平均|不到|不足))(?P<what>[\u4e00-\u9fff]{{0,8}}?)(?:的)?(?:比重|比例)?"
            rf"(?:为)?{_ZQ}{_ZN}%(?:以上|左右)?{_ZEND}",
        ),
        ("占{what}的相当一部分", "在{what}中占有较大比重"),
    ),
    (
        re.compile(
            "(?P<verb>规模|总额|总量|收入|产值|销售额|市值|投资额|金额|总资产|用户数|销量|产量)(?:约为?"
            rf"|达到?|为|超过?|突破|高达)+{_ZQ}{_ZN}\s?[万亿千百]*(?:元|美元|人民币|人|台|辆|吨|平方米|户"
            rf"|欧元|件|家)?(?:以上|左右)?{_ZEND}",
        ),
        ("{verb}相当可观", "{verb}处于较高水平", "{verb}十分可观"),
    ),
    (
        re.compile(
            rf"(?:达到|达|高达|超过|突破)(?:了)?{_ZQ}{_ZN}\s?(?:%|[万亿千百]*(?:元|美元|人民币|人|人次|台"
            rf"|辆|吨|户|欧元|件))(?:以上|左右)?{_ZEND}",
        ),
        ("达到较高水平", "处于较高水平"),
    ),
    (
        re.compile(
            rf"(?<![第每\d.年月\-–—~～至])(?<!不到)(?<!不足)(?!(?:19|20)\d\d[年名]){_ZQ}(?:[3-9]\d|\d{{3}}|\d{{1,3}}(?:,\d{{3}})+"
            r"|\d{4,})\s?[万亿千百]*多?[余]?(?:家|名|位|种|篇|所|座|款|例|项|个)(?=[\u4e00-\u9fff])(?!月"
            "|百分|国家|小时|方面)",
        ),
        ("众多", "大量", "许多"),
    ),
)


def vague_figures(text: str, language: str, draw: Random) -> str | None:
    """Return a sentence with words in place of its figures.

    Returns:
        The sentence; None if a figure would remain or the grammar would suffer.
    """
    # Another word may fit if one does not. Words for figures are often shorter than the figures and markers, so the
    # longest of a few is mostly taken.
    found = [out for _ in range(5) if (out := _vague(text, language, draw)) is not None]
    if not found:
        return None
    return max(found, key=len) if draw.random() < _LONG else found[0]


def _vague(text: str, language: str, draw: Random) -> str | None:
    # A quotation cannot be reworded.
    if re.search(r"[\"“”]", text) or re.match(
        r"(?:This|The) (?:present )?(?:study|report|review|paper)\b", text
    ):
        return None
    ways = _ZH if language == "zh" else _EN
    out = text
    for pattern, phrases in ways[1:]:
        out = pattern.sub(_worded(phrases, draw), out)
    # A figure in brackets goes with others; alone it is a setting, a threshold or a count of points.
    if _IN_BRACKETS.sub("", out) == _IN_BRACKETS.sub("", text):
        return None
    out = ways[0][0].sub("", out)
    if any(q.kind not in ("year", "ordinal") for q in find_quantities(out)) or re.search(
        r"[$€£%]|\d[a-zA-Z]?%", out
    ):
        return None
    if len(re.findall("众多|大量|许多|numerous|large number|great many", out)) > 1 + len(
        re.findall("众多|大量|许多|numerous|large number|great many", text)
    ):
        return None
    # Two words of degree side by side.
    if re.search(
        r"明显(?:明显|大幅)|大幅(?:大幅|明显|度)|(?:显著|明显|大幅|快速|同比|持续)有所|约众多|中中|占的|在中",
        out,
    ) or re.search(
        (
            r"\b(?:significantly|sharply|dramatically|substantially) (?:noticeably|considerably|substantially)"
            r"|noticeably of|\b(?:a|an|the) (?:numerous|many|a )|of of|\b(?:about|over|up to|nearly|almost"
            r"|around|roughly|than|least) (?:a|an|numerous|many|countless)\b"
        ),
        out,
        re.IGNORECASE,
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


# How often the longest of the words that fit is taken.
_LONG: Final = 0.8
_IN_BRACKETS: Final = re.compile(r"[（(][^（()）]*[)）]")
_SMALL: Final = 12.0


def _worded(phrases: tuple[str, ...], draw: Random) -> Callable[[re.Match[str]], str]:
    def word(match: re.Match[str]) -> str:
        # "Considerably" for three percent would be another claim, not a vaguer one.
        shares = re.findall(r"(\d[\d.]*)\s?(?:%|percent|per cent)", match.group())
        if phrases != ("",) and any(float(share.rstrip(".")) < _SMALL for share in shares):
            return match.group()
        # A few dozen chapters or studies are counted and need no source; "many" says nearly as much.
        if phrases[0].startswith(("numerous", "众多")) and not re.search(r"\d{3}|[万亿千百]", match.group()):
            return match.group()
        return draw.choice(phrases).format(**match.groupdict())

    return word


_TAIL_EN: Final = _PHRASES.pattern(
    r"(?:,? (?P<cue><<example_cues>>) (?P<what>[^.;:()\[\]]{18,220}))(?P<rest>"
    r"(?:\s?\[[\d, ]+\])*\s?\.?\**\s*)$",
)
_EMPTY: Final = _PHRASES.pattern(r"\b(?:<<empty>>)\s*$")
_LISTS: Final = ("such as", "including", "e.g.", "e.g.,", "如", "包括", "诸如")
_FIGURE: Final = re.compile(r"\d\s?%|[$€£¥]\d|\d\.\d")
# A clause that continues after the examples goes with its verb.
_RUNS_ON: Final = _PHRASES.pattern(
    r"\b(?:<<runs_on>>)\b|,? (?:and|or) [^,]+,|都|均|，并|，而|，从而|，以|，达|，可|，实现|，使"
    "|，推动|，形成|带来|具有|成为|帮助|能够|进行",
)
_TAIL_ZH: Final = re.compile(
    r"(?:，(?P<cue>例如|比如|如|包括|诸如)(?P<what>[^。；：（）\[\]]{8,160}))(?P<rest>(?:\s?\[[\d, ]+\])*[。；]?\**\s*)$"
)
_LEAD: Final = re.compile(
    r"^(?P<start>[-*\s]{0,4})(?P<cue>Due to|Because of|Owing to|Thanks to|Driven by) "
    r"(?P<what>[^,;:()\[\]]{15,130}), (?P<rest>(?:the|a|an|this|these|its|many|most|some|[a-z]+s)"
    " )",
)
_LEAD_ZH: Final = _PHRASES.pattern(
    r"^(?P<start>\s*)(?P<cue>由于|因为|得益于|鉴于)(?P<what>[^，。；：\[\]（(]{8,60})，(?!"
    "<<not_after_reason>>)",
)


def without_examples(text: str, language: str) -> tuple[str, str] | None:
    """Return a sentence without its examples or its reason, and the removed text.

    Returns:
        Both texts; None if the sentence has no examples, or if too little would remain.
    """
    chinese = language == "zh"
    if text.rstrip().endswith(("?", "？")):
        return None
    lead = (_LEAD_ZH if chinese else _LEAD).match(text)
    if lead is not None and len(text) - lead.end() > (14 if chinese else 40):
        rest = text[lead.end() :] if chinese else text[lead.start("rest") :]
        if not re.match(r"(?:its|this|these)\b", rest) and not re.search(
            "上述|以上|这[些一种]", lead["what"]
        ):
            return lead["start"] + rest[0].upper() + rest[1:], f"{lead['cue']} {lead['what']}"
    match = (_TAIL_ZH if chinese else _TAIL_EN).search(text)
    if match is None or not _goes(text, match, chinese=chinese):
        return None
    head = text[: match.start()].rstrip(" ;；,")
    rest = re.sub(r"\[[\d, ]+\]", "", match["rest"])
    return head + (rest if rest.endswith("\n") else rest.strip(" ")), match.group()


def _goes(text: str, match: re.Match[str], *, chinese: bool) -> bool:
    """Return whether a tail supports the sentence and can be dropped, so that what remains is still a claim."""
    what, head = match["what"], text[: match.start()]
    reason = match["cue"] in _PHRASES["reasons"].en
    if not _definite(what, chinese=chinese) or (not reason and (_RUNS_ON.search(what) or "，" in what)):
        return False
    # A list that "and" has not closed continues with a clause.
    parts = what.split(", ")
    if not chinese and len(parts) > 1 and not parts[-1].startswith(("and ", "or ")):
        return False
    # "Factors such as these" mean nothing without them.
    if not chinese and not match.group().startswith(",") and _EMPTY.search(head):
        return False
    if len(head.strip(" *-")) < (12 if chinese else 28) or re.search(
        r"[:：*]\s*$|\bwith$|\bis$|\bare$", head
    ):
        return False
    if not chinese and not re.search(r"\b(?:is|are|was|were|has|have|had|will|can|\w+(?:es|ed|s))\b", head):
        return False
    # "Or equivalent, likely." would dangle.
    if re.search(_DANGLES, head.rstrip(" ,，")):
        return False
    # A list merely names things; a judging claim is supported by one, as by figures and reasons.
    return reason or (
        JUDGES.search(head) is not None and (match["cue"] not in _LISTS or _FIGURE.search(what) is not None)
    )


_DANGLES: Final = (
    r"\b(?:likely|probably|possibly|perhaps|presumably|partly|in part|just|only|either|and|or|but"
    "|not|both|also|more|less|than|even|[a-z]{3,}ly)$|(?:主要|可能|部分|大多|往往|尤其|特别|并|和"
    "|或|以及|也|正)$"
)


def _definite(what: str, *, chinese: bool) -> bool:
    if re.search(r"\d", what):
        return True
    if chinese:
        return bool(re.search(r"[A-Z][A-Za-z]|《|“|公司|集团|银行|大学|医院|研究院|[省市国县]、", what))
    return bool(re.search(r"\b[A-Z][\w\-]+", what)) or what.count(",") >= 2
