"""Patterns that tell statements from labels, and one kind of section from another; English and Chinese."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# List items are often noun phrases; one of these makes them say something.
_WITH_S: Final = _set("""
    accelerate achieve add adopt affect aim allow announce appear apply attract avoid become begin
    believe bring build capture carry cause combine come complicate comprise confirm connect continue
    contribute correlate cover create deliver depend detect develop differ dominate drive eliminate
    emerge employ enable encourage enhance ensure exceed exist expand explain face facilitate favor find
    focus follow generate give go grow help hold identify illustrate implement improve include
    incorporate increase indicate integrate introduce involve keep lack lead leverage maintain make
    manage mean mitigate need occur offer offset operate optimize outline outpace outperform pay perform
    pose predict prefer present prevent produce promote protect provide pursue raise reach receive
    recognize reduce reflect rely remain remove replace represent require restrict reveal save see seem
    serve show simplify solve spend stand strengthen succeed suffer suggest supply support surpass
    sustain take tend threaten transform translate treat undermine underscore use utilize validate vary
    want weaken""")
_FINITE: Final = _set("""is are was were has have had can cannot could will would may might must should do does did be been
    rose fell grew led made took gave came saw held found became began brought won lost met drew built kept went paid
    relies varies applies suffers goes reaches launches pushes""") | {stem + "s" for stem in _WITH_S}
# Verbs after a plural, nouns and orders at the beginning.
_PLAIN_FORMS: Final = _set(
    """remain require provide include allow enable reduce improve suggest indicate rely tend vary drive create depend
    make take give reflect represent declare"""
)
# "introduced a framework" has a verb in the past, "externalized configuration" and "used for" a participle.
_AFTER_PAST: Final = _set(
    "the a an its their this that these those more over no all our his her it them up down off out not only"
)


def has_verb(text: str) -> bool:
    """Whether an English text in lower case has a finite verb, as far as its forms tell."""
    words = text.split()
    if not _FINITE.isdisjoint(words) or not _PLAIN_FORMS.isdisjoint(words[1:]):
        return True
    return any(
        word.endswith("ed") and len(word) > 4 and (after in _AFTER_PAST or after[0].isdigit())
        for word, after in pairwise(words[1:])
    )


# What ends in one of these and a colon only opens a list.
OPENS_LIST: Final = re.compile(
    r"(?:包括|如下|有|为|是|分为|include|includes|including|following|are|is|follows|as)\W*[:：]$",
    re.IGNORECASE,
)
STATED: Final = re.compile(
    r"\b(?:is|are|was|were|will|can|cannot|must|should|has|have|remains?|matters|affects?|beats?|drives?)\b"
)
# A list item that opens with one of these recommends a course of action. The word is taken out and looked up: trying
# a hundred alternatives at every item cost more than reading it.
_ACTIONS: Final = _set("""adopt establish develop implement use ensure invest prioritize build create promote
    strengthen expand increase reduce encourage enhance integrate focus monitor conduct require leverage improve support
    avoid consider design deploy diversify maintain start limit combine choose select keep engage standardize align apply
    incorporate foster set run train report scale plan add provide make define identify evaluate assess test track introduce
    install wait begin continue treat retrofit stress validate specify calibrate verify document replace embed secure allocate
    educate collaborate seek pursue favor favour offer optimize facilitate mandate participate partner launch find take eat
    drink ask try check remove simplify stay learn wear""")
_FIRST_WORD: Final = re.compile(
    r"\W*+(?:(?:alternatively|then|instead|always|never|regularly|also),?\s+)?([a-z]+)\s+(?!(?:of|in|for|by|and|is|are)\b)\w"
)
_ZH_ACTION: Final = re.compile(
    r"(?:[^:：\n]{1,20}[:：]\s*)?\W*(?:加强|深化|推动|建立|完善|提升|优化|构建|加快|推进|鼓励|支持|拓展|采用|引入|强化|培育|健全|落实|开展|探索|制定|设立|注重"
    r"|避免|选择|增加|降低|提高|延长|扩大|整合|打造|确保|优先|聚焦|安排|设置|关注|丰富|改善|积极)(?!的|了|与|和|及)"
)
_LABEL: Final = re.compile(r"[^:：\n]{1,60}+[:：]")


def orders_action(text: str, start: int, end: int, *, cjk: bool) -> bool:
    """Whether ``text[start:end]``, in lower case, opens with an order, with or without a label before it.

    Args:
        text: The text.
        start: Where to look.
        end: Where the piece ends.
        cjk: Whether the text may hold Chinese.
    """
    first = _FIRST_WORD.match(text, start, end)
    if first is not None and first[1] in _ACTIONS:
        return True
    # Most pieces have no colon near their beginning, and `find` sees that soonest.
    near = start + 62
    labelled = text.find(":", start, near) >= 0 or text.find("：", start, near) >= 0
    if labelled and (label := _LABEL.match(text, start, end)) is not None:
        first = _FIRST_WORD.match(text, label.end(), end)
        if first is not None and first[1] in _ACTIONS:
            return True
    return cjk and _ZH_ACTION.match(text, start, end) is not None


# "(1)", "一、", "①", "a)" before the words of an item; never part of a statement.
ENUMERATOR: Final = re.compile(
    r"(?:[（(](?:\d{1,2}|[一二三四五六七八九十]{1,3}|[a-zA-Z]|[ivx]{1,4})[）)]|[①-⑳]|[一二三四五六七八九十]{1,3}、|\d{1,2}[、)）]"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}[.．]?\s|\d{1,2}[.．]\s|第[一二三四五六七八九十]{1,3}[，、])[\s、:：.]*"
)

# A statement that leans on the one before it: a poor choice to lead a section or to stand for the report.
LEANING: Final = re.compile(
    r"\W*(?:it|they|this|these|those|such|he|she|its|their|that|both|additionally|moreover|furthermore|also|in addition|similarly"
    r"|therefore|thus|hence|consequently|accordingly|as a result|however|but|another|other|for example|for instance|finally|second|third|meanwhile|then|here|yet|likewise|in contrast)\b"
    r"|\W*(?:因此|所以|由此|从而|即|这|其|该|此|它|他|她|同时|另外|另一|但|而|并|还|也|例如|比如|再|如|同样|与此|相比之下|最后|其次|然而|不过|以上)"
)
# Worse: its subject is a word for something said before.
ANAPHORIC: Final = re.compile(
    r"\W*(?:it|they|this|these|those|such|he|she|its|their)\b|\W*(?:这|其(?!中)|该|此(?!外)|它|他|她|而|并|还|即)"
)
CAPTION: Final = re.compile(
    r"\W*(?:(?:table|figure|fig|chart|exhibit|box)\b\.?\s*\d|[图表]\s*\d|(?:注|说明|备注|数据更新|更新时间)\s*[:：])",
    re.IGNORECASE,
)

# ── section titles ──────────────────────────────────────────────────────────────────────────────────────────

_NUMBERING: Final = r"^[\W\d_一二三四五六七八九十]*(?:[IVX]{1,5}[.、:\s]\W*)?"
SUMMARY_TITLE: Final = re.compile(
    _NUMBERING
    + r"(?:executive\ summary|summary\b(?!\ (?:table|of\b))|key\ (?:findings|takeaways|insights|conclusions|points|messages|answer)"
    r"|main\ findings|highlights|abstract|tl;?dr|bottom\ line|at\ a\ glance|overall\ (?:findings|assessment)|short\ answer|answer\b"
    r"|(?:in\ )?brief\b|概要|主要发现|要点|内容提要)"
    r"|(?:key\ findings|takeaways|executive\ summary)\b|摘要|核心(?:结论|发现|观点|要点|判断)|(?:主要|关键|首要)(?:结论|观点)|研究结论",
    re.IGNORECASE,
)
CONCLUSION_TITLE: Final = re.compile(
    _NUMBERING
    + r"(?:concluding|final\ (?:thoughts|assessment|verdict|remarks|recommendations?)|closing|verdict|总论)"
    r"|\bconclusions?\b|(?:^|[与和及、])(?:结论|总结|结语|小结|结束语)|(?:结论|总结|结语|小结|结束语)$|^[\W\d_一二三四五六七八九十]*(?:结论|总结|结语|综合结论|总体结论)",
    re.IGNORECASE,
)
INTRODUCTION_TITLE: Final = re.compile(
    _NUMBERING
    + r"(?:introduction|overview|background|preface|context\b|purpose|scope\b|introductory|foreword"
    r"|引言|前言|导言|导论|绪论|概述|概览|总览|综述$|背景|研究(?:背景|概述|综述|目的)|简介|序言)",
    re.IGNORECASE,
)
# Parts that carry no argument of their own.
APPENDIX_TITLE: Final = re.compile(
    _NUMBERING
    + r"(?:table\ of\ contents|contents$|appendix|disclaimer|glossary|abbreviations|about\ this|acknowledge?ments?|further\ reading"
    r"|methodology(?:\ (?:and|&)\ (?:scope|sources|assumptions))?$|scope\ (?:and|&)\ (?:method|sources)|search\ (?:strategy|process)|notes?\b"
    r"|(?:sources|references)\b|open\ questions|quick\ links"
    r"|目录|附录|免责声明|术语|缩略语|致谢|研究方法$|方法说明|数据来源|参考|资料来源|检索|说明$|附[:：]|引用)",
    re.IGNORECASE,
)
# A title that states something: a finite verb in English, a stated change or judgement in Chinese.
CLAIM_TITLE: Final = re.compile(
    r"^(?!\W*(?:how|what|why|when|where|who|which|is|are|do|does|can|should|will|were|was|if)\b)"
    # "Heat pumps: where the market is heading" asks, it does not answer.
    r"(?![^:\n]{0,120}:\s*(?:how|what|why|when|where|who|which|whether)\b)"
    r"(?=.*\b(?:is|are|was|were|will|has|have|can|cannot|remains?|should|must|outperforms?|drives|depends?|exceeds?|dominates?|fails?|matters)\b)"
    r"(?:\W*\w[\w'’\-–/,%$.]*){5,}\W*$"
    r"|^[^：:？?]{2,20}(?:大幅|持续|显著|明显|不断|加速|日益|逐步|仍|已|将)(?:下降|上升|增长|减少|提高|扩大|加剧|削弱|下滑|萎缩|提升|承压|放缓|恶化|改善|收窄|回升|分化|存在|成为|突破|超过|领先|落后|受限|不足|有限)"
    r"[^：:？?的]{0,12}$",
    re.IGNORECASE,
)
