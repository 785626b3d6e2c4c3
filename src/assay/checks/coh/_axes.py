"""Words that say opposite things of one matter: rise and fall, higher and lower, effective and ineffective.

Each axis has two poles. Forms are spelt out, since matching goes by whole words through the index of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from assay.subjects.report import Report

_EN: Final = """
increase increased increases increasing rise rises rose risen rising grow grows grew grown growing climbed climbs surged surge
  expand expands expanded raises raised raise boosts boosted upward
| decrease decreased decreases decreasing fall falls fell fallen falling decline declines declined declining drop drops dropped
  shrink shrinks shrank shrunk reduce reduces reduced reducing diminishes diminished lowers lowered contracted contracts downward plunged
accelerate accelerates accelerated speeds sped | decelerate decelerates decelerated slowed slows slowing
higher highest greater larger | lower lowest smaller lesser
more | less fewer
largest biggest most | smallest least
faster fastest quicker | slower slowest
cheaper cheapest | costlier dearer pricier
stronger strongest | weaker weakest
better best superior outperforms outperformed outperform exceeds exceeded surpasses surpassed
  | worse worst inferior underperforms underperformed underperform trails lags
improve improves improved improving | worsen worsens worsened worsening deteriorates deteriorated deteriorate impairs
strengthen strengthens strengthened | weaken weakens weakened undermines undermined
effective effectively | ineffective ineffectively
efficient | inefficient
safe safely | unsafe dangerous
significant significantly | insignificant negligible
possible | impossible
likely | unlikely
sufficient adequate | insufficient inadequate
reliable | unreliable
stable | unstable volatile
sustainable | unsustainable
legal lawful | illegal unlawful
profitable | unprofitable
available | unavailable
compatible | incompatible
consistent | inconsistent
necessary | unnecessary
mandatory compulsory obligatory required | voluntary optional
positive positively | negative negatively
beneficial | harmful detrimental
supports supported support | opposes opposed refutes refuted contradicts contradicted
confirmed confirms | refuted disproved disproves
allows allowed permits permitted | prohibits prohibited bans banned forbids forbade
enables enabled | prevents prevented precludes
succeeded succeeds successful | failed fails unsuccessful
widened widens | narrowed narrows
majority | minority
optimistic | pessimistic
surplus | deficit
advantage | disadvantage
easy easily | difficult
exports exporter | imports importer
accepted accepts | rejected rejects
gained gains | lost loses
strong | weak
high | low
always | never
simple | complex
centralized centralised | decentralized decentralised
"""

_ZH: Final = """
增长 增加 上升 提高 提升 上涨 扩大 | 下降 减少 降低 下跌 下滑 萎缩
高于 超过 大于 多于 优于 强于 快于 | 低于 不及 小于 少于 劣于 弱于 慢于
加快 加速 | 放缓 减缓
改善 好转 | 恶化
增强 加强 | 削弱 减弱
有效 | 无效
显著 | 不显著 微弱
有利 | 不利
支持 赞成 | 反对
允许 | 禁止
盈利 | 亏损
顺差 | 逆差
盈余 | 赤字
乐观 | 悲观
最高 最大 最多 | 最低 最小 最少
较高 更高 较大 更大 | 较低 更低 较小 更小
促进 | 抑制 阻碍
必须 强制 | 自愿
成功 | 失败
稳定 | 不稳定
充足 | 不足 短缺
领先 | 落后
"""


class Axis(msgspec.Struct, frozen=True):
    """Two opposite sets of words; ``zh`` tells which language."""

    index: int
    plus: tuple[str, ...]
    minus: tuple[str, ...]
    zh: bool


def _read(text: str, first: int, *, zh: bool) -> list[Axis]:
    lines: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith(("  ", "|")):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    axes: list[Axis] = []
    for i, line in enumerate(lines):
        plus, _, minus = line.partition("|")
        axes.append(Axis(first + i, tuple(plus.split()), tuple(minus.split()), zh))
    return axes


_ENGLISH: Final = tuple(_read(_EN, 0, zh=False))
AXES: Final[tuple[Axis, ...]] = (*_ENGLISH, *_read(_ZH, len(_ENGLISH), zh=True))


class Pole(msgspec.Struct, frozen=True, gc=False):
    """One polar word in the text: its axis, its side (+1, -1), and where it stands."""

    axis: int
    side: int
    start: int
    end: int


def _sides(*, zh: bool) -> dict[str, list[tuple[int, int]]]:
    """Axis and side of every polar word of a language."""
    found: dict[str, list[tuple[int, int]]] = {}
    for axis in AXES:
        if axis.zh == zh:
            for side, words in ((1, axis.plus), (-1, axis.minus)):
                for word in words:
                    found.setdefault(word, []).append((axis.index, side))
    return found


_EN_SIDES: Final = _sides(zh=False)
_ZH_SIDES: Final = _sides(zh=True)
# One pass with an alternation is several times faster on Chinese text than a search for each word. Longer words come
# first: 不稳定 holds 稳定.
_ZH_WORD: Final = re.compile("|".join(sorted(_ZH_SIDES, key=len, reverse=True)))


def poles(report: Report) -> dict[int, list[Pole]]:
    """Polar words of every axis that has both sides in the text, by axis, in order of place."""
    words = report.cues.words()
    places: dict[int, list[tuple[int, int, int]]] = {}
    for word in _EN_SIDES.keys() & words.keys():
        size = len(word)
        for axis, side in _EN_SIDES[word]:
            places.setdefault(axis, []).extend([(at, at + size, side) for at in words[word]])
    if report.language == "zh":
        for match in _ZH_WORD.finditer(report.plain):
            for axis, side in _ZH_SIDES[match.group()]:
                places.setdefault(axis, []).append((*match.span(), side))
    return {
        axis: [Pole(axis, side, start, end) for start, end, side in sorted(places[axis])]
        for axis in sorted(places)
        if len({side for _, _, side in places[axis]}) > 1
    }
