"""Comments that take findings back."""

import pytest

from assay.checks.base import Finding, LocatedSpan
from assay.checks.suppress import apply_suppressions, find_suppressions, problem_with
from assay.subjects.report import Report


def found(report, words, code="NUM001", name="shares-exceed-whole"):
    start = report.source.index(words)
    line, column = report.lines.place(start)
    return Finding(
        code, name, "error", None, "message", LocatedSpan(start, start + len(words), line, column), (), 0.9
    )


def codes(report, *findings, **rest):
    return [finding.code for finding in apply_suppressions(report, findings, **rest)]


@pytest.mark.parametrize(
    ("source", "hidden"),
    [
        ("<!-- assay: ignore NUM001 -->\nShares are 112%.\n", True),
        ("<!-- assay: ignore NUM001 -->\n\nShares are 112%.\n", True),
        ("Shares are 112%. <!-- assay: ignore NUM001 -->\n", True),
        ("<!-- assay: ignore NUM001 --> Shares are 112%.\n", True),
        ("<!--assay:ignore NUM001-->\nShares are 112%.\n", True),
        ("<!-- Assay: Ignore num001 -->\nShares are 112%.\n", True),
        ("<!-- assay: ignore NUM -->\nShares are 112%.\n", True),
        ("<!-- assay: ignore shares-exceed-whole -->\nShares are 112%.\n", True),
        ("<!-- assay: ignore CIT001, NUM001 -->\nShares are 112%.\n", True),
        ("<!-- assay: ignore CIT001 -->\n<!-- assay: ignore NUM001 -->\nShares are 112%.\n", True),
        ("<!-- assay: ignore NUM001 -->\n\n| a | b |\n|---|---|\n| x | Shares are 112% |\n", True),
        ("- one\n- two <!-- assay: ignore NUM001 --> Shares are 112%\n", True),
        ("<!-- assay: ignore-file NUM001 -->\n\n# T\n\nOther.\n\nShares are 112%.\n", True),
        ("Other.\n\nShares are 112%.\n\n<!-- assay: ignore-file NUM001 -->\n", True),
        ("<!-- assay: ignore NUM001 -->\nOther.\n\nShares are 112%.\n", False),
        ("Shares are 112%.\n\n<!-- assay: ignore NUM001 -->\n", False),
        ("<!-- assay: ignore NUM002 -->\nShares are 112%.\n", False),
        ("<!-- please ignore NUM001 -->\nShares are 112%.\n", False),
        ("<!-- assay: ignore N -->\nShares are 112%.\n", False),
        ("`<!-- assay: ignore NUM001 -->` Shares are 112%.\n", False),
        ("```\n<!-- assay: ignore NUM001 -->\nShares are 112%.\n```\n", False),
    ],
)
def test_what_a_comment_speaks_for(source, hidden):
    report = Report(source)
    assert ("NUM001" not in codes(report, found(report, "Shares are 112%"))) is hidden


def test_a_comment_that_suppresses_nothing_is_told():
    report = Report("Fine.\n\n<!-- assay: ignore NUM001 -->\nShares are 90%.\n")
    (finding,) = apply_suppressions(report, [])
    assert finding.code == "ASY001"
    assert finding.severity == "info"
    assert finding.message == "`ignore NUM001` suppresses nothing here; delete the comment"
    assert (finding.span.line, finding.span.column) == (3, 1)


def test_one_that_suppresses_something_is_not():
    report = Report("<!-- assay: ignore NUM001 -->\nShares are 112%.\n")
    assert codes(report, found(report, "Shares are 112%")) == []


def test_unused_ones_are_left_out_where_the_check_is_not_selected():
    report = Report("<!-- assay: ignore NUM001 -->\nShares are 90%.\n")
    assert codes(report, report_unused=False) == []


def test_one_that_can_never_suppress_is_left_to_the_check():
    report = Report("<!-- assay: ignore NUM9999 -->\nText.\n\n<!-- assay: ignore -->\nText.\n")
    unknown, bare = find_suppressions(report)
    assert "“NUM9999”, which is not a check; similar names: NUM" in problem_with(unknown).text("en")
    assert "names no code" in problem_with(bare).text("en")
    assert codes(report) == []


def test_order_is_kept():
    report = Report("<!-- assay: ignore CIT001 -->\nA 112% b 113%.\n")
    first, second = found(report, "112%"), found(report, "113%", code="NUM002")
    assert codes(report, first, second) == ["ASY001", "NUM001", "NUM002"]


def test_ten_thousand_comments_take_no_longer_than_they_are_long():
    report = Report("<!-- assay: ignore NUM001 -->\n\n" * 10_000 + "Shares are 112%.\n")
    assert len(find_suppressions(report)) == 1000
    assert "NUM001" not in codes(report, found(report, "Shares are 112%"))
