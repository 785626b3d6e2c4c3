"""The tables of grades for a terminal, as Markdown, CSV and a page."""

import csv
import io
import re
from html.parser import HTMLParser

import pytest

from assay.measures.intervals import Estimate
from assay.present.compliance import tables_of
from assay.present.compliance_csv import compliance_csv
from assay.present.display import Painter, width
from assay.present.html.compliance import compliance_page
from assay.present.markup import set_markdown
from assay.present.numbers import of, percent_interval
from assay.present.terminal import set_text
from assay.suites.compliance.build import compliance_tables
from assay.suites.compliance.prompts import GradedTask
from suites.grades import criterion, grade, many, sourced

from .chromium import CHROMIUM, Chromium
from .test_html import ATTACKS

TASKS = {
    f"t{n}": GradedTask(id=f"t{n}", query="Why is it so? " * (n + 1), domain="Health") for n in range(12)
}


@pytest.fixture(scope="module")
def record():
    return compliance_tables(sourced(*many()), tasks=TASKS)


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (Estimate(value=0.755, low=0.737, high=0.773), "75.5 [73.7, 77.3]"),
        (Estimate(value=-0.0001), "0.0"),
        (Estimate(value=-0.12, low=-0.2, high=0.01), "−12.0 [−20.0, 1.0]"),
        (Estimate(), "–"),
        (None, "–"),
    ],
)
def test_cells(found, shown):
    assert percent_interval(found) == shown


def test_coverage_cells():
    assert (of(3, 1000), of(1000, 1000), of(0, 0)) == ("3 of 1,000", "1,000", "0")


def test_every_table_has_as_many_cells_as_heads_and_a_method(record):
    tables = tables_of(record).tables
    assert [table.key for table in tables] == [
        "compliance", "pairs", "failures", "rates", "importance", "strata-domain", "strata-exploration", "heat-ternary",
        "heat-binary", "lengths", "citations", "rubric", "prompts",
    ]  # fmt: skip
    for table in tables:
        assert {len(row) for row in table.rows} == {len(table.heads)}
        assert record.method[table.method]


@pytest.mark.parametrize("columns", [80, 100, 140])
def test_text_fits_the_terminal_and_says_what_it_left_out(record, columns):
    text = set_text(tables_of(record), Painter(), columns)
    assert max(width(line) for line in text.splitlines()) <= columns
    assert "! two is not graded on 1 of 12 tasks: t0" in text
    if columns == 80:
        assert "(no room for" in text
    assert re.search(r"^one +\d+\.\d \[\d+\.\d, \d+\.\d\]", text, re.MULTILINE)


def test_text_of_one_table_explains_only_that(record):
    text = set_text(tables_of(record), Painter(), 100, {"lengths"})
    assert "Pearson" in text
    assert "Σ w·m" not in text
    assert "lengths: Over reports" in text


def test_markdown_tables_have_even_rows_and_no_foreign_markup():
    nasty = "a|b<script>*x*"
    record = compliance_tables(
        sourced(grade(nasty, "1", criterion("x", 5, 1)), grade(nasty, "2", criterion("x", 5, 0)))
    )
    text = set_markdown(tables_of(record))
    assert "| a\\|b\\<script\\>\\*x\\* |" in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_csv_has_every_figure_with_its_coverage(record):
    rows = list(csv.DictReader(io.StringIO(compliance_csv(record))))
    mean = next(
        row
        for row in rows
        if (row["table"], row["system"], row["grading"], row["statistic"])
        == ("compliance", "one", "ternary", "mean")
    )
    one = next(row for row in record.systems if row.system == "one")
    assert float(mean["value"]) == one.compliance["ternary"].value
    assert (int(mean["verdicts"]), int(mean["criteria"])) == (one.coverage.verdicts, one.coverage.criteria)
    assert {row["table"] for row in rows} == {
        "compliance",
        "citations",
        "pairs",
        "failures",
        "importance",
        "strata",
        "heat",
        "lengths",
    }
    assert all(
        row["low"] <= row["high"] or float(row["low"]) <= float(row["high"]) for row in rows if row["low"]
    )


def test_csv_holds_no_formula():
    record = compliance_tables(sourced(grade("=1+1", "1", criterion("x", 5, 1))))
    assert "\ncompliance,'=1+1," in compliance_csv(record)


def test_the_page_has_every_table_and_its_figures(record):
    page = compliance_page(record)
    assert page.count('<details class="numbers"') == 13
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert len(
        re.findall(r'<svg class="chart"[^>]*role="img" aria-labelledby="\S+ \S+"><title id', page)
    ) == page.count('<svg class="chart"')
    assert "two is not graded on 1 of 12 tasks: t0" in page
    assert " style=" not in page


def test_the_page_of_one_system_with_one_report_stands():
    record = compliance_tables(sourced(grade("only", "1", criterion("x", 5, 1), words=0)))
    page = compliance_page(record)
    assert "Differences" not in page
    assert "only" in page


def test_foreign_names_do_nothing_on_the_page():
    grades = [
        grade(
            attack,
            str(n),
            criterion("x", 5, 0, axis=attack),
            domain=attack,
            judge=attack,
            rubric=attack,
            complexity={attack: attack},
        )
        for n, attack in enumerate(ATTACKS)
    ]
    seen = []

    class Seen(HTMLParser):
        def handle_starttag(self, tag, attrs):
            seen.append((tag, {name for name, _ in attrs}))

    page = compliance_page(compliance_tables(sourced(*grades)))
    Seen().feed(page[page.index("<body>") : page.rindex("<script>")])
    assert not {tag for tag, _ in seen} & {
        "script",
        "img",
        "iframe",
        "object",
        "embed",
        "link",
        "base",
        "form",
    }
    assert not {
        name for _, names in seen for name in names if name.startswith("on") or name in ("style", "srcdoc")
    }


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize("how", [{}, {"dark": True}, {"width": 390, "height": 844, "mobile": True}])
def test_the_page_in_a_browser(record, tmp_path, how):
    path = tmp_path / "page.html"
    path.write_text(compliance_page(record), "utf-8")
    with Chromium(**how) as browser:
        browser.open(path.as_uri())
        assert browser.complaints() == []
        assert browser.js("document.documentElement.scrollWidth") <= how.get("width", 1400)
        # No label leaves its chart by more than a character, and no value stands on a bar.
        assert browser.js(
            "[...document.querySelectorAll('.chart')].filter(c => c.getBoundingClientRect().width).every(c => { const box = c.getBoundingClientRect();"
            " return [...c.querySelectorAll('text')].every(t => { const b = t.getBoundingClientRect();"
            " return b.left > box.left - 12 && b.right < box.right + 12; }); })"
        )
        assert browser.js(
            "[...document.querySelectorAll('.chart')].filter(c => c.getBoundingClientRect().width).every(c => [...c.querySelectorAll('g')].every(g => {"
            " const value = g.querySelector('.val'); if (!value) return true; const left = value.getBoundingClientRect().left;"
            " return [...g.querySelectorAll('rect')].every(r => r.getBoundingClientRect().right < left); }))"
        )
