"""markdown-it-py's block parser, with a short cut for the commonest block of all.

Most blocks of a report are one-line paragraphs. The stock parser asks nine rules about each of them, one of which
scans ahead, before the last one takes it. `_one_line` recognises them first: a line that begins with no character any
other rule begins with, followed by a blank line, the end, or a bullet. What it takes, the stock rules would have taken
as the same paragraph; a test compares the two on arbitrary text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

__all__ = ["block_parser"]

# Characters with which a fence, quote, rule, list, heading, table, HTML block or setext line may begin.
_MARKS: Final = frozenset("`~>-*+_#<|=:0123456789 \t")
_BULLETS: Final = frozenset("-*+")
_CODE_INDENT: Final = 4


@lru_cache(maxsize=1)
def block_parser() -> MarkdownIt:
    """CommonMark and tables, block rules only; link reference definitions stay ordinary lines."""
    parser = stock_parser()
    parser.block.ruler.before("table", "one_line", _one_line)
    return parser


def stock_parser() -> MarkdownIt:
    """The same without the short cut."""
    parser = MarkdownIt("commonmark").enable("table").disable("reference")
    parser.core.ruler.disable(["inline", "text_join"], ignoreInvalid=True)
    return parser


def _one_line(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    if silent:
        return False
    indent = state.sCount[start] - state.blkIndent
    if not 0 <= indent < _CODE_INDENT:
        return False
    begin = state.bMarks[start] + state.tShift[start]
    if state.src[begin] in _MARKS:
        return False
    following = start + 1
    if following < state.lineMax and not state.isEmpty(following) and not _bullet(state, following):
        return False
    state.line = following
    token = state.push("paragraph_open", "p", 1)
    token.map = [start, following]
    state.push("paragraph_close", "p", -1)
    return True


def _bullet(state: StateBlock, line: int) -> bool:
    """Whether the line is a bullet with text, which ends any paragraph."""
    column = state.sCount[line]
    if column < 0 or column - state.blkIndent >= _CODE_INDENT:
        return False
    if state.listIndent >= 0 and column - state.listIndent >= _CODE_INDENT and column < state.blkIndent:
        return False
    begin = state.bMarks[line] + state.tShift[line]
    if state.src[begin] not in _BULLETS or begin + 2 >= state.eMarks[line]:
        return False
    return state.src[begin + 1] == " " and state.src[begin + 2] not in " \t"
