"""The operators on wording, coherence and topic: small examples in both languages, and what must hold on real reports."""

from __future__ import annotations

import json
import re
from itertools import islice
from random import Random

import pytest

from assay.interventions.applying import apply, revised_text
from assay.interventions.base import Edit, TextRevision
from assay.interventions.filters import RevisedPair, refusal
from assay.interventions.outcome import expression_quality, incoherence, topical_misalignment
from assay.interventions.outcome._borrowed_sentences import drifts, lendable
from assay.interventions.outcome._sentences import MARKERS
from assay.interventions.outcome._slips import slip_between
from assay.subjects.report import Report

OPERATORS = [module.OPERATOR for module in (expression_quality, incoherence, topical_misalignment)]
RULED = OPERATORS[:2]

EN = """# Heat pumps in older homes

## Costs

The price of heat pumps remains high in many regions, although several governments offer grants to homeowners. As a result,
the installed base has increased by 40% since 2019 [1]. However, the use of backup heaters reduces the savings of older homes.
Retailers have been advised to provide a clear estimate of the heating bill before the installation.

A heat pump moves heat from the outdoor air into the home. This process depends on the temperature of the outdoor air, and it
requires a significant amount of electricity in winter. Ground-source systems are more efficient in winter, while air-source
systems are cheaper to install.

- **Noise:** The noise of the outdoor unit can disturb neighbours, especially at night when fans run at full speed.
- **Electricity price:** Households with a low electricity price save most, because the pump replaces oil with electricity.

## Conclusion

Overall, heat pumps reduce the heating bill of older homes, thereby increasing the value of the property. Heat pump grants in
Germany and Norway increased the number of installations. A heat pump reduces the heating bill most where oil was used before.
"""
ZH = """# 老旧住宅的热泵

## 一、成本

热泵的安装价格在许多地区仍然较高，但各地政府提供了补贴政策。因此，2019年以来安装量增加了约40% [1]。
然而，辅助加热设备的使用降低了老旧住宅的节能效果。通过合理设计，安装企业可以有效地降低成本，并满足居民的供暖需求。

热泵把室外空气中的热量搬运到室内。这一过程取决于室外空气的温度。地源热泵的效率更高，而空气源热泵的安装费用更低。
在能源转型的背景下，热泵具有节能减排的优势，能够显著提高能源利用效率。

- **噪声**：室外机的噪声可能影响邻居，尤其是夜间风机全速运行的时候。
- **电价**：电价较低的家庭节省最多，因为热泵用电力替代了燃油。

## 二、结论

总体而言，热泵能够降低老旧住宅的供暖费用，从而提高房产的价值。德国和挪威的补贴政策增加了安装量，热泵正在成为重要的供暖方式。
"""


def _joined(text: str, by: str = " ") -> str:
    """Paragraphs on one line, as reports have them."""
    return re.sub(r"(?<=[a-z.\]。，])\n(?=[A-Za-z\u4e00-\u9fff])", by, text)


def report_of(language: str) -> Report:
    if language == "en":
        return Report(_joined(EN), query="How do heat pumps change the heating costs of older homes?")
    return Report(_joined(ZH, ""), query="热泵怎样改变老旧住宅的供暖费用？")


def revision(report: Report, old: str, new: str) -> tuple[Report, TextRevision]:
    at = report.source.index(old)
    change = TextRevision(edits=(Edit(at, at + len(old), new),), pattern="test")
    return apply(report, change).subject, change


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("operator", RULED, ids=lambda operator: operator.name)
def test_a_rule_finds_several_patterns_and_the_seed_decides(operator, language):
    report = report_of(language)
    found = list(operator.rule(report, Random(3)))
    assert found == list(operator.rule(report_of(language), Random(3)))
    assert found != list(operator.rule(report, Random(4)))
    assert len({change.pattern for change in found}) >= 2
    for change in found:
        assert len(change.edits) == 1
        (edit,) = change.edits
        revised = apply(report, change).subject
        assert revised.source != report.source
        assert revised.source[: edit.start] == report.source[: edit.start]
        assert revised.source.endswith(report.source[edit.end :])
        assert sorted(MARKERS.findall(revised.source)) == sorted(MARKERS.findall(report.source))


@pytest.mark.parametrize("operator", RULED, ids=lambda operator: operator.name)
def test_most_of_what_a_rule_makes_passes_its_own_check(operator):
    for language in ("en", "zh"):
        report = report_of(language)
        found = list(operator.rule(report, Random(1)))
        good = [
            change
            for change in found
            if operator.check(report, apply(report, change).subject, change) is None
        ]
        assert found
        assert len(good) >= 0.6 * len(found)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_sites_for_a_model_are_passages_of_the_report(operator):
    report = report_of("en")
    sites = list(operator.sites(report, Random(1)))
    assert sites
    for site in sites:
        text = report.source[site.places[0].start : site.places[0].end]
        assert 0 < len(text) <= 2_500
        assert "# " not in text


def test_an_operator_says_in_both_languages_what_it_is():
    for operator in OPERATORS:
        assert operator.definition.isascii() or "–" in operator.definition
        assert not operator.definition_zh.isascii()
        assert operator.ask
        assert operator.ask_zh
        assert (operator.module, operator.level, operator.kind) == ("output", "outcome", "failure")


@pytest.mark.parametrize(
    ("before", "after", "language"),
    [
        ("The use of sensors improves yield.", "The use of sensors improve yield.", "en"),
        ("It depends on the price.", "It depends of the price.", "en"),
        ("They act in order to save power.", "They act in order save power.", "en"),
        ("It poses significant challenges for firms.", "It poses challenges significant for firms.", "en"),
        ("It was built of steel in 1990.", "It was built of of steel in 1990.", "en"),
        ("Prices fell, which helped users.", "Prices fell. Which helped users.", "en"),
        ("Prices fell. This helped users.", "Prices fell, this helped users.", "en"),
        ("Pumps reduce costs.", "Pumps lessen and reduce costs.", "en"),
        ("Pumps save money because oil is dear.", "Pumps save money owing to the fact that the reason is that oil is dear.", "en"),
        ("产量增加了约40%。", "产量增加了约40%左右。", "zh"),
        ("企业可以有效地降低成本。", "企业可以有效的降低成本。", "zh"),
        ("企业可以降低成本。", "企业可以缩短成本。", "zh"),
        ("新政策使企业受益。", "通过新政策使企业受益。", "zh"),
        ("热泵显著提高效率。", "热泵提高显著效率。", "zh"),
        ("这取决于温度。", "这取决于温度所决定。", "zh"),
        ("热泵具有节能的优势。", "热泵具有节能。", "zh"),
    ],
)  # fmt: skip
def test_slips_are_recognised(before, after, language):
    assert slip_between(before, after, language) is not None


@pytest.mark.parametrize(
    ("before", "after", "language"),
    [
        ("The pump improves comfort.", "The pump improved comfort.", "en"),
        ("The pump is loud.", "The pump is noisy.", "en"),
        ("The pump is loud.", "The pump is loud.", "en"),
        ("热泵价格较高。", "热泵售价较高。", "zh"),
    ],
)
def test_a_free_choice_of_words_is_no_slip(before, after, language):
    assert slip_between(before, after, language) is None


def test_bad_wording_leaves_numbers_and_citations_alone():
    report = report_of("en")
    check = expression_quality.OPERATOR.check
    bad = revision(report, "has increased by 40% since 2019 [1]", "have increased by 40% since 2019 [1]")
    assert check(report, *bad) is None
    for new in ("have increased by 50% since 2019 [1]", "have increased by 40% since 2019"):
        assert "not only the wording" in check(
            report, *revision(report, "has increased by 40% since 2019 [1]", new)
        )
    assert "no slip" in check(report, *revision(report, "remains high", "stays high"))


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("en", "However, the use", "For the same reason, the use"),
        ("en", "Ground-source systems are more efficient in winter, while air-source systems", "Air-source systems are more efficient in winter, while ground-source systems"),
        ("en", "Overall, heat pumps reduce", "Overall, heat pumps increase"),
        ("en", "This process depends", "This process no longer depends"),
        ("zh", "然而，辅助", "因此，辅助"),
        ("zh", "从而提高房产", "从而降低房产"),
    ],
)  # fmt: skip
def test_what_is_turned_round_or_moved_is_incoherent(language, old, new):
    report = report_of(language)
    assert incoherence.OPERATOR.check(report, *revision(report, old, new)) is None


def test_other_words_for_the_same_are_coherent():
    report = report_of("en")
    check = incoherence.OPERATOR.check
    assert "nothing contradicts" in check(report, *revision(report, "remains high", "stays high"))
    assert "citations" in check(report, *revision(report, "since 2019 [1]", "since 2019 [2]"))


def test_labels_and_sentences_are_swapped():
    # "This process" might be one that is spoken of above; "however" joins the sentence before it.
    report = Report(_joined(EN).replace("This process", "However, the process"))
    patterns = {
        change.pattern: apply(report, change).subject.source
        for change in incoherence.OPERATOR.rule(report, Random(1))
    }
    assert "**Electricity price:** The noise of the outdoor unit" in patterns["swapped-labels"]
    assert "However, the process depends on the temperature" in patterns["sentence-order"]
    assert patterns["sentence-order"].index("However, the process") < patterns["sentence-order"].index(
        "A heat pump moves"
    )


# Three subjects in each language: the second is near to the first, and the third to neither.
GARDENS = {
    "en": (
        ("Which pests harm roses in small gardens?", """# Roses in small gardens

Rose growers in small gardens watch for insects and fungi.

## Aphids

Aphids gather on young shoots of garden roses in spring. Ladybird larvae eat aphids by the dozen, so gardeners who plant
nectar flowers beside their roses rarely need insecticide, which kills aphids and ladybird larvae alike. Many gardeners spend an hour a week on the pruning of old wood in
the shade of the fence behind the shed. Cold weather delays new growth [1].

## Black spot

Black spot spreads by water on rose leaves. Fallen leaves carry the fungus through winter.

The last paragraph says that roses thrive.
"""),
        ("How do greenhouse growers raise tomatoes without chemicals?", """# Tomatoes under glass

Tomato growers under glass avoid chemicals.

## Whitefly

Tomato gardeners can release parasitic wasps against whitefly, because insecticide kills ladybird larvae, aphids and bumblebees. However,
it takes weeks. Bumblebees pollinate tomatoes in a greenhouse. Tomato trusses need warm nights and steady watering. Whitefly and bumblebees weigh on
tomato shoots in spring as aphids do. This report shows that gardeners know whitefly.
"""),
        ("How did medieval ports tax ships?", """# Tolls of medieval ports

Medieval ports levied tolls on every hull. Harbour masters counted barrels at the quay. Merchants paid tolls in silver. Kings
farmed out tolls to guilds in return for loans.
"""),
    ),
    "zh": (
        ("小型花园的玫瑰有哪些虫害？", """# 小型花园的玫瑰虫害

玫瑰种植者需要留意昆虫与真菌。

## 一、蚜虫

春季蚜虫聚集在玫瑰嫩梢。瓢虫幼虫大量捕食蚜虫，种植蜜源植物的园丁很少喷洒杀虫剂。不少园丁每周花费许多时间修剪篱笆背后阴凉处老旧枝条并且清理落叶杂草。杀虫剂杀死瓢虫幼虫 [1]。

## 二、黑斑病

黑斑病借助雨水传播。落叶携带病菌越冬。

玫瑰最终茁壮成长。
"""),
        ("温室番茄怎样不用农药？", """# 温室番茄种植

番茄种植者避免农药。

## 一、粉虱

番茄园丁可以释放寄生蜂防治粉虱，杀虫剂杀死瓢虫幼虫并伤害熊蜂。然而见效缓慢。熊蜂为温室番茄授粉。番茄果穗需要温暖夜晚，番茄果穗惧怕粉虱。番茄园丁检查粉虱。熊蜂喜爱番茄花。
"""),
        ("中世纪港口怎样征税？", """# 中世纪港口税

中世纪港口对船舶征收通行税。港务官清点码头货桶。商人缴纳白银。国王把税权包给行会换取贷款。
"""),
    ),
}  # fmt: skip


def gardens(language: str) -> tuple[Report, list[Report]]:
    first, *others = (
        Report(_joined(text, " " if language == "en" else ""), query=query)
        for query, text in GARDENS[language]
    )
    return first, others


@pytest.mark.parametrize(("language", "lent"), [("en", "parasitic wasps"), ("zh", "寄生蜂")])
def test_a_drift_is_lent_by_the_nearest_other_question(language, lent):
    report, others = gardens(language)
    operator = topical_misalignment.OPERATOR
    found = list(operator.borrow(report, Random(1), others))
    assert found == list(operator.borrow(*_again(language)))
    assert {change.pattern for change in found} == {"added", "instead"}
    for change in found:
        revised = apply(report, change).subject
        assert lent in revised.source
        assert lent not in report.source
        assert MARKERS.findall(revised.source) == MARKERS.findall(report.source)
        assert revised.paragraphs[-1].span != report.paragraphs[-1].span
        assert operator.check(report, revised, change) is None
        grown = len(revised.source) - len(report.source)
        assert grown > 0 if change.pattern == "added" else grown < len(lent)


def _again(language: str) -> tuple[Report, Random, list[Report]]:
    report, others = gardens(language)
    return report, Random(1), others


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_lent_from_afar_or_from_nobody(language):
    report, others = gardens(language)
    operator = topical_misalignment.OPERATOR
    assert drifts(report, others[1:]) == []
    assert list(operator.borrow(report, Random(1), [])) == []
    assert list(operator.rule(report, Random(1))) == []


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("However, bumblebees pollinate tomatoes in a greenhouse and need no further help from people.", "en"),
        ("Bumblebees pollinate tomatoes in a greenhouse, and this spares the growers many hours of work.", "en"),
        ("We found that bumblebees pollinate tomatoes in a greenhouse without any further help.", "en"),
        ("The framework combines bumblebees with parasitic wasps and can be used in any greenhouse.", "en"),
        ("Bumblebees [3] pollinate tomatoes in a greenhouse and can replace the work of many people.", "en"),
        ("这些熊蜂可以为温室番茄授粉，种植者因而节省大量人工与时间。", "zh"),
        ("熊蜂可以为温室番茄授粉，本研究据此估算种植者节省的大量人工。", "zh"),
        ("继续推动温室番茄采用熊蜂授粉，帮助种植者节省大量人工与时间。", "zh"),
    ],
)  # fmt: skip
def test_what_leans_on_its_surroundings_is_not_lent(source, language):
    assert lendable(source, language) is None


def test_a_citation_at_the_end_stays_behind():
    said = "Bumblebees can pollinate tomatoes in a greenhouse and replace the work of many people"
    assert lendable(f"{said} [3].", "en") == f"{said}."
    assert lendable(f"{said}. [3][4]", "en") == f"{said}."
    assert (
        lendable("They can do so in any weather, even where the glass is thin and the nights are cold.", "en")
        is None
    )
    assert lendable(
        "They can do so in any weather, even where the glass is thin and the nights are cold.",
        "en",
        follows=True,
    )


def test_a_drift_must_leave_the_question():
    report = report_of("en")
    check = topical_misalignment.OPERATOR.check
    old = (
        "Retailers have been advised to provide a clear estimate of the heating bill before the installation."
    )
    away = "The committee structure of associations of retailers has been revised at intervals, and annual meetings rotate between cities."
    same = (
        "Retailers have been advised to give a good estimate of the heating bill ahead of the installation."
    )
    assert check(report, *revision(report, old, away)) is None
    assert check(report, *revision(report, old, same)) is not None
    back = "Heat pumps change the heating costs of older homes, and heating costs of homes change with heat pumps."
    assert check(report, *revision(report, old, back)) is not None


def test_nothing_is_done_to_a_text_of_no_known_language():
    report = Report("Ω α β γ δ. " * 30)
    for operator in OPERATORS:
        assert list(operator.rule(report, Random(1))) == []


def test_real_reports_give_sound_candidates(shared):
    rows = []
    for name in ("reports_raw/claude-3-7-sonnet", "reports/odr-gpt-5", "reports/odr-gpt-4.1"):
        text = (shared / "deepresearch_bench" / f"{name}.jsonl").read_text(encoding="utf-8")
        rows += [
            row
            for line in text.splitlines()
            if (row := json.loads(line))["id"] % 3 and row["id"] % 24 in (1, 4)
        ]
    reports = [Report(row["report"], query=row["query"], id=str(row["id"])) for row in rows]
    for operator in RULED:
        served = 0
        for report in reports:
            sound = 0
            for change in islice(operator.rule(report, Random(5)), 12):
                applied = apply(report, change)
                (edit,) = change.edits
                assert revised_text(report.source, change.edits) == applied.subject.source
                assert applied.subject.source[: edit.start] == report.source[: edit.start]
                assert sorted(MARKERS.findall(applied.subject.source)) == sorted(
                    MARKERS.findall(report.source)
                )
                if refusal(RevisedPair(operator, report, applied, change)) is None:
                    sound += operator.check(report, applied.subject, change) is None
            served += sound >= 1
        assert served >= 0.85 * len(reports), operator.name


def test_real_reports_lend_each_other_sound_drifts(shared):
    near = (26, 25, 28, 53, 58, 71, 73, 74, 76, 79, 80, 82, 92)
    reports = []
    for name in ("reports_raw/claude-3-7-sonnet", "reports/odr-gpt-5", "reports/odr-gpt-4.1"):
        text = (shared / "deepresearch_bench" / f"{name}.jsonl").read_text(encoding="utf-8")
        rows = [row for line in text.splitlines() if (row := json.loads(line))["id"] in near]
        reports += [Report(row["report"], query=row["query"], id=str(row["id"])) for row in rows]
    operator = topical_misalignment.OPERATOR
    served = 0
    for report in reports:
        others = [other for other in reports if other.query != report.query]
        sound = 0
        for change in islice(operator.borrow(report, Random(5), others), 6):
            applied = apply(report, change)
            assert sorted(MARKERS.findall(applied.subject.source)) == sorted(MARKERS.findall(report.source))
            if refusal(RevisedPair(operator, report, applied, change)) is None:
                sound += operator.check(report, applied.subject, change) is None
        served += sound > 0
    assert served >= 4
