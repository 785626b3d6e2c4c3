"""What a person at a terminal sees."""

import re

import msgspec

from assay.audits.result import Nothing, Unchecked
from assay.present.display import Painter, bar, fit, pad, visible, width
from assay.present.ranking import ranking_text, row_of
from assay.present.text import findings_text, headline, overview_text
from assay.subjects.report import Report

from .conftest import SOURCE, finding, made

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


def test_the_overview_groups_findings_and_says_what_was_not_checked(audited):
    unchecked = (Unchecked("query", "whether it answers: no query"),)
    text = overview_text(msgspec.structs.replace(audited, unchecked=unchecked), painter=PLAIN)
    assert "Internal consistency  2 errors, 1 warning" in text
    assert "Task alignment" not in text
    assert "not its quality (of 100): width 50, depth 60, density 70, richness 80" in text
    assert text.endswith("Not checked\n    whether it answers: no query\n")


def test_the_headline_counts_by_severity_and_per_thousand_words(audited):
    assert headline(audited, painter=PLAIN).startswith("reports/heat.md: 2 errors, 1 warning · ")
    long = Report("More words of text. " * 245 + SOURCE, path="long.md")
    found = [finding(long, "63%"), finding(long, "63%"), finding(long, "90", severity="warning")]
    assert "2 errors (2.0 per 1,000 words), 1 warning (1.0) · 1,0" in headline(
        made(long, found), painter=PLAIN
    )


def test_nothing_to_judge_is_the_headline():
    audit = made(Report("x", path="x.md"), nothing=Nothing("few_words", "the text is a few words long"))
    assert headline(audit, painter=PLAIN).startswith(
        "x.md: nothing to judge: the text is a few words long · "
    )
    rows = [row_of(audit), row_of(made(Report("Text.\n", path="y.md")))]
    lines = ranking_text(rows, painter=PLAIN).splitlines()
    assert lines[1].startswith("y.md")
    assert lines[2] == "x.md: nothing to judge: the text is a few words long"


def test_a_row_is_named_by_id_and_system_with_its_place_beside_it():
    report = Report("Sales grew by 63%.\n", path="runs.jsonl:17", id="msd-017", system="grok3")
    audit = made(report, [finding(report, "63%")])
    text = findings_text(audit, painter=PLAIN)
    assert text.startswith("msd-017 · grok3 (runs.jsonl:17)\nruns.jsonl:17:1:15 NUM004 error")
    assert headline(audit, painter=PLAIN).startswith("msd-017 · grok3 (runs.jsonl:17): 1 error")
    assert re.search(r"msd-017 · grok3 +runs.jsonl:17 ", ranking_text([row_of(audit)] * 2, painter=PLAIN))


def test_colour_is_only_added_when_asked_for(audited):
    assert "\x1b[" not in findings_text(audited, painter=PLAIN)
    assert "\x1b[1;31m" in findings_text(audited, painter=Painter(True))


def test_the_table_is_in_order_and_drops_the_folders_all_share():
    rows = [row_of(made(Report("Text.\n", path=f"runs/deep/{name}.md"))) for name in ("b", "a")]
    text = ranking_text(rows, painter=PLAIN)
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["a.md", "b.md"]
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
