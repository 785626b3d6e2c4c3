"""markdown-it-py's block parser, with a short cut for the commonest blocks of a report.

Most lines of a report are plain paragraphs, bullets and headings. The stock parser asks up to nine rules about each,
some of which scan ahead, before one of the last takes it. `_shortcut` looks at the first character instead. What it
takes, the stock rules would have taken as the same block; a test compares the two on arbitrary text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.rules_block.list import list_block
from markdown_it.token import Token

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

# Characters with which a fence, quote, rule, list, heading, table, HTML block or setext line may begin.
_MARKS: Final = frozenset("`~>-*+_#<|=:0123456789 \t")
_BULLETS: Final = frozenset("-*+")
# A line that begins otherwise cannot be the rule under a table's head.
_TABLE_RULE: Final = frozenset("|-:")
_ORDERED_MARK: Final = re.compile(r"\d{1,9}[.)](?:[ \t]|$)", re.MULTILINE)
_ORDERED: Final = re.compile(r"\d{1,9}[.)] [^ \t\n]")
_HEADING: Final = re.compile(r"#{1,6}(?:[ \t]|$)")
_ITEM: Final = re.compile(r"(?:[-*+]|(\d{1,9})[.)]) (?=[^ \t])")
# A paragraph in an item stands two levels below the list: list, item.
_ITEM_LEVELS: Final = 2
_CODE_INDENT: Final = 4


@lru_cache(maxsize=1)
def block_parser() -> MarkdownIt:
    """CommonMark and tables, block rules only; link reference definitions stay ordinary lines."""
    parser = stock_parser()
    parser.block.ruler.before("table", "shortcut", _shortcut)
    return parser


def block_tokens(source: str) -> list[Token]:
    """Return the block tokens of a source."""
    parser = block_parser()
    if "\r" in source or "\0" in source:
        return parser.parse(source)
    # What the parser does besides for a source without these is to look for them.
    tokens: list[Token] = []
    parser.block.parse(source, parser, {}, tokens)
    return tokens


def stock_parser() -> MarkdownIt:
    """Return the parser without the short cut."""
    parser = MarkdownIt("commonmark").enable("table").disable("reference")
    parser.core.ruler.disable(["inline", "text_join"], ignoreInvalid=True)
    return parser


def _shortcut(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if silent:
        return False
    indent = state.sCount[start] - state.blkIndent
    if not 0 <= indent < _CODE_INDENT:
        return False
    begin = state.bMarks[start] + state.tShift[start]
    if _is_plain(state, begin):
        return _paragraph(state, start)
    first = state.src[begin]
    if first == "#":
        if _HEADING.match(state.src, begin, state.eMarks[start]) is None or _table_rule(state, start + 1):
            return False
        place = [start, start + 1]
        state.tokens.append(Token("heading_open", "", 1, map=place, level=state.level, block=True))
        state.line = start + 1
        return True
    if _flat_list(state, start):
        return True
    if first in _BULLETS:
        return (
            _bullet(state, start)
            and not _table_rule(state, start + 1)
            and list_block(state, start, end, False)
        )
    if _ORDERED.match(state.src, begin):
        return not _table_rule(state, start + 1) and list_block(state, start, end, False)
    return False


def _flat_list(state: StateBlock, start: int) -> bool:
    """Parse a list whose items are one plain line each; return False for any other list.

    A list that goes on after a blank line is taken as two: callers ask how deep a line stands in lists, not
    where a list begins and ends.
    """
    src, last = state.src, state.lineMax
    column = state.sCount[start]
    if state.level + _ITEM_LEVELS >= state.md.options.maxNesting:
        return False
    ordered = False
    lines: list[int] = []
    line = start
    while line < last and not state.isEmpty(line):
        if state.sCount[line] != column:
            return False
        begin = state.bMarks[line] + state.tShift[line]
        mark = _ITEM.match(src, begin, state.eMarks[line])
        if mark is None or not _is_plain(state, mark.end()):
            return False
        if line == start:
            ordered = mark[1] is not None
        elif ordered != (mark[1] is not None):
            return False
        lines.append(line)
        line += 1
    following = line
    while following < last and state.isEmpty(following):
        following += 1
    if following < last and state.sCount[following] > column:
        # Indented below the list: it may belong to the last item.
        return False
    if following > line and following < last and _table_rule(state, following + 1):
        # An item of the same list, which would look like the head of a table if it stood alone.
        return False
    name = "ordered_list" if ordered else "bullet_list"
    tokens, level = state.tokens, state.level
    tokens.append(Token(f"{name}_open", "", 1, level=level))
    for item in lines:
        place = [item, item + 1]
        tokens.append(Token("paragraph_open", "p", 1, map=place, level=level + _ITEM_LEVELS, block=True))
    tokens.append(Token(f"{name}_close", "", -1, level=level))
    state.line = line
    return True


def _is_plain(state: StateBlock, begin: int) -> bool:
    """Return whether a line can only be a paragraph (or the head of a table)."""
    first = state.src[begin]
    if first not in _MARKS:
        return True
    if first in "*_":
        # "**Bold** text" is neither a bullet nor a "***" rule.
        return state.src[begin + 1 : begin + 2] == first and state.src[begin + 2 : begin + 3] not in "*_ \t\n"
    return first.isdigit() and _ORDERED_MARK.match(state.src, begin) is None


def _paragraph(state: StateBlock, start: int) -> bool:
    """Plain lines up to a blank one, the end, or a bullet; False where anything else might begin in between."""
    last = state.lineMax
    line = start + 1
    while line < last and not state.isEmpty(line):
        if _bullet(state, line):
            # "- x" under a plain line ends it, unless the plain line is a table's head – which "- x" cannot rule.
            break
        indent = state.sCount[line] - state.blkIndent
        if state.sCount[line] < 0 or not 0 <= indent < _CODE_INDENT:
            return False
        if not _is_plain(state, state.bMarks[line] + state.tShift[line]):
            return False
        line += 1
    state.line = line
    # One token instead of three: callers need the place, neither the text nor the end.
    state.tokens.append(Token("paragraph_open", "p", 1, map=[start, line], level=state.level, block=True))
    return True


def _bullet(state: StateBlock, line: int) -> bool:
    """Return whether the line is a bullet with text, which ends any paragraph and is not a rule ("- - -")."""
    column = state.sCount[line]
    if column < 0 or column - state.blkIndent >= _CODE_INDENT:
        return False
    if state.listIndent >= 0 and column - state.listIndent >= _CODE_INDENT and column < state.blkIndent:
        return False
    src = state.src
    begin = state.bMarks[line] + state.tShift[line]
    mark = src[begin]
    if mark not in _BULLETS or begin + 2 >= state.eMarks[line]:
        return False
    after = src[begin + 2]
    return src[begin + 1] == " " and after not in " \t" and after != mark


def _table_rule(state: StateBlock, line: int) -> bool:
    """Return whether the line may be the rule of a table, which makes the line above its head."""
    if line >= state.lineMax or state.isEmpty(line):
        return False
    return state.src[state.bMarks[line] + state.tShift[line]] in _TABLE_RULE and not _bullet(state, line)
