"""Leaderboards for a terminal, as Markdown, CSV, and a page."""

import csv
import io
import re

import numpy as np
import pytest

from assay.meta.leaderboard.build import build_leaderboard
from assay.meta.leaderboard.comparisons import LOSS, NO_VERDICT, TIE, WIN, ComparisonsBuilder, TextStyle
from assay.present.display import Painter, width
from assay.present.html.leaderboard import leaderboard_page
from assay.present.leaderboard import chance, grouped, leaderboard_csv, tables_of
from assay.present.markup import set_markdown
from assay.present.terminal import set_text
from assay.rubrics.dimensions import DIMENSION_KEYS

from .chromium import CHROMIUM, Chromium

ATTACK = '<script>alert(1)</script>\x1b[31m"|`=cmd'


def board(*, systems=("alpha", "beta", ATTACK), tasks=24, domains=("Law & Order", "Health")):
    random = np.random.default_rng(3)
    builder = ComparisonsBuilder()
    for task in range(tasks):
        styles = {name: TextStyle(*map(int, random.integers(3, 900, 5))) for name in systems}
        for i, a in enumerate(systems):
            for b in systems[i + 1 :]:
                said = {
                    key: int(random.choice([WIN, WIN, LOSS, TIE])) for key in (*DIMENSION_KEYS, "overall")
                }
                if task == 0:
                    said["overall"] = NO_VERDICT
                builder.add(
                    (a, b),
                    said,
                    task=f"{task}",
                    domain=domains[task % len(domains)],
                    judge="direct@m",
                    rubric="reportlogic",
                    styles=(styles[a], styles[b]),
                )
    return build_leaderboard(builder.build(), draws=200)


@pytest.fixture(scope="module")
def made():
    return board()


def test_every_table_has_as_many_cells_as_heads_and_a_method(made):
    found = tables_of(made).tables
    assert [table.key for table in found] == [
        "standings", "dimensions", "domains", "pairs", "ranks", "style", "effects",
    ]  # fmt: skip
    for table in found:
        assert {len(row) for row in table.rows} == {len(table.heads)}
        assert table.method in made.methods


def test_dimensions_are_grouped_as_in_the_paper(made):
    assert [(name, len(keys)) for name, keys in grouped(made.dimensions)] == [
        ("Macro", 3),
        ("Expositional", 2),
        ("Structural", 3),
        ("Overall", 1),
    ]
    assert grouped(["depth", "overall"]) == [("Dimensions", ["depth"]), ("Overall", ["overall"])]


def test_shares_of_draws_never_look_certain_when_they_are_not():
    assert [chance(value) for value in (0, 0.004, 0.5, 0.996, 1)] == ["0", "<1", "50", ">99", "100"]


@pytest.mark.parametrize("columns", [80, 100, 140])
def test_text_fits_and_obeys_nobody(made, columns):
    text = set_text(tables_of(made), Painter(), columns)
    assert "\x1b" not in text
    assert max(map(width, text.splitlines())) <= columns
    assert "3 without a verdict" in text
    assert "no verdict" in text


def test_many_systems_stay_readable():
    names = [f"system-{at:02d}-of-some-length" for at in range(16)]
    text = set_text(tables_of(board(systems=names, tasks=6, domains=("A", "B", "C"))), Painter(), 100)
    assert max(map(width, text.splitlines())) <= 100
    assert "Each system and the next" in text
    assert len(text.splitlines()) < 170


def test_text_of_one_table(made):
    text = set_text(tables_of(made), Painter(), 120, {"domains"})
    assert "Law & Order" in text
    assert "Each two systems" not in text


def test_markdown_is_safe(made):
    text = set_markdown(tables_of(made))
    assert "<script>" not in text.replace("\\<script\\>", "")
    rows = [line for line in text.splitlines() if line.startswith("| alpha")]
    heads = text.splitlines()[text.splitlines().index(rows[0]) - 2]
    assert len(re.split(r"(?<!\\)\|", rows[0])) == len(re.split(r"(?<!\\)\|", heads))


def test_csv_has_every_share_with_what_it_rests_on(made):
    rows = list(csv.DictReader(io.StringIO(leaderboard_csv(made))))
    shares = [row for row in rows if row["table"] == "win_rates"]
    assert len(shares) == 3 * 9 * 3
    whole = next(
        row for row in shares if (row["domain"], row["dimension"], row["system"]) == ("", "overall", "alpha")
    )
    share = made.cells()[None, "overall", "alpha"]
    assert float(whole["value"]) == pytest.approx(share.rate.value)
    assert (int(whole["ties"]), int(whole["no_verdict"])) == (share.counts.ties, 2)
    assert not any(value.startswith(("=", "@")) for row in rows for value in row.values() if value)


def test_page_escapes_and_says_everything_in_words(made):
    page = leaderboard_page(made)
    assert "<script>alert" not in page
    # Each chart is there for a phone and for a page.
    assert page.count('<svg class="chart slim"') == page.count('<svg class="chart broad"') == 6
    for chart in re.findall(r'<svg class="chart .*?</svg>', page, re.DOTALL):
        label = re.search(r'aria-labelledby="(\S+) (\S+)"', chart)
        assert all(f'id="{name}"' in chart for name in label.groups())
        assert re.search(r"<desc [^>]*>[^<]+</desc>", chart)
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert "Task alignment &amp; claim clarity: " in page


def test_a_board_of_two_systems_and_one_task_is_drawn():
    builder = ComparisonsBuilder()
    builder.add(("a", "b"), {"overall": WIN})
    made = build_leaderboard(builder.build())
    assert "one task" in leaderboard_page(made)
    assert "a *" in set_text(tables_of(made), Painter(), 80)
    assert leaderboard_csv(made).startswith("table,")
    assert "# Leaderboard" in set_markdown(tables_of(made))


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize(("wide", "dark"), [(1300, False), (390, True)])
def test_page_in_a_browser(made, tmp_path, wide, dark):
    path = tmp_path / "board.html"
    path.write_text(leaderboard_page(made), "utf-8")
    with Chromium(width=wide, height=800, dark=dark, mobile=wide < 500) as page:
        page.open(path.as_uri())
        assert page.complaints() == []
        # Nothing makes the page itself scroll sideways.
        assert page.js("document.documentElement.scrollWidth <= innerWidth")
        # Every number of a heat map lies within its cell.
        assert page.js(
            "[...document.querySelectorAll('#winrates g:has(> rect)')].every(g => {"
            "const r = g.querySelector('rect').getBoundingClientRect(), t = g.querySelector('text').getBoundingClientRect();"
            "return t.left >= r.left - 1.5 && t.right <= r.right + 1.5 })"
        )
