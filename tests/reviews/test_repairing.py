"""Repairs: made where the words stand, never with a figure, address or citation that the report does not have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.checks.base import Finding, LocatedSpan, ReadingNote, Repair
from assay.reviews.repairing import edit_of, repaired
from assay.subjects.report import Report

TEXT = """# Ferries

The night ferry carried 41,300 passengers in 2019 [1]. Two of nine harbours were counted [2].

## Conclusion

All harbours will lose half of their passengers [1]. The bridge caused it.

## References

[1] Harbour office: https://harbour.example/a
[2] Count of the coast: https://coast.example/b
"""
REPORT = Report(TEXT)


def finding(quote: str, kind: str, text: str = "", severity: str = "warning", source: str = TEXT) -> Finding:
    start = source.index(quote)
    return Finding(
        code="RDR103", name="overreach", severity=severity, dimension=None, message="m",
        span=LocatedSpan(start, start + len(quote), 1, 1), related=(), confidence=0.9,
        reading=ReadingNote("", Repair(kind, text), "", "a/b"),
    )  # fmt: skip


def test_words_are_replaced_and_keep_the_citation_they_had() -> None:
    done = repaired(
        REPORT,
        [finding("All harbours will lose half of their passengers [1]", "replace", "The two may lose some.")],
    )
    assert "\nThe two may lose some [1]. The bridge" in done.text
    assert done.made == (1,)


def test_a_sentence_is_inserted_after_the_one_that_was_quoted() -> None:
    done = repaired(REPORT, [finding("Two of nine harbours", "insert", "The other seven were not.")])
    assert "were counted [2]. The other seven were not.\n" in done.text


def test_what_is_missing_below_a_heading_becomes_a_paragraph() -> None:
    done = repaired(REPORT, [finding("Conclusion", "insert", "This holds for two harbours.")])
    assert "## Conclusion\n\nThis holds for two harbours.\n\nAll harbours" in done.text


def test_words_are_deleted() -> None:
    done = repaired(REPORT, [finding(" The bridge caused it.", "delete")])
    assert "The bridge" not in done.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("About 37 % of passengers were lost", "figure"),
        ("Passengers were lost, says https://new.example/c", "source"),
        ("Passengers were lost [7]", "cite"),
        ("Passengers were lost (Smith et al., 2019)", "source"),
        ("Passengers were lost, as Lee and Park (2019) show", "source"),
        ("See https://harbour.example/a and https://new.example/c", "source"),
        ("See isa.example.org/fake-report", "source"),
        ("According to a survey, passengers were lost", "source"),
        ("A study of the coast found that the bridge caused it", "source"),
        ("As the Harvard team says, the bridge caused it", "name"),
        ("The bridge cost three billion dollars and caused it", "figure"),
    ],
)
def test_nothing_is_brought_in_that_the_report_does_not_have(text: str, why: str) -> None:
    done = repaired(REPORT, [finding("The bridge caused it", "replace", text)])
    assert done.text == TEXT
    assert why in done.left[0][1]


def test_what_takes_a_source_is_left() -> None:
    assert (
        edit_of(REPORT, finding("The bridge caused it", "source", "A comparison"))
        == "it takes a source: A comparison"
    )


def test_of_two_repairs_of_the_same_words_the_graver_is_made() -> None:
    done = repaired(
        REPORT,
        [
            finding("The bridge caused it", "replace", "The bridge may have caused it"),
            finding("bridge caused", "replace", "bridge perhaps caused", severity="error"),
        ],
    )
    assert done.made == (2,)
    assert "The bridge perhaps caused it." in done.text


def test_only_what_is_accepted_is_made() -> None:
    both = [
        finding("The bridge caused it", "delete"),
        finding("Two of nine harbours", "insert", "The other seven were not."),
    ]
    done = repaired(REPORT, both, {2})
    assert done.made == (2,)
    assert done.left == ((1, "not accepted"),)


def test_a_chinese_sentence_is_inserted_without_a_space() -> None:
    text = "# 渡轮\n\n九个港口中只统计了两个。结论适用于全部港口。\n"
    done = repaired(Report(text), [finding("只统计了两个", "insert", "其余七个没有统计。", source=text)])
    assert "只统计了两个。其余七个没有统计。结论" in done.text


@given(st.data())
def test_everything_outside_the_repairs_stays(data) -> None:
    start = data.draw(st.integers(0, len(TEXT) - 2))
    end = data.draw(st.integers(start + 1, len(TEXT)))
    kind = data.draw(st.sampled_from(["replace", "insert", "delete"]))
    new = data.draw(st.sampled_from(["The harbour may lose some.", "Some were not counted"]))
    item = Finding(
        code="RDR103", name="n", severity="error", dimension=None, message="m",
        span=LocatedSpan(start, end, 1, 1), related=(), confidence=0.9,
        reading=ReadingNote("", Repair(kind, new), "", "a/b"),
    )  # fmt: skip
    edit = edit_of(REPORT, item)
    assert not isinstance(edit, str)
    done = repaired(REPORT, [item])
    assert done.text == TEXT[: edit.start] + edit.text + TEXT[edit.end :]
    assert done.text.startswith(TEXT[:start])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("大桥耗资三十亿美元", "figure"),
        ("研究表明是大桥造成的", "source"),
        ("据海事局2019年报告，是大桥造成的", "source"),
    ],
)
def test_nothing_is_brought_in_in_chinese(text: str, why: str) -> None:
    source = "# 渡轮\n\n2019年夜间渡轮载客下降。是大桥造成的。九个港口中只统计了两个。\n"
    done = repaired(Report(source), [finding("是大桥造成的", "replace", text, source=source)])
    assert done.text == source
    assert why in done.left[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "The bridge may have caused it, though only two of nine harbours were counted",
        "In 2019 the bridge opened, and this may have caused it",
        "The harbour office counted two harbours; e.g. the others may differ",
    ],
)
def test_what_the_report_has_may_be_said_again(text: str) -> None:
    done = repaired(REPORT, [finding("The bridge caused it", "replace", text)])
    assert done.left == ()
