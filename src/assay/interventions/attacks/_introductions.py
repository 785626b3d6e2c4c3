"""How reports introduce terms: expansions, glosses, definitions; and what stands there when they do not."""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "APPOSED",
    "BEFORE_EN",
    "BEFORE_ZH",
    "BRACKET",
    "BRACKET_ZH",
    "DEFINES",
    "DEFINES_ZH",
    "FINITE",
    "FRONTED",
    "INSTEAD",
    "INSTEAD_ZH",
    "KNOWN",
    "LEAD",
    "LONG_AFTER",
    "LONG_AFTER_ZH",
    "MEANING",
    "MEANING_ZH",
    "NOT_NAME_ZH",
    "NOT_TERMS",
    "SHORT",
    "SHORT_ZH",
    "SMALL",
]

# "levelized cost of energy (LCOE)": the words before a bracketed short form, small words among them.
SHORT: Final = re.compile(
    r"(?P<long>[A-Za-z][A-Za-z’'/-]*(?: [A-Za-z][A-Za-z’'/-]*){0,8}) ?\((?P<short>[A-Z][A-Za-z0-9&/-]{1,9}s?)\)"
)
LONG_AFTER: Final = re.compile(
    r"\b(?P<short>[A-Z][A-Z0-9&/-]{1,8}s?) \((?P<long>[A-Za-z][A-Za-z’' /-]{8,70})\)"
)
SHORT_ZH: Final = re.compile(
    r"(?P<long>[\u4e00-\u9fff]{3,14})[（(](?:[A-Za-z][A-Za-z \-]{4,60}[,，]\s?)?(?P<short>[A-Z][A-Za-z0-9&/-]{1,9})[）)]"
)
LONG_AFTER_ZH: Final = re.compile(
    r"(?<![A-Za-z])(?P<short>[A-Z][A-Za-z0-9&/-]{1,9})[（(](?P<long>[^（）()\d\n]{4,40})[）)]"
)
# ", a lattice in which each site …,": said of a term right before it.
APPOSED: Final = re.compile(
    r"(?P<term>[A-Za-z][\w’'-]*(?: [A-Za-z][\w’'-]*){0,3})(?P<gloss>, (?:an? |the (?:process|practice|ability|idea|concept|tendency|phenomenon|method|"
    r"technique|study|use|degree|extent|rate|ratio|number|amount|time|branch) )(?:[^,.;:()\[\]]{18,150}))(?P<end>,|$)"
)
MEANING: Final = re.compile(
    r"(?P<gloss>(?:, | \(|—|–| – )(?:i\.e\.,?|that is,?|meaning(?! (?:that|possibly))|defined as|known as|also called) [^,.;:()\[\]—]{14,130})(?P<end>\)|,|—|$)"
)
MEANING_ZH: Final = re.compile(
    r"(?P<gloss>(?:[，（(]|——)(?:即(?![使将便刻])|也就是|是指|指的是|指(?=[^出导标数引示南]))[^，。；（）()]{6,60})(?P<end>[，）)]|——|$)"
)
BRACKET: Final = re.compile(
    r"(?P<term>[a-z][\w’'-]+) (?P<gloss>\((?:the|an?|that is|which|defined as|also (?:called|known as)|otherwise known as|meaning) [^()\[\]\d]{12,110}\))"
)
BRACKET_ZH: Final = re.compile(
    r"(?P<term>[\u4e00-\u9fff]{2,12})(?P<gloss>（(?:(?:也称|又称|亦称|又名|是|指)[^（）\d]{4,50}|(?!如|例如|比如|包括|见|参见|含|约|详|注|表|图)[\u4e00-\u9fff]{3,20}的[\u4e00-\u9fff]{2,20})）)"
)
DEFINES: Final = re.compile(
    r"^(?:\*\*)?(?P<term>(?:The )?[A-Za-z][\w’'-]*(?: (?:of |the |and )?[A-Za-z][\w’'-]*){0,5})(?:\*\*)?(?: \([A-Za-z-]{2,12}\))? (?:refers? to|is defined as|are defined as|means|denotes?|describes?|is (?:a|an|the) (?:\w+ ){0,3}(?:concept|process|technique|method|framework|"
    r"system|approach|measure|form|type|theory|model|term|practice|phenomenon|paradigm|protocol|algorithm|tool)) (?P<rest>[^.]{25,})"
)
DEFINES_ZH: Final = re.compile(
    r"^(?:\*\*)?(?:所谓)?(?P<term>[^，。：；\s（(*]{2,14})(?:\*\*)?(?:[（(][^（）()]{2,40}[）)])?[，：]?(?:是指|指的是|是一种|是一类|被定义为|定义为)(?P<rest>[^。]{10,})"
)
INSTEAD: Final = (
    "{term} {has} an important place in what follows",
    "{term} {runs} through much of the discussion below",
    "{term} {is} central to the argument of this section",
    "{term} {deserves} close attention here",
    "{term} {figures} prominently in the points below",
)
INSTEAD_ZH: Final = (
    "{term}在下文中占有重要位置",
    "{term}贯穿本节的讨论",
    "{term}是理解后续内容的关键",
    "{term}在此值得特别关注",
)
BEFORE_EN: Final = (
    ", a matter closely tied to {terms}",
    ", in line with {terms}",
    ", at least from the standpoint of {terms}",
    ", as {terms} makes especially clear",
    ", which is where {terms} comes in",
)
BEFORE_ZH: Final = (
    "，这与{terms}密切相关",
    "，这一点在{terms}上体现得最为明显",
    "，这也正是{terms}所涉及的问题",
    "，从{terms}的角度看更是如此",
)
# Everybody knows these without being told.
KNOWN: Final = frozenset(
    "AI GDP US USA UK UN EU CEO IT TV PC APP IP VR AR ID HR PR FAQ PDF DNA OK VIP DIY CPU GPU API".split()
)
LEAD: Final = re.compile(
    r"\*\*(?P<term>[^*\n:：（(]{3,40}?)(?:\s?[（(][^()（）\n]{2,40}[）)])?[:：]?\*\*\s?[:：]?"
)
FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|can|could|may|might|will|would|has|have|had|should|must|does|do)\b"
)
FRONTED: Final = re.compile(
    r"^(?:For|In|To|At|On|By|With|From|As|When|While|If|After|Before|Despite|Since|During|Among|Unlike|Like|Within|Through|Under|Over|Once)\b[^,]*$"
)
NOT_NAME_ZH: Final = re.compile(
    r"[的和与及或在是为对以将从由向把被中等而如即并但且]|通过|采用|基于|使用|利用|引入|包括|支持|实现|提供|随着|例如|当前|近年来|传统|结合|借助|构建|推出|成立|发布|建立"
)
NOT_TERMS: Final = frozenset(
    "this that these those it they there he she what which the one such here".split()
)
SMALL: Final = frozenset("of and the for in on to a an with by from".split())
