"""Foreign text on one line, with nothing in it that hides or moves what is shown."""

from __future__ import annotations

import re
from typing import Final

# Control characters move a terminal's cursor; bidirectional and zero-width ones hide or reorder what is shown.
_HIDDEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff]"
)
_HAN: Final = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
# Blanked markup leaves gaps before punctuation and between Chinese characters.
_GAP: Final = re.compile(
    rf" +(?=[,.;:!?)\]}}%，。；：！？、）】》”])|(?<=[(\[（【《“]) +|(?<=[{_HAN}]) +(?=[{_HAN}])"
)
SURROGATE: Final = re.compile("[\ud800-\udfff]")


def tidy(text: str) -> str:
    """Return ``text`` on one line, without the gaps that blanked markup left and without hidden characters."""
    text = SURROGATE.sub("\ufffd", _HIDDEN.sub(" ", text))
    return _GAP.sub("", " ".join(text.split()))
