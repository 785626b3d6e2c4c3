"""Headings without their marks, rules that make headings, tables and their captions."""

import pytest

from assay.subjects.report import Report


def tree(text: str, *, markdown: bool = True) -> list[tuple[int, str, int | None]]:
    return [(s.level, s.title, s.parent) for s in Report(text, markdown=markdown).sections[1:]]


def test_bold_lines_are_headings_where_nothing_else_is() -> None:
    text = "**Overview**\nText here.\n\n**1.1 Details**\n\nMore text.\n\n**The end:**\n\n- a\n"
    assert tree(text) == [(2, "Overview", 0), (3, "1.1 Details", 1), (2, "The end:", 0)]
    assert tree("# T\n\n**Overview**\n\nText.\n\n**Details**\n\nText.\n") == [(1, "T", 0)]
    assert tree("One paragraph.\n\n**A single emphasis**\n\nText.\n") == []


def test_prose_over_a_rule_stays_prose() -> None:
    report = Report("# T\n\nThis was all.\n---\nMore.\n")
    assert [(b.kind, report.text(b.span)) for b in report.blocks] == [
        ("heading", "# T"),
        ("paragraph", "This was all."),
        ("paragraph", "More."),
    ]
    assert tree("Title\n=====\n\nSub\n---\n\ntext\n") == [(1, "Title", 0), (2, "Sub", 1)]


def test_missing_space_after_the_marks() -> None:
    assert tree("##背景\n\n正文。\n\n###细节\n正文。\n") == [(2, "背景", 0), (3, "细节", 1)]


def test_plain_text_titles() -> None:
    text = "INTRODUCTION\n\nSome text here.\n\n1. Methods\nWe did it.\n\n2.1 Results of it\n\nFine.\n\n一、背景\n\n正文\n"
    assert [title for _, title, _ in tree(text, markdown=False)] == [
        "INTRODUCTION",
        "1. Methods",
        "2.1 Results of it",
        "一、背景",
    ]


@pytest.mark.parametrize("markdown", [False, True])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("（一）背景", "（二）方法"),
        ("1、背景", "2、方法"),
        ("1．背景", "2．方法"),
        ("1.背景", "2.方法"),
        ("1.1背景", "1.2方法"),
        ("（1）背景", "（2）方法"),
        ("【背景】", "【方法】"),
    ],
)
def test_chinese_titles_without_marks(first: str, second: str, markdown: bool) -> None:
    text = (
        f"{first}\n\n市场在过去几年中发生了很大变化。\n\n{second}\n\n我们访谈了二十位从业者，并查阅了资料。\n"
    )
    assert [title for _, title, _ in tree(text, markdown=markdown)] == [first, second]


@pytest.mark.parametrize("markdown", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "优势如下：\n\n1、成本低\n\n2、速度快\n\n3、质量好\n",
        "优势如下：\n\n（1）成本低\n（2）速度快\n（3）质量好\n\n结束。\n",
        "（一）背景介绍了市场，说明了原因。\n\n正文。\n\n（二）方法包括访谈。\n\n正文。\n",
        "2023年市场\n\n正文在此。\n\n2024年市场\n\n正文在此。\n",
    ],
)
def test_chinese_items_and_sentences_stay(text: str, markdown: bool) -> None:
    assert tree(text, markdown=markdown) == []


def test_a_cited_fence_closes_its_code() -> None:
    report = Report("# T\n\n```\ncode\n``` [21]\n\n## Next\n\nText.\n")
    assert [section.title for section in report.sections] == ["", "T", "Next"]


@pytest.mark.parametrize(
    ("text", "captions"),
    [
        (
            "Table 1: x\n\n|a|b|\n|-|-|\n|1|2|\n\nTable 2: y\n\n|a|b|\n|-|-|\n|1|2|\n",
            ["Table 1: x", "Table 2: y"],
        ),
        ("|a|b|\n|-|-|\n|1|2|\n\n表1：甲\n\n|a|b|\n|-|-|\n|1|2|\n\n表2：乙\n", ["表1：甲", "表2：乙"]),
        ("Text.\n\n|a|b|\n|-|-|\n|1|2|\n", [None]),
    ],
)
def test_captions(text: str, captions: list[str | None]) -> None:
    report = Report(text)
    assert [table.caption and report.text(table.caption) for table in report.tables] == captions
