"""The edit kit: runs of an edit with their inverse, and the tests of form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.interventions.edit_kit import (
    added_figures,
    citations_changed,
    edit_runs,
    figures_changed,
    hosts,
    lost,
    markers,
    reordered,
    tokens,
    undo,
    values_kept,
    words_changed,
)

WORDS = st.sampled_from(
    [
        "the",
        "ferry",
        "kept",
        "its",
        "timetable",
        "[1]",
        "[2][3]",
        "42%",
        ", ",
        ".\n",
        "渡轮",
        "按时",
        "，",
        " ",
    ]
)
TEXTS = st.lists(WORDS, max_size=18).map(" ".join)


@given(TEXTS, TEXTS)
def test_undoing_an_edit_gives_the_text_before(before: str, after: str) -> None:
    assert "".join(tokens(before)) == before
    assert undo(after, edit_runs(before, after)) == before


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ("The ferry kept its timetable.", "The ferry broke its timetable.", ["swap"]),
        ("The ferry kept its timetable.", "The ferry kept it.", ["swap"]),
        ("The ferry, old but sound, kept time.", "The ferry kept time.", ["drop"]),
        ("The ferry kept time.", "The ferry always kept time.", ["insert"]),
        ("In winter the ferry kept time on both routes.", "The ferry kept time on both routes in winter.", ["swap", "insert"]),
        ("渡轮冬季仍能按时开航。", "渡轮冬季难以按时开航。", ["swap"]),
        ("同一段话", "同一段话", []),
    ],
)  # fmt: skip
def test_an_edit_is_described_by_its_runs(before: str, after: str, kinds: list[str]) -> None:
    runs = edit_runs(before, after)
    assert [run.kind for run in runs] == kinds
    assert undo(after, runs) == before


def test_a_sentence_that_went_elsewhere_is_a_move() -> None:
    before = "Ice came. Crews rested all week. Fares rose again."
    after = "Crews rested all week. Fares rose again. Ice came."
    (run,) = edit_runs(before, after)
    assert (run.kind, run.old.strip()) == ("move", "Ice came.")
    assert undo(after, [run]) == before


def test_citation_markers_of_every_form_are_seen() -> None:
    text = "A [1], b [2, 3], c[^4], d【5】, e [port](https://www.port.example/a), f (Miller, 2020), g（王宏，2021）。"
    assert sum(markers(text).values()) == 7
    assert hosts(text) == {"port.example"}
    assert citations_changed("A [1]. B [2].", "B [2]. A [1].") is None
    assert "[2]" in (citations_changed("A [1]. B [2].", "A [1]. B.") or "")
    assert "[7]" in (citations_changed("A [1].", "A [1][7].") or "")
    assert words_changed("A ferry [1] sank [2].", "A ferry [2] sank [1].") is None
    assert "sank" in (words_changed("A ferry sank [2].", "A ferry left [1].") or "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("36.25% of crews", "36.3% of crews"),
        ("36.25% of crews", "about 36% of crews"),
        ("1,200 boats", "1200 boats"),
        ("1,200,000 riders", "1.2 million riders"),
        ("35.6万人次", "约36万人次"),
    ],
)
def test_an_equal_or_rounded_value_is_no_other_value(before: str, after: str) -> None:
    assert values_kept(before, after) is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("36.25% of crews", "46.3% of crews"),
        ("53 boats", "54 boats"),
        ("in 2021", "in 2022"),
        ("53% of crews", "53% of owners"),
        ("35.6万人次", "53.6万人次"),
        ("no figure", "none at all"),
    ],
)
def test_another_value_is_another_value(before: str, after: str) -> None:
    assert values_kept(before, after) is None


def test_a_figure_said_again_was_not_brought_in() -> None:
    before = "Sales rose to 46 tonnes [3]."
    assert added_figures(before, f"{before} It was 46 tonnes, no less [7].") is None
    assert added_figures(before, f"{before} It was 47 tonnes.") == "47"


def test_what_a_surface_attack_lost_is_named() -> None:
    text = "Ferries carried 412 riders a day [3]."
    assert lost(text, "As is well known, ferries carried 412 riders a day [3].") is None
    assert "citation" in (lost(text, "Ferries carried 412 riders a day.") or "")
    assert "figure" in (lost(text, "Ferries carried many riders a day [3].") or "")
    assert "words" in (lost(text, "Boats carried 412 riders a day [3].") or "")
    assert figures_changed(text, text.replace("412", "421")) is not None
    assert reordered("a b [1] c", "c a b [1]")
    assert not reordered("a b c", "a b d")
