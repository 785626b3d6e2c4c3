"""Which language a text is in, as far as the checks need to know: English, Chinese, or neither."""

from __future__ import annotations

import re
from typing import Final, Literal

from assay.text.words import CJK_RANGES

__all__ = ["Language", "detect_language"]

Language = Literal["en", "zh", "und"]

_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_OTHER_LETTER: Final = re.compile(rf"[^\W\d_A-Za-z\u00c0-\u024f{CJK_RANGES}]")
_ENGLISH: Final = frozenset(
    "the of and to in a is for that as with by on are this from or be an it at was which has have not their".split()
)


def detect_language(text: str, *, sample: int = 6_000) -> Language:
    """``"zh"``, ``"en"`` or ``"und"`` (anything else, or nothing to tell by).

    A Chinese report full of English names is Chinese: one Han character weighs as much as one latin word.
    Only the first ``sample`` code points are looked at.
    """
    head = text[:sample]
    han = len(_HAN.findall(head))
    latin = _LATIN.findall(head)
    if han and han >= len(latin):
        # Japanese is written with Han characters too, and a third or more of it is kana.
        return "und" if len(_KANA.findall(head)) > han * 0.3 else "zh"
    if not latin or len(_OTHER_LETTER.findall(head)) > sum(map(len, latin)):
        return "und"
    if len(latin) < 20:
        # Too short for a rate; the function words of other languages are checked by their share below.
        return "en"
    english = sum(1 for word in latin if word.lower() in _ENGLISH)
    return "en" if english >= 0.06 * len(latin) else "und"
