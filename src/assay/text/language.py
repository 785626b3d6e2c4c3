"""Language of a text, as far as checks need it: English, Chinese, or neither."""

from __future__ import annotations

import re
from typing import Final, Literal

Language = Literal["en", "zh", "und"]

# Runs are counted only if the text has anything that is neither Latin nor punctuation.
_BEYOND_LATIN: Final = re.compile("[\u0370-\u1fff\u2e80-\U0002fa1f]")
# Runs, not single characters: a Chinese page has a few hundred.
_HAN_RUN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_KANA_RUN: Final = re.compile("[\u3040-\u30ff]+")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_OTHER_RUN: Final = re.compile("[\u0370-\u1dff\u3040-\u30ff\uac00-\ud7af]+")
_ENGLISH: Final = frozenset(
    "the of and to in a is for that as with by on are this from or be an it at was which has have not their".split()
)


def detect_language(text: str, *, sample: int = 2_000) -> Language:
    """``"zh"``, ``"en"`` or ``"und"`` (anything else, or nothing to tell by).

    A Chinese report full of English names is Chinese: one Han character weighs as much as one latin word.
    Only the first ``sample`` code points are looked at.
    """
    head = text[:sample]
    han = other = 0
    if not head.isascii() and _BEYOND_LATIN.search(head):
        han = _length(_HAN_RUN, head)
        other = _length(_OTHER_RUN, head)
    if han:
        latin = len(_LATIN_WORD.findall(head))
        if han >= latin:
            # Japanese is written with Han characters too, and a third or more of it is kana.
            return "und" if _length(_KANA_RUN, head) > han * 0.3 else "zh"
    words = head.lower().split()
    if len(words) < 20:
        # Too short for a rate.
        letters = sum(map(str.isalpha, head))
        return "en" if letters and other * 2 <= letters else "und"
    # Tokens count numbers too; an English table is still one word in twenty.
    return "en" if sum(map(_ENGLISH.__contains__, words)) >= 0.05 * len(words) else "und"


def _length(pattern: re.Pattern[str], text: str) -> int:
    return sum(map(len, pattern.findall(text)))
