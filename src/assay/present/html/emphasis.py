"""Emphasis beside Chinese and Japanese characters, where CommonMark sees no edge of a word.

CommonMark asks for a space or a punctuation mark beside ``**`` if a punctuation mark stands on its other side, and texts without
spaces have none: ``**安盛（AXA）**和`` would show its stars. A character of these scripts counts as such an edge here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markdown_it.rules_inline.state_inline import Delimiter

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline

_CJK: Final = re.compile("[\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


def emphasis_beside_cjk(state: StateInline, silent: bool) -> bool:
    """Take a run of ``*`` or ``_`` as delimiters; a rule of markdown-it, in place of its own."""
    start = state.pos
    marker = state.src[start]
    if silent or marker not in "_*":
        return False
    run = state.scanDelims(start, marker == "*")
    opens, closes = run.can_open, run.can_close
    if marker == "*":
        before = state.src[start - 1 : start]
        after = state.src[start + run.length : start + run.length + 1]
        if _CJK.match(before) or _CJK.match(after):
            opens = opens or (bool(after.strip()) and bool(_CJK.match(before)))
            closes = closes or (bool(before.strip()) and bool(_CJK.match(after)))
    for _ in range(run.length):
        token = state.push("text", "", 0)
        token.content = marker
        state.delimiters.append(
            Delimiter(
                marker=ord(marker),
                length=run.length,
                token=len(state.tokens) - 1,
                end=-1,
                open=opens,
                close=closes,
            )
        )
    state.pos += run.length
    return True
