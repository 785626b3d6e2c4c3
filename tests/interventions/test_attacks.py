"""Attacks: where a model may work, and what form alone refuses."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from assay.interventions.applying import apply
from assay.interventions.base import Edit, TextRevision
from assay.interventions.candidates import by_rule
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.registry import all_operators
from assay.interventions.revising import revision_of
from assay.interventions.screen import Screen
from assay.subjects.report import Report

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
REPORTS = {
    "en": Report.read(EXAMPLES / "heat-pumps" / "good.md", query="Do heat pumps pay in old houses?"),
    "zh": Report.read(EXAMPLES / "shanghai-reuse" / "good.md", query="上海的再生水利用前景如何？"),
}
OPERATORS = {
    name: item for name, item in all_operators().items() if item.kind != "failure" and item.level == "outcome"
}
TARGETED = sorted(name for name, item in OPERATORS.items() if item.kind == "targeted")
BIAS = sorted(name for name, item in OPERATORS.items() if item.kind == "bias")


def test_the_papers_attacks_are_there_and_written_by_models() -> None:
    assert len(TARGETED) == 8
    assert BIAS == ["causal_display", "evidence_illusion", "length", "qualifier_wording", "structure"]
    assert all(OPERATORS[name].rule is None for name in [*TARGETED, *BIAS])


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", [*TARGETED, *BIAS])
def test_sites_are_several_passages_of_the_body_in_order(name: str, language: str) -> None:
    operator, report = OPERATORS[name], REPORTS[language]
    assert operator.unfit is not None
    assert operator.sites is not None
    sites = list(operator.sites(report, Random(1)))
    if operator.unfit(report) is not None:
        assert sites == []
        return
    assert sites
    for site in sites:
        assert len(site.places) >= 2
        assert [place.start for place in site.places] == sorted(place.start for place in site.places)
        for place in site.places:
            block = report.block_at(place.start)
            assert block is not None
            assert not report.sections[block.section].is_references


@pytest.mark.parametrize("name", [*TARGETED, *BIAS])
def test_a_report_without_prose_says_why_it_offers_nothing(name: str) -> None:
    operator = OPERATORS[name]
    assert operator.unfit is not None
    assert operator.unfit(Report("# Title\n\nOne short line."))


FLAT = "The harbour office counts every boat that calls at the island in the course of a year and writes it down. "
HEDGED = (
    "The count may be low, because boats that call at night are seldom seen, and it depends on the weather. "
)


def of_paragraphs(*texts: str, headings: bool = False) -> Report:
    """Return a report of long paragraphs, each of one sentence said three times, under headings or not."""
    return Report(
        "# Boats\n\n"
        + "\n\n".join((f"## Part {n}\n\n" if headings else "") + text * 3 for n, text in enumerate(texts))
    )


@pytest.mark.parametrize(
    ("name", "report", "why"),
    [
        ("qualifier_wording", of_paragraphs(FLAT, FLAT, FLAT), "fewer than 2 passages with a hedge"),
        ("causal_display", of_paragraphs(FLAT, FLAT, HEDGED), "fewer than 2 passages with a causal link"),
        ("targeted_qualifiers_counterpoints", of_paragraphs(FLAT, FLAT), "no passage with a hedge"),
        ("targeted_qualifiers_counterpoints", of_paragraphs(FLAT, HEDGED), "only one passage with a hedge"),
        ("targeted_global_coherence", of_paragraphs(FLAT, FLAT), "fewer than 3 headings"),
        ("targeted_evidence_sufficiency", of_paragraphs(FLAT, FLAT), "no passage with a figure, a source"),
        (
            "targeted_concept_introduction",
            of_paragraphs(FLAT, "The count (see above) is called off. "),
            "no passage",
        ),
        (
            "targeted_task_alignment",
            of_paragraphs(
                FLAT,
                "Boats are counted at https://harbour.example/we-recommend every morning and every night. ",
            ),
            "no passage that takes a position",
        ),
    ],
)
def test_passages_that_lack_what_an_attack_takes_are_not_offered(name: str, report: Report, why: str) -> None:
    operator = OPERATORS[name]
    assert operator.unfit is not None
    assert operator.sites is not None
    assert why in str(operator.unfit(report))
    assert not list(operator.sites(report, Random(1)))


def test_an_attack_is_offered_the_passages_with_what_it_takes_and_no_others() -> None:
    report = of_paragraphs(FLAT, HEDGED, FLAT, HEDGED, headings=True)
    for name in (
        "qualifier_wording",
        "causal_display",
        "targeted_warrants_causality",
        "targeted_qualifiers_counterpoints",
    ):
        (site,) = OPERATORS[name].sites(report, Random(1))
        assert all("The count may be low" in report.source[place.start : place.end] for place in site.places)
        assert len(site.places) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Boats are counted by the Harbour Office (HO) in a book.",
        "A call, i.e., one night at the quay, is a line in the book.",
        "A call, a stay of at least one night at the quay, is a line in the book.",
        "泊位计数（Berth Count）记在簿子里，每晚一次，由港务处负责。",
        "所谓停泊，即在码头过夜一次，每次记一行。",
    ],
)
def test_a_term_may_be_introduced_in_many_ways(text: str) -> None:
    filler = "每天都有人把它抄下来，一页一页地放在桌上。" if text[0] > "z" else " " + FLAT
    report = of_paragraphs(text + filler, text + filler)
    assert OPERATORS["targeted_concept_introduction"].unfit(report) is None
    assert "no passage" in str(
        OPERATORS["targeted_concept_introduction"].unfit(of_paragraphs(filler * 2, filler * 2))
    )


def revised(name: str, change) -> tuple[str, str] | str | None:
    """Return why an edit of every passage is refused, by filter or check; None if it passes."""
    operator, report = OPERATORS[name], REPORTS["en"]
    assert operator.sites is not None
    assert operator.check is not None
    (site, *_) = operator.sites(report, Random(1))
    texts = {
        number: change(report.source[place.start : place.end]) for number, place in enumerate(site.places, 1)
    }
    revision = revision_of(report, site, texts)
    applied = apply(report, revision)
    return refusal(RevisedPair(operator, report, applied, revision)) or operator.check(
        report, applied.subject, revision
    )


def again(text: str) -> str:
    """Return a passage that says its first words once more, without their citations and figures."""
    words = [word for word in text.split() if word.isalpha()]
    return f"{text} In other words, {' '.join(words[: len(words) // 2]).lower()}."


def test_length_takes_a_report_that_grew_enough_and_lost_nothing() -> None:
    assert revised("length", again) is None
    refused = revised("length", lambda text: text + " So it is.")
    assert refused is not None
    assert refused[0] == "too_large"
    assert "+8% to +60%" in refused[1]
    assert "is lost" in str(
        revised("length", lambda text: again(again(text)).replace("Heat pumps", "They", 1).partition(". ")[2])
    )
    assert "figure was added: 4711" in str(revised("length", lambda text: again(text) + " It was 4711."))
    assert "citation was added" in str(revised("length", lambda text: again(text) + " So it is [97]."))


def test_numbered_labels_are_not_figures() -> None:
    assert revised("evidence_illusion", lambda text: f"Evidence 1: {text}") is None


def test_a_targeted_attack_may_not_bring_a_source() -> None:
    refused = revised("targeted_warrants_causality", lambda text: text + " So it is [97].")
    assert refused == "a citation was added: [97]"


@pytest.mark.parametrize("name", sorted(name for name, item in OPERATORS.items() if item.rule is not None))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_rules_only_insert_and_give_the_same_by_seed(name: str, language: str) -> None:
    report = REPORTS[language]
    first = by_rule(OPERATORS[name], report, Screen(), seed=4, most=3)
    second = by_rule(OPERATORS[name], report, Screen(), seed=4, most=3)
    assert [item.revision for item in first] == [item.revision for item in second]
    for candidate in first:
        back = candidate.applied.subject.source
        for edit in candidate.revision.edits:
            assert isinstance(edit, Edit)
            at = edit.start
            back = back[:at] + report.source[edit.start : edit.end] + back[at + len(edit.text) :]
        assert isinstance(candidate.revision, TextRevision)
        assert back == report.source
