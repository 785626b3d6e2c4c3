"""What a person at a terminal sees."""

from assay.present.display import Painter, bar, fit, pad, visible, width
from assay.present.ranking import ranking_text, row_of
from assay.present.text import findings_text, scores_text, totals_line
from assay.subjects.report import Report

from .conftest import finding, made

PLAIN = Painter(False)


def test_a_finding_is_shown_with_its_place_its_line_and_carets_under_the_words(audited):
    lines = findings_text(audited, painter=PLAIN).splitlines()
    assert lines[0] == "reports/heat.md:3:58 NUM004 error That is 45%, not 63% (growth-mismatch)"
    assert lines[1].startswith("    3 │ Sales grew from 40,000")
    assert lines[1][lines[2].index("^") :].startswith("63%")
    assert lines[2].strip(" │") == "^^^"
    assert lines[3] == "      = note: compare 3:17, 3:27"
    assert lines[4][lines[5].index("^") :].startswith("40,000")


def test_carets_stand_under_wide_characters(audited):
    lines = findings_text(audited, painter=PLAIN).splitlines()
    at = next(i for i, line in enumerate(lines) if "QUA001" in line)
    shown, under = lines[at + 1], lines[at + 2]
    before = shown[: shown.index("热")]
    assert width(before) == under.index("^")
    assert under.count("^") == 10
    assert "50% sure" in lines[at]


def test_a_long_line_is_cut_around_the_span():
    report = Report("word " * 400 + "here it is " + "word " * 400, path="x.md")
    shown, under = findings_text(
        made(report, [finding(report, "here it is")]), painter=PLAIN, columns=80
    ).splitlines()[1:3]
    assert width(shown) <= 80
    assert shown.count("…") == 2
    assert shown[under.index("^") :].startswith("here it is")


def test_a_span_over_several_lines_is_shown_by_its_first():
    report = Report("first line\nsecond line\n", path="x.md")
    _, shown, under = findings_text(
        made(report, [finding(report, "line\nsecond")]), painter=PLAIN
    ).splitlines()[:3]
    assert shown.endswith("first line")
    assert under.endswith(" ^^^^")


def test_foreign_text_cannot_steer_the_terminal():
    report = Report("evil \x1b[2J\x07 and \u202e reversed \u200b text\n", path="x\x1b[31m.md")
    text = findings_text(
        made(report, [finding(report, "evil", message="quotes \x1b]0;title\x07 it")]), painter=PLAIN
    )
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "␛[2J" in text


def test_scores_and_totals(audited):
    text = scores_text(audited, painter=PLAIN)
    assert "Task alignment & claim clarity" in text
    assert "0.20" in text
    assert "width 50   depth 60   density 70   richness 80" in text
    assert totals_line(audited, painter=PLAIN).startswith("reports/heat.md: 2 errors, 1 warning · ")


def test_colour_is_only_added_when_asked_for(audited):
    assert "\x1b[" not in findings_text(audited, painter=PLAIN)
    assert "\x1b[1;31m" in findings_text(audited, painter=Painter(True))


def test_ranking_is_best_first_and_drops_the_folders_all_share():
    rows = [row_of(made(Report("Text.\n", path=f"runs/deep/{name}.md"))) for name in ("b", "a")]
    text = ranking_text(rows, painter=PLAIN)
    assert [line.split()[1] for line in text.splitlines()[1:3]] == ["a.md", "b.md"]
    assert "2 reports: no findings" in text


def test_ranking_of_nothing_but_one_kind_has_one_table():
    assert "Trajectory" not in ranking_text([row_of(made(Report("Text.\n")))], painter=PLAIN)


def test_width_pad_fit_and_bar():
    assert width("热e\u0301泵") == 5
    assert pad("热", 4) == "热  "
    assert pad("7", 3, right=True) == "  7"
    assert fit("热泵市场", 5) == "热泵…"
    assert bar(0.5, 4) == "██░░"
    assert bar(7.0, 2) == "██"
    assert visible("a\tb\x00") == "a b␀"
