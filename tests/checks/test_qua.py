"""What the QUA checks ask about single sentences."""

from __future__ import annotations

import pytest

from assay.checks.base import Context
from assay.checks.prose import covered, in_quotes, names_someone
from assay.checks.registry import find_check
from assay.subjects.report import Report


def test_covered():
    report = Report(
        "Rents rose. They rose again. They fell. Then they rose once more. Owners were pleased [1].\n\n"
        "Rents rose [1]. Tenants moved. Owners sold. Councils watched. Nobody knew [2]. Prices fell.\n\n"
        "## Sources\n\n[1] A: https://a.example\n[2] B: https://b.example\n"
    )
    assert report.text(report.sentences[4].span) == "Owners were pleased [1]."
    # One citation at the end of a paragraph stands behind all of it.
    assert covered(report, report.sentences[0])
    # In a paragraph that cites as it goes, three sentences on is too far, and nothing follows the last.
    assert [covered(report, s) for s in report.sentences[5:11]] == [True, False, True, True, True, False]


def test_a_line_of_citations_covers_the_list_above_it():
    report = Report(
        "- Rents rose.\n- Tenants moved.\n\n[1][2]\n\n## Sources\n\n[1] A: https://a.example\n[2] B: https://b.example\n"
    )
    assert covered(report, report.sentences[0])


@pytest.mark.parametrize(
    ("text", "word", "quoted"),
    [
        ('He said "it always works" twice.', "always", True),
        ('He said "it works" and it always did.', "always", False),
        ("She wrote: “Trust me. It always works.”", "always", True),
    ],
)
def test_in_quotes(text, word, quoted):
    report = Report(text)
    at = text.index(word)
    sentence = report.sentence_at(at)
    assert sentence is not None
    assert in_quotes(report, sentence, at) is quoted


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Studies show that New York City is warm.", False),
        ("A Pew Research survey of drivers shows that few care.", True),
        ("Studies from 2021 show that few care.", True),
        ("As OECD studies show, few care.", True),
    ],
)
def test_names_before_the_cue_say_who_found_it(text, named):
    report = Report(text)
    assert names_someone(report, report.sentences[0].span, text.index("show") + 5) is named


def found_by(code: str, text: str) -> list:
    return list(find_check(code).run(Report(text), Context()))


@pytest.mark.parametrize("opening", ["一项调查显示", "多项研究表明"])
def test_a_counted_study_without_a_name_is_vague(opening):
    assert len(found_by("QUA005", f"城市更新正在加快。{opening}，居民满意度明显上升。这一点值得注意。")) == 1


def test_the_chance_that_is_denied_softens_nothing():
    assert len(found_by("QUA001", "按照这个办法，改革一定会成功，没有失败的可能。")) == 1
    assert not found_by("QUA001", "按照这个办法，改革一定会成功的判断可能过于乐观。")


@pytest.mark.parametrize(
    "sentence",
    [
        "Organisational behaviour research suggests that small gifts keep volunteers.",
        "Neo-Kantian scholars argue that the duty can be shared.",
        "It is an aim of further studies to show this.",
        "世界银行报告指出，贫困率下降。",
        "交易数据显示，成交集中在整数价位。",
        "本报告为业内人士提供参考。",
        "本研究表明，成本下降。",
        "麦肯锡公司的一项调查发现，成本下降。",
    ],
)
def test_a_source_of_some_kind_is_not_vague(sentence):
    assert not found_by("QUA005", f"## Effects\n\n{sentence}")


def test_all_places_of_a_report_make_one_finding():
    text = "Studies show that roofs cool. Owners like them.\n\nExperts say that bees come. Councils pay."
    (finding,) = found_by("QUA005", f"## Effects\n\n{text}")
    assert len(finding.related) == 1
    assert "2 sentences" in finding.message.text("en")
    (finding,) = found_by("QUA002", "Electric lorries will replace diesel lorries. Drones will replace vans.")
    assert len(finding.related) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "No method guarantees success.",
        "The team tries to eliminate all risks.",
        "The mean can never fall outside the range.",
        "The journey will undoubtedly be long.",
        "This guarantees the existence of a proof.",
        "任何方案都不能保证绝对安全。",
    ],
)
def test_negated_attempted_and_formal_absolutes(sentence):
    assert not found_by("QUA001", sentence)
