"""The short cut of the block parser takes nothing the stock rules would read otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.subjects.block_rules import block_parser, stock_parser

LINES = st.lists(
    st.sampled_from(
        [
            "", "text", "Text, more.", "中文。", "- item", "- ", "-", "* a", "1. one", "2) two", "  text", "    text", "      deep",
            "  - nested", "    - deeper", "> quote", "> - q", "# Head", "# a | b", "**Bold** x", "**", "** x", "__u__ v", "***", "*em* x", "2024 was", "12", "3.", "3)x", "7. seven | x", "1.  two", "**a** | b", "- a | b", "| a | b |", "[1] x", "text | bar", ":--|--:", "- -x", "-- x", "  ---", "1. 1", "10) ten", "   # Sub", "#", "#x", "---", "===", "a | b", "--|--", "|--|--|", "```", "<div>", "+ plus",
            "\ttab", "- - -", "[1]: https://x.example", "…", "(a)", "- x\n  y", "* * *",
        ]
    ),
    max_size=14,
).map("\n".join)  # fmt: skip


LEAVES = {"paragraph_open", "heading_open", "fence", "code_block", "html_block", "hr", "table_open"}


def blocks(parser, text: str) -> list:
    """Leaf blocks with their lines, and the lists and quotes each stands in; where a list ends is no matter."""
    out, around = [], []
    for token in parser.parse(text):
        name = token.type
        if name in LEAVES:
            out.append((name, token.map, tuple(around)))
        elif name in ("bullet_list_open", "ordered_list_open", "blockquote_open"):
            around.append(name)
        elif name in ("bullet_list_close", "ordered_list_close", "blockquote_close"):
            around.pop()
    return out


@given(LINES)
@settings(max_examples=3000, deadline=None)
def test_same_blocks_as_the_stock_parser(text: str) -> None:
    assert blocks(block_parser(), text) == blocks(stock_parser(), text)


def test_same_blocks_on_real_reports(real_reports: list[dict]) -> None:
    for row in real_reports:
        assert blocks(block_parser(), row["report"]) == blocks(stock_parser(), row["report"])


@pytest.mark.parametrize("text", ["", "\n", "a", "\0", "a\r\nb\r\n\r\n- c", "- a | b\n\n- a | b\n--|--"])
def test_small_texts(text: str) -> None:
    assert blocks(block_parser(), text) == blocks(stock_parser(), text)
