"""A guess at a question's category from its wording: no model, and none where the wording does not tell.

It is a cross-check on a model's answer and not a replacement: a guess is made only where a phrase is at home in one
category, and where two categories' phrases meet, in the order below or not at all.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec


class CategoryGuess(msgspec.Struct, frozen=True):
    """A category, and the words it was guessed by."""

    category: str
    words: str


def _pattern(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"(?:\b(?:{english})\b|{chinese})", re.IGNORECASE)


# First that is found decides: a briefing stays one whatever it is to contain, and "analysts" speak in most of them.
_RULES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (
        "investment_education",
        _pattern(
            r"what (?:is|are|does) (?:an? |the )?(?:\w+[ -]){0,3}(?:ratio|etf|option|future|yield|mean|bond|swap)s?(?=\??$)"
            r"|how (?:do|does|to) (?:\w+ ){1,5}(?:work|calculate|calculated|read a)\b|explain the (?:concept|term) ",
            r"是什么意思|什么叫|怎么计算|如何计算|怎么看懂|入门知识",
        ),
    ),
    (
        "morning_brief",
        _pattern(
            r"morning (?:brief|note|summary|digest|call|meeting)\w*|pre-?(?:open|market)(?: \w+){0,2} (?:note|brief\w*|summary)"
            r"|(?:dawn|early|start-of-week|opening) (?:brief\w*|note)|this morning['’]s (?:summary|brief\w*)"
            r"|(?:before|ahead of) (?:the )?(?:\S+ ){0,3}(?:open|opens|opening|trading starts|hours begin)"
            r"|brief me before",
            r"早报|晨报|早间(?:摘要|简报|策略)|晨会|盘前|开盘前|开市前|(?:时段)?开始之前",
        ),
    ),
    (
        "post_market_recap",
        _pattern(
            r"(?:post-?market|after-?hours|end-of-day|close-of-day) (?:recap|review|note|summary)"
            r"|(?:sum up|recap|review|look back at|summari[sz]e)(?: \S+){0,5} (?:today['’]s|today|trading day|session)"
            r"|(?:recap|review)(?: of)? (?:how )?(?:the )?trading day|after the close|fund flows? of today"
            r"|closed at the \w+ today|story of today['’]s|this session['’]s|traded today",
            r"复盘|收盘(?:点评|回顾|总结|后)|盘后|(?:今天|今日|当日)的?[^，。？]{0,8}(?:行情|收盘|领涨|领跌|资金流)|总结今[天日]|今[天日]的(?:美元|可转债)",
        ),
    ),
    (
        "expert_opinion",
        _pattern(
            r"(?:opinions?|views?|arguments?) (?:of|made by|from|on)? ?(?:\S+ ){0,4}(?:analysts?|strategists?|economists?|managers?|brokers?|executives|sellers?)"
            r"|what (?:do )?(?:\S+ ){0,5}(?:analysts?|strategists?|economists?|consultants?|managers?|agencies)(?: \S+){0,8} (?:say|expect|think)"
            r"|how (?:do )?(?:fund managers|analysts)\b|debate among|broker research|sell-side|which views"
            r"|(?:analysts|strategists|economists) (?:who|share|expect)|analyst (?:consensus|ratings)",
            r"(?:分析师|策略师|经济学家|基金经理|券商|机构|高管|专家|评级机构)[^。？]{0,24}(?:观点|看法|预期|口径|主张|如何描述|如何得出|怎么看|怎么说|认为|的研究)|目标价|观点(?:汇总|分组)|分别认为",
        ),
    ),
    (
        "stock_filtering",
        _pattern(
            r"(?:stocks?|shares|companies) (?:with|whose|that have) (?:an? )?(?:\S+ ){0,4}(?:below|above|under|over|less than|more than|at least)\b",
            r"(?:市盈率|市净率|股息率|净资产收益率|ROE|市值)\s?(?:低于|高于|小于|大于|不低于|超过)",
        ),
    ),
    (
        "trade_recommendation",
        _pattern(
            r"should i (?:buy|sell|hold|add|short|exit)|(?:entry|exit) price|stop[- ]loss (?:for|at)|good time to (?:buy|sell)",
            r"(?:要不要|该不该|可以|能不能|适合)(?:买|卖|加仓|减仓|抄底|入手)|止损位?|买入价",
        ),
    ),
    (
        "stock_movements",
        _pattern(
            r"why (?:did|has|have|is|are) (?:\S+ ){1,4}(?:shares?|stock|share price) (?:\S+ ){0,2}(?:fall|fallen|falling|drop|dropped|dropping|surge|surged|surging|jump|jumped|rise|risen|rising|plunge|plunged|up|down)",
            r"为什么(?:大?涨|大?跌)|(?:涨停|跌停|异动|大跌|暴涨)的?原因",
        ),
    ),
    (
        "plate_selection",
        _pattern(
            r"(?:screen|single out|shortlist|pick|choose|select|name|rank|separate|map)\b[^?]{0,160}\b(?:theme|plate|concept|names|shares|suppliers|manufacturers|companies|small caps)"
            r"|(?:theme|plate|concept|trading houses|suppliers|companies)\b[^?]{0,120}\b(?:single out|shortlist|pick|choose|finalists|choices|which have|rank them)"
            r"|(?:analysis of|study) the \S+ plate",
            r"(?:题材|概念|板块|上市|港股|综合商社)[^？]{0,60}(?:挑选|选出|挑出|筛选|列出|排序|备选|跟踪|给出选择|指出哪些)|(?:挑选|选出|筛选)[^？]{0,30}(?:题材|概念|板块)",
        ),
    ),
    (
        "event_analysis",
        _pattern(
            r"(?:what (?:follows|does)|trace|assess|quantify|work out|analy[sz]e|how much)\b[^?]{0,80}\b(?:impact|effect|consequences|burden|what this means|contagion)\b"
            r"|impact of (?:the )?[^?]{0,80}(?:tariffs?|polic\w+|rate (?:cut|hike|rise)s?|ban|merger|sanctions?|announcement)"
            r"|^if (?:the )?[^?,]{0,90}, what follows|which producers and which users|what does a (?:cut|rise) in",
            r"(?:加息|降息|准备金|关税|减产|增产|管制|制裁|收购|并购|宕机|倒闭|上调|下调|新规|公告|政策|裁决)[^。？]{0,60}(?:影响|意味着什么|受益或受损|会止于何处|的负担)",
        ),
    ),
    (
        "sector_analysis",
        _pattern(
            r"(?:analy[sz]e|study|examine|assess|describe|outlook (?:on|for)|trends? (?:in|of))\b[^?]{0,60}\b(?:industry|economics of|sector)"
            r"|(?:industry|sector)\b[^?]{0,40}\b(?:cycle|outlook|development trends|consolidating)",
            r"(?:行业|产业|租赁业)(?:的)?(?:周期|展望|发展趋势|现状|前景|整合|经济性|处于)|(?:分析|研究|评估|对比研究|展望)[^。？]{0,16}(?:行业|产业)",
        ),
    ),
    (
        "stock_analysis",
        _pattern(
            r"(?:deep research on|in-depth (?:study|research|analysis) of|sum-of-the-parts|as an investment|investment case for|balance sheet of)",
            r"(?:深度研究|深入研究|投资价值)|分部估值|作为投资标的|的生意质量",
        ),
    ),
)


def guess(query: str) -> CategoryGuess | None:
    """The category that the wording of a question points to, or None where it does not tell."""
    text = " ".join(query.split())
    for category, pattern in _RULES:
        match = pattern.search(text)
        if match is not None:
            return CategoryGuess(category, match.group())
    return None
