"""Words that say nothing by themselves: function words of discourse, and the phrases attacks add.

What a surface attack adds may be made of the report's own terms and of these. A term outside both would be new content.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from assay.text.generic import GENERIC
from assay.text.words import content_terms

# Ways to open a paragraph that says once more what a section has said. A sentence follows with a small letter.
OPEN_EN: Final = (
    "In short, {s}.", "To recapitulate, {s}.", "Summing up this part, {s}.", "Briefly restated, {s}.", "The main point of this part is that {s}.",
    "What has been said here comes down to this: {s}.", "In essence, {s}.", "The gist of the foregoing is that {s}.", "To repeat the main point, {s}.",
    "The point to retain is that {s}.", "Put briefly, {s}.", "By way of recapitulation, {s}.", "As regards {p}, then, {s}.", "On {p}, to sum up, {s}.",
    "The discussion of {p} can be summed up by saying that {s}.", "With respect to {p}, in brief, {s}.", "On the subject of {p}, it bears repeating that {s}.",
    "Concerning {p}, the section has made the point that {s}.", "For {p}, the upshot is that {s}.",
    "To say it once more, {s}.", "Stated in summary form, {s}.", "All in all, {s}.", "To draw these points on {p} together, {s}.",
)  # fmt: skip
NEXT_EN: Final = (
    "It was also noted that {s}.", "In addition, {s}.", "Beyond that, as already said, {s}.", "A further point made here is that {s}.", "The same part also states that {s}.",
    "It should also be recalled that {s}.", "Moreover, {s}.", "As was also said, {s}.", "Besides, {s}.", "To this it was added that {s}.", "And, to repeat, {s}.",
    "Next to this stands the point that {s}.", "It bears repeating, too, that {s}.", "Furthermore, {s}.", "Mention was also made of the fact that {s}.", "Similarly worth recalling is that {s}.",
    "Another point was that {s}.", "Along with this, {s}.", "It was said as well that {s}.", "Equally, as noted, {s}.",
)  # fmt: skip
LAST_EN: Final = (
    "Finally, {s}.", "Lastly, it was said that {s}.", "And, as a last point, {s}.", "The last thing to repeat is that {s}.", "To close this summary, {s}.", "Last of all, {s}.",
    "It remains to repeat that {s}.", "As for the last point, {s}.",
)  # fmt: skip
POINTS_EN: Final = (
    "Once more, point by point: {list}.", "The list above, in short: {list}.", "To run through these points again: {list}.", "In brief: {list}.", "Read together, the points are these: {list}.",
    "Summed up: {list}.", "So, to repeat what has been listed: {list}.", "The points, once again: {list}.", "On {p}, in brief: {list}.", "For {p}, to repeat: {list}.",
    "As to {p}, the points in short form: {list}.", "Put together, the above says: {list}.", "To sum up the list: {list}.", "Again, from first to last: {list}.",
)  # fmt: skip
POINTS_ZH: Final = (
    "逐点重述：{list}。", "以上各点，简要来说：{list}。", "再把上述各点说一遍：{list}。", "归纳以上各项：{list}。", "概括起来：{list}。", "把所列内容再说一遍：{list}。", "总结上面几点：{list}。", "关于{p}，要点即：{list}。",
    "就{p}来说，简单重复如下：{list}。", "上面几点合在一起，就是：{list}。", "一句话概括：{list}。", "依次重复各点：{list}。", "以上内容的要点：{list}。", "对于{p}，再次归纳：{list}。",
)  # fmt: skip
LEAD_IN_EN: Final = (
    "This part is about {p}.", "The subject of this part is {p}.", "What follows concerns {p}.", "The next lines deal with {p}.", "The present part is devoted to {p}.", "Here the topic is {p}.",
    "The following is on {p}.", "As the heading says, the subject is {p}.",
)  # fmt: skip
OPEN_ZH: Final = (
    "概括而言，{s}。", "简而言之，{s}。", "归纳起来，{s}。", "总的来说，{s}。", "回到本节的要点：{s}。", "这一部分的核心意思是，{s}。", "再次概括一下，{s}。", "小结一下：{s}。", "就{p}而言，{s}。",
    "关于{p}，可以再次概括如下：{s}。", "围绕{p}的上述内容，归结起来就是：{s}。", "在{p}这一部分，要点在于：{s}。", "总结{p}的内容，{s}。", "综合以上内容，{s}。", "简要重述如下：{s}。", "一句话来说，{s}。",
    "说到{p}，需要重申的是，{s}。", "总之，{s}。", "把以上内容归到一处：{s}。", "对于{p}，简单来说，{s}。",
)  # fmt: skip
NEXT_ZH: Final = (
    "同时，{s}。", "此外，{s}。", "上文还指出，{s}。", "与此同时，{s}。", "另外，正如前文所述，{s}。", "另一点是，{s}。", "并且，{s}。", "文中也提到，{s}。", "再者，{s}。", "前面还说过，{s}。", "还需要重申的是，{s}。",
    "如前所述，{s}。", "而且，{s}。", "同样需要再次说明的是，{s}。",
)  # fmt: skip
LAST_ZH: Final = (
    "最后，{s}。", "最后需要重申的是，{s}。", "最后一点是，{s}。", "最后再说一遍，{s}。", "最后还要强调，{s}。", "作为最后一点，{s}。",
)  # fmt: skip
LEAD_IN_ZH: Final = (
    "这一部分说明{p}。", "以下内容围绕{p}展开。", "本部分的主题是{p}。", "接下来的内容都与{p}有关。", "下面说明{p}。", "此处讨论的是{p}。",
)  # fmt: skip
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
corroborate corroborating constitute item deal due appropriate naturally none course usual orientation organise organised organize much far exactly reader treat go goes depart proceed dealt end topic covered conceivable conceivably least large attach attaches cannot grant granted certainty tentative usual elsewhere attest free keep mind very result generally largely less interpretation
scope extent toward effect exhibit kept list item name run bottom top
"""
NEUTRAL_ZH: Final[tuple[str, ...]] = tuple(
    """换句话说 换言之 也就是说 换一种 表述 另一种 说法 来讲 简而言之 再次 强调 这也 意味着 归结 起来 前一句 如前 所述 一个 角度 需要 重申 更直白 地说 重复 一遍 上面 意思 可以 这样 理解
    即是 即是说 首先 其次 再次 再者 最后 第一 第二 第三 第四 第五 第六 本节 本部分 下文 上文 以下 以上 依次 介绍 讨论 说明 内容 几个 方面 展开 小结 综上 综上所述 由此 由此可见 因此 因而 所以 因为 由于
    正是 正因 正因为 如此 这一 原因 结果 导致 使得 进而 从而 接下来 接着 转入 转向 随后 之后 完成 分析 部分 章节 证据 依据 支撑 佐证 论据 事实 材料 表明 显示 证明 可见 指向 同一 方向 相互 印证 列举
    可能 或许 也许 大概 似乎 一定 程度 程度上 某种 在某种 较为 相对 而言 总体 一般 通常 往往 潜在 有可能 谨慎 审慎 看待 解读 结论 这些 上述 任何 研究 都有 局限 局限性 不确定 不确定性 需 应当 应 留有 余地
    仅供 参考 而已 并非 定论 绝对 仍 有待 进一步 观察 因果 链条 关系 步骤 一步 第一步 第二步 第三步 就是 的是 其中 同样 同时 以此 为基础 基础上 在此 概括 概括地 归纳 总结 要点 主要 涉及 围绕 层次 结构 先 再 后 并
    综合 来看 整体 换个 可以说 正如 前文 前面 提到 已经 指出 不妨 不难 看出 具体 具体来说 具体而言 简单 简单来说 一句话 概言之 说到底 与此 相应 对应 相关 关于 至于 有关 关键 明显 提升 提高 说明 当然 仍需 判断 难免 各项 共同 一项 一句 仍有待 结构为 顺序 按 到此为止 下面 结构为 先后 容 佐证 事实依据 支撑证据 相关佐证 有限 比如 借助 当前 目前 众多
    再次概括 一下 小结 核心 意思 回到 本节 归到 一处 简要 重述 如下 一句话 说到 前面 说过 文中 还说 再说 一遍 各项 从上到下 上面 列出 简单 重复 大致 大概 不应 看作 绝对 不确定 只是 一样 说法 解读 一般来说 大体上 正因如此 这就 结果 有关 指出 已有 逐点 各点 几点 合在 一起 所列 即为 一遍 主题 一节 本节 此处 接下来 都与 有关 推动 促进 运用 而且 另外 与此同时 普遍 不断 持续 达成 加强 增强 减少 具备 构成 使用 采用 逐步 逐渐 特别 尤其是 尤其 主要有 能够 必须 依然 变为""".split()
)


@lru_cache(maxsize=1)
def neutral_terms() -> frozenset[str]:
    """English terms that carry no content of their own."""
    phrases = " ".join([*OPEN_EN, *NEXT_EN, *LAST_EN, *LEAD_IN_EN, *POINTS_EN])
    own = content_terms(_MORE_EN) | content_terms(re.sub(r"\{\w+\}", " ", phrases))
    return frozenset(own | GENERIC)
