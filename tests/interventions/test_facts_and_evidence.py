"""Operators on outcomes: citations, evidence, made-up facts, coverage."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from assay.interventions.applying import apply
from assay.interventions.base import Edit, EditSite, Operator, TextRevision
from assay.interventions.outcome import (
    citation_groundedness,
    evidence_omission,
    fabrication,
    incomplete_coverage,
)
from assay.interventions.outcome._claims import stripped
from assay.interventions.outcome._numbers import altered, altered_year
from assay.interventions.outcome._vague import vague_figures, without_examples
from assay.subjects.report import Report

OPERATORS = {
    module.OPERATOR.name: module.OPERATOR
    for module in (citation_groundedness, fabrication, incomplete_coverage, evidence_omission)
}

EN = """# Heat pumps in Norfield

## Sales of heat pumps

According to Norfield Statistics, sales of heat pumps increased by 53% to 356,000 units in 2023. Household demand was the main driver of heat pump sales in the district [1]. For example, subsidy applications from rural households rose by 41% within a single year [1].

Many installers expect a shortage of trained staff. The Energy Agency reports that 2,400 installers left the trade between the two winters [2].

## Grid load and transformers

Evening peak load rose in most monitored feeders after the switch to heat pumps [2]. Transformers in three villages reached their limits on 17 days of the second winter [2].

Noise complaints came from one in nine neighbours of outdoor units, mostly at night [3]. Operators significantly reduced complaint numbers [3]. Sales of heat pumps reached 356,000 units in 2023 before the grid study began [1].

## Costs for households

The costs of a heat pump fall mainly on the household. Installation costs average 28,400 euros, and running costs stay 31% below those of oil heating [4]. Households with old radiators pay another 6,200 euros for new ones [4].

Running costs depend on the tariff and on insulation. Well insulated homes spend 740 euros a year, others up to 1,900 euros [4].

| Village | Units | Share |
|---|---|---|
| Aldby | 410 | 34% |
| Brenholm | 275 | 19% |
| Corsund | 690 | 52% |

## References

[1] Heat pump sales and household subsidy statistics: https://sales.example.org/heat-pump-sales-statistics
[2] Grid study of transformers and evening peak load: https://grid.example.org/study-of-transformers-and-load
[3] Survey of noise complaints among neighbours: https://noise.example.org/survey-noise-complaints
[4] Installation and running costs of oil heating: https://costs.example.org/installation-running-costs
[5] Training of installers in the energy trade: https://train.example.org/training-installers-energy
[6] Forestry and timber exports of the coast: https://wood.example.org/forestry-timber-exports
"""
EN_QUERY = "Study heat pumps in Norfield. Your report should cover sales, grid load, costs for households, and noise complaints."

ZH = """# 诺菲尔德热泵研究

## 一、销售情况

根据国家统计局数据，2023年热泵销量同比增长53%，达到35.6万台。农村家庭的补贴申请是热泵销售增长的主要动力[1]。例如，农村家庭补贴申请在一年内增长了41%，其中山区增幅更为突出[1]。

许多企业已开始培训安装人员。中国能源研究会指出，两个冬季之间共有2400名安装人员离开这一行业[2]。

## 二、电网负荷

热泵普及后，多数监测馈线的晚间峰值负荷明显上升[2]。三个村庄的变压器在第二个冬季有17天达到极限，晚间负荷压力尤为突出[2]。

邻居对室外机噪声的投诉多发生在夜间，九分之一的受访居民表示受到影响[3]。2023年热泵销量达到35.6万台，同比增长53%，高于同期燃气锅炉[1]。

## 三、家庭成本

家庭承担了热泵的主要成本。安装成本平均为28400元，运行成本比燃油供暖低31%[4]。散热器老旧的家庭还需另付6200元用于更换[4]。

运行成本取决于电价和房屋保温。保温良好的住宅每年花费740元，其他住宅最高达到1900元[4]。

## 参考文献

[1] 热泵销售与农村家庭补贴申请统计: https://sales.example.org/a1
[2] 电网变压器与晚间峰值负荷研究: https://grid.example.org/b2
[3] 室外机噪声投诉调查: https://noise.example.org/c3
[4] 供暖安装与运行成本分析: https://costs.example.org/d4
[5] 能源行业安装人员培训: https://train.example.org/e5
[6] 沿海林业与木材出口: https://wood.example.org/f6
"""
ZH_QUERY = "请研究诺菲尔德的热泵，报告需要包括：销售情况、电网负荷、家庭成本、噪声投诉。"


def reports() -> list[Report]:
    return [Report(EN, query=EN_QUERY, id="en"), Report(ZH, query=ZH_QUERY, id="zh")]


def candidates(operator: Operator, report: Report, seed: int = 0, most: int = 60) -> list[TextRevision]:
    found = []
    for revision in operator.rule(report, Random(seed)):
        found.append(revision)
        if len(found) == most:
            break
    return found


def holds(operator: Operator, report: Report, revision: TextRevision) -> None:
    """What every revision has to keep: one edit, all else as it was, a site, and a failure that the check sees."""
    assert len(revision.edits) == 1
    edit = revision.edits[0]
    applied = apply(report, revision)
    new = applied.subject.source
    assert new != report.source
    assert new.startswith(report.source[: edit.start])
    assert new.endswith(report.source[edit.end :])
    assert new[edit.start : edit.start + len(edit.text)] == edit.text
    assert applied.site.start < applied.site.end
    assert revision.pattern
    assert operator.check is not None


@pytest.mark.parametrize("name", sorted(OPERATORS))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_offers_several_patterns_that_its_check_accepts(name: str, language: str) -> None:
    operator = OPERATORS[name]
    report = next(r for r in reports() if r.language == language)
    patterns = set()
    for seed in range(3):
        for revision in candidates(operator, report, seed):
            holds(operator, report, revision)
            assert operator.check is not None
            if operator.check(report, apply(report, revision).subject, revision) is None:
                patterns.add(revision.pattern)
    # What is left of a passage is the author's own: there are fewer ways to thin one out than to falsify it.
    assert len(patterns) >= (3 if name == "incomplete_coverage" else 4), patterns


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_the_same_seed_gives_the_same_revisions(name: str) -> None:
    for report in reports():
        again = Report(report.source, query=report.query)
        assert candidates(OPERATORS[name], report, 7) == candidates(OPERATORS[name], again, 7)


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_an_empty_or_bare_report_offers_nothing(name: str) -> None:
    for text in ("", "Nothing here.", "# Title\n\nWords and words.", "| a |\n|---|\n| 1 |\n"):
        report = Report(text, query="Compare costs and risks?")
        assert candidates(OPERATORS[name], report) == []
        assert sites_of(name, report) == []


def sites_of(name: str, report: Report) -> list[EditSite]:
    sites = OPERATORS[name].sites
    assert sites is not None
    return list(sites(report, Random(0)))


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_sites_are_passages_of_the_body(name: str) -> None:
    for report in reports():
        sites = sites_of(name, report)
        assert sites
        for site in (item.places[0] for item in sites):
            assert 0 <= site.start < site.end <= report.source.index("[1] ")
            assert site.end - site.start <= 2500


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_what_people_and_models_are_told(name: str) -> None:
    operator = OPERATORS[name]
    assert operator.level == "outcome"
    assert operator.module == "output"
    for text in (operator.definition, operator.ask):
        assert text.isascii() or "“" in text
    assert not operator.definition_zh.isascii()
    assert not operator.ask_zh.isascii()


def edited(report: Report, old: str, new: str) -> tuple[Report, TextRevision]:
    at = report.source.index(old)
    revision = TextRevision(edits=(Edit(at, at + len(old), new),), pattern="test")
    return apply(report, revision).subject, revision


def verdict(name: str, old: str, new: str, *, language: str = "en") -> str | None:
    report = next(r for r in reports() if r.language == language)
    perturbed, revision = edited(report, old, new)
    check = OPERATORS[name].check
    assert check is not None
    return check(report, perturbed, revision)


LIMIT = "limits on 17 days of the second winter [2]"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (LIMIT, "limits on 17 days of the second winter [6]", None),
        (LIMIT, "limits on 17 days of the second winter [41]", None),
        (LIMIT, "limits on 17 days of the second winter", "missing"),
        ("According to Norfield Statistics", "According to the Energy Agency", None),
        ("Transformers in three", "Transformers in four", "no citation"),
        ("mostly at night [3]", "mostly at night [1]", None),
    ],
)
def test_a_citation_is_wrong_only_where_it_does_not_fit(old: str, new: str, why: str | None) -> None:
    found = verdict("citation_groundedness", old, new)
    assert found is None if why is None else why in (found or "")


def test_a_citation_that_fits_the_claim_is_no_failure() -> None:
    found = verdict(
        "citation_groundedness", "heat pump sales in the district [1]", "heat pump sales in the district [4]"
    )
    assert found is None
    found = verdict(
        "citation_groundedness",
        "running costs stay 31% below those of oil heating [4]",
        "running costs stay 31% below those of oil heating [4][3]",
    )
    assert found is None
    found = verdict(
        "citation_groundedness", "left the trade between the two winters [2]", "left the energy trade [5]"
    )
    assert "fits" in (found or "")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("28,400 euros", "17,900 euros", None),
        ("in 2023. Household", "in 2019. Household", None),
        ("increased by 53%", "decreased by 53%", None),
        ("The Energy Agency reports", "The Norfield Statistics reports", None),
        ("Many installers expect", "About 64% of installers expect", None),
        ("mainly on the household", "mostly on the household", "no figure"),
        (" [2].\n\nNoise", " [3].\n\nNoise", "only citations"),
    ],
)
def test_a_fact_has_to_be_another(old: str, new: str, why: str | None) -> None:
    found = verdict("fabrication", old, new)
    assert found is None if why is None else why in (found or "")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("average 28,400 euros, and running costs stay 31% below those of oil heating [4]", "are considerable, and running costs stay below those of oil heating", None),
        (" For example, subsidy applications from rural households rose by 41% within a single year [1].", "", None),
        ("28,400 euros", "19,300 euros", "a figure is there"),
        ("second winter [2]", "second winter [5]", "a source is cited"),
        ("mainly on the household", "mostly on the household", "no figure, source"),
    ],
)  # fmt: skip
def test_support_has_to_be_gone_and_nothing_else_there(old: str, new: str, why: str | None) -> None:
    found = verdict("evidence_omission", old, new)
    assert found is None if why is None else why in (found or "")


def test_coverage_counts_only_where_the_query_asks() -> None:
    costs = "Running costs depend on the tariff and on insulation. Well insulated homes spend 740 euros a year, others up to 1,900 euros [4]."
    assert verdict("incomplete_coverage", costs, "Costs are a subject of their own.") is None
    assert "still there" in (verdict("incomplete_coverage", costs, costs.replace("tariff", "rate")) or "")
    staff = "Many installers expect a shortage of trained staff. The Energy Agency reports that 2,400 installers left the trade between the two winters [2].\n\n"
    report = Report(EN.replace("## Sales of heat pumps", "## Overview of the trade"), query=EN_QUERY)
    perturbed, revision = edited(report, staff, "")
    check = OPERATORS["incomplete_coverage"].check
    assert check is not None
    assert "nothing that the query asks" in (check(report, perturbed, revision) or "")


def test_no_query_no_coverage_to_lose() -> None:
    assert candidates(OPERATORS["incomplete_coverage"], Report(EN)) == []


def test_a_dropped_section_leaves_no_gap_in_the_numbers() -> None:
    for revision in candidates(OPERATORS["incomplete_coverage"], reports()[1]):
        assert not (revision.pattern == "dropped-section" and "二、" in revision.note)


@pytest.mark.parametrize("digits", ["356,000", "53", "28.4", "0.05", "7", "1,900", "12.50"])
def test_altered_digits_look_like_the_old_ones(digits: str) -> None:
    for seed in range(20):
        new = altered(digits, Random(seed), below=100 if digits == "53" else None)
        assert new is not None
        assert new != digits
        assert ("," in new) == (len(new.replace(",", "").partition(".")[0]) > 3 and "," in digits)
        assert len(new.partition(".")[2]) == len(digits.partition(".")[2])
        old_value, new_value = (float(d.replace(",", "")) for d in (digits, new))
        assert abs(new_value - old_value) >= 0.15 * old_value


def test_altered_years_stay_in_the_past_and_off_their_neighbours() -> None:
    for seed in range(20):
        year = altered_year(2023, Random(seed), avoid=frozenset({2021, 2020}))
        assert year is not None
        assert year <= 2024
        assert year not in (2020, 2021, 2023)
        assert 3 <= abs(year - 2023) <= 8


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Sales grew by 53% from 2022 to 2023.", "en"),
        ("Oil heating accounts for about 31% of all costs.", "en"),
        ("The market reached $4.2 billion in 2023.", "en"),
        ("The survey covered more than 1,900 neighbours in three villages.", "en"),
        ("2023年热泵销量同比增长53%。", "zh"),
        ("安装费用占总成本的31%，比重较高。", "zh"),
    ],
)
def test_words_take_the_place_of_figures(text: str, language: str) -> None:
    for seed in range(8):
        new = vague_figures(text, language, Random(seed))
        assert new is not None
        assert "%" not in new
        assert "$" not in new
        assert new[-1] == text[-1]


def test_figures_that_no_words_fit_are_left_alone() -> None:
    assert vague_figures("The ratio was 0.37 against 0.71 for the other five.", "en", Random(0)) is None
    assert vague_figures("No figures here.", "en", Random(0)) is None


def test_words_that_would_not_fit_the_grammar_are_not_taken() -> None:
    for text in (
        "The drama kept its Top 10 status in over 60 countries.",
        "Networks reach 98% classification accuracy in such scenes.",
        "The agency recommends at least 30 grams of fibre per day.",
        "The fund lost 415 billion kroner in the first quarter.",
        'She said that "adding 100 passengers creates 98 jobs" in the region.',
        "Prices rose by 3% over the year.",
    ):
        assert vague_figures(text, "en", Random(0)) is None, text


@pytest.mark.parametrize(
    "text",
    [
        "房产占全国平均的37%。",
        "中等收入群体规模占整体人口比例不到40%。",
        "新能源汽车占新车销量的比重不足35%。",
        "该地区不到300家企业参与调查。",
    ],
)
def test_a_share_of_an_average_or_below_a_bound_is_not_a_large_part(text: str) -> None:
    assert [vague_figures(text, "zh", Random(seed)) for seed in range(5)] == [None] * 5


def test_markers_in_brackets_leave_no_brackets() -> None:
    report = Report(EN.replace("a single year [1]", "a single year ([1], [2])"), query=EN_QUERY)
    sentence = next(s for s in report.sentences if "single year" in report.text(s.span))
    assert stripped(report, sentence.span).endswith("within a single year.")


def test_examples_go_and_the_claim_stays() -> None:
    found = without_examples(
        "Most of the makers left the market because oil stayed cheap for three Norfield winters.", "en"
    )
    assert found is not None
    assert found[0] == "Most of the makers left the market."
    assert without_examples("Makers such as Aldby Works were bought by rivals last year.", "en") is None
    # What only lists what there is bears nothing out.
    assert (
        without_examples("The pump takes every sort of oil, including Aldby, Norol and Petra.", "en") is None
    )
    found = without_examples("近年来热泵厂商退出市场的情况较为严重，例如东方热能公司、北方暖通集团。", "zh")
    assert found is not None
    assert "东方热能" not in found[0]
    found = without_examples("由于散热器老旧且电价持续上涨，农村家庭的改造意愿明显低于城镇家庭。", "zh")
    assert found is not None
    assert found[0] == "农村家庭的改造意愿明显低于城镇家庭。"


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_real_reports(name: str, shared: Path) -> None:
    operator = OPERATORS[name]
    folder = shared / "deepresearch_bench" / "reports"
    rows = [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()[:12]
    ]
    rows = [row for row in rows if int(row["id"]) % 3][:18]
    assert rows
    offered = 0
    for row in rows:
        report = Report(row["report"], query=row["query"], id=str(row["id"]))
        good = 0
        for revision in candidates(operator, report, most=8):
            holds(operator, report, revision)
            assert operator.check is not None
            good += operator.check(report, apply(report, revision).subject, revision) is None
        offered += good > 0
    assert offered >= 0.5 * len(rows)
