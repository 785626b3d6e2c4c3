"""Words of direction and rank with their opposites in the same grammatical form."""

from __future__ import annotations

from typing import Final

# Words that say a direction or a rank, and their opposites in the same form.
FLIPS: Final[dict[str, str]] = {}
for _pair in (
    "increase/decrease increases/decreases increased/decreased increasing/decreasing higher/lower highest/lowest "
    "rising/falling rose/fell rises/falls grew/shrank larger/smaller largest/smallest "
    "faster/slower fastest/slowest above/below majority/minority cheaper/costlier"
).split():
    _one, _two = _pair.split("/")
    FLIPS.setdefault(_one, _two)
    FLIPS.setdefault(_two, _one)
FLIPS_ZH: Final = {
    "增长": "下降", "上升": "下降", "增加": "减少", "高于": "低于", "领先于": "落后于", "上涨": "下跌", "下跌": "上涨",
    "下降": "上升", "减少": "增加", "低于": "高于", "落后于": "领先于", "正相关": "负相关", "负相关": "正相关",
    "多数": "少数", "优于": "逊于", "快于": "慢于", "大于": "小于", "小于": "大于", "最大": "最小", "最高": "最低", "最低": "最高",
}  # fmt: skip
