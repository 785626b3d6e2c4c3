"""The page in a real browser: no violation of its policy, nothing asked of the network, keys that work."""

import pytest

from assay.present.html.index import index_page
from assay.present.html.page import audit_page
from assay.present.ranking import row_of
from assay.subjects.report import Report

from .chromium import CHROMIUM, Chromium
from .conftest import finding, made
from .test_html import ATTACKS

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]


@pytest.fixture
def page(audited, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(audit_page(audited), "utf-8")
    return path.as_uri()


def test_keys_step_through_findings_both_ways(page):
    with Chromium() as browser:
        browser.open(page)
        active = "document.querySelector('.card.on')?.dataset.key"
        assert browser.js(active) is None
        browser.press("j")
        assert browser.js(active) == "0"
        assert browser.js("document.querySelector('mark.on').textContent") == "63%"
        assert (
            browser.js("[...document.querySelectorAll('.twin')].map(e => e.textContent).join()")
            == "40,000,58,000"
        )
        browser.press("k")
        assert browser.js(active) == "2"
        browser.press("Escape")
        assert browser.js(active) is None
        assert browser.complaints() == []


def test_marks_lead_to_cards_filters_hide_and_nodes_lead_to_places(page):
    with Chromium() as browser:
        browser.open(page)
        browser.js("document.querySelector('mark[data-f=\"1\"]').click()")
        assert browser.js("document.querySelector('.card.on').dataset.key") == "1"
        browser.press("2")
        assert browser.js("document.querySelectorAll('.card:not([hidden])').length") == 2
        assert browser.js("document.querySelector('mark[data-f=\"1\"]').classList.contains('off')")
        browser.press("2")
        browser.js("document.querySelector('button.score[data-dimension=internal_consistency]').click()")
        assert browser.js("document.querySelector('#dimension').value") == "internal_consistency"
        browser.press("a")
        assert browser.js("document.querySelector('#pane-findings').hidden")
        browser.js("document.querySelector('[data-node=a1]').click()")
        assert browser.js("document.querySelector('.here').textContent") == "they will spread"
        browser.press("?")
        assert browser.js("document.querySelector('#help').open")
        assert browser.complaints() == []


def test_the_phone_shows_one_view_at_a_time(page):
    with Chromium(width=390, height=844, mobile=True, dark=True) as browser:
        browser.open(page)
        assert browser.js("document.documentElement.scrollWidth") <= 390
        browser.js("document.querySelector('[data-go=findings]').click()")
        assert browser.js("getComputedStyle(document.querySelector('.text')).display") == "none"
        browser.js("document.querySelector('.card .jump').click()")
        assert browser.js("getComputedStyle(document.querySelector('.text')).display") == "block"
        assert (
            browser.js("document.querySelector('.peek.open .code').textContent") == "NUM004 growth-mismatch"
        )
        assert browser.js("document.documentElement.scrollWidth") <= 390
        assert browser.complaints() == []


def test_attacks_run_nothing(tmp_path):
    report = Report("# Title\n\n" + "\n\n".join(ATTACKS) + "\n", query=ATTACKS[0], path="x<script>")
    path = tmp_path / "attack.html"
    path.write_text(audit_page(made(report, [finding(report, "Title", message=ATTACKS[2])])), "utf-8")
    with Chromium() as browser:
        browser.open(path.as_uri())
        # A dialog would have stopped the page; a blocked one would have been complained of.
        assert browser.js("1 + 1") == 2
        assert (
            browser.js(
                "document.querySelectorAll('.text script, .text img, .text iframe, .text [onerror]').length"
            )
            == 0
        )
        assert browser.complaints() == []


def test_the_index_sorts(tmp_path):
    rows = [
        row_of(made(Report(f"# {name}\n\n{'word ' * size}\n", path=name)), page=f"{name}.html", title=name)
        for name, size in (("b", 30), ("a", 5))
    ]
    path = tmp_path / "index.html"
    path.write_text(index_page(rows), "utf-8")
    with Chromium() as browser:
        browser.open(path.as_uri())
        names = "[...document.querySelectorAll('.rank tbody tr:not([hidden]) .name a')].map(e => e.textContent).join()"
        assert browser.js(names) == "a,b"
        browser.js(
            "[...document.querySelectorAll('.rank th button')].find(b => b.textContent == 'Words').click()"
        )
        assert browser.js(names) == "b,a"
        browser.js(
            "let f = document.querySelector('.find'); f.value = 'a'; f.dispatchEvent(new Event('input'))"
        )
        assert browser.js(names) == "a"
        assert browser.complaints() == []
