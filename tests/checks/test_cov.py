"""Coverage of the query and the search for passages that stand apart."""

from __future__ import annotations

import pytest

from assay.checks.base import Context
from assay.checks.cov._coverage import treatments
from assay.checks.cov._topics import count_keys, shared_share, topic_keys, topic_terms
from assay.checks.cov.drifting_passage import CHECK as DRIFT
from assay.checks.cov.requested_form_missing import CHECK as FORM
from assay.subjects.report import Report

QUERY = "Study the plants and cover aspects such as wages, safety, and recruitment."


def test_treatments_count_sentences_headings_and_tables():
    report = Report(
        "# Plants\n\n## Wages\n\nWages rose. Pay by the hour fell. The wage of apprentices rose.\n\n"
        "| Plant | Salaries |\n|---|---|\n| A | 10 |\n\nHiring was slow, and recruiters left.",
        query=QUERY,
    )
    wages, safety, recruitment = treatments(report)
    assert (wages.present, len(wages.places), wages.titled) == (1, 3, True)
    assert (safety.present, safety.places) == (0, ())
    assert [report.sentence_at(place).index for place in recruitment.places] == [3]


def test_other_words_for_an_aspect_count():
    report = Report("Salaries rose in the north.", query=QUERY)
    assert treatments(report)[0].present == 1


def test_a_report_in_another_language_is_not_judged():
    assert treatments(Report("工资上涨，安全改善，招聘困难。" * 5, query=QUERY)) == ()


def test_topic_keys_come_from_query_and_title():
    report = Report("# Heat pumps in older homes\n\nBills fell.", query="What do heat pumps cost?")
    assert {" heat", " cost", " pump", "older"} <= set(topic_keys(report))
    assert count_keys("the heat pump of an older home", topic_keys(report), 2) == 2


def test_shared_share_counts_terms_found_outside():
    report = Report(
        "Compressors squeeze refrigerant.\n\nRefrigerant carries warmth; compressors hum.\n\nTulips bloom."
    )
    span = report.paragraphs[0].span
    terms = topic_terms(report, span)
    assert terms == ["compre", "squeez", "refrig"] or set(terms) == {"squeez", "refrig"}
    assert shared_share(report, report.paragraphs[2].span, ["tulips", "bloom"], 1.0) == 0.0
    assert shared_share(report, span, ["refrig", "squeez"], 1.0) == 0.5


def test_nothing_is_said_about_a_report_without_topic():
    assert not list(DRIFT.run(Report("Some words. " * 80), Context()))


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("Answer in under 50 words.", "It works well in most homes. " * 10, "the report has 60"),
        ("Answer in under 60 words.", "It works well in most homes. " * 10, None),
        (
            "Please write the report in Chinese.",
            "The report is written in the wrong language, as can be seen.",
            "English",
        ),
        ("List the top 10 insurers.", "The largest are A, B, C, D and E.", "has 4"),
        ("List the top 10 insurers.", "\n".join(f"{n}. Insurer number {n}" for n in range(1, 11)), None),
        ("Include images of the devices.", "![device](a.png)\n\nThe device is small.", None),
    ],
)
def test_requested_forms(query, text, found):
    hits = list(FORM.run(Report(text, query=query), Context()))
    if found is None:
        assert not hits
    else:
        (hit,) = hits
        assert found in hit.message.text("en")
