"""The sixteen categories of finance questions, seven of them evaluated (FinResearchBench, section 3.2).

The names are from the paper, which gives no definitions; the definitions are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from assay.generation.query_category import Category, classify
from assay.models.base import Usage
from assay.strategies.base import Status
from assay.suites.finresearch.guess import guess

if TYPE_CHECKING:
    from assay.generation.author import Author

CATEGORIES: Final[tuple[Category, ...]] = (
    Category(
        key="stock_analysis", title="Stock-specific analysis", title_zh="个股分析", evaluated=True,
        about="a thorough study of one named company or share, or of two set against each other: business, "
        "competition, "
        "accounts, valuation, risks",
        about_zh="对一家（或相互比较的两家）指明的公司或个股作深入研究：业务、竞争、财务、估值与风险",
    ),
    Category(
        key="event_analysis", title="Event analysis", title_zh="事件分析", evaluated=True,
        about="what one event, measure or announcement, past or supposed, means for markets, industries or companies",
        about_zh="某一事件、政策或公告（已发生或假设的）对市场、行业或公司意味着什么",
    ),
    Category(
        key="plate_selection", title="Stock selection from a given plate", title_zh="板块选股", evaluated=True,
        about="a named theme, concept or group of shares is explained and its listed companies are compared or "
        "chosen from",
        about_zh="围绕指定的题材、概念或板块，说明其内涵，并比较或挑选其中的上市公司",
    ),
    Category(
        key="sector_analysis", title="Sector analysis", title_zh="行业分析", evaluated=True,
        about="state and outlook of an industry or of the market for a good: demand, supply, competition, rules, "
        "profit; "
        "not which shares to choose",
        about_zh="某一行业或某种商品市场的现状与前景：需求、供给、竞争、政策与盈利；不涉及挑选个股",
    ),
    Category(
        key="morning_brief", title="Investment morning brief", title_zh="投资早报", evaluated=True,
        about="a briefing before trading starts: what happened since the last close, what is due, what to expect "
        "of the day",
        about_zh="开盘前的简报：上个收盘以来发生了什么，当日有何安排，预计如何开盘",
    ),
    Category(
        key="post_market_recap", title="Post-market recap", title_zh="盘后复盘", evaluated=True,
        about="a review of a trading day that is over: indices, sectors, flows, turnover, what drove them",
        about_zh="对已结束的交易日作回顾：指数、板块、资金、成交，以及背后的驱动因素",
    ),
    Category(
        key="expert_opinion", title="Expert opinion", title_zh="专家观点", evaluated=True,
        about="what analysts, brokers, fund managers, economists or executives say: views collected, compared or "
        "counted",
        about_zh="分析师、券商、基金经理、经济学家或高管怎么说：收集、比较或统计观点",
    ),
    Category(
        key="stock_performance", title="Stock-specific performance", title_zh="个股表现",
        about="figures on one share, looked up: price, return, volume, reported results; no study of it",
        about_zh="查询一只个股的数据：价格、涨跌幅、成交量、已公布业绩；不作研究",
    ),
    Category(
        key="stock_movements", title="Stock-specific movements", title_zh="个股异动",
        about="why one share moved, or trades unusually",
        about_zh="某只个股为何涨跌或出现异动",
    ),
    Category(
        key="market_performance", title="Market performance and analysis", title_zh="大盘表现与分析",
        about="how a whole market or index stands and where it may go, not bound to one trading day",
        about_zh="整个市场或指数的表现与走向，不限于某一个交易日",
    ),
    Category(
        key="plate_performance", title="Plate performance and analysis", title_zh="板块表现与分析",
        about="how the shares of a sector or theme do as a group and why; their prices, not the industry's business",
        about_zh="某一板块或题材的股票整体走势及原因；关注行情而不是行业经营",
    ),
    Category(
        key="stock_filtering", title="Criteria-based stock filtering", title_zh="条件选股",
        about="shares that meet stated figures or conditions, as a screener would list them",
        about_zh="按给定的指标或条件筛选股票，如同使用选股器",
    ),
    Category(
        key="trade_recommendation", title="Trade recommendation", title_zh="交易建议",
        about="whether, when, at what price or how much to buy, hold or sell",
        about_zh="是否、何时、以何价位或多大仓位买入、持有或卖出",
    ),
    Category(
        key="trending_news", title="Trending news", title_zh="热点资讯",
        about="what is in the news or talked about now, without a study of it",
        about_zh="当前有哪些新闻或热议话题，不作研究",
    ),
    Category(
        key="investment_education", title="Investment education", title_zh="投资知识",
        about="how a term, instrument, indicator or method works",
        about_zh="某一术语、工具、指标或方法是什么、如何运用",
    ),
    Category(
        key="others", title="Others", title_zh="其他",
        about="anything else, finance or not",
        about_zh="其余问题，无论是否与金融有关",
    ),
)  # fmt: skip
BY_KEY: Final = {item.key: item for item in CATEGORIES}
EVALUATED: Final = tuple(item.key for item in CATEGORIES if item.evaluated)


class CategorisedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A question and its category.

    Attributes:
        query: The question.
        status: "ok" (also without a model), or the reason why the model gave no category.
        category: Category by the model, or by the wording if there is no model; None if unknown.
        evaluated: Whether the benchmark evaluates the category.
        reason: Reason of the model.
        guess: Category by the wording, as a cross-check; None if the wording does not tell.
        guessed_by: Words on which the guess rests.
        problem: Reason for a missing category.
        usage: Usage of all calls.
        calls: Keys of the calls in the ledger.
        reply: The raw reply if it could not be parsed.
    """

    query: str
    status: Status = "ok"
    category: str | None = None
    evaluated: bool | None = None
    reason: str = ""
    guess: str | None = None
    guessed_by: str = ""
    problem: str | None = None
    usage: Usage = Usage()
    calls: tuple[str, ...] = ()
    reply: str = ""

    @property
    def agrees(self) -> bool | None:
        """Whether model and wording give the same category; None if one of them gives none."""
        asked = bool(self.calls)
        if not asked or self.category is None or self.guess is None:
            return None
        return self.category == self.guess


async def classify_query(author: Author, query: str) -> CategorisedQuery:
    """Classify a question by a model, with the guess from its wording."""
    category, written = await classify(author, query, CATEGORIES)
    hint = guess(query)
    return CategorisedQuery(
        query=query,
        status=written.status,
        category=category,
        evaluated=None if category is None else category in EVALUATED,
        reason=written.value["reason"].strip() if category is not None else "",
        guess=hint.category if hint else None,
        guessed_by=hint.words if hint else "",
        problem=written.problem,
        usage=written.usage,
        calls=written.calls,
        reply="" if written.status == "ok" else written.reply,
    )


def guess_query(query: str) -> CategorisedQuery:
    """Classify a question by its wording, without a model."""
    hint = guess(query)
    category = hint.category if hint else None
    return CategorisedQuery(
        query=query,
        category=category,
        evaluated=None if category is None else category in EVALUATED,
        guess=category,
        guessed_by=hint.words if hint else "",
    )
