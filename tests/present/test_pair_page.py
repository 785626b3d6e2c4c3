"""The page of a comparison: who is better on what, the quotes in their places, letters said, and nothing that runs."""

from __future__ import annotations

import pytest

from assay.judges.judgment import Judgment, Quote, Verdict
from assay.present.html.pair_page import pair_page
from assay.rubrics.loader import load_rubric
from assay.subjects.report import Report

A = Report("# Ferries\n\nThe ferry carried 41,300 passengers in 2019. It is loved.\n", path="runs/ours.md")
B = Report("# Boats\n\nBoats are slow. They carried 39,000 passengers.\n", path="runs/theirs.md")


def judged(**rest) -> Judgment:
    quote = "The ferry carried 41,300 passengers in 2019"
    start = A.source.index(quote)
    verdicts = (
        Verdict(
            criterion="evidence_sufficiency", text="Evidence?", score=1.0, verdict="A>B", reasoning="A has a figure.",
            quotes=(Quote(quote, start, start + len(quote), 0), Quote("never said", None, None, 1)),
        ),
        Verdict(criterion="local_coherence", text="Coherent?", score=-0.5, verdict=None),
        Verdict(criterion="global_coherence", text="Whole?", status="failed", problem="timed out"),
    )  # fmt: skip
    values = {"rationale": "AB: A has a figure.\n\nBA: B has a figure.", "preference": "A>B", **rest}
    return Judgment(
        "a | b", "full@x/y", scores={"overall": 0.25}, mode="compare", verdicts=verdicts, **values
    )


def test_a_quote_leads_to_its_place_and_one_that_is_nowhere_is_left_out() -> None:
    page = pair_page(judged(), [A, B], load_rubric("reportlogic"))
    assert 'href="#f0">The ferry carried 41,300' in page
    assert 'id="f0"' in page
    assert "never said" not in page
    assert page.count("<mark") >= 1


def test_the_bar_points_to_the_better_side() -> None:
    page = pair_page(judged(), [A, B], load_rubric("reportlogic"))
    assert '<rect x="0" width="50"' in page
    assert '<rect x="50" width="25"' in page
    assert "timed out" in page
    assert "A is better: ours.md" in page


@pytest.mark.parametrize("evil", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'])
def test_nothing_in_texts_reasons_or_names_becomes_markup(evil: str) -> None:
    page = pair_page(
        judged(rationale=evil), [Report(A.source + evil, path=f"{evil}.md"), Report(evil, id=evil)], None
    )
    assert evil not in page
