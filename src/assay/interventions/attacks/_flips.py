"""Words of direction and rank with their opposites in the same grammatical form."""

from __future__ import annotations

from typing import Final

__all__ = ["FLIPS", "FLIPS_ZH"]

# Words that say a direction or a rank, and their opposites in the same form.
FLIPS: Final[dict[str, str]] = {}
for _pair in (
    "increase/decrease increases/decreases increased/decreased increasing/decreasing higher/lower highest/lowest greater/smaller larger/smaller "
    "largest/smallest stronger/weaker rising/falling rise/fall rose/fell grew/shrank expanded/contracted positive/negative positively/negatively "
    "faster/slower improve/worsen improves/worsens improved/worsened reduces/increases reduced/increased strengthened/weakened strengthens/weakens "
    "above/below mandatory/voluntary majority/minority cheaper/costlier oldest/newest first/last"
).split():
    _one, _two = _pair.split("/")
    FLIPS.setdefault(_one, _two)
    FLIPS.setdefault(_two, _one)
FLIPS_ZH: Final = {
    "增长": "下降", "上升": "下降", "提升": "下降", "提高": "降低", "增加": "减少", "扩大": "缩小", "高于": "低于", "领先": "落后", "强于": "弱于",
    "下降": "上升", "降低": "提高", "减少": "增加", "缩小": "扩大", "低于": "高于", "落后": "领先", "加强": "削弱", "增强": "减弱", "正相关": "负相关",
    "多数": "少数", "优于": "逊于", "快于": "慢于", "最大": "最小", "最强": "最弱",
}  # fmt: skip
