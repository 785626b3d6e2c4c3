"""Marks must land on the right words, keep the HTML whole, and leave no sign behind."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.present.html.marks import Mark
from assay.present.html.prose import markdown_html, text_html
from assay.subjects.report import Report

SIGNS = re.compile("[\U000f0000-\U000fffff]")
VOID = {"br", "hr"}


def render(source, marks):
    return markdown_html(source, 0, len(source), marks, report=Report(source))


def marked_words(html, key):
    """The text inside the elements of one finding."""
    pieces = re.findall(rf'<mark[^>]*data-f="(?:[^"]* )?{key}(?: [^"]*)?"[^>]*>([^<]*)</mark>', html)
    return unescape("".join(pieces))


def mark(source, words, key="0", role="finding"):
    start = source.index(words)
    return Mark(start, start + len(words), role, key, "error" if role == "finding" else None)


class Balance(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


def assert_balanced(html):
    parser = Balance()
    parser.feed(html)
    parser.close()
    assert parser.open == []


@pytest.mark.parametrize(
    ("source", "words", "shown"),
    [
        ("Sales grew by 63% in a year.", "63%", "63%"),
        ("Sales grew by **63%** in a year.", "by **63%** in", "by 63% in"),
        ("## A heading here\n\nText.", "## A heading here", "A heading here"),
        ("- one\n- two\n- three\n", "- two", "two"),
        ("| a | b |\n|---|---|\n| 10 | 20 |\n", "20", "20"),
        ("| a | b |\n|---|---|\n| 10 | 20 |\n", "| 10 | 20 |", "1020"),
        ("See [the survey](https://x.example/a_b) for it.", "the survey", "the survey"),
        ("See [the survey](https://x.example/a_b) for it.", "x.example", "the survey"),
        ("It is `code` here.", "code", "code"),
        ("One\ntwo\nthree.", "One\ntwo", "One\ntwo"),
        ("> quoted words\n> go on\n", "words\n> go", "words\ngo"),
        ("R&D < costs > 5 & more", "R&D < costs", "R&D < costs"),
        ("热泵市场增长了63%【1】。", "63%【1】", "63%【1】"),
        ("A claim [1][2].", "[1][2]", "[1][2]"),
        ("**Note:** text", "**Note:**", "Note:"),
        ("_em_ words", "_em_", "em"),
        ("Text\r\nwith returns\r\n", "with returns", "with returns"),
    ],
)
def test_the_words_of_a_span_are_marked(source, words, shown):
    html = render(source, [mark(source, words)])
    assert marked_words(html, "0") == shown
    assert html.count('id="f0"') == 1
    assert_balanced(html)


def test_where_no_place_fits_the_whole_block_is_marked():
    source = "Before.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nAfter."
    html = render(source, [mark(source, "--|--")])
    assert '<div class="hit error" data-f="0"><table>' in html
    assert html.count('id="f0"') == 1


def test_overlapping_spans_share_their_words():
    source = "one two three four"
    html = render(source, [mark(source, "one two three", "0"), mark(source, "three four", "1")])
    assert marked_words(html, "0") == "one two three"
    assert marked_words(html, "1") == "three four"
    assert 'data-f="0 1"' in html


def test_a_point_between_words_is_drawn():
    html = render("one two", [Mark(3, 3, "finding", "0", "info")])
    assert '<mark class="info point" data-f="0"></mark>' in html


def test_a_span_over_blocks_is_marked_in_each_and_anchored_once():
    source = "First para.\n\nSecond para.\n\n- item\n"
    html = render(source, [mark(source, "para.\n\nSecond")])
    assert marked_words(html, "0") == "para.Second"
    assert html.count('id="f0"') == 1


def test_characters_that_hide_are_shown():
    assert 'title="U+200B"' in render("zero\u200bwidth", [])
    assert 'title="U+202E"' in render("turned \u202e round", [])


def test_private_characters_of_the_source_are_not_taken_for_signs():
    html = render("a \U000f0000 b \U000f0001 c", [mark("a \U000f0000 b \U000f0001 c", "b")])
    assert marked_words(html, "0") == "b"
    assert not SIGNS.search(html)


def test_plain_text_is_escaped_and_marked():
    source = "a <b> & c"
    html = text_html(source, 0, len(source), [mark(source, "<b> &")])
    assert marked_words(html, "0") == "<b> &"
    assert "<b>" not in html


MARKDOWN = st.lists(
    st.sampled_from(
        [
            *list("ab1 \n\n*_#>-|[]()`!<&:~\\. 热。"),
            "](http://x.example)",
            "| a | b |\n|--|--|\n| c | d |\n",
            "\n\n- ",
            "[1]",
            "<!-- x -->",
        ]
    ),
    max_size=80,
).map("".join)


@settings(max_examples=200, deadline=None)
@given(MARKDOWN, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 60)), max_size=6))
def test_marks_never_change_the_text_never_break_the_html_never_leave_a_sign(source, spans):
    marks = []
    for number, (start, size) in enumerate(spans):
        left = min(start, len(source))
        marks.append(Mark(left, min(left + size, len(source)), "finding", str(number), "warning"))
    html = render(source, marks)
    assert not SIGNS.search(html)
    assert_balanced(html)
    bare = re.sub(r"<[^>]*>", "", html)
    assert bare == re.sub(r"<[^>]*>", "", render(source, []))
    if html:
        for number in range(len(spans)):
            assert html.count(f'id="f{number}"') == 1


@pytest.mark.parametrize(
    ("text", "strong"),
    [
        ("包括**安盛（AXA）**和**忠利（Generali）**等", ["安盛（AXA）", "忠利（Generali）"]),
        ("参见**《书》**一文", ["《书》"]),
        ("**重点：**内容", ["重点："]),
        ("a **b** c", ["b"]),
        ("2 ** 3 and **(x)**y", []),
    ],
)
def test_bold_type_beside_chinese_characters(text, strong):
    from assay.present.html.prose import _render

    assert re.findall("<strong>(.*?)</strong>", _render(text)) == strong
