"""Inline constructs and the plain view."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.markup import blank, plain_view, scan_inline
from assay.text.sentences import split_sentences

MARKUP = st.text(alphabet="[]()<>`*_~|-#!^【】［］† ,;.:ab1\n\r\t\\\"'/=-%中", max_size=120)
PIECES = st.lists(
    st.sampled_from(
        [
            "[1]", "[^1]", "[1, 2-3]", "【1†a】", "[a](http://b.c)", "![i](x)", '<cite id="a">b\nc</cite>', "<b>", "<!-- x\n -->",
            "`c`", "``c ` d``", "```\nx\n```", "https://a.b/c_(d)", "www.x.y", "**", "__", "~~", "| a | b |", "\n|---|:-:|\n", "\n> > q",
            "\n- i", "\n1. j", "\n## h\n", "\r\n", " ", "word", "中文。", "(", ")", "[", "]", "<", ">", "`", "\\", "_x_", "a_b",
        ]
    ),
    max_size=14,
).map("".join)  # fmt: skip


def inlines(source):
    return [
        (i.kind, source[i.start : i.end], source[i.inner_start : i.inner_end], i.target)
        for i in scan_inline(source)
    ]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("plain", []),
        ("a [1] b", [("marker", "[1]", "1", None)]),
        ("[1][2]", [("marker", "[1]", "1", None), ("marker", "[2]", "2", None)]),
        ("[1, 3-5]", [("marker", "[1, 3-5]", "1, 3-5", None)]),
        ("[1，2、3]", [("marker", "[1，2、3]", "1，2、3", None)]),
        ("［12］", [("marker", "［12］", "12", None)]),
        ("[2020]", []),
        ("[1](https://x.y)", [("marker", "[1](https://x.y)", "1", "https://x.y")]),
        ("[[1]](https://x.y)", [("marker", "[[1]](https://x.y)", "[1]", "https://x.y")]),
        ("[^note]", [("footnote", "[^note]", "note", None)]),
        ("【3】", [("cjk_marker", "【3】", "3", None)]),
        ("【3†source】", [("cjk_marker", "【3†source】", "3", None)]),
        ("【重点】", []),
        ("[words](http://a.b/c)", [("link", "[words](http://a.b/c)", "words", "http://a.b/c")]),
        ('[w](http://a.b "t")', [("link", '[w](http://a.b "t")', "w", "http://a.b")]),
        ("[w](http://a.b/c_(d))", [("link", "[w](http://a.b/c_(d))", "w", "http://a.b/c_(d)")]),
        ("[a [b] c](u)", [("link", "[a [b] c](u)", "a [b] c", "u")]),
        (r"\[a](u)", []),
        ("[a] (u)", []),
        ("![alt](i.png)", [("image", "![alt](i.png)", "alt", "i.png")]),
        ("see https://a.b/c.", [("url", "https://a.b/c", "https://a.b/c", "https://a.b/c")]),
        ("(https://a.b/c_(d))", [("url", "https://a.b/c_(d)", "https://a.b/c_(d)", "https://a.b/c_(d)")]),
        ("见https://a.b/c，然后", [("url", "https://a.b/c", "https://a.b/c", "https://a.b/c")]),
        ("<https://a.b>", [("url", "https://a.b", "https://a.b", "https://a.b")]),
        ("http status", []),
        ("`a*b`", [("code", "`a*b`", "a*b", None)]),
        ("``a`b``", [("code", "``a`b``", "a`b", None)]),
        ("a ` b", []),
        ("`a\nb`", []),
        ("`[1]`", [("code", "`[1]`", "[1]", None)]),
        ("<br/>", [("tag", "<br/>", "br/", None)]),
        ("a < b and c > d", []),
        ("<!-- [1]\n -->", [("comment", "<!-- [1]\n -->", " [1]\n ", None)]),
        ("<!-- open [1]", [("marker", "[1]", "1", None)]),
        ('<cite id="S1">it grew</cite>', [("cite", '<cite id="S1">it grew</cite>', "it grew", "S1")]),
        ("<cite id=S1,S2>it</cite>", [("cite", "<cite id=S1,S2>it</cite>", "it", "S1,S2")]),
    ],
)
def test_scan_inline(source, wanted):
    assert inlines(source) == wanted


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("It **grew** [1].", "It   grew      ."),
        ("# Title", "  Title"),
        ("- item", "  item"),
        ("12. item", "    item"),
        ("12.5 is no item", "12.5 is no item"),
        ("1、市场", "1、市场"),
        ("> > quote", "    quote"),
        ("> - item", "    item"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "  a   b  \n         \n  1   2  "),
        ("snake_case and _emph_ __x__", "snake_case and  emph    x  "),
        ("~~gone~~", "  gone  "),
        ("[words](http://a.b) on", " words              on"),
        ("a <cite\nid=x>b</cite>", "a      \n     b       "),
        ("", ""),
    ],
)
def test_plain_view(source, wanted):
    assert plain_view(source) == wanted


@given(st.one_of(st.text(max_size=150), MARKUP, PIECES))
def test_plain_view_keeps_length_and_line_breaks(source):
    plain = plain_view(source)
    assert len(plain) == len(source)
    for before, after in zip(source, plain, strict=True):
        assert after in (before, " ")
        if before in "\r\n":
            assert after == before


@given(st.one_of(MARKUP, PIECES))
def test_inlines_are_ordered_apart_and_hold_their_inner_text(source):
    at = 0
    for inline in scan_inline(source):
        assert at <= inline.start <= inline.inner_start <= inline.inner_end <= inline.end <= len(source)
        assert inline.start < inline.end
        at = inline.end


@given(st.text(alphabet="ab\n\r 中", max_size=40))
def test_blank(text):
    assert blank(text) == "".join(char if char in "\r\n" else " " for char in text)


NASTY = [
    "[", "`", "<", "(", "*", "_", "[[[[", "![](", "[](", "<!--", "<a", "<cite id=", "http://", "http://a)", "www.", "> ", "【1", "[1 ", "[1,",
    "[a", "\\[", "[\\", "``x`", "```", "`` ` ", ". ", ".", "!?", "… ", "。", "\"'", "“", "A. ", "U.S. ", "1. ", "|-", "--", " ", "\t", "\n", "\n> ",
    "\n- ", "! (1", "；", "； ", "a_", "![x](y", "[x](", "[[x]", "《？", '."', "~~",
]  # fmt: skip


@pytest.mark.parametrize("unit", NASTY)
def test_linear_on_nasty_input(unit):
    def cost(size):
        text = unit * (size // len(unit))
        begin = time.process_time()
        plain = plain_view(text)
        assert len(plain) == len(text)
        split_sentences(plain, 0, len(plain))
        return time.process_time() - begin

    # A quadratic step on 200 kB takes minutes; the bound leaves room for a slow machine.
    assert cost(200_000) < 3
