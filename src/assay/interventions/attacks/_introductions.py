"""How reports introduce terms: expansions, glosses, definitions; and what stands there when they do not."""

from __future__ import annotations

import re
from typing import Final

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
MEANING: Final = re.compile(
    r"(?P<gloss>(?:, | \(|—|–| – )(?:i\.e\.,?|that is,?|meaning(?! (?:that|possibly))|defined as) [^,.;:()\[\]—]{14,130})(?P<end>\)|,|—|$)"
)
MEANING_ZH: Final = re.compile(
    r"(?P<gloss>(?:[，（(]|——)(?:即(?![使将便刻兴可时日期席])|也就是|是指|指的是|指(?=[^出导标数引示南]))[^，。；（）()]{6,60})(?P<end>[，）)]|——|$)"
)
BRACKET: Final = re.compile(
    r"(?P<term>[a-z][\w’'-]+) (?P<gloss>\((?:that is|i\.e\.,?|defined as|meaning|the (?:process|practice|ability|idea|concept|tendency|phenomenon|method|technique|study|degree|extent|rate|ratio|amount|share|difference|point|sum)|an? [a-z-]+ (?:of|that|which|where|in which|used)) [^()\[\]\d]{12,110}\))"
)
BRACKET_ZH: Final = re.compile(
    r"(?P<term>[\u4e00-\u9fff]{2,12})(?P<gloss>（(?:(?:即|是指|指的是|是|指)[^（）\d]{4,50})）)"
)
DEFINES: Final = re.compile(
    r"^(?:\*\*)?(?P<term>(?:The )?[A-Za-z][\w’'-]*(?: (?:of |the |and )?[A-Za-z][\w’'-]*){0,5})(?:\*\*)?(?: \([A-Za-z-]{2,12}\))? (?:refers? to|is defined as|are defined as|means|denotes?|describes?|is (?:a|an|the) (?:\w+ ){0,3}(?:concept|process|technique|method|framework|"
    r"system|approach|measure|form|type|theory|model|term|practice|phenomenon|paradigm|protocol|algorithm|tool)) (?P<rest>[^.]{25,})"
)
DEFINES_ZH: Final = re.compile(
    r"^(?:\*\*)?(?:所谓)?(?P<term>[^，。：；\s（(*]{2,14})(?:\*\*)?(?:[（(][^（）()]{2,40}[）)])?[，：]?(?:是指|指的是|是一种|是一类|被定义为|定义为)(?P<rest>[^。]{10,})"
)
# A sentence about a term that does not say what it is.
INSTEAD: Final = (
    "{term} {is} taken here in the usual sense",
    "{term} {is} used below as is customary in the field",
    "{term} {is} understood here as specialists understand it",
    "{term} {has} a meaning here that needs no further comment",
    "{term} {is} referred to repeatedly in what follows",
    "{term} {needs} to be kept in mind throughout this section",
    "The literature on {small} is by now extensive",
    "Much of what follows turns on {small}",
)
INSTEAD_ZH: Final = (
    "{term}在此取其通常含义",
    "{term}一词沿用学界的一般用法",
    "{term}的含义此处不再展开",
    "下文将多次用到{term}这一概念",
    "有关{term}的文献已相当丰富",
    "以下讨论在很大程度上围绕{term}展开",
)
# Everybody knows these without being told.
KNOWN: Final = frozenset(
    """AI GDP US USA UK UN EU CEO CFO CTO IT TV PC APP IP VR AR ID HR PR FAQ PDF DNA RNA OK VIP DIY CPU GPU API RADAR LIDAR LASER SONAR NASA WHO UNESCO IMF
    GPS LED NATO HIV AIDS ATM SMS USB HTML HTTP URL WWW NGO NGOs WTO OECD ESG ROI KPI R&D B2B B2C SaaS IoT ML LLM LLMs NLP 5G 4G SQL COVID UAV UAVs UFO PhD MBA FBI CIA FDA EV EVs IPO
    ETF ETFs CO2 LGBTQ BBC CNN IBM BMW MIT IEEE ISO CPI G20 APEC ASEAN BRICS UNICEF CT MRI PM BC AD AM NBA WIFI WiFi Wi-Fi ChatGPT GPT QR 3D 2D CAD SEO SUV HSBC USD RMB EUR CNY AGI STEM PPT GUI CAGR DL CNN SDG SDGs AR/VR""".split()
)
# Words that are no part of a name; what follows the last of them is one.
NOT_NAME_ZH: Final = re.compile(
    r"[的在是将从被且、]|通过|采用|基于|使用|利用|引入|包括|支持|实现|提供|随着|例如|当前|近年来|传统|结合|借助|构建|推出|成立|发布|建立|生成|形成|产生|开发|提出|属于|称为|包含|"
    r"涉及|进行|特别是|尤其是|其中|主要|部分|多个|各类|多种|一种|所谓|作为|依托|实行|实施|搭建|释放|激活|增加|提高|降低|根据|按照|依据|发现|以及|来自|抑制|激活|阻断|敲除|缺乏|诱导|调控|检测|增强|降解|表达|上调|下调|由于|针对|应用|运用|选择|加入|设立|经由|推进|推行|执行|中国|全国|引发|导致|需要|成为|具有|如"
)
# After these a name may go on to the left: 分而治之和集成学习, 中性粒细胞.
UNSURE_ZH: Final = re.compile(r"[和与及或中等对以为由把即有用]")
NOT_TERMS: Final = frozenset(
    "this that these those it they there he she what which the one such here".split()
)
SMALL: Final = frozenset("of and the for in on to a an with by from".split())
