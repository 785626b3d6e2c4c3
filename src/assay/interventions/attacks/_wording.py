"""Words that say nothing by themselves: function words of discourse, synonyms of form, and the phrases attacks add.

What a surface attack adds may be made of the report's own terms and of these. A term outside both would be new content.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from assay.text.generic import GENERIC
from assay.text.words import content_terms

__all__ = ["AGAIN_EN", "AGAIN_ZH", "NEUTRAL_ZH", "SYNONYMS_EN", "SYNONYMS_ZH", "neutral_terms"]

# Ways to say a sentence again. The sentence follows with a small letter.
AGAIN_EN: Final = (
    "In other words, {s}.", "Put differently, {s}.", "To put it another way, {s}.", "That is to say, {s}.", "Stated in another form, {s}.",
    "What this amounts to is that {s}.", "The point, in short, is that {s}.", "Expressed somewhat differently, {s}.", "One can also say that {s}.",
    "The same can be expressed by saying that {s}.", "This is to say that {s}.", "Said once more and in slightly different words, {s}.",
    "Looked at from the other side, {s}.", "To rephrase the point, {s}.", "If one restates this, {s}.", "Worth repeating here is that {s}.",
    "Again, and in plainer terms, {s}.", "To say the same thing once more, {s}.", "The statement may also be read as follows: {s}.",
    "As has just been said, {s}.", "Simply put, {s}.", "This means, in turn, that {s}.", "It should be stressed once again that {s}.",
    "As the preceding sentence indicates, {s}.", "Formulated in another way, {s}.",
)  # fmt: skip
AGAIN_ZH: Final = (
    "换句话说，{s}。", "换言之，{s}。", "也就是说，{s}。", "换一种表述，{s}。", "用另一种说法来讲，{s}。", "简而言之，{s}。", "再次强调，{s}。", "这也意味着，{s}。",
    "归结起来，{s}。", "如前一句所述，{s}。", "从另一个角度表述，{s}。", "需要重申的是，{s}。", "更直白地说，{s}。", "重复一遍上面的意思，{s}。", "可以这样理解：{s}。", "即是说，{s}。",
)  # fmt: skip
# Either may stand for the other without saying more.
SYNONYMS_EN: Final[dict[str, str]] = {}
for _pair in (
    "important/significant shows/indicates show/indicate uses/employs crucial/essential critical/vital major/main primary/principal various/different "
    "many/numerous several/multiple often/frequently also/likewise however/nevertheless therefore/consequently enables/allows enable/allow "
    "provides/offers provide/offer requires/needs require/need helps/assists help/assist improves/enhances improve/enhance significantly/considerably "
    "particularly/especially typically/usually approximately/roughly begins/starts rapidly/quickly ensures/guarantees obtain/get demonstrates/shows "
    "demonstrate/show remains/stays comprehensive/extensive substantial/considerable challenges/difficulties approach/method approaches/methods "
    "achieve/attain achieved/attained additional/further across/throughout increasingly/progressively including/among-them current/present overall/general "
    "allowing/enabling using/employing based/founded developed/created focuses/concentrates focus/concentrate emphasizes/stresses represents/constitutes"
).split():
    _one, _two = _pair.replace("among-them", "including").split("/")
    if _one != _two:
        SYNONYMS_EN.setdefault(_one, _two)
SYNONYMS_ZH: Final = {
    "重要": "关键", "显著": "明显", "提高": "提升", "提升": "提高", "表明": "说明", "显示": "表明", "例如": "比如", "通过": "借助", "目前": "当前", "当前": "目前", "许多": "众多",
    "促进": "推动", "推动": "促进", "利用": "运用", "由于": "因为", "并且": "而且", "此外": "另外", "同时": "与此同时", "广泛": "普遍", "持续": "不断", "不断": "持续",
    "增强": "加强", "加强": "增强", "具有": "具备", "形成": "构成", "采用": "使用", "使用": "采用", "逐渐": "逐步", "逐步": "逐渐", "尤其": "特别", "特别是": "尤其是",
    "主要包括": "主要有", "以及": "和", "能够": "可以", "可以": "能够", "仍然": "依然",
}  # fmt: skip
_MORE_EN: Final = """
again already also another aside below briefly caution chain cautious clear clearly conclude conclusion consequence consequently consider consideration
contend cover differently directly discussion elaborate evidence explicit express finally finding first following follow form formulate fifth fourth
generalise generalize hence herein however inevitable inference interpret interpretation judge latter likewise logical logic look mean moreover namely
next nothing once order outline overview paragraph particular phrase plain plainer point possible possibly potential potentially precede preceding
precisely presumably provisional put read reader reason repeat rephrase report respectively restate result reiterate roadmap said same saying say second
section sentence simply slightly sort speak state statement step strict sum summarise summarize summary support supporting tentative text therefore third
thing thus together turn turning view way whole word words worth hand understood understand caveat qualification uncertainty uncertain degree probably
perhaps likelihood likely arguably appear seem seemingly somewhat broadly generally tend suggest suggestive indication indicate care careful carefully
prudent prudence definitive certainty exception apply limitation limit limits inherent kind analysis conclusions assess exactly cause causal effect because
lead mechanism link linked drive driver explain account basis ground proof observation datum item exhibit cite document body weight consistent converge
back bear direction strong attest confirm corroborate six sixth seventh eighth five four three two one final background transition signpost topic part thereby other mutual mutually taken take always ask indicative
corroborate corroborating constitute item deal due appropriate naturally none course usual orientation organise organised organize much far exactly reader treat go goes depart
"""
NEUTRAL_ZH: Final[tuple[str, ...]] = tuple(
    """换句话说 换言之 也就是说 换一种 表述 另一种 说法 来讲 简而言之 再次 强调 这也 意味着 归结 起来 前一句 如前 所述 一个 角度 需要 重申 更直白 地说 重复 一遍 上面 意思 可以 这样 理解
    即是 即是说 首先 其次 再次 再者 最后 第一 第二 第三 第四 第五 第六 本节 本部分 下文 上文 以下 以上 依次 介绍 讨论 说明 内容 几个 方面 展开 小结 综上 综上所述 由此 由此可见 因此 因而 所以 因为 由于
    正是 正因 正因为 如此 这一 原因 结果 导致 使得 进而 从而 接下来 接着 转入 转向 随后 之后 完成 分析 部分 章节 证据 依据 支撑 佐证 论据 事实 材料 表明 显示 证明 可见 指向 同一 方向 相互 印证 列举
    可能 或许 也许 大概 似乎 一定 程度 程度上 某种 在某种 较为 相对 而言 总体 一般 通常 往往 潜在 有可能 谨慎 审慎 看待 解读 结论 这些 上述 任何 研究 都有 局限 局限性 不确定 不确定性 需 应当 应 留有 余地
    仅供 参考 而已 并非 定论 绝对 仍 有待 进一步 观察 因果 链条 关系 步骤 一步 第一步 第二步 第三步 就是 的是 其中 同样 同时 以此 为基础 基础上 在此 概括 概括地 归纳 总结 要点 主要 涉及 围绕 层次 结构 先 再 后 并
    综合 来看 整体 换个 可以说 正如 前文 前面 提到 已经 指出 不妨 不难 看出 具体 具体来说 具体而言 简单 简单来说 一句话 概言之 说到底 与此 相应 对应 相关 关于 至于 有关 关键 明显 提升 提高 说明 当然 仍需 判断 难免 各项 共同 一项 一句 仍有待 结构为 顺序 按 到此为止 下面 结构为 先后 容 佐证 事实依据 支撑证据 相关佐证 有限 比如 借助 当前 目前 众多
    推动 促进 运用 而且 另外 与此同时 普遍 不断 持续 达成 加强 增强 减少 具备 构成 使用 采用 逐步 逐渐 特别 尤其是 尤其 主要有 能够 必须 依然 变为""".split()
)


@lru_cache(maxsize=1)
def neutral_terms() -> frozenset[str]:
    """English terms that carry no content of their own."""
    own = content_terms(_MORE_EN) | content_terms(" ".join(AGAIN_EN).replace("{s}", ""))
    synonyms = content_terms(" ".join([*SYNONYMS_EN, *SYNONYMS_EN.values()]))
    return frozenset(own | synonyms | GENERIC)
