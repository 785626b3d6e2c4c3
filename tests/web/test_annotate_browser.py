"""`assay annotate` in a real Chromium: three raters from the start to κ, two tabs, a killed server, marked faults."""

import contextlib
import json

import pytest
from annotation_server import serving_project
from test_annotation_project import project_of, reports
from web_server import until

from assay.subjects.report import Report
from assay.web.annotation.items import item_of, pair_items, single_items
from assay.web.annotation.project import AnnotationProject
from assay.web.annotation.project_records import KnownAnswers, ProjectPlan
from assay.web.annotation.questions import questions_of
from present.test_html import ATTACKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SAVED = "document.querySelector('[data-state=saved]').className === 'saved'"


def ready(page):
    page.wait_for_selector(".labelling-area[data-ready]")
    if page.locator("#guidelines").is_visible():
        page.keyboard.press("Escape")
        # The browser closes a dialog a moment after the key.
        until(page, "!document.querySelector('#guidelines').open")


def press_after_closing(page, dialog, key):
    """Press a key at the moment a dialog is closed; return whether the focus was still in the dialog."""
    return page.evaluate(
        f"""(() => {{
          const dialog = document.querySelector("{dialog}");
          if (!dialog.open) dialog.showModal();
          dialog.close();
          const focused = document.activeElement;
          focused.dispatchEvent(new KeyboardEvent("keydown", {{ key: "{key}", bubbles: true, cancelable: true }}));
          return dialog.contains(focused);
        }})()"""
    )


def test_a_key_right_after_a_dialog_is_closed_is_not_lost(tmp_path, open_page):
    project = project_of(tmp_path, "faults", single_items(reports(1)[:1]), raters=("anna",))
    with serving_project(project.path) as client:
        page = open_page()
        page.goto(client.link("anna"))
        ready(page)
        # The task has one question: the same key again takes its answer back.
        for dialog, given in (("#guidelines", 1), ("#fault", 0)):
            assert press_after_closing(page, dialog, "1")
            until(page, SAVED)
            assert page.locator("[aria-checked=true]").count() == given, dialog
        assert press_after_closing(page, "#help", "t")
        assert page.locator("html").get_attribute("data-theme") == "dark"
        assert page.complaints == []


def test_three_raters_label_by_keys_and_the_owner_sees_their_agreement(tmp_path, open_page):
    project = project_of(tmp_path, items=pair_items(reports(6)), raters=("anna", "ben", "cara"))
    questions = len(project.plan.questions)
    with serving_project(project.path) as client:
        for rater in ("anna", "ben", "cara"):
            page = open_page()
            page.goto(client.link(rater))
            ready(page)
            for item in range(6):
                until(page, f"document.querySelector('main[data-ready]')?.dataset.position === '{item + 1}'")
                for question in range(questions):
                    page.keyboard.press("c" if question == 3 else "1" if (question + item) % 2 else "3")
                until(page, f"document.querySelector('[data-state=done]').textContent === '{item + 1}'")
                page.keyboard.press("n")
            page.wait_for_selector("text=All 6 items are done")
            assert page.complaints == []
        owner = open_page()
        owner.goto(client.link())
        assert owner.inner_text("table >> nth=0").count("6 / 6") == 3
        assert "0." in owner.inner_text("table >> nth=1")
        assert owner.complaints == []
        assert project.complete("anna") == set(range(6))
        assert all(seconds > 0 for seconds in project.seconds("anna").values())


def test_a_killed_server_loses_nothing(tmp_path, open_page):
    project = project_of(tmp_path, items=pair_items(reports(2)))
    page = open_page()
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(serving_project(project.path))
        port = client.port
        page.goto(client.link("anna"))
        ready(page)
        page.keyboard.press("1")
        until(page, SAVED)
    page.keyboard.press("2")
    page.wait_for_selector(".lost")
    assert "trying again" in page.inner_text("[data-state=saved]")
    page.complaints.clear()
    with serving_project(project.path, port=port):
        until(page, SAVED)
        with contextlib.closing(AnnotationProject(project.path)) as again:
            assert len(again.answers()) == 2
        page.keyboard.press("u")
        until(page, "document.querySelectorAll('[aria-checked=true]').length === 1")


def test_a_second_tab_is_told(tmp_path, open_page):
    project = project_of(tmp_path, items=pair_items(reports(2)))
    with serving_project(project.path) as client:
        page = open_page()
        page.goto(client.link("anna"))
        ready(page)
        other = page.context.new_page()
        other.goto(page.url)
        ready(other)
        other.keyboard.press("1")
        until(other, SAVED)
        page.bring_to_front()
        page.keyboard.press("2")
        page.wait_for_selector("text=another tab")
        until(page, "document.querySelectorAll('[aria-checked=true]').length === 1")
        assert [row.question for row in project.answers()] == [project.plan.questions[0].key]


def test_faults_are_marked_by_selecting_words(tmp_path, open_page):
    project = project_of(tmp_path, "faults", single_items(reports(1)[:1]), raters=("anna",))
    with serving_project(project.path) as client:
        page = open_page()
        page.goto(client.link("anna"))
        ready(page)
        place = page.locator("#texts strong").bounding_box()
        page.mouse.move(place["x"] + 1, place["y"] + 8)
        page.mouse.down()
        page.mouse.move(place["x"] + place["width"] - 1, place["y"] + 8, steps=4)
        page.mouse.up()
        page.wait_for_selector("#fault[open]")
        assert page.inner_text("#fault-text") == "cheap"
        page.select_option("#fault-type", "warrants_causality")
        page.check("[name=severity][value=error]")
        page.fill("#fault-note", "cheap for whom?")
        page.click("#fault .primary")
        page.wait_for_selector("#texts mark.error")
        assert page.inner_text("#texts mark.error") == "cheap"
        page.keyboard.press("1")
        until(page, "document.querySelector('[data-state=done]').textContent === '1'")
        page.reload()
        assert page.inner_text("[data-state=faults]") == "1"
        assert page.complaints == []
        [row] = [row for row in project.answers() if row.question == "faults"]
        [fault] = json.loads(row.value)
        assert (fault["type"], fault["severity"], fault["note"]) == (
            "warrants_causality",
            "error",
            "cheap for whom?",
        )


def test_a_fault_is_marked_by_keys_alone(tmp_path, open_page):
    project = project_of(tmp_path, "faults", single_items(reports(1)[:1]), raters=("anna",))
    with serving_project(project.path) as client:
        page = open_page()
        page.goto(client.link("anna"))
        ready(page)
        page.keyboard.press("]")
        page.keyboard.press("]")
        words = page.evaluate("String(getSelection()).trim()")
        page.keyboard.press("f")
        page.wait_for_selector("#fault[open]")
        assert page.inner_text("#fault-text").strip(" .") == words.strip(" .") != ""
        page.select_option("#fault-type", "invented_source")
        page.keyboard.press("Enter")
        page.wait_for_selector("#texts mark.warning")
        page.keyboard.press("[")
        assert page.evaluate("String(getSelection()).trim()") != words
        page.keyboard.press("]")
        assert page.evaluate("String(getSelection()).trim()") == words
        assert page.complaints == []
        [row] = [row for row in project.answers() if row.question == "faults"]
        assert json.loads(row.value)[0]["type"] == "invented_source"


def test_on_a_phone_one_text_is_in_front(tmp_path, open_page):
    project = project_of(tmp_path, items=pair_items(reports(1)), raters=("anna",))
    with serving_project(project.path) as client:
        page = open_page()
        page.set_viewport_size({"width": 390, "height": 780})
        page.goto(client.link("anna"))
        ready(page)
        seen = "[...document.querySelectorAll('.side-text')].map((side) => side.offsetParent !== null)"
        assert page.evaluate(seen) == [True, False]
        page.click("[data-front='1']")
        assert page.evaluate(seen) == [False, True]
        page.keyboard.press("o")
        assert page.evaluate(seen) == [True, False]
        assert page.evaluate("document.documentElement.scrollWidth <= 390")


def test_notes_scrolling_and_differences(tmp_path, open_page):
    texts = ["\n\n".join(f"Paragraph {n} of the text. " + "More words. " * 30 for n in range(30))] * 2
    pair = [
        Report(text + extra, path=f"{name}.md", query="Q?")
        for name, text, extra in zip("ab", texts, ("", "\n\nOnly here.\n"), strict=True)
    ]
    project = project_of(tmp_path, items=pair_items(pair), raters=("anna",))
    with serving_project(project.path) as client:
        page = open_page()
        page.goto(client.link("anna"))
        ready(page)
        page.keyboard.press("m")
        page.keyboard.type("hard to say, cnup1")
        page.keyboard.press("Escape")
        until(page, SAVED)
        assert [(row.question, row.value) for row in project.answers()] == [("note", "hard to say, cnup1")]
        page.keyboard.press("d")
        assert page.locator(".only").all_inner_texts() == ["Only here."]
        page.keyboard.press("s")
        side = page.locator(".side-text >> nth=0")
        side.hover()
        page.mouse.wheel(0, 900)
        until(page, "document.querySelectorAll('.side-text')[1].scrollTop > 300")
        page.keyboard.press("g")
        assert page.locator("#guidelines").is_visible()
        assert page.complaints == []


def test_differences_are_words_and_addresses(tmp_path, open_page):
    texts = [
        "Sales grew by 15 % in [Norway](https://a.example/1), as before.\n\nThey are cheap.\n",
        "Sales grew by 25 % in [Norway](https://b.example/1), as before.\n\nThey are cheap.\n",
    ]
    items = [item_of("x", [{"report": text} for text in texts], about={"definition": "A figure is wrong."})]
    project = project_of(tmp_path, "planted", items, raters=["anna"])
    with serving_project(project.path) as client:
        page = open_page()
        page.goto(client.link("anna"))
        ready(page)
        assert "https://a.example/1" in page.evaluate(
            "[...document.querySelectorAll('#texts a')].map(a => getComputedStyle(a, '::after').content).join()"
        )
        page.keyboard.press("d")
        words = page.evaluate("[...(CSS.highlights.get('differs') ?? [])].map(String)")
        assert sorted(words) == ["15", "25", "Norway", "Norway"]
        page.keyboard.press("d")
        assert page.evaluate("CSS.highlights.has('differs')") is False
        assert page.complaints == []


def test_training_tells_what_was_expected(tmp_path, open_page):
    pairs = list(pair_items(reports(2)))
    known = [
        KnownAnswers(
            pairs[0].key, {"there": "B", "plausible": "yes", "better": "A"}, "Look at the sum.", training=True
        )
    ]
    plan = ProjectPlan(task="planted", questions=questions_of("planted"))
    project = AnnotationProject.create(tmp_path / "p.sqlite", plan, pairs, known)
    project.add_raters(["anna"])
    swapped = project.assigned("anna")[0].swapped
    with serving_project(project.path) as client:
        page = open_page()
        page.goto(client.link("anna"))
        ready(page)
        for key in ("1" if swapped else "2", "1", "3"):
            assert "expected" not in page.inner_text(".panel")
            page.keyboard.press(key)
        page.wait_for_selector("text=2 of 3 as expected")
        assert f"expected: passage {'B' if swapped else 'A'}; you said: no difference" in page.inner_text(
            "#feedback"
        )
        assert "Look at the sum." in page.inner_text("#feedback")
        page.keyboard.press("n")
        until(page, "document.querySelector('main[data-ready]')?.dataset.position === '2'")
        assert page.locator("#feedback").count() == 0
        assert page.complaints == []


def test_no_text_or_name_runs_anything(tmp_path, open_page):
    subjects = [
        Report(f"# T\n\n{attack}\n", path=f"{n}.md", query=attack) for n, attack in enumerate(ATTACKS)
    ]
    project = project_of(tmp_path, "faults", single_items(subjects), raters=("<b onclick=alert(1)>",))
    with serving_project(project.path) as client:
        page = open_page()
        page.goto(client.link("<b onclick=alert(1)>"))
        ready(page)
        for position in range(1, len(project.numbers()) + 1):
            page.goto(f"http://127.0.0.1:{client.port}/items/{position}")
            bad = "document.querySelectorAll('main script, main img, main iframe, main [onerror], main [onclick], main [style]').length"
            assert page.evaluate(bad) == 0
        owner = open_page()
        owner.goto(client.link())
        assert owner.evaluate("document.querySelectorAll('main [onclick]').length") == 0
        assert page.complaints == owner.complaints == []


@pytest.mark.parametrize("width", [390, 1024, 1920])
@pytest.mark.parametrize("task", ["pairs", "faults"])
def test_no_page_of_a_rater_is_wider_than_the_screen(tmp_path, open_page, width, task):
    items = pair_items(reports(2)) if task == "pairs" else single_items(reports(2))
    project = project_of(tmp_path, task, items, raters=("anna",))
    with serving_project(project.path) as client:
        page = open_page(width, dark=True, language="zh-CN")
        page.goto(client.link("anna"))
        ready(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("html").get_attribute("lang") == "zh-Hans"
        page.goto(client.link())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.complaints == []


def test_an_adjudicator_can_read_what_is_disputed(tmp_path, open_page):
    project = project_of(tmp_path, items=pair_items(reports(2)), raters=("anna", "ben"))
    project.add_raters(["dora"], "adjudicator")
    key = project.plan.questions[0].key
    for rater, value in (("anna", "A>B"), ("ben", "A<B")):
        with serving_project(project.path) as client:
            page = open_page()
            page.goto(client.link(rater))
            ready(page)
            page.keyboard.press("1" if value == "A>B" else "3")
            until(page, SAVED)
    with serving_project(project.path) as client:
        page = open_page()
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(client.link("dora"))
        ready(page)
        title = page.locator(f"[data-question={key}] h2").bounding_box()
        # A clash of styles once left the title no width at all.
        assert title["width"] > 120
        assert title["height"] < 80
        assert page.complaints == []
