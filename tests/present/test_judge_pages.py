"""Cards of judges and queues for annotators as pages: what they say, what cannot break them, keys in a real browser."""

from __future__ import annotations

import json
import re

import msgspec
import pytest

from assay.interventions.validation import QueueItem
from assay.measures.intervals import Estimate, exact
from assay.meta.card import Card, DetectedType, MissedFailure
from assay.meta.card_verdict import verdict_of
from assay.meta.detection import detection_of
from assay.meta.drift import drift_of
from assay.meta.gate import JudgeMetrics, check_thresholds, parse_thresholds
from assay.meta.trials import Condition, Trial
from assay.present.changes import changes
from assay.present.display import Painter
from assay.present.gates import drift_text, gate_text
from assay.present.html.card import card_page
from assay.present.html.changed import changed_html
from assay.present.html.comparison import comparison_page
from assay.present.html.queue import queue_page

from .chromium import CHROMIUM, Chromium

ATTACK = "<script>alert(1)</script>\x1b[31m\"&'"
browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")


def trials(condition: int = 0, *, every: int = 3) -> list[Trial]:
    """Two types and an attack, some missed, judged in both orders."""
    found = []
    for number in range(24):
        right = number % every != 0
        said = "reference" if right else "tie"
        found.append(
            Trial(
                instance=f"i{number}", group=str(number % 6), kind="failure", level="outcome", module="output", category="faithfulness",
                type=("fabrication", "incoherence")[number % 2], language="en", condition=condition, said=said, correct=right,
                gap=1.0 if right else 0.0, by_order={"reference_first": "reference", "reference_second": said}, excerpt=ATTACK,
            )
        )  # fmt: skip
    found.append(
        Trial(
            instance="a", group="0", kind="bias", level="outcome", module="attack", category="bias", type="length", language="en",
            condition=condition, said="perturbed", correct=False,
        )
    )  # fmt: skip
    return found


def card(judge: str = "direct@test/m", *, every: int = 3) -> Card:
    detection = detection_of(
        Condition(judge=judge, rubric="reportlogic", reasoning=False, version="abc"), trials(every=every)
    )
    return Card(
        name=judge,
        verdict=verdict_of(detection),
        detection=detection.to_dict(),
        spots=tuple(
            DetectedType(type=name, value=rate.value, low=rate.low, high=rate.high, n=rate.n, beside={"random": 0.5}, blind=False)
            for name, rate in detection.by_type.items()
        ),
        misses=(
            MissedFailure(
                id="i0", type="fabrication", query=ATTACK, before="It rose by 5 % in May.", after="It fell by 5 % in May.", note=ATTACK, said="tie",
                gap=0.0, excerpt=ATTACK,
            ),
        ),
        cautions=("Read with care.",),
        origin={"bench": ATTACK, "fingerprint": judge},
    )  # fmt: skip


def test_a_card_says_what_was_measured() -> None:
    page = card_page(card())
    assert "67 %" in page
    assert "Read with care." in page
    assert "<del>rose</del><ins>fell</ins>" in page
    assert "Attacks that succeed" in page
    assert "Same in both orders" in page
    # What comes from files and models is text, never markup.
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 4


def test_runs_of_other_instances_are_not_compared_without_a_word() -> None:
    page = comparison_page([card("direct@test/m"), card("full@test/m", every=5)], uneven=True)
    assert "not tested on the same instances" in page
    assert "A direct" in page
    assert "B full" in page


def test_rates_by_type_stand_with_interval_and_number() -> None:
    page = comparison_page([card("direct@test/m"), card("full@test/m", every=5)])
    # Of twelve fabrications the first judge misses four.
    assert "fabrication, A direct@test/m: 67 % of 12, 95 % " in page
    rows = re.findall(r"<tr>.*?</tr>", page, re.DOTALL)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]
    assert ["A direct@test/m", "67 %", "12"] in [
        [*row[1:3], row[-1]] for row in cells if row[:1] == ["fabrication"]
    ]


def test_what_limits_one_of_several_judges_says_whom() -> None:
    other = msgspec.structs.replace(card("full@test/m"), cautions=("Read with care.", "Few verdicts."))
    page = comparison_page([card("direct@test/m"), other])
    assert "B full@test/m: Few verdicts." in page
    assert "<li>Read with care.</li>" in page


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        ("a b c", "a x c", "a <del>b</del><ins>x</ins> c"),
        ("a b", "a b c", "a b<ins> c</ins>"),
        ("需求上升了", "需求下降了", "需求<del>上升</del><ins>下降</ins>了"),
        ("1.5 cups", "2.1 cups", "<del>1.5</del><ins>2.1</ins> cups"),
        ("<b>", "<i>", "&lt;<del>b</del><ins>i</ins>&gt;"),
        ("same", "same", "same"),
    ],
)
def test_changes_are_marked_word_by_word(before: str, after: str, marked: str) -> None:
    html = changed_html(before, after)
    assert html.replace("</del><del>", "").replace("</ins><ins>", "") == marked


def test_changes_put_both_texts_together_again() -> None:
    before, after = (
        "The pump pays back in nine years, they say. " * 40,
        "The pump pays back in ten years, they say. " * 41,
    )
    parts = changes(before, after)
    assert "".join(text for kind, text in parts if kind != "in") == before
    assert "".join(text for kind, text in parts if kind != "out") == after


def test_a_gate_says_which_bound_is_not_kept() -> None:
    judged = [
        JudgeMetrics(
            "direct@test/m", {"detection": Estimate(value=0.6, low=0.5, high=0.7), "asr.length": exact(None)}
        )
    ]
    found = check_thresholds(judged, parse_thresholds(["detection=0.55"], ["asr.length=0.1"]))
    assert [item.met for item in found] == [True, False]
    text = gate_text(found, painter=Painter(), sure=False)
    assert "1 of 2 bounds not kept, 1 of them not known" in text


def test_drift_is_told_from_noise() -> None:
    before = Condition(judge="direct@test/m", version="old")
    same = drift_of(before, trials(), before, trials())
    assert (same.moved, same.drifted, same.p) == ((), False, None)
    worse = drift_of(
        before, trials(every=30), Condition(judge="direct@test/m", version="new"), trials(every=2)
    )
    assert worse.drifted
    assert worse.p < 0.05
    assert worse.accuracy_before > worse.accuracy_now
    text = drift_text(worse, painter=Painter(), columns=100)
    assert "it has drifted" in text
    assert "not the same judge" in text
    scored = [
        Trial(**{**_plain(item), "reference": 3.0, "perturbed": 2.0 + number % 2})
        for number, item in enumerate(trials())
    ]
    moved = [
        Trial(**{**_plain(item), "reference": 4.0, "perturbed": 3.0 + number % 2})
        for number, item in enumerate(trials())
    ]
    shifted = drift_of(before, scored, before, moved)
    assert shifted.shift == Estimate(value=1.0, n=31, clusters=6, reason="all values are the same")


def _plain(trial: Trial) -> dict:
    return {name: getattr(trial, name) for name in Trial.__struct_fields__}


PAIRS = [
    QueueItem(
        id=f"p{number}",
        type="fabrication",
        definition="A fact is false.",
        asked="Is it there?",
        query=ATTACK,
        before="It rose.",
        after="It fell.",
        note=ATTACK,
    )
    for number in range(3)
]


def test_a_queue_shows_what_changed_and_takes_nothing_for_markup() -> None:
    page = queue_page(PAIRS, title=ATTACK)
    assert page.count("<del>rose</del><ins>fell</ins>") == 3
    assert "<script>alert" not in page


@browser
def test_labels_are_given_by_keys_kept_and_saved(tmp_path) -> None:
    path = tmp_path / "queue.html"
    path.write_text(queue_page(PAIRS, title="bench"), "utf-8")
    with Chromium() as page:
        page.open(path.as_uri())
        pressed = "[...document.querySelectorAll('[data-label][aria-pressed=true]')].map(e => e.dataset.label).join()"
        assert page.js(pressed) == ""
        page.press("1")
        page.press("3")
        assert page.js(pressed) == "valid,ambiguous"
        assert page.js("document.querySelector('.done').textContent") == "2 of 3 labelled"
        assert page.js("document.querySelector('.pair.on').dataset.id") == "p2"
        # The same label again takes it back.
        page.press("k")
        page.press("3")
        assert page.js(pressed) == "valid"
        page.js("document.querySelector('.pair:last-of-type [data-label=invalid]').click()")
        saved = page.js(
            "(() => { let text; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { text = blob; return make(blob); };"
            " document.querySelector('[data-act=save]').click(); return text.text(); })()"
        )
        assert page.complaints() == []
        if isinstance(saved, str):
            assert [json.loads(line) for line in saved.splitlines()] == [
                {"id": "p0", "label": "valid"},
                {"id": "p2", "label": "invalid"},
            ]
        page.open(path.as_uri())
        assert page.js(pressed) == "valid,invalid"


@browser
@pytest.mark.parametrize(("width", "dark"), [(1400, False), (390, True)])
def test_pages_of_judges_fit_their_window(tmp_path, width: int, dark: bool) -> None:
    pages = {
        "card": card_page(card()),
        "comparison": comparison_page([card(), card("full@test/m")]),
        "queue": queue_page(PAIRS, title="bench"),
    }
    with Chromium(width=width, height=900, dark=dark, mobile=width < 500) as page:
        for name, text in pages.items():
            path = tmp_path / f"{name}.html"
            path.write_text(text, "utf-8")
            page.open(path.as_uri())
            assert page.js("document.documentElement.scrollWidth <= window.innerWidth"), name
            assert page.complaints() == [], name
