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
