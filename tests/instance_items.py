"""Items as good models write them, in English and Chinese, on real questions; and two short reports they fit."""

from __future__ import annotations

from collections.abc import Iterable

from assay.rubrics.dimensions import DIMENSION_KEYS
from assay.rubrics.instance import InstanceCriterion

QUERY = (
    "Is there a general method for solving a first-price sealed-bid auction with two bidders who have independent private"
    " values drawn from different distributions (i.e., ex-ante asymmetric bidders)?"
)
A = """# Asymmetric first-price auctions

There is no closed-form solution in general. The equilibrium bidding strategies solve a system of differential equations
with boundary conditions, and numerical methods such as backward shooting find them (Marshall et al., 1994).

## Conclusion

Numerical methods are therefore the general answer, although uniqueness needs assumptions on the distributions."""
B = """# Bidding with different distributions

Two bidders with independent private values bid below their values. The equilibrium is unique under mild conditions
[1]. Closed-form solutions exist for uniform distributions on different supports. However, in general only numerical
methods such as backward shooting solve the differential equations.

## Limitations

Boundary conditions make the system unstable near the left endpoint."""

_ENGLISH = {
    "task_alignment": (
        "Comparing A and B, which report says outright in its opening or conclusion whether a general solution method for"
        " asymmetric first-price auctions exists, and holds to that answer?",
        "The opening says that no closed form exists in general and that numerical solution of the differential equations is the"
        " method, and the conclusion repeats it.",
        "The answer on a general method is left open, or the conclusion speaks of auction formats the query did not ask about.",
        'The first and last paragraphs: sentences with "general", "no closed-form" or "numerical".',
    ),
    "global_coherence": (
        "Which of the two reports moves from the equilibrium conditions to the solution methods and then to their limits in an order"
        " that lets its verdict on asymmetric auctions come out of the parts?",
        "Sections go from the differential equations over boundary conditions to numerical methods, and the end draws on them.",
        "Solution methods are listed before the equations they solve, and the end does not follow from them.",
        "Order of headings; whether the conclusion takes up terms of earlier sections.",
    ),
    "internal_consistency": (
        "In which report do the statements on uniqueness of the equilibrium agree with each other from beginning to end?",
        "Uniqueness is tied to the same assumptions on the distributions wherever it is mentioned.",
        "Uniqueness is said to hold in general in one section and only under assumptions in another.",
        'Every sentence that says "unique" or "uniqueness", and the conditions named beside it.',
    ),
    "concept_introduction": (
        "Comparing A and B, which one explains boundary conditions and the inverse bid function before it leans on them?",
        "Says what an inverse bid function is, and why boundary conditions are needed, before the equations use them.",
        "Equations with inverse bid functions appear without a word on what these are.",
        'Definitions and phrases such as "that is" near the first mention of each technical term.',
    ),
    "local_coherence": (
        "Which report connects its paragraphs on closed-form special cases and on numerical methods by a stated relation rather than"
        " a list?",
        "A bridging sentence says that closed forms cover only special distributions, so numerical methods are needed.",
        "Special cases and numerical methods stand side by side as bullets without any link.",
        "Connectives at the beginnings of paragraphs: however, therefore, by contrast.",
    ),
    "evidence_sufficiency": (
        "Which report backs its claim that backward shooting solves the auction with more specific, traceable sources?",
        "Names the paper that introduced backward shooting and what it computed.",
        "Says that numerical methods work well without naming any study.",
        "Author names with years, numbered references, links.",
    ),
    "warrants_causality": (
        "Between A and B, which explains more fully why different distributions prevent a closed-form equilibrium?",
        "Shows that with different distributions each bidder's first-order condition depends on the rival's inverse bid, so the"
        " equations are coupled.",
        "Asserts that asymmetry makes closed forms impossible and leaves it at that.",
        "Sentences with because, since or so that around the differential equations.",
    ),
    "qualifiers_counterpoints": (
        "Which of A and B better bounds its verdict on numerical methods by naming where they fail or what they assume?",
        "Names the instability of numerical solutions near the endpoint and the assumptions on supports.",
        "Presents numerical methods as always reliable.",
        "A limitations section; words such as may, under mild conditions, unstable.",
    ),
}
QUERY_ZH = "国内城市轨道交通行业（主要指地铁）每年的碳滑板用量是多少？主要供应商的份额以及行业趋势分析"
A_ZH = """# 碳滑板市场调研

我国地铁碳滑板年消耗量约为三十万条。主要供应商的市场份额集中，外资企业占比较高。

随着运营里程增长，碳滑板年消耗量将上升，因此国产替代是主要趋势。"""
B_ZH = """# 碳滑板年度消耗量与供应商市场份额

尚无官方统计的碳滑板年消耗量，根据运营里程推算约为二十万条。供应商市场份额缺乏公开数据[1]。

国产替代加快，但是外资企业仍可能保持优势。"""
_CHINESE = {
    "task_alignment": (
        "比较A和B，哪一份在开头或结论处就碳滑板年用量给出明确的数值判断，并始终围绕用量、供应商份额和趋势展开？",
        "引言即给出地铁碳滑板年消耗量的估算值，结论再次回到该数值。",
        "通篇介绍碳滑板的材料特性，年用量只一笔带过。",
        "首段和结论段中带数字的句子。",
    ),
    "global_coherence": (
        "哪一份报告从运营里程推到碳滑板消耗量、再推到供应商格局和趋势，各部分顺序更能支撑其结论？",
        "先交代运营里程和单车用量，再估算消耗量，最后据此谈市场趋势。",
        "先谈趋势后谈消耗量，且趋势部分没有用到消耗量的估算。",
        "各级标题的顺序，以及结论是否回应前文。",
    ),
    "internal_consistency": (
        "A与B相比，哪一份对碳滑板年消耗量的各处数字更能相互吻合？",
        "前文与结论使用同一个年消耗量估算值和同一口径。",
        "前文称年消耗量为三十万条，后文却以二十万条计算市场规模。",
        "出现“万条”的各处数字。",
    ),
    "concept_introduction": (
        "哪一份在谈供应商之前先说明碳滑板是什么、为何会磨损消耗？",
        "先说明碳滑板与接触网摩擦取流、属于易耗件，再谈用量。",
        "直接使用受电弓碳滑板等术语，未作任何说明。",
        "开头部分对“碳滑板”的定义句。",
    ),
    "local_coherence": (
        "A和B中，哪一份在供应商份额与国产替代两段之间的衔接更有依据，而不是并列罗列？",
        "用一句话说明外资份额高所以国产替代空间大，引出下一段。",
        "份额与国产替代各成一节，中间没有任何关联。",
        "段首的关联词，如因此、然而、与此同时。",
    ),
    "evidence_sufficiency": (
        "哪一份对主要供应商市场份额的论断给出了更具体、可追溯的来源？",
        "份额数字附有年份、机构和链接。",
        "只说外资企业份额较高，没有任何出处。",
        "百分比、机构名称和参考文献编号。",
    ),
    "warrants_causality": (
        "比较A和B，哪一份更完整地说明了运营里程增长为何会带来碳滑板消耗量上升？",
        "说明里程增加使列车走行公里增加，磨耗随之上升，更换次数因此增多。",
        "只断言里程增长会推动消耗量，没有中间环节。",
        "“因此”“导致”“从而”等因果词前后的句子。",
    ),
    "qualifiers_counterpoints": (
        "哪一份对国产替代趋势的判断更明确地说明了条件和不确定性？",
        "指出国产替代取决于产品寿命和认证进度，并提到外资企业可能反制。",
        "断言国产替代必然完成，不谈任何风险。",
        "可能、取决于、尚无等限定词，以及风险一节。",
    ),
}


def _items(table: dict[str, tuple[str, str, str, str]]) -> tuple[InstanceCriterion, ...]:
    return tuple(
        InstanceCriterion(
            aspect=key, question=row[0], good_example=row[1], bad_example=row[2], span_hint=row[3]
        )
        for key, row in ((key, table[key]) for key in DIMENSION_KEYS)
    )


ENGLISH = _items(_ENGLISH)
CHINESE = _items(_CHINESE)


def by_dimension(rows: Iterable[dict[str, str]]) -> dict[str, dict[str, str]]:
    """Items as rows, as a model gives them: by the keys of their dimensions."""
    return {row["aspect"]: {key: text for key, text in row.items() if key != "aspect"} for row in rows}
