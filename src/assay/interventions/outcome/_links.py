"""Words that join thoughts, and words of direction, with what turns each round. English and Chinese.

A connective is turned into one of the opposite kind: what followed now comes in spite of, what was an exception is now a
consequence. A word of direction is turned into its opposite: more into less, can into cannot.
"""

from __future__ import annotations

import re
from typing import Final

# At the beginning of a sentence or clause, case kept; what joins, and what may stand there instead.
LINKS_EN: Final[dict[str, tuple[str, ...]]] = {
    "however,": ("therefore,", "accordingly,", "for the same reason,", "as a result,"), "nevertheless,": ("for this reason,", "consequently,"),
    "nonetheless,": ("for that reason,", "consequently,"), "therefore,": ("on the contrary,", "by contrast,", "conversely,"),
    "thus,": ("on the contrary,", "conversely,"), "consequently,": ("on the contrary,", "by contrast,"), "as a result,": ("by contrast,", "conversely,", "on the contrary,"),
    "in contrast,": ("likewise,", "similarly,", "in the same way,"), "by contrast,": ("likewise,", "similarly,", "accordingly,"),
    "conversely,": ("similarly,", "likewise,", "accordingly,"), "similarly,": ("by contrast,", "conversely,", "on the contrary,"),
    "likewise,": ("by contrast,", "conversely,"), "for example,": ("by contrast,", "conversely,", "on the contrary,"),
    "for instance,": ("by contrast,", "on the contrary,", "conversely,"), "moreover,": ("on the contrary,", "conversely,"),
    "furthermore,": ("on the contrary,", "conversely,"), "in other words,": ("on the contrary,", "by contrast,"),
    "although": ("because",), "even though": ("because",), "despite": ("because of", "owing to"), "because of": ("in spite of", "despite"),
    "due to": ("in spite of", "despite", "regardless of"), "because": ("although", "even though"), "owing to": ("despite", "in spite of"),
    "thanks to": ("despite", "in spite of"), "thereby": ("without", "instead of"), "given": ("despite", "notwithstanding"),
    "driven by": ("unaffected by", "in spite of"), "whereas": ("because", "so that"), "which means that": ("even though", "although"),
    "so that": ("even though", "although"), "unlike": ("like", "just like"), "contrary to": ("in line with", "in keeping with"), "but": ("and therefore", "and for that reason"),
}  # fmt: skip
LINKS_ZH: Final[dict[str, tuple[str, ...]]] = {
    "然而，": ("因此，", "正因如此，", "所以，"), "但是，": ("因此，", "所以，"), "因此，": ("相反，", "与此相反，", "恰恰相反，"), "从而": ("却", "反而"),
    "不过，": ("因此，", "正因如此，"), "尽管如此，": ("正因如此，", "因此，"), "相比之下，": ("同样，", "与此类似，"), "相反，": ("同样地，", "由此可见，"),
    "例如，": ("相反，", "与之相反，"), "比如，": ("相反，", "与之相反，"), "同样，": ("相反，", "恰恰相反，"), "由于": ("尽管", "即便存在"), "尽管": ("由于", "正因为"),
    "虽然": ("因为", "由于"), "，导致": ("，却避免了", "，反而防止了"), "，因此": ("，相反，",), "因而": ("却", "反倒"),
    "，使得": ("，却没有使得", "，但并未使得"), "得益于": ("尽管存在", "抛开"), "因为": ("尽管",), "换言之，": ("相反，", "然而，"), "，而不是": ("，也就是", "，以及"),
    "综上所述，": ("与上述相反，", "尽管有上述结论，"), "综上，": ("与此相反，",), "由此可见，": ("然而，", "与此相反，"),
}  # fmt: skip

# Pairs that are turned either way; both stand in the same place of a sentence.
_EN_PAIRS: Final = """
increase/decrease increases/decreases increased/decreased increasing/decreasing higher/lower highest/lowest more/less faster/slower
improve/worsen improves/worsens improved/worsened improving/worsening reduce/increase reduces/increases reduced/increased reducing/increasing
strengthen/weaken strengthens/weakens strengthened/weakened strengthening/weakening enhance/undermine enhances/undermines enhanced/undermined
enhancing/undermining positive/negative positively/negatively advantage/drawback advantages/drawbacks strong/weak stronger/weaker
larger/smaller greater/smaller better/worse easier/harder cheaper/costlier safer/riskier rising/falling rise/fall
growth/decline grew/shrank growing/shrinking expand/shrink expands/shrinks expanding/shrinking
supports/undermines accelerate/slow accelerates/slows accelerating/slowing facilitate/hinder facilitates/hinders facilitating/hindering
essential/unnecessary effective/ineffective efficient/inefficient sufficient/insufficient reliable/unreliable sustainable/unsustainable
stable/unstable likely/unlikely possible/impossible feasible/infeasible consistent/inconsistent suitable/unsuitable
long-term/short-term short-term/long-term upstream/downstream beneficial/harmful limited/extensive success/failure
promote/inhibit promotes/inhibits promoting/inhibiting necessary/superfluous
minimizing/maximizing minimize/maximize lowering/raising lower/higher fewer/more gains/losses abundant/scarce widely/rarely rapid/slow
rapidly/slowly robust/fragile significant/negligible significantly/barely substantial/negligible
important/marginal primarily/hardly consistently/rarely often/rarely frequently/rarely optimal/suboptimal
"""
_ZH_PAIRS: Final = """
提高/降低 提升/削弱 增加/减少 增长/下降 上升/下降 增强/减弱 改善/恶化 扩大/缩小 加快/放缓 促进/阻碍 有利于/不利于 有助于/无助于 高于/低于 大于/小于 优于/劣于
优势/劣势 较高/较低 更高/更低 最高/最低 较大/较小 更大/更小 更强/更弱 更快/更慢 更好/更差 适合/不适合 能够/无法 可以/不能 积极/消极 显著/微弱 稳定/动荡
充足/匮乏 可靠/不可靠 推动/阻碍 加剧/缓解 延长/缩短 强化/弱化 重要/次要 长期/短期 短期/长期 成功/失败 乐观/悲观
降低/提高 减少/增加 下降/上升 不足/充足 过剩/短缺 缓解/加剧 缩短/延长 上行/下行 便利/不便 广泛/有限 必要/多余 正相关/负相关 优于/不及
"""


def _table(pairs: str, *, both: bool) -> dict[str, str]:
    table: dict[str, str] = {}
    for pair in pairs.split():
        one, two = pair.split("/")
        table.setdefault(one, two)
        if both:
            table.setdefault(two, one)
    return table


OPPOSITES_EN: Final = _table(_EN_PAIRS, both=True)
OPPOSITES_ZH: Final = _table(_ZH_PAIRS, both=True)
FORMER: Final[dict[str, str]] = {
    "the former": "the latter", "the latter": "the former", "The former": "The latter", "The latter": "The former", "前者": "后者", "后者": "前者",
}  # fmt: skip
_EN: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, OPPOSITES_EN), key=len, reverse=True))})\b(?![-’'])"
)
_ZH: Final = re.compile("|".join(sorted(map(re.escape, OPPOSITES_ZH), key=len, reverse=True)))


def opposite_pattern(language: str) -> re.Pattern[str]:
    """Finds a word of direction; longest first."""
    return _ZH if language == "zh" else _EN


def turned(word: str) -> str:
    """The opposite of a word of direction, or of former and latter."""
    return OPPOSITES_EN.get(word) or OPPOSITES_ZH.get(word) or FORMER[word]
