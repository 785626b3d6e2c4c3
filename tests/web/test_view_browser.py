"""`assay view` in a real Chromium: a builder's way down to a prompt, and reports, names and replies that try to run something."""

import asyncio
import re
import threading
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from web_rows import REPORT, judged, write_run
from web_server import until

from assay.meta.leaderboard.build import build_leaderboard
from assay.meta.leaderboard.comparisons import WIN, ComparisonsBuilder
from assay.present.html.leaderboard import leaderboard_page
from assay.runs.ledger import open_ledger
from assay.web.run_tables import run_of_word, run_word
from present.test_html import ATTACKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_builder_follows_a_number_to_its_prompt(make_run, view, ledger_path, open_page):
    make_run(
        [judged(n, score=float(n % 5), subject=f"r{n // 2}.md", judge=f"m{n % 2}") for n in range(1, 160)]
    )
    client = view(ledger_path)
    page = open_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    page.click("text=first")
    page.wait_for_selector("tr[data-key]")
    until(page, "document.querySelector('main').dataset.ready === '1'")
    count = "document.querySelectorAll('tr[data-key]').length"
    assert page.evaluate(count) == 50
    for _ in range(4):
        page.mouse.wheel(0, 20_000)
        page.wait_for_timeout(150)
    until(page, f"{count} === 159")
    page.select_option("select[name=judge]", "m1")
    page.wait_for_url(re.compile("judge=m1"))
    assert "80 of 159" in page.inner_text(".status")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector(".texts mark")
    first = page.url
    page.keyboard.press("n")
    page.wait_for_url(lambda url: url != first)
    page.click("[data-quote]")
    assert page.locator(".texts mark.on").inner_text() == "Sales grew by 45%"
    page.click(".calls a")
    page.wait_for_selector(".fenced")
    assert REPORT.splitlines()[0] in page.inner_text(".message >> nth=1")
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    page.go_back()
    page.click("a[hreflang=zh]")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.complaints == []


def test_nothing_that_was_judged_or_replied_runs(make_run, view, ledger_path, open_page, tmp_path):
    rows = [
        judged(n, document=f"# T\n\n{attack}\n\nSales grew by 45%", judge=attack[:80], subject=attack, quote="Sales grew by 45%")
        for n, attack in enumerate(ATTACKS, 1)
        if attack.isprintable()
    ]  # fmt: skip
    rows.append(judged(500, status="failed", quote=ATTACKS[0], judge=ATTACKS[1], subject=ATTACKS[2]))
    run = make_run(rows, name="<script>alert(1)</script>")
    assert run_of_word(run_word(run)) == run
    run = run_word(run)
    (tmp_path / "old.html").write_text(
        '<!doctype html><p>old</p><script>document.body.dataset.ran = 1</script><img src=x onerror="document.body.dataset.ran = 1">'
        "<script>fetch('/')</script><form action='/'><button>x</button></form>"
    )
    client = view(ledger_path, tmp_path / "old.html")
    base = f"http://127.0.0.1:{client.port}"
    page = open_page()
    page.goto(f"{base}/")
    page.goto(f"{base}/runs/0/{run}?status=ok")
    keys = [row[1].key for row in rows]
    for key in keys:
        page.goto(f"{base}/runs/0/{run}/judgments/{key}")
        found = "document.querySelectorAll('main script, main img, main iframe, main [onerror], main [onload], main [style]').length"
        assert page.evaluate(found) == 0
        assert page.evaluate("1 + 1") == 2
    page.goto(f"{base}/runs/0/{run}/calls/{rows[0][0].key}")
    assert page.evaluate("document.querySelectorAll('main script, main img').length") == 0
    assert page.complaints == []
    page.goto(f"{base}/pages/1")
    frame = page.frame_locator("iframe")
    assert frame.locator("body").get_attribute("data-ran") is None
    assert frame.locator("p").inner_text() == "old"


@pytest.mark.parametrize("width", [390, 1024, 1920])
@pytest.mark.parametrize("dark", [False, True])
def test_no_page_is_wider_than_the_screen(make_run, view, ledger_path, open_page, *, width, dark):
    run = make_run([judged(1, subject="a-very-long-name-without-any-space-" * 6), judged(2, judge="j" * 90)])
    client = view(ledger_path)
    page = open_page(width, dark=dark)
    for path in ("/", f"/runs/0/{run}?status=ok", f"/runs/0/{run}/judgments/{1:032x}"):
        page.goto(f"http://127.0.0.1:{client.port}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert page.complaints == []


def test_a_run_that_is_going_shows_its_progress(view, ledger_path, open_page):
    started, goes_on = threading.Event(), threading.Event()

    async def judge_slowly():
        with open_ledger(ledger_path) as ledger:
            plan = {"judgments": [{"judge": "j", "planned": 4}]}
            run = await write_run(ledger, [judged(1), judged(2)], status="running", plan=plan)
            started.set()
            await asyncio.to_thread(goes_on.wait)
            for number in (3, 4):
                call, row, answer = judged(number, status="failed" if number == 3 else "ok")
                await ledger.record_call(call)
                await ledger.record_judgment(run, row, [answer])
            await asyncio.sleep(3)
            await ledger.set_status(run, "done")

    thread = threading.Thread(target=lambda: asyncio.run(judge_slowly()))
    thread.start()
    assert started.wait(10)
    client = view(ledger_path)
    page = open_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    page.click("text=first")
    until(page, "document.querySelector('[data-state=progress]')?.textContent === '2 / 4'")
    goes_on.set()
    until(page, "document.querySelector('[data-state=progress]')?.textContent === '4 / 4'")
    until(
        page, "document.querySelector('[data-state=failures]')?.textContent.includes('no JSON in the reply')"
    )
    until(page, "document.querySelector('[data-state=status]').textContent === 'done'")
    thread.join()
    assert page.complaints == []


def test_charts_and_tables_of_a_saved_page_are_taken_as_files(view, open_page, tmp_path):
    builder = ComparisonsBuilder()
    for task, pair in enumerate([("a", "b"), ("a", "b"), ("b", "a"), ("=c", "b"), ("=c", "a")]):
        builder.add(pair, {"overall": WIN}, task=str(task))
    board = build_leaderboard(builder.build(), draws=50)
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "board.html").write_text(leaderboard_page(board), "utf-8")
    client = view(folder)
    page = open_page()
    page.goto(f"http://127.0.0.1:{client.port}/pages/0")
    frame = page.frame_locator("iframe")
    taken = {}
    for name in ("SVG", "PNG", "CSV", "LaTeX"):
        with page.expect_download(timeout=10_000) as download:
            frame.locator(f".take button:text-is('{name}')").first.click()
        taken[download.value.suggested_filename] = Path(download.value.path()).read_bytes()
    svg, png, csv, tex = taken.values()
    assert [Path(name).suffix for name in taken] == [".svg", ".png", ".csv", ".tex"]
    # The colours that the page's style sheet gave are in the file.
    assert any(node.get("fill") == "rgb(15, 94, 99)" for node in ET.fromstring(svg).iter())
    assert png.startswith(b"\x89PNG")
    assert len(png) > 2_000
    # What a spreadsheet would run is text, in a table too.
    assert b"'=c" in csv
    assert tex.startswith(b"\\begin{tabular}{l")
    assert b"win rate \\%" in tex
    assert page.complaints == []
